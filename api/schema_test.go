package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestBaseLifecycle(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Trips"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Cities"}`)
	got := c.OK("POST", "/tables/"+table+"/fields",
		`{"name":"Kind","type":"single_select","config":{"options":["port","capital"]}}`)
	if got["type"] != "single_select" || got["name"] != "Kind" {
		t.Fatalf("created %v", got)
	}
	field := got["id"].(string)
	c.OK("PATCH", "/fields/"+field, `{"name":"Sort","hidden":true,"width":120}`)
	view := c.ID("POST", "/tables/"+table+"/views", `{"type":"kanban"}`)
	c.OK("PATCH", "/views/"+view, `{"name":"Board","config":{"stackFieldId":"Sort","mine":null}}`)
	described := c.OK("GET", "/bases/"+base, "")
	tables := described["tables"].([]any)
	fields := tables[0].(map[string]any)["fields"].([]any)
	second := fields[1].(map[string]any)
	if second["name"] != "Sort" || second["isPrimary"] != false || second["order"] != 1.0 || second["hidden"] != true {
		t.Fatalf("described the field as %v", second)
	}
	views := tables[0].(map[string]any)["views"].([]any)
	config := views[1].(map[string]any)["config"].(map[string]any)
	if _, kept := config["mine"]; !kept || config["stackFieldId"] != field {
		t.Fatalf("described the view as %v", views[1])
	}
	c.OK("PATCH", "/views/"+view, `{"unset":["mine"]}`)
	config = c.OK("GET", "/views/"+view, "")["config"].(map[string]any)
	if _, kept := config["mine"]; kept {
		t.Fatal("unset did not remove the key")
	}
	if got := c.OK("DELETE", "/fields/"+field, ""); got["deleted"] != field {
		t.Fatalf("deleted %v", got)
	}
	c.Refused(http.StatusNotFound, "GET", "/fields/"+field, "")
	c.OK("DELETE", "/tables/"+table, "")
	c.OK("DELETE", "/bases/"+base, "")
	c.Refused(http.StatusNotFound, "GET", "/bases/"+base, "")
}

func TestShareLifecycle(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	path := "/bases/" + c.ID("POST", "/bases", `{"name":"Public"}`) + "/share"
	if got := c.OK("GET", path, ""); got["publicShareId"] != nil {
		t.Fatalf("a new base is shared: %v", got)
	}
	first := c.OK("PUT", path, "")["publicShareId"].(string)
	if again := c.OK("PUT", path, `{}`)["publicShareId"]; again != first {
		t.Fatalf("enabling twice changed the id from %v to %v", first, again)
	}
	second := c.OK("PUT", path, `{"regenerate":true}`)["publicShareId"].(string)
	if second == first || !strings.HasPrefix(second, "shr_") {
		t.Fatalf("regenerated %v from %v", second, first)
	}
	if got := c.OK("DELETE", path, ""); got["publicShareId"] != nil {
		t.Fatalf("disabled to %v", got)
	}
}

func TestBasePlacement(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	one, other := s.Owner(t), s.Owner(t)
	both := *one.Principal
	both.Orgs = append(both.Orgs[:1:1], other.Orgs[0])
	c := s.As(t, &both)

	c.Refused(400, "POST", "/bases", `{"name":"Where?"}`, "orgId", one.Org(), other.Org())
	workspace := c.ID("POST", "/workspaces", `{"orgId":"`+other.Org()+`","name":"Side","color":"green"}`)
	c.Refused(400, "POST", "/bases", `{"name":"Both","workspaceId":"`+workspace+`","orgId":"`+one.Org()+`"}`, "orgId")
	base := c.ID("POST", "/bases", `{"name":"Placed","workspaceId":"`+workspace+`"}`)
	for _, b := range c.OK("GET", "/bases", "")["bases"].([]any) {
		if b := b.(map[string]any); b["id"] == base && (b["workspaceId"] != workspace || b["orgId"] != other.Org()) {
			t.Fatalf("placed in %v", b)
		}
	}
	c.OK("POST", "/bases", `{"name":"Default","orgId":"`+one.Org()+`"}`)
	one.OK("POST", "/bases", `{"name":"Only one"}`)
	one.Refused(400, "POST", "/bases", `{"name":"Foreign","orgId":"`+other.Org()+`"}`, "orgId")
	one.Refused(400, "POST", "/bases", `{"name":"Foreign","workspaceId":"`+workspace+`"}`, "workspaceId")
	viewer := s.As(t, apitest.Principal(tenancytest.Person(t, s.Deps.DB), one.Orgs[0].Org, organization.Viewer))
	viewer.Refused(400, "POST", "/bases", `{"name":"Weak"}`, "admin")
	c.OK("PATCH", "/workspaces/"+workspace, `{"icon":{"kind":"emoji","value":"🏠"}}`)
	c.Refused(400, "PATCH", "/workspaces/"+workspace, `{"icon":{"kind":"sticker","value":"x"}}`, "icon.kind",
		"emoji, lucide, image")
	c.Refused(409, "DELETE", "/workspaces/"+workspace, "")
}

func TestInvalidInputIsDescribed(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Bad"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"T"}`)
	for _, test := range []struct {
		status             int
		method, path, body string
		words              []string
	}{
		{400, "POST", "/bases", `{"name":`, []string{"ends unexpectedly"}},
		{400, "POST", "/bases", `{"name":1}`, []string{"name", "must be a string, not a number"}},
		{400, "POST", "/bases", `{}`, []string{"name", "is required"}},
		{400, "POST", "/bases", `{"nmae":"x"}`, []string{"did you mean", "name"}},
		{400, "POST", "/bases", `{"name":"a","name":"b"}`, []string{"twice"}},
		{400, "POST", "/bases", `[]`, []string{"object"}},
		{400, "POST", "/bases", `{"name":"x"} {}`, []string{"nothing after"}},
		{400, "POST", "/bases", "{\"name\":\"\\u0000\"}", []string{"NUL"}},
		{400, "POST", "/bases", "{\"name\":\"\xff\"}", []string{"UTF-8"}},
		{400, "POST", "/bases", `{"name":"` + strings.Repeat("x", 300) + `"}`, []string{"255"}},
		{413, "POST", "/bases", `{"name":"` + strings.Repeat("x", 6<<20) + `"}`, []string{"5 MB"}},
		{400, "GET", "/bases?limit=1", "", []string{"limit"}},
		{400, "GET", "/bases?x=%zz", "", []string{"query"}},
		{404, "GET", "/bases/nonsense", "", []string{"base"}},
		{404, "GET", "/nowhere", "", []string{"openapi.json"}},
		{
			400, "POST", "/tables/" + table + "/fields", `{"name":"N","type":"nmber"}`,
			[]string{"did you mean", "number"},
		},
		{400, "POST", "/tables/" + table + "/fields", `{"name":"L","type":"link"}`, []string{"application"}},
		{400, "POST", "/tables/" + table + "/fields", `{"name":"B","type":"button"}`, []string{"application"}},
		{
			400, "POST", "/tables/" + table + "/fields", `{"name":"N","type":"number","config":{"precison":2}}`,
			[]string{"config.precison", "did you mean", "precision"},
		},
		{
			400, "POST", "/tables/" + table + "/fields", `{"name":"N","type":"number","config":{"precision":"2"}}`,
			[]string{"config.precision"},
		},
		{
			400, "POST", "/tables/" + table + "/fields",
			`{"name":"N","type":"number","config":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
			[]string{"config", "deep"},
		},
		{400, "POST", "/tables/" + table + "/views", `{"type":"gird"}`, []string{"grid"}},
		{409, "POST", "/bases/" + base + "/tables", `{"name":"t"}`, []string{"already"}},
	} {
		c.Refused(test.status, test.method, test.path, test.body, test.words...)
	}
	c.Refused(
		409, "DELETE",
		"/fields/"+c.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any)[0].(map[string]any)["id"].(string), "",
		"primary",
	)
}

package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

func TestRecordLifecycle(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"B"}`)+"/tables", `{"name":"Cities"}`)
	c.OK("POST", "/tables/"+table+"/fields", `{"name":"People","type":"number"}`)
	kind := c.ID("POST", "/tables/"+table+"/fields",
		`{"name":"Kind","type":"single_select","config":{"options":["port","capital"]}}`)
	path := "/tables/" + table + "/records"

	one := c.OK("POST", path,
		`{"fields":{"Name":"Oslo","People":700000,"Kind":"capital"}}`)["records"].([]any)[0].(map[string]any)
	if fields := one["fields"].(map[string]any); fields["Name"] != "Oslo" || fields["People"] != 7e5 ||
		one["createdTime"] == nil {
		t.Fatalf("created %v", one)
	}
	many := c.OK("POST", path,
		`{"records":[{"fields":{"Name":"Bergen","People":290000,"Kind":"port"}},{"fields":{"Name":"Bodø"}}]}`)
	if len(many["records"].([]any)) != 2 {
		t.Fatalf("created %v", many)
	}
	upserted := c.OK("POST", path,
		`{"records":[{"fields":{"Name":"Oslo","People":710000}},{"fields":{"Name":"Moss"}}],"upsertOn":["Name"]}`)
	if len(upserted["created"].([]any)) != 1 || upserted["updated"].([]any)[0] != one["id"] {
		t.Fatalf("upserted %v", upserted)
	}
	query := url.Values{
		"filters": {`[{"fieldId":"` + kind + `","op":"is_not_empty"},{"or":[{"fieldId":"People","op":"gt",` +
			`"value":300000},{"fieldId":"Name","op":"contains","value":"BERG"}]}]`},
		"sorts": {`[{"fieldId":"People","dir":"desc"}]`}, "limit": {"1"}, "fields": {"Name"},
	}
	page := c.OK("GET", path+"?"+query.Encode(), "")
	if page["total"] != 2.0 || page["hasMore"] != true || page["limit"] != 1.0 || page["offset"] != 0.0 {
		t.Fatalf("page %v", page)
	}
	query.Set("cursor", page["cursor"].(string))
	page = c.OK("GET", path+"?"+query.Encode(), "")
	if fields := page["records"].([]any)[0].(map[string]any)["fields"].(map[string]any); len(fields) != 1 ||
		fields["Name"] != "Bergen" || page["hasMore"] != false {
		t.Fatalf("second page %v", page)
	}
	if found := c.OK("GET", path+"/search?q=bod&limit=5", ""); found["total"] != 1.0 {
		t.Fatalf("found %v", found)
	}
	id := one["id"].(string)
	if got := c.OK("PATCH", "/records/"+id, `{"fields":{"Kind":""}}`)["fields"].(map[string]any); got["Kind"] != nil ||
		got["People"] != 7.1e5 {
		t.Fatalf("cleared %v", got)
	}
	c.OK("PATCH", path, `{"records":[{"id":"`+id+`","fields":{"People":1}}]}`)
	if got := c.OK("GET", "/records/"+id, "")["fields"].(map[string]any); got["People"] != 1.0 {
		t.Fatalf("got %v", got)
	}
	if got := c.OK("DELETE", "/records/"+id, "")["deleted"].([]any); len(got) != 1 || got[0] != id {
		t.Fatalf("deleted %v", got)
	}
	c.Refused(http.StatusNotFound, "GET", "/records/"+id, "")
	last := c.OK("GET", path+"?limit=1", "")["records"].([]any)[0].(map[string]any)["id"].(string)
	c.OK("DELETE", path, `{"ids":["`+last+`"]}`)

	for _, bad := range []struct {
		method, path, body string
		words              []string
	}{
		{"GET", path + "?limit=0", "", []string{"limit", "1 to 100"}},
		{"GET", path + "?limit=101", "", []string{"limit", "1 to 100"}},
		{"GET", path + "?limit=ten", "", []string{"limit", "whole number"}},
		{"GET", path + "?offset=-1", "", []string{"offset", "from 0 to 1000000000"}},
		{"GET", path + "?filters=%5B", "", []string{"filters", "JSON"}},
		{
			"GET", path + "?filters=" + url.QueryEscape(`[{"fieldId":"Peple","op":"gt","value":1}]`), "",
			[]string{"filters[0].fieldId", "People"},
		},
		{"GET", path + "?sort=x", "", []string{"sorts"}},
		{"GET", path + "?view=viw_x", "", []string{"view"}},
		{"GET", path + "/search", "", []string{"q", "required"}},
		{"POST", path, `{}`, []string{"records"}},
		{"POST", path, `{"records":[]}`, []string{"records", "1 to 100"}},
		{
			"POST", path, `{"records":[{"fields":{"Name":"x"}},{"fields":{"People":"many"}}]}`,
			[]string{"records[1].fields.People", "must be a number"},
		},
		{"POST", path, `{"fields":{"People":1e400}}`, []string{"fields.People"}},
		{"POST", path, `{"fields":{"Name":"` + "\xff" + `"}}`, []string{"UTF-8"}},
		{"POST", path, `{"fields":{"Name":"\u0000"}}`, []string{"fields.Name", "NUL"}},
		{
			"POST", path, `{"fields":` + strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100) + `}`,
			[]string{"deep"},
		},
		{
			"POST", path, `{"records":[` + strings.Repeat(`{"fields":{}},`, 100) + `{"fields":{}}]}`,
			[]string{"records", "100"},
		},
		{"PATCH", path, `{"records":[{"fields":{}}]}`, []string{"records[0].id", "required"}},
		{"DELETE", path, `{}`, []string{"ids"}},
	} {
		c.Refused(http.StatusBadRequest, bad.method, bad.path, bad.body, bad.words...)
	}
	if page := c.OK("GET", path, ""); page["total"] != 2.0 {
		t.Fatalf("total %v, want 2", page["total"])
	}
}

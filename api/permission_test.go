package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// joined adds a member with a role to the organization of an owner.
func joined(t *testing.T, s *apitest.Server, owner *apitest.Client, role organization.Role) *apitest.Client {
	t.Helper()
	person := tenancytest.Person(t, s.Deps.DB)
	if err := tenancytest.Join(t, s.Deps.DB, owner.Orgs[0].Org, person, role); err != nil {
		t.Fatal(err)
	}
	return s.As(t, apitest.Principal(person, owner.Orgs[0].Org, role))
}

func userOf(c *apitest.Client) string { return id.Format(id.User, c.Person) }

// inBase reports whether the target of an operation is in a base, whose roles decide who calls it.
func inBase(op *operation.Operation) bool {
	parameters := op.PathParameters()
	return len(parameters) > 0 && parameters[0] != "orgId" && parameters[0] != "workspaceId"
}

// TestBaseRoles calls each operation in a base with each role, given to a guest and to a group. A new operation is in
// the table by its scope.
func TestBaseRoles(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	for _, through := range []string{"person", "group"} {
		for _, role := range schema.BaseRoles {
			owner, w := newWorld(t, s)
			w.addFile(owner)
			guest := joined(t, s, owner, organization.Guest)
			grant := `{"userId":"` + userOf(guest) + `","role":"` + string(role) + `"}`
			if through == "group" {
				group := owner.ID(
					"POST",
					"/orgs/"+owner.Org()+"/groups",
					`{"name":"G","members":["`+userOf(guest)+`"]}`,
				)
				grant = `{"groupId":"` + group + `","role":"` + string(role) + `"}`
			}
			owner.OK("PATCH", "/bases/"+w["baseId"]+"/access", `{"grants":[`+grant+`]}`)
			for _, op := range s.Operations {
				// A revert needs the rights for what it reverts, here of a schema.
				if !inBase(op) || op.Name == "revert_changes" && role == schema.BaseEditor {
					continue
				}
				t.Run(through+"/"+string(role)+"/"+op.Name, func(t *testing.T) {
					method, path, body := w.request(t, op)
					c := s.As(t, guest.Principal)
					if !role.AtLeast(op.RequiredBase()) {
						c.Refused(http.StatusForbidden, method, path, body, "insufficient_role")
					} else if _, _, answer := c.Do(method, path, body); strings.Contains(answer, "insufficient_role") {
						t.Errorf("with the role %s: %s", role, answer)
					}
				})
			}
		}
	}
}

// TestRestrictedBase checks that a base that is not given to a member does not exist for them, on every path.
func TestRestrictedBase(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	w.addFile(owner)
	editor := joined(t, s, owner, organization.Editor)
	editor.OK("GET", "/bases/"+w["baseId"], "")
	owner.OK("PATCH", "/bases/"+w["baseId"]+"/access", `{"restricted":true}`)
	for _, op := range s.Operations {
		if !inBase(op) {
			continue
		}
		method, path, body := w.request(t, op)
		editor.Refused(http.StatusNotFound, method, path, body, "not_found")
	}
	for _, path := range []string{
		"/me", "/bases", "/inbox", "/orgs/" + owner.Org() + "/trash", "/orgs/" + owner.Org() + "/workspaces",
	} {
		if _, _, answer := editor.Do("GET", path, ""); strings.Contains(answer, w["baseId"]) {
			t.Errorf("%s names the base: %s", path, answer)
		}
	}
	owner.OK("PATCH", "/bases/"+w["baseId"]+"/access", `{"grants":[{"userId":"`+userOf(editor)+`","role":"viewer"}]}`)
	editor.OK("GET", "/tables/"+w["tableId"]+"/records", "")
	editor.Refused(
		http.StatusForbidden,
		"POST",
		"/tables/"+w["tableId"]+"/records",
		`{"fields":{}}`,
		"insufficient_role",
		"needs the role editor or above in the base; yours is viewer",
	)
	owner.OK("PATCH", "/workspaces/"+workspaceOf(owner, w["baseId"])+"/access",
		`{"grants":[{"userId":"`+userOf(editor)+`","role":"editor"}]}`)
	editor.OK("POST", "/tables/"+w["tableId"]+"/records", `{"fields":{}}`)
}

func workspaceOf(c *apitest.Client, base string) string {
	for _, one := range c.OK("GET", "/bases", "")["bases"].([]any) {
		if b := one.(map[string]any); b["id"] == base {
			return b["workspaceId"].(string)
		}
	}
	return ""
}

// TestHiddenField checks that what is hidden from somebody can neither be read nor named.
func TestHiddenField(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Staff"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"People","fields":[{"name":"Name","type":"text"},
		{"name":"Salary","type":"number"},{"name":"Team","type":"text"}]}`)
	salary := fieldOf(owner, table, "Salary")
	owner.OK(
		"POST",
		"/tables/"+table+"/fields",
		`{"name":"Yearly","type":"formula","config":{"formula":"{Salary} * 12"}}`,
	)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Ada","Salary":7321,"Team":"A"}}`)
	view := owner.ID("POST", "/tables/"+table+"/views", `{"type":"grid","name":"Rich","config":{"filters":[
		{"fieldId":"Salary","op":"gt","value":7320}],"hiddenFields":["`+salary+`"],"colorRules":[
		{"filters":[{"fieldId":"Salary","op":"gt","value":7320}],"color":"red"},
		{"filters":[{"fieldId":"Yearly","op":"gt","value":7320}],"color":"rose"},
		{"filters":[{"fieldId":"Team","op":"eq","value":"A"}],"color":"blue"}]}}`)
	colored := "/tables/" + table + "/records?colorsOf=" + view
	editor := joined(t, s, owner, organization.Editor)
	if _, _, answer := editor.Do("GET", "/tables/"+table+"/records", ""); !strings.Contains(answer, "7321") {
		t.Fatal("an editor sees no salary before it is hidden")
	}
	if whole := editor.OK("GET", "/bases/"+base, ""); whole["limited"] != nil {
		t.Errorf("before the field is hidden the base is limited: %v", whole["limited"])
	}
	if _, _, answer := editor.Do("GET", colored, ""); !strings.Contains(answer, `"colors":["red"]`) {
		t.Errorf("before the field is hidden: %s", answer)
	}
	owner.OK(
		"PATCH",
		"/tables/"+table+"/permissions",
		`{"fields":[{"fieldId":"`+salary+`","read":{"role":"creator"}}]}`,
	)
	own, theirs := owner.OK("GET", "/bases/"+base, ""), editor.OK("GET", "/bases/"+base, "")
	if own["limited"] != nil || theirs["limited"] != true {
		t.Errorf("the base is limited for its owner %v, for an editor %v", own["limited"], theirs["limited"])
	}
	for _, path := range []string{
		"/bases/" + base, "/tables/" + table, "/tables/" + table + "/fields", "/tables/" + table + "/records",
		"/tables/" + table + "/views", "/views/" + view, "/tables/" + table + "/records?view=" + view, colored,
		"/tables/" + table + "/records/search?q=7321", "/bases/" + base + "/search?q=7321",
	} {
		_, _, answer := editor.Do("GET", path, "")
		for _, secret := range []string{"7321", "Salary", "Yearly", "87852", salary, "7320"} {
			if strings.Contains(answer, secret) && !strings.Contains(path, secret) {
				t.Errorf("GET %s shows %s: %s", path, secret, answer)
			}
		}
	}
	if _, _, answer := editor.Do("GET", colored, ""); !strings.Contains(answer, `"colors":["blue"]`) {
		t.Errorf("a rule of a hidden field colours records: %s", answer)
	}
	editor.OK("PATCH", "/views/"+view, `{"config":{"colorRules":[
		{"filters":[{"fieldId":"Team","op":"eq","value":"A"}],"color":"green"}]}}`)
	if _, _, answer := editor.Do("GET", colored, ""); !strings.Contains(answer, `"colors":["green"]`) {
		t.Errorf("a rule that was changed: %s", answer)
	}
	if _, _, answer := owner.Do("GET", colored, ""); !strings.Contains(answer, `"colors":["red"]`) {
		t.Errorf("the rules that the editor does not see are gone: %s", answer)
	}
	refused := func(method, path, body string) {
		t.Helper()
		editor.Refused(http.StatusBadRequest, method, path, body)
	}
	refused("GET", "/tables/"+table+"/records?sorts="+`%5B%7B%22fieldId%22%3A%22`+salary+`%22%7D%5D`, "")
	refused("POST", "/tables/"+table+"/records", `{"fields":{"Salary":1}}`)
	made := editor.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Bob"}}`)["records"].([]any)
	editor.OK("PATCH", "/records/"+made[0].(map[string]any)["id"].(string), `{"fields":{"Team":"B"}}`)
	ada := editor.OK("GET", "/tables/"+table+"/records", "")["records"].([]any)
	first := ada[0].(map[string]any)["id"].(string)
	editor.OK("DELETE", "/records/"+first, "")
	owner.OK("POST", "/bases/"+base+"/trash/restore", `{"items":["`+first+`"]}`)
	if _, _, answer := owner.Do("GET", "/records/"+first, ""); !strings.Contains(answer, "7321") {
		t.Errorf("what was hidden from the person who deleted the record did not come back: %s", answer)
	}
}

func fieldOf(c *apitest.Client, table, name string) string {
	fields := c.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any)
	at := slices.IndexFunc(fields, func(f any) bool { return f.(map[string]any)["name"] == name })
	return fields[at].(map[string]any)["id"].(string)
}

// TestHiddenLink checks that a link that is hidden on one side cannot be read, nor one that is locked written, on the
// other side.
func TestHiddenLink(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	session := *owner.Principal
	session.Kind = authz.Session
	owner = s.As(t, &session)
	base := owner.ID("POST", "/bases", `{"name":"Case"}`)
	table := func(name string) string {
		return owner.ID("POST", "/bases/"+base+"/tables",
			`{"name":"`+name+`","fields":[{"name":"Name","type":"text"}]}`)
	}
	files, people := table("File"), table("Suspect")
	link := owner.ID("POST", "/tables/"+files+"/fields",
		`{"name":"Suspects","type":"link","config":{"linkedTableId":"`+people+`"}}`)
	editor := joined(t, s, owner, organization.Editor)
	if _, _, raw := editor.Do("GET", "/tables/"+people+"/fields", ""); !strings.Contains(raw, link) {
		t.Fatal("the other side is not there before")
	}
	owner.OK("PATCH", "/tables/"+files+"/permissions", `{"fields":[{"fieldId":"`+link+`","edit":{"role":"creator"}}]}`)
	editor.Refused(http.StatusBadRequest, "POST", "/tables/"+people+"/records", `{"fields":{"File":[]}}`,
		"may not be written by you")
	owner.OK("PATCH", "/tables/"+files+"/permissions", `{"fields":[{"fieldId":"`+link+`","read":{"role":"creator"}}]}`)
	if _, _, raw := editor.Do("GET", "/tables/"+people+"/fields", ""); strings.Contains(raw, link) {
		t.Errorf("the other side shows the link: %s", raw)
	}
}

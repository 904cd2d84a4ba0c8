package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A team has the members of one organization and a table in it.
type team struct {
	admin, editor, other, viewer *apitest.Client
	table, views, records        string // paths
}

func newTeam(t *testing.T, fields string) *team {
	t.Helper()
	s := apitest.New(t)
	admin := s.Owner(t)
	member := func(role organization.Role) *apitest.Client {
		person := tenancytest.Person(t, s.Deps.DB)
		if err := tenancytest.Join(t, s.Deps.DB, admin.Orgs[0].Org, person, role); err != nil {
			t.Fatal(err)
		}
		return s.As(t, apitest.Principal(person, admin.Orgs[0].Org, role))
	}
	base := admin.ID("POST", "/bases", `{"name":"Views"}`)
	table := admin.ID("POST", "/bases/"+base+"/tables", `{"name":"Rows","fields":`+fields+`}`)
	return &team{
		admin, member(organization.Editor), member(organization.Editor), member(organization.Viewer),
		"/tables/" + table, "/tables/" + table + "/views", "/tables/" + table + "/records",
	}
}

// list finds a view among the views that a client can list; nil means that it is absent.
func (e *team) list(c *apitest.Client, view string) map[string]any {
	for _, v := range c.OK("GET", e.views, "")["views"].([]any) {
		if v := v.(map[string]any); v["id"] == view {
			return v
		}
	}
	return nil
}

func TestEditorsCanSaveViews(t *testing.T) {
	t.Parallel()
	e := newTeam(t, `[{"name":"Name","type":"text"}]`)
	view := e.editor.ID("POST", e.views, `{"type":"grid","name":"Mine"}`)
	e.other.OK("PATCH", "/views/"+view, `{"config":{"filters":[{"fieldId":"Name","op":"eq","value":"a"}]}}`)
	if got := e.list(e.viewer, view); got["access"] != "collaborative" || got["createdBy"] != e.editor.UserID() {
		t.Errorf("it is listed as %v", got)
	}
	e.viewer.Refused(http.StatusForbidden, "PATCH", "/views/"+view, `{"name":"Other"}`, "insufficient_role")
	e.viewer.Refused(http.StatusForbidden, "POST", e.views, `{"type":"grid"}`, "insufficient_role")
	e.other.OK("DELETE", "/views/"+view, "")
}

func TestPersonalViewIsPrivate(t *testing.T) {
	t.Parallel()
	e := newTeam(t, `[{"name":"Name","type":"text"}]`)
	e.admin.OK("POST", e.records, `{"records":[{"fields":{"Name":"a"}},{"fields":{"Name":"b"}}]}`)
	view := e.editor.ID("POST", e.views, `{"type":"grid","name":"Mine","access":"personal"}`)
	e.editor.OK("PATCH", "/views/"+view, `{"config":{"filters":[{"fieldId":"Name","op":"eq","value":"a"}]}}`)
	for _, c := range []*apitest.Client{e.editor, e.admin} {
		if got := e.list(c, view); got["access"] != "personal" {
			t.Errorf("it is listed as %v", got)
		}
		if got := c.OK("GET", e.records+"?view="+view, ""); got["total"] != 1.0 {
			t.Errorf("it shows %v", got["total"])
		}
	}
	absent := "viw_00000000000000000000000000"
	for _, c := range []*apitest.Client{e.other, e.viewer} {
		if got := e.list(c, view); got != nil {
			t.Errorf("somebody else is told of %v", got)
		}
		if _, _, raw := c.Do("GET", e.table, ""); strings.Contains(raw, view) {
			t.Errorf("somebody else is told of it in the table: %s", raw)
		}
		for _, path := range []string{"/views/%s", e.records + "?view=%s", e.records + "/aggregate?view=%s"} {
			status, _, raw := c.Do("GET", fmt.Sprintf(path, view), "")
			want, _, wanted := c.Do("GET", fmt.Sprintf(path, absent), "")
			if status != want || neutral(raw, view) != neutral(wanted, absent) {
				t.Errorf("%s: %d %s, and of an absent one %d %s", path, status, raw, want, wanted)
			}
		}
	}
	for method, body := range map[string]string{"PATCH": `{"name":"Taken"}`, "DELETE": ""} {
		e.other.Refused(http.StatusNotFound, method, "/views/"+view, body)
	}
	e.editor.OK("PATCH", "/views/"+view, `{"access":"collaborative"}`)
	if got := e.list(e.viewer, view); got["access"] != "collaborative" {
		t.Errorf("it is listed as %v", got)
	}
	e.other.Refused(http.StatusForbidden, "PATCH", "/views/"+view, `{"access":"personal"}`, "insufficient_role")
	e.editor.OK("PATCH", "/views/"+view, `{"access":"personal"}`)
	e.admin.OK("DELETE", "/views/"+view, "")
}

// neutral removes a response's own ids.
func neutral(raw, view string) string {
	var answer map[string]any
	_ = json.Unmarshal([]byte(raw), &answer)
	delete(answer, "requestId")
	out, _ := json.Marshal(answer)
	return strings.ReplaceAll(string(out), view, "")
}

func TestLockedViewCanBeChangedOnlyByAdmins(t *testing.T) {
	t.Parallel()
	e := newTeam(t, `[{"name":"Name","type":"text"}]`)
	view := e.editor.ID("POST", e.views, `{"type":"grid","name":"Ours"}`)
	e.editor.Refused(http.StatusForbidden, "PATCH", "/views/"+view, `{"access":"locked"}`, "insufficient_role")
	e.editor.Refused(http.StatusForbidden, "POST", e.views, `{"type":"grid","access":"locked"}`, "insufficient_role")
	e.admin.OK("PATCH", "/views/"+view, `{"access":"locked"}`)
	e.editor.Refused(http.StatusForbidden, "PATCH", "/views/"+view, `{"name":"Other"}`, "view_locked")
	e.editor.Refused(http.StatusForbidden, "PATCH", "/views/"+view, `{"access":"collaborative"}`, "view_locked")
	e.editor.Refused(http.StatusForbidden, "DELETE", "/views/"+view, "", "view_locked")
	e.viewer.OK("GET", "/views/"+view, "")
	e.admin.OK("PATCH", "/views/"+view, `{"name":"Renamed"}`)
	e.admin.OK("DELETE", "/views/"+view, "")
	e.admin.Refused(http.StatusBadRequest, "POST", e.views, `{"type":"grid","access":"secret"}`, "access")
}

// Every member always has a view of a table.
func TestLastSharedViewCannotBeDeleted(t *testing.T) {
	t.Parallel()
	e := newTeam(t, `[{"name":"Name","type":"text"}]`)
	e.editor.ID("POST", e.views, `{"type":"grid","access":"personal"}`)
	first := e.admin.OK("GET", e.views, "")["views"].([]any)[0].(map[string]any)["id"].(string)
	e.admin.Refused(http.StatusConflict, "PATCH", "/views/"+first, `{"access":"personal"}`, "last_view")
	e.admin.Refused(http.StatusConflict, "DELETE", "/views/"+first, "", "last_view")
}

// Each change invalidates a condition of the view: the change is refused, and the view is among the
// losses. If the change is made all the same, the view shows nothing and says why.
func TestViewWithInvalidFilterShowsNoRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		field, filters, patch string // an empty patch deletes the field
	}{
		"text to number":   {`"type":"text"`, `[{"fieldId":"F","op":"eq","value":"1"}]`, `{"type":"number"`},
		"text to checkbox": {`"type":"text"`, `[{"fieldId":"F","op":"neq","value":"1"}]`, `{"type":"checkbox"`},
		"text to json":     {`"type":"text"`, `[{"fieldId":"F","op":"eq","value":"1"}]`, `{"type":"json"`},
		"text to select": {
			`"type":"text"`, `[{"fieldId":"F","op":"not_contains","value":"1"}]`, `{"type":"single_select"`,
		},
		"text to other options": {
			`"type":"text"`, `[{"fieldId":"F","op":"neq","value":"x"}]`, `{"type":"single_select"`,
		},
		"nested": {`"type":"text"`, `[{"or":[{"fieldId":"Name","op":"eq","value":"no"},` +
			`{"and":[{"fieldId":"F","op":"contains","value":"1"}]}]}]`, `{"type":"number"`},
		"select to multi": {
			`"type":"single_select","config":{"options":["1","2"]}`, `[{"fieldId":"F","op":"neq","value":"1"}]`,
			`{"type":"multi_select"`,
		},
		"number to text": {`"type":"number"`, `[{"fieldId":"F","op":"gt","value":1}]`, `{"type":"text"`},
		"an option removed": {
			`"type":"single_select","config":{"options":["1","2","3"]}`, `[{"fieldId":"F","op":"neq","value":"3"}]`,
			`{"config":{"options":["1","2"]}`,
		},
		"an option of many gone": {
			`"type":"multi_select","config":{"options":["1","2","3"]}`,
			`[{"fieldId":"F","op":"has_none","value":["3","1"]}]`, `{"config":{"options":["1","2"]}`,
		},
		"the field deleted": {`"type":"text"`, `[{"fieldId":"F","op":"eq","value":"1"}]`, ``},
		"the field deleted, too": {
			`"type":"text"`,
			`[{"or":[{"fieldId":"F","op":"eq","value":"1"},{"fieldId":"Name","op":"eq","value":"no"}]}]`, ``,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newTeam(t, `[{"name":"Name","type":"text"},{"name":"F",`+c.field+`}]`)
			for _, value := range []string{"1", "2"} {
				e.admin.OK("POST", e.records, `{"typecast":true,"fields":{"Name":"r","F":"`+value+`"}}`)
			}
			var field string
			for _, f := range e.admin.OK("GET", e.table+"/fields", "")["fields"].([]any) {
				if f := f.(map[string]any); f["name"] == "F" {
					field = f["id"].(string)
				}
			}
			view := e.admin.ID("POST", e.views, `{"type":"grid","name":"Filtered"}`)
			e.admin.OK("PATCH", "/views/"+view, `{"config":{"filters":`+c.filters+`}}`)
			if got := e.list(e.viewer, view); got["problems"] != nil {
				t.Fatalf("a view that fits has %v", got["problems"])
			}
			if c.patch == "" {
				losses := fmt.Sprint(e.admin.OK("DELETE", "/fields/"+field, "")["losses"])
				if !strings.Contains(losses, view) {
					t.Errorf("the deletion tells of %s", losses)
				}
			} else {
				e.admin.Refused(http.StatusConflict, "PATCH", "/fields/"+field, c.patch+"}", "values_would_be_lost",
					view, "Filtered")
				if got := e.list(e.viewer, view); got["problems"] != nil {
					t.Fatalf("a change that was refused left %v", got["problems"])
				}
				e.admin.OK("PATCH", "/fields/"+field, c.patch+`,"discard":true}`)
			}
			problems, _ := e.list(e.viewer, view)["problems"].([]any)
			if len(problems) != 1 ||
				!strings.HasPrefix(problems[0].(map[string]any)["path"].(string), "config.filters[0]") {
				t.Errorf("the view is marked with %v", problems)
			}
			for _, query := range []string{
				"", "&search=r", "&filters=" + url.QueryEscape(`[{"fieldId":"Name","op":"eq","value":"r"}]`),
			} {
				if got := e.viewer.OK("GET", e.records+"?view="+view+query, ""); got["total"] != 0.0 ||
					len(got["records"].([]any)) != 0 || !strings.HasPrefix(
					fmt.Sprint(got["problems"]), "[map[message:no longer fits the table") {
					t.Errorf("it shows %v with %q", got, query)
				}
			}
			if _, _, raw := e.viewer.Do(
				"GET", e.records+"/aggregate?view="+view, "",
			); !strings.Contains(raw, `"count":0`) {
				t.Errorf("it counts %s", raw)
			}
			e.editor.OK("PATCH", "/views/"+view, `{"config":{"filters":[]}}`) // repaired
			if got := e.viewer.OK("GET", e.records+"?view="+view, ""); got["total"] != 2.0 ||
				e.list(e.viewer, view)["problems"] != nil {
				t.Errorf("repaired, it shows %v", got["total"])
			}
		})
	}
}

// A change that preserves the meaning of a condition keeps the condition.
func TestValidConditionSurvivesTypeChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ field, filters, patch string }{
		"text to a select of its values": {
			`"type":"text"`, `[{"fieldId":"F","op":"neq","value":"1"}]`, `{"type":"single_select"}`,
		},
		"select to text": {
			`"type":"single_select","config":{"options":["1","2"]}`, `[{"fieldId":"F","op":"neq","value":"1"}]`,
			`{"type":"text"}`,
		},
		"an option renamed": {
			`"type":"single_select","config":{"options":["1","2"]}`,
			`[{"or":[{"fieldId":"F","op":"in","value":["2"]}]}]`,
			`{"config":{"options":["1",{"name":"two","previousName":"2"}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newTeam(t, `[{"name":"Name","type":"text"},{"name":"F",`+c.field+`}]`)
			for _, value := range []string{"1", "2"} {
				e.admin.OK("POST", e.records, `{"typecast":true,"fields":{"Name":"r`+value+`","F":"`+value+`"}}`)
			}
			field := e.admin.OK("GET", e.table+"/fields", "")["fields"].([]any)[1].(map[string]any)["id"].(string)
			view := e.admin.ID("POST", e.views, `{"type":"grid"}`)
			e.admin.OK("PATCH", "/views/"+view, `{"config":{"filters":`+c.filters+`}}`)
			e.admin.OK("PATCH", "/fields/"+field, c.patch)
			got := e.viewer.OK("GET", e.records+"?fields=Name&view="+view, "")
			if raw, _ := json.Marshal(got["records"]); got["total"] != 1.0 || !strings.Contains(string(raw), "r2") ||
				e.list(e.viewer, view)["problems"] != nil {
				t.Errorf("it shows %s, with %v", raw, e.list(e.viewer, view))
			}
		})
	}
}

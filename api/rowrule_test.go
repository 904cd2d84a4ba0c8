package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A ruled is a base in which an editor reads only the tasks that they own, with projects that everybody reads.
type ruled struct {
	owner, editor   *apitest.Client
	base            string
	tasks, projects string
	own, other      string // tasks: of the editor, and of the owner
	project         string // to which both tasks are linked
}

func newRuled(t *testing.T, s *apitest.Server) *ruled {
	t.Helper()
	owner := s.Owner(t)
	session := *owner.Principal
	session.Kind = authz.Session // which makes links
	r := &ruled{owner: s.As(t, &session)}
	r.editor = joined(t, s, r.owner, organization.Editor)
	r.base = r.owner.ID("POST", "/bases", `{"name":"Work"}`)
	r.tasks = r.owner.ID("POST", "/bases/"+r.base+"/tables", `{"name":"Tasks","fields":[{"name":"Name","type":"text"},
		{"name":"Owner","type":"user"},{"name":"Hours","type":"number"},{"name":"State","type":"single_select",
		"config":{"options":[{"name":"Open"},{"name":"Paid"}]}}]}`)
	r.projects = r.owner.ID("POST", "/bases/"+r.base+"/tables", `{"name":"Projects","fields":[
		{"name":"Name","type":"text"}]}`)
	r.owner.OK("POST", "/tables/"+r.projects+"/fields", `{"name":"Tasks","type":"link","config":{"linkedTableId":"`+
		r.tasks+`"}}`)
	r.owner.OK("POST", "/tables/"+r.projects+"/fields", `{"name":"Sum","type":"rollup","config":{"linkFieldId":"Tasks",
		"fieldId":"Hours","function":"SUM"}}`)
	r.owner.OK("POST", "/tables/"+r.projects+"/fields", `{"name":"Names","type":"lookup","config":{
		"linkFieldId":"Tasks","fieldId":"Name"}}`)
	r.own = r.task(r.owner, "Mine", userOf(r.editor), 3)
	r.other = r.task(r.owner, "Secret", userOf(r.owner), 73217321)
	r.project = idOf(r.owner.OK("POST", "/tables/"+r.projects+"/records", `{"fields":{"Name":"House","Tasks":["`+
		r.own+`","`+r.other+`"]}}`))
	r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", `{"rules":[{"role":"viewer","edit":true,"filter":[
		{"fieldId":"Owner","op":"has_any","value":{"me":true}}],"memo":"Ask Ada."}]}`)
	return r
}

func (r *ruled) task(c *apitest.Client, name, owner string, hours int) string {
	return idOf(c.OK("POST", "/tables/"+r.tasks+"/records", fmt.Sprintf(
		`{"fields":{"Name":"%s","Owner":"%s","Hours":%d,"State":"Open"}}`, name, owner, hours)))
}

func idOf(created map[string]any) string {
	return created["records"].([]any)[0].(map[string]any)["id"].(string)
}

// TestRowRule asks every question about records for a hidden one.
func TestRowRule(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	for _, change := range []struct{ record, fields string }{ // the links are those of before
		{r.project, `"Tasks":["` + r.own + `"]`},
		{r.project, `"Tasks":["` + r.own + `","` + r.other + `"]`},
		{r.other, `"Projects":[]`},
		{r.other, `"Projects":["` + r.project + `"]`},
	} {
		r.owner.OK("PATCH", "/records/"+change.record, `{"fields":{`+change.fields+`}}`)
	}
	entries := r.owner.OK("GET", "/records/"+r.project+"/history?detail=full", "")["entries"].([]any)
	before := "asOf=" + entries[1].(map[string]any)["changeSet"].(string)
	past := r.editor.OK("GET", "/tables/"+r.projects+"/records?"+before, "")["records"].([]any)
	if text := fmt.Sprint(past); len(past) != 1 || !strings.Contains(text, "Tasks:["+r.own+"]") {
		t.Errorf("the project as it was is %s", text)
	}
	if mine := r.editor.OK("GET", "/tables/"+r.tasks+"/records?"+before, ""); mine["total"] != 1.0 {
		t.Errorf("of the tasks as they were, the editor reads %v", mine)
	}
	for _, path := range []string{
		"/tables/" + r.tasks + "/records?" + before, "/records/" + r.other + "?" + before,
		"/tables/" + r.tasks + "/records?search=Secret&" + before, "/records/" + r.project + "?" + before,
		"/tables/" + r.projects + "/records?search=Secret&" + before,
		"/records/" + r.project + "/history?detail=full&state=true", "/records/" + r.other + "/history",
		"/tables/" + r.tasks + "/records", "/tables/" + r.tasks + "/records?sorts=" +
			url.QueryEscape(`[{"fieldId":"Hours","direction":"desc"}]`), "/tables/" + r.projects + "/records",
		"/records/" + r.project, "/tables/" + r.tasks + "/records/search?q=Secret",
		"/bases/" + r.base + "/search?q=Secret",
		"/tables/" + r.projects + "/records/search?q=Secret", "/records/" + r.other,
		"/tables/" + r.tasks + "/records?search=e", "/bases/" + r.base + "/changes?cursor=earliest",
		"/records/" + r.other + "/comments", "/tables/" + r.tasks + "/records?filters=" +
			url.QueryEscape(`[{"fieldId":"Hours","op":"gt","value":7000}]`),
		"/tables/" + r.projects + "/records?filters=" +
			url.QueryEscape(`[{"fieldId":"Tasks.Hours","op":"gt","value":7000}]`),
		"/tables/" + r.projects + "/records?filters=" +
			url.QueryEscape(`[{"fieldId":"Tasks","op":"has_any","value":["`+r.other+`"]}]`),
		"/bases/" + r.base + "/trash",
	} {
		status, _, answer := r.editor.Do("GET", path, "")
		if status >= 500 {
			t.Errorf("GET %s: %d %s", path, status, answer)
		}
		for _, secret := range []string{"Secret", "73217321", "73217324", r.other, `"total":2`} {
			if strings.Contains(answer, secret) && !strings.Contains(path, secret) {
				t.Errorf("GET %s shows %s: %s", path, secret, answer)
			}
		}
	}
	page := r.editor.OK("GET", "/tables/"+r.projects+"/records", "")
	fields := page["records"].([]any)[0].(map[string]any)["fields"].(map[string]any)
	if fmt.Sprint(fields["Sum"], fields["Names"], fields["Tasks"]) != fmt.Sprintf("3 [Mine] [%s]", r.own) {
		t.Errorf("the project of two tasks, one of them hidden, is %v", fields)
	}
	if got := r.editor.OK("GET", "/tables/"+r.tasks+"/records", ""); got["total"] != 1.0 {
		t.Errorf("total %v", got["total"])
	}
	sum := r.editor.OK("GET", "/tables/"+r.tasks+"/records/aggregate?aggregates="+
		url.QueryEscape(`[{"function":"sum","fieldId":"Hours"}]`), "")
	if text := fmt.Sprint(sum); !strings.Contains(text, "3") || strings.Contains(text, "732173") {
		t.Errorf("the sum is %v", sum)
	}
	if got := r.owner.OK("GET", "/tables/"+r.tasks+"/records", ""); got["total"] != 2.0 {
		t.Errorf("the owner reads %v", got["total"])
	}
	for record, want := range map[string]string{r.own: "edit:true read:true", r.other: "edit:false read:false"} {
		got := r.owner.OK("POST", "/bases/"+r.base+"/access/explain", `{"userId":"`+userOf(r.editor)+`","tableId":"`+
			r.tasks+`","recordId":"`+record+`"}`)
		text := fmt.Sprint(got)
		if !strings.Contains(text, want) || !strings.Contains(text, "row rules that name them: 1") {
			t.Errorf("the explanation of %s is %s", record, text)
		}
	}
}

// TestRowRuleOfWrites writes what a rule permits, and what it does not.
func TestRowRuleOfWrites(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	r.editor.OK("PATCH", "/records/"+r.own, `{"fields":{"Hours":4}}`)
	mine := r.task(r.editor, "New", userOf(r.editor), 1)
	r.editor.OK("PATCH", "/tables/"+r.tasks+"/records", `{"records":[{"id":"`+r.own+`","fields":{"Hours":5}},
		{"id":"`+mine+`","fields":{"Name":"Newer"}}]}`)
	refused := func(status int, method, path, body string) {
		t.Helper()
		got, _, answer := r.editor.Do(method, path, body)
		if got != status || status == http.StatusForbidden && !strings.Contains(answer, "Ask Ada") {
			t.Errorf("%s %s: %d %s", method, path, got, answer)
		}
	}
	refused(http.StatusNotFound, "PATCH", "/records/"+r.other, `{"fields":{"Hours":4}}`)
	refused(http.StatusNotFound, "PATCH", "/records/"+r.other, `{"fields":{"Owner":"`+userOf(r.editor)+`"}}`)
	refused(http.StatusNotFound, "DELETE", "/records/"+r.other, "")
	refused(http.StatusForbidden, "DELETE", "/records/"+r.own, "")
	refused(http.StatusForbidden, "PATCH", "/records/"+r.own, `{"fields":{"Owner":"`+userOf(r.owner)+`"}}`)
	made := idOf(r.editor.OK("POST", "/tables/"+r.tasks+"/records", `{"fields":{"Name":"Given"}}`))
	if got := r.editor.OK("GET", "/records/"+made, ""); !strings.Contains(fmt.Sprint(got), userOf(r.editor)) {
		t.Errorf("a new record does not have what the rule asks for: %v", got)
	}
	refused(http.StatusForbidden, "POST", "/tables/"+r.tasks+"/records", `{"fields":{"Owner":null}}`)
	r.editor.OK("POST", "/tables/"+r.tasks+"/records", `{"upsertOn":["Name"],"records":[
		{"fields":{"Name":"Secret","Hours":1}}]}`)
	refused(http.StatusBadRequest, "PATCH", "/records/"+r.project, `{"fields":{"Tasks":[]}}`)
	changed := r.editor.OK("PATCH", "/tables/"+r.tasks+"/records/where", `{"fields":{"State":"Paid"},
		"filters":[{"fieldId":"State","op":"eq","value":"Open"}]}`)
	if changed["count"] != 2.0 {
		t.Errorf("an update of all that the editor sees is of %v", changed)
	}
	if got := r.owner.OK("GET", "/records/"+r.other, ""); !strings.Contains(fmt.Sprint(got), "State:Open") {
		t.Errorf("the hidden record is %v", got)
	}
	// Paid tasks are frozen.
	r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", `{"rules":[
		{"role":"viewer","filter":[{"fieldId":"Name","op":"is_not_empty"}]},
		{"role":"editor","edit":true,"delete":true,"filter":[{"fieldId":"State","op":"neq","value":"Paid"}],
		"memo":"Ask Ada: it is paid."}]}`)
	refused(http.StatusForbidden, "PATCH", "/records/"+mine, `{"fields":{"Hours":9}}`)
	refused(http.StatusForbidden, "DELETE", "/records/"+mine, "")
	r.editor.OK("PATCH", "/records/"+r.other, `{"fields":{"Hours":9}}`)
	r.editor.OK("DELETE", "/records/"+r.other, "")
}

// TestViewAs looks at a base as somebody who reads only some records of it.
func TestViewAs(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	as := func(c *apitest.Client, method, path, body string) (int, string) {
		status, _, raw := c.DoWith(map[string]string{"View-As": userOf(r.editor)}, method, path, body)
		return status, raw
	}
	for _, path := range []string{"/tables/" + r.tasks + "/records", "/bases/" + r.base + "?detail=names"} {
		status, seen := as(r.owner, "GET", path, "")
		_, _, own := r.editor.Do("GET", path, "")
		if status != http.StatusOK || seen != own {
			t.Errorf("GET %s as the editor: %d %s\nand of the editor %s", path, status, seen, own)
		}
	}
	for _, one := range []struct {
		client       *apitest.Client
		method, path string
		status       int
	}{
		{r.owner, "GET", "/records/" + r.other, http.StatusNotFound},
		{r.owner, "PATCH", "/records/" + r.own, http.StatusForbidden},
		{r.editor, "GET", "/tables/" + r.tasks + "/records", http.StatusForbidden},
	} {
		if status, raw := as(one.client, one.method, one.path, `{"fields":{}}`); status != one.status {
			t.Errorf("%s %s as the editor: %d %s", one.method, one.path, status, raw)
		}
	}
	if status, _, raw := r.owner.DoWith(map[string]string{"View-As": "usr_00000000000000000000000001"}, "GET",
		"/bases/"+r.base, ""); status != http.StatusBadRequest {
		t.Errorf("as a stranger: %d %s", status, raw)
	}
	events := r.owner.OK("GET", "/orgs/"+r.owner.Org()+"/audit?action=view_as", "")
	if got := events["events"].([]any); len(got) != 1 || !strings.Contains(fmt.Sprint(got), userOf(r.editor)) {
		t.Errorf("the audit log has %v", events)
	}
}

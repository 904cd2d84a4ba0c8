package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// setOf returns the change set of an answer.
func setOf(answer map[string]any) string { return answer["changeSet"].(string) }

// revert reverts change sets, and returns the plan.
func (r *ruled) revert(c *apitest.Client, sets ...string) map[string]any {
	return c.OK("POST", "/bases/"+r.base+"/changes/revert", `{"changeSets":["`+strings.Join(sets, `","`)+`"]}`)
}

func (r *ruled) notReverted(status int, set string, words ...string) {
	r.editor.Refused(status, "POST", "/bases/"+r.base+"/changes/revert", `{"changeSets":["`+set+`"]}`, words...)
}

func (r *ruled) permit(body string) { r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", body) }

const ownTasks = `{"rules":[{"role":"viewer","edit":true,"delete":true,"memo":"Ask Ada.","filter":[
	{"fieldId":"Owner","op":"has_any","value":{"me":true}}]}]}`

// limitedBase is a base of which the editor reads their own tasks, without the field Hours.
func limitedBase(t *testing.T, s *apitest.Server) *ruled {
	t.Helper()
	r := newRuled(t, s)
	r.permit(ownTasks)
	r.permit(`{"fields":[{"fieldId":"` + fieldOf(r.owner, r.tasks, "Hours") + `","read":{"role":"creator"}}]}`)
	return r
}

// The history of a base has what somebody may read who does not see everything, and counts nothing else.
func TestHistoryOfABaseForThoseFromWhomSomethingIsHidden(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := limitedBase(t, s)
	hidden := setOf(r.owner.OK("PATCH", "/records/"+r.own, `{"fields":{"Hours":4}}`))
	r.owner.OK("PATCH", "/records/"+r.other, `{"fields":{"Name":"Secret too"}}`)
	both := setOf(r.owner.OK("PATCH", "/tables/"+r.tasks+"/records", `{"records":[
		{"id":"`+r.own+`","fields":{"Name":"Ours","Hours":5}},{"id":"`+r.other+`","fields":{"Name":"Theirs"}}]}`))
	secret := r.owner.ID("POST", "/bases/"+r.base+"/tables", `{"name":"Vault","fields":[
		{"name":"Name","type":"text"}]}`)
	r.owner.OK("PATCH", "/tables/"+secret+"/permissions", `{"read":{"role":"creator"}}`)
	r.owner.OK("POST", "/tables/"+secret+"/records", `{"fields":{"Name":"Secret"}}`)
	gone := r.task(r.owner, "Gone", userOf(r.editor), 1)
	r.owner.OK("DELETE", "/records/"+gone, "")
	mine := setOf(r.editor.OK("PATCH", "/records/"+r.own, `{"fields":{"Name":"Mine again"}}`))

	_, _, raw := r.editor.Do("GET", "/bases/"+r.base+"/change-sets?detail=full", "")
	for _, word := range []string{hidden, secret, "Vault", "Hours", "permission", `"deleted":1`} {
		if strings.Contains(raw, word) {
			t.Errorf("the history says %s: %s", word, raw)
		}
	}
	counts := map[string]string{}
	ofTasks := r.editor.OK("GET", "/bases/"+r.base+"/change-sets?detail=full&table="+r.tasks, "")
	for _, one := range ofTasks["changeSets"].([]any) {
		set := one.(map[string]any)
		for _, t := range set["tables"].([]any) {
			c := t.(map[string]any)
			counts[set["id"].(string)] += fmt.Sprint(c["name"], " ", c["created"], c["updated"], c["linked"])
		}
	}
	// And the creations of the own task and of the project, which is linked with it.
	if counts[both] != "Tasks 0 1 0" || counts[mine] != "Tasks 0 1 0" || len(counts) != 4 {
		t.Errorf("the history counts %v", counts)
	}
	// Pages are of what is seen.
	first := r.editor.OK("GET", "/bases/"+r.base+"/change-sets?detail=full&limit=1", "")
	cursor, _ := first["nextCursor"].(string)
	second := r.editor.OK("GET", "/bases/"+r.base+"/change-sets?detail=full&limit=1&cursor="+cursor, "")
	for i, page := range []map[string]any{first, second} {
		want := []string{mine, both}[i]
		if sets := page["changeSets"].([]any); len(sets) != 1 || sets[0].(map[string]any)["id"] != want {
			t.Errorf("page %d has %v, and not %s", i, sets, want)
		}
	}
	r.editor.Refused(http.StatusBadRequest, "GET", "/bases/"+r.base+"/change-sets?table="+secret, "", "no table")
}

// Whom permissions limit takes back what they did and see, and nothing else.
func TestRevertOfThoseFromWhomSomethingIsHidden(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := limitedBase(t, s)
	value := func(record, field string) string {
		t.Helper()
		return fmt.Sprint(r.owner.OK("GET", "/records/"+record, "")["fields"].(map[string]any)[field])
	}

	// An update, which can be taken back again, and others have changed what is hidden meanwhile.
	set := setOf(r.editor.OK("PATCH", "/records/"+r.own, `{"fields":{"Name":"Changed"}}`))
	r.owner.OK("PATCH", "/records/"+r.own, `{"fields":{"Hours":7}}`)
	plan := r.revert(r.editor, set)
	if plan["records"] != 1.0 || value(r.own, "Name") != "Mine" || value(r.own, "Hours") != "7" {
		t.Errorf("the revert says %v, and the task is %s, %s", plan, value(r.own, "Name"), value(r.own, "Hours"))
	}
	sets := r.editor.OK("GET", "/bases/"+r.base+"/change-sets?detail=full&limit=1", "")["changeSets"].([]any)
	again := sets[0].(map[string]any)["id"].(string)
	if r.revert(r.editor, again); value(r.own, "Name") != "Changed" {
		t.Errorf("after the redo the task is %s", value(r.own, "Name"))
	}

	// A deletion: the record comes back with what the editor does not see, and its links to what they do not see.
	r.owner.OK("PATCH", "/records/"+r.own, `{"fields":{"Projects":["`+r.project+`"]}}`)
	gone := setOf(r.editor.OK("DELETE", "/records/"+r.own, ""))
	plan = r.revert(r.editor, gone)
	if plan["records"] != 1.0 || value(r.own, "Hours") != "7" || value(r.own, "Projects") != "["+r.project+"]" {
		t.Errorf("the revert says %v, and the task has %s, %s", plan, value(r.own, "Hours"), value(r.own, "Projects"))
	}

	// A creation.
	made := r.editor.OK("POST", "/tables/"+r.tasks+"/records", `{"fields":{"Name":"New"}}`)
	r.owner.OK("PATCH", "/records/"+idOf(made), `{"fields":{"Hours":7}}`) // is hidden, so it is no conflict
	r.revert(r.editor, setOf(made))
	r.owner.Refused(http.StatusNotFound, "GET", "/records/"+idOf(made), "", "record")

	// What others did is nothing that the editor could take back, seen or not.
	for _, record := range []string{r.own, r.other} {
		theirs := setOf(r.owner.OK("PATCH", "/records/"+record, `{"fields":{"Name":"Of the owner"}}`))
		r.notReverted(http.StatusNotFound, theirs, "change set")
	}

	// A record that the editor does not read now is no part of the change set, and that it is there is not said.
	lost := r.task(r.owner, "Lost", userOf(r.editor), 1)
	set = setOf(r.editor.OK("PATCH", "/tables/"+r.tasks+"/records", `{"records":[
		{"id":"`+r.own+`","fields":{"Name":"First"}},{"id":"`+lost+`","fields":{"Name":"Second"}}]}`))
	r.owner.OK("PATCH", "/records/"+lost, `{"fields":{"Owner":"`+userOf(r.owner)+`"}}`)
	if plan = r.revert(r.editor, set); plan["records"] != 1.0 || value(r.own, "Name") != "Of the owner" ||
		value(lost, "Name") != "Second" {
		t.Errorf("the revert says %v, and the tasks are %s, %s", plan, value(r.own, "Name"), value(lost, "Name"))
	}
	set = setOf(r.editor.OK("PATCH", "/records/"+r.own, `{"fields":{"Name":"Third","State":"Paid"}}`))
	r.permit(`{"fields":[{"fieldId":"` + fieldOf(r.owner, r.tasks, "State") + `","read":{"role":"creator"}}]}`)
	r.revert(r.editor, set)
	if value(r.own, "Name") != "Of the owner" || value(r.own, "State") != "Paid" {
		t.Errorf("of a field that is hidden now the task has %s, %s", value(r.own, "Name"), value(r.own, "State"))
	}

	// What the editor may not write refuses all of it.
	set = setOf(r.editor.OK("PATCH", "/records/"+r.own, `{"fields":{"Name":"Fourth"}}`))
	name := `{"fields":[{"fieldId":"` + fieldOf(r.owner, r.tasks, "Name") + `","edit":{"role":"creator"}}]}`
	r.permit(name)
	r.notReverted(http.StatusForbidden, set, "Name", "not write it")
	r.permit(strings.Replace(name, `"edit":{"role":"creator"}`, `"reset":["edit"]`, 1))
	r.permit(`{"edit":{"role":"creator"}}`)
	r.notReverted(http.StatusForbidden, set, "do not let you change")
	r.permit(`{"reset":["edit"]}`)
	r.permit(strings.ReplaceAll(ownTasks, `"edit":true,"delete":true,`, ""))
	r.notReverted(http.StatusForbidden, set, "row_rule", "Ask Ada")
	r.permit(ownTasks)
	if r.revert(r.editor, set); value(r.own, "Name") != "Of the owner" {
		t.Errorf("the task is %s", value(r.own, "Name"))
	}
	// What it would become is asked as well: the record would have another owner.
	given := r.editor.OK("POST", "/tables/"+r.tasks+"/records", `{"fields":{"Name":"Given"}}`)
	r.permit(`{"rules":[]}`)
	other := setOf(r.editor.OK("PATCH", "/records/"+idOf(given), `{"fields":{"Owner":"`+userOf(r.owner)+`"}}`))
	back := setOf(r.editor.OK("PATCH", "/records/"+idOf(given), `{"fields":{"Owner":"`+userOf(r.editor)+`"}}`))
	r.permit(ownTasks)
	r.notReverted(http.StatusForbidden, back, "row_rule", "Ask Ada")
	_ = other
	if got := value(idOf(given), "Owner"); !strings.Contains(got, userOf(r.editor)) {
		t.Errorf("the record was given to %s", got)
	}
}

// A viewer whom a table lets write takes back what they wrote there.
func TestRevertOfThoseWhomATableLetsWrite(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	viewer := joined(t, s, r.owner, organization.Viewer)
	r.owner.OK("PATCH", "/tables/"+r.projects+"/permissions", `{"edit":{"role":"viewer"}}`)
	set := setOf(viewer.OK("PATCH", "/records/"+r.project, `{"fields":{"Name":"Hut"}}`))
	viewer.OK("POST", "/bases/"+r.base+"/changes/revert", `{"changeSets":["`+set+`"]}`)
	if name := r.owner.OK("GET", "/records/"+r.project, "")["fields"].(map[string]any)["Name"]; name != "House" {
		t.Errorf("the project is %v", name)
	}
}

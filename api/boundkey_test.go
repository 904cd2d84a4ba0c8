package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
)

// bound returns a client with the rights of another one, whose credential is bound to a view.
func bound(t *testing.T, s *apitest.Server, of *apitest.Client, base, view string) *apitest.Client {
	t.Helper()
	p := *of.Principal
	baseID, err := id.Parse(id.Base, base)
	if err != nil {
		t.Fatal(err)
	}
	viewID, err := id.Parse(id.View, view)
	if err != nil {
		t.Fatal(err)
	}
	p.Kind, p.Bases, p.OneOrg = authz.APIKey, []uuid.UUID{baseID}, true
	p.BindTo(viewID)
	return s.As(t, &p)
}

// A key that is bound to a view has the view's fields and records, whatever its person may do.
func TestBoundKeyHasOnlyItsView(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	view := r.owner.ID("POST", "/tables/"+r.tasks+"/views", `{"type":"grid","name":"Open tasks","config":{
		"filters":[{"fieldId":"State","op":"eq","value":"Open"}],"hiddenFields":["Hours","State"]}}`)
	paid := idOf(r.owner.OK("POST", "/tables/"+r.tasks+"/records", `{"fields":{"Name":"Hidden","State":"Paid"}}`))
	key := bound(t, s, r.owner, r.base, view)

	base := key.OK("GET", "/bases/"+r.base, "")
	if tables := base["tables"].([]any); len(tables) != 1 || len(tables[0].(map[string]any)["views"].([]any)) != 1 {
		t.Errorf("the key sees %v", base)
	}
	listed := key.OK("GET", "/tables/"+r.tasks+"/records", "")
	if n := len(listed["records"].([]any)); n != 2 || listed["total"] != float64(2) {
		t.Errorf("the key lists %v", listed)
	}
	for _, one := range listed["records"].([]any) {
		fields := one.(map[string]any)["fields"].(map[string]any)
		if _, has := fields["Hours"]; has || fields["Name"] == nil {
			t.Errorf("the key reads %v", fields)
		}
	}
	key.Refused(http.StatusNotFound, "GET", "/records/"+paid, "", "record")
	key.Refused(http.StatusNotFound, "GET", "/tables/"+r.projects, "", "table")
	if !s.Deps.DB.Distributed() { // SQL is off on Citus
		counted := key.OK("POST", "/bases/"+r.base+"/sql", `{"sql":"select count(*) from tasks"}`)["rows"]
		if fmt.Sprint(counted) != "[[2]]" {
			t.Errorf("by SQL the key reads %v tasks", counted)
		}
	}
	key.Refused(http.StatusForbidden, "GET", "/bases/"+r.base+"/share", "", "partial_access")
	key.Refused(http.StatusForbidden, "POST", "/tables/"+r.tasks+"/fields", `{"name":"X","type":"text"}`, "role")
	key.Refused(http.StatusForbidden, "PATCH", "/bases/"+r.base+"/access", `{"restricted":true}`, "role")

	// It writes within the view: a new record gets what the filter asks for.
	made := idOf(key.OK("POST", "/tables/"+r.tasks+"/records", `{"fields":{"Name":"New"}}`))
	state := r.owner.OK("GET", "/records/"+made, "")["fields"].(map[string]any)["State"]
	if state != "Open" {
		t.Errorf("a record that the key made is %v", state)
	}
	key.OK("PATCH", "/records/"+made, `{"fields":{"Name":"Newer"}}`)
	key.Refused(http.StatusNotFound, "PATCH", "/records/"+paid, `{"fields":{"Name":"x"}}`, "record")
	if status, _, raw := key.Do("PATCH", "/records/"+made, `{"fields":{"State":"Paid"}}`); status == http.StatusOK {
		t.Errorf("the key wrote a field that its view hides: %s", raw)
	}

	// What the view becomes, the key is, and without the view it is nothing.
	r.owner.OK("PATCH", "/views/"+view, `{"config":{"filters":[{"fieldId":"State","op":"eq","value":"Paid"}]}}`)
	key.OK("GET", "/records/"+paid, "")
	key.Refused(http.StatusNotFound, "GET", "/records/"+made, "", "record")
	r.owner.OK("DELETE", "/views/"+view, "")
	key.Refused(http.StatusNotFound, "GET", "/tables/"+r.tasks+"/records", "", "table")
	if bases := key.OK("GET", "/bases", "")["bases"].([]any); len(bases) != 0 {
		t.Errorf("without its view the key sees %v", bases)
	}
}

// The person's own rules hold as well.
func TestBoundKeyHasNoMoreThanItsPerson(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	view := r.owner.ID("POST", "/tables/"+r.tasks+"/views", `{"type":"grid","config":{
		"filters":[{"fieldId":"State","op":"eq","value":"Open"}]}}`)
	key := bound(t, s, r.editor, r.base, view)
	if listed := key.OK("GET", "/tables/"+r.tasks+"/records", ""); listed["total"] != float64(1) {
		t.Errorf("the key of somebody who reads one record lists %v", listed)
	}
	key.Refused(http.StatusNotFound, "GET", "/records/"+r.other, "", "record")
	r.owner.OK("PATCH", "/records/"+r.own, `{"fields":{"State":"Paid"}}`)
	if listed := key.OK("GET", "/tables/"+r.tasks+"/records", ""); listed["total"] != float64(0) {
		t.Errorf("the key lists %v beyond its view", listed)
	}

	// A view without a filter leaves what the person reads.
	r.owner.OK("PATCH", "/views/"+view, `{"config":{"filters":[]}}`)
	if listed := key.OK("GET", "/tables/"+r.tasks+"/records", ""); listed["total"] != float64(1) {
		t.Errorf("without a filter the key lists %v", listed)
	}
	all := bound(t, s, r.owner, r.base, view).OK("GET", "/tables/"+r.tasks+"/records", "")
	if all["total"] != float64(2) {
		t.Errorf("without a filter the owner's key lists %v", all)
	}

	// Which records a hidden field lets through is hidden as well.
	r.owner.OK("PATCH", "/views/"+view, `{"config":{"filters":[{"fieldId":"State","op":"eq","value":"Paid"}]}}`)
	state := ""
	for _, f := range r.owner.OK("GET", "/tables/"+r.tasks+"/fields", "")["fields"].([]any) {
		if one := f.(map[string]any); one["name"] == "State" {
			state = one["id"].(string)
		}
	}
	r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", `{"fields":[{"fieldId":"`+state+
		`","read":{"role":"creator"}}]}`)
	key.Refused(http.StatusNotFound, "GET", "/tables/"+r.tasks+"/records", "", "table")
}

// No operation gives a bound key anything of what its view does not show.
func TestBoundKeyGetsNothingElse(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, ours := newWorld(t, s)
	ours.addFile(owner)
	owner.OK("POST", "/tables/"+ours["tableId"]+"/fields", `{"name":"Hidden field","type":"text"}`)
	owner.OK("POST", "/tables/"+ours["tableId"]+"/records", `{"fields":{"Name":"Hidden record"}}`)
	table := owner.ID("POST", "/bases/"+ours["baseId"]+"/tables", `{"name":"Hidden table"}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Hidden too"}}`)
	owner.OK("PATCH", "/records/"+ours["recordId"], `{"fields":{"Hidden field":"Hidden value"}}`)
	owner.ID("POST", "/tables/"+ours["tableId"]+"/views", `{"type":"grid","name":"Hidden view"}`)
	share := owner.OK("PUT", "/bases/"+ours["baseId"]+"/share", `{}`)["publicShareId"].(string)
	owner.OK("PATCH", "/views/"+ours["viewId"], `{"config":{"hiddenFields":["Hidden field"],"filters":[
		{"fieldId":"Name","op":"neq","value":"Hidden record"}]}}`)
	key := bound(t, s, owner, ours["baseId"], ours["viewId"])
	for _, op := range operation.Catalogue() {
		method, path, body := ours.request(t, op)
		status, _, raw := key.Do(method, path, body)
		for _, secret := range []string{"Hidden", table, share, "guest@example.com", "Former"} {
			if strings.Contains(raw, secret) && !strings.Contains(path+body, secret) {
				t.Errorf("%s tells %q: %d %s", op.Name, secret, status, raw)
			}
		}
		if status < http.StatusBadRequest && op.Scope == authz.SchemaWrite && op.RequiredBase() != "editor" {
			t.Errorf("%s changes the schema: %d %s", op.Name, status, raw)
		}
		if status >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", op.Name, status, raw)
		}
	}
}

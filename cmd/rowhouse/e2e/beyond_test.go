package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// testBeyond calls what the interface has in addition to the rows of the specification.
func testBeyond(t *testing.T, w *world) {
	c := w.caller.in(t)
	org := "/orgs/" + w.owner.org
	f := w.newFleet(t)
	for _, call := range []struct{ method, path, body string }{
		{"GET", "/orgs", ""},
		{"GET", "/field-types", ""},
		{"GET", org, ""},
		{"PATCH", org, `{"name":"House"}`},
		{"GET", org + "/members", ""},
		{"GET", org + "/audit", ""},
		{"GET", "/tables/" + f.table, ""},
		{"GET", f.path("indexes"), ""},
		{"GET", "/fields/" + f.fields["Tons"], ""},
	} {
		c.ok(call.method, call.path, call.body)
	}
	sum := c.ok("GET",
		f.path("records/aggregate")+query("aggregates", `[{"fn":"sum","fieldId":"Tons"},{"fn":"count"}]`), "")
	if sum.get("groups.0.results") == nil {
		t.Error(sum.raw)
	}
	w.owner.session.in(t).ok("POST", f.path("fields"),
		fmt.Sprintf(`{"name":"Follows","type":"link","config":{"linkedTableId":%q}}`, f.table))
	f.ok("PATCH", "/records/"+f.records["Aase"], fmt.Sprintf(`{"fields":{"Follows":[%q]}}`, f.records["Solveig"]))
	plan := c.ok("GET",
		f.path("records/critical-path?startFieldId=Launched&dependsOnFieldId=Follows&maxSlack=10000"), "")
	if plan.get("records") == nil || plan.get("tasks") == nil {
		t.Error(plan.raw)
	}
	path, sql := "/bases/"+f.base+"/sql",
		`{"sql":"select kind, sum(tons) from ships group by 1 order by 2 desc nulls last"}`
	if tenancytest.DB(t).Distributed() {
		c.refused(http.StatusServiceUnavailable, "POST", path, sql, "sql_not_set_up")
	} else if answer := c.ok("POST", path, sql); answer.get("columns.0.name") == nil || answer.get("rows.0.1") == nil {
		t.Error(answer.raw)
	}
	testComputed(t, f)
	c.ok("GET", "/uploads", "")
	drawing := c.send("POST", f.path("uploads")+"?name=plan.html",
		[]byte("<!doctype html><script>alert(1)</script>"), "text/html")
	f.ok("POST", f.path("fields"), `{"name":"Plans","type":"attachment"}`)
	row := f.ok("PATCH", "/records/"+f.records["Aase"], fmt.Sprintf(`{"fields":{"Plans":[%q]}}`, drawing.text("id")))
	text := f.ok("GET", "/records/"+f.records["Aase"]+"/attachments/"+drawing.text("id")+"/text", "")
	if text.get("text") != "" || text.get("type") != "text/html" {
		t.Error(text.raw)
	}
	content, err := http.Get(row.text("fields.Plans.0.url"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Body.Close() }()
	if content.StatusCode != http.StatusOK ||
		!strings.HasPrefix(content.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v", content.StatusCode, content.Header)
	}
	retyped := c.ok("PATCH", "/fields/"+f.fields["Tons"], `{"type":"text","name":"Weight"}`)
	if got := c.ok("GET", "/fields/"+retyped.text("id"), ""); got.get("type") != "text" || got.get("name") != "Weight" {
		t.Error(got.raw)
	}
	view := c.ok("POST", f.path("views"), `{"type":"gallery","name":"Faces"}`).text("id")
	if got := c.ok("GET", "/views/"+view, ""); got.get("name") != "Faces" {
		t.Error(got.raw)
	}
	c.ok("DELETE", "/views/"+view, "")
	last := c.ok("GET", f.path("views"), "").text("views.0.id")
	c.refused(409, "DELETE", "/views/"+last, "")
	c.refused(409, "DELETE", "/fields/"+f.fields["Name"], "")

	workspace := c.ok("POST", "/workspaces", fmt.Sprintf(`{"orgId":%q,"name":"Short-lived"}`, w.owner.org)).text("id")
	base := c.ok("POST", "/bases", fmt.Sprintf(`{"name":"In the way","workspaceId":%q}`, workspace)).text("id")
	c.refused(409, "DELETE", "/workspaces/"+workspace, "")
	c.ok("DELETE", "/bases/"+base, "")
	c.ok("DELETE", "/workspaces/"+workspace, "")

	invitation := c.ok("POST", org+"/invitations", `{"email":"ola@example.com","role":"editor"}`).text("id")
	c.ok("GET", org+"/invitations", "")
	c.ok("DELETE", org+"/invitations/"+invitation, "")

	other := w.signUp(t)
	w.join(t, w.owner, other, "viewer")
	other.caller.in(t).refused(403, "POST", "/tables/"+f.table+"/records", `{"fields":{}}`)
	c.ok("PATCH", org+"/members/"+other.id, `{"role":"editor"}`)
	other.caller.in(t).ok("POST", "/tables/"+f.table+"/records", `{"fields":{}}`)
	c.ok("DELETE", org+"/members/"+other.id, "")
	other.caller.in(t).refused(404, "GET", "/tables/"+f.table+"/records", "")
	c.refused(409, "POST", org+"/leave", "")

	gone := w.signUp(t)
	theirs, deleted := gone.caller.in(t), "/deleted-orgs/"+gone.org
	theirs.ok("DELETE", "/orgs/"+gone.org, "")
	theirs.refused(404, "GET", "/orgs/"+gone.org, "")
	if listed := asList(theirs.ok("GET", "/deleted-orgs", "").get("orgs")); len(listed) != 1 {
		t.Errorf("the deleted organizations are %v", listed)
	}
	theirs.ok("POST", deleted+"/restore", "")
	theirs.ok("GET", "/orgs/"+gone.org, "")
	theirs.ok("DELETE", "/orgs/"+gone.org, "")
	theirs.ok("DELETE", deleted, "")
	theirs.refused(404, "POST", deleted+"/restore", "")
}

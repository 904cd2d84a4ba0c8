package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// testPermissions gives a guest a base, takes a field and the base away, and asks why.
func testPermissions(t *testing.T, w *world) {
	f := w.newFleet(t)
	guest := w.signUp(t)
	w.confirm(t, guest)
	other := f.ok("POST", "/bases", `{"name":"Other"}`).text("id")
	w.join(t, w.owner, guest, "guest", other)
	theirs := guest.caller.in(t)
	theirs.ok("GET", "/bases/"+other, "")
	theirs.refused(http.StatusNotFound, "GET", "/bases/"+f.base, "")
	org := "/orgs/" + w.owner.org
	group := f.ok("POST", org+"/groups", fmt.Sprintf(`{"name":"Crew","members":[%q]}`, guest.id)).text("id")
	f.ok("PATCH", org+"/groups/"+group, `{"name":"The crew"}`)
	if name := f.ok("GET", org+"/groups", "").text("groups.0.name"); name != "The crew" {
		t.Errorf("the group is called %q", name)
	}
	access := "/bases/" + f.base + "/access"
	f.ok("PATCH", access, fmt.Sprintf(`{"restricted":true,"grants":[{"groupId":%q,"role":"viewer"}]}`, group))
	f.ok("GET", access, "")
	within(t, func() bool { return theirs.do("GET", "/bases/"+f.base, "").status == http.StatusOK })
	if raw := theirs.ok("GET", f.path("records"), "").raw; !strings.Contains(raw, "420.5") {
		t.Errorf("a guest reads %s", raw)
	}
	theirs.refused(http.StatusForbidden, "POST", f.path("records"), `{"fields":{}}`, "insufficient_role")
	f.ok("PATCH", f.path("permissions"), fmt.Sprintf(`{"fields":[{"fieldId":%q,"read":{"role":"creator"}}],
		"create":{"role":"editor","groupIds":[%q]}}`, f.fields["Tons"], group))
	f.ok("GET", f.path("permissions"), "")
	within(t, func() bool {
		return !strings.Contains(theirs.ok("GET", f.path("records"), "").raw, "420.5")
	})
	theirs.ok("POST", f.path("records"), `{"fields":{"Name":"Liv"}}`)
	if raw := theirs.ok("GET", "/records/"+f.records["Aase"]+"/history", "").raw; strings.Contains(raw, "Tons") {
		t.Errorf("the history shows a hidden field: %s", raw)
	}
	if raw := theirs.ok("GET", "/bases/"+f.base+"/change-sets?detail=full", "").raw; strings.Contains(raw, "Tons") {
		t.Errorf("the history of the base shows a hidden field: %s", raw)
	}
	why := f.ok("POST", access+"/explain", fmt.Sprintf(`{"userId":%q,"tableId":%q,"fieldId":%q}`, guest.id, f.table,
		f.fields["Tons"]))
	if why.text("role") != "viewer" || why.text("field") != "hidden" || why.get("table.create") != true {
		t.Errorf("the explanation is %s", why.raw)
	}
	workspace := f.ok("POST", "/workspaces", fmt.Sprintf(`{"orgId":%q,"name":"Port"}`, w.owner.org)).text("id")
	f.ok("PATCH", "/workspaces/"+workspace+"/access", `{"restricted":true}`)
	f.ok("GET", "/workspaces/"+workspace+"/access", "")
	f.ok("DELETE", org+"/groups/"+group, "")
	within(t, func() bool { return theirs.do("GET", "/bases/"+f.base, "").status == http.StatusNotFound })
	f.ok("DELETE", org+"/members/"+guest.id, "")
}

// within waits until other processes and caches have noticed a change of permissions.
func within(t *testing.T, noticed func() bool) {
	t.Helper()
	for range 100 {
		if noticed() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the change of permissions was not noticed")
}

package e2e

import (
	"fmt"
	"testing"
)

// What was changed and deleted comes back.
func testChange(t *testing.T, w *world) {
	t.Run("a change is taken back after a plan", func(t *testing.T) {
		f := w.newFleet(t)
		f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Ferry"}}`)
		f.ok("DELETE", "/records/"+f.records["Aase"], "")
		sets := f.ok("GET", "/bases/"+f.base+"/change-sets?detail=full&limit=2", "")
		revert := func(more string) answer {
			return f.ok("POST", "/bases/"+f.base+"/changes/revert",
				fmt.Sprintf(`{"changeSets":[%q,%q]%s}`, sets.get("changeSets.0.id"), sets.get("changeSets.1.id"), more))
		}
		if plan := revert(`,"dryRun":true`); plan.get("records") != 2.0 {
			t.Error(plan.raw)
		}
		if done := revert(""); done.get("records") != 2.0 {
			t.Error(done.raw)
		}
		if back := f.ok("GET", "/records/"+f.records["Aase"], ""); back.get("fields.Name") != "Aase" {
			t.Error(back.raw)
		}
	})

	t.Run("what was deleted is restored from the trash, or purged", func(t *testing.T) {
		f := w.newFleet(t)
		made := f.ok("POST", f.path("fields"), `{"name":"Spare","type":"text"}`).text("id")
		trash := "/bases/" + f.base + "/trash"
		for _, end := range []string{"restore", "purge"} {
			f.ok("DELETE", "/fields/"+made, "")
			if listed := f.ok("GET", trash, ""); listed.get("items.0.id") != made {
				t.Error(listed.raw)
			}
			f.ok("POST", trash+"/"+end, fmt.Sprintf(`{"items":[%q]}`, made))
		}
		f.refused(404, "POST", trash+"/restore", fmt.Sprintf(`{"items":[%q]}`, made))

		base := f.ok("POST", "/bases", `{"name":"Former"}`).text("id")
		trash = "/orgs/" + w.owner.org + "/trash"
		for _, end := range []string{"restore", "purge"} {
			f.ok("DELETE", "/bases/"+base, "")
			if listed := f.ok("GET", trash, ""); listed.get("items.0.id") != base {
				t.Error(listed.raw)
			}
			f.ok("POST", trash+"/"+end, fmt.Sprintf(`{"items":[%q]}`, base))
		}
		kept := f.ok("GET", "/orgs/"+w.owner.org+"/retention", "")
		if kept.get("trashDays") != 30.0 {
			t.Error(kept.raw)
		}
	})
}

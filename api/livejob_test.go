package api_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestWatchersGetEventsOfJobsThatTheyMaySee(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	other := j.ID("POST", "/bases", `{"name":"Other"}`)
	otherID, err := id.Parse(id.Base, other)
	if err != nil {
		t.Fatal(err)
	}
	editor, second := j.member(organization.Editor), j.member(organization.Editor)
	keyed := apitest.Principal(editor.Person, j.Orgs[0].Org, organization.Editor)
	keyed.Bases = []uuid.UUID{otherID}
	streams := map[string]<-chan event{
		"own by a key for the other base": watch(t, j.server.As(t, keyed), other, ""),
	}
	for name, c := range map[string]*apitest.Client{"creator": j.Client, "own": editor, "other editor": second} {
		streams[name] = watch(t, c, j.base, "")
		streams[name+", elsewhere"] = watch(t, c, other, "")
	}
	for _, events := range streams {
		next(t, events, "ready")
	}
	seers := []string{"creator", "own", "own, elsewhere"}
	for _, name := range seers {
		// A stream that has just begun may miss the events of a job.
		for given := false; !given; {
			begun := editor.OK("POST", "/tables/"+j.table+"/exports", `{"format":"csv"}`)
			j.goOn(begun["id"].(string))
			for waiting := true; waiting && !given; {
				select {
				case one := <-streams[name]:
					if one.name != "job" || one.id != "" || one.data["baseId"] != j.base || len(one.data) != 8 ||
						one.data["tableId"] != j.table || one.data["kind"] != "export_table" {
						t.Fatalf("%s: given of %+v", name, one)
					}
					given = one.data["id"] == begun["id"] && one.data["state"] == "done" && one.data["done"] == 3.0
				case <-time.After(time.Second):
					waiting = false
				}
			}
		}
	}
	made := j.ID("POST", "/bases/"+other+"/tables", `{"name":"After"}`)
	j.OK("PATCH", "/tables/"+made, `{"name":"Then"}`)
	j.OK("PATCH", "/tables/"+j.table, `{"name":"Then"}`)
	for name, events := range streams {
		if !slices.Contains(seers, name) {
			next(t, events, "change")
		}
	}
}

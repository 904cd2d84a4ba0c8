package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// shownOn lists what the tiles of a dashboard show to somebody.
func shownOn(c *apitest.Client, path string) []string {
	shown := []string{}
	for _, one := range c.OK("GET", path, "")["tiles"].([]any) {
		tile := one.(map[string]any)
		if text, is := tile["text"].(string); is {
			shown = append(shown, text)
		} else {
			shown = append(shown, tile["viewId"].(string))
		}
	}
	return shown
}

func tileOf(view string, row int) string {
	return fmt.Sprintf(`{"viewId":%q,"column":0,"row":%d,"width":6,"height":4}`, view, row)
}

// A tile is there for those who see its view. Whoever changes the others leaves it alone.
func TestDashboardsShowWhatTheirReadersSee(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	editor := joined(t, s, owner, organization.Editor)
	base := "/bases/" + w["baseId"]
	secret := owner.ID("POST", base+"/tables", `{"name":"Salaries"}`)
	owner.OK("PATCH", "/tables/"+secret+"/permissions", `{"read":{"role":"creator"}}`)
	hidden := owner.ID("POST", "/tables/"+secret+"/views", `{"type":"chart"}`)
	personal := owner.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"chart","name":"Mine","access":"personal"}`)
	chart := owner.ID("POST", "/tables/"+w["tableId"]+"/views",
		`{"type":"chart","name":"Ours","config":{"chart":{"kind":"number","value":{"fn":"count"}}}}`)
	path := base + "/dashboards/" + owner.ID("POST", base+"/dashboards", `{"name":"Sales","tiles":[`+
		tileOf(hidden, 0)+`,`+tileOf(personal, 4)+`,`+tileOf(chart, 8)+
		`,{"text":"Look","column":6,"row":0,"width":6,"height":2}]}`)

	want := func(c *apitest.Client, shown ...string) {
		t.Helper()
		if got := shownOn(c, path); !slices.Equal(got, shown) {
			t.Errorf("the dashboard shows %v, not %v", got, shown)
		}
	}
	want(owner, hidden, personal, chart, "Look")
	want(editor, chart, "Look")
	editor.Refused(http.StatusBadRequest, "PATCH", path, `{"tiles":[`+tileOf(hidden, 0)+`]}`, "tiles[0].viewId")
	editor.OK("PATCH", path, `{"name":"Sold","tiles":[`+tileOf(chart, 0)+`]}`)
	want(editor, chart)
	want(owner, chart, hidden, personal)
	viewer := joined(t, s, owner, organization.Viewer)
	want(viewer, chart)
	viewer.Refused(http.StatusForbidden, "PATCH", path, `{"name":"Mine"}`, "insufficient_role")

	// A deleted view takes its tile along, and brings it back.
	owner.OK("DELETE", "/views/"+chart, "")
	want(editor)
	owner.OK("POST", base+"/trash/restore", `{"items":["`+chart+`"]}`)
	want(editor, chart)
	// And so does a base.
	owner.OK("DELETE", base, "")
	owner.OK("POST", "/orgs/"+owner.Org()+"/trash/restore", `{"items":["`+w["baseId"]+`"]}`)
	want(owner, chart, hidden, personal)

	stranger := s.Owner(t)
	stranger.Refused(http.StatusNotFound, "GET", path, "", "base")
	bound := bound(t, s, owner, w["baseId"], chart)
	bound.Refused(http.StatusNotFound, "GET", path, "", "dashboard")
	if found := bound.OK("GET", base+"/dashboards", "")["dashboards"].([]any); len(found) != 0 {
		t.Errorf("a key of one view lists %v", found)
	}
}

func TestDashboardsAreValidated(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	path := "/bases/" + w["baseId"] + "/dashboards"
	for _, one := range []struct{ tile, words string }{
		{`{"column":0,"row":0,"width":6,"height":4}`, "must have either viewId or text"},
		{`{"viewId":"viw_x","column":0,"row":0,"width":6,"height":4}`, "no view of this base has the id"},
		{`{"text":"x","column":7,"row":0,"width":6,"height":4}`, "within the 12 columns"},
		{`{"text":"x","column":0,"row":-1,"width":6,"height":4}`, "tiles[0].row"},
		{`{"text":"x","column":0,"row":0,"width":6,"height":21}`, "from 1 to 20"},
	} {
		owner.Refused(http.StatusBadRequest, "POST", path, `{"name":"D","tiles":[`+one.tile+`]}`, one.words)
	}
	owner.Refused(http.StatusConflict, "POST", path, `{"name":"dashboard"}`, "name_taken")
	other := owner.ID("POST", path, `{"name":"Other"}`)
	owner.Refused(http.StatusConflict, "PATCH", path+"/"+other, `{"name":"Dashboard"}`, "name_taken")
	owner.OK("DELETE", path+"/"+other, "")
	owner.Refused(http.StatusNotFound, "DELETE", path+"/"+other, "", "dashboard")
}

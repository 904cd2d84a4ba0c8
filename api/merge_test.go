package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

func TestMergeRecords(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	w.addFile(c)
	path := "/tables/" + w["tableId"] + "/records/merge"
	c.ID("POST", "/records/"+w["spareRecordId"]+"/comments", `{"text":"Second"}`)
	body := `{"keep":"` + w["recordId"] + `","merge":["` + w["spareRecordId"] + `"],"fields":{"Spare":"given"}`
	plan := c.OK("POST", path, body+`,"dryRun":true}`)
	fields := plan["record"].(map[string]any)["fields"].(map[string]any)
	if plan["dryRun"] != true || plan["comments"] != 1.0 || fields["Name"] != "First" || fields["Spare"] != "given" {
		t.Errorf("planned %v", plan)
	}
	if _, planned := plan["changeSet"]; planned {
		t.Error("a plan has a change set")
	}
	c.OK("GET", "/records/"+w["spareRecordId"], "")
	done := c.OK("POST", path, body+"}")
	if done["dryRun"] != nil || done["changeSet"] == nil ||
		done["record"].(map[string]any)["id"] != w["recordId"] {
		t.Errorf("merged %v", done)
	}
	c.Refused(http.StatusNotFound, "GET", "/records/"+w["spareRecordId"], "")
	list := c.OK("GET", "/records/"+w["recordId"]+"/comments", "")["comments"].([]any)
	if len(list) != 2 {
		t.Errorf("the record has %d comments", len(list))
	}
	c.OK("POST", "/bases/"+w["baseId"]+"/changes/revert", `{"changeSets":["`+done["changeSet"].(string)+`"]}`)
	back := c.OK("GET", "/records/"+w["spareRecordId"]+"/comments", "")["comments"].([]any)
	if len(back) != 1 || !strings.Contains(back[0].(map[string]any)["text"].(string), "Second") {
		t.Errorf("the other record has the comments %v", back)
	}
}

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	changeSetID = regexp.MustCompile(`chs_\w+`)
	recordID    = regexp.MustCompile(`rec_\w+`)
	viewID      = regexp.MustCompile(`viw_\w+`)
)

// A base is made from a file, changed by the file, and taken back. What the file says is then so: a second
// plan is empty.
func testSchemaFile(t *testing.T, w *world) {
	c := w.terminal(t, "ROWHOUSE_URL="+w.service.BaseURL, "ROWHOUSE_TOKEN="+w.secret)
	write := func(content string) {
		if err := os.WriteFile(filepath.Join(c.home, "base.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	like := func() {
		t.Helper()
		out, said, status := c.run("schema", "apply", "base.json", "--plan")
		if status != 0 || !strings.Contains(said, "like the file") {
			t.Errorf("the base is not like the file: %d %s%s", status, out, said)
		}
	}
	write(`{"name": "Shipyard", "tables": [
		{"name": "Hulls", "fields": [
			{"name": "Name", "type": "text"},
			{"name": "Kind", "type": "single_select",
			 "config": {"options": ["Ferry", {"name": "Tug", "color": "blue"}]}},
			{"name": "Double", "type": "formula", "config": {"formula": "{Half} * 4"}},
			{"name": "Half", "type": "formula", "config": {"formula": "{Tons} / 2"}},
			{"name": "Tons", "type": "number", "config": {"precision": 1, "required": true}},
			{"name": "Draught", "type": "text"}],
		 "views": [
			{"name": "Tugs", "type": "grid",
			 "config": {"filters": [{"fieldId": "{Kind}", "op": "eq", "value": "Tug"}]}},
			{"name": "Board", "type": "kanban", "config": {"stackFieldId": "{Kind}", "hiddenFields": ["{Tons}"]}}]},
		{"name": "Slips", "fields": [{"name": "No", "type": "text"}]}]}`)
	c.ok("schema", "apply", "base.json", "--yes")
	like()
	pulled := c.ok("schema", "pull", "Shipyard")
	write(pulled)
	like()
	first := recordID.FindString(c.ok("record", "create", "Shipyard/Hulls", "Name=Aase", "Kind=Tug", "Tons=90",
		"Draught=deep"))
	second := recordID.FindString(c.ok("record", "create", "Shipyard/Hulls", "Name=Ingrid", "Kind=Tug", "Tons=70"))
	c.ok("api", "POST", "/views/"+viewID.FindString(c.ok("schema", "pull", "Shipyard", "--ids"))+"/records/move", "-d",
		`{"ids":["`+second+`"],"before":"`+first+`"}`)
	like() // a file says nothing of the order that the view has now

	write(strings.NewReplacer(
		`"name": "Hulls"`, `"name": "Vessels", "was": "Hulls"`,
		`"name": "Tons"`, `"name": "Gross tons", "was": "Tons"`,
		"Draught\",\n          \"type\": \"text", `Draught", "type": "number`,
		`{Tons}`, `{Gross tons}`, `"name": "Slips"`, `"name": "Quays"`,
	).Replace(pulled))
	out, said, status := c.run("schema", "apply", "base.json")
	for _, want := range []string{
		"~ table Hulls: name Vessels", "~ field Vessels.Tons: Tons → Gross tons", "text → number; 1 value lost",
		"- table Slips", "+ table Quays (1 field)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the plan lacks %q: %s", want, out)
		}
	}
	if status != 2 || !strings.Contains(said, "nothing was changed") || c.ok("schema", "pull", "Shipyard") != pulled {
		t.Errorf("a plan that nobody confirmed: %d %s", status, said)
	}
	_, said, status = c.run("schema", "apply", "base.json", "--yes")
	if status != 0 {
		t.Fatalf("applying: %d %s", status, said)
	}
	like()
	c.ok("revert", changeSetID.FindString(said), "--base", "Shipyard", "--yes")
	if got := c.ok("schema", "pull", "Shipyard"); got != pulled {
		t.Errorf("after the revert the base is %s", got)
	}
	if out := c.ok("record", "list", "Shipyard/Hulls", "--fields", "Draught,Double"); !strings.Contains(out, `"deep"`) {
		t.Errorf("after the revert the records are %s", out)
	}
	write(`{"name": "Moved", "tables": [{"name": "Ships", "fields": [{"name": "Name", "type": "text"},
		{"name": "Crew", "type": "link", "linkedTable": "People"},
		{"name": "Hands", "type": "count", "config": {"linkFieldId": "{Crew}"}}]}]}`)
	if out, said, status := c.run("schema", "apply", "base.json", "--yes"); status != 6 ||
		!strings.Contains(out, "! link Ships.Crew") || !strings.Contains(said, "--partial") {
		t.Errorf("a link that is missing: %d %s%s", status, out, said)
	}
	if _, said, status := c.run("schema", "apply", "base.json", "--yes", "--partial"); status != 0 ||
		!strings.Contains(said, "Left out: field Ships.Hands") {
		t.Errorf("what a missing link leaves out: %d %s", status, said)
	}
	write(strings.Replace(pulled, `"type": "text"`, `"type": "txt"`, 1))
	if _, said, status := c.run("schema", "apply", "base.json"); status != 2 || !strings.Contains(said, "txt") {
		t.Errorf("an unknown type: %d %s", status, said)
	}
}

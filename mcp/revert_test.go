package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// A rowModel is the expected content of a table: the fields of each record.
type rowModel map[string]string

// readRows reads a whole table.
func readRows(t *testing.T, c *apitest.Client, table string) rowModel {
	t.Helper()
	rows := rowModel{}
	for cursor := ""; ; {
		page := c.OK("GET", "/tables/"+table+"/records?limit=100"+cursor, "")
		for _, one := range page["records"].([]any) {
			r := one.(object)
			fields, err := json.Marshal(r["fields"])
			if err != nil {
				t.Fatal(err)
			}
			rows[r["id"].(string)] = string(fields)
		}
		next, more := page["cursor"].(string)
		if !more {
			return rows
		}
		cursor = "&cursor=" + next
	}
}

// An agent damages ten thousand records through three tools in one change set, and somebody else
// keeps working. The plan says exactly what would come back and what conflicts; the revert does it.
func TestAgentTakesBackItsChanges(t *testing.T) {
	t.Parallel()
	const each, inTheWay = 3400, 15
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"Leads","fields":[{"name":"Name","type":"text"},{"name":"Score","type":"number"},`+
			`{"name":"Note","type":"text"}]}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	create := func(n int, arguments object) (ids []string) {
		for first := 0; first < n; first += 100 {
			var records []object
			for i := range 100 {
				records = append(records, object{
					"fields": object{"Name": fmt.Sprintf("Lead %d", first+i), "Score": first + i, "Note": "kept"},
				})
			}
			in := object{"tableId": table, "records": records, "return": "records"}
			maps.Copy(in, arguments)
			for _, one := range c.OK("create_records", in)["records"].([]any) {
				ids = append(ids, one.(object)["id"].(string))
			}
		}
		return ids
	}
	ids := create(3*each, nil)
	before := readRows(t, owner, table)

	damage := object{"changeSet": "clean up"}
	updated, deleted := ids[:each], ids[each:2*each]
	var set string
	for chunk := range slices.Chunk(updated, 100) {
		var records []object
		for _, one := range chunk {
			records = append(records, object{"id": one, "fields": object{"Name": "???", "Score": nil}})
		}
		in := object{"tableId": table, "records": records, "changeSet": "clean up"}
		set = c.OK("update_records", in)["changeSet"].(string)
	}
	for chunk := range slices.Chunk(deleted, 100) {
		c.OK("delete_records", object{"tableId": table, "ids": chunk, "changeSet": "clean up", "confirm": true})
	}
	created := create(each, damage)

	// Somebody else corrects some of the names, writes notes, and takes care of some of the new leads.
	want := maps.Clone(before)
	conflicts := map[string]bool{}
	patch := func(one, fields string) { owner.OK("PATCH", "/records/"+one, `{"fields":`+fields+`}`) }
	for _, one := range updated[:inTheWay] {
		patch(one, `{"Name":"Corrected"}`)
		conflicts[one] = true
		var fields object
		if err := json.Unmarshal([]byte(want[one]), &fields); err != nil {
			t.Fatal(err)
		}
		fields["Name"] = "Corrected"
		changed, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		want[one] = string(changed)
	}
	for i, one := range created[:inTheWay] {
		patch(one, `{"Note":"called"}`)
		conflicts[one] = true
		want[one] = fmt.Sprintf(`{"Name":"Lead %d","Note":"called","Score":%d}`, i, i)
	}
	noted := updated[inTheWay]
	patch(noted, `{"Note":"my own"}`)
	want[noted] = fmt.Sprintf(`{"Name":"Lead %d","Note":"my own","Score":%[1]d}`, inTheWay)
	damaged := readRows(t, owner, table)

	revert := func(more object) object {
		in := object{"baseId": base, "changeSets": []string{set}}
		maps.Copy(in, more)
		return c.OK("revert_changes", in)
	}
	plan := revert(object{"dryRun": true})
	found := map[string]bool{}
	for _, one := range plan["conflicts"].([]any) {
		found[one.(object)["recordId"].(string)] = true
	}
	if !maps.Equal(found, conflicts) || plan["conflictCount"] != float64(len(conflicts)) {
		t.Errorf("the conflicts are of %v, and should be of %v", found, conflicts)
	}
	counts := plan["tables"].([]any)[0].(object)
	if counts["updated"] != float64(each) || counts["deleted"] != float64(each-inTheWay) ||
		counts["restored"] != float64(each) {
		t.Errorf("the plan is %v", counts)
	}
	if got := readRows(t, owner, table); !maps.Equal(got, damaged) {
		t.Error("the plan has changed something")
	}
	c.Refused("revert_changes", object{"baseId": base, "changeSets": []string{set}}, "revert_conflict")
	if got := readRows(t, owner, table); !maps.Equal(got, damaged) {
		t.Error("a refused revert has changed something")
	}
	done := revert(object{"onConflict": "skip"})
	if fmt.Sprint(done["tables"]) != fmt.Sprint(plan["tables"]) {
		t.Errorf("the plan said %v, and it did %v", plan["tables"], done["tables"])
	}
	got := readRows(t, owner, table)
	if len(got) != len(want) {
		t.Errorf("there are %d records, and should be %d", len(got), len(want))
	}
	wrong := 0
	for one, fields := range want {
		if got[one] != fields {
			if wrong++; wrong < 10 {
				t.Errorf("%s is %s, and should be %s", one, got[one], fields)
			}
		}
	}
}

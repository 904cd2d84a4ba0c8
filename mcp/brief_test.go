package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// A model pays for each word of an error; REST repeats the message at each position, for programs
// that show it there.
func TestAProblemSaysItsSentenceOnce(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		for sentence, arguments := range map[string]object{
			"is not a field of": {"tableId": table, "fields": object{"Nmae": "x"}},
			"is not valid":      {"tableId": table, "fields": object{"Name": "x"}, "return": "id"},
		} {
			text, err := json.Marshal(c.Refused("create_records", arguments, sentence))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), sentence) != 1 {
				t.Errorf("%s: the problem is %s", era, text)
			}
		}
		two := c.Refused("create_records", object{"tableId": table, "fields": object{"Nmae": "x", "Amuont": 1}})
		if list, _ := two["errors"].([]any); len(list) != 1 || !strings.Contains(two["detail"].(string), "1 more") {
			t.Errorf("%s: of two wrong places the problem says %v", era, two)
		}
	}
	status, _, raw := owner.Do("POST", "/tables/"+table+"/records", `{"fields":{"Nmae":"x"}}`)
	if status != 400 || !strings.Contains(raw, `"errors":[{"path":"fields.Nmae","message":"`) {
		t.Errorf("REST answers %d %s", status, raw)
	}
}

// The names of tables, fields and views are enough for what follows: every tool accepts names
// wherever ids are expected.
func TestNamesOfABaseAreEnough(t *testing.T) {
	t.Parallel()
	s, owner, _ := linkedTables(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp/all", nil)
	c.OK("create_field", object{"tableId": "Companies", "name": "Joined", "type": "date"})
	c.OK("create_field", object{
		"tableId": "Companies", "name": "Stage", "type": "single_select",
		"config": object{"options": []string{"Open", "Won"}},
	})
	c.OK("create_view", object{"tableId": "Companies", "name": "Won", "type": "grid", "config": object{
		"filters": []any{object{"fieldId": "Stage", "op": "eq", "value": "Won"}},
	}})
	names := c.OK("describe_base", object{"baseId": "CRM", "detail": "names"})
	text, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"Company":"link to Companies"`, `"Stage":"single_select"`, `"Won":"grid, filtered"`, `"timeZone":`,
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the names lack %s: %s", part, text)
		}
	}
	for _, prefix := range []string{"tbl_", "fld_", "viw_", "bas_"} {
		if strings.Contains(string(text), prefix) {
			t.Errorf("the names have ids: %s", text)
		}
	}
	for tool, arguments := range map[string]object{
		"query_records": {
			"tableId": "Companies", "view": "Won", "fields": []string{"Name"},
			"sorts":   []any{object{"fieldId": "Joined", "dir": "desc"}},
			"filters": []any{object{"fieldId": "Deals", "op": "is_empty"}},
		},
		"aggregate_records": {"tableId": "CRM/Companies", "groupBy": []string{"Stage"}},
		"create_records":    {"tableId": "Companies", "fields": object{"Name": "Acme"}},
		"update_field":      {"fieldId": "Companies/Joined", "width": 200},
		"update_view":       {"viewId": "Companies/Won", "name": "Won"},
		"create_field": {
			"tableId": "Deals", "name": "Of", "type": "lookup",
			"config": object{"linkFieldId": "Company", "fieldId": "Stage"},
		},
		"list_change_sets": {"baseId": "CRM", "table": "Companies"},
		"export_records":   {"tableId": "Companies", "fields": []string{"Name"}},
		"describe_base":    {"baseId": "CRM", "tableIds": []string{"Deals"}},
	} {
		c.OK(tool, arguments)
	}
}

// The time of a change identifies its change set, as in short entries.
func TestATimeNamesAChangeSet(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	record := owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"one"}}`)["records"].([]any)[0].(object)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		c.OK("update_records", object{"tableId": "Deals", "records": []any{
			object{"id": record["id"], "fields": object{"Name": strings.Repeat("long ", 100), "Amount": 5}},
		}})
		entry := c.OK("get_record_history", object{"recordId": record["id"], "limit": 1})["entries"].([]any)[0].(object)
		set := c.OK("list_change_sets", object{"baseId": "CRM", "limit": 1})["changeSets"].([]any)[0].(object)
		if entry["time"] != set["time"] || entry["credential"] == nil || entry["credential"] != set["credential"] {
			t.Errorf("%s: %v is not of %v", era, entry, set)
		}
		name := entry["changes"].(object)["Name"].([]any)
		if name[0] != "one" || !strings.HasSuffix(name[1].(string), "…") {
			t.Errorf("%s: the change is %v", era, name)
		}
		in := object{"baseId": "CRM", "changeSets": []any{entry["time"]}}
		if done := c.OK("revert_changes", in); done["records"] != 1.0 {
			t.Errorf("%s: the revert answers %v", era, done)
		}
		set = c.OK("list_change_sets", object{"baseId": "CRM", "limit": 1})["changeSets"].([]any)[0].(object)
		if set["isRevert"] != true || set["did"].([]any)[0] != "Deals: 1 updated" {
			t.Errorf("%s: the revert is %v", era, set)
		}
		c.Refused("revert_changes", object{"baseId": "CRM", "changeSets": []any{"2026-01-01T00:00:00Z"}},
			"changeSets[0]", "microsecond", "list_change_sets")
	}
}

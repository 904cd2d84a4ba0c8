package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Mistakes that models make. Each is either accepted with its obvious meaning, or refused with the
// words that lead to the right call.
func TestTypicalMistakesOfModels(t *testing.T) {
	t.Parallel()
	s, owner, c := linkedTables(t)
	base := owner.OK("GET", "/bases", "")["bases"].([]any)[0].(object)["id"]
	c.OK("create_table", object{"baseId": "CRM", "name": "Tasks", "fields": []object{
		{"name": "Name", "type": "text"},
		{"name": "Done", "type": "checkbox"},
		{"name": "Hours", "type": "number"},
		{"name": "Due", "type": "date"},
		{"name": "State", "type": "single_select", "config": object{"options": []string{"Open", "Done"}}},
		{"name": "Tags", "type": "multi_select", "config": object{"options": []string{"red", "blue"}}},
	}})
	task := mcptest.IDs(c.OK("create_records", object{"tableId": "Tasks", "records": []object{
		{"fields": object{"Name": "Paint", "Hours": 3, "State": "Open", "Tags": []string{"red"}, "Due": "2026-05-01"}},
		{"fields": object{"Name": "Sand", "Hours": 5}},
	}}))[0]
	where := func(fieldID, op string, value any) object {
		return object{"tableId": "Tasks", "filters": []object{{"fieldId": fieldID, "op": op, "value": value}}}
	}
	record := func(fields object) object { return object{"tableId": "Tasks", "fields": fields} }
	for i, mistake := range []struct {
		tool string
		in   any
		says string // a part of the answer, or of the problem
		ok   bool
	}{
		// Accepted with their obvious meaning.
		{"query_records", object{"tableId": "Tasks", "limit": "1"}, `limit:1 `, true},
		{"query_records", object{"tableId": "Tasks", "limit": 1.0}, `limit:1 `, true},
		{"query_records", `{"tableId":"Tasks","limit":1.0}`, `limit:1 `, true},
		{"query_records", object{"tableId": "Tasks", "fields": "Name"}, "Paint", true},
		{"query_records", object{"tableId": "tasks"}, "Paint", true},
		{"query_records", object{"tableId": "CRM/Tasks"}, "Paint", true},
		{
			"query_records",
			object{"tableId": "Tasks", "filters": `[{"fieldId":"Name","op":"eq","value":"Sand"}]`},
			"Sand", true,
		},
		{
			"query_records",
			object{"tableId": "Tasks", "filters": object{"fieldId": "Name", "op": "eq", "value": "Sand"}},
			"total:1", true,
		},
		{
			"query_records",
			object{"tableId": "Tasks", "sorts": object{"fieldId": "Hours", "dir": "desc"}},
			"Sand", true,
		},
		{"query_records", object{"tableId": "Tasks", "view": "", "search": "", "cursor": ""}, "total:2", true},
		{"query_records", object{"tableId": "Tasks", "search": 5}, "total:2", true},
		{"query_records", object{"tableId": "Tasks", "include": "version", "format": "rows"}, "_version", true},
		{"query_records", `"{\"tableId\":\"Tasks\"}"`, "total:2", true},
		{"get_me", object{"filler": true}, "orgs", true},
		{
			"create_records",
			object{"tableId": "Tasks", "records": object{"fields": object{"Name": "One"}}},
			"One", true,
		},
		{"create_records", object{"tableId": "Tasks", "records": `[{"fields":{"Name":"Text"}}]`}, "Text", true},
		{
			"create_records",
			object{"tableId": "Tasks", "fields": object{"Name": "Cast", "Hours": "4"}, "typecast": "true"},
			"Hours:4", true,
		},
		{
			"create_records",
			object{"tableId": "Tasks", "fields": object{"Name": "Late", "State": "Waiting"}, "typecast": true},
			"Waiting", true,
		},
		{
			"create_records",
			object{"tableId": "Deals", "fields": object{"Name": "By name", "Company": "Company 1"}, "typecast": true},
			"rec_", true,
		},
		{
			"create_records",
			object{"tableId": "Tasks", "fields": object{"Name": "Up"}, "upsertOn": "Name"},
			"created", true,
		},
		{
			"update_records",
			object{"tableId": "Tasks", "records": object{"id": task, "fields": object{"Hours": 6}}},
			"Hours:6", true,
		},
		{"update_record", object{"recordId": task, "fields": object{"Due": ""}}, "Due:<nil>", true},
		{"aggregate_records", object{"tableId": "Tasks", "groupBy": "State"}, "count", true},
		{
			"aggregate_records",
			object{"tableId": "Tasks", "aggregates": object{"fn": "sum", "fieldId": "Hours"}},
			"sum(Hours)", true,
		},
		{"describe_base", object{"baseId": "crm", "tableIds": "Tasks"}, "Tags", true},
		{"search", object{"query": "the paint task please"}, "Paint", true},
		{"query_sql", object{"baseId": "CRM", "sql": "select NAME from TASKS where hours = 5"}, "Sand", true},
		{"query_records", object{"table": "Tasks"}, "total", true},
		{"query_records", object{"tableId": "Tasks", "filter": []object{}}, "Paint", true},
		{"query_records", object{"tableId": "Tasks", "query": "Sand"}, "total:1", true},
		{"query_records", object{"tableId": "Tasks", "columns": []string{"Hours"}}, "Hours", true},
		{"query_records", where("Hours", "equals", 5), "Sand", true},
		{"query_records", where("Hours", ">", 5), "Paint", true},
		{"query_records", where("Due", "after", "2026-04-30"), "total:0", true},
		{"query_records", where("State", "eq", "OPEN"), "Paint", true},
		{"query_records", where("Tags", "has_any", []string{"Red"}), "Paint", true},
		{
			"query_records",
			object{"tableId": "Tasks", "sort": object{"field": "Hours", "direction": "descending"}},
			"Sand", true,
		},
		{"query_records", object{"tableId": "Tasks", "format": "Rows"}, "columns", true},
		{
			"aggregate_records",
			object{"tableId": "Tasks", "group_by": "State", "aggregates": object{"average": "Hours"}},
			"avg(Hours)", true,
		},
		{
			"aggregate_records",
			object{"tableId": "Tasks", "aggregates": []object{{"fn": "mean", "field": "Hours"}}},
			"avg", true,
		},
		{
			"create_records",
			object{"tableId": "Tasks", "records": []object{
				{"Name": "Flat", "Hours": 2}, {"fields": object{"Name": "Deep"}},
			}},
			"Flat", true,
		},
		{"update_records", object{"tableId": "Tasks", "records": object{"id": task, "Hours": 8}}, "Hours:8", true},
		{
			"import_records",
			object{"tableId": "Tasks", "csv": "NAME,HOURS\nSweep,1\n"},
			"created:1", true,
		},
		{"create_field", object{"tableId": "Tasks", "name": "Price", "type": "money", "symbol": "€"}, "currency", true},
		{
			"create_field",
			object{"tableId": "Tasks", "name": "Room", "type": "select", "options": []string{"a"}},
			"single", true,
		},
		{
			"create_table",
			object{"base": "CRM", "name": "Rooms", "fields": []object{{"name": "Room", "type": "string"}}},
			"fields:[map[id:fld_", true,
		},
		{"create_view", object{"tableId": "Tasks", "type": "board", "stackField": "State"}, "kanban", true},
		{"create_base", object{"title": "Titled"}, "Titled", true},
		{"get_record_history", object{"id": task}, "entries", true},
		{"list_audit_events", object{}, "events", true},
		// Refused with the way.
		{
			"create_view",
			object{"tableId": "Tasks", "type": "grid", "config": object{
				"stackBy": "State", "filters": []object{{"fieldId": "State", "op": "eq", "value": "Opne"}},
				"sorts": []object{{"fieldId": "Hour"}},
			}},
			"config.sorts[0].fieldId", false,
		},
		{"query_records", where("Company", "eq", "x"), "fields are", false},
		{
			"aggregate_records",
			object{"tableId": "Deals", "filters": []object{{"fieldId": "Company", "op": "eq", "value": 1}}},
			`"Company.Name"`, false,
		},
		{"read_attachment", object{"attachmentId": "att_06h22w2rcnv4n6mhksrshvb60c"}, "recordId", false},
		{"fetch", object{"id": "att_06h22w2rcnv4n6mhksrshvb60c"}, "read_attachment", false},
		{"get_record_history", object{"recordId": "Paint"}, "search finds", false},
		{"query_records", object{"tableId": "Tasks", "limit": 500}, "aggregate_records", false},
		// Refused with a hint.
		{"query_records", object{"tableId": "Taks"}, `did you mean "Tasks"`, false},
		{"query_records", object{"tableId": base}, "is the id of a base", false},
		{"query_records", object{"tableId": "Tasks", "limit": 1000}, "100", false},
		{"query_records", object{"tableId": "Tasks", "limit": "many"}, "limit", false},
		{"query_records", where("Hour", "eq", 3), `did you mean "Hours"`, false},
		{"query_records", where("Hours", "contains", "3"), "Hours", false},
		{"query_records", where("Hours", "gt", "three"), "number", false},
		{"query_records", where("Due", "gt", "next week"), "today", false},
		{"query_records", where("State", "eq", "Opne"), `did you mean "Open"`, false},
		{
			"query_records",
			object{"tableId": "Tasks", "filters": []object{{"field": "Nmae", "op": "eq", "value": 1}}},
			"Name", false,
		},
		{
			"query_records",
			object{"tableId": "Tasks", "sorts": []object{{"fieldId": "Hours", "dir": "down"}}},
			"desc", false,
		},
		{"query_records", object{"tableId": "Tasks", "fields": []string{"Titel"}}, "Titel", false},
		{"query_records", object{"tableId": "Tasks", "format": "csv"}, "rows", false},
		{"query_records", object{"tableId": "Tasks", "maxTokens": 100_000}, "25000", false},
		{"create_records", record(object{"Nmae": "x"}), `did you mean "Name"`, false},
		{"create_records", record(object{"Hours": "4"}), "typecast", false},
		{"create_records", record(object{"State": "Opne"}), "Open", false},
		{"create_records", record(object{"Done": "yes"}), "Done", false},
		{"create_records", record(object{"Due": "05/01/2026"}), "YYYY-MM-DD", false},
		{"create_records", object{"tableId": "Tasks", "Name": "flat"}, "fields", false},
		{"create_records", object{"tableId": "Tasks", "fields": object{}, "records": []object{}}, "conflicts", false},
		{
			"update_records",
			object{"tableId": "Tasks", "records": []object{{"fields": object{"Hours": 1}}}},
			"id", false,
		},
		{
			"update_records",
			object{"tableId": "Tasks", "records": []object{{"id": "paint", "fields": object{}}}},
			"id", false,
		},
		{
			"update_records",
			object{"tableId": "Deals", "records": []object{{"id": task, "fields": object{"Amount": 1}}}},
			"table", false,
		},
		{
			"update_records_where",
			object{"tableId": "Tasks", "filters": []object{}, "fields": object{"Hours": 1}},
			"every record", false,
		},
		{"delete_records_where", where("Name", "eq", "Sand"), "confirm: true", false},
		{"delete_table", object{"tableId": "Tasks", "confirm": "true"}, "confirm: true", false},
		{"create_field", object{"tableId": "Tasks", "name": "Hours", "type": "number"}, "Hours", false},
		{
			"create_field",
			object{"tableId": "Tasks", "name": "Sum", "type": "formula", "config": object{"formula": "{Houres} * 2"}},
			"Hours", false,
		},
		{
			"create_records",
			object{"tableId": "Tasks", "records": slices.Repeat([]object{{"fields": object{}}}, 101)},
			"import_records", false,
		},
		{
			"create_records",
			object{"tableId": "Deals", "fields": object{"Company": "Company 1"}},
			"with typecast", false,
		},
		{
			"aggregate_records",
			object{"tableId": "Tasks", "groupBy": "Due by month"},
			"month(Due)", false,
		},
		{"query_sql", object{"baseId": "CRM", "sql": "select titel from tasks"}, "titel", false},
		{
			"query_sql",
			object{"baseId": "CRM", "sql": "select d.company_id from deals d"},
			"Deals__Company", false,
		},
		{"query_sql", object{"baseId": "CRM", "sql": "update tasks set name = 'x'"}, "SELECT", false},
		{"get_record", object{"recordId": "Paint"}, "rec", false},
		{"fetch", object{"id": "Tasks"}, "search returns them", false},
		{
			"revert_changes",
			object{"baseId": "CRM", "changeSets": []string{"the last one"}},
			"list_change_sets", false,
		},
	} {
		if mistake.tool == "query_sql" && s.REST.Deps.DB.Distributed() { // SQL is off on Citus
			continue
		}
		answer, failed := c.Call(mistake.tool, mistake.in)
		text := fmt.Sprint(answer)
		if failed == mistake.ok || !strings.Contains(text, mistake.says) {
			t.Errorf("%d: %s %v: failed %v, no %q in %.400s", i, mistake.tool, mistake.in, failed, mistake.says, text)
		}
	}
}

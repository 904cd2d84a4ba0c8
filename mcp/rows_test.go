package mcp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// linkedTables makes Deals with a link to Companies, and eight companies.
func linkedTables(t *testing.T) (s *mcptest.Server, owner *apitest.Client, c *mcptest.Client) {
	t.Helper()
	s, owner, base, table := setup(t)
	companies := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Companies","fields":[{"name":"Name",`+
		`"type":"text"},`+
		`{"name":"Country","type":"text"}]}`)
	session := *owner.Principal
	session.Kind = "session"
	s.REST.As(t, &session).ID("POST", "/tables/"+table+"/fields",
		`{"name":"Company","type":"link","config":{"linkedTableId":"`+companies+`"}}`)
	c = s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	var list []object
	for i := range 8 {
		list = append(list, object{"fields": object{"Name": fmt.Sprintf("Company %d", i), "Country": "NL"}})
	}
	c.OK("create_records", object{"tableId": "Companies", "records": list})
	return s, owner, c
}

func TestRecordsComeAsRows(t *testing.T) {
	t.Parallel()
	_, _, c := linkedTables(t)
	page := c.OK("query_records", object{"tableId": "Companies", "format": "rows"})
	if !reflect.DeepEqual(page["columns"], []any{"_id", "Name", "Country"}) || page["total"] != 8.0 ||
		page["records"] != nil || page["limit"] != 100.0 || page["offset"] != 0.0 {
		t.Fatalf("the page is %v", page)
	}
	row := page["rows"].([]any)[3].([]any)
	if len(row) != 3 || len(row[0].(string)) != 8 || row[1] != "Company 3" {
		t.Errorf("the row is %v", row)
	}
	// Columns without a value are left out, unless they are requested.
	if page := c.OK("query_records", object{"tableId": "Companies", "format": "rows", "fields": []string{
		"Name",
		"Deals",
	}}); !reflect.DeepEqual(
		page["columns"], []any{"_id", "Name", "Deals"}) {
		t.Errorf("the columns are %v", page["columns"])
	}
	page = c.OK("query_records", object{
		"tableId": "Companies", "ids": "none", "fields": []string{"Name"}, "limit": 2,
		"format": "rows",
	})
	if got := fmt.Sprint(page["rows"]); got != "[[Company 0] [Company 1]]" || page["cursor"] == nil {
		t.Errorf("without ids the page is %v", page)
	}
	page = c.OK("query_records", object{"tableId": "Companies", "format": "rows", "ids": "full", "include": []string{
		"createdTime",
		"version",
	}})
	if got := fmt.Sprint(page["columns"]); got != "[_id _createdTime _version Name Country]" ||
		!strings.HasPrefix(page["rows"].([]any)[0].([]any)[0].(string), "rec_") {
		t.Errorf("with all the page is %v", page)
	}
	// The number of records changes nothing: without a format, they are as in REST.
	for _, limit := range []int{2, 8} {
		page := c.OK("query_records", object{"tableId": "Companies", "limit": limit})
		if r := page["records"].([]any)[0].(object); r["createdTime"] == nil || r["version"] == nil ||
			!strings.HasPrefix(r["id"].(string), "rec_") {
			t.Errorf("%d records are %v", limit, page)
		}
	}
	short := c.OK("query_records", object{"tableId": "Companies", "ids": "short", "limit": 1})
	if r := short["records"].([]any)[0].(object); len(r["id"].(string)) != 8 || r["fields"] == nil {
		t.Errorf("with short ids: %v", short)
	}
	c.Refused("query_records", object{"tableId": "Companies", "ids": "none"}, "ids", "format rows")
	c.Refused("query_records", object{"tableId": "Companies", "include": []string{"version"}}, "include", "format rows")
	c.Refused("query_records", object{"tableId": "Companies", "format": "row"}, "format", "rows", "did you mean")
	c.Refused("query_records", object{"tableId": "Companies", "include": []string{"createdtime"}}, "include",
		"createdTime")
	c.Refused("create_records", object{"tableId": "Companies", "fields": object{}, "return": "all"}, "return", "none")
}

// The record's own columns differ from a field of the same name.
func TestAFieldCalledIDIsNoColumnOfTheRecord(t *testing.T) {
	t.Parallel()
	_, owner, c := linkedTables(t)
	base := owner.ID("POST", "/bases", `{"name":"Named"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"T","fields":[{"name":"id","type":"text"},`+
		`{"name":"version","type":"text"},{"name":"createdTime","type":"text"}]}`)
	c.OK("create_records", object{"tableId": table, "records": []object{
		{"fields": object{"id": "own", "version": "v", "createdTime": "then"}},
	}})
	page := c.OK("query_records", object{
		"tableId": table, "format": "rows", "include": []string{"createdTime", "version"},
	})
	if got := fmt.Sprint(page["columns"]); got != "[_id _createdTime _version id version createdTime]" {
		t.Errorf("the columns are %s", got)
	}
}

func TestShortIDsStandForRecords(t *testing.T) {
	t.Parallel()
	s, owner, c := linkedTables(t)
	rows := c.OK("query_records", object{"tableId": "Companies", "format": "rows"})["rows"].([]any)
	short := func(i int) string { return rows[i].([]any)[0].(string) }
	made := c.OK("create_records", object{"tableId": "Deals", "records": []object{
		{"fields": object{"Name": "One", "Company": []string{short(0), short(1)}}},
		{"fields": object{"Name": "Two", "Company": short(2)}},
	}, "return": "ids"})
	if len(made["ids"].([]any)) != 2 || made["records"] != nil {
		t.Fatalf("made %v", made)
	}
	deals := c.OK("query_records", object{"tableId": "Deals", "format": "rows", "fields": []string{"Name", "Company"}})
	got := deals["rows"].([]any)[0].([]any)[2].(object)
	titles := fmt.Sprint(got)
	if len(got) != 2 || !strings.Contains(titles, "Company 0") || !strings.Contains(titles, short(0)) {
		t.Errorf("the link is %v", got)
	}
	if text := fmt.Sprint(c.OK("fetch", object{"id": made["ids"].([]any)[0]})["text"]); !strings.Contains(text,
		"Company: Company 0, Company 1") {
		t.Errorf("the document says %q", text)
	}
	// A filter takes them too.
	found := c.OK("query_records", object{"tableId": "Deals", "filters": []object{{"or": []object{
		{"fieldId": "Company", "op": "has_any", "value": short(1)},
	}}}})
	if found["total"] != 1.0 {
		t.Errorf("found %v", found)
	}
	// What was read can be written.
	c.OK("update_record", object{"recordId": made["ids"].([]any)[1], "fields": object{"Company": got}})
	deals = c.OK("query_records", object{"tableId": "Deals", "format": "rows", "fields": []string{"Name", "Company"}})
	if again := deals["rows"].([]any)[1].([]any)[2]; !reflect.DeepEqual(again, any(got)) {
		t.Errorf("the link is %v and not %v", again, got)
	}
	c.OK("update_records", object{"tableId": "Companies", "records": []object{
		{"id": short(3), "fields": object{"Country": "BE"}},
	}})
	if r := c.OK("get_record",
		object{"recordId": "CRM/Companies/" + short(3)}); r["fields"].(object)["Country"] != "BE" {
		t.Errorf("the record is %v", r)
	}
	c.OK("delete_records", object{"tableId": "Companies", "ids": []string{short(4)}})
	c.Refused("delete_records", object{"tableId": "Companies", "ids": []string{short(4)}}, "not_found", "ids[0]",
		short(4))
	c.Refused("get_record", object{"recordId": short(5)}, "needs its table")
	stranger := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil)
	stranger.Refused("get_record", object{"recordId": "Companies/" + short(5)}, "not_found")
	stranger.Refused("delete_records", object{
		"tableId": owner.OK("GET", "/bases", "")["bases"].([]any)[0].(object)["id"],
		"ids":     []string{short(5)},
	}, "")
	if total := c.OK("query_records", object{"tableId": "Companies", "limit": 1})["total"]; total != 7.0 {
		t.Errorf("%v companies are left", total)
	}
}

func TestWritesReturnWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	_, _, c := linkedTables(t)
	many := func(amount int) (list []object) {
		for i := range 7 {
			list = append(list, object{"fields": object{"Name": fmt.Sprint("Deal ", i), "Amount": amount}})
		}
		return list
	}
	made := c.OK("create_records", object{"tableId": "Deals", "records": many(1), "return": "ids", "ids": "short"})
	if ids := made["ids"].([]any); len(ids) != 7 || len(ids[0].(string)) != 8 || made["changeSet"] == nil {
		t.Errorf("made %v", made)
	}
	upserted := c.OK("create_records", object{
		"tableId": "Deals", "records": many(2)[:3], "upsertOn": []string{"Name"},
		"return": "none",
	})
	if upserted["count"] != 3.0 || len(upserted["created"].([]any)) != 0 || len(upserted["updated"].([]any)) != 3 ||
		upserted["ids"] != nil {
		t.Errorf("upserted %v", upserted)
	}
	whole := c.OK("create_records", object{"tableId": "Deals", "fields": object{"Name": "x"}})
	if whole["records"].([]any)[0].(object)["fields"].(object)["Name"] != "x" {
		t.Errorf("made %v", whole)
	}
	id := whole["records"].([]any)[0].(object)["id"]
	updated := c.OK("update_record", object{"recordId": id, "fields": object{"Amount": 5}})
	if updated["id"] != id || updated["version"] == nil || updated["fields"].(object)["Amount"] != 5.0 {
		t.Errorf("updated %v", updated)
	}
}

// A hundred names take at most twelve tokens each with their ids.
func TestHundredNamesAreShort(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	var list []object
	for i := range 100 {
		list = append(list, object{"fields": object{"Name": fmt.Sprintf("Person Surname%d", i), "Amount": i}})
	}
	encoded, err := json.Marshal(object{"records": list})
	if err != nil {
		t.Fatal(err)
	}
	owner.OK("POST", "/tables/"+table+"/records", string(encoded))
	page := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil).
		OK("query_records", object{"tableId": table, "fields": []string{"Name"}, "format": "rows", "ids": "none"})
	text, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 100*25 {
		t.Errorf("a hundred names are %d bytes", len(text))
	}
}

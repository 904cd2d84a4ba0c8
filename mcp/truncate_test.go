package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// size is the number of tokens of a result, as the service estimates it.
func size(t *testing.T, answer object) int {
	t.Helper()
	encoded, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return mcp.Tokens(encoded)
}

// cutNote is a page's note of having been cut, or "".
func cutNote(page object) string {
	note, _ := page["note"].(string)
	return strings.TrimSpace(strings.TrimSuffix(note, operation.DataNote))
}

// fill adds records with a given number of characters of notes each.
func fill(t *testing.T, c *apitest.Client, table string, records, characters int) {
	t.Helper()
	var list []object
	for i := range records {
		list = append(list, object{
			"fields": object{"Name": fmt.Sprintf("Record %03d", i), "Notes": strings.Repeat("n", characters)},
		})
	}
	encoded, err := json.Marshal(object{"records": list})
	if err != nil {
		t.Fatal(err)
	}
	c.OK("POST", "/tables/"+table+"/records", string(encoded))
}

func TestShortenedPageSaysHowToContinue(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 100, 500)
	for era, first := range map[string]object{
		mcptest.Stateless:  {"tableId": table, "format": "rows"},
		mcptest.Initialize: {"tableId": table, "offset": 3, "format": "records", "maxTokens": 5000},
	} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		arguments, budget, list := first, 10_000, "rows"
		want := 100
		if first["format"] == "records" {
			budget, list, want = 5000, "records", 97
		}
		seen := map[string]bool{}
		for pages := 1; ; pages++ {
			page := c.OK("query_records", arguments)
			if got := size(t, page); got > budget {
				t.Fatalf("the page is %d tokens", got)
			}
			for _, r := range page[list].([]any) {
				id := ""
				if list == "rows" {
					id = r.([]any)[0].(string)
				} else {
					id = r.(object)["id"].(string)
				}
				seen[id] = true
			}
			if page["hasMore"] != true {
				if cutNote(page) != "" || pages == 1 {
					t.Errorf("page %d, which ends the list, says %v", pages, page["note"])
				}
				break
			}
			if note := cutNote(page); note == "" || !strings.Contains(note, "cursor") ||
				!strings.Contains(note, fmt.Sprintf("%d of 100 %s", len(page[list].([]any)), list)) {
				t.Fatalf("the note of page %d is %q", pages, note)
			}
			if pages > 20 {
				t.Fatal("the pages do not end")
			}
			arguments = maps.Clone(arguments)
			delete(arguments, "offset")
			arguments["cursor"] = page["cursor"]
		}
		if len(seen) != want {
			t.Errorf("saw %d of %d records", len(seen), want)
		}
		page := c.OK("query_records", object{"tableId": table, "fields": []string{"Name"}, "format": "rows"})
		if cutNote(page) != "" || len(page["rows"].([]any)) != 100 {
			t.Errorf("a page of one field was cut: %v", page["note"])
		}
		c.Refused("query_records", object{"tableId": table, "maxTokens": 30_000}, "maxTokens", "25000")
	}
}

func TestOversizedRecordIsRejectedWithAdvice(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 2, 90_000)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	c.Refused("query_records", object{"tableId": table}, "result_too_large", "fields")
	c.OK("query_records", object{"tableId": table, "fields": []string{"Name"}})
}

func TestOversizedWriteResultOmitsFields(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	var list []object
	for i := range 100 {
		list = append(list, object{"fields": object{"Name": fmt.Sprint(i), "Notes": strings.Repeat("n", 2000)}})
	}
	answer := c.OK("create_records", object{"tableId": table, "records": list, "return": "records"})
	if got := size(t, answer); got > 10_000 {
		t.Errorf("the answer is %d tokens", got)
	}
	if len(answer["records"].([]any)) != 100 || !strings.Contains(answer["note"].(string), "written") {
		t.Errorf("answered %v", answer["note"])
	}
}

// The result of a write is never an error because of its size.
func TestAWriteIsNeverAnsweredWithAnErrorForItsSize(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 5, 90_000)
	written := owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"one"}}`)["records"].([]any)
	made := written[0].(object)["id"].(string)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	for name, call := range map[string]struct {
		tool      string
		arguments object
		left      string // what is still in the result
	}{
		"a record": {
			"update_record",
			object{"recordId": made, "fields": object{"Notes": strings.Repeat("n", 90_000)}},
			"id",
		},
		"a comment": {
			"create_comment", object{"recordId": made, "text": strings.Repeat("漢字", 4900)}, "threadId",
		},
		"a plan": {
			"delete_records_where",
			object{
				"tableId": table, "filters": []object{{"field": "Name", "op": "starts_with", "value": "Rec"}},
				"plan": true,
			},
			"planToken",
		},
	} {
		answer := c.OK(call.tool, call.arguments)
		if got, limit := size(t, answer), 10_000; got > limit || answer[call.left] == nil ||
			!strings.Contains(fmt.Sprint(answer["note"]), "successful") {
			t.Errorf("%s: %d tokens, %v %v", name, got, answer[call.left], answer["note"])
		}
	}
}

func TestAShortenedTableOfAQuerySaysSo(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	if s.REST.Deps.DB.Distributed() {
		t.Skip("SQL is off on Citus")
	}
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 60, 2000)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	answer := c.OK("query_sql", object{"baseId": base, "sql": "select * from deals"})
	if rows := len(answer["rows"].([]any)); rows == 60 || answer["truncated"] != true {
		t.Errorf("%d rows, truncated %v, %v", rows, answer["truncated"], answer["note"])
	}
}

func TestLargeBaseIsDescribedInParts(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	var fields []string
	for i := range 40 {
		fields = append(fields, fmt.Sprintf(`{"name":"Field number %d","type":"single_select",`+
			`"config":{"options":["First option","Second option","Third option"]}}`, i))
	}
	for i := range 6 {
		owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Table %d","fields":[{"name":"Name",`+
			`"type":"text"},%s]}`, i, strings.Join(fields, ",")))
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	whole := c.OK("describe_base", object{"baseId": base})
	if got := size(t, whole); got > 10_000 || !strings.Contains(fmt.Sprint(whole["note"]), "of 7 tables") {
		t.Errorf("the whole is %d tokens and says %v", got, whole["note"])
	}
	namesOnly := c.OK("describe_base", object{"baseId": base, "detail": "names", "maxTokens": 25_000})
	if cutNote(namesOnly) != "" || len(namesOnly["tables"].([]any)) != 7 {
		t.Errorf("the names are %d tokens and say %v", size(t, namesOnly), namesOnly["note"])
	}
	one := c.OK("describe_base", object{"baseId": base, "tableIds": []string{"Table 5"}})
	if tables := one["tables"].([]any); len(tables) != 1 || tables[0].(object)["name"] != "Table 5" {
		t.Errorf("asked for one table and got %d", len(tables))
	}
}

func TestSearchReportsUnreadTables(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	for i := range 29 {
		table := owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Table %d"}`, i))
		if i == 28 {
			owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Needle in the last table"}}`)
		}
		owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Straw"}}`)
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	found := c.OK("search", object{"query": "needle"})
	if results := found["results"].([]any); len(results) != 1 ||
		!strings.Contains(results[0].(object)["title"].(string), "last table") || cutNote(found) != "" {
		t.Errorf("the search found %v", found)
	}
	many := c.OK("search", object{"query": "straw"})
	if len(many["results"].([]any)) != 20 || !strings.Contains(cutNote(many), "more than these 20") {
		t.Errorf("the search found %v", many)
	}
	doc := c.OK("fetch", object{"id": "rowhouse://docs/filters"})
	if !strings.Contains(doc["text"].(string), "has_any") || doc["title"] != "Filters and sorts" {
		t.Errorf("the document is %v", doc)
	}
}

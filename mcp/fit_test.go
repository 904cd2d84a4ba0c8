package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// most is what a result may hold: 60 KB.
const most = 60_000

func size(t *testing.T, answer object) int {
	t.Helper()
	encoded, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return len(encoded)
}

// fill adds records with so many characters of notes each.
func fill(t *testing.T, c *apitest.Client, table string, records, characters int) {
	t.Helper()
	var list []object
	for i := range records {
		list = append(list, object{"fields": object{"Name": fmt.Sprintf("Record %03d", i), "Notes": strings.Repeat("n", characters)}})
	}
	encoded, err := json.Marshal(object{"records": list})
	if err != nil {
		t.Fatal(err)
	}
	c.OK("POST", "/tables/"+table+"/records", string(encoded))
}

func TestAPageThatIsTooLargeSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	s, owner, _, table := house(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 100, 2000)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		seen := map[string]bool{}
		offset := 0
		for pages := 1; ; pages++ {
			page := c.OK("query_records", object{"tableId": table, "offset": offset})
			if got := size(t, page); got > most {
				t.Fatalf("the page is %d bytes", got)
			}
			for _, r := range page["records"].([]any) {
				seen[r.(object)["id"].(string)] = true
			}
			if page["hasMore"] != true {
				if _, cut := page["note"]; cut {
					t.Errorf("a page that ends the list says %v", page["note"])
				}
				break
			}
			offset += len(page["records"].([]any))
			if note, _ := page["note"].(string); note == "" || !strings.Contains(note, fmt.Sprintf("offset %d", offset)) || !strings.Contains(note, "fields") {
				t.Fatalf("the note of page %d is %q", pages, note)
			}
			if pages > 10 {
				t.Fatal("the pages do not end")
			}
		}
		if len(seen) != 100 {
			t.Errorf("saw %d of 100 records", len(seen))
		}
		page := c.OK("query_records", object{"tableId": table, "fields": []string{"Name"}})
		if _, cut := page["note"]; cut || len(page["records"].([]any)) != 100 {
			t.Errorf("a page of one field was cut: %v", page["note"])
		}
	}
}

func TestAPageBehindACursorIsCutWithoutLoss(t *testing.T) {
	t.Parallel()
	s, owner, _, table := house(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 100, 2000)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	first := c.OK("query_records", object{"tableId": table, "limit": 10})
	arguments := object{"tableId": table, "cursor": first["cursor"]}
	cut := c.OK("query_records", arguments)
	if note, _ := cut["note"].(string); cut["cursor"] != nil || cut["hasMore"] != true || !strings.Contains(note, "limit") || strings.Contains(note, "offset") {
		t.Fatalf("the cut page has the cursor %v and says %q", cut["cursor"], note)
	}
	seen := len(first["records"].([]any))
	arguments["limit"] = len(cut["records"].([]any))
	for {
		page := c.OK("query_records", arguments)
		seen += len(page["records"].([]any))
		if page["hasMore"] != true {
			break
		}
		arguments["cursor"] = page["cursor"]
	}
	if seen != 100 {
		t.Errorf("saw %d of 100 records", seen)
	}
}

func TestARecordThatIsTooLargeIsRefusedWithTheWayOut(t *testing.T) {
	t.Parallel()
	s, owner, _, table := house(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 1, 90_000)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	c.Refused("query_records", object{"tableId": table}, "result_too_large", "fields")
	c.OK("query_records", object{"tableId": table, "fields": []string{"Name"}})
}

func TestWhatWasWrittenIsAnsweredEvenWhenItIsLong(t *testing.T) {
	t.Parallel()
	s, owner, _, table := house(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	var list []object
	for i := range 100 {
		list = append(list, object{"fields": object{"Name": fmt.Sprint(i), "Notes": strings.Repeat("n", 2000)}})
	}
	answer := c.OK("create_records", object{"tableId": table, "records": list})
	if got := size(t, answer); got > most {
		t.Errorf("the answer is %d bytes", got)
	}
	if len(answer["records"].([]any)) != 100 || !strings.Contains(answer["note"].(string), "written") {
		t.Errorf("answered %v", answer["note"])
	}
}

func TestALargeBaseIsDescribedInParts(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := house(t)
	var fields []string
	for i := range 60 {
		fields = append(fields, fmt.Sprintf(`{"name":"Field number %d","type":"single_select","config":{"options":["First option","Second option","Third option"]}}`, i))
	}
	for i := range 6 {
		owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Table %d","fields":[{"name":"Name","type":"text"},%s]}`, i, strings.Join(fields, ",")))
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	whole := c.OK("describe_base", object{"baseId": base})
	if got := size(t, whole); got > most || !strings.Contains(fmt.Sprint(whole["note"]), "of 7 tables") {
		t.Errorf("the whole is %d bytes and says %v", got, whole["note"])
	}
	namesOnly := c.OK("describe_base", object{"baseId": base, "detail": "names"})
	if _, cut := namesOnly["note"]; cut || len(namesOnly["tables"].([]any)) != 7 {
		t.Errorf("the names are %d bytes and say %v", size(t, namesOnly), namesOnly["note"])
	}
	one := c.OK("describe_base", object{"baseId": base, "tableIds": []string{"Table 5"}})
	if tables := one["tables"].([]any); len(tables) != 1 || tables[0].(object)["name"] != "Table 5" {
		t.Errorf("asked for one table and got %d", len(tables))
	}
}

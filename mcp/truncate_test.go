package mcp_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/mcp"
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

// cutNote is what a page says of having been cut, or "".
func cutNote(page object) string {
	note, _ := page["note"].(string)
	return strings.TrimSpace(strings.TrimSuffix(note, mcptest.DataNote))
}

// fill adds records with so many characters of notes each.
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

func TestTruncatedPageSaysHowToContinue(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
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
				if cutNote(page) != "" {
					t.Errorf("a page that ends the list says %v", page["note"])
				}
				break
			}
			offset += len(page["records"].([]any))
			if note := cutNote(page); note == "" || !strings.Contains(note, fmt.Sprintf("offset %d", offset)) ||
				!strings.Contains(note, "fields") {
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
		if cutNote(page) != "" || len(page["records"].([]any)) != 100 {
			t.Errorf("a page of one field was cut: %v", page["note"])
		}
	}
}

func TestTruncatedCursorPageLosesNothing(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 100, 2000)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	first := c.OK("query_records", object{"tableId": table, "limit": 10})
	arguments := object{"tableId": table, "cursor": first["cursor"]}
	cut := c.OK("query_records", arguments)
	if note, _ := cut["note"].(string); cut["cursor"] != nil || cut["hasMore"] != true ||
		!strings.Contains(note, "limit") || strings.Contains(note, "offset") {
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

func TestOversizedRecordIsRejectedWithAdvice(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 1, 90_000)
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
	answer := c.OK("create_records", object{"tableId": table, "records": list})
	if got := size(t, answer); got > most {
		t.Errorf("the answer is %d bytes", got)
	}
	if len(answer["records"].([]any)) != 100 || !strings.Contains(answer["note"].(string), "written") {
		t.Errorf("answered %v", answer["note"])
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
	if got := size(t, whole); got > most || !strings.Contains(fmt.Sprint(whole["note"]), "of 7 tables") {
		t.Errorf("the whole is %d bytes and says %v", got, whole["note"])
	}
	namesOnly := c.OK("describe_base", object{"baseId": base, "detail": "names"})
	if cutNote(namesOnly) != "" || len(namesOnly["tables"].([]any)) != 7 {
		t.Errorf("the names are %d bytes and say %v", size(t, namesOnly), namesOnly["note"])
	}
	one := c.OK("describe_base", object{"baseId": base, "tableIds": []string{"Table 5"}})
	if tables := one["tables"].([]any); len(tables) != 1 || tables[0].(object)["name"] != "Table 5" {
		t.Errorf("asked for one table and got %d", len(tables))
	}
}

func TestResultStaysBelowTokenLimit(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	// Base32 as ids have it: 1.6 bytes a token. 100 records of it are 55 KB, which is below the
	// bound in bytes.
	var list []object
	for i := range 100 {
		sum := sha256.Sum256([]byte{byte(i)})
		notes := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]) + base32.StdEncoding.EncodeToString(sum[:]))
		list = append(list, object{"fields": object{"Name": notes[:40], "Notes": notes + notes + notes}})
	}
	encoded, err := json.Marshal(object{"records": list})
	if err != nil {
		t.Fatal(err)
	}
	owner.OK("POST", "/tables/"+table+"/records", string(encoded))
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	seen := 0
	for pages := 0; ; pages++ {
		page := c.OK("query_records", object{"tableId": table, "offset": seen})
		text, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		if got := mcp.Tokens(text); got > 25_000 {
			t.Errorf("a page of %d bytes is %d tokens", len(text), got)
		}
		seen += len(page["records"].([]any))
		if page["hasMore"] != true {
			break
		}
		if !strings.Contains(cutNote(page), fmt.Sprintf("offset %d", seen)) || pages > 9 {
			t.Fatalf("page %d says %v", pages, page["note"])
		}
	}
	if seen != 100 {
		t.Errorf("saw %d of 100 records", seen)
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
	if len(many["results"].([]any)) != 20 || !strings.Contains(cutNote(many), "may be more") {
		t.Errorf("the search found %v", many)
	}
	doc := c.OK("fetch", object{"id": "rowhouse://docs/filters"})
	if !strings.Contains(doc["text"].(string), "has_any") || doc["title"] != "Filters and sorts" {
		t.Errorf("the document is %v", doc)
	}
}

package mcp_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Tasks that people give to agents, played only through tools: nothing here knows more than the
// tools and their results say.

// buildCRM makes a base with companies and deals, as an agent would from "a small CRM: companies,
// contacts and deals with stages".
func buildCRM(t *testing.T, c *mcptest.Client) {
	t.Helper()
	orgs := c.OK("list_orgs", nil)["orgs"].([]any)
	c.OK("create_base", object{"name": "Sales", "orgId": orgs[0].(object)["id"]})
	c.OK("create_table", object{"baseId": "Sales", "name": "Contacts", "fields": []object{
		{"name": "Name", "type": "text"},
		{"name": "Email", "type": "email"},
		{"name": "Phone", "type": "phone"},
		{"name": "City", "type": "text"},
		{"name": "Score", "type": "number", "config": object{"precision": 0}},
	}})
	c.OK("create_table", object{"baseId": "Sales", "name": "Deals", "fields": []object{
		{"name": "Title", "type": "text"},
		{"name": "Amount", "type": "currency", "config": object{"symbol": "€", "precision": 2}},
		{"name": "Stage", "type": "single_select", "config": object{"options": []string{"Open", "Won", "Lost"}}},
		{"name": "Closed", "type": "date"},
	}})
	c.OK("create_view", object{"tableId": "Sales/Deals", "type": "kanban", "name": "By stage"})
	c.OK("update_view", object{"viewId": "By stage", "config": object{"stackFieldId": "Stage"}})
}

func agent(t *testing.T) (*mcptest.Server, *apitest.Client, *mcptest.Client) {
	t.Helper()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	buildCRM(t, c)
	return s, owner, c
}

// all reads every record of a table by following the pages.
func all(t *testing.T, c *mcptest.Client, arguments object) []object {
	t.Helper()
	arguments = maps.Clone(arguments)
	arguments["format"] = "records"
	var list []object
	for {
		arguments["offset"] = len(list)
		page := c.OK("query_records", arguments)
		for _, r := range page["records"].([]any) {
			list = append(list, r.(object))
		}
		if page["hasMore"] != true {
			return list
		}
	}
}

func TestTaskBuildCRM(t *testing.T) {
	t.Parallel()
	_, _, c := agent(t)
	described := c.OK("describe_base", object{"baseId": "Sales"})
	var got []string
	for _, table := range described["tables"].([]any) {
		table := table.(object)
		for _, f := range table["fields"].([]any) {
			got = append(got, fmt.Sprintf("%v.%v %v", table["name"], f.(object)["name"], f.(object)["type"]))
		}
	}
	want := []string{
		"Contacts.Name text", "Contacts.Email email", "Contacts.Phone phone", "Contacts.City text",
		"Contacts.Score number", "Deals.Title text", "Deals.Amount currency", "Deals.Stage single_select",
		"Deals.Closed date",
	}
	if !slices.Equal(got, want) {
		t.Errorf("built %v", got)
	}
}

// importContacts loads 500 rows, every tenth with the e-mail address of the row before it in other
// letter case.
func importContacts(t *testing.T, c *mcptest.Client) {
	t.Helper()
	for batch := range 5 {
		var records []object
		for i := batch * 100; i < batch*100+100; i++ {
			email := fmt.Sprintf("person%d@example.com", i)
			row := object{"Name": fmt.Sprintf("Person %d", i), "Email": email, "Score": fmt.Sprint(i % 100)}
			if i%10 == 9 {
				row = object{
					"Name":  fmt.Sprintf("Person %d", i-1),
					"Email": strings.ToUpper(fmt.Sprintf("person%d@example.com", i-1)),
					"City":  "Ghent",
				}
			}
			records = append(records, object{"fields": row})
		}
		answer := c.OK("create_records", object{"tableId": "Contacts", "records": records, "typecast": true})
		if len(mcptest.IDs(answer)) != 100 {
			t.Fatalf("batch %d made %d records", batch, len(mcptest.IDs(answer)))
		}
	}
}

func TestTaskImportRowsThenMergeDuplicatesByEmail(t *testing.T) {
	t.Parallel()
	_, _, c := agent(t)
	importContacts(t, c)
	first := map[string]object{}
	var merged []object
	var spare []string
	for _, r := range all(t, c, object{"tableId": "Contacts"}) {
		fields := r["fields"].(object)
		key := strings.ToLower(fields["Email"].(string))
		kept, seen := first[key]
		if !seen {
			first[key] = r
			continue
		}
		change := object{}
		for name, value := range fields {
			if kept["fields"].(object)[name] == nil && value != nil {
				change[name] = value
			}
		}
		merged = append(merged, object{"id": kept["id"], "fields": change})
		spare = append(spare, r["id"].(string))
	}
	if len(spare) != 50 {
		t.Fatalf("found %d duplicates", len(spare))
	}
	c.OK("update_records", object{"tableId": "Contacts", "records": merged})
	c.Refused("delete_records", object{"tableId": "Contacts", "ids": spare}, "confirmation_required", "50 records")
	c.OK("delete_records", object{"tableId": "Contacts", "ids": spare, "confirm": true})
	page := c.OK("query_records", object{
		"tableId": "Contacts",
		"limit":   1,
		"filters": []object{{"fieldId": "City", "op": "eq", "value": "Ghent"}},
	})
	if page["total"] != 50.0 {
		t.Errorf("%v survivors took over the city", page["total"])
	}
	if page := c.OK("query_records", object{"tableId": "Contacts", "limit": 1}); page["total"] != 450.0 {
		t.Errorf("%v contacts are left", page["total"])
	}
}

func TestTaskAddStatusField(t *testing.T) {
	t.Parallel()
	_, _, c := agent(t)
	importContacts(t, c)
	c.OK("create_field", object{
		"tableId": "Contacts",
		"name":    "Status",
		"type":    "single_select",
		"config":  object{"options": []string{"Cold", "Hot"}},
	})
	for status, filter := range map[string]object{
		"Hot":  {"fieldId": "Score", "op": "gte", "value": 50},
		"Cold": {"or": []object{{"fieldId": "Score", "op": "lt", "value": 50}, {"fieldId": "Score", "op": "is_empty"}}},
	} {
		records := all(t, c, object{"tableId": "Contacts", "filters": []object{filter}, "fields": []string{"Name"}})
		for chunk := range slices.Chunk(records, 100) {
			var changes []object
			for _, r := range chunk {
				changes = append(changes, object{"id": r["id"], "fields": object{"Status": status}})
			}
			c.OK("update_records", object{"tableId": "Contacts", "records": changes})
		}
	}
	for status, want := range map[string]float64{"Hot": 225, "Cold": 275} {
		page := c.OK("query_records", object{
			"tableId": "Contacts",
			"limit":   1,
			"filters": []object{{"fieldId": "Status", "op": "eq", "value": status}},
		})
		if page["total"] != want {
			t.Errorf("%v contacts are %s", page["total"], status)
		}
	}
}

func TestTaskRevenueByStageThisQuarter(t *testing.T) {
	t.Parallel()
	_, _, c := agent(t)
	now := time.Now().UTC()
	begin := time.Date(now.Year(), (now.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	c.OK("create_records", object{"tableId": "Deals", "records": []object{
		{"fields": object{"Title": "A", "Amount": 100.25, "Stage": "Won", "Closed": day(begin)}},
		{"fields": object{"Title": "B", "Amount": 50, "Stage": "Won", "Closed": day(begin.AddDate(0, 3, -1))}},
		{"fields": object{"Title": "C", "Amount": 7, "Stage": "Lost", "Closed": day(begin.AddDate(0, 1, 0))}},
		{"fields": object{"Title": "D", "Amount": 1000, "Stage": "Won", "Closed": day(begin.AddDate(0, 0, -1))}},
		{"fields": object{"Title": "E", "Amount": 1000, "Stage": "Won", "Closed": day(begin.AddDate(0, 3, 0))}},
		{"fields": object{"Title": "F", "Amount": 1000, "Stage": "Open"}},
	}})
	answer := c.OK("aggregate_records", object{
		"tableId":    "Deals",
		"groupBy":    []string{"Stage"},
		"aggregates": []object{{"fn": "sum", "fieldId": "Amount"}, {"fn": "count"}},
		"filters": []object{
			{"fieldId": "Closed", "op": "between", "value": []string{day(begin), day(begin.AddDate(0, 3, -1))}},
		},
	})
	got := map[any]any{}
	for _, group := range answer["groups"].([]any) {
		group := group.(object)
		got[group["key"].(object)["Stage"]] = group["results"].(object)["sum(Amount)"]
	}
	if len(got) != 2 || got["Won"] != 150.25 || got["Lost"] != 7.0 {
		t.Errorf("the revenue is %v of %v", got, answer)
	}
}

func TestTaskUndoBulkEdit(t *testing.T) {
	t.Parallel()
	_, _, c := agent(t)
	var deals []object
	for i := range 30 {
		stage := "Open"
		if i%3 == 0 {
			stage = "Won"
		}
		deals = append(deals, object{"fields": object{"Title": fmt.Sprint("Deal ", i), "Stage": stage}})
	}
	c.OK("create_records", object{"tableId": "Deals", "records": deals})
	open := []object{{"fieldId": "Stage", "op": "eq", "value": "Open"}}
	var changes []object
	for _, r := range all(t, c, object{"tableId": "Deals", "filters": open}) {
		changes = append(changes, object{"id": r["id"], "fields": object{"Stage": "Won"}})
	}
	answer := c.OK("update_records", object{"tableId": "Deals", "records": changes})
	// "No, that was wrong": the result says which records it was.
	var back []object
	for _, id := range mcptest.IDs(answer) {
		back = append(back, object{"id": id, "fields": object{"Stage": "Open"}})
	}
	c.OK("update_records", object{"tableId": "Deals", "records": back})
	if page := c.OK("query_records", object{"tableId": "Deals", "filters": open, "limit": 1}); page["total"] != 20.0 {
		t.Errorf("%v deals are open again", page["total"])
	}
	// The same for records that should not have been created.
	made := c.OK("create_records", object{
		"tableId": "Deals",
		"records": []object{{"fields": object{"Title": "x"}}, {"fields": object{"Title": "y"}}},
	})
	var ids []string
	for _, id := range mcptest.IDs(made) {
		ids = append(ids, id.(string))
	}
	c.OK("delete_records", object{"tableId": "Deals", "ids": ids})
	if page := c.OK("query_records", object{"tableId": "Deals", "limit": 1}); page["total"] != 30.0 {
		t.Errorf("%v deals are left", page["total"])
	}
}

func TestTaskRecoverFromErrors(t *testing.T) {
	t.Parallel()
	s, owner, c := agent(t)
	// took returns the match of a pattern in the error that a call must end with.
	took := func(c *mcptest.Client, pattern, tool string, arguments object) string {
		t.Helper()
		answer := c.Refused(tool, arguments)
		found := regexp.MustCompile(pattern).FindStringSubmatch(answer["detail"].(string))
		if found == nil {
			t.Fatalf("%s: the error does not say what would be right: %v", tool, answer)
		}
		return found[1]
	}
	suggestion := `did you mean "([^"]+)"`

	t.Run("a wrong field name", func(t *testing.T) {
		name := took(c, suggestion, "create_records", object{"tableId": "Deals", "fields": object{"Titel": "A"}})
		c.OK("create_records", object{"tableId": "Deals", "fields": object{name: "A"}})
	})
	t.Run("a wrong option", func(t *testing.T) {
		option := took(c, `the options are [^,]+, ([^,]+)`, "create_records", object{
			"tableId": "Deals",
			"fields":  object{"Title": "B", "Stage": "Closed won"},
		})
		c.OK("create_records", object{"tableId": "Deals", "fields": object{"Title": "B", "Stage": option}})
	})
	t.Run("a wrong operator", func(t *testing.T) {
		op := took(c, `the operators are .*?(gte)`, "query_records", object{
			"tableId": "Deals",
			"filters": []object{{"fieldId": "Amount", "op": "more", "value": 1}},
		})
		c.OK("query_records", object{
			"tableId": "Deals",
			"filters": []object{{"fieldId": "Amount", "op": op, "value": 1}},
		})
	})
	t.Run("a missing scope", func(t *testing.T) {
		weak := *owner.Principal
		weak.Scopes = []authz.Scope{authz.MCPTools, authz.SchemaRead, authz.DataRead}
		arguments := object{"tableId": "Deals", "fields": object{"Title": "C"}}
		// A key does not see tools that it may not call; an agent that learned of one elsewhere
		// calls it all the same.
		response, body := s.Post(t, s.REST.As(t, &weak), "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
			`"params":{"name":"create_records","arguments":{"tableId":"Deals","fields":{"Title":"C"}}}}`, nil)
		missing := regexp.MustCompile(`lacks the scope (\S+);`).FindStringSubmatch(body)
		if response.StatusCode != 200 || missing == nil || !strings.Contains(body, `"isError":true`) {
			t.Fatalf("%d %s", response.StatusCode, body)
		}
		more := weak
		more.Scopes = append(slices.Clone(weak.Scopes), authz.Scope(missing[1]))
		s.Dial(t, s.REST.As(t, &more), mcptest.Stateless, "/mcp", nil).OK("create_records", arguments)
	})
	t.Run("an id of another table", func(t *testing.T) {
		contact := mcptest.IDs(c.OK("create_records", object{
			"tableId": "Contacts",
			"fields":  object{"Name": "Ada"},
		}))[0]
		answer := c.Refused("update_records", object{
			"tableId": "Deals",
			"records": []object{{"id": contact, "fields": object{"Title": "Ada"}}},
		})
		if text := fmt.Sprint(answer["detail"]); !strings.Contains(text, "table") ||
			!strings.Contains(text, contact.(string)) {
			t.Fatalf("the error does not say that the record is in another table: %s", text)
		}
		c.OK("update_record", object{"recordId": contact, "fields": object{"Name": "Ada Lovelace"}})
		kind := took(c, `is the id of a (\w+)`, "query_records", object{
			"tableId": c.OK("list_bases", nil)["bases"].([]any)[0].(object)["id"],
		})
		if kind != "base" {
			t.Errorf("said that it is the id of a %s", kind)
		}
	})
}

func TestTaskSearchAndFetch(t *testing.T) {
	t.Parallel()
	s, _, c := agent(t)
	made := mcptest.IDs(c.OK("create_records", object{
		"tableId": "Contacts",
		"fields":  object{"Name": "Grace Hopper", "City": "Arlington", "Score": 99},
	}))[0]
	results := c.OK("search", object{"query": "hopper"})["results"].([]any)
	if len(results) != 1 || results[0].(object)["id"] != made || results[0].(object)["title"] != "Grace Hopper "+
		"(Sales/Contacts)" ||
		!strings.HasPrefix(results[0].(object)["url"].(string), s.URL+"/base/bas_") {
		t.Fatalf("found %v", results)
	}
	document := c.OK("fetch", object{"id": made})
	if document["title"] != "Grace Hopper" || !strings.Contains(document["text"].(string), "City: Arlington") ||
		document["url"] == "" {
		t.Errorf("fetched %v", document)
	}
	if results := c.OK("search", object{"query": "deals"})["results"].([]any); len(results) != 1 ||
		!strings.Contains(results[0].(object)["title"].(string), "Sales/Deals") {
		t.Errorf("found %v", results)
	}
	c.OK("fetch", object{"id": c.OK("search", object{"query": "sales"})["results"].([]any)[0].(object)["id"]})
	c.Refused("fetch", object{"id": "usr_00000000000000000000000000"}, "search returns them")
	c.Refused("search", object{"qurey": "x"}, "did you mean", "query")
	stranger := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil)
	if results := stranger.OK("search", object{"query": "hopper"})["results"].([]any); len(results) != 0 {
		t.Errorf("a stranger found %v", results)
	}
	stranger.Refused("fetch", object{"id": made}, "not_found")
}

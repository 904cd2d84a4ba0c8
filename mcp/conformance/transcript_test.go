package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

type object = map[string]any

// A transcript is what an agent says to tools and hears from them in one task.
type transcript struct {
	t     *testing.T
	c     *mcptest.Client
	calls int
	said  []string
}

func (p *transcript) call(tool string, arguments object) object {
	p.t.Helper()
	encoded, err := json.Marshal(arguments)
	if err != nil {
		p.t.Fatal(err)
	}
	result, err := p.c.CallTool(p.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		p.t.Fatalf("%s %s: %v %v", tool, encoded, err, result)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	p.calls++
	p.said = append(p.said, tool+string(encoded), text)
	var answer object
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		p.t.Fatal(err)
	}
	return answer
}

// contacts is CSV with as many people, of whom each second from the 200th on is there already.
func contacts(count int) string {
	var text strings.Builder
	text.WriteString("Name,Email,City,Company\n")
	cities := []string{"Oslo", "Ghent", "Turin", "Lyon"}
	for i := range count {
		person, city := i, cities[i%4]
		if i >= 200 && i%2 == 1 {
			person, city = i-200, ""
		}
		fmt.Fprintf(&text, "Person Surname%d,person%d@example.com,%s,Company %d\n", person, person, city, person%10)
	}
	return text.String()
}

// workspace makes a base as a person has made it: contacts and deals, linked to companies.
func workspace(t *testing.T, s *mcptest.Server) (owner *apitest.Client, c *mcptest.Client) {
	t.Helper()
	owner = s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
	table := func(name, fields string) string {
		return owner.ID("POST", "/bases/"+base+"/tables", `{"name":"`+name+`","fields":[{"name":"Name",`+
			`"type":"text"},`+fields+`]}`)
	}
	companies := table("Companies", `{"name":"Country","type":"text"}`)
	people := table("Contacts", `{"name":"Email","type":"email"},{"name":"City","type":"text"}`)
	deals := table("Deals", `{"name":"Amount","type":"number"},{"name":"Closed","type":"date"},`+
		`{"name":"Stage","type":"single_select","config":{"options":["Open","Won","Lost"]}}`)
	session := *owner.Principal
	session.Kind = "session"
	for _, from := range []string{people, deals} {
		s.REST.As(t, &session).ID("POST", "/tables/"+from+"/fields",
			`{"name":"Company","type":"link","config":{"linkedTableId":"`+companies+`"}}`)
	}
	c = s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	var company, deal strings.Builder
	company.WriteString("Name,Country\n")
	for i := range 10 {
		fmt.Fprintf(&company, "Company %d,%s\n", i, []string{"Norway", "Belgium", "Italy"}[i%3])
	}
	deal.WriteString("Name,Amount,Closed,Stage,Company\n")
	for i := range 200 {
		fmt.Fprintf(&deal, "Deal %d,%d,2026-%02d-%02d,%s,Company %d\n", i, (i*37)%1000, 1+i%12, 1+i%28,
			[]string{"Open", "Won", "Lost"}[i%3], i%10)
	}
	c.OK("import_records", object{"tableId": "Companies", "csv": company.String()})
	c.OK("import_records", object{"tableId": "Deals", "csv": deal.String()})
	c.OK("import_records", object{"tableId": "Contacts", "csv": contacts(300)})
	return owner, c
}

func total(c *mcptest.Client, table string, filters ...object) any {
	return c.OK("query_records", object{"tableId": table, "limit": 1, "filters": append([]object{},
		filters...)})["total"]
}

// Tasks that people give to agents, with the calls and tokens that each takes. `make bench` prints them.
func TestTasksTakeFewCallsAndTokens(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	for _, task := range []struct {
		name          string
		calls, tokens int // at most
		play          func(t *testing.T, owner *apitest.Client, p *transcript)
	}{
		{"five questions over linked tables", 8, 3000, func(t *testing.T, _ *apitest.Client, p *transcript) {
			p.call("describe_base", object{"baseId": "CRM", "detail": "names"})
			ask := func(more object) object {
				question := object{"tableId": "Deals"}
				maps.Copy(question, more)
				return p.call("aggregate_records", question)
			}
			sum := []object{{"fn": "sum", "fieldId": "Amount"}}
			won := []object{{"fieldId": "Stage", "op": "eq", "value": "Won"}}
			ask(object{"groupBy": []string{"Company.Country"}, "aggregates": sum, "filters": won})
			ask(object{"groupBy": []string{"quarter(Closed)"}, "aggregates": sum, "filters": won})
			top := ask(object{
				"groupBy": []string{"Company"}, "aggregates": sum, "limit": 3,
				"orderBy": []object{{"by": "sum(Amount)", "dir": "desc"}},
			})
			if len(top["groups"].([]any)) != 3 {
				t.Errorf("the best companies are %v", top)
			}
			ask(object{"groupBy": []string{"Stage"}, "aggregates": []object{
				{"fn": "median", "fieldId": "Amount"},
				{"fn": "percent_of_total"},
			}})
			ask(object{"filters": []object{{"fieldId": "Company.Country", "op": "eq", "value": "Italy"}}})
		}},
		{"model a CRM and load 300 rows", 8, 0, func(t *testing.T, _ *apitest.Client, p *transcript) {
			p.call("list_bases", object{})
			p.call("create_base", object{"name": "Mine"})
			p.call("create_table", object{"baseId": "Mine", "name": "People", "fields": []object{
				{"name": "Name", "type": "text"},
				{"name": "Email", "type": "email"},
				{"name": "City", "type": "text"},
				{"name": "Company", "type": "text"},
			}})
			if made := p.call("import_records", object{
				"tableId": "Mine/People",
				"csv":     contacts(300),
			}); made["created"] != 300.0 {
				t.Errorf("imported %v", made)
			}
		}},
		{"clean 300 rows and merge 50", 6, 10_000, func(t *testing.T, _ *apitest.Client, p *transcript) {
			twice := p.call("aggregate_records", object{
				"tableId": "Contacts", "groupBy": []string{"Email"}, "limit": 100,
				"having": []object{{"by": "count", "op": "gt", "value": 1}},
			})
			var emails []any
			for _, row := range twice["rows"].([]any) {
				emails = append(emails, row.([]any)[0])
			}
			page := p.call("query_records", object{
				"tableId": "Contacts", "fields": []string{"Email"},
				"filters": []object{{"fieldId": "Email", "op": "in", "value": emails}, {
					"fieldId": "City",
					"op":      "is_empty",
				}},
			})
			var spare []any
			for _, row := range page["rows"].([]any) {
				spare = append(spare, row.([]any)[0])
			}
			if len(emails) != 50 || len(spare) != 50 {
				t.Fatalf("found %d addresses and %d spare records", len(emails), len(spare))
			}
			p.call("delete_records", object{"tableId": "Contacts", "ids": spare, "confirm": true})
			p.call("update_records_where", object{
				"tableId": "Contacts", "fields": object{"City": "Gent"},
				"filters": []object{{"fieldId": "City", "op": "eq", "value": "Ghent"}},
			})
			if left := total(p.c, "Contacts"); left != 250.0 {
				t.Errorf("%v contacts are left", left)
			}
		}},
		{"change many, then undo that", 5, 2500, func(t *testing.T, _ *apitest.Client, p *transcript) {
			open := []object{{"fieldId": "Stage", "op": "eq", "value": "Open"}}
			in := object{"tableId": "Deals", "filters": open, "fields": object{"Stage": "Lost"}}
			plan := maps.Clone(in)
			plan["plan"] = true
			in["apply"] = p.call("update_records_where", plan)["planToken"]
			changed := p.call("update_records_where", in)
			p.call("revert_changes", object{"baseId": "CRM", "changeSets": []any{changed["changeSet"]}})
			gone := p.call("delete_records_where", object{"tableId": "Deals", "filters": open, "confirm": true})
			p.call("revert_changes", object{"baseId": "CRM", "changeSets": []any{gone["changeSet"]}})
			if left := total(p.c, "Deals", open...); left != 67.0 {
				t.Errorf("%v deals are open", left)
			}
		}},
		{"five vague searches", 5, 6000, func(t *testing.T, _ *apitest.Client, p *transcript) {
			for query, want := range map[string]string{
				"surname17 person": "Person Surname17 (", "company 7 belgium": "Company 7 (CRM/Companies)",
				"person44@exam": "Person Surname44 (", "pesron surname202": "Person Surname202 (",
				"deal 137": "Deal 137 (",
			} {
				answer := p.call("search", object{"query": query})
				if results := answer["results"].([]any); len(results) == 0 ||
					!strings.HasPrefix(results[0].(object)["title"].(string), want) {
					t.Errorf("%q found %v", query, results)
				}
			}
		}},
		{"the names of 100 contacts", 1, 1200, func(t *testing.T, _ *apitest.Client, p *transcript) {
			page := p.call("query_records", object{"tableId": "Contacts", "fields": []string{"Name"}, "ids": "none"})
			if len(page["rows"].([]any)) != 100 {
				t.Errorf("there are %d names", len(page["rows"].([]any)))
			}
		}},
	} {
		owner, c := workspace(t, s)
		p := &transcript{t: t, c: c}
		task.play(t, owner, p)
		limit := task.tokens
		if limit == 0 {
			limit = 13 * interoptest.Tokens(t, contacts(300))[0] / 10
		}
		tokens := 0
		for _, n := range interoptest.Tokens(t, p.said...) {
			tokens += n
		}
		t.Logf("%-34s %2d calls of %d, %5d tokens of %d", task.name, p.calls, task.calls, tokens, limit)
		if p.calls > task.calls || tokens > limit {
			t.Errorf("%s took %d calls and %d tokens; it may take %d and %d", task.name, p.calls, tokens, task.calls,
				limit)
		}
	}
}

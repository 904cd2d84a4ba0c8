package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Fifteen questions in people's words to a base with a thousand records, each with the record that
// is meant.
func TestPlausibleQuestionsFindTheirRecords(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	zone := "America/New_York"
	owner.OK("PATCH", "/bases/"+base, `{"timeZone":"`+zone+`"}`)
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now().In(location)
	day := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	lastMarch := today.Year() // that has ended
	if today.Month() <= time.March {
		lastMarch--
	}
	make := func(name, fields string, records []object) {
		id := owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":%q,"fields":[%s]}`, name, fields))
		for chunk := range slices.Chunk(records, 100) {
			encoded, err := json.Marshal(object{"records": chunk})
			if err != nil {
				t.Fatal(err)
			}
			owner.OK("POST", "/tables/"+id+"/records", string(encoded))
		}
	}
	text := func(names ...string) string {
		return `{"name":"` + strings.Join(names, `","type":"text"},{"name":"`) + `","type":"text"}`
	}
	f := func(values ...any) object {
		fields := object{}
		for i := 0; i+1 < len(values); i += 2 {
			fields[values[i].(string)] = values[i+1]
		}
		return object{"fields": fields}
	}
	var parts []object
	for i := range 700 {
		parts = append(parts, f("Name", fmt.Sprintf("Part %d", i), "Note", "bolt for a crane, delivered by truck"))
	}
	make("Parts", text("Name", "Note"), parts)
	make("Clients", text("Name", "City", "Contact"), []object{
		f("Name", "Harbour Cranes Ltd", "City", "Rotterdam", "Contact", "Pieter de Vries"),
		f("Name", "Nordlys Energi", "City", "Tromsø", "Contact", "Ingrid Solberg"),
		f("Name", "Café Lumière", "City", "Lyon", "Contact", "Amélie Dubois"),
		f("Name", "Bright Dental", "City", "Leeds", "Contact", "Tom Ashworth"),
	})
	make("Invoices", text("Number", "Client")+`,{"name":"Issued","type":"date"},{"name":"Status","type":`+
		`"single_select","config":{"options":["Paid","Overdue"]}}`, []object{
		f("Number", "INV-0990", "Client", "Harbour Cranes Ltd", "Issued", "2025-05-20", "Status", "Paid"),
		f("Number", "INV-1041", "Client", "Harbour Cranes Ltd", "Issued", "2026-05-20", "Status", "Overdue"),
		f("Number", "INV-1042", "Client", "Bright Dental", "Issued", "2024-11-02", "Status", "Paid"),
		f("Number", "INV-1043", "Client", "Bright Dental", "Issued", fmt.Sprintf("%d-03-14", lastMarch),
			"Status", "Paid"),
	})
	make("Meetings", text("Topic", "Place")+`,{"name":"Held","type":"datetime"},{"name":"Minutes","type":"long_text"}`,
		[]object{
			f("Topic", "Budget review", "Place", "Leeds", "Held", "2026-02-10T15:00:00Z",
				"Minutes", "We agreed to freeze hiring until autumn."),
			f("Topic", "Kick-off solar roof", "Place", "Lyon", "Held", "2026-05-04T02:30:00Z", // the 3rd in New York
				"Minutes", "Scaffolding arrives on Monday."),
			f("Topic", "Safety briefing", "Place", "Rotterdam", "Held", day(-1)+"T17:00:00Z", "Minutes", "Helmets."),
			f("Topic", "Budget planning", "Place", "Leeds", "Held", "2025-02-12T15:00:00Z"),
		})
	make("Tasks", text("Task", "Owner")+`,{"name":"Due","type":"date"}`, []object{
		f("Task", "Renew the insurance", "Owner", "Ingrid Solberg", "Due", day(1)),
		f("Task", "Order winter tyres", "Owner", "Tom Ashworth", "Due", "2025-12-05"),
		f("Task", "Translate the brochure", "Owner", "Amélie Dubois", "Due", "2023-07-19"),
	})
	questions := []struct{ ask, want string }{
		{"the crane company in rotterdam", "Harbour Cranes Ltd"},
		{"who is our contact at nordlys", "Nordlys Energi"},
		{"cafe lumiere lyon", "Café Lumière"},
		{"overdue harbour cranes invoice", "INV-1041"},
		{"harbour cranes invoices from spring 2025", "INV-0990"},
		{"invoice to harbour cranes Q2 2026", "INV-1041"},
		{"what did we bill bright dental in 2024", "INV-1042"},
		{"bright dental invoice last March", "INV-1043"},
		{"the meeting where we froze hiring until autumn", "Budget review"},
		{"budget meeting in February 2025", "Budget planning"},
		{"solar meeting on 3 May 2026", "Kick-off solar roof"},
		{"meetings yesterday", "Safety briefing"},
		{"tasks due tomorrow", "Renew the insurance"},
		{"brochure translation amelie summer 2023", "Translate the brochure"},
		{"ordr winter tyres", "Order winter tyres"},
	}
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		for _, question := range questions {
			answer := c.OK("search", object{"query": question.ask})
			found := titles(answer)
			if !slices.ContainsFunc(found[:min(5, len(found))], func(title string) bool {
				return strings.HasPrefix(title, question.want+" (")
			}) {
				t.Errorf("%q found %q, not %s (%s)", question.ask, found, question.want, cutNote(answer))
			}
		}
		// The time is a filter: the search returns nothing of another time.
		answer := c.OK("search", object{"query": "harbour cranes invoices in 2025"})
		if got := strings.Join(titles(answer), "|"); got != "INV-0990 (CRM/Invoices)" ||
			!strings.Contains(cutNote(answer), "2025-01-01 to 2025-12-31") {
			t.Errorf("found %s and says %q", got, cutNote(answer))
		}
		// Hints that would widen an empty result, and records found at another time.
		answer = c.OK("search", object{"query": "bright dental 1999"})
		if got := titles(answer); len(got) == 0 || !strings.Contains(cutNote(answer), "of other times") {
			t.Errorf("found %q and says %q", got, cutNote(answer))
		}
		answer = c.OK("search", object{"query": "zeppelin flights last year"})
		if got := titles(answer); len(got) != 0 || !strings.Contains(cutNote(answer), "without the time") {
			t.Errorf("found %q and says %q", got, cutNote(answer))
		}
	}
}

package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// People rarely ask in the words of a record.
func TestVagueSearchesFindTheirRecords(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	people := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"People","fields":[{"name":"Name","type":"text"},{"name":"City","type":"text"},`+
			`{"name":"Mail","type":"email"}]}`)
	owner.OK("POST", "/tables/"+people+"/records", `{"records":[
		{"fields":{"Name":"Grace Hopper","City":"Arlington","Mail":"grace@navy.example"}},
		{"fields":{"Name":"Ada Lovelace","City":"London"}},
		{"fields":{"Name":"Åsa Öberg","City":"Malmö"}},
		{"fields":{"Name":"Lovelace Institute","City":"Turin"}}]}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"records":[
		{"fields":{"Name":"Renewal",
			"Notes":"Discount promised to the Lovelace Institute until the end of the quarter, ask Ada."}},
		{"fields":{"Name":"Pilot in Malmö","Notes":"cancelled"}}]}`)
	for i := range 30 { // more tables than are searched at a time
		owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Filler %d"}`, i))
	}
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		for query, want := range map[string]string{
			"hopper grace":          "Grace Hopper (CRM/People)",
			"arlington grace":       "Grace Hopper (CRM/People)",
			"Lovelase":              "Lovelace Institute (CRM/People)|Ada Lovelace (CRM/People)|Renewal (CRM/Deals)",
			"lovlace london":        "Ada Lovelace (CRM/People)",
			"hoper":                 "Grace Hopper (CRM/People)",
			"grcae":                 "Grace Hopper (CRM/People)",
			"discount ada lovelace": "Renewal (CRM/Deals)",
			"grace@navy":            "Grace Hopper (CRM/People)",
			"malmö":                 "Pilot in Malmö (CRM/Deals)|Åsa Öberg (CRM/People)",
			"ÖBERG":                 "Åsa Öberg (CRM/People)",
			"malmo":                 "Pilot in Malmö (CRM/Deals)|Åsa Öberg (CRM/People)",
			"oberg asa":             "Åsa Öberg (CRM/People)",
			"oberk":                 "Åsa Öberg (CRM/People)",
			"gráce":                 "Grace Hopper (CRM/People)",
			"lovelace inst":         "Lovelace Institute (CRM/People)|Renewal (CRM/Deals)",
			// With words that mean nothing, names of tables and bases, and a word too many.
			"grace from arlington please":             "Grace Hopper (CRM/People)",
			"who is the hopper person in our people?": "Grace Hopper (CRM/People)",
			"deals of malmö":                          "Pilot in Malmö (CRM/Deals)",
			"crm person ada london":                   "Ada Lovelace (CRM/People)",
			"the notes about the lovelace discount":   "Renewal (CRM/Deals)",
			"nothing like that at all":                "",
			"???":                                     "",
			"100%":                                    "",
		} {
			answer := c.OK("search", object{"query": query})
			if s.REST.Deps.DB.Distributed() && strings.Contains(cutNote(answer), "time ran out") {
				continue // on Citus, time may run out; the answer says so
			}
			if got := strings.Join(titles(answer), "|"); got != want {
				t.Errorf("%q found %s, not %s", query, got, want)
			}
			if note := cutNote(answer); strings.Contains(note, "one letter different") != strings.Contains(
				"Lovelase lovlace london hoper grcae oberk", query) {
				t.Errorf("%q: the note is %q", query, note)
			}
		}
		first := c.OK("search", object{"query": "lovelace institute"})["results"].([]any)
		if first[0].(object)["title"] != "Lovelace Institute (CRM/People)" {
			t.Errorf("the best is %v", first[0])
		}
		text, _ := first[1].(object)["text"].(string)
		if !strings.HasPrefix(text, "Notes: Discount promised to the Lovelace") {
			t.Errorf("the snippet is %q", text)
		}
	}
}

// titles lists the titles of the results of a search.
func titles(found object) []string {
	var out []string
	for _, r := range found["results"].([]any) {
		out = append(out, r.(object)["title"].(string))
	}
	return out
}

func TestNotesOfASearchAreTrue(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"zebra"}}`)
	other := owner.ID("POST", "/bases", `{"name":"Other"}`)
	straw := owner.ID("POST", "/bases/"+other+"/tables", `{"name":"Straw"}`)
	var almost []object
	for range 25 {
		almost = append(almost, object{"fields": object{"Name": "zebru"}})
	}
	encoded, err := json.Marshal(object{"records": almost})
	if err != nil {
		t.Fatal(err)
	}
	owner.OK("POST", "/tables/"+straw+"/records", string(encoded))
	for i := range 20 {
		owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Orders %d"}`, i))
	}
	for i := range 18 {
		owner.OK("POST", "/tables/"+table+"/records", fmt.Sprintf(`{"fields":{"Name":"Orders of May %d"}}`, i))
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)

	none := c.OK("search", object{"query": "???"})
	if note := cutNote(none); note != "The query has no letter or digit to search for." || len(titles(none)) > 0 {
		t.Errorf("a search for nothing found %v and says %q", titles(none), note)
	}
	// Records with a typo are not counted when a record has the exact word.
	one := c.OK("search", object{"query": "zebra"})
	if note := cutNote(one); note != "" || len(titles(one)) != 1 {
		t.Errorf("the search found %v and says %q", titles(one), note)
	}
	many := c.OK("search", object{"query": "zebro"})
	if note := cutNote(many); !strings.Contains(note, "more than these 20") || len(titles(many)) != 20 {
		t.Errorf("the search found %d and says %q", len(titles(many)), note)
	}
	// Names leave most of the space to records.
	found := titles(c.OK("search", object{"query": "orders"}))
	if len(found) != 20 || !strings.HasPrefix(found[4], "Table CRM/Orders") ||
		!strings.HasPrefix(found[5], "Orders of") {
		t.Errorf("the search found %q", found)
	}
}

// A table whose search takes too long is named as missing, and does not fail the whole search.
func TestSearchGoesOnWithoutATableThatTakesTooLong(t *testing.T) {
	t.Parallel()
	impatient, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		Secrets: tenancytest.Secrets(), MaxConns: 8, StatementTimeout: 700 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(impatient.Close)
	s := mcptest.New(t, func(o *mcp.Options) {
		o.Deps.DB, o.Deps.Records = impatient, record.New(impatient, catalog.NewStore(impatient, catalog.Options{}))
	})
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
	var tables []string
	for i := range 3 {
		tables = append(tables, owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"T%d"}`, i)))
		owner.OK("POST", "/tables/"+tables[i]+"/records", fmt.Sprintf(`{"fields":{"Name":"needle %d"}}`, i))
	}
	public, err := id.Parse(id.Table, tables[1])
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.REST.Deps.Schema.Fresh(t.Context(), owner.Orgs[0].Org)
	if err != nil {
		t.Fatal(err)
	}
	locked, err := tenancytest.Admin(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := locked.Exec(t.Context(), "lock table "+snapshot.Table(public).Relation()); err != nil {
		t.Fatal(err)
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	found := c.OK("search", object{"query": "needle"})
	if got := strings.Join(titles(found), "|"); got != "needle 0 (CRM/T0)|needle 2 (CRM/T2)" ||
		!strings.Contains(cutNote(found), "before 1 tables") {
		t.Errorf("found %s and says %q", got, cutNote(found))
	}
	if err := locked.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := c.OK("search", object{"query": "needle"}); len(titles(found)) != 3 || cutNote(found) != "" {
		t.Errorf("then it found %v and says %q", titles(found), cutNote(found))
	}
}

package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// What people ask for is seldom what stands in a record.
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
			"hopper grace":             "Grace Hopper (CRM/People)",
			"arlington grace":          "Grace Hopper (CRM/People)",
			"Lovelase":                 "Ada Lovelace (CRM/People)|Lovelace Institute (CRM/People)|Renewal (CRM/Deals)",
			"lovlace london":           "Ada Lovelace (CRM/People)",
			"hoper":                    "Grace Hopper (CRM/People)",
			"grcae":                    "Grace Hopper (CRM/People)",
			"discount ada lovelace":    "Renewal (CRM/Deals)",
			"grace@navy":               "Grace Hopper (CRM/People)",
			"malmö":                    "Pilot in Malmö (CRM/Deals)|Åsa Öberg (CRM/People)",
			"ÖBERG":                    "Åsa Öberg (CRM/People)",
			"lovelace inst":            "Lovelace Institute (CRM/People)|Renewal (CRM/Deals)",
			"nothing like that at all": "",
			"???":                      "",
			"100%":                     "",
		} {
			answer := c.OK("search", object{"query": query})
			var titles []string
			for _, r := range answer["results"].([]any) {
				titles = append(titles, r.(object)["title"].(string))
			}
			if got := strings.Join(titles, "|"); got != want && !sameSet(got, want) {
				t.Errorf("%q found %s, not %s", query, got, want)
			}
			if note := cutNote(answer); strings.Contains(note, "one letter different") != strings.Contains(
				"Lovelase lovlace london hoper grcae", query) {
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

// sameSet reports whether two lists hold the same titles.
func sameSet(a, b string) bool {
	as, bs := map[string]bool{}, map[string]bool{}
	for _, title := range strings.Split(a, "|") {
		as[title] = true
	}
	for _, title := range strings.Split(b, "|") {
		bs[title] = true
	}
	return fmt.Sprint(as) == fmt.Sprint(bs)
}

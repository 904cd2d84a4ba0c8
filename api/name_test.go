package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// Names that look the same to a reader conflict, regardless of case and Unicode composition.
func TestNamesAreUniqueAfterNormalization(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"B"}`)
	tables := "/bases/" + base + "/tables"
	pairs := [][2]string{
		{"İ", "i"},
		{"i\u0307x", "ix"},
		{"Café", "CAFE\u0301"},
		{"Ωσας", "ωΣΑΣ"},
		{"ǅ", "ǆ"},
		{"K", "k"},
		{"straße", "STRAẞE"},
		{"가", "\u1100\u1161"},
	}
	for _, pair := range pairs {
		first, second := pair[0], pair[1]
		taken := func(method, path, body string) {
			t.Helper()
			c.Refused(http.StatusConflict, method, path, body, "name_taken")
		}
		table := c.ID("POST", tables, `{"name":"`+first+`"}`)
		taken("POST", tables, `{"name":"`+second+`"}`)
		fields, views := "/tables/"+table+"/fields", "/tables/"+table+"/views"
		c.ID("POST", fields, `{"name":"`+first+`","type":"text"}`)
		taken("POST", fields, `{"name":"`+second+`","type":"text"}`)
		other := c.ID("POST", fields, `{"name":"other","type":"text"}`)
		taken("PATCH", "/fields/"+other, `{"name":"`+second+`"}`)
		c.ID("POST", views, `{"name":"`+first+`","type":"grid"}`)
		taken("POST", views, `{"name":"`+second+`","type":"grid"}`)
		c.Refused(
			http.StatusBadRequest, "POST", tables,
			`{"name":"Two","fields":[{"name":"`+first+`","type":"text"},{"name":"`+second+`","type":"text"}]}`,
			"given twice",
		)
		c.OK("DELETE", "/tables/"+table, "")
	}
	// Names that only the database's locale may consider equal are either created or conflict.
	for _, pair := range [][2]string{{"I", "ı"}, {"ß", "ss"}, {"ſ", "s"}, {"ﬁ", "fi"}, {"µ", "μ"}, {"Å", "A"}} {
		c.ID("POST", tables, `{"name":"x`+pair[0]+`"}`)
		if status, _, raw := c.Do("POST", tables, `{"name":"x`+pair[1]+`"}`); status != http.StatusOK &&
			status != http.StatusConflict {
			t.Errorf("%q: %d %s", pair, status, raw)
		}
	}
	// Names of workspaces and organizations are stored composed as well.
	c.OK("PATCH", "/orgs/"+c.Org(), `{"name":"Cafe\u0301"}`)
	if got := c.OK("GET", "/orgs", "")["orgs"].([]any)[0].(map[string]any)["name"]; got != "Caf\u00e9" {
		t.Errorf("the organization is called %q", got)
	}
}

// Composed and decomposed letters match in names, options, searches and filters. Values keep their
// bytes. A search finds letters without accents too, and a filter does not.
func TestUnicodeNormalizationInSearchAndFilters(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"B"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"T"}`)
	const composed, decomposed = "Caf\u00e9", "Cafe\u0301"
	c.ID("POST", "/tables/"+table+"/fields",
		`{"name":"`+composed+`","type":"single_select","config":{"options":["`+decomposed+`"]}}`)
	records := "/tables/" + table + "/records"
	c.OK("POST", records, `{"records":[{"fields":{"Name":"`+composed+` one"}},
		{"fields":{"Name":"`+decomposed+` two","`+decomposed+`":"`+decomposed+`"}},
		{"fields":{"Name":"Cafe"}}]}`)
	found := func(query string) int {
		t.Helper()
		got := c.OK("GET", records+query, "")
		if n := len(got["records"].([]any)); float64(n) != got["total"].(float64) {
			t.Errorf("%s: %d records and a total of %v", query, n, got["total"])
		}
		return int(got["total"].(float64))
	}
	for _, text := range []string{composed, decomposed} {
		if n := found("/search?q=" + url.QueryEscape(text)); n != 3 {
			t.Errorf("a search for %+q finds %d", text, n)
		}
		sorts := apitest.Query([]map[string]string{{"fieldId": "Name", "dir": "asc"}})
		if n := found("?search=" + url.QueryEscape(text+" two") + "&sorts=" + sorts); n != 1 {
			t.Errorf("a sorted search for %+q finds %d", text, n)
		}
		for op, want := range map[string]int{"contains": 2, "not_contains": 1, "starts_with": 2, "eq": 0} {
			filter := []map[string]string{{"fieldId": "Name", "op": op, "value": text}}
			if n := found("?filters=" + apitest.Query(filter)); n != want {
				t.Errorf("%s %+q finds %d, not %d", op, text, n, want)
			}
		}
		for op, want := range map[string]int{"eq": 1, "neq": 2} {
			filter := []map[string]string{{"fieldId": "Name", "op": op, "value": text + " two"}}
			if n := found("?filters=" + apitest.Query(filter)); n != want {
				t.Errorf("%s %+q finds %d, not %d", op, text, n, want)
			}
		}
		filters := apitest.Query([]map[string]any{{"fieldId": decomposed, "op": "in", "value": []string{text}}})
		if n := found("?filters=" + filters); n != 1 {
			t.Errorf("the option %+q is found in %d", text, n)
		}
	}
	last := c.OK("GET", records, "")["records"].([]any)[1].(map[string]any)["fields"].(map[string]any)
	if last["Name"] != decomposed+" two" || last[composed] != composed {
		t.Errorf("the record is %+q", last)
	}
}

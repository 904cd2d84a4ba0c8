package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// letters is a table whose records are distinguished by their Name, for tests of filters and sorts.
func letters(t *testing.T, b *bundle) (table, people func() string, names func(q query.Request) string) {
	t.Helper()
	u := b.table(t, "Letters",
		field("Name", schema.Text), field("Text", schema.Text), field("N", schema.Number),
		field("Done", schema.Checkbox), field("Day", schema.Date),
		field("At", schema.DateTime, `{"timeZone":"America/New_York"}`),
		field("State", schema.SingleSelect, `{"options":["Open","Closed","Late"]}`),
		field("Tags", schema.MultiSelect, `{"options":["x","y","z"]}`), field("Team", schema.User, `{"multiple":true}`),
		field("Doc", schema.JSON), field("No", schema.AutoNumber), field("Author", schema.CreatedBy),
		field("Press", schema.Rating))
	me := id.Format(id.User, b.actor.Person)
	b.create(t, u,
		`{"Name":"a","Text":"Oslo 100%","N":1,"Done":true,"Day":"2024-01-31","At":"2024-01-31T04:59:59Z",`+
			`"State":"Open","Tags":["x"],"Team":["`+me+`"],"Doc":{}}`,
		`{"Name":"b","Text":"ÅLESUND_x","N":2.5,"Day":"2024-02-01","At":"2024-01-31T05:00:00Z","State":"Closed",`+
			`"Tags":["x","y"]}`,
		`{"Name":"c","Text":"oslo","N":-3,"Done":true,"Day":"2024-02-29","At":"2024-02-01T04:59:59.999999Z",`+
			`"State":"Late","Tags":["y","z","x"]}`,
		`{"Name":"d"}`,
		`{"Name":"e","Text":"Zürich\\%","N":100,"Day":"2025-01-01","At":"2024-02-01T05:00:00Z","State":"Open",`+
			`"Tags":["z"]}`)
	return func() string { return u.String() }, func() string { return me }, func(q query.Request) string {
		t.Helper()
		_, records := b.list(t, u, q)
		out := ""
		for _, name := range column(records, "Name") {
			out += fmt.Sprint(name)
		}
		return out
	}
}

func TestEveryOperatorFindsItsRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, me, names := letters(t, b)
	stranger := id.Format(id.User, id.New())
	cases := []struct{ filter, want string }{
		{`[]`, "abcde"},
		{`[{"and":[]}]`, "abcde"},
		{`[{"fieldId":"Text","op":"eq","value":"oslo"}]`, "c"},
		{`[{"fieldId":"Text","op":"neq","value":"oslo"}]`, "abde"},
		{`[{"fieldId":"Text","op":"contains","value":"OSLO"}]`, "ac"},
		{`[{"fieldId":"Text","op":"contains","value":"ålesund_"}]`, "b"},
		{`[{"fieldId":"Text","op":"contains","value":"%"}]`, "ae"},
		{`[{"fieldId":"Text","op":"contains","value":"\\%"}]`, "e"},
		{`[{"fieldId":"Text","op":"contains","value":"_"}]`, "b"},
		{`[{"fieldId":"Text","op":"not_contains","value":"oslo"}]`, "bde"},
		{`[{"fieldId":"Text","op":"starts_with","value":"ÅLE"}]`, "b"},
		{`[{"fieldId":"Text","op":"ends_with","value":"_X"}]`, "b"},
		{`[{"fieldId":"Text","op":"in","value":["oslo","ÅLESUND_x"]}]`, "bc"},
		{`[{"fieldId":"Text","op":"not_in","value":["oslo","ÅLESUND_x"]}]`, "ade"},
		{`[{"fieldId":"Text","op":"is_empty"}]`, "d"},
		{`[{"fieldId":"Text","op":"is_not_empty"}]`, "abce"},
		{`[{"fieldId":"N","op":"eq","value":2.5}]`, "b"},
		{`[{"fieldId":"N","op":"neq","value":2.5}]`, "acde"},
		{`[{"fieldId":"N","op":"gt","value":1}]`, "be"},
		{`[{"fieldId":"N","op":"gte","value":1}]`, "abe"},
		{`[{"fieldId":"N","op":"lt","value":1}]`, "c"},
		{`[{"fieldId":"N","op":"lte","value":1}]`, "ac"},
		{`[{"fieldId":"N","op":"between","value":[1,2.5]}]`, "ab"},
		{`[{"fieldId":"N","op":"in","value":[1,100]}]`, "ae"},
		{`[{"fieldId":"N","op":"is_empty"}]`, "d"},
		{`[{"fieldId":"N","op":"is_not_empty"}]`, "abce"},
		{`[{"fieldId":"No","op":"eq","value":2}]`, "b"},
		{`[{"fieldId":"No","op":"eq","value":2.5}]`, ""},
		{`[{"fieldId":"No","op":"neq","value":2.5}]`, "abcde"},
		{`[{"fieldId":"No","op":"gt","value":2.5}]`, "cde"},
		{`[{"fieldId":"No","op":"gte","value":2.5}]`, "cde"},
		{`[{"fieldId":"No","op":"lt","value":2.5}]`, "ab"},
		{`[{"fieldId":"No","op":"lte","value":2}]`, "ab"},
		{`[{"fieldId":"No","op":"lt","value":1e300}]`, "abcde"},
		{`[{"fieldId":"No","op":"between","value":[1.5,3.5]}]`, "bc"},
		{`[{"fieldId":"No","op":"in","value":[1,1.5,5]}]`, "ae"},
		{`[{"fieldId":"Done","op":"eq","value":true}]`, "ac"},
		{`[{"fieldId":"Done","op":"eq","value":false}]`, "bde"},
		{`[{"fieldId":"Day","op":"eq","value":"2024-02-01"}]`, "b"},
		{`[{"fieldId":"Day","op":"neq","value":"2024-02-01"}]`, "acde"},
		{`[{"fieldId":"Day","op":"gt","value":"2024-02-01"}]`, "ce"},
		{`[{"fieldId":"Day","op":"gte","value":"2024-02-01"}]`, "bce"},
		{`[{"fieldId":"Day","op":"lt","value":"2024-02-01"}]`, "a"},
		{`[{"fieldId":"Day","op":"lte","value":"2024-02-01"}]`, "ab"},
		{`[{"fieldId":"Day","op":"between","value":["2024-02-01","2024-02-29"]}]`, "bc"},
		{`[{"fieldId":"Day","op":"is_within","value":{"unit":"year","offset":-50}}]`, "abce"},
		{`[{"fieldId":"Day","op":"is_within","value":{"unit":"week","offset":-1}}]`, ""},
		{`[{"fieldId":"Day","op":"lt","value":"today"}]`, "abce"},
		{`[{"fieldId":"Day","op":"gt","value":{"unit":"year","offset":-100000}}]`, "abce"},
		// A day of a moment is one of the field's time zone, which is five hours behind.
		{`[{"fieldId":"At","op":"eq","value":"2024-01-31"}]`, "bc"},
		{`[{"fieldId":"At","op":"neq","value":"2024-01-31"}]`, "ade"},
		{`[{"fieldId":"At","op":"gt","value":"2024-01-31"}]`, "e"},
		{`[{"fieldId":"At","op":"lte","value":"2024-01-30"}]`, "a"},
		{`[{"fieldId":"At","op":"eq","value":"2024-01-31T05:00:00Z"}]`, "b"},
		{`[{"fieldId":"At","op":"gt","value":"2024-01-31T06:00:00+01:00"}]`, "ce"},
		{`[{"fieldId":"At","op":"between","value":["2024-01-31","2024-02-01"]}]`, "bce"},
		{`[{"fieldId":"State","op":"eq","value":"Open"}]`, "ae"},
		{`[{"fieldId":"State","op":"neq","value":"Open"}]`, "bcd"},
		{`[{"fieldId":"State","op":"in","value":["Open","Late"]}]`, "ace"},
		{`[{"fieldId":"State","op":"not_in","value":["Open","Late"]}]`, "bd"},
		{`[{"fieldId":"State","op":"is_empty"}]`, "d"},
		{`[{"fieldId":"Tags","op":"has_any","value":["y","z"]}]`, "bce"},
		{`[{"fieldId":"Tags","op":"has_all","value":["x","y"]}]`, "bc"},
		{`[{"fieldId":"Tags","op":"has_none","value":["y"]}]`, "ade"},
		{`[{"fieldId":"Tags","op":"is_exactly","value":["y","x"]}]`, "b"},
		{`[{"fieldId":"Tags","op":"is_empty"}]`, "d"},
		{`[{"fieldId":"Team","op":"has_any","value":["` + me() + `"]}]`, "a"},
		{`[{"fieldId":"Team","op":"has_any","value":"` + stranger + `"}]`, ""},
		{`[{"fieldId":"Team","op":"has_none","value":["` + me() + `"]}]`, "bcde"},
		{`[{"fieldId":"Author","op":"has_any","value":["` + me() + `","` + stranger + `"]}]`, "abcde"},
		{`[{"fieldId":"Author","op":"is_exactly","value":["` + me() + `"]}]`, "abcde"},
		{`[{"fieldId":"Doc","op":"is_not_empty"}]`, "a"},
		{`[{"or":[{"fieldId":"N","op":"gt","value":50},{"fieldId":"Text","op":"eq","value":"oslo"}]}]`, "ce"},
		{`[{"fieldId":"Done","op":"eq","value":true},{"or":[{"and":[{"fieldId":"N","op":"eq","value":1}]},` +
			`{"fieldId":"N","op":"eq","value":2.5}]}]`, "a"},
		{`[{"or":[{"and":[]},{"fieldId":"N","op":"eq","value":1}]}]`, "abcde"},
	}
	for _, c := range cases {
		if got := names(query.Request{Filters: []byte(c.filter)}); got != c.want {
			t.Errorf("%s found %q, want %q", c.filter, got, c.want)
		}
	}
}

func TestEverySortOrdersItsRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, names := letters(t, b)
	cases := []struct{ sort, want string }{
		{`[]`, "abcde"},
		{`[{"fieldId":"N"}]`, "cabed"},
		{`[{"fieldId":"N","dir":"desc"}]`, "ebacd"},
		{`[{"fieldId":"Text","dir":"asc"}]`, "bcaed"}, // å is a kind of a; case does not matter
		{`[{"fieldId":"Text","dir":"desc"}]`, "eacbd"},
		{`[{"fieldId":"Done"}]`, "bdeac"},
		{`[{"fieldId":"Done","dir":"desc"},{"fieldId":"N","dir":"desc"}]`, "acebd"},
		{`[{"fieldId":"State"},{"fieldId":"Day","dir":"desc"}]`, "eabcd"},
		{`[{"fieldId":"Day","dir":"desc"}]`, "ecbad"},
		{`[{"fieldId":"At"}]`, "abced"},
		{`[{"fieldId":"No","dir":"desc"}]`, "edcba"},
	}
	for _, c := range cases {
		if got := names(query.Request{Sorts: []byte(c.sort)}); got != c.want {
			t.Errorf("%s gave %q, want %q", c.sort, got, c.want)
		}
	}
}

func TestAWrongQueryIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		field("State", schema.SingleSelect, `{"options":["Open"]}`), field("Day", schema.Date),
		field("Doc", schema.JSON))
	deep := strings.Repeat(`[{"and":`, 5) + `[]` + strings.Repeat(`}]`, 5)
	fine := strings.Repeat(`[{"and":`, 4) + `[]` + strings.Repeat(`}]`, 4)
	leaf := `{"fieldId":"N","op":"eq","value":1}`
	cases := []struct {
		query   query.Request
		path    string
		message string
	}{
		{query.Request{Filters: []byte(`{}`)}, "filters", "must be an array"},
		{
			query.Request{Filters: []byte(`[{"fieldId":"Nam","op":"eq","value":"x"}]`)},
			"filters[0].fieldId",
			`did you mean "Name"?`,
		},
		{query.Request{Filters: []byte(`[{"op":"eq","value":"x"}]`)}, "filters[0].fieldId", "missing"},
		{
			query.Request{Filters: []byte(`[{"fieldId":"Name","op":"resembles","value":"x"}]`)},
			"filters[0].op",
			"the operators are eq, neq, contains",
		},
		{query.Request{Filters: []byte(`[{"fieldId":"N","op":"contains","value":"x"}]`)}, "filters[0].op", "gt, gte"},
		{
			query.Request{Filters: []byte(`[{"fieldId":"N","op":"eq","value":"1"}]`)},
			"filters[0].value",
			"must be a number, not a string",
		},
		{query.Request{Filters: []byte(`[{"fieldId":"N","op":"eq","value":1e400}]`)}, "filters[0].value", "too large"},
		{
			query.Request{Filters: []byte(`[{"fieldId":"N","op":"between","value":[1]}]`)},
			"filters[0].value",
			"two numbers",
		},
		{query.Request{Filters: []byte(`[{"fieldId":"N","op":"eq"}]`)}, "filters[0].value", "missing"},
		{query.Request{Filters: []byte(`[{"fieldId":"N","op":"is_empty","value":1}]`)}, "filters[0].value", "left out"},
		{query.Request{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":""}]`)}, "filters[0].value", "is_empty"},
		{
			query.Request{Filters: []byte(`[{"fieldId":"State","op":"eq","value":"Opn"}]`)},
			"filters[0].value",
			`did you mean "Open"?`,
		},
		{
			query.Request{Filters: []byte(`[{"fieldId":"Day","op":"eq","value":"yesteryear"}]`)},
			"filters[0].value",
			"2026-01-31",
		},
		{
			query.Request{Filters: []byte(`[{"fieldId":"Day","op":"eq","value":{"unit":"days","offset":1}}]`)},
			"filters[0].value", `did you mean "day"?`,
		},
		{
			query.Request{Filters: []byte(`[{"fieldId":"Doc","op":"eq","value":{}}]`)},
			"filters[0].op",
			"is_empty, is_not_empty",
		},
		{
			query.Request{Filters: []byte(`[{"feldId":"N","op":"eq","value":1}]`)},
			"filters[0].feldId",
			`did you mean "fieldId"?`,
		},
		{query.Request{Filters: []byte(`[{"and":[],"or":[]}]`)}, "filters[0]", "nothing else"},
		{
			query.Request{Filters: []byte(`[{"or":[` + leaf + `,{"fieldId":"N","op":"zz","value":1}]}]`)},
			"filters[0].or[1].op", "zz",
		},
		{query.Request{Filters: []byte(deep)}, "filters[0].and[0].and[0].and[0].and[0].and", "5 deep"},
		{query.Request{Filters: []byte(`[` + strings.Repeat(leaf+",", 50) + leaf + `]`)}, "filters[50]", "at most 50"},
		{query.Request{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":"\u0000"}]`)}, "filters[0].value", "NUL"},
		{query.Request{Filters: []byte(strings.Repeat("[", 100) + strings.Repeat("]", 100))}, "filters", "deep"},
		{query.Request{Filters: []byte(`[`)}, "filters", "JSON"},
		{query.Request{Sorts: []byte(`[{"fieldId":"N","dir":"up"}]`)}, "sorts[0].dir", "asc or desc"},
		{query.Request{Sorts: []byte(`[{"fieldId":"N"},{"fieldId":"N"}]`)}, "sorts[1].fieldId", "twice"},
		{query.Request{Sorts: []byte(`[{"fieldId":"Doc"}]`)}, "sorts[0].fieldId", "no order"},
		{query.Request{Sorts: []byte(`[{"feldId":"N"}]`)}, "sorts[0].feldId", `did you mean "fieldId"?`},
		{query.Request{Limit: 101}, "limit", "1 to 100"},
		{query.Request{Limit: -1}, "limit", "1 to 100"},
		{query.Request{Offset: -1}, "offset", "0 or more"},
		{query.Request{Cursor: "x"}, "cursor", "begin again"},
		{query.Request{Cursor: "AAAA", Offset: 1}, "cursor", "together"},
		{query.Request{View: "viw_x"}, "view", "not a view"},
		{query.Request{Fields: []string{"Name", "Nam"}}, "fields[1]", `did you mean "Name"?`},
		{query.Request{Search: "a\x00"}, "search", "control"},
		{query.Request{Search: "a\xff"}, "search", "UTF-8"},
		{query.Request{Search: strings.Repeat("x", 1001)}, "search", "1000"},
	}
	for _, c := range cases {
		if c.query.Limit == 0 {
			c.query.Limit = 10
		}
		_, err := b.engine.List(t.Context(), b.actor, u, c.query)
		wantItem(t, err, problem.KindInvalid, c.path, c.message)
	}
	if _, err := b.engine.List(t.Context(), b.actor, u, query.Request{Filters: []byte(fine), Limit: 1}); err != nil {
		t.Error(err)
	}
	_, err := b.engine.List(t.Context(), b.actor, id.New(), query.Request{Limit: 1})
	wantItem(t, err, problem.KindNotFound, "")
}

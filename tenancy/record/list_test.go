package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// letters is a table whose records are told apart by their Name, for tests of filters and sorts.
func letters(t *testing.T, b *bundle) (table, people func() string, names func(q record.Query) string) {
	t.Helper()
	u := b.table(t, "Letters",
		field("Name", schema.Text), field("Text", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox),
		field("Day", schema.Date), field("At", schema.DateTime, `{"timeZone":"America/New_York"}`),
		field("State", schema.SingleSelect, `{"options":["Open","Closed","Late"]}`), field("Tags", schema.MultiSelect, `{"options":["x","y","z"]}`),
		field("Team", schema.User, `{"multiple":true}`), field("Doc", schema.JSON), field("No", schema.AutoNumber),
		field("Author", schema.CreatedBy), field("Press", schema.Rating))
	me := id.Format(id.User, b.actor.Person)
	b.create(t, u,
		`{"Name":"a","Text":"Oslo 100%","N":1,"Done":true,"Day":"2024-01-31","At":"2024-01-31T04:59:59Z","State":"Open","Tags":["x"],"Team":["`+me+`"],"Doc":{}}`,
		`{"Name":"b","Text":"ÅLESUND_x","N":2.5,"Day":"2024-02-01","At":"2024-01-31T05:00:00Z","State":"Closed","Tags":["x","y"]}`,
		`{"Name":"c","Text":"oslo","N":-3,"Done":true,"Day":"2024-02-29","At":"2024-02-01T04:59:59.999999Z","State":"Late","Tags":["y","z","x"]}`,
		`{"Name":"d"}`,
		`{"Name":"e","Text":"Zürich\\%","N":100,"Day":"2025-01-01","At":"2024-02-01T05:00:00Z","State":"Open","Tags":["z"]}`)
	return func() string { return u.String() }, func() string { return me }, func(q record.Query) string {
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
		{`[{"fieldId":"Done","op":"eq","value":true},{"or":[{"and":[{"fieldId":"N","op":"eq","value":1}]},{"fieldId":"N","op":"eq","value":2.5}]}]`, "a"},
		{`[{"or":[{"and":[]},{"fieldId":"N","op":"eq","value":1}]}]`, "abcde"},
	}
	for _, c := range cases {
		if got := names(record.Query{Filters: []byte(c.filter)}); got != c.want {
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
		{`[{"fieldId":"State"},{"fieldId":"Day","dir":"desc"}]`, "bcead"},
		{`[{"fieldId":"Day","dir":"desc"}]`, "ecbad"},
		{`[{"fieldId":"At"}]`, "abced"},
		{`[{"fieldId":"No","dir":"desc"}]`, "edcba"},
	}
	for _, c := range cases {
		if got := names(record.Query{Sorts: []byte(c.sort)}); got != c.want {
			t.Errorf("%s gave %q, want %q", c.sort, got, c.want)
		}
	}
}

func TestAWrongQueryIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number), field("State", schema.SingleSelect, `{"options":["Open"]}`),
		field("Day", schema.Date), field("Doc", schema.JSON))
	deep := strings.Repeat(`[{"and":`, 5) + `[]` + strings.Repeat(`}]`, 5)
	fine := strings.Repeat(`[{"and":`, 4) + `[]` + strings.Repeat(`}]`, 4)
	leaf := `{"fieldId":"N","op":"eq","value":1}`
	cases := []struct {
		query   record.Query
		path    string
		message string
	}{
		{record.Query{Filters: []byte(`{}`)}, "filters", "must be an array"},
		{record.Query{Filters: []byte(`[{"fieldId":"Nam","op":"eq","value":"x"}]`)}, "filters[0].fieldId", `did you mean "Name"?`},
		{record.Query{Filters: []byte(`[{"op":"eq","value":"x"}]`)}, "filters[0].fieldId", "missing"},
		{record.Query{Filters: []byte(`[{"fieldId":"Name","op":"equals","value":"x"}]`)}, "filters[0].op", "the operators are eq, neq, contains"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"contains","value":"x"}]`)}, "filters[0].op", "gt, gte"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"eq","value":"1"}]`)}, "filters[0].value", "must be a number, not a string"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"eq","value":1e400}]`)}, "filters[0].value", "too large"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"between","value":[1]}]`)}, "filters[0].value", "two numbers"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"eq"}]`)}, "filters[0].value", "missing"},
		{record.Query{Filters: []byte(`[{"fieldId":"N","op":"is_empty","value":1}]`)}, "filters[0].value", "left out"},
		{record.Query{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":""}]`)}, "filters[0].value", "is_empty"},
		{record.Query{Filters: []byte(`[{"fieldId":"State","op":"eq","value":"Opn"}]`)}, "filters[0].value", `did you mean "Open"?`},
		{record.Query{Filters: []byte(`[{"fieldId":"Day","op":"eq","value":"yesteryear"}]`)}, "filters[0].value", "2026-01-31"},
		{record.Query{Filters: []byte(`[{"fieldId":"Day","op":"eq","value":{"unit":"days","offset":1}}]`)}, "filters[0].value", `did you mean "day"?`},
		{record.Query{Filters: []byte(`[{"fieldId":"Doc","op":"eq","value":{}}]`)}, "filters[0].op", "is_empty, is_not_empty"},
		{record.Query{Filters: []byte(`[{"feldId":"N","op":"eq","value":1}]`)}, "filters[0].feldId", `did you mean "fieldId"?`},
		{record.Query{Filters: []byte(`[{"and":[],"or":[]}]`)}, "filters[0]", "nothing else"},
		{record.Query{Filters: []byte(`[{"or":[` + leaf + `,{"fieldId":"N","op":"zz","value":1}]}]`)}, "filters[0].or[1].op", "zz"},
		{record.Query{Filters: []byte(deep)}, "filters[0].and[0].and[0].and[0].and[0].and", "5 deep"},
		{record.Query{Filters: []byte(`[` + strings.Repeat(leaf+",", 50) + leaf + `]`)}, "filters[50]", "at most 50"},
		{record.Query{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":"\u0000"}]`)}, "filters[0].value", "NUL"},
		{record.Query{Filters: []byte(strings.Repeat("[", 100) + strings.Repeat("]", 100))}, "filters", "deep"},
		{record.Query{Filters: []byte(`[`)}, "filters", "JSON"},
		{record.Query{Sorts: []byte(`[{"fieldId":"N","dir":"up"}]`)}, "sorts[0].dir", "asc or desc"},
		{record.Query{Sorts: []byte(`[{"fieldId":"N"},{"fieldId":"N"}]`)}, "sorts[1].fieldId", "twice"},
		{record.Query{Sorts: []byte(`[{"fieldId":"Doc"}]`)}, "sorts[0].fieldId", "no order"},
		{record.Query{Sorts: []byte(`[{"field":"N"}]`)}, "sorts[0].field", `did you mean "fieldId"?`},
		{record.Query{Limit: 101}, "limit", "1 to 100"},
		{record.Query{Limit: -1}, "limit", "1 to 100"},
		{record.Query{Offset: -1}, "offset", "0 or more"},
		{record.Query{Cursor: "x"}, "cursor", "begin again"},
		{record.Query{Cursor: "AAAA", Offset: 1}, "cursor", "together"},
		{record.Query{View: "viw_x"}, "view", "not a view"},
		{record.Query{Fields: []string{"Name", "Nam"}}, "fields[1]", `did you mean "Name"?`},
		{record.Query{Search: "a\x00"}, "search", "control"},
		{record.Query{Search: "a\xff"}, "search", "UTF-8"},
		{record.Query{Search: strings.Repeat("x", 1001)}, "search", "1000"},
	}
	for _, c := range cases {
		if c.query.Limit == 0 {
			c.query.Limit = 10
		}
		_, err := b.engine.List(t.Context(), b.actor, u, c.query)
		wantItem(t, err, tenancy.KindInvalid, c.path, c.message)
	}
	if _, err := b.engine.List(t.Context(), b.actor, u, record.Query{Filters: []byte(fine), Limit: 1}); err != nil {
		t.Error(err)
	}
	_, err := b.engine.List(t.Context(), b.actor, id.New(), record.Query{Limit: 1})
	wantItem(t, err, tenancy.KindNotFound, "")
}

func TestPagesAndCursorsWalkTheSameList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Walk", field("Name", schema.Text), field("N", schema.Number), field("Day", schema.Date), field("On", schema.Checkbox),
		field("At", schema.DateTime), field("No", schema.AutoNumber))
	rng := rand.New(rand.NewPCG(1, 2))
	var inputs []string
	for i := range 730 {
		input := fmt.Sprintf(`{"Name":%q,"On":%t`, fmt.Sprintf("n%03d", i%50), i%3 == 0)
		if rng.IntN(4) > 0 {
			input += fmt.Sprintf(`,"N":%d`, rng.IntN(20))
		}
		if rng.IntN(4) > 0 {
			input += fmt.Sprintf(`,"Day":"2024-01-%02d","At":"2024-01-01T00:00:%02dZ"`, 1+rng.IntN(28), rng.IntN(60))
		}
		inputs = append(inputs, input+"}")
	}
	b.create(t, u, inputs...)
	for _, sort := range []string{
		``, `[{"fieldId":"N"}]`, `[{"fieldId":"N","dir":"desc"}]`, `[{"fieldId":"Name","dir":"desc"},{"fieldId":"Day"}]`, `[{"fieldId":"On"},{"fieldId":"N","dir":"desc"}]`,
		`[{"fieldId":"Day","dir":"desc"},{"fieldId":"N"},{"fieldId":"Name"}]`, `[{"fieldId":"At"}]`, `[{"fieldId":"No","dir":"desc"}]`,
	} {
		for _, filter := range []string{``, `[{"fieldId":"On","op":"eq","value":false}]`} {
			var byOffset, byCursor []string
			var total int64
			for offset := int64(0); ; offset += 100 {
				page, records := b.list(t, u, record.Query{Sorts: []byte(sort), Filters: []byte(filter), Offset: offset})
				total = page.Total
				for _, r := range records {
					byOffset = append(byOffset, r.ID)
				}
				if page.Offset != offset || page.HasMore != (offset+100 < page.Total) {
					t.Fatalf("offset %d of %d: %+v", offset, page.Total, page.HasMore)
				}
				if !page.HasMore {
					break
				}
			}
			cursor := ""
			for i := 0; ; i++ {
				page, records := b.list(t, u, record.Query{Sorts: []byte(sort), Filters: []byte(filter), Cursor: cursor, Limit: 37})
				for _, r := range records {
					byCursor = append(byCursor, r.ID)
				}
				if page.Total != total || page.Offset != int64(37*i) {
					t.Fatalf("page %d: total %d want %d, offset %d", i, page.Total, total, page.Offset)
				}
				if cursor = page.Cursor; !page.HasMore {
					break
				}
			}
			if int64(len(byOffset)) != total {
				t.Errorf("%s %s: walked %d of %d", sort, filter, len(byOffset), total)
			}
			if diff := cmp.Diff(byOffset, byCursor); diff != "" {
				t.Errorf("%s %s: the cursor went another way: %s", sort, filter, diff)
			}
			unique := slices.Clone(byOffset)
			slices.Sort(unique)
			if len(slices.Compact(unique)) != len(byOffset) {
				t.Errorf("%s %s: a record came twice", sort, filter)
			}
		}
	}
	page, records := b.list(t, u, record.Query{Offset: 5000})
	if page.Total != 730 || page.HasMore || len(records) != 0 {
		t.Errorf("behind the end: %+v", page)
	}
	page, _ = b.list(t, u, record.Query{Sorts: []byte(`[{"fieldId":"N"}]`)})
	_, err := b.engine.List(t.Context(), b.actor, u, record.Query{Cursor: page.Cursor, Limit: 5})
	wantItem(t, err, tenancy.KindInvalid, "cursor")
}

func TestAViewAppliesItsFiltersAndSorts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, names := letters(t, b)
	tab := b.schema(t, parse(t, table()))
	view := tab.Views[0]
	config := schema.ViewConfig{
		"filters": json.RawMessage(`[{"fieldId":"State","op":"in","value":["Open","Late"]}]`),
		"sorts":   json.RawMessage(`[{"fieldId":"N","dir":"desc"}]`),
	}
	if err := b.store.UpdateView(t.Context(), b.actor.Org, view.ID, schema.ViewPatch{Config: config, Check: record.CheckView}); err != nil {
		t.Fatal(err)
	}
	if got := names(record.Query{View: view.PublicID()}); got != "eac" {
		t.Errorf("the view gave %q", got)
	}
	if got := names(record.Query{View: view.PublicID(), Sorts: []byte(`[{"fieldId":"Name"}]`)}); got != "ace" {
		t.Errorf("sorted otherwise, the view gave %q", got)
	}
	if got := names(record.Query{View: view.PublicID(), Filters: []byte(`[{"fieldId":"Done","op":"eq","value":true}]`)}); got != "ac" {
		t.Errorf("filtered further, the view gave %q", got)
	}
	if got := names(record.Query{View: view.PublicID(), Search: "oslo"}); got != "ac" {
		t.Errorf("searched, the view gave %q", got)
	}
	// It outlives the renaming of its fields, and options that are gone match nothing.
	state := tab.FieldByName("State")
	newName := "Status"
	if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, schema.FieldPatch{
		Name: &newName, Config: json.RawMessage(`{"options":["Open","Closed"]}`), Discard: true,
	}); err != nil {
		t.Fatal(err)
	}
	if got := names(record.Query{View: view.PublicID()}); got != "ea" {
		t.Errorf("after the change, the view gave %q", got)
	}
	config["filters"] = json.RawMessage(`[{"fieldId":"Status","op":"gt","value":1}]`)
	err := b.store.UpdateView(t.Context(), b.actor.Org, view.ID, schema.ViewPatch{Config: config, Check: record.CheckView})
	wantItem(t, err, tenancy.KindInvalid, "config.filters[0].op", "not an operator")
}

func TestProjectionReturnsTheFieldsAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _ := letters(t, b)
	u := parse(t, table())
	tab := b.schema(t, u)
	_, records := b.list(t, u, record.Query{Fields: []string{"N", tab.FieldByName("Name").PublicID()}, Limit: 1, Sorts: []byte(`[{"fieldId":"Day"}]`)})
	if diff := cmp.Diff(map[string]any{"Name": "a", "N": 1.0}, records[0].Fields); diff != "" {
		t.Error(diff)
	}
}

func TestSearchFindsWhatAReaderSees(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "S", everyField...)
	me := id.Format(id.User, b.actor.Person)
	b.create(t, u,
		`{"Name":"first 50%_off","Notes":"ΟΔΥΣΣΕΥΣ","Mail":"Ann@x.no","N":-12.5,"Day":"2024-02-29","State":"Closed, gone","Tags":["b \"q\""]}`,
		`{"Name":"second İstanbul","At":"2024-02-29T12:34:56Z","Doc":{"key":"wörld"},"Price":1e20,"Who":"`+me+`"}`,
		`{"Name":"third 50x_off","Notes":"back\\slash","Share":0.00001}`)
	cases := []struct{ text, want string }{
		{"FIRST", "0"},
		{"50%_", "0"},
		{" 50", "02"},
		{`\`, "2"},
		{"οδυσσευσ", "0"},
		{"ΟΔΥΣΣΕΥΣ", "0"},
		{"ann@X", "0"},
		{"-12.5", "0"},
		{"2024-02-29", "01"},
		{"closed, GONE", "0"},
		{`B "Q"`, "0"},
		{"istanbul", "1"},
		{"İSTANBUL", "1"},
		{"12:34:56.000Z", "1"},
		{"WÖRLD", "1"},
		{"100000000000000000000", "1"},
		{"0.00001", "2"},
		{"test PERSON", "1"},
		{"nothing at all", ""},
		{"i", "012"},
		{"x_o", "2"},
	}
	tab := b.schema(t, u)
	for _, c := range cases {
		for _, q := range []record.Query{
			{Search: c.text},
			{Search: c.text, Sorts: []byte(`[{"fieldId":"No"}]`)},
			{Search: c.text, Filters: []byte(`[{"fieldId":"No","op":"gt","value":0}]`)},
		} {
			if strings.Contains(c.text, "PERSON") { // every record has an author
				c.want = "012"
			}
			for range 2 { // the second time the total is remembered
				page, records := b.list(t, u, q)
				got := ""
				for _, r := range records {
					got += fmt.Sprint(r.Fields["No"].(float64) - 1)
				}
				if got != c.want || page.Total != int64(len(c.want)) {
					t.Errorf("%q found %q of %d, want %q", c.text, got, page.Total, c.want)
				}
			}
		}
	}
	page, err := b.engine.Search(t.Context(), b.actor, u, " 50", 1, 1, "")
	if err != nil || page.Total != 2 || len(page.Records) != 1 || page.HasMore {
		t.Errorf("second page of one: %+v %v", page, err)
	}
	_, err = b.engine.Search(t.Context(), b.actor, u, "", 1, 0, "")
	wantItem(t, err, tenancy.KindInvalid, "q")
	_, err = b.engine.Search(t.Context(), b.actor, u, "a\x00", 1, 0, "")
	wantItem(t, err, tenancy.KindInvalid, "q")

	// The function by itself searches the present organization only.
	other := setup(t)
	err = other.db.Batch(t.Context(), other.actor.Org, func(batch *pgx.Batch) {
		batch.Queue("select gate.search($1, '{}', '%', null, '{}', '{}', '{}')", tab.Number)
	})
	if !tenancy.IsSQLState(err, "RH001") {
		t.Errorf("searching a foreign table: %v", err)
	}
}

func TestLinksAreReadFromBothSides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	regions := b.table(t, "Regions", field("Name", schema.Text))
	countries := b.table(t, "Countries", field("Name", schema.Text))
	link, err := b.store.CreateField(t.Context(), b.actor.Org, regions, field("Country", schema.LinkType, `{"linkedTableId":"`+id.Format(id.Table, countries)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	back := b.schema(t, countries).Fields[1].Name
	c := b.create(t, countries, `{"Name":"Norway"}`, `{"Name":"Sweden"}`)
	r := b.create(t, regions, `{"Name":"Oslo","Country":["`+c[0].ID+`"]}`, `{"Name":"Both","Country":["`+c[1].ID+`","`+c[0].ID+`"]}`, `{"Name":"None"}`)
	if diff := cmp.Diff([]any{[]any{c[0].ID}, []any{c[1].ID, c[0].ID}, nil}, column(r, "Country")); diff != "" {
		t.Fatal(diff)
	}
	_, all := b.list(t, countries, record.Query{})
	if diff := cmp.Diff([]any{[]any{r[0].ID, r[1].ID}, []any{r[1].ID}}, column(all, back)); diff != "" {
		t.Fatal(diff)
	}
	count := func(table record.Query, want string) {
		t.Helper()
		_, found := b.list(t, regions, table)
		if got := fmt.Sprint(column(found, "Name")); got != want {
			t.Errorf("%s found %s, want %s", table.Filters, got, want)
		}
	}
	for _, x := range []struct{ op, value, want string }{
		{"has_any", `["` + c[0].ID + `"]`, "[Oslo Both]"},
		{"has_all", `["` + c[0].ID + `","` + c[1].ID + `"]`, "[Both]"},
		{"has_none", `["` + c[1].ID + `"]`, "[Oslo None]"},
		{"is_exactly", `["` + c[0].ID + `"]`, "[Oslo]"},
		{"is_exactly", `["` + c[0].ID + `","` + c[1].ID + `"]`, "[Both]"},
		{"has_any", `"` + id.FormatRecord(b.schema(t, countries).Number, id.New()) + `"`, "[]"},
	} {
		count(record.Query{Filters: []byte(`[{"fieldId":"Country","op":"` + x.op + `","value":` + x.value + `}]`)}, x.want)
	}
	empty := record.Query{Filters: []byte(`[{"fieldId":"Country","op":"is_empty"}]`)}
	count(empty, "[None]")
	count(record.Query{Search: "norw"}, "[Oslo Both]")

	// Written from the other side, and changed there, seen here; remembered totals follow.
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, c[1].ID, []byte(`{"`+back+`":["`+r[2].ID+`"]}`), false); err != nil {
		t.Fatal(err)
	}
	count(empty, "[]")
	count(record.Query{Search: "sweden"}, "[None]")
	for _, clear := range []string{`""`, `null`, `[]`} {
		for _, step := range [][2]string{{clear, "[None]"}, {`["` + c[1].ID + `"]`, "[]"}} {
			if _, err := b.engine.UpdateOne(t.Context(), b.actor, r[2].ID, []byte(`{"Country":`+step[0]+`}`), false); err != nil {
				t.Fatal(err)
			}
			count(empty, step[1])
		}
	}
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, c[1].ID, []byte(`{"Name":"Suecia"}`), false); err != nil {
		t.Fatal(err)
	}
	count(record.Query{Search: "sweden"}, "[]")
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, c[0].ID); err != nil {
		t.Fatal(err)
	}
	count(empty, "[Oslo Both]")

	foreign := setup(t)
	theirs := foreign.create(t, foreign.table(t, "T", field("Name", schema.Text)), `{"Name":"x"}`)[0].ID
	for _, bad := range []string{theirs, r[0].ID, id.FormatRecord(b.schema(t, countries).Number, id.New()), c[0].ID, "rec_"} {
		_, err := b.engine.Create(t.Context(), b.actor, regions, record.Creation{Records: raws([]string{`{}`, `{"Country":["` + bad + `"]}`})})
		wantItem(t, err, tenancy.KindInvalid, "records[1].fields.Country", bad, "Countries")
	}
	for _, bad := range []string{theirs, r[0].ID} {
		_, err := b.engine.List(t.Context(), b.actor, regions, record.Query{Limit: 1, Filters: []byte(`[{"fieldId":"Country","op":"has_any","value":["` + bad + `"]}]`)})
		wantItem(t, err, tenancy.KindInvalid, "filters[0].value", bad)
	}
	if err := b.store.DeleteField(t.Context(), b.actor.Org, link.ID); err != nil {
		t.Fatal(err)
	}
	_, all = b.list(t, countries, record.Query{})
	if _, there := all[0].Fields[back]; there {
		t.Error("the other side is still there")
	}
}

func TestUpsertUpdatesWhatMatchesAndInsertsTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "U", field("Code", schema.Text), field("Year", schema.Number), field("Name", schema.Text, `{"default":"new"}`), field("On", schema.Checkbox))
	made := b.create(t, u, `{"Code":"a","Year":1,"Name":"one"}`, `{"Code":"a","Year":2,"Name":"two","On":true}`, `{"Code":"b","Year":1}`, `{"Code":"b","Year":1}`)
	upsert := func(on []string, objects ...string) (record.Written, error) {
		return b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: raws(objects), UpsertOn: on})
	}
	written, err := upsert([]string{"Code", "Year"}, `{"Code":"new","Year":1}`, `{"Code":"a","Year":2,"Name":"TWO"}`, `{"Year":2,"Name":"blank key"}`, `{"Code":"a","Year":1,"On":true}`)
	if err != nil {
		t.Fatal(err)
	}
	got := decodeAll(t, written.Records)
	if diff := cmp.Diff([]any{"new", "TWO", "blank key", "one"}, column(got, "Name")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{false, true, false, true}, column(got, "On")); diff != "" {
		t.Error(diff)
	}
	want := &record.Upserted{Created: []string{got[0].ID, got[2].ID}, Updated: []string{made[1].ID, made[0].ID}}
	if diff := cmp.Diff(want, written.Upsert); diff != "" {
		t.Error(diff)
	}
	if page, _ := b.list(t, u, record.Query{}); page.Total != 6 {
		t.Errorf("total %d, want 6", page.Total)
	}
	_, err = upsert([]string{"Code", "Year"}, `{"Code":"c"}`, `{"Code":"b","Year":1}`)
	wantItem(t, err, tenancy.KindInvalid, "records[1].fields", made[2].ID, made[3].ID)
	_, err = upsert([]string{"Code"}, `{"Code":"c"}`, `{"Code":"d"}`, `{"Code":"c"}`)
	wantItem(t, err, tenancy.KindInvalid, "records[2].fields", "records[0]")
	_, err = upsert([]string{}, `{"Code":"c"}`)
	wantItem(t, err, tenancy.KindInvalid, "upsertOn", "1 to 3")
	_, err = upsert([]string{"Codee"}, `{"Code":"c"}`)
	wantItem(t, err, tenancy.KindInvalid, "upsertOn[0]", `did you mean "Code"?`)
	_, err = upsert([]string{"On"}, `{"On":true}`)
	wantItem(t, err, tenancy.KindInvalid, "upsertOn[0]", "checkbox")
	if page, _ := b.list(t, u, record.Query{}); page.Total != 6 {
		t.Errorf("total %d, want 6", page.Total)
	}
}

func TestWritersUpsertingTheSameKeysMakeNoDuplicates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "U", field("Code", schema.Text), field("Year", schema.Number), field("By", schema.Number))
	var wg sync.WaitGroup
	for writer := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(writer), 7))
			for range 12 {
				var objects []string
				for _, key := range rng.Perm(30)[:15] {
					objects = append(objects, fmt.Sprintf(`{"Code":"k%d","Year":%d,"By":%d}`, key, key%2, writer))
				}
				on := []string{"Code", "Year"}
				if rng.IntN(2) == 0 {
					slices.Reverse(on)
				}
				if _, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: raws(objects), UpsertOn: on}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	page, records := b.list(t, u, record.Query{})
	codes := map[any]bool{}
	for _, code := range column(records, "Code") {
		if codes[code] {
			t.Errorf("%v is there twice", code)
		}
		codes[code] = true
	}
	if page.Total != 30 || len(codes) != 30 {
		t.Errorf("total %d, %d codes; want 30", page.Total, len(codes))
	}
}

func TestTotalsStayExactUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Count", field("Name", schema.Text), field("N", schema.Number))
	filter := []byte(`[{"fieldId":"N","op":"gt","value":4}]`)
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(writer), 3))
			var mine []string
			for range 150 {
				switch {
				case len(mine) > 10 || (len(mine) > 0 && rng.IntN(3) == 0):
					n := 1 + rng.IntN(min(len(mine), 4))
					if _, err := b.engine.Delete(t.Context(), b.actor, u, mine[:n]); err != nil {
						t.Error(err)
					}
					mine = mine[n:]
				case len(mine) > 0 && rng.IntN(3) == 0:
					if _, err := b.engine.UpdateOne(t.Context(), b.actor, mine[0], fmt.Appendf(nil, `{"N":%d}`, rng.IntN(9)), false); err != nil {
						t.Error(err)
					}
				default:
					var objects []string
					for range 1 + rng.IntN(3) {
						objects = append(objects, fmt.Sprintf(`{"N":%d}`, rng.IntN(9)))
					}
					written, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: raws(objects)})
					if err != nil {
						t.Error(err)
						return
					}
					for _, r := range decodeAll(t, written.Records) {
						mine = append(mine, r.ID)
					}
				}
			}
		})
	}
	var pages, remembered atomic.Int64
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				// The whole list fits on a page, so each page proves its own total.
				for _, q := range []record.Query{{Limit: 100}, {Limit: 100, Filters: filter}, {Limit: 1, Filters: filter}} {
					page, err := b.engine.List(t.Context(), b.actor, u, q)
					if err != nil {
						t.Error(err)
						return
					}
					pages.Add(1)
					if q.Limit == 1 {
						remembered.Add(1)
						continue
					}
					if int64(len(page.Records)) != page.Total {
						t.Errorf("a page of %d says %d", len(page.Records), page.Total)
						return
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	for range 2 {
		page, err := b.engine.List(t.Context(), b.actor, u, record.Query{Limit: 100, Filters: filter})
		if err != nil {
			t.Fatal(err)
		}
		one, err := b.engine.List(t.Context(), b.actor, u, record.Query{Limit: 1, Filters: filter})
		if err != nil || one.Total != int64(len(page.Records)) {
			t.Errorf("total %d of %d: %v", one.Total, len(page.Records), err)
		}
	}
	t.Logf("%d pages compared", pages.Load())
}

func TestARememberedTotalIsForgottenWithTheNextWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Count", field("Name", schema.Text), field("N", schema.Number), field("State", schema.SingleSelect, `{"options":["Open","Shut"]}`))
	made := b.create(t, u, `{"N":1,"State":"Open"}`, `{"N":2,"State":"Open"}`, `{"N":3}`)
	another := record.New(b.db, b.store) // as in another process, which remembers totals of its own
	total := func(filter string) int64 {
		t.Helper()
		var totals [2]int64
		for i, engine := range []*record.Engine{b.engine, another} {
			page, err := engine.List(t.Context(), b.actor, u, record.Query{Limit: 1, Filters: []byte(filter)})
			if err != nil {
				t.Fatal(err)
			}
			totals[i] = page.Total
		}
		if totals[0] != totals[1] {
			t.Fatalf("%s: two totals %v", filter, totals)
		}
		return totals[0]
	}
	big, open := `[{"fieldId":"N","op":"gt","value":1}]`, `[{"fieldId":"State","op":"eq","value":"Open"}]`
	for range 2 {
		if total(big) != 2 || total(open) != 2 {
			t.Fatal("wrong at first")
		}
	}
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, []byte(`{"N":5}`), false); err != nil {
		t.Fatal(err)
	}
	if got := total(big); got != 3 {
		t.Errorf("after an update: %d, want 3", got)
	}
	if _, err := another.DeleteOne(t.Context(), b.actor, made[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := total(big); got != 2 {
		t.Errorf("after a deletion: %d, want 2", got)
	}
	// Options that are renamed change rows without this package's writing them.
	state := b.schema(t, u).FieldByName("State")
	if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, schema.FieldPatch{
		Config: json.RawMessage(`{"options":["Shut","Open",{"name":"Ajar","previousName":"Open"}]}`),
	}); err == nil {
		t.Log("renamed")
	} else if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, schema.FieldPatch{
		Config: json.RawMessage(`{"options":["Shut",{"name":"Ajar","previousName":"Open"}]}`),
	}); err != nil {
		t.Fatal(err)
	}
	if got := total(`[{"fieldId":"State","op":"eq","value":"Ajar"}]`); got != 1 {
		t.Errorf("after renaming an option: %d, want 1", got)
	}
}

func TestWritesBesideSchemaChangesAreCleanlyRefusedOrRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Moving", field("Name", schema.Text), field("X", schema.Number), field("Y", schema.Text))
	made := b.create(t, u, `{"Name":"seed","X":1,"Y":"y"}`)[0].ID
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var refused, done atomic.Int64
	for writer := range 6 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				var err error
				switch (i + writer) % 4 {
				case 0:
					_, err = b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: raws([]string{`{"Name":"n","X":7,"Y":"why"}`})})
				case 1:
					_, err = b.engine.UpdateOne(t.Context(), b.actor, made, []byte(`{"X":8,"Y":"you"}`), false)
				case 2:
					var page record.Page
					page, err = b.engine.List(t.Context(), b.actor, u, record.Query{Limit: 100, Filters: []byte(`[{"fieldId":"X","op":"gt","value":0}]`)})
					for _, raw := range page.Records {
						fields := decode(t, raw).Fields
						if x, there := fields["X"]; there && x != nil {
							if _, number := x.(float64); !number {
								t.Errorf("X holds %v", x)
							}
						}
						if y, there := fields["Y"]; there && y != nil {
							if _, text := y.(string); !text {
								t.Errorf("Y holds %v", y)
							}
						}
					}
				case 3:
					_, err = b.engine.Get(t.Context(), b.actor, made)
				}
				switch tenancy.KindOf(err) {
				case tenancy.KindInvalid:
					refused.Add(1)
				default:
					var known *tenancy.Error
					if err != nil && (!errors.As(err, &known) || known.Kind == tenancy.KindInternal) {
						t.Errorf("an error that is not clean: %v", err)
						return
					}
					done.Add(1)
				}
			}
		})
	}
	for round := range 12 {
		name := []string{"X", "Y"}[round%2]
		kind := []schema.Type{schema.Number, schema.Text}[round%2]
		// Another process changes the schema: this one's snapshot is behind.
		remote := schema.NewStore(b.db)
		f := b.schema(t, u).FieldByName(name)
		if err := remote.DeleteField(context.WithoutCancel(t.Context()), b.actor.Org, f.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := remote.CreateField(t.Context(), b.actor.Org, u, field(name, kind)); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d done, %d refused", done.Load(), refused.Load())
	if done.Load() == 0 {
		t.Error("nothing was done")
	}
}

func TestASingleReadAndWriteMakeOneRoundTrip(t *testing.T) {
	t.Parallel()
	trips := &counter{}
	db, err := tenancy.Open(t.Context(), tenancytest.DatabaseURL(t), tenancy.Options{MaxConns: 1, Tracer: trips})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	b := setupOn(t, db)
	u := b.table(t, "T", everyField...)
	me := id.Format(id.User, b.actor.Person)
	made := b.create(t, u, `{"Name":"a"}`)[0].ID
	for name, do := range map[string]func() error{
		"get": func() error { _, err := b.engine.Get(t.Context(), b.actor, made); return err },
		"update": func() error {
			_, err := b.engine.UpdateOne(t.Context(), b.actor, made, []byte(`{"Name":"b","N":1,"Who":"`+me+`"}`), false)
			return err
		},
		"create": func() error {
			_, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: raws([]string{`{"Name":"b","N":1}`})})
			return err
		},
		"page": func() error {
			_, err := b.engine.List(t.Context(), b.actor, u, record.Query{Limit: 100, Search: "b", Filters: []byte(`[{"fieldId":"N","op":"gt","value":0}]`)})
			return err
		},
	} {
		for range 2 { // statements are prepared on first use
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		trips.n.Store(0)
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if n := trips.n.Load(); n != 1 {
			t.Errorf("%s: %d round trips", name, n)
		}
	}
}

// counter counts what is sent to PostgreSQL: a batch is one round trip, and so is a statement or a preparation of its own.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
func (c *counter) TracePrepareStart(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TracePrepareEnd(context.Context, *pgx.Conn, pgx.TracePrepareEndData) {}

package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Lists of options have an order, so a list that is sorted by them has cursors too.
func TestACursorLeadsOnBehindAListOfOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Tagged", field("Name", schema.Text),
		field("Tags", schema.MultiSelect, `{"options":["x","y","z, \"q\""]}`))
	b.create(t, u, `{"Name":"a","Tags":["y"]}`, `{"Name":"b"}`, `{"Name":"c","Tags":["x","y"]}`,
		`{"Name":"d","Tags":["x"]}`, `{"Name":"e","Tags":["z, \"q\"","x"]}`)
	for dir, want := range map[string][]any{"asc": {"d", "c", "a", "e", "b"}, "desc": {"e", "a", "c", "d", "b"}} {
		q := query.Request{Sorts: []byte(`[{"fieldId":"Tags","dir":"` + dir + `"}]`), Limit: 1}
		var got []any
		for {
			page, records := b.list(t, u, q)
			got = append(got, column(records, "Name")...)
			if q.Cursor = page.Cursor; q.Cursor == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
}

// The first and the last day that can be written are no less days than others.
func TestACursorLeadsOnBehindTheFirstAndTheLastDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Days", field("Name", schema.Text), field("Day", schema.Date), field("At", schema.DateTime))
	b.create(t, u, `{"Name":"a","Day":"0001-01-01","At":"9999-12-31T23:59:59Z"}`,
		`{"Name":"b","Day":"9999-12-31","At":"0001-01-01T00:00:00Z"}`, `{"Name":"c","Day":"2024-01-01"}`)
	for sort, want := range map[string][]any{"Day": {"a", "c", "b"}, "At": {"b", "a", "c"}} {
		q := query.Request{Sorts: []byte(`[{"fieldId":"` + sort + `"}]`), Limit: 1}
		var got []any
		for {
			page, records := b.list(t, u, q)
			got = append(got, column(records, "Name")...)
			if q.Cursor = page.Cursor; q.Cursor == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", sort, got, want)
		}
	}
}

// walk follows the cursors of a list. between is called after each page, with the last record of
// it.
func (b *bundle) walk(t *testing.T, table uuid.UUID, q query.Request, between func(page int, last rec)) []string {
	t.Helper()
	var got []string
	for page := 0; ; page++ {
		p, records := b.list(t, table, q)
		for _, r := range records {
			got = append(got, fmt.Sprint(r.Fields["Name"]))
		}
		if p.HasMore != (p.Cursor != "") {
			t.Fatalf("hasMore is %v, and the cursor is %q", p.HasMore, p.Cursor)
		}
		if len(p.Cursor) > 8000 {
			t.Errorf("a cursor of %d bytes fits into no address", len(p.Cursor))
		}
		if q.Cursor = p.Cursor; q.Cursor == "" {
			return got
		}
		if between != nil {
			between(page, records[len(records)-1])
		}
	}
}

func TestACursorLeadsOnBehindALongValue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const many = 12
	u := b.table(t, "Long", field("Name", schema.Text), field("Text",
		schema.Text), field("Other", schema.Text), field("Tags", schema.MultiSelect,
		`{"options":["`+strings.Repeat("x", 250)+`","`+strings.Repeat("y", 250)+`","`+strings.Repeat("ž", 250)+`"]}`))
	inputs := make([]string, many)
	for i := range inputs {
		// The same beginning, longer than what a cursor holds of it, with letters of several bytes;
		// every third value is the same.
		long := strings.Repeat("å", 20_000) + fmt.Sprint(i/3)
		inputs[i] = fmt.Sprintf(`{"Name":"%02d","Text":%q,"Other":%q,"Tags":["%s","%s","%s"]}`, i, long,
			strings.Repeat("o", 30_000)+fmt.Sprint(many-i), strings.Repeat("x", 250), strings.Repeat("y", 250),
			strings.Repeat("ž", 250))
	}
	b.create(t, u, inputs...)
	for _, sorts := range []string{
		`[{"fieldId":"Text"}]`, `[{"fieldId":"Text","dir":"desc"}]`, `[{"fieldId":"Text"},{"fieldId":"Other"}]`,
		`[{"fieldId":"Tags","dir":"desc"},{"fieldId":"Other","dir":"desc"}]`,
		`[{"fieldId":"Tags"},{"fieldId":"Text","dir":"desc"},{"fieldId":"Name"}]`,
	} {
		_, all := b.list(t, u, query.Request{Sorts: []byte(sorts)})
		var want []string
		for _, r := range all {
			want = append(want, fmt.Sprint(r.Fields["Name"]))
		}
		if got := b.walk(t, u, query.Request{Sorts: []byte(sorts), Limit: 1}, nil); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", sorts, got, want)
		}
	}
}

// The record that a cursor names goes, or its value changes, before the next page is asked for:
// nothing that stays is left out.
func TestACursorBehindALongValueOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"asc", "desc"} {
		b := setup(t)
		u := b.table(t, "Long", field("Name", schema.Text), field("Text", schema.Text))
		var inputs []string
		for i := range 9 {
			inputs = append(inputs,
				fmt.Sprintf(`{"Name":"%d","Text":%q}`, i, fmt.Sprint(i/5)+strings.Repeat("a", 2000)+fmt.Sprint(i)))
		}
		recs := b.create(t, u, inputs...)
		got := b.walk(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Text","dir":"` + dir + `"}]`), Limit: 3},
			func(page int, last rec) {
				switch {
				case page == 0:
					if _, err := b.engine.DeleteOne(t.Context(), b.actor, last.ID); err != nil {
						t.Fatal(err)
					}
				case page == 1:
					if _, err := b.engine.UpdateOne(
						t.Context(), b.actor, last.ID, jsonvaluetest.ParseObject([]byte(`{"Text":"~"}`)), false,
					); err != nil {
						t.Fatal(err)
					}
				case page > 20:
					t.Fatal("the list does not end")
				}
			})
		for i := range recs {
			if !slices.Contains(got, fmt.Sprint(i)) {
				t.Errorf("%s: %d is left out of %v", dir, i, got)
			}
		}
	}
}

// Selects are in the order of their options, which may change between two pages.
func TestSelectsAreInTheOrderOfTheirOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const backlog, todo, done = "Backlog", "Todo", `Done, \o/ 'it'`
	options := func(names ...string) []byte {
		raw, err := json.Marshal(map[string]any{"options": names})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	u := b.table(t, "Tasks", field("Name", schema.Text),
		field("State", schema.SingleSelect, string(options(todo, done, backlog))),
		field("Tags", schema.MultiSelect, string(options(todo, done, backlog))))
	for name, states := range map[string][]string{
		"1": {backlog}, "2": {}, "3": {todo, done}, "4": {done}, "5": {todo}, "6": {done, todo},
	} {
		values := map[string]any{"Name": name, "Tags": states}
		if len(states) > 0 {
			values["State"] = states[0]
		}
		raw, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		b.create(t, u, string(raw))
	}
	ordered := func(sorts string, want ...string) {
		t.Helper()
		for _, limit := range []int{1, 100} {
			if got := b.walk(t, u, query.Request{Sorts: []byte(sorts), Limit: limit}, nil); !slices.Equal(got, want) {
				t.Errorf("%s, %d a page: %v, want %v", sorts, limit, got, want)
			}
		}
	}
	state := `[{"fieldId":"State","dir":"%s"},{"fieldId":"Name"}]`
	ordered(fmt.Sprintf(state, "asc"), "3", "5", "4", "6", "1", "2")
	ordered(fmt.Sprintf(state, "desc"), "1", "4", "6", "3", "5", "2")
	ordered(`[{"fieldId":"Tags"}]`, "5", "3", "4", "6", "1", "2")
	ordered(`[{"fieldId":"Tags","dir":"desc"}]`, "1", "6", "4", "3", "5", "2")

	// A cursor goes on where options are added or moved behind it, and is refused where one is moved over it.
	for name, change := range map[string]struct {
		options []string
		goesOn  bool
	}{
		"added":             {[]string{todo, done, backlog, "New"}, true},
		"moved behind":      {[]string{todo, done, "New", backlog}, true},
		"moved before":      {[]string{todo, backlog, done, "New"}, false},
		"as it was, with 4": {[]string{todo, done, backlog, "New"}, true},
	} {
		set := func(names []string) {
			t.Helper()
			f := b.schema(t, u).FieldByName("State")
			err := b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{Config: options(names...)})
			if err != nil {
				t.Fatal(err)
			}
		}
		set([]string{todo, done, backlog})
		q := query.Request{Sorts: fmt.Appendf(nil, state, "asc"), Limit: 3}
		page, _ := b.list(t, u, q)
		set(change.options)
		q.Cursor = page.Cursor
		page, err := b.engine.List(t.Context(), b.actor, u, q)
		if (err == nil) != change.goesOn || err != nil && problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && len(page.Records) != 3 {
			t.Errorf("%s: %d records behind the cursor", name, len(page.Records))
		}
	}
}

// Digits in texts are numbers, and accents and cases come behind letters. Equal numbers that are written
// differently have an order too.
func TestTextsAreInTheOrderThatPeopleExpect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// Behind so many letters a cursor has a part of the text alone, which ends within a number.
	long, sevens := strings.Repeat("x", 250)+" ", strings.Repeat("7", 300)
	want := []string{
		"1.2.9", "1.2.10", "9 lives", "10 downing", "café", "Café", "cafes", "Ida", "item 02", "item 2", "Item 2",
		"item 10", "item 10b", "ø", long + sevens, long + sevens + sevens[:100], long + sevens + sevens[:101], "zoo",
		"Zoo",
	}
	u := b.table(t, "Texts", field("Name", schema.Text))
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(want)) {
		raw, err := json.Marshal(map[string]string{"Name": want[i]})
		if err != nil {
			t.Fatal(err)
		}
		b.create(t, u, string(raw))
	}
	for _, dir := range []string{"asc", "desc"} {
		for _, limit := range []int{1, 4, 100} {
			q := query.Request{Sorts: []byte(`[{"fieldId":"Name","dir":"` + dir + `"}]`), Limit: limit}
			got := b.walk(t, u, q, nil)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d a page: %q, want %q", dir, limit, got, want)
			}
		}
		slices.Reverse(want)
	}
}

// A cursor holds a part of a long text, which does not end within a number: the part would be a smaller one.
func TestACursorWithinANumberOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Numbered", field("Name", schema.Text))
	var want []string
	for i := range 9 {
		want = append(want, strings.Repeat("x", 250)+fmt.Sprint(" ", 1_000_008-i, " ", strings.Repeat("y", 300)))
		b.create(t, u, `{"Name":"`+want[i]+`"}`)
	}
	got := b.walk(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Name","dir":"desc"}]`), Limit: 3},
		func(page int, last rec) {
			if page == 0 {
				if _, err := b.engine.DeleteOne(t.Context(), b.actor, last.ID); err != nil {
					t.Fatal(err)
				}
			}
		})
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("…%s is left out", name[250:260])
		}
	}
}

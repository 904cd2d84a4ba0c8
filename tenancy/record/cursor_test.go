package record_test

import (
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Lists of options have an order, so a list that is sorted by them has cursors too.
func TestACursorLeadsOnBehindAListOfOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Tagged", field("Name", schema.Text), field("Tags", schema.MultiSelect, `{"options":["x","y","z, \"q\""]}`))
	b.create(t, u, `{"Name":"a","Tags":["y"]}`, `{"Name":"b"}`, `{"Name":"c","Tags":["x","y"]}`, `{"Name":"d","Tags":["x"]}`, `{"Name":"e","Tags":["z, \"q\"","x"]}`)
	for dir, want := range map[string][]any{"asc": {"d", "c", "a", "e", "b"}, "desc": {"e", "a", "c", "d", "b"}} {
		q := record.Query{Sorts: []byte(`[{"fieldId":"Tags","dir":"` + dir + `"}]`), Limit: 1}
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
	b.create(t, u, `{"Name":"a","Day":"0001-01-01","At":"9999-12-31T23:59:59Z"}`, `{"Name":"b","Day":"9999-12-31","At":"0001-01-01T00:00:00Z"}`, `{"Name":"c","Day":"2024-01-01"}`)
	for sort, want := range map[string][]any{"Day": {"a", "c", "b"}, "At": {"b", "a", "c"}} {
		q := record.Query{Sorts: []byte(`[{"fieldId":"` + sort + `"}]`), Limit: 1}
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

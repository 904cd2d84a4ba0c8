package record_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// checkKept compares the columns of fields that read linked records with what these fields are computed to where they
// are read: in every record that no mark concerns, and in all of them when everything marked has been computed.
func (m *computedModel) checkKept() {
	m.t.Helper()
	if m.random.IntN(3) == 0 {
		m.bundle.drain(m.t)
	}
	snapshot, err := m.store.Fresh(m.t.Context(), m.actor.Org)
	if err != nil {
		m.t.Fatal(err)
	}
	stored := snapshot.Stored()
	for _, table := range m.tables {
		live, kept := snapshot.Table(table.id), stored.Table(table.id)
		for _, f := range kept.Fields {
			if !f.Marked() || !f.Ready() {
				continue
			}
			m.kept++
			one := []*schema.Field{f}
			now := snapshot.Field(f.ID)
			statement := withStale(stored, one) + " select count(*), (select count(*) from stale) from " +
				live.From([]*schema.Field{now}) + " where t.id not in (select id from stale) and (t." +
				f.Computed.Value + " is distinct from t." + now.Computed.Value + " or t." +
				f.Computed.Failure + " is distinct from t." + now.Computed.Failure + ")"
			var wrong, marked int
			err := m.db.TableBatch(m.t.Context(), m.actor.Org, live.Ref(), func(b *pgx.Batch) {
				b.Queue(statement).QueryRow(func(row pgx.Row) error { return row.Scan(&wrong, &marked) })
			})
			if err != nil {
				m.t.Fatalf("%v in %s", err, statement)
			}
			if wrong > 0 {
				m.t.Errorf("%d records have another value in the column of %s than is computed, without a mark: %s",
					wrong, f.Name, statement)
			}
			m.stale += marked
		}
	}
}

// compareOrder reads the records of a table in pages in the order of a computed number, of those that another one lets
// through, and compares them and what an aggregation says.
func (m *computedModel) compareOrder(i int) {
	isNumber := func(f *linkedField) bool { return f.op != nil && f.typ == "number" && f.whole }
	by, compared := m.drawn(i, isNumber), m.drawn(i, isNumber)
	if by == nil || compared == nil {
		return
	}
	number := func(f *linkedField, r *linkedRecord) (float64, bool) {
		x, ok := shownAs(m.value(f, r)).(float64)
		return x, ok
	}
	desc, dir := m.random.IntN(2) == 0, "asc"
	if desc {
		dir = "desc"
	}
	var want []*linkedRecord
	filters := []any{}
	if m.random.IntN(2) == 0 {
		op, value := conditionOn("number")
		filters = append(filters, map[string]any{"fieldId": compared.name, "op": op, "value": value})
	}
	largest, some := 0.0, false
	for _, r := range m.tables[i].records {
		if x, ok := number(compared, r); len(filters) > 0 && (!ok || !conditionHolds(x)) {
			continue
		}
		want = append(want, r)
		if x, ok := number(by, r); ok && (!some || x > largest) {
			largest, some = x, true
		}
	}
	total := int64(len(want))
	slices.SortFunc(want, func(a, b *linkedRecord) int {
		x, hasX := number(by, a)
		y, hasY := number(by, b)
		switch {
		case hasX != hasY:
			return map[bool]int{true: -1, false: 1}[hasX]
		case x != y && hasX:
			if desc {
				x, y = y, x
			}
			return cmp.Compare(x, y)
		}
		return strings.Compare(a.id, b.id)
	})
	request := query.Request{
		Filters: m.encoded(filters), Sorts: m.encoded([]any{map[string]any{"fieldId": by.name, "dir": dir}}),
		Limit: 1 + m.random.IntN(12),
	}
	if m.random.IntN(3) == 0 && len(want) > 0 {
		request.Offset = int64(m.random.IntN(len(want)))
		want = want[request.Offset:]
	}
	var got []string
	for {
		page, rows := m.list(m.t, m.tables[i].id, request)
		if page.Total != total {
			m.t.Errorf("a list by %s has %d records, want %d", by.name, page.Total, total)
		}
		for _, row := range rows {
			got = append(got, row.ID)
		}
		if request.Cursor, request.Offset = page.Cursor, 0; page.Cursor == "" {
			break
		}
	}
	ids := make([]string, len(want))
	for i, r := range want {
		ids[i] = r.id
	}
	if !slices.Equal(got, ids) {
		m.t.Errorf("%s %s, filtered by %s (%d conditions): %v, want %v", by.name, dir, compared.name, len(filters), got,
			ids)
	}
	groups, err := m.engine.Aggregate(m.t.Context(), m.actor, m.tables[i].id, query.Aggregation{
		Filters: m.encoded(filters), Functions: m.encoded([]any{map[string]any{"fn": "max", "fieldId": by.name}}),
	})
	if err != nil {
		m.t.Fatal(err)
	}
	var result struct{ Results map[string]any }
	if err := json.Unmarshal(groups.Groups[0], &result); err != nil {
		m.t.Fatal(err)
	}
	if x, ok := result.Results["max("+by.name+")"].(float64); ok != some || ok && !sameCell(x, largest) {
		m.t.Errorf("the largest %s, filtered by %s (%d), is %v, want %v %t", by.name, compared.name, len(filters), x,
			largest, some)
	}
}

package record_test

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/query"
)

// compareEntries compares what conditions on the entries of a list find.
func (m *computedModel) compareEntries(i int) {
	f := m.drawn(i, func(f *linkedField) bool {
		return f.op != nil && (f.typ == "list of number" || f.typ == "list of text")
	})
	if f == nil {
		return
	}
	var values []any
	for range 1 + m.random.IntN(2) {
		var value any = float64(m.random.IntN(9) - 3)
		if f.typ == "list of text" {
			value = append(modelTexts, "")[m.random.IntN(len(modelTexts)+1)]
		}
		values = append(values, value)
	}
	op := []string{"has_any", "has_all", "has_none", "is_exactly"}[m.random.IntN(4)]
	holds := func(value any) bool {
		list, ok := shownAs(value).([]any)
		has := func(value any) bool {
			return slices.ContainsFunc(list, func(entry any) bool { return entry != nil && sameCell(entry, value) })
		}
		hasNot := func(value any) bool { return !has(value) }
		isNot := func(entry any) bool {
			return entry != nil && !slices.ContainsFunc(values, func(value any) bool { return sameCell(entry, value) })
		}
		switch op {
		case "has_any":
			return slices.ContainsFunc(values, has)
		case "has_none":
			return !slices.ContainsFunc(values, has)
		case "is_exactly":
			return ok && !slices.ContainsFunc(values, hasNot) && !slices.ContainsFunc(list, isNot)
		}
		return !slices.ContainsFunc(values, hasNot)
	}
	var want []string
	for _, r := range m.tables[i].records {
		if holds(m.value(f, r)) {
			want = append(want, r.id)
		}
	}
	if len(want) > 0 {
		m.matched++
	}
	page, rows := m.list(m.t, m.tables[i].id, query.Request{Filters: m.encoded([]any{
		map[string]any{"fieldId": f.name, "op": op, "value": values},
	})})
	var got []string
	for _, row := range rows {
		got = append(got, row.ID)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || page.Total != int64(len(want)) {
		m.t.Errorf("%s %s %v finds %v of %d, want %v", f.name, op, values, got, page.Total, want)
	}
}

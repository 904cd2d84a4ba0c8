package record_test

import (
	"encoding/json"
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// drawQuery makes up a list, and what it should give.
func (w *world) drawQuery(rt *rapid.T, m *modelTable) (query.Request, []*modelRow) {
	filters, passes := w.drawFilters(rt, m)
	sorts, less := w.drawSorts(rt, m)
	q := query.Request{Filters: filters, Sorts: sorts, Limit: rapid.IntRange(1, 6).Draw(rt, "limit")}
	if rapid.IntRange(0, 3).Draw(rt, "searched") == 0 {
		q.Search = rapid.SampledFrom(queries).Draw(rt, "search")
	}
	return q, m.expect(func(r *modelRow) bool { return passes(r) && (q.Search == "" || w.holds(m, r, q.Search)) }, less)
}

// page checks one page against the list that it is a part of.
func (w *world) page(rt *rapid.T, m *modelTable, q query.Request, at int, want []*modelRow) record.Page {
	if q.Cursor == "" || w.asOf == "" || rapid.Bool().Draw(rt, "named") { // a cursor brings its own
		q.AsOf = w.asOf
	}
	page, err := w.engine.List(w.t.Context(), w.actor, m.id, q)
	if err != nil {
		rt.Fatalf("listing %s %s %q: %v", q.Filters, q.Sorts, q.Search, err)
	}
	rest := want[min(at, len(want)):]
	shown := rest[:min(q.Limit, len(rest))]
	if page.Total != int64(len(want)) {
		rt.Fatalf("a total of %d, want %d: filters %s, search %q", page.Total, len(want), q.Filters, q.Search)
	}
	if page.Offset != int64(at) || page.HasMore != (len(rest) > len(shown)) || (page.Cursor != "") != page.HasMore {
		rt.Fatalf("offset %d, more %v, cursor %q; want offset %d of %d",
			page.Offset, page.HasMore, page.Cursor, at, len(want))
	}
	if len(page.Records) != len(shown) {
		rt.Fatalf("%d records, want %d: filters %s, sorts %s, search %q, at %d",
			len(page.Records), len(shown), q.Filters, q.Sorts, q.Search, at)
	}
	for i, r := range shown {
		if got := decode(w.t, page.Records[i]); got.ID != r.id {
			rt.Fatalf("%s in place %d, want %s: filters %s, sorts %s, search %q",
				page.Records[i], at+i, r.id, q.Filters, q.Sorts, q.Search)
		}
		w.compare(rt, m, r, page.Records[i])
	}
	return page
}

func (w *world) list(rt *rapid.T) {
	m := w.someTable(rt)
	q, want := w.drawQuery(rt, m)
	q.Offset = int64(rapid.IntRange(0, len(want)+1).Draw(rt, "offset"))
	w.page(rt, m, q, int(q.Offset), want)
}

// bounds asks for one bound after another, whose totals follow from each other.
func (w *world) bounds(rt *rapid.T) {
	m := w.someTable(rt)
	f := m.where(rt, "bounded", func(f *modelField) bool {
		return f.shape() == shapeNumber || f.shape() == shapeDate || f.shape() == shapeTimestamp
	})
	op := rapid.SampledFrom([]string{"gt", "gte", "lt", "lte"}).Draw(rt, "op")
	for range 4 {
		value := w.drawOperand(rt, f)
		filters := marshal([]any{map[string]any{"fieldId": f.name, "op": op, "value": sent(value)[0]}})
		want := m.expect(func(r *modelRow) bool { return leafPasses(f, op, []any{value}, r) }, byID)
		w.page(rt, m, query.Request{Filters: filters, Limit: 1}, 0, want)
	}
}

// walk goes through a list from cursor to cursor.
func (w *world) walk(rt *rapid.T) {
	m := w.someTable(rt)
	q, want := w.drawQuery(rt, m)
	for at := 0; ; at += q.Limit {
		page := w.page(rt, m, q, at, want)
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return
		}
	}
}

func (w *world) search(rt *rapid.T) {
	m := w.someTable(rt)
	text := rapid.SampledFrom(queries).Draw(rt, "search")
	want := m.expect(func(r *modelRow) bool { return w.holds(m, r, text) }, byID)
	limit := rapid.IntRange(1, 6).Draw(rt, "limit")
	offset := rapid.IntRange(0, len(want)+1).Draw(rt, "offset")
	page, err := w.engine.SearchAsOf(w.t.Context(), w.actor, m.id,
		query.Request{Search: text, Limit: limit, Offset: int64(offset), AsOf: w.asOf})
	if err != nil {
		rt.Fatalf("searching %q: %v", text, err)
	}
	rest := want[min(offset, len(want)):]
	rest = rest[:min(limit, len(rest))]
	if page.Total != int64(len(want)) || len(page.Records) != len(rest) {
		for _, r := range m.rows {
			for _, f := range m.fields {
				rt.Logf("%s %s %s %q", r.id, f.name, f.kind, w.words(f, r))
			}
		}
		all, err := w.engine.Search(w.t.Context(), w.actor, m.id, text, 100, 0, "")
		rt.Logf("%v", err)
		for _, raw := range all.Records {
			rt.Logf("found %s", raw)
		}
		rt.Fatalf("%d of %d records for %q, want %d of %d", len(page.Records), page.Total, text, len(rest), len(want))
	}
	for i, r := range rest {
		w.compare(rt, m, r, page.Records[i])
	}
}

// aggregate counts and sums over a filtered table, in groups of one field or all together.
func (w *world) aggregate(rt *rapid.T) {
	m := w.someTable(rt)
	filters, passes := w.drawFilters(rt, m)
	in := query.Aggregation{Filters: filters, Limit: query.MaxGroups, AsOf: w.asOf}
	if rapid.IntRange(0, 3).Draw(rt, "searched") == 0 {
		in.Search = rapid.SampledFrom(queries).Draw(rt, "search")
	}
	rows := m.expect(func(r *modelRow) bool { return passes(r) && (in.Search == "" || w.holds(m, r, in.Search)) }, byID)
	functions := []any{map[string]any{"fn": "count"}}
	counted := m.where(rt, "counted", func(*modelField) bool { return true })
	functions = append(functions, map[string]any{"fn": "count", "fieldId": counted.name})
	var summed *modelField
	if slices.ContainsFunc(m.fields, func(f *modelField) bool { return f.shape() == shapeNumber }) {
		summed = m.where(rt, "summed", func(f *modelField) bool { return f.shape() == shapeNumber })
		for _, fn := range []string{"sum", "avg", "min", "max"} {
			functions = append(functions, map[string]any{"fn": fn, "fieldId": summed.name})
		}
	}
	in.Functions = marshal(functions)
	groups := [][]*modelRow{rows}
	var by *modelField
	if rapid.Bool().Draw(rt, "grouped") {
		by = m.where(rt, "by", func(f *modelField) bool {
			return f.shape() != shapeChoices && f.shape() != shapeUser && f.shape() != shapeLink
		})
		in.GroupBy = []string{by.name}
		groups = w.grouped(by, rows)
	}
	out, err := w.engine.Aggregate(w.t.Context(), w.actor, m.id, in)
	if err != nil {
		rt.Fatalf("aggregating %s by %v: %v", in.Functions, in.GroupBy, err)
	}
	if len(out.Groups) != len(groups) || out.HasMore {
		rt.Fatalf("%d groups, want %d: %s", len(out.Groups), len(groups), out.Groups)
	}
	for i, raw := range out.Groups {
		w.compareGroup(rt, raw, by, counted, summed, groups[i])
	}
}

func (w *world) grouped(by *modelField, rows []*modelRow) [][]*modelRow {
	rows = slices.Clone(rows)
	compare := func(a, b *modelRow) int { return w.inOrder(by, a.values[by], b.values[by], false) }
	slices.SortStableFunc(rows, compare)
	var groups [][]*modelRow
	for i, r := range rows {
		if i == 0 || compare(rows[i-1], r) != 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], r)
	}
	return groups
}

func (w *world) compareGroup(rt *rapid.T, raw []byte, by, counted, summed *modelField, rows []*modelRow) {
	var got struct {
		Key     map[string]any `json:"key"`
		Results map[string]any `json:"results"`
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		rt.Fatalf("%v in %s", err, raw)
	}
	if by != nil {
		if have, want := string(marshal(got.Key[by.name])), string(marshal(seen(by, rows[0]))); have != want {
			rt.Fatalf("a group of %s, want %s", have, want)
		}
	}
	filled := 0
	sum, least, most, n := 0.0, math.Inf(1), math.Inf(-1), 0
	largest := 0.0
	for _, r := range rows {
		value := seen(counted, r)
		if value != nil && value != false {
			filled++
		}
		if x, ok := r.values[summed].(float64); ok {
			sum, least, most, n = sum+x, min(least, x), max(most, x), n+1
			largest = max(largest, math.Abs(x))
		}
	}
	if got.Results["count"] != float64(len(rows)) || got.Results["count("+counted.name+")"] != float64(filled) {
		rt.Fatalf("%s, want %d records, %d with a value in %s", raw, len(rows), filled, counted.name)
	}
	if summed == nil {
		return
	}
	want := map[string]float64{"sum": sum, "avg": sum / float64(n), "min": least, "max": most}
	for fn, x := range want {
		have := got.Results[fn+"("+summed.name+")"]
		if n == 0 {
			if have != nil {
				rt.Fatalf("%s of nothing in %s", fn, raw)
			}
			continue
		}
		// Sums depend on the order of what is summed.
		if y, ok := have.(float64); !ok || math.Abs(x-y) > 1e-9*largest*float64(n) {
			rt.Fatalf("%s is %v in %s, want %v", fn, have, raw, x)
		}
	}
}

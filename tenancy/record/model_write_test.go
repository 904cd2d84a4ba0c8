package record_test

import (
	"cmp"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// set gives a record values; links are pairs.
func (w *world) set(r *modelRow, values map[*modelField]any) {
	for f, value := range values {
		if f.pairs == nil {
			switch value {
			case "":
				r.values[f] = nil
			default:
				r.values[f] = value
			}
			continue
		}
		maps.DeleteFunc(f.pairs.linked, func(p [2]*modelRow, _ bool) bool { return p[f.own] == r })
		for _, o := range value.([]*modelRow) { // of drawValue
			p := [2]*modelRow{r, o}
			if f.own == 1 {
				p = [2]*modelRow{o, r}
			}
			f.pairs.linked[p] = true
		}
	}
}

// fresh adds a record that the engine has made, and takes from its answer what only the engine can
// know.
func (w *world) fresh(rt *rapid.T, m *modelTable, raw []byte, values map[*modelField]any) {
	made := decode(w.t, raw)
	r := &modelRow{id: made.ID, values: map[*modelField]any{}}
	if len(m.rows) > 0 && made.ID <= m.rows[len(m.rows)-1].id {
		rt.Fatalf("record %s comes before one that was there", made.ID)
	}
	for _, f := range m.fields {
		if f.kind == schema.AutoNumber {
			r.values[f] = made.Fields[f.name]
		}
	}
	m.insert(r)
	w.set(r, values)
}

func (w *world) create(rt *rapid.T) {
	m := w.someTable(rt)
	n := rapid.IntRange(1, 4).Draw(rt, "records")
	objects, values := make([][]byte, n), make([]map[*modelField]any, n)
	for i := range objects {
		object, stored := w.drawObject(rt, m)
		objects[i], values[i] = marshal(object), stored
	}
	out, err := w.engine.Create(w.t.Context(), w.actor, m.id, record.Creation{Records: parsed(objects)})
	if err != nil {
		rt.Fatalf("creating %s: %v", objects, err)
	}
	for i := range objects {
		w.fresh(rt, m, out.Records[i], values[i])
	}
	for i := range objects {
		w.compare(rt, m, m.byID(decode(w.t, out.Records[i]).ID), out.Records[i])
	}
}

func (w *world) update(rt *rapid.T) {
	m := w.someTable(rt)
	if len(m.rows) == 0 {
		rt.Skip("no records")
	}
	rows := rapid.SliceOfNDistinct(rapid.SampledFrom(m.rows), 1, min(3, len(m.rows)), rapid.ID).Draw(rt, "rows")
	changes, values := make([]record.Change, len(rows)), make([]map[*modelField]any, len(rows))
	for i, r := range rows {
		object, stored := w.drawObject(rt, m)
		changes[i], values[i] = record.Change{ID: r.id, Fields: jsonvaluetest.ParseObject(marshal(object))}, stored
	}
	out, err := w.engine.Update(w.t.Context(), w.actor, m.id, changes, false)
	if err != nil {
		rt.Fatalf("updating %v: %v", values, err)
	}
	for i, r := range rows {
		w.set(r, values[i])
	}
	for i, r := range rows {
		w.compare(rt, m, r, out.Records[i])
	}
}

func (w *world) upsert(rt *rapid.T) {
	m := w.someTable(rt)
	canMatch := func(f *modelField) bool {
		switch f.shape() { // those that a record can be matched on
		case shapeText, shapeNumber, shapeDate, shapeTimestamp, shapeChoice:
			return !f.kind.Info().ReadOnly
		}
		return false
	}
	keys := []*modelField{m.where(rt, "key", canMatch)}
	if second := m.where(rt, "second key", canMatch); second != keys[0] && rapid.Bool().Draw(rt, "two keys") {
		keys = append(keys, second)
	}
	n := rapid.IntRange(1, 3).Draw(rt, "records")
	objects, values := make([][]byte, n), make([]map[*modelField]any, n)
	for i := range objects {
		object, stored := w.drawObject(rt, m)
		for _, k := range keys {
			object[k.name], stored[k] = w.drawValue(rt, k)
		}
		objects[i], values[i] = marshal(object), stored
	}
	names := []string{}
	for _, k := range keys {
		names = append(names, k.name)
	}
	matches, valid := m.match(keys, values)
	out, err := w.engine.Create(w.t.Context(), w.actor, m.id, record.Creation{
		Records:  parsed(objects),
		UpsertOn: names,
	})
	if !valid {
		if problem.KindOf(err) != problem.KindInvalid {
			rt.Fatalf("upserting %s on %v: %v, want a refusal", objects, names, err)
		}
		return
	}
	if err != nil {
		rt.Fatalf("upserting %s on %v: %v", objects, names, err)
	}
	var created, updated []string
	for i := range objects {
		if matches[i] == nil {
			continue
		}
		updated = append(updated, matches[i].id)
		w.set(matches[i], values[i])
	}
	// Those that are new come in the order of the input, which is the order of their ids.
	for i, raw := range out.Records {
		if matches[i] == nil {
			created = append(created, decode(w.t, raw).ID)
			w.fresh(rt, m, raw, values[i])
		}
	}
	if !slices.Equal(created, out.Upsert.Created) || !slices.Equal(updated, out.Upsert.Updated) {
		rt.Fatalf("created %v and updated %v, want %v and %v", out.Upsert.Created, out.Upsert.Updated, created, updated)
	}
	for i, raw := range out.Records {
		r := matches[i]
		if r == nil {
			r = m.byID(decode(w.t, raw).ID)
		}
		w.compare(rt, m, r, raw)
	}
}

// match finds the record that each input of an upsert is for, nil for a new one. It reports false
// for an upsert that is refused.
func (m *modelTable) match(keys []*modelField, values []map[*modelField]any) (matches []*modelRow, valid bool) {
	same := func(a, b map[*modelField]any) bool {
		return !slices.ContainsFunc(keys, func(k *modelField) bool {
			return a[k] == nil || a[k] == "" || b[k] == nil || a[k] != b[k]
		})
	}
	valid = true
	matches = make([]*modelRow, len(values))
	for i, stored := range values {
		for _, k := range keys {
			valid = valid && stored[k] != nil && stored[k] != "" // an empty key would match nothing each time
		}
		for _, before := range values[:i] {
			valid = valid && !same(stored, before)
		}
		for _, r := range m.rows {
			if same(stored, r.values) {
				valid = valid && matches[i] == nil
				matches[i] = r
			}
		}
	}
	return matches, valid
}

func (w *world) delete(rt *rapid.T) {
	m := w.someTable(rt)
	if len(m.rows) < 3 {
		rt.Skip("few records")
	}
	rows := rapid.SliceOfNDistinct(rapid.SampledFrom(m.rows), 1, 3, rapid.ID).Draw(rt, "rows")
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.id
	}
	if _, err := w.engine.Delete(w.t.Context(), w.actor, m.id, ids); err != nil {
		rt.Fatalf("deleting: %v", err)
	}
	m.rows = slices.DeleteFunc(m.rows, func(r *modelRow) bool { return slices.Contains(rows, r) })
	for _, f := range m.fields {
		if f.pairs != nil {
			maps.DeleteFunc(f.pairs.linked, func(p [2]*modelRow, _ bool) bool {
				return slices.Contains(rows, p[f.own])
			})
		}
	}
	if _, err := w.engine.Get(w.t.Context(), w.actor, ids[0]); problem.KindOf(err) != problem.KindNotFound {
		rt.Fatalf("a deleted record: %v", err)
	}
}

// expect is the part of a table that a list should give, in order.
func (m *modelTable) expect(passes func(r *modelRow) bool, less func(a, b *modelRow) int) []*modelRow {
	var rows []*modelRow
	for _, r := range m.rows {
		if passes(r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, less)
	return rows
}

func byID(a, b *modelRow) int { return cmp.Compare(a.id, b.id) }

package record_test

import (
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// retype gives a field that people write another type: currency, in which its values are the same numbers,
// or text, in which they are written, and back.
func (m *computedModel) retype(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op == nil && (f.typ == "number" || f.typ == "text") })
	if f == nil {
		return
	}
	to := schema.Number
	switch {
	case m.sorts(f): // which stays a number
		return
	case f.currency || f.typ == "text":
	case m.random.IntN(2) == 0:
		to = "currency"
	default:
		to = schema.Text
	}
	m.note("change %s of table %d to %s", f.name, i, to)
	err := catalog.Retype(m.t.Context(), m.store, m.actor.Org, f.id, catalog.TypeChange{
		Type: to, Patch: catalog.FieldPatch{Discard: true}, // what computes from it may break
	})
	if err != nil {
		m.t.Fatal(err)
	}
	for _, r := range m.tables[i].records {
		switch value := r.values[f].(type) {
		case float64:
			if to == schema.Text {
				r.values[f] = textOf(value)
			}
		case string:
			r.values[f] = nil
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				r.values[f] = x
			}
		}
	}
	f.currency, f.typ = to == "currency", "number"
	if to == schema.Text {
		f.typ = "text"
	}
}

// sorts reports whether a lookup sorts by a field.
func (m *computedModel) sorts(f *linkedField) bool {
	return slices.ContainsFunc(m.tables[:], func(table *linkedTable) bool {
		return slices.ContainsFunc(table.fields, func(other *linkedField) bool { return other.sort == f })
	})
}

// rewrite has a field compute something else of the same type, unless it would compute from itself.
func (m *computedModel) rewrite(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op != nil })
	if f == nil {
		return
	}
	next := *f
	if !m.drawAgain(f, &next) {
		return
	}
	for _, table := range m.tables {
		for _, one := range table.fields {
			if m.links(one, f, &next) > maxLinks {
				return
			}
		}
	}
	raw := m.encoded(m.config(&next))
	err := m.store.UpdateField(m.t.Context(), m.actor.Org, f.id, catalog.FieldPatch{Config: raw})
	if round := m.reaches(&next, f, map[*linkedField]bool{}); round != (err != nil) {
		m.t.Fatalf("%s: %s: a round is %t: %v", f.name, raw, round, err)
	}
	if err != nil {
		return
	}
	m.note("rewrite %s: %s", f.name, raw)
	*f = next
}

// drawAgain draws what fits where a field is. What reads it relies on what its values are.
func (m *computedModel) drawAgain(f, next *linkedField) bool {
	for range 20 {
		if m.draw(next) && next.op.kind == f.op.kind && next.typ == f.typ && next.width <= f.width &&
			(next.whole || !f.whole) && (next.small || !f.small) {
			return true
		}
	}
	return false
}

// toggle has a link take one record, or several. Formulas read what lookups through it become in other ways than the
// model knows, so that there must be none.
func (m *computedModel) toggle(i int) {
	table := m.tables[i]
	changed := map[*linkedField]bool{}
	for more := true; more; {
		more = false
		for j, other := range m.tables {
			for _, f := range other.fields {
				through := f.op != nil && f.op.kind == "lookup" && f.outward && j == i
				reads := slices.ContainsFunc(f.sources[:], func(source *linkedField) bool { return changed[source] })
				switch {
				case changed[f] || !through && !reads:
				case f.op.kind == "formula":
					return
				case f.op.kind == "lookup":
					changed[f], more = true, true
				}
			}
		}
	}
	m.note("table %d links to one: %t", i, !table.single)
	if err := m.store.UpdateField(m.t.Context(), m.actor.Org, table.linkID, catalog.FieldPatch{
		Config:  m.encoded(map[string]any{"multiple": table.single}),
		Discard: true, // filters that compare a lookup may break
	}); err != nil {
		m.t.Fatal(err)
	}
	table.single = !table.single
}

// follow finds out which fields compute from themselves, and gives lookups the types that their values have become.
func (m *computedModel) follow() {
	var lookups []*linkedField
	for _, table := range m.tables {
		for _, f := range table.fields {
			f.round = m.reaches(f, f, map[*linkedField]bool{})
			if f.op != nil && f.op.kind == "lookup" && !f.gone {
				lookups = append(lookups, f)
			}
		}
	}
	for range lookups {
		for _, f := range lookups {
			if !f.round && f.fits() {
				f.typ = m.lookedUp(f)
			}
		}
	}
}

// read are the fields that a field reads directly.
func (f *linkedField) read() []*linkedField {
	return []*linkedField{f.sources[0], f.sources[1], f.filter, f.sort}
}

// maxLinks is how many links a value is computed through at most. Each one multiplies what a read costs, so
// that through six of them thirty records take seconds (docs/rough-edges.md).
const maxLinks = 4

// links returns through how many links a field is computed, where another takes the place of one field.
// What is in the trash counts, because it may come back. path holds the fields that led here; in a round, a
// field counts once.
func (m *computedModel) links(f, gone, instead *linkedField, path ...*linkedField) int {
	if f == nil || slices.Contains(path, f) {
		return 0
	}
	path = append(slices.Clip(path), f)
	if f == gone {
		f = instead
	}
	deepest := 0
	for _, read := range f.read() {
		deepest = max(deepest, m.links(read, gone, instead, path...))
	}
	if f.op != nil && f.op.kind != "formula" {
		deepest++
	}
	return deepest
}

// reaches reports whether a field reads another one, through whatever there is. What is in the trash
// computes nothing.
func (m *computedModel) reaches(f, to *linkedField, seen map[*linkedField]bool) bool {
	for _, read := range f.read() {
		if read == nil || seen[read] || read.gone {
			continue
		}
		seen[read] = true
		if read == to || m.reaches(read, to, seen) {
			return true
		}
	}
	return false
}

func (m *computedModel) rename(i int) {
	f := m.drawn(i, anyField)
	if f == nil {
		return
	}
	name := m.name()
	m.note("rename %s to %s", f.name, name)
	if err := m.store.UpdateField(m.t.Context(), m.actor.Org, f.id, catalog.FieldPatch{Name: &name}); err != nil {
		m.t.Fatal(err)
	}
	f.name = name
}

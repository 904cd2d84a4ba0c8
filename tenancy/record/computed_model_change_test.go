package record_test

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/retype"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// retype gives a field that people write another type, in which its values are the same numbers.
func (m *computedModel) retype(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op == "" })
	if f == nil {
		return
	}
	to := schema.Type("currency")
	if f.currency {
		to = schema.Number
	}
	m.note("change %s of table %d to %s", f.name, i, to)
	if err := retype.Field(m.t.Context(), m.store, m.actor.Org, f.id, retype.Request{Type: to}); err != nil {
		m.t.Fatal(err)
	}
	f.currency = !f.currency
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
	deepest := max(m.links(f.a, gone, instead, path...), m.links(f.b, gone, instead, path...))
	switch f.op {
	case "sum", "max", "count", "counta":
		deepest++
	}
	return deepest
}

// reaches reports whether a field reads another one, through whatever there is. What is in the trash
// computes nothing.
func (m *computedModel) reaches(f, to *linkedField, seen map[*linkedField]bool) bool {
	for _, read := range []*linkedField{f.a, f.b} {
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
	if err := m.store.UpdateField(m.t.Context(), m.actor.Org, f.id, schema.FieldPatch{Name: &name}); err != nil {
		m.t.Fatal(err)
	}
	f.name = name
}

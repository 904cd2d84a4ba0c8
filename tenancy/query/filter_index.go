package query

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// IndexedFields lists the fields of which an index can find one value, and those of which it can find a
// range, each in the order of their numbers. Only comparisons that every passing record must satisfy
// count.
func (f *Filter) IndexedFields() (equal, ranged []*schema.Field) {
	f.each(func(f *Filter) {
		switch {
		case f.field == nil:
		case f.operator.Index == field.Equality && !slices.Contains(equal, f.field):
			equal = append(equal, f.field)
		case f.operator.Index == field.Range && !slices.Contains(ranged, f.field):
			ranged = append(ranged, f.field)
		}
	})
	byNumber := func(a, b *schema.Field) int { return int(a.Number - b.Number) }
	slices.SortFunc(equal, byNumber)
	slices.SortFunc(ranged, byNumber)
	return equal, ranged
}

// each calls yield for each comparison, and each condition on linked records, that every passing record must satisfy.
func (f *Filter) each(yield func(f *Filter)) {
	switch {
	case f == nil || f.or && len(f.parts) != 1:
	case f.field != nil || f.link != nil:
		yield(f)
	default:
		for i := range f.parts {
			f.parts[i].each(yield)
		}
	}
}

// LinkedIndexes lists the fields of other tables of which indexes find the linked records that a filter asks for: by
// entries of lookups, and by conditions on linked records.
func (f *Filter) LinkedIndexes() []*schema.Field {
	var fields []*schema.Field
	f.each(func(f *Filter) {
		if f.link != nil {
			equal, ranged := f.parts[0].IndexedFields()
			fields = append(append(fields, equal...), append(ranged, f.parts[0].LinkedIndexes()...)...)
			return
		}
		if e := f.field.Entries(); e != nil && (f.operator.Op == field.HasAny || needsAll(f.operator.Op)) {
			for next := e; next != nil; next = e.Source.Entries() {
				e = next
			}
			if !e.List {
				fields = append(fields, e.Source)
			}
		}
	})
	return fields
}

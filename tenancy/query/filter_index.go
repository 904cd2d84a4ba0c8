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
	var walk func(f *Filter)
	walk = func(f *Filter) {
		switch {
		case f == nil || f.link != nil || f.or && len(f.parts) != 1:
		case f.field == nil:
			for i := range f.parts {
				walk(&f.parts[i])
			}
		case f.operator.Index == field.Equality && !slices.Contains(equal, f.field):
			equal = append(equal, f.field)
		case f.operator.Index == field.Range && !slices.Contains(ranged, f.field):
			ranged = append(ranged, f.field)
		}
	}
	walk(f)
	byNumber := func(a, b *schema.Field) int { return int(a.Number - b.Number) }
	slices.SortFunc(equal, byNumber)
	slices.SortFunc(ranged, byNumber)
	return equal, ranged
}

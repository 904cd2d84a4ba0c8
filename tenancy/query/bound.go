package query

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// splitBound removes the last bound from the conditions that a filter requires of all records, and
// returns the rest.
func (c *Compiler) splitBound(f *Filter) (rest *Filter, b field.Bound, found bool) {
	if f.Empty() || f.or || f.field != nil || f.link != nil {
		return f, field.Bound{}, false
	}
	for i, part := range slices.Backward(f.parts) {
		if part.field == nil || part.operator.Bound == nil {
			continue
		}
		if b, ok := part.operator.Bound(c, &part.field.Field, part.value); ok {
			return &Filter{parts: slices.Delete(slices.Clone(f.parts), i, i+1)}, b, true
		}
	}
	return f, field.Bound{}, false
}

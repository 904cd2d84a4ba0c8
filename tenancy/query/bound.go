package query

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// splitBound takes the last bound out of the conditions that a filter makes of all records, and
// returns what is left of them.
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

package record

import (
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A bound is a comparison that leaves one end of an ordered field open: at least 5, before March.
type bound struct {
	column string // under the alias t
	sign   string // " > ", " >= ", " < " or " <= "
	value  any    // float64, int64 or time.Time
}

// boundOf returns the bound that a comparison is, if it is one.
func (q *query) boundOf(f *schema.Field, op Op, v *operand) (bound, bool) {
	sign, ok := map[Op]string{Gt: " > ", Gte: " >= ", Lt: " < ", Lte: " <= "}[op]
	if !ok {
		return bound{}, false
	}
	b := bound{"t." + f.Column(), sign, nil}
	switch f.Type.Info().Shape { // the ordered ones
	case schema.ShapeNumber:
		if f.Type.Info().Column != "bigint" {
			b.value = v.number
			return b, true
		}
		n, exact := whole(v.number)
		b.value = n // the greatest whole number that is not above the value
		switch {
		case !exact && op == Gte:
			b.sign = " > "
		case !exact && op == Lt:
			b.sign = " <= "
		}
	case schema.ShapeDate:
		return b.ofTime(op, v, q.now.UTC(), daySpan)
	case schema.ShapeMoment:
		return b.ofTime(op, v, q.now.In(zone(f)), momentSpan(zone(f)))
	default:
		return bound{}, false
	}
	return b, true
}

// ofTime says an order of days by their first instants: after a day is from the next one on. A day that does not begin once and for all has no
// bound.
func (b bound) ofTime(op Op, v *operand, now time.Time, of span) (bound, bool) {
	from, until := of(v.times[0], now)
	at := from
	b.sign = " < "
	switch op { //nolint:exhaustive // the operators of a bound
	case Gt:
		b.sign, at = " >= ", until
	case Gte:
		b.sign = " >= "
	case Lte:
		at = until
	}
	b.value = at[0]
	return b, len(at) == 1
}

// split takes the last bound out of the conditions that a filter makes of all records, and returns what is left of them.
func (q *query) split(f *Filter) (rest *Filter, b bound, found bool) {
	if f.Empty() || f.or || f.field != nil {
		return f, bound{}, false
	}
	for i, part := range slices.Backward(f.parts) {
		if part.field == nil || part.field.Link != nil {
			continue
		}
		if b, ok := q.boundOf(part.field, part.op, &part.value); ok {
			return &Filter{parts: slices.Delete(slices.Clone(f.parts), i, i+1)}, b, true
		}
	}
	return f, bound{}, false
}

// upward reports whether a higher value lets more records through.
func (b *bound) upward() bool { return b.sign == " < " || b.sign == " <= " }

// between is the condition of the records that one of two bounds lets through and the other does not.
func (b *bound) between(low, high string) string {
	if b.sign == " > " || b.sign == " <= " {
		return b.column + " > " + low + " and " + b.column + " <= " + high
	}
	return b.column + " >= " + low + " and " + b.column + " < " + high
}

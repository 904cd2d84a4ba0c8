package field

import (
	"encoding/binary"
	"math"
	"strconv"
)

// An Aggregate is a function over the values of a field.
type Aggregate struct {
	Name string // count, sum, avg, min or max
	SQL  func(f *Field) string
	// Append writes the result as JSON. Nil writes it as a value of the field.
	Append Encoder
}

// AggregateNames are the names of all functions.
var AggregateNames = []string{"count", "sum", "avg", "min", "max"}

// FindAggregate returns the function with a name, or nil if the kind does not have it.
func FindAggregate(k Kind, name string) *Aggregate {
	aggregates := k.Aggregates()
	for i := range aggregates {
		if aggregates[i].Name == name {
			return &aggregates[i]
		}
	}
	return nil
}

// CountAll counts records.
var CountAll = Aggregate{"count", func(*Field) string { return "count(*)" }, appendCount}

// CountValues counts the records that have a value in the field.
var CountValues = Aggregate{"count", countIf(IsNotEmpty), appendCount}

var countOnly = []Aggregate{CountValues}

// countIf counts the records that an operator without an operand matches.
func countIf(op Op) func(f *Field) string {
	return func(f *Field) string {
		return "count(*) filter (where " + FindOperator(f.Kind, op).SQL(nil, f, nil) + ")"
	}
}

// sumOf is a function that computes a double from numbers.
func sumOf(name string) Aggregate {
	return Aggregate{name, func(f *Field) string { return name + "(" + f.column() + ")::double precision" }, AppendSum}
}

// endOf is a function that returns one of the values.
func endOf(name string) Aggregate {
	return Aggregate{name, func(f *Field) string { return name + "(" + f.column() + ")" }, nil}
}

func appendCount(dst, raw []byte) []byte {
	return strconv.AppendInt(dst, int64(binary.BigEndian.Uint64(raw)), 10) //nolint:gosec // two's complement
}

// AppendSum writes a double, and null for one that JSON cannot express.
func AppendSum(dst, raw []byte) []byte {
	x := math.Float64frombits(binary.BigEndian.Uint64(raw))
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return append(dst, "null"...) // a sum beyond the range of numbers, which JSON cannot say
	}
	return AppendNumber(dst, x)
}

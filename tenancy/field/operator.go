package field

import (
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// MaxFilterList bounds the entries of a filter's operand.
const MaxFilterList = 500

// An Op is the name of a filter operator.
type Op string

// The operators.
const (
	Eq          Op = "eq"
	Neq         Op = "neq"
	Contains    Op = "contains"
	NotContains Op = "not_contains"
	StartsWith  Op = "starts_with"
	EndsWith    Op = "ends_with"
	In          Op = "in"
	NotIn       Op = "not_in"
	Gt          Op = "gt"
	Gte         Op = "gte"
	Lt          Op = "lt"
	Lte         Op = "lte"
	Between     Op = "between"
	IsWithin    Op = "is_within"
	HasAny      Op = "has_any"
	HasAll      Op = "has_all"
	HasNone     Op = "has_none"
	IsExactly   Op = "is_exactly"
	IsEmpty     Op = "is_empty"
	IsNotEmpty  Op = "is_not_empty"
)

// Args are the arguments of a statement under construction.
type Args interface {
	Add(value any) string // adds an argument and returns its placeholder
	Now() time.Time       // the time of the request
}

// An Operator is one comparison of a kind.
type Operator struct {
	Op      Op
	Operand *Operand
	Index   IndexUse

	// Read reads the operand, which is neither null nor ""; nil for an operator without one. An error's
	// text says what is wrong with the value.
	Read func(f *Field, op Op, raw []byte) (any, error)

	// SQL is the condition. It may be null instead of false, because nothing negates it. Comparisons
	// have no wrapping expression, because an index would not serve one.
	SQL func(q Args, f *Field, value any) string

	// Bound returns the comparison as a bound, if it is one. It is nil for operators that leave no end
	// open.
	Bound func(q Args, f *Field, value any) (Bound, bool)

	personal Personal // see Names
}

// An IndexUse is how an index on the field's column serves an operator.
type IndexUse int

// The uses.
const (
	NoIndex  IndexUse = iota
	Equality          // the index finds the one value
	Range             // the index finds the first value of several
)

// A Bound is a comparison that leaves one end of an ordered field open: at least 5, before March.
type Bound struct {
	Column string // under the alias t
	Sign   string // " > ", " >= ", " < " or " <= "
	Value  any    // float64, int64 or time.Time
}

// SQL is the bound as a condition.
func (b Bound) SQL(q Args) string { return b.Column + b.Sign + q.Add(b.Value) }

// Upward reports whether a higher value lets more records through.
func (b Bound) Upward() bool { return b.Sign == " < " || b.Sign == " <= " }

// Between is the condition of the records that only one of two bounds lets through.
func (b Bound) Between(low, high string) string {
	if b.Sign == " > " || b.Sign == " <= " {
		return b.Column + " > " + low + " and " + b.Column + " <= " + high
	}
	return b.Column + " >= " + low + " and " + b.Column + " < " + high
}

// FindOperator returns the operator with a name, or nil if the kind has none.
func FindOperator(k Kind, op Op) *Operator {
	operators := k.Operators()
	for i := range operators {
		if operators[i].Op == op {
			return &operators[i]
		}
	}
	return nil
}

// OpNames lists the names of operators.
func OpNames(operators []Operator) []string {
	names := make([]string, len(operators))
	for i := range operators {
		names[i] = string(operators[i].Op)
	}
	return names
}

// Parse reads the operand of a comparison; raw is nil if there is none.
func (o *Operator) Parse(f *Field, raw []byte) (any, error) {
	if o.Read == nil {
		if raw != nil && jsonvalue.Kind(raw) != jsonvalue.Null {
			return nil, fmt.Errorf("must be left out, %s takes none", o.Op)
		}
		return nil, nil //nolint:nilnil // it takes none
	}
	if raw == nil {
		return nil, fmt.Errorf("is missing; %s needs one", o.Op)
	}
	if jsonvalue.Kind(raw) == jsonvalue.Null || string(raw) == `""` {
		return nil, fmt.Errorf("must not be empty; is_empty finds records without a value, is_not_empty those with one")
	}
	return o.Read(f, o.Op, raw)
}

// EmptyOperators are the operators of every kind whose empty value is null in a column.
var EmptyOperators = []Operator{
	{Op: IsEmpty, Operand: noOperand, SQL: func(_ Args, f *Field, _ any) string { return f.column() + " is null" }},
	{
		Op:      IsNotEmpty,
		Operand: noOperand,
		SQL:     func(_ Args, f *Field, _ any) string { return f.column() + " is not null" },
	},
}

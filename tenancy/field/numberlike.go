package field

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// A NumberLike is a kind whose values are numbers, in a column of double precision.
type NumberLike struct {
	Base
	rules NumberRules
}

// NumberRules are what is specific to one kind of number.
type NumberRules struct {
	// Trim removes the signs that a person may write next to the digits, for typecast, and refuses
	// signs that contradict the field; nil removes none.
	Trim func(c *Config, s string) (string, error)
	// Read reads a text that is not digits, for typecast, and returns digits or ""; nil reads none.
	Read func(s string) string
	// Seconds says that a number is a duration in seconds.
	Seconds bool
	// Check refuses a number; nil accepts every number.
	Check func(c *Config, x float64) error
	// Show writes a number for a reader; nil writes the digits of config.precision.
	Show func(c *Config, x float64, shown *Shown)
}

// NewNumberLike returns a kind of number.
func NewNumberLike(info Info, rules NumberRules) *NumberLike {
	info.Column, info.Value = "double precision", `{"type":["number","null"]}`
	info.Unique, info.UpsertKey, info.Convertible = true, true, true
	return &NumberLike{Base{info}, rules}
}

// Decode accepts a number, and with typecast a text that a person wrote for one.
func (k *NumberLike) Decode(in *Input, raw []byte) (any, error) {
	digits := string(raw)
	switch kind := jsonvalue.Kind(raw); {
	case kind == jsonvalue.String && in.Typecast:
		text, err := jsonvalue.Unquote(raw)
		if err != nil {
			return nil, err
		}
		if k.rules.Read != nil {
			digits = k.rules.Read(text)
		}
		if k.rules.Read == nil || digits == "" {
			digits, err = writtenNumber(text, in.Style.Decimal, k.trimmer(&in.Field.Config))
		}
		if err != nil {
			return nil, err
		}
		if digits == "" {
			return nil, nil //nolint:nilnil // white space is no value
		}
	case kind != jsonvalue.Number:
		return nil, in.wrong(raw, "a number")
	}
	x, err := ParseNumber(digits)
	if err != nil {
		return nil, err
	}
	if k.rules.Check != nil {
		if err := k.rules.Check(&in.Field.Config, x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (k *NumberLike) trimmer(c *Config) func(s string) (string, error) {
	return func(s string) (string, error) {
		if k.rules.Trim == nil {
			return s, nil
		}
		return k.rules.Trim(c, s)
	}
}

// Select is the column.
func (k *NumberLike) Select(f *Field) string { return f.column() }

// Encoder writes a number.
func (k *NumberLike) Encoder(*Field, FileLinks) Encoder { return appendDouble }

func appendDouble(dst, raw []byte) []byte {
	return AppendNumber(dst, math.Float64frombits(binary.BigEndian.Uint64(raw)))
}

// Operators are the operators of numbers.
func (k *NumberLike) Operators() []Operator { return numberOperators }

var numberOperators = append([]Operator{
	{Op: Eq, Operand: numberOperand, Index: Equality, Read: readNumber, SQL: func(q Args, f *Field, value any) string {
		return f.column() + " = " + q.Add(value)
	}},
	{Op: Neq, Operand: numberOperand, Read: readNumber, SQL: func(q Args, f *Field, value any) string {
		return f.column() + " is distinct from " + q.Add(value)
	}},
	boundOperator(Gt, numberOperand, readNumber, doubleBound(" > ")),
	boundOperator(Gte, numberOperand, readNumber, doubleBound(" >= ")),
	boundOperator(Lt, numberOperand, readNumber, doubleBound(" < ")),
	boundOperator(Lte, numberOperand, readNumber, doubleBound(" <= ")),
	{Op: Between, Operand: rangeOperand, Index: Range, Read: readRange, SQL: func(q Args, f *Field, value any) string {
		ends, column := value.([]float64), f.column()
		return column + " >= " + q.Add(ends[0]) + " and " + column + " <= " + q.Add(ends[1])
	}},
	{Op: In, Operand: numbersOperand, Index: Range, Read: readNumbers, SQL: func(q Args, f *Field, value any) string {
		return f.column() + " = any (" + q.Add(value) + "::double precision[])"
	}},
}, EmptyOperators...)

// boundOperator is an operator that is a bound for every operand.
func boundOperator(
	op Op, operand *Operand, read func(f *Field, op Op, raw []byte) (any, error), bound func(f *Field, value any) Bound,
) Operator {
	return Operator{
		Op: op, Operand: operand, Index: Range, Read: read,
		SQL:   func(q Args, f *Field, value any) string { return bound(f, value).SQL(q) },
		Bound: func(_ Args, f *Field, value any) (Bound, bool) { return bound(f, value), true },
	}
}

func doubleBound(sign string) func(f *Field, value any) Bound {
	return func(f *Field, value any) Bound { return Bound{f.column(), sign, value} }
}

// Order is the column.
func (k *NumberLike) Order(_ *Field, column string) string { return column }

// SortKey is a float64.
func (k *NumberLike) SortKey(raw []byte) (any, bool) {
	if len(raw) != 8 {
		return nil, false
	}
	return math.Float64frombits(binary.BigEndian.Uint64(raw)), true
}

// Aggregates are all functions.
func (k *NumberLike) Aggregates() []Aggregate { return numberAggregates }

var numberAggregates = []Aggregate{CountValues, sumOf("sum"), sumOf("avg"), endOf("min"), endOf("max")}

// Search searches the column.
func (k *NumberLike) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

// Meaning is the number itself, or Seconds.
func (k *NumberLike) Meaning(_ *Field, raw []byte) (any, error) {
	if !k.rules.Seconds {
		return nil, nil //nolint:nilnil // no meaning is no error
	}
	x, err := ParseNumber(string(raw))
	return Seconds(x), err
}

// IsDuration reports whether the values are durations in seconds.
func (k *NumberLike) IsDuration() bool { return k.rules.Seconds }

// Adapt accepts 1 for true and 0 for false, and no time. A computed 0.125 becomes 12.5 %.
func (k *NumberLike) Adapt(to *Field, from *Source) ([]byte, error) {
	if k.Fixed.Hundredths && from.Field.Info().Computed && jsonvalue.Kind(from.JSON) == jsonvalue.Number {
		return []byte(hundredfold(json.Number(from.JSON)).String()), nil
	}
	switch meaning := from.Meaning.(type) {
	case bool:
		if meaning {
			return []byte("1"), nil
		}
		return []byte("0"), nil
	case Time:
		return nil, from.refuse(to)
	}
	return from.plain()
}

// Show writes the number.
func (k *NumberLike) Show(f *Field, _ Names, value any) Shown {
	shown := Shown{AlignRight: true, NoWrap: true}
	number, _ := value.(json.Number)
	x, err := number.Float64()
	switch {
	case err != nil:
		shown.Text = number.String()
	case k.rules.Show != nil:
		k.rules.Show(&f.Config, x, &shown)
	case f.Config.Precision == nil && f.Config.Thousands == nil && f.Config.Negative == "":
		shown.Text = number.String()
	default:
		shown.Text = writeNumber(&f.Config, x, -1, false, "", "")
	}
	return shown
}

// formatNumber writes a number with the digits of config.precision, or else of otherwise; -1 is all
// digits.
func formatNumber(c *Config, x float64, otherwise int) string {
	if c.Precision != nil {
		otherwise = *c.Precision
	}
	return strconv.FormatFloat(x, 'f', otherwise, 64)
}

// writeNumber writes a number in the style of the config, between what stands before and after its digits.
// Digits and grouped are those of a config that does not say them.
func writeNumber(c *Config, x float64, digits int, grouped bool, before, after string) string {
	if c.Thousands != nil {
		grouped = *c.Thousands
	}
	text := formatNumber(c, math.Abs(x), digits)
	if grouped {
		text = groupThousands(text)
	}
	text = before + text + after
	switch {
	case x >= 0:
		return text
	case strings.HasSuffix(c.Negative, "parentheses"):
		return "(" + text + ")"
	}
	return "-" + text
}

// A whole column has numbers of type bigint. Operands need not be whole: the column is compared without
// conversion.

// whole returns the greatest whole number that is not above x, and whether it is x.
func whole(x float64) (n int64, exact bool) {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64, false
	case x <= math.MinInt64:
		return math.MinInt64, false
	}
	return int64(math.Floor(x)), x == math.Floor(x)
}

var wholeOperators = append([]Operator{
	{Op: Eq, Operand: numberOperand, Index: Equality, Read: readNumber, SQL: func(q Args, f *Field, value any) string {
		n, exact := whole(value.(float64))
		if !exact {
			return "false"
		}
		return f.column() + " = " + q.Add(n)
	}},
	{Op: Neq, Operand: numberOperand, Read: readNumber, SQL: func(q Args, f *Field, value any) string {
		n, exact := whole(value.(float64))
		if !exact {
			return "true"
		}
		return f.column() + " is distinct from " + q.Add(n)
	}},
	boundOperator(Gt, numberOperand, readNumber, wholeBound(" > ", " > ")),
	boundOperator(Gte, numberOperand, readNumber, wholeBound(" >= ", " > ")),
	boundOperator(Lt, numberOperand, readNumber, wholeBound(" < ", " <= ")),
	boundOperator(Lte, numberOperand, readNumber, wholeBound(" <= ", " <= ")),
	{Op: Between, Operand: rangeOperand, Index: Range, Read: readRange, SQL: func(q Args, f *Field, value any) string {
		ends := value.([]float64)
		high, _ := whole(ends[1])
		return wholeBound(" >= ", " > ")(f, ends[0]).SQL(q) + " and " + f.column() + " <= " + q.Add(high)
	}},
	{Op: In, Operand: numbersOperand, Index: Range, Read: readNumbers, SQL: func(q Args, f *Field, value any) string {
		var numbers []int64
		for _, x := range value.([]float64) {
			if n, exact := whole(x); exact {
				numbers = append(numbers, n)
			}
		}
		return f.column() + " = any (" + q.Add(numbers) + "::bigint[])"
	}},
}, EmptyOperators...)

// wholeBound compares with a whole number by one sign, and with the greatest whole number below another
// operand by the other sign.
func wholeBound(sign, between string) func(f *Field, value any) Bound {
	return func(f *Field, value any) Bound {
		n, exact := whole(value.(float64))
		if !exact {
			return Bound{f.column(), between, n}
		}
		return Bound{f.column(), sign, n}
	}
}

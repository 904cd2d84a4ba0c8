package field

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Computed says where the values of a computed field are read: in columns of the record table, or of
// the relation that package schema reads instead (schema.Table.From).
type Computed struct {
	// SQL is the value in a record t, or an error in the form of package formula.
	SQL string
	// Value is the quoted column with the value, null for an error. Failure is the quoted column with
	// the number of the error, null for a value.
	Value, Failure string
	Type           string // of Value, in SQL
	// Kept says that these are columns of the record table, so that indexes can be on them.
	Kept bool
	// Foreign says that values depend on more than the record: on the time, on people's names, or on
	// linked records.
	Foreign bool
	// Tables are the numbers of the tables whose records values depend on through links, and in no other way.
	Tables []int32
	// Linked is how the value is computed from linked records; nil for a formula.
	Linked *Linked
	// Found says, in the form of Search.Links, where a search finds the linked records whose texts a
	// lookup has; nil if it must read the values.
	Found []int32
	// Options is the config of the select whose options a lookup has, which determines its order; nil
	// for others.
	Options *Config
	// Broken says why all values are errors; "" if they are not.
	Broken string
}

// IsError is the operator that finds errors.
const IsError Op = "is_error"

// ResultTypes are the types of the values of computed fields, as in config.resultType. A list of values
// of one of them is "list of " and its name.
var ResultTypes = []string{"number", "text", "boolean", "date", "datetime"}

const listPrefix = "list of "

// A ComputedLike is a kind whose values are computed from others, and have the type that
// config.resultType names. It filters, sorts and aggregates as the kind of such values does.
type ComputedLike struct {
	Base
	result  Kind // of one value; nil for a list, and for no type
	encode  Encoder
	list    *listForm
	chosen  *ComputedLike            // the kind for values that are options, which have an order
	results map[string]*ComputedLike // by result type, of the kind that is registered
}

// NewComputedLike returns a kind of computed fields.
func NewComputedLike(info Info) *ComputedLike {
	info.Computed, info.ReadOnly = true, true
	info.Value = `{"anyOf":[{"type":["string","number","boolean","array","null"]},{"type":"object","properties":` +
		`{"error":{"type":"string"},"message":{"type":"string"}},"required":["error","message"]}]}`
	info.Keys = append(slices.Clip(info.Keys), resultTypeKey, precisionKey, thousandsKey, negativeKey, dateFormatKey,
		timeFormatKey, timeZoneKey)
	k := &ComputedLike{Base: Base{info}, results: map[string]*ComputedLike{}}
	for _, name := range ResultTypes {
		one := &ComputedLike{Base: Base{info}, result: resultKinds[name], encode: resultEncoders[name]}
		of := one.result.Info()
		one.Fixed.Collated, one.Fixed.Unbounded, one.Fixed.Roles = of.Collated, of.Unbounded, of.Roles
		k.results[name] = one.withChosen()
		list := &ComputedLike{Base: Base{info}, list: listForms[name]}
		list.Fixed.Ungrouped, list.Fixed.Unindexed = true, list.list.key == nil
		k.results[listPrefix+name] = list.withChosen()
	}
	return k
}

func (k *ComputedLike) withChosen() *ComputedLike {
	chosen := *k
	chosen.Fixed.Unindexed = k.list != nil // their order looks options up
	k.chosen = &chosen
	return k
}

// Chosen is the kind of a lookup whose values are options, which are in Computed.Options.
func Chosen(k Kind) Kind {
	if like, ok := k.(*ComputedLike); ok && like.chosen != nil {
		return like.chosen
	}
	return k
}

// areOptions reports whether the values are options.
func (k *ComputedLike) areOptions() bool { return k.results == nil && k.chosen == nil }

// of is the kind of the fields with a result type.
func (k *ComputedLike) of(resultType string) Kind {
	if one := k.results[resultType]; one != nil {
		return one
	}
	return k
}

var resultTypeKey = Key{
	Name: "resultType",
	Schema: `{"type":"string","readOnly":true,` +
		`"description":"of the values: number, text, boolean, date, datetime, or list of one of these"}`,
	Fixed: func(*Config) bool { return true },
}

// resultFormatKey is the key format of computed numbers, which names the type as whose values they are
// shown.
var resultFormatKey = Key{
	Name: "format",
	Schema: `{"type":"string","enum":["number","currency","percent","duration"],"description":"how numbers are ` +
		`shown: 0.125 as 12.5% by percent, and 5400 as 1:30:00 by duration; a rollup without one is shown as its ` +
		`field"}`,
	Check: formatKey("number", "currency", "percent", "duration").Check,
}

var resultKinds = map[string]Kind{
	"number": NewNumberLike(Info{}, NumberRules{}), "text": NewTextLike(Info{}, TextRules{}),
	"boolean": &truth{}, "date": NewDateLike(Info{}), "datetime": NewTimestampLike(Info{}),
}

var resultEncoders = map[string]Encoder{
	"number": func(dst, raw []byte) []byte {
		if f := failureOfNumber(doubleOf(raw)); f != 0 {
			return AppendFailure(dst, f)
		}
		return appendDouble(dst, raw)
	},
	"text": func(dst, raw []byte) []byte {
		if f := failureOfText(raw); f != 0 {
			return AppendFailure(dst, f)
		}
		if len(raw) == 0 { // it is empty, as in a column
			return append(dst, "null"...)
		}
		return AppendString(dst, raw)
	},
	"boolean": func(dst, raw []byte) []byte {
		x := doubleOf(raw)
		if f := failureOfNumber(x); f != 0 {
			return AppendFailure(dst, f)
		}
		return appendTruth(dst, x != 0)
	},
	"date": func(dst, raw []byte) []byte {
		days := int32(binary.BigEndian.Uint32(raw))
		if f := failureOfDay(int64(days)); f != 0 {
			return AppendFailure(dst, f)
		}
		return appendDate(dst, days)
	},
	"datetime": func(dst, raw []byte) []byte {
		micros := int64(binary.BigEndian.Uint64(raw))
		if f := failureOfTime(micros); f != 0 {
			return AppendFailure(dst, f)
		}
		return AppendTimestamp(dst, micros)
	},
}

func doubleOf(raw []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(raw)) }

func appendTruth(dst []byte, is bool) []byte {
	if is {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// A truth is a checkbox that may be empty.
type truth struct{ checkbox }

func (*truth) Info() *Info { return &Info{Roles: []Role{RoleStack}} }

func (*truth) Operators() []Operator { return truthOperators }

var truthOperators = append(slices.Clip(booleanOperators), EmptyOperators...)

// Select yields a value or an error.
func (k *ComputedLike) Select(f *Field) string {
	if f.Computed == nil || k.results != nil {
		return "null::text"
	}
	return f.Computed.SQL
}

// Plain is the column with the value, which is empty for an error. SQL cannot read values without a
// column.
func (k *ComputedLike) Plain(f *Field) string {
	if f.Computed == nil || !f.Computed.Kept {
		return ""
	}
	return f.column()
}

// Encoder writes a value, or an object for an error.
func (k *ComputedLike) Encoder(*Field, FileLinks) Encoder {
	switch {
	case k.list != nil:
		return k.list.encode
	case k.encode != nil:
		return k.encode
	}
	return asIs
}

// Operators are the operators of the type of the values, and one that finds errors, which the others
// treat as empty.
func (k *ComputedLike) Operators() []Operator {
	switch {
	case k.list != nil:
		return k.list.operators
	case k.result == nil:
		return errorOperators
	}
	return append(slices.Clip(k.result.Operators()), isError)
}

var (
	isError = Operator{Op: IsError, Operand: noOperand, SQL: func(_ Args, f *Field, _ any) string {
		return "t." + f.Computed.Failure + " is not null"
	}}
	errorOperators = append(slices.Clip(EmptyOperators), isError)
)

// Order is the order of the values, or of the options that they are. Errors are null in their column,
// and so come last.
func (k *ComputedLike) Order(f *Field, column string) string {
	switch {
	case k.areOptions() && k.list != nil:
		return "nullif(array_remove(" + f.Computed.Options.placesOfOptions(column) + ", null), '{}')"
	case k.areOptions():
		return f.Computed.Options.PlaceOfOption(column)
	case k.list != nil && k.list.key == nil:
		return ""
	case k.list != nil:
		return "nullif(" + filled(column) + ", '{}')" + k.list.collation
	case k.result == nil:
		return column
	}
	return k.result.Order(f, column)
}

// SortKey is the sort key of the values.
func (k *ComputedLike) SortKey(raw []byte) (any, bool) {
	switch {
	case k.areOptions() && k.list != nil:
		return optionPlaces(raw)
	case k.areOptions():
		return optionPlace(raw)
	case k.list != nil && k.list.key != nil:
		return k.list.key(raw)
	case k.result == nil:
		return nil, false
	}
	return k.result.SortKey(raw)
}

// Aggregates are the aggregates of the values.
func (k *ComputedLike) Aggregates() []Aggregate {
	if k.result == nil {
		return countOnly
	}
	return k.result.Aggregates()
}

// Search searches the column, if there is one, or the column of linked records.
func (k *ComputedLike) Search(s *Search, f *Field) {
	switch {
	case f.Computed == nil || f.Computed.Kept:
		s.Columns = append(s.Columns, f.Number)
	case f.Computed.Found != nil:
		s.addLink(f.Computed.Found)
	}
}

// Show shows a value as its type does, and an error by its name.
func (k *ComputedLike) Show(f *Field, names Names, value any) Shown {
	switch v := value.(type) {
	case map[string]any:
		return Shown{Text: "#ERROR"}
	case []any:
		var parts []string
		for _, entry := range v {
			if entry != nil {
				shown := k.showOne(f, names, entry)
				parts = append(parts, shown.Plain())
			}
		}
		return Shown{Text: strings.Join(parts, ", ")}
	}
	return k.showOne(f, names, value)
}

func (k *ComputedLike) showOne(f *Field, names Names, value any) Shown {
	one := k.result
	if k.list != nil {
		one = k.list.one
	}
	x, number := value.(json.Number)
	switch {
	case one == nil:
		return Shown{Text: textOf(value)}
	case !number || f.Config.Format == "":
		return one.Show(f, names, value)
	}
	as := *f
	switch f.Config.Format {
	case "percent":
		value = hundredfold(x)
	case "duration":
		as.Config.Format = "h:mm:ss"
	}
	return Type(f.Config.Format).Kind().Show(&as, names, value)
}

// hundredfold is a number times 100, without digits that only come from the multiplication.
func hundredfold(x json.Number) json.Number {
	f, err := x.Float64()
	if err != nil {
		return x
	}
	return json.Number(strconv.FormatFloat(f*100, 'g', 15, 64))
}

// Linked is how the field's value is computed from linked records; nil if it is not.
func (f *Field) Linked() *Linked {
	if f.Computed == nil {
		return nil
	}
	return f.Computed.Linked
}

// Values is the kind of the field's values: its own, or the kind of the values that it computes.
func (f *Field) Values() Kind {
	if k, ok := f.Kind.(*ComputedLike); ok && k.result != nil {
		return k.result
	}
	return f.Kind
}

// Grouped is the expression that groups records, for the record table under the alias t, and the
// encoder of its values. Errors of a computed field are in the group of empty values.
func (f *Field) Grouped() (string, Encoder) {
	if k, ok := f.Kind.(*ComputedLike); ok && k.result != nil {
		return f.column(), k.result.Encoder(f, nil)
	}
	return f.Kind.Select(f), f.Kind.Encoder(f, nil)
}

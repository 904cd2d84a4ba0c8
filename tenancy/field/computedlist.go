package field

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A listForm is what is specific to lists of values of one type.
type listForm struct {
	one       Kind // of an entry
	encode    Encoder
	operators []Operator
	key       func(raw []byte) (any, bool) // as Kind.SortKey; nil for lists without an order
	collation string                       // of the order; "" for the type's own
}

var listForms = map[string]*listForm{
	"text": newListForm("text", setOperators(textsOperand, readTexts,
		func(q Args, f *Field, value any) (column, set string) {
			return filled(f.column()), q.Add(value) + "::text[]"
		}), func(raw []byte) (any, bool) {
		texts := []string{}
		ok := entries(raw, func(entry []byte) bool {
			texts = append(texts, string(entry))
			return IsText(entry)
		})
		return texts, ok
	}),
	"number": newListForm("number", setOperators(numbersOperand, readNumbers,
		func(q Args, f *Field, value any) (column, set string) {
			return filled(f.column()), q.Add(value) + "::double precision[]"
		}), func(raw []byte) (any, bool) {
		numbers := []float64{}
		ok := entries(raw, func(entry []byte) bool {
			if len(entry) == 8 {
				numbers = append(numbers, doubleOf(entry))
			}
			return len(entry) == 8
		})
		return numbers, ok
	}),
	"boolean": newListForm("boolean", nil, nil), "date": newListForm("date", nil, nil),
	"datetime": newListForm("datetime", nil, nil),
}

func newListForm(name string, operators []Operator, key func(raw []byte) (any, bool)) *listForm {
	write := resultEncoders[name]
	order := ""
	if resultKinds[name].Info().Collated {
		order = collation
	}
	return &listForm{
		collation: order,
		one:       resultKinds[name], operators: slices.Concat(operators, emptyLists, []Operator{isError}), key: key,
		encode: func(dst, raw []byte) []byte {
			start, last := len(dst), 0
			ok, failed := listEntries(raw, func(entry []byte) bool {
				if len(dst) == start {
					dst = append(dst, '[')
				} else {
					dst = append(dst, ',')
				}
				if entry == nil {
					dst = append(dst, "null"...)
					return true
				}
				last = len(dst)
				dst = write(dst, entry)
				return dst[last] != '{' // no value of a list is an object
			})
			switch {
			case failed: // the list is the error that it holds
				return append(dst[:start], dst[last:]...)
			case !ok || len(dst) == start:
				return append(dst[:start], "null"...)
			}
			return append(dst, ']')
		},
	}
}

// headEntries is how many entries of a list its OrderHead has.
const headEntries = 8

// OrderHead is what lists are sorted by before Order, which sorts what it leaves equal: the first entries of a list,
// which fit into an index where all might not. It is "" for fields that have none.
func (f *Field) OrderHead(alias string) string {
	k, ok := f.Kind.(*ComputedLike)
	if !ok || k.list == nil || k.list.key == nil || k.areOptions() {
		return ""
	}
	return fmt.Sprintf("nullif((%s)[1:%d], '{}')%s", filled(alias+f.Column()), headEntries, k.list.collation)
}

// filled is a list without its empty entries, as filters and sorts see it.
func filled(column string) string { return "array_remove(" + column + ", null)" }

// emptyLists are the operators that test whether a list has non-empty entries.
var emptyLists = []Operator{
	{Op: IsEmpty, Operand: noOperand, SQL: func(_ Args, f *Field, _ any) string {
		return "coalesce(cardinality(" + filled(f.column()) + "), 0) = 0"
	}},
	{Op: IsNotEmpty, Operand: noOperand, SQL: func(_ Args, f *Field, _ any) string {
		return "cardinality(" + filled(f.column()) + ") > 0"
	}},
}

// listEntries calls yield for each entry of a one-dimensional array in binary format, nil for a null,
// until yield returns false; stopped says that it did. ok is false for bytes that are no such array.
func listEntries(raw []byte, yield func(entry []byte) bool) (ok, stopped bool) {
	if len(raw) < 12 {
		return false, false
	}
	dimensions := binary.BigEndian.Uint32(raw)
	if dimensions == 0 {
		return true, false
	}
	if dimensions != 1 || len(raw) < 20 {
		return false, false
	}
	count := int(binary.BigEndian.Uint32(raw[12:]))
	raw = raw[20:]
	for range count {
		if len(raw) < 4 {
			return false, false
		}
		size := int32(binary.BigEndian.Uint32(raw)) //nolint:gosec // -1 is null
		raw = raw[4:]
		var entry []byte
		if size >= 0 {
			if int(size) > len(raw) {
				return false, false
			}
			entry, raw = raw[:size:size], raw[size:]
		}
		if !yield(entry) {
			return true, true
		}
	}
	return true, false
}

package record_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const sourceMissing = errorValue("source_missing")

// A modelDay is a date, as 2026-05-01.
type modelDay string

// A cell is a value of a record.
type cell struct {
	field  *linkedField
	record *linkedRecord
}

// value computes a cell from what people have written. nil is an empty value, and a list may hold errors.
func (m *computedModel) value(f *linkedField, r *linkedRecord) any {
	if f.op == nil {
		if f.typ == "boolean" && r.values[f] == nil {
			return false
		}
		return r.values[f]
	}
	known, found := m.cells[cell{f, r}]
	if !found {
		known = m.compute(f, r)
		m.cells[cell{f, r}] = known
	}
	return known
}

func (m *computedModel) compute(f *linkedField, r *linkedRecord) any {
	if f.round || !f.fits() {
		return sourceMissing
	}
	if f.op.kind == "formula" {
		return m.formula(f, r)
	}
	linked := r.back
	if f.outward {
		linked = r.next
	}
	linked = m.sorted(f, linked)
	if f.op.kind == "lookup" && m.single(f) {
		if len(linked) == 0 {
			return nil
		}
		return m.value(f.sources[0], linked[0])
	}
	var entries []any
	count := 0.0
	for _, other := range linked {
		if f.filter != nil && !conditionHolds(m.value(f.filter, other)) {
			continue
		}
		count++
		if f.op.name == "count" {
			continue
		}
		if list, ok := m.value(f.sources[0], other).([]any); ok && len(list) > 0 {
			entries = append(entries, list...)
		} else if ok {
			entries = append(entries, nil)
		} else {
			entries = append(entries, m.value(f.sources[0], other))
		}
	}
	if f.op.name == "count" {
		return count
	}
	return rolledUp(f.op.name, f.sources[0].typ.one(), entries)
}

// sorted are the linked records that a lookup reads, in its order. Empty values and errors come last.
func (m *computedModel) sorted(f *linkedField, linked []*linkedRecord) []*linkedRecord {
	if f.sort != nil {
		sign := 1
		if f.desc {
			sign = -1
		}
		key := func(r *linkedRecord) (x float64, last bool) {
			switch v := m.value(f.sort, r).(type) {
			case float64:
				return v, false
			case modelDay:
				return float64(date(v).Unix()), false
			}
			return 0, true
		}
		linked = slices.Clone(linked)
		slices.SortStableFunc(linked, func(a, b *linkedRecord) int {
			x, lastA := key(a)
			y, lastB := key(b)
			switch {
			case lastA != lastB && lastA:
				return 1
			case lastA != lastB:
				return -1
			}
			return sign * cmp.Compare(x, y)
		})
	}
	if f.limit > 0 {
		linked = linked[:min(len(linked), f.limit)]
	}
	return linked
}

// fits reports whether what a field reads is there, and of the types that it was when the field was saved.
func (f *linkedField) fits() bool {
	var types [2]modelType
	for i, source := range f.sources {
		if source == nil {
			continue
		}
		if source.gone {
			return false
		}
		types[i] = source.typ
	}
	if f.filter != nil && (f.filter.gone || f.filter.typ != f.filtered) {
		return false
	}
	if f.sort != nil && f.sort.gone {
		return false
	}
	if f.op.kind == "lookup" { // which follows its link
		return types[0].one() == f.typ.one()
	}
	return f.op.typ(types[0], types[1]) == f.typ
}

func (m *computedModel) formula(f *linkedField, r *linkedRecord) any {
	a := m.value(f.sources[0], r)
	if failed, ok := a.(errorValue); ok {
		return failed
	}
	list, _ := a.([]any)
	var b any
	if f.sources[1] != nil {
		b = m.value(f.sources[1], r)
	}
	failed, failing := b.(errorValue)
	switch f.op.name { // what does not read b always
	case "if":
		if number(a) > f.bound() {
			return b
		}
		return bounded(number(a) + 1)
	case "choose":
		if !truth(a) {
			return "no"
		}
		if failing {
			return failed
		}
		return textOrNil(b)
	case "and":
		if !truth(a) {
			return false
		}
		if failing {
			return failed
		}
		return truth(b)
	case "unique":
		return unique(list)
	case "slice":
		if len(list) == 1 && failedOf(list) != nil { // as if there were no list
			return list
		}
		return list[min(1, len(list)):]
	}
	if failing {
		return failed
	}
	if failed := failedOf(list); failed != nil {
		return failed
	}
	switch f.op.name {
	case "+":
		return bounded(number(a) + number(b))
	case "*":
		return bounded(number(a) * number(b))
	case "/":
		if number(b) == 0 {
			return errorValue("division_by_zero")
		}
		return bounded(number(a) / number(b))
	case "len":
		return float64(utf8.RuneCountInString(textOf(a)))
	case "day":
		if a == nil {
			return nil
		}
		return float64(date(a).Day())
	case "sum", "average", "counta":
		return rolledUp(strings.ToUpper(f.op.name), f.sources[0].typ.one(), list)
	case "&":
		return limited(textOf(a) + "-" + textOf(b))
	case "join":
		return limited(joined(list, "; "))
	case ">":
		return number(a) > f.bound()
	case "<":
		return a != nil && b != nil && a.(modelDay) < b.(modelDay)
	case "past":
		return a != nil && string(a.(modelDay)) < time.Now().UTC().Format(time.DateOnly)
	case "not":
		return !truth(a)
	case "later":
		if a == nil {
			return nil
		}
		return modelDay(date(a).AddDate(0, 0, f.constant).Format(time.DateOnly))
	}
	panic("no formula " + f.op.name)
}

// rolledUp is a function of the entries of a list, in their order.
func rolledUp(function string, typ modelType, entries []any) any {
	filled := slices.DeleteFunc(slices.Clone(entries), func(entry any) bool { return entry == nil })
	switch function { // what goes on behind an error, or stops before one
	case "lookup":
		return entries
	case "ARRAYCOMPACT":
		return filled
	case "ARRAYUNIQUE":
		return unique(entries)
	case "AND", "OR", "XOR":
		odd := false
		for _, entry := range entries {
			if failed, ok := entry.(errorValue); ok {
				return failed
			}
			if function != "XOR" && truth(entry) == (function == "OR") {
				return function == "OR"
			}
			odd = odd != truth(entry)
		}
		return function == "AND" || function == "XOR" && odd
	case "COUNT":
		if typ != "number" {
			return 0.0
		}
	}
	if failed := failedOf(entries); failed != nil {
		return failed
	}
	switch function {
	case "COUNT", "COUNTA":
		return float64(len(filled))
	case "COUNTALL":
		return float64(len(entries))
	case "ARRAYJOIN":
		return limited(joined(entries, ", "))
	case "CONCATENATE": // of a list as one text
		return limited(joined(filled, ", "))
	case "MIN", "MAX":
		return extreme(filled, function == "MAX")
	}
	total := 0.0
	for _, entry := range entries {
		total += number(entry)
	}
	if function == "AVERAGE" {
		if len(filled) == 0 {
			return nil
		}
		return bounded(total / float64(len(filled)))
	}
	return bounded(total)
}

func extreme(entries []any, largest bool) any {
	var found any
	for _, entry := range entries {
		less := false
		switch v := entry.(type) {
		case float64:
			less = found != nil && v < found.(float64)
		case modelDay:
			less = found != nil && v < found.(modelDay)
		}
		if found == nil || less != largest {
			found = entry
		}
	}
	return found
}

// failedOf is the first error of a list, or nil.
func failedOf(list []any) any {
	for _, entry := range list {
		if failed, ok := entry.(errorValue); ok {
			return failed
		}
	}
	return nil
}

func unique(list []any) []any {
	var some []any
	for _, entry := range list {
		if !slices.Contains(some, entry) {
			some = append(some, entry)
		}
	}
	return some
}

func joined(list []any, separator string) string {
	texts := make([]string, len(list))
	for i, entry := range list {
		texts[i] = textOf(entry)
	}
	return strings.Join(texts, separator)
}

// limited is a text, or an error if it is too long. No text is an empty value.
func limited(text string) any {
	if utf8.RuneCountInString(text) > 100_000 {
		return errorValue("text_too_long")
	}
	return textOrNil(text)
}

func textOrNil(value any) any {
	if text := textOf(value); text != "" {
		return text
	}
	return nil
}

// textOf writes a value that is whole and of few digits.
func textOf(value any) string {
	switch v := value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return v
	case modelDay:
		return string(v)
	case bool:
		if v {
			return "1"
		}
		return "0"
	}
	return ""
}

func truth(value any) bool { return value != nil && value != false && value != 0.0 }

func date(value any) time.Time {
	at, err := time.Parse(time.DateOnly, string(value.(modelDay)))
	if err != nil {
		panic(err)
	}
	return at
}

func bounded(x float64) any {
	switch {
	case math.Abs(x) > 1e300:
		return errorValue("number_too_large")
	case math.Abs(x) < 1e-300:
		return 0.0 // and not -0
	}
	return x
}

func number(value any) float64 {
	x, _ := value.(float64)
	return x
}

// shownAs is a value as the API writes it.
func shownAs(value any) any {
	switch v := value.(type) {
	case modelDay:
		return string(v)
	case []any:
		if failed := failedOf(v); failed != nil {
			return failed
		}
		if len(v) == 0 {
			return nil
		}
		shown := make([]any, len(v))
		for i := range v {
			shown[i] = shownAs(v[i])
		}
		return shown
	}
	return value
}

// sameCell compares what is read with what was computed. Numbers are summed in an order that is not
// compared, and of several errors of a list any one may be read.
func sameCell(got, want any) bool {
	switch b := want.(type) {
	case errorValue:
		_, failed := got.(errorValue)
		return failed
	case float64:
		a, ok := got.(float64)
		return ok && (a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)))
	case []any:
		a, ok := got.([]any)
		return ok && slices.EqualFunc(a, b, sameCell)
	}
	if _, list := got.([]any); list {
		return false
	}
	return got == want
}

func later() time.Time { return time.Now().Add(time.Minute) }

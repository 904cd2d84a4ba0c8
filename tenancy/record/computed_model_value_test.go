package record_test

import (
	"math"
	"slices"
	"time"
)

const sourceMissing = errorValue("source_missing")

// value computes a cell from what people have written.
func (m *computedModel) value(f *linkedField, r *linkedRecord) any {
	if f.op == "" {
		return r.values[f]
	}
	linked := r.next
	if !f.outward {
		linked = m.before(f.table, r)
	}
	if f.round {
		return sourceMissing
	}
	for _, read := range []*linkedField{f.a, f.b} {
		if read != nil && read.gone {
			return sourceMissing
		}
	}
	switch f.op {
	case "count":
		return float64(len(linked))
	case "sum", "max", "counta":
		return m.rolled(f, linked)
	}
	a, b := m.value(f.a, r), m.value(f.b, r)
	if failed, ok := a.(errorValue); ok {
		return failed
	}
	if f.op == "if" {
		if number(a) > f.constant {
			return b
		}
		return bounded(number(a) + 1)
	}
	if failed, ok := b.(errorValue); ok {
		return failed
	}
	switch f.op {
	case "+":
		return bounded(number(a) + number(b))
	case "*":
		return bounded(number(a) * number(b))
	}
	if number(b) == 0 {
		return errorValue("division_by_zero")
	}
	return bounded(number(a) / number(b))
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

// sameCell compares what is read with what was computed. Links are summed in an order that is not
// compared, and of several errors of a list any one may be read.
func sameCell(got, want any) bool {
	a, first := got.(float64)
	b, second := want.(float64)
	if first && second {
		return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
	}
	_, first = got.(errorValue)
	_, second = want.(errorValue)
	return first && second || got == want
}

func number(value any) float64 {
	x, _ := value.(float64)
	return x
}

// before are the records of the table before that link to a record.
func (m *computedModel) before(table int, r *linkedRecord) []*linkedRecord {
	var linked []*linkedRecord
	for _, other := range m.tables[(table+2)%3].records {
		if slices.Contains(other.next, r) {
			linked = append(linked, other)
		}
	}
	return linked
}

func (m *computedModel) rolled(f *linkedField, linked []*linkedRecord) any {
	var values []float64
	failed := false
	for _, other := range linked {
		switch v := m.value(f.a, other).(type) {
		case errorValue:
			failed = true
		case float64:
			values = append(values, v)
		}
	}
	if failed {
		return m.firstError(f, linked)
	}
	switch f.op {
	case "counta":
		return float64(len(values))
	case "max":
		if len(values) == 0 {
			return 0.0
		}
		return slices.Max(values)
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return bounded(sum)
}

// firstError is the error of a list with errors. Which one, where they differ, is not said.
func (m *computedModel) firstError(f *linkedField, linked []*linkedRecord) any {
	for _, other := range linked {
		if failed, ok := m.value(f.a, other).(errorValue); ok {
			return failed
		}
	}
	return nil
}

func later() time.Time { return time.Now().Add(time.Minute) }

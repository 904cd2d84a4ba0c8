package record_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// A condition is a filter as it is sent, and what it means.
type condition struct {
	written any
	passes  func(r *modelRow) bool
}

// drawFilters makes up a filter; nil lets everything through.
func (w *world) drawFilters(rt *rapid.T, m *modelTable) (raw []byte, passes func(r *modelRow) bool) {
	n := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3}).Draw(rt, "filters")
	if n == 0 {
		return nil, func(*modelRow) bool { return true }
	}
	all := w.drawGroup(rt, m, n, false, 1)
	return marshal(all.written), all.passes
}

func (w *world) drawGroup(rt *rapid.T, m *modelTable, n int, or bool, depth int) condition {
	written := make([]any, n)
	parts := make([]condition, n)
	for i := range parts {
		if depth < 3 && rapid.IntRange(0, 4).Draw(rt, "nest") == 0 {
			either := rapid.Bool().Draw(rt, "or")
			parts[i] = w.drawGroup(rt, m, rapid.IntRange(1, 2).Draw(rt, "parts"), either, depth+1)
			parts[i].written = map[string]any{map[bool]string{false: "and", true: "or"}[either]: parts[i].written}
		} else {
			parts[i] = w.drawLeaf(rt, m)
		}
		written[i] = parts[i].written
	}
	return condition{written, func(r *modelRow) bool {
		for _, p := range parts {
			if p.passes(r) == or {
				return or
			}
		}
		return !or
	}}
}

var operators = map[shape][]string{
	shapeText: {
		"eq", "neq", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "is_empty", "is_not_empty",
	},
	shapeNumber: {
		"eq", "neq", "gt", "gte", "lt", "lte", "gt", "gte", "lt", "lte", "between", "in", "is_empty", "is_not_empty",
	},
	shapeBoolean:   {"eq"},
	shapeDate:      {"eq", "neq", "gt", "gte", "lt", "lte", "between", "is_empty", "is_not_empty"},
	shapeTimestamp: {"eq", "neq", "gt", "gte", "lt", "lte", "between", "is_empty", "is_not_empty"},
	shapeChoice:    {"eq", "neq", "in", "not_in", "is_empty", "is_not_empty"},
	shapeChoices:   {"has_any", "has_all", "has_none", "is_exactly", "is_empty", "is_not_empty"},
	shapeUser:      {"has_any", "has_all", "has_none", "is_exactly", "is_empty", "is_not_empty"},
	shapeLink:      {"has_any", "has_all", "has_none", "is_exactly", "is_empty", "is_not_empty"},
}

func (w *world) drawLeaf(rt *rapid.T, m *modelTable) condition {
	f := m.where(rt, "filtered", func(f *modelField) bool { return operators[f.shape()] != nil })
	op := rapid.SampledFrom(operators[f.shape()]).Draw(rt, "op")
	written := map[string]any{"fieldId": f.name, "op": op}
	var values []any
	switch op {
	case "is_empty", "is_not_empty":
	case "in", "not_in", "has_any", "has_all", "has_none", "is_exactly":
		for range rapid.IntRange(1, 2).Draw(rt, "values") {
			values = append(values, w.drawOperand(rt, f))
		}
		written["value"] = sent(values...)
	case "between":
		values = []any{w.drawOperand(rt, f), w.drawOperand(rt, f)}
		written["value"] = sent(values...)
	default:
		values = []any{w.drawOperand(rt, f)}
		written["value"] = sent(values...)[0]
	}
	return condition{written, func(r *modelRow) bool { return leafPasses(f, op, values, r) }}
}

// sent is operands as JSON has them.
func sent(values ...any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case float64:
			out[i] = json.RawMessage(numberJSON(v))
		case moment:
			out[i] = v.Format(time.RFC3339Nano)
		default:
			out[i] = v
		}
	}
	return out
}

func leafPasses(f *modelField, op string, values []any, r *modelRow) bool {
	value := r.values[f]
	switch f.shape() { // the rest below
	case shapeChoices, shapeUser, shapeLink:
		entries, _ := value.([]string)
		if f.pairs != nil {
			for _, o := range f.linkedTo(r) {
				entries = append(entries, o.id)
			}
		}
		return setPasses(op, entries, values)
	case shapeBoolean:
		checked, _ := value.(bool)
		return checked == values[0]
	}
	switch op {
	case "is_empty":
		return value == nil
	case "is_not_empty":
		return value != nil
	case "neq":
		return value == nil || !leafPasses(f, "eq", values, r)
	case "not_in":
		return value == nil || !leafPasses(f, "in", values, r)
	case "not_contains":
		return value == nil || !leafPasses(f, "contains", values, r)
	}
	if value == nil {
		return false
	}
	switch f.shape() { // those with an order
	case shapeText, shapeChoice:
		return textPasses(op, value.(string), values) // by the shape
	case shapeNumber:
		x := value.(float64) // by the shape
		return spanPasses(op, values, func(v any) (int, int) {
			c := cmp.Compare(x, v.(float64)) // by the shape
			return c, c
		}, value)
	case shapeDate:
		return spanPasses(op, values, func(v any) (int, int) {
			c := cmp.Compare(value.(string), v.(string)) // by the shape
			return c, c
		}, value)
	}
	at := value.(moment) // by the shape
	return spanPasses(op, values, func(v any) (int, int) {
		if exact, ok := v.(moment); ok {
			c := at.Compare(exact.Time)
			return c, c
		}
		zone, err := time.LoadLocation(f.zone)
		if err != nil {
			panic(err) // one of two
		}
		c := cmp.Compare(at.In(zone).Format(time.DateOnly), v.(string)) // a day
		return c, c
	}, value)
}

// spanPasses compares by how the value stands to the first and the last instant of an operand.
func spanPasses(op string, values []any, stands func(v any) (first, last int), value any) bool {
	first, last := stands(values[0])
	switch op {
	case "eq":
		return first >= 0 && last <= 0
	case "gt":
		return last > 0
	case "gte":
		return first >= 0
	case "lt":
		return first < 0
	case "lte":
		return last <= 0
	case "between":
		_, until := stands(values[1])
		return first >= 0 && until <= 0
	}
	return slices.Contains(values, value) // in
}

func textPasses(op, s string, values []any) bool {
	v := values[0].(string) // by the shape
	switch op {
	case "eq":
		return s == v
	case "contains":
		return strings.Contains(fold(s), fold(v))
	case "starts_with":
		return strings.HasPrefix(fold(s), fold(v))
	case "ends_with":
		return strings.HasSuffix(fold(s), fold(v))
	}
	return slices.Contains(values, any(s)) // in
}

func setPasses(op string, entries []string, values []any) bool {
	in := func(v any) bool { return slices.Contains(entries, v.(string)) } // names and ids
	all := !slices.ContainsFunc(values, func(v any) bool { return !in(v) })
	switch op {
	case "is_empty":
		return len(entries) == 0
	case "is_not_empty":
		return len(entries) > 0
	case "has_any":
		return slices.ContainsFunc(values, in)
	case "has_none":
		return !slices.ContainsFunc(values, in)
	case "has_all":
		return all
	}
	return all && !slices.ContainsFunc(entries, func(s string) bool { return !slices.Contains(values, any(s)) })
}

// drawSorts makes up an order; ties go by id.
func (w *world) drawSorts(rt *rapid.T, m *modelTable) (raw []byte, less func(a, b *modelRow) int) {
	type one struct {
		f    *modelField
		desc bool
	}
	var sorts []one
	var written []any
	for range rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(rt, "sorts") {
		f := m.where(rt, "sorted", func(f *modelField) bool {
			switch f.shape() { // those with an order that a model can know
			case shapeUser, shapeLink:
				return false
			}
			return true
		})
		if slices.ContainsFunc(sorts, func(s one) bool { return s.f == f }) {
			continue
		}
		desc := rapid.Bool().Draw(rt, "desc")
		sorts = append(sorts, one{f, desc})
		written = append(written, map[string]any{
			"fieldId": f.name,
			"dir":     map[bool]string{false: "asc", true: "desc"}[desc],
		})
	}
	if len(sorts) > 0 {
		raw = marshal(written)
	}
	return raw, func(a, b *modelRow) int {
		for _, s := range sorts {
			if c := w.inOrder(s.f, a.values[s.f], b.values[s.f], s.desc); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.id, b.id)
	}
}

// inOrder compares two values of a field as lists order them: empty ones last.
func (w *world) inOrder(f *modelField, a, b any, desc bool) int {
	if f.shape() == shapeBoolean {
		a, b = a == true, b == true
	}
	if a == nil || b == nil {
		return cmp.Compare(btoi(a == nil), btoi(b == nil))
	}
	c := 0
	switch a := a.(type) {
	case string:
		switch f.shape() { // those of texts
		case shapeDate:
			c = cmp.Compare(a, b.(string)) // of one field
		case shapeChoice:
			c = cmp.Compare(f.place(a), f.place(b.(string))) // of one field
		default:
			c = w.collate(a, b.(string)) // of one field
		}
	case []string:
		c = slices.CompareFunc(a, b.([]string), func(x, y string) int { // of one field
			return cmp.Compare(f.place(x), f.place(y))
		})
	case float64:
		c = cmp.Compare(a, b.(float64)) // of one field
	case bool:
		c = cmp.Compare(btoi(a), btoi(b.(bool))) // of one field
	case moment:
		c = a.Compare(b.(moment).Time) // of one field
	}
	if desc {
		return -c
	}
	return c
}

// place is that of an option.
func (f *modelField) place(option string) int { return slices.Index(f.options, option) }

func (w *world) collate(a, b string) int {
	for _, s := range []string{a, b} { // both before either is looked at, for each may move the other
		if _, ok := w.rank[s]; !ok { // made of others, as by a change of type
			w.learnRanks(s)
		}
	}
	return cmp.Compare(w.rank[a], w.rank[b])
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

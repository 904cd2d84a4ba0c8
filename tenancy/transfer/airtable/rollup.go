package airtable

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A sample is the value of a rollup of one record next to the values of the linked records that it was made of. Value
// is nil for an empty cell.
type sample struct {
	Value   json.RawMessage
	Entries []json.RawMessage // one for each linked record; nil for an empty cell
}

// guess finds what a rollup computes, which the API does not say: of the functions that give such a result, those
// that give each sample its value. The first is the most usual one. There are none if the rollup has a formula that is
// not among them.
func guess(result string, samples []sample) []product.Rollup {
	var found []product.Rollup
	for _, one := range candidates(result) {
		fits := true
		for i := range samples {
			if len(samples[i].Entries) > 0 && !one.gives(&samples[i]) {
				fits = false
				break
			}
		}
		if fits {
			found = append(found, one.Rollup)
		}
	}
	return found
}

type candidate struct {
	product.Rollup

	of func(values []any, all int) any
}

func (c *candidate) gives(s *sample) bool {
	var values []any
	all := 0
	for _, raw := range s.Entries {
		var one any
		if raw == nil || json.Unmarshal(raw, &one) != nil {
			all++
			continue
		}
		list, several := one.([]any)
		if !several {
			list = []any{one}
		}
		values, all = append(values, list...), all+max(1, len(list))
	}
	var want any
	if s.Value != nil && json.Unmarshal(s.Value, &want) != nil {
		return false
	}
	if list, several := want.([]any); several {
		want = product.TextOf(list, nil)
	}
	return alike(want, c.of(values, all))
}

// alike compares values. Empty, zero and no text are alike, because Airtable leaves out cells with them.
func alike(a, b any) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) || b == nil && x == 0
	}
	return a == b || isZero(a) && isZero(b)
}

func isZero(v any) bool { return v == nil || v == "" || v == false || v == 0.0 }

var separators = []string{", ", "; ", "\n", " ", " | ", " / ", ",", ";", "|", "/", " - ", " & ", " and "}

// candidates are the rollups with a type of result, the most usual first.
func candidates(result string) []candidate {
	function := func(name string, of func(values []any, all int) any) candidate {
		return candidate{product.Rollup{Function: name}, of}
	}
	formula := func(text string, of func(values []any, all int) any) candidate {
		return candidate{product.Rollup{Formula: text}, of}
	}
	extremes := []candidate{function("MAX", extreme(1)), function("MIN", extreme(-1))}
	switch result {
	case "number", "percent", "currency", "duration", "rating", "count", "autoNumber":
		return append([]candidate{
			function("SUM", sum), function("COUNTALL", func(_ []any, all int) any { return float64(all) }),
			function("COUNTA", func(values []any, _ int) any { return float64(len(values)) }),
			function("COUNT", func(values []any, _ int) any { return float64(len(numbers(values))) }),
			function("AVERAGE", average),
		}, extremes...)
	case "date", "dateTime":
		return extremes
	case "checkbox":
		return []candidate{
			function("AND", func(values []any, all int) any { return truths(values) == all }),
			function("OR", func(values []any, _ int) any { return truths(values) > 0 }),
			function("XOR", func(values []any, _ int) any { return truths(values)%2 == 1 }),
		}
	}
	out := []candidate{
		function("ARRAYUNIQUE", func(values []any, _ int) any { return joined(unique(values), ", ") }),
		function("CONCATENATE", func(values []any, _ int) any { return joined(values, "") }),
	}
	for _, separator := range separators {
		quoted := `"` + strings.ReplaceAll(separator, "\n", `\n`) + `"`
		out = append(out,
			formula("ARRAYJOIN(ARRAYUNIQUE(values), "+quoted+")", func(values []any, _ int) any {
				return joined(unique(values), separator)
			}),
			formula("ARRAYJOIN(values, "+quoted+")", func(values []any, _ int) any {
				return joined(values, separator)
			}))
	}
	return append(out, extremes...)
}

func numbers(values []any) []float64 {
	var out []float64
	for _, v := range values {
		if x, ok := v.(float64); ok {
			out = append(out, x)
		}
	}
	return out
}

func sum(values []any, _ int) any {
	total := 0.0
	for _, x := range numbers(values) {
		total += x
	}
	return total
}

func average(values []any, _ int) any {
	list := numbers(values)
	if len(list) == 0 {
		return nil
	}
	return sum(values, 0).(float64) / float64(len(list))
}

// extreme is the greatest of numbers or dates, or the least for a sign of -1. Dates are compared as texts, which are
// in one form.
func extreme(sign int) func(values []any, _ int) any {
	return func(values []any, _ int) any {
		if list := numbers(values); len(list) > 0 {
			if sign > 0 {
				return slices.Max(list)
			}
			return slices.Min(list)
		}
		var found any
		for _, v := range values {
			s, ok := v.(string)
			if former, has := found.(string); ok && (!has || strings.Compare(s, former)*sign > 0) {
				found = s
			}
		}
		return found
	}
}

func truths(values []any) int {
	n := 0
	for _, v := range values {
		if v == true {
			n++
		}
	}
	return n
}

func unique(values []any) []any {
	var out []any
	seen := map[string]bool{}
	for _, v := range values {
		if text := product.TextOf(v, nil); !seen[text] {
			seen[text] = true
			out = append(out, v)
		}
	}
	return out
}

func joined(values []any, separator string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = product.TextOf(v, nil)
	}
	return strings.Join(parts, separator)
}

package record_test

import (
	"fmt"
	"slices"
	"strings"
)

// A modelType is what values of a field are, in the words of config.resultType.
type modelType string

func (t modelType) list() bool { return strings.HasPrefix(string(t), "list of ") }

// one is the type of an entry of a list.
func (t modelType) one() modelType { return modelType(strings.TrimPrefix(string(t), "list of ")) }

// A computedOp is what a computed field may do.
type computedOp struct {
	name, kind string
	text       string // of a formula: $a and $b are fields, and $c is a number
	a, b       func(f *linkedField) bool
	// typ is the type of the values for the types of what is read; "" where these no longer fit.
	typ   func(a, b modelType) modelType
	whole bool // sums in another order, and quotients, do not make its values differ in the last digit
	small bool // of numbers, only whole ones of few digits, which are written in one way
	wider int  // how much longer a value may be than those that it is made of
}

func isOf(types ...modelType) func(f *linkedField) bool {
	return func(f *linkedField) bool { return slices.Contains(types, f.typ) }
}

func allOf(fits ...func(f *linkedField) bool) func(f *linkedField) bool {
	return func(f *linkedField) bool {
		return !slices.ContainsFunc(fits, func(fit func(f *linkedField) bool) bool { return !fit(f) })
	}
}

func isList(f *linkedField) bool   { return f.typ.list() }
func isSingle(f *linkedField) bool { return !f.typ.list() }
func isWhole(f *linkedField) bool  { return f.whole }
func isSmall(f *linkedField) bool  { return f.small }

// if both types are as given, values are of a third one
func when(a, b, then modelType) func(x, y modelType) modelType {
	return func(x, y modelType) modelType {
		if x != a || y != b {
			return ""
		}
		return then
	}
}

func always(t modelType) func(a, b modelType) modelType {
	return func(_, _ modelType) modelType { return t }
}

func same(a, _ modelType) modelType { return a }

func listOf(a, _ modelType) modelType { return "list of " + a.one() }

var (
	someNumber = isOf("number")
	anyText    = allOf(isSingle, isSmall)
	aList      = allOf(isList, isSmall)
	entries    = allOf(isWhole, isSmall)
)

// computedOps are drawn from. Rollups are named as their functions are.
var computedOps = []computedOp{
	{"+", "formula", "$a + $b", someNumber, someNumber, when("number", "number", "number"), true, false, 1},
	{"*", "formula", "$a * $b", someNumber, someNumber, when("number", "number", "number"), true, false, 1},
	{
		"/", "formula", "$a / $b", someNumber, allOf(someNumber, isWhole), when("number", "number", "number"),
		false, false, 1,
	},
	{
		"if", "formula", "IF($a > $c, $b, $a + 1)", someNumber, someNumber, when("number", "number", "number"),
		true, false, 1,
	},
	{"len", "formula", "LEN($a)", anyText, nil, always("number"), true, true, 0},
	{"day", "formula", "DAY($a)", isOf("date"), nil, when("date", "", "number"), true, true, 0},
	{"sum", "formula", "SUM($a)", isOf("list of number"), nil, when("list of number", "", "number"), true, false, 0},
	{
		"average", "formula", "AVERAGE($a)", isOf("list of number"), nil, when("list of number", "", "number"),
		false, false, 0,
	},
	{"counta", "formula", "COUNTA($a)", isList, nil, always("number"), true, true, 0},
	{"&", "formula", `$a & "-" & $b`, anyText, anyText, always("text"), true, true, 1},
	{"join", "formula", `ARRAYJOIN($a, "; ")`, aList, nil, always("text"), true, true, 1},
	{
		"choose", "formula", `IF($a, $b, "no")`, isOf("boolean"), allOf(isSmall, isOf("text")),
		func(a, _ modelType) modelType { return map[modelType]modelType{"boolean": "text"}[a] }, true, true, 1,
	},
	{">", "formula", "$a > $c", someNumber, nil, when("number", "", "boolean"), true, true, 0},
	{"<", "formula", "$a < $b", isOf("date"), isOf("date"), when("date", "date", "boolean"), true, true, 0},
	{"past", "formula", "$a < TODAY()", isOf("date"), nil, when("date", "", "boolean"), true, true, 0},
	{"not", "formula", "NOT($a)", isOf("boolean"), nil, when("boolean", "", "boolean"), true, true, 0},
	{
		"and", "formula", "AND($a, $b)", allOf(isSingle, isWhole), allOf(isSingle, isWhole), always("boolean"),
		true, true, 0,
	},
	{"later", "formula", `DATEADD($a, $n, "days")`, isOf("date"), nil, when("date", "", "date"), true, true, 1},
	{"unique", "formula", "ARRAYUNIQUE($a)", allOf(isList, isWhole), nil, same, true, true, 1},
	{"slice", "formula", "ARRAYSLICE($a, 2)", isList, nil, same, true, true, 1},

	{"lookup", "lookup", "", anyField, nil, listOf, true, true, 10},
	{"count", "count", "", nil, nil, always("number"), true, true, 0},
	{"SUM", "rollup", "", oneOf("number"), nil, reduced("number"), true, false, 0},
	{"AVERAGE", "rollup", "", oneOf("number"), nil, reduced("number"), false, false, 0},
	{"MIN", "rollup", "", oneOf("number", "date"), nil, reduced("number", "date"), true, false, 0},
	{"MAX", "rollup", "", oneOf("number", "date"), nil, reduced("number", "date"), true, false, 0},
	{"COUNT", "rollup", "", oneOf("number", "text"), nil, always("number"), true, true, 0},
	{"COUNTA", "rollup", "", anyField, nil, always("number"), true, true, 0},
	{"COUNTALL", "rollup", "", anyField, nil, always("number"), true, true, 0},
	{"AND", "rollup", "", isWhole, nil, always("boolean"), true, true, 0},
	{"OR", "rollup", "", isWhole, nil, always("boolean"), true, true, 0},
	{"XOR", "rollup", "", isWhole, nil, always("boolean"), true, true, 0},
	{"ARRAYUNIQUE", "rollup", "", isWhole, nil, listOf, true, true, 10},
	{"ARRAYCOMPACT", "rollup", "", anyField, nil, listOf, true, true, 10},
	{"ARRAYJOIN", "rollup", "", entries, nil, always("text"), true, true, 10},
	{"CONCATENATE", "rollup", "", entries, nil, always("text"), true, true, 10},
}

// oneOf are fields whose values, or the entries of these, are of some types.
func oneOf(types ...modelType) func(f *linkedField) bool {
	return func(f *linkedField) bool { return slices.Contains(types, f.typ.one()) }
}

// reduced is one value of the values of some types.
func reduced(types ...modelType) func(a, b modelType) modelType {
	return func(a, _ modelType) modelType {
		if slices.Contains(types, a.one()) {
			return a.one()
		}
		return ""
	}
}

// widest is how long values may become. Each link that they come through counts as ten.
const widest = 2000

// draw has a field compute something. It reports whether there is something to read.
func (m *computedModel) draw(f *linkedField) bool {
	op := &computedOps[m.random.IntN(len(computedOps))]
	switch m.random.IntN(12) {
	case 0, 1, 2, 3: // arithmetic is what spreads errors
		op = &computedOps[m.random.IntN(4)]
	case 4: // lookups are lists or single values
		op = &computedOps[slices.IndexFunc(computedOps, func(op computedOp) bool { return op.kind == "lookup" })]
	case 5:
		op = &computedOps[slices.IndexFunc(computedOps, func(op computedOp) bool { return op.name == "past" })]
	}
	*f = linkedField{id: f.id, name: f.name, table: f.table, op: op, constant: m.random.IntN(5)}
	from := f.table
	if op.kind != "formula" {
		f.outward = m.random.IntN(2) == 0
		from = m.reached(f)
	}
	f.whole, f.small, f.width = op.whole, true, 0
	var types [2]modelType
	for i, fits := range []func(f *linkedField) bool{op.a, op.b} {
		if fits == nil {
			continue
		}
		source := m.drawn(from, fits)
		if source == nil || m.turns(source) {
			return false
		}
		f.sources[i], types[i] = source, source.typ
		f.whole, f.small = f.whole && source.whole, f.small && source.small
		f.width += source.width * op.wider
	}
	if f.typ = op.typ(types[0], types[1]); f.typ == "" {
		return false
	}
	if op.kind == "lookup" {
		f.typ = m.lookedUp(f)
	}
	switch {
	case op.kind == "lookup" && m.single(f):
	case f.typ.one() != "number":
		f.whole, f.small = true, true
	case !f.typ.list():
		f.whole, f.small = f.whole || op.whole && op.small, op.small
	}
	f.width = max(f.width, 6)
	if (op.kind == "rollup" || op.kind == "count") && m.random.IntN(3) == 0 {
		f.filter = m.drawn(from, isSingle)
		f.filtered = f.filter.typ
	}
	if op.kind == "lookup" && m.random.IntN(3) == 0 {
		f.sort = m.drawn(from, func(f *linkedField) bool { // whose values have an order that stays
			return f.whole && (f.typ == "number" || f.typ == "date") && (f.op == nil || f.op.kind != "lookup")
		})
		f.desc, f.limit = m.random.IntN(2) == 0, m.random.IntN(4)
	}
	return f.width <= widest
}

// single reports whether a field reads through a link that takes one record.
func (m *computedModel) single(f *linkedField) bool { return f.outward && m.tables[f.table].single }

// lookedUp is the type of the values of a lookup.
func (m *computedModel) lookedUp(f *linkedField) modelType {
	if m.single(f) {
		return f.sources[0].typ
	}
	return listOf(f.sources[0].typ, "")
}

// turns reports whether a lookup that does not fit is one value or a list now, and will be the other when it fits
// again.
func (m *computedModel) turns(f *linkedField) bool {
	return f.op != nil && f.op.kind == "lookup" && m.lookedUp(f).list() != f.typ.list()
}

// reached is the table that a field of linked records reads.
func (m *computedModel) reached(f *linkedField) int {
	if f.outward {
		return (f.table + 1) % 3
	}
	return (f.table + 2) % 3
}

// config is the config of a field that computes.
func (m *computedModel) config(f *linkedField) map[string]any {
	if f.op.kind == "formula" {
		names := []string{"$c", fmt.Sprint(f.bound()), "$n", fmt.Sprint(f.constant)}
		for i, name := range []string{"$a", "$b"} {
			if f.sources[i] != nil {
				names = append(names, name, "{"+f.sources[i].name+"}")
			}
		}
		return map[string]any{"formula": strings.NewReplacer(names...).Replace(f.op.text)}
	}
	config := map[string]any{"linkFieldId": m.tables[f.table].back}
	if f.outward {
		config["linkFieldId"] = m.tables[f.table].link
	}
	if f.sources[0] != nil {
		config["fieldId"] = f.sources[0].name
	}
	if f.op.kind == "rollup" {
		config["function"] = f.op.name
	}
	if f.op.kind == "lookup" {
		sorts, dir := []any{}, "asc"
		if f.desc {
			dir = "desc"
		}
		if f.sort != nil {
			sorts = append(sorts, map[string]any{"fieldId": f.sort.name, "dir": dir})
		}
		config["sorts"], config["limit"] = sorts, nil
		if f.limit > 0 {
			config["limit"] = f.limit
		}
	} else {
		conditions := []any{}
		if f.filter != nil {
			condition := map[string]any{"fieldId": f.filter.name}
			condition["op"], condition["value"] = conditionOn(f.filtered)
			conditions = append(conditions, condition)
		}
		config["filters"] = conditions
	}
	return config
}

// bound is what numbers are compared with. No sum or quotient comes close to it.
func (f *linkedField) bound() float64 { return float64(f.constant) + 0.3718 }

// conditionOn is a condition on values of a type, which holds where conditionHolds says so.
func conditionOn(t modelType) (op string, value any) {
	switch t {
	case "number":
		return "gte", 1.3718
	case "text":
		return "eq", "a"
	case "date":
		return "gte", "2026-01-05"
	}
	return "eq", true
}

func conditionHolds(value any) bool {
	switch v := value.(type) {
	case float64:
		return v >= 1.3718
	case modelDay:
		return v >= "2026-01-05"
	case string:
		return v == "a"
	}
	return value == true
}

package formula

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// maxNumber is the largest number of a formula. A larger one is an error in SQL.
const maxNumber = 1e300

// SQL is the formula as one expression of the record table. Its value has the type of Type in SQL, or
// is an error in the form of the schema gate's formula functions; Value and Error separate the two. Its
// length is linear in the length of the formula.
func (f *Formula) SQL() string {
	g := &generator{scope: f.scope}
	return g.as(f.root, f.Type)
}

// A generator writes SQL. It writes every part of a formula once, so the length of the SQL is linear in
// the length of the formula.
type generator struct{ scope *Scope }

// literalText quotes a text.
func literalText(s string) string {
	return field.Literal(strings.ReplaceAll(s, "\uFFFF", "\uFFFD")) + "::text"
}

func literalNumber(x float64) string {
	if x > -1e-300 && x < 1e-300 {
		x = 0
	}
	digits := strconv.FormatFloat(x, 'g', -1, 64)
	if x < 0 {
		digits = "(" + digits + ")"
	}
	return digits + "::double precision"
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// sql is a node's value in the node's own type.
func (g *generator) sql(n *node) string {
	switch n.kind {
	case nodeNumber:
		return literalNumber(n.number)
	case nodeText:
		return literalText(n.text)
	case nodeField:
		return n.field.SQL
	case nodeCall:
		if n.function.generate != nil {
			return n.function.generate(g, n)
		}
		return g.call(n)
	case nodeOperator, nodeMistake: // a formula with mistakes is not generated
	}
	switch n.text {
	case "&":
		return g.join(n.args)
	case "=", "!=", "<", "<=", ">", ">=":
		if n.fails == 0 {
			return truthOf(g.plainComparison(n))
		}
		return g.compare(n.text, n.args[0], n.args[1])
	case "unary-":
		return "gate.formula_negate(" + g.as(n.args[0], aNumber) + ")"
	case "unary+":
		return g.as(n.args[0], n.typ)
	case "+":
		return g.sum(n)
	}
	if t, ok := betweenDates(n); ok {
		return "gate.formula_days(" + g.as(n.args[0], t) + ", " + g.as(n.args[1], t) + map[Base]string{
			Datetime: ", " + g.scope.zone(""),
		}[t.Base] + ")"
	}
	name := map[string]string{"-": "subtract", "*": "multiply", "/": "divide"}[n.text]
	return "gate.formula_" + name + "(" + g.as(n.args[0], aNumber) + ", " + g.as(n.args[1], aNumber) + ")"
}

// sum adds numbers, and joins texts: what precedes the first text is added.
func (g *generator) sum(n *node) string {
	first := len(n.args)
	if n.typ == aText {
		first = slices.IndexFunc(n.args, func(arg *node) bool { return arg.typ.Base == Text })
	}
	added := n.args[:first]
	switch {
	case n.typ == aText && first < 2:
		return g.join(n.args)
	case n.typ == aText:
		head := &node{kind: nodeOperator, text: "+", args: added, facts: facts{typ: aNumber, fails: n.fails}}
		return g.join(append([]*node{head}, n.args[first:]...))
	case len(added) == 2:
		return "gate.formula_add(" + g.as(added[0], aNumber) + ", " + g.as(added[1], aNumber) + ")"
	}
	parts := make([]string, len(added))
	for i, arg := range added {
		parts[i] = g.as(arg, aNumber)
	}
	return "gate.formula_sum(array[" + strings.Join(parts, ", ") + "])"
}

// join concatenates texts, some at a time, so that no array of long texts is too large.
func (g *generator) join(args []*node) string {
	const most = 50
	parts := make([]string, len(args))
	for i, arg := range args {
		parts[i] = g.as(arg, aText)
	}
	for len(parts) > most {
		var joined []string
		for chunk := range slices.Chunk(parts, most) {
			joined = append(joined, "gate.formula_join(array["+strings.Join(chunk, ", ")+"], null)")
		}
		parts = joined
	}
	return "gate.formula_join(array[" + strings.Join(parts, ", ") + "], null)"
}

// call fills in the arguments of a function from the table.
func (g *generator) call(n *node) string {
	f := n.function
	var b strings.Builder
	for template := f.sql; template != ""; {
		before, rest, found := strings.Cut(template, "$")
		b.WriteString(before)
		if !found {
			break
		}
		template = rest[1:]
		switch rest[0] {
		case 'z':
			b.WriteString(g.scope.zone(n.args[0].zone))
		case 'w':
			b.WriteString(words(n.args[0].locale))
		default:
			at := int(rest[0] - '1')
			p := f.param(at)
			switch {
			case strings.HasSuffix(p.kind, "S"):
				b.WriteString(g.gather(n.args, kinds[p.kind]))
			case at >= len(n.args):
				b.WriteString(p.missing)
			default:
				b.WriteString(g.as(n.args[at], kinds[p.kind]))
			}
		}
	}
	return b.String()
}

// gather makes one list of several values and lists.
func (g *generator) gather(args []*node, element Type) string {
	list := Type{element.Base, true}
	var pieces, single []string
	flush := func() {
		if len(single) > 0 {
			pieces = append(pieces, "array["+strings.Join(single, ", ")+"]::"+list.sql())
			single = nil
		}
	}
	for _, arg := range args {
		if arg.typ.List {
			flush()
			pieces = append(pieces, g.as(arg, list))
			continue
		}
		single = append(single, g.as(arg, element))
	}
	flush()
	if len(pieces) == 1 {
		return pieces[0]
	}
	return "(" + strings.Join(pieces, " || ") + ")"
}

// numbersAlone is the list of only those values that are numbers.
func (g *generator) numbersAlone(args []*node) string {
	var counted []*node
	for _, arg := range args {
		if arg.typ.Base == Number || arg.never {
			counted = append(counted, arg)
		}
	}
	if len(counted) == 0 {
		return "null::double precision[]"
	}
	return g.gather(counted, aNumber)
}

// moment is a value as a time.
func (g *generator) moment(n *node) string { return g.as(n, aDatetime) }

// failures are the branches of a CASE that convert the errors of one type to those of another.
func (g *generator) failures(fails codeSet, from, to Type) string {
	var b strings.Builder
	for _, code := range Codes() {
		if fails&setOf(code) != 0 {
			b.WriteString(" when " + ErrorValue(code, from) + " then " + ErrorValue(code, to))
		}
	}
	return b.String()
}

package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A Formula is a tree whose fields and types are known. It is immutable.
type Formula struct {
	Type Type // of its values

	// Volatile says that values depend on the time of reading, so that they cannot be stored.
	Volatile bool
	// Daily says that they depend on nothing of it but the day in the base's time zone.
	Daily bool
	// Fails says that values may be errors.
	Fails bool
	// LastModified says that values depend on the time of the record's last change, so that every
	// change of a record computes them again.
	LastModified bool

	scope *Scope
	text  string
	root  *node
	read  []string
}

// Check reads a formula and finds its fields and types. The error is of type Problems, and has those of
// the text and those of fields and types.
func Check(text string, s *Scope) (*Formula, error) {
	root, problems := parse(text)
	return (&checker{scope: s, text: text, problems: problems}).formula(root)
}

// Check finds the fields and the types of a formula. The error is of type Problems. The tree does not
// change and may be checked in several scopes concurrently.
func (t *Tree) Check(s *Scope) (*Formula, error) {
	return (&checker{scope: s, text: t.text}).formula(t.root.clone())
}

func (c *checker) formula(root *node) (*Formula, error) {
	c.node(root)
	f := &Formula{scope: c.scope, text: c.text, root: root, Type: root.typ}
	if f.Type.Base == Blank {
		f.Type.Base = Text // of a formula that is always empty, or an error
	}
	c.fails(root, f.Type)
	if len(c.problems) > 0 {
		slices.SortStableFunc(c.problems, func(a, b Problem) int { return a.offset - b.offset })
		return nil, c.problems[:min(len(c.problems), MaxProblems)]
	}
	f.Volatile, f.Daily, f.Fails = root.volatile, root.volatile && !root.moment, root.fails != 0
	root.each(func(n *node) {
		if n.field != nil && !slices.Contains(f.read, n.field.ID) {
			f.read = append(f.read, n.field.ID)
		}
		f.LastModified = f.LastModified || n.kind == nodeCall && n.text == "LAST_MODIFIED_TIME"
	})
	return f, nil
}

// Fields lists the ids of the fields that the formula reads, each once, in the order of their first
// use.
func (f *Formula) Fields() []string { return slices.Clone(f.read) }

// A checker collects what is wrong with a formula.
type checker struct {
	scope    *Scope
	text     string
	problems Problems
}

// full reports whether there are more problems than anybody reads.
func (c *checker) full() bool { return len(c.problems) >= maxFound }

func (c *checker) fail(n *node, format string, args ...any) {
	if !c.full() {
		c.problems = append(c.problems, Problem{n.place.counted(c.text), fmt.Sprintf(format, args...)})
	}
}

// node fills in the facts of a node and of everything below it.
func (c *checker) node(n *node) {
	n.facts, n.field = facts{}, nil
	for _, arg := range n.args {
		c.node(arg)
		n.fails |= arg.fails
		n.volatile, n.moment = n.volatile || arg.volatile, n.moment || arg.moment
	}
	switch n.kind {
	case nodeNumber:
		n.typ = aNumber
	case nodeText:
		n.typ = aText
	case nodeField:
		c.reference(n)
	case nodeOperator:
		c.operator(n)
	case nodeCall:
		c.call(n)
	case nodeMistake:
		n.never = true
	}
}

func (c *checker) reference(n *node) {
	f := c.scope.field(n.text)
	switch {
	case f == nil && (strings.EqualFold(n.text, "true") || strings.EqualFold(n.text, "false")):
		c.fail(n, "%s is written %s()", n.text, strings.ToUpper(n.text))
	case f == nil && strings.HasPrefix(n.text, "fld_"):
		c.fail(n, "the field %s is gone", c.scope.called(n.text))
	case f == nil && functionNamed(n.text) != nil:
		c.fail(n, "there is no field %s; the function is written %s", quote(n.text), functionNamed(n.text).Signature)
	case f == nil && c.full():
	case f == nil:
		c.fail(n, "there is no field %s%s", quote(n.text), problem.DidYouMean(n.text, c.scope.names()))
	case f.Refused != "":
		c.fail(n, "the field %s cannot be read in a formula: %s", quote(f.Name), f.Refused)
	default:
		n.field, n.typ, n.volatile, n.moment = f, f.Type, f.Volatile, f.Volatile && !f.Daily
		if f.Fails {
			n.fails = setOf(Codes()...)
		}
	}
	n.never = n.field == nil // so that one mistake is reported once
}

func (c *checker) operator(n *node) {
	switch n.text {
	case "&":
		n.typ, n.fails = aText, n.fails|setOf(TextTooLong)
		for _, arg := range n.args {
			c.want(arg, aText)
		}
	case "=", "!=", "<", "<=", ">", ">=":
		n.typ = aBoolean
		c.comparable(n.args[0], n.args[1], n.text)
		n.fails |= c.comparisonFails(n.args[0], n.args[1])
	case "+":
		if slices.ContainsFunc(n.args, func(arg *node) bool { return arg.typ.Base == Text }) {
			n.typ, n.fails = aText, n.fails|setOf(TextTooLong, NumberTooLarge) // of text, + is &
			return
		}
		fallthrough
	default:
		if t, ok := betweenDates(n); ok {
			n.typ = aNumber
			n.fails |= c.want(n.args[0], t) | c.want(n.args[1], t)
			return
		}
		n.typ, n.fails = aNumber, n.fails|setOf(NumberTooLarge)
		if n.text == "/" {
			n.fails |= setOf(DivisionByZero)
		}
		for _, arg := range n.args {
			n.fails |= c.want(arg, aNumber)
		}
	}
}

// betweenDates reports whether an operator subtracts dates, which gives days, and the type as which
// they are read.
func betweenDates(n *node) (Type, bool) {
	if n.text != "-" || len(n.args) != 2 {
		return Type{}, false
	}
	a, b := n.args[0], n.args[1]
	dated := (a.typ.temporal() || isBlank(a)) && (b.typ.temporal() || isBlank(b))
	t := unify(Type{Base: a.typ.Base}, Type{Base: b.typ.Base})
	switch {
	case isBlank(a):
		t = Type{Base: b.typ.Base}
	case isBlank(b):
		t = Type{Base: a.typ.Base}
	}
	return t, dated && t.temporal()
}

// comparable reports values that cannot be compared.
func (c *checker) comparable(a, b *node, operator string) {
	if a.never || b.never || isBlank(a) || isBlank(b) {
		return
	}
	t := comparedAs(a.typ, a, b)
	_, first := converts(a.typ, t)
	_, second := converts(b.typ, t)
	same := a.typ.numeric() == b.typ.numeric() || operator == "=" || operator == "!="
	if !first || !second || t == aText && !same {
		c.fail(b, "%s cannot be compared with %s by %s", a.typ.describe(), b.typ.describe(), operator)
	}
}

func (c *checker) comparisonFails(a, b *node) codeSet {
	t := comparedAs(a.typ, a, b)
	first, _ := converts(a.typ, t)
	second, _ := converts(b.typ, t)
	return first | second
}

// isBlank reports whether a node is an empty value in any context: BLANK() or "".
func isBlank(n *node) bool {
	return n.typ.Base == Blank && !n.typ.List || n.kind == nodeText && n.text == ""
}

// comparedAs is the type in which a value of a type, or of the type of an earlier comparison, is
// compared with another value.
func comparedAs(t Type, a, b *node) Type {
	other := b.typ
	scalar := func(t Type) Type { return Type{Base: t.Base} }
	switch {
	case isBlank(b) && t.temporal() && !t.List, isBlank(a) && other.temporal() && !other.List:
		return unify(scalar(t), scalar(other))
	case isBlank(b) && t.Base == Boolean, isBlank(a) && other.Base == Boolean:
		return aNumber // what is not checked is empty
	case isBlank(b) || isBlank(a) && other.Base != Blank:
		return aText // 0 is not empty
	case t.numeric() && other.numeric():
		return aNumber
	case t.temporal() && other.temporal():
		return unify(scalar(t), scalar(other))
	case t.temporal() && other == aText:
		return scalar(t)
	case other.temporal() && t == aText:
		return scalar(other)
	}
	return aText
}

// converts returns the errors that a conversion between types may cause, and whether there is one.
func converts(from, to Type) (codeSet, bool) {
	switch {
	case from.Base == Blank || from == to:
		return 0, true
	case to.List:
		switch {
		case to.Base == Text, to.Base == Boolean, from.numeric() && to.numeric(), from.Base == to.Base,
			from.Base == Date && to.Base == Datetime:
			return 0, true
		}
		return 0, false
	case to == aBoolean:
		return 0, true
	case to == aText:
		if from.List {
			return setOf(TextTooLong), true
		}
		return 0, true
	case to == aNumber && from.numeric() && !from.List:
		return 0, true
	case to == aNumber && from.numeric(), to.temporal() && from.temporal() && from.List:
		return setOf(SeveralValues), true
	case to.temporal() && from.temporal():
		return 0, true
	case to.temporal() && from == aText:
		return setOf(NotADate, DateOutOfRange), true
	}
	return 0, false
}

// want reports a value that does not convert to another type, and returns the errors that the
// conversion may cause.
func (c *checker) want(n *node, to Type) codeSet {
	if n.never {
		return 0
	}
	codes, ok := converts(n.typ, to)
	if !ok {
		hint := ""
		switch {
		case to == aNumber && n.typ.Base == Text:
			hint = "; VALUE(…) reads a number out of text"
		case to == aNumber && n.typ.temporal():
			hint = "; {End} - {Start} and DATETIME_DIFF(…) count the time between two dates, and DATEADD(…) adds to one"
		case to.temporal():
			hint = "; DATETIME_PARSE(…) reads a date out of text"
		}
		c.fail(n, "expected %s, found %s%s", to.describe(), n.typ.describe(), hint)
	}
	return codes
}

// fails is want for a value that is converted to the type that it is unified with.
func (c *checker) fails(n *node, to Type) { n.fails |= c.want(n, to) }

// counts checks how many arguments a call has.
func (c *checker) counts(n *node) bool {
	least, most := n.function.bounds()
	const manyArguments = 300 // so that an array of them stays small
	switch got := len(n.args); {
	case got < least:
		c.fail(n, "%s takes %s, found %d: %s", n.text, countOf(least, most), got, n.function.Signature)
		return false
	case most >= 0 && got > most:
		more := ""
		if n.text == "LAST_MODIFIED_TIME" {
			more = "; when single fields were changed is not kept"
		}
		c.fail(n, "%s takes %s, found %d: %s%s", n.text, countOf(least, most), got, n.function.Signature, more)
		return false
	case got > manyArguments && n.text != "SWITCH":
		c.fail(n, "%s has more than %d arguments", n.text, manyArguments)
		return false
	}
	return true
}

func countOf(least, most int) string {
	arguments := func(n int) string {
		switch n {
		case 0:
			return "no argument"
		case 1:
			return "1 argument"
		}
		return fmt.Sprintf("%d arguments", n)
	}
	switch {
	case most < 0:
		return "at least " + arguments(least)
	case least == most:
		return arguments(least)
	}
	return fmt.Sprintf("%d to %s", least, arguments(most))
}

func (c *checker) call(n *node) {
	n.typ = n.function.result
	n.fails |= n.function.fails
	n.volatile = n.volatile || n.function.volatile
	n.moment = n.moment || n.function.volatile && !n.function.daily
	if !c.counts(n) {
		n.never = true
		return
	}
	if len(n.args) > 0 {
		n.zone, n.locale = n.args[0].zone, n.args[0].locale
	}
	if n.function.check != nil {
		n.function.check(c, n)
	} else {
		c.arguments(n)
	}
	if n.typ.temporal() { // NOW and TODAY in a chosen zone keep it
		return
	}
	n.zone, n.locale = "", ""
}

// types of the parameters' kinds.
var kinds = map[string]Type{
	"N": {Base: Number}, "T": {Base: Text}, "B": {Base: Boolean}, "D": {Base: Datetime}, "NS": {Base: Number},
	"TS": {Base: Text}, "BS": {Base: Boolean}, "LS": {Base: Text},
}

// arguments checks that the arguments of a call convert to the types of its parameters.
func (c *checker) arguments(n *node) {
	for i, arg := range n.args {
		p := n.function.param(i)
		switch {
		case p.kind == "A":
		case strings.HasSuffix(p.kind, "S") && arg.typ.List:
			n.fails |= c.want(arg, Type{kinds[p.kind].Base, true})
		default:
			n.fails |= c.want(arg, kinds[p.kind])
		}
	}
}

// branches gives a node the type that fits all of its results. A "" among other types than text is an
// empty value.
func (c *checker) branches(n *node, results []*node) {
	t := Type{}
	for _, r := range results {
		if !r.never && !isBlank(r) {
			t = unify(t, r.typ)
		}
	}
	if t.Base == Blank && slices.ContainsFunc(results, func(r *node) bool { return r.kind == nodeText }) {
		t = aText
	}
	n.typ, n.never = t, !slices.ContainsFunc(results, func(r *node) bool { return !r.never })
	n.zone, n.locale = "", ""
	for _, r := range results {
		if !isBlank(r) {
			n.fails |= c.want(r, t)
		}
		if n.zone == "" {
			n.zone = r.zone
		}
		if n.locale == "" {
			n.locale = r.locale
		}
	}
	for _, arg := range n.args {
		if arg.typ.List && !slices.Contains(results, arg) {
			n.fails |= setOf(TextTooLong)
		}
	}
}

package formula

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/problem"
)

// Parse reads a formula, written or stored. The error is of type Problems and has one entry: the first
// position at which the text cannot be a formula.
func Parse(text string) (*Tree, error) {
	whole := Place{Line: 1, Column: 1}
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return nil, Problems{{whole, "the formula is not valid text in UTF-8"}}
	}
	p := &parser{lexer: lexer{text: text, line: 1, column: 1}}
	root, failure := p.whole()
	if failure != nil {
		return nil, Problems{*failure}
	}
	return &Tree{text: text, root: root}, nil
}

// A parser is a Pratt parser: expression reads an operand and then every operator that binds more
// tightly than the one before the operand.
type parser struct {
	lexer lexer
	token token // the next one
	depth int
	// length is the length of the text up to here, in characters. A field counts fieldLength whatever
	// its name, so that a formula has the same length with the names of its fields as with their ids.
	length int
}

const fieldLength = 10

// binding is the precedence of the operators. All of them are left-associative.
var binding = map[string]int{
	"=": 1, "!=": 1, "<": 1, "<=": 1, ">": 1, ">=": 1,
	"&": 2,
	"+": 3, "-": 3,
	"*": 4, "/": 4,
}

const unary = 5

func (p *parser) step() *Problem {
	var failure *Problem
	before := p.lexer.at
	if p.token, failure = p.lexer.next(); failure != nil {
		return failure
	}
	t := p.token.place
	p.length += utf8.RuneCountInString(p.lexer.text[before:t.offset])
	if p.token.kind == tokenField {
		p.length += fieldLength
	} else {
		p.length += t.Length
	}
	return p.bounded()
}

func (p *parser) bounded() *Problem {
	if p.length <= MaxLength {
		return nil
	}
	return p.fail("the formula is longer than %d characters, of which a field counts %d whatever its name",
		MaxLength, fieldLength)
}

func (p *parser) fail(format string, args ...any) *Problem {
	return p.lexer.fail(p.token.place, format, args...)
}

func (p *parser) found() string { return p.token.written(p.lexer.text) }

func (p *parser) at(operator string) bool {
	return p.token.kind == tokenOperator && p.token.text == operator
}

func (p *parser) whole() (*node, *Problem) {
	if failure := p.step(); failure != nil {
		return nil, failure
	}
	if p.token.kind == tokenEnd {
		return nil, p.fail("the formula is empty; expected a value, a field or a function")
	}
	if p.at("=") {
		return nil, p.fail("a formula does not begin with =; leave it out")
	}
	root, failure := p.expression(0)
	switch {
	case failure != nil:
		return nil, failure
	case p.at(")"):
		return nil, p.fail("the parenthesis has no beginning")
	case p.token.kind != tokenEnd:
		return nil, p.fail("expected an operator or the end, found %s", p.found())
	}
	return root, nil
}

// enter and leave count the levels of a formula.
func (p *parser) enter() *Problem {
	if p.depth++; p.depth > MaxDepth {
		return p.fail("the formula is nested more than %d levels deep; SWITCH, or a second formula field, makes it "+
			"flatter",
			MaxDepth)
	}
	return nil
}

func (p *parser) expression(least int) (*node, *Problem) {
	if failure := p.enter(); failure != nil {
		return nil, failure
	}
	before := p.depth
	defer func() { p.depth = before - 1 }()
	left, failure := p.operand()
	if failure != nil {
		return nil, failure
	}
	for p.token.kind == tokenOperator && binding[p.token.text] > least {
		operator := p.token.text
		chained := (operator == "+" || operator == "&") && left.kind == nodeOperator && left.text == operator &&
			!p.closed(left)
		if !chained { // a chain of one of these is one node; every other operator is one level more
			if failure := p.enter(); failure != nil {
				return nil, failure
			}
		}
		if failure := p.step(); failure != nil {
			return nil, failure
		}
		right, failure := p.expression(binding[operator])
		if failure != nil {
			return nil, failure
		}
		place := left.place.to(right.place)
		if chained {
			left.args, left.place = append(left.args, right), place
		} else {
			left = &node{kind: nodeOperator, text: operator, args: []*node{left, right}, place: place}
		}
	}
	return left, nil
}

// closed reports whether a node is in parentheses, according to its position.
func (p *parser) closed(n *node) bool {
	return p.lexer.text[n.place.offset] == '(' &&
		n.place.offset != n.args[0].place.offset
}

func (p *parser) operand() (*node, *Problem) {
	t := p.token
	switch t.kind {
	case tokenNumber:
		return &node{kind: nodeNumber, number: t.value, place: t.place}, p.step()
	case tokenText:
		return &node{kind: nodeText, text: t.text, place: t.place}, p.step()
	case tokenField:
		return &node{kind: nodeField, text: t.text, place: t.place, token: t.place}, p.step()
	case tokenName:
		if failure := p.step(); failure != nil {
			return nil, failure
		}
		if p.at("(") {
			return p.call(t)
		}
		p.length += fieldLength - t.place.Length
		return &node{kind: nodeField, text: t.text, place: t.place, token: t.place}, p.bounded()
	case tokenOperator:
		switch t.text {
		case "-", "+":
			if failure := p.step(); failure != nil {
				return nil, failure
			}
			operand, failure := p.expression(unary)
			if failure != nil {
				return nil, failure
			}
			place := t.place.to(operand.place)
			if operand.kind == nodeNumber && t.text == "-" {
				return &node{kind: nodeNumber, number: -operand.number, place: place}, nil
			}
			return &node{kind: nodeOperator, text: "unary" + t.text, args: []*node{operand}, place: place}, nil
		case "(":
			return p.group(t)
		}
	case tokenEnd:
	}
	return nil, p.fail("expected a value, a field or a function, found %s", p.found())
}

func (p *parser) group(open token) (*node, *Problem) {
	if failure := p.step(); failure != nil {
		return nil, failure
	}
	inner, failure := p.expression(0)
	if failure != nil {
		return nil, failure
	}
	if !p.at(")") {
		return nil, p.fail("expected an operator or ), found %s; the parenthesis began in line %d, column %d",
			p.found(), open.place.Line, open.place.Column)
	}
	inner.place = open.place.to(p.token.place)
	return inner, p.step()
}

// call reads the arguments of a function after its name.
func (p *parser) call(name token) (*node, *Problem) {
	f := functionNamed(name.text)
	if f == nil {
		return nil, &Problem{name.place, fmt.Sprintf("there is no function %s%s",
			strings.ToUpper(name.text), hintFor(name.text))}
	}
	n := &node{kind: nodeCall, text: f.Name, function: f, place: name.place}
	if failure := p.step(); failure != nil {
		return nil, failure
	}
	for !p.at(")") {
		if len(n.args) > 0 {
			if !p.at(",") {
				return nil, p.fail("expected a comma or ) in %s(…), found %s", f.Name, p.found())
			}
			if failure := p.step(); failure != nil {
				return nil, failure
			}
			if p.at(")") { // a comma after the last argument is no argument
				break
			}
		}
		if p.at(",") {
			return nil, p.fail("an argument is missing before the comma; BLANK() is an empty one")
		}
		if p.token.kind == tokenEnd {
			return nil, p.fail("expected an argument or ) of %s(…), which began in line %d, column %d, found the end",
				f.Name, name.place.Line, name.place.Column)
		}
		arg, failure := p.expression(0)
		if failure != nil {
			return nil, failure
		}
		n.args = append(n.args, arg)
	}
	n.place = name.place.to(p.token.place)
	return n, p.step()
}

// hintFor suggests what a name of an unknown function may mean.
func hintFor(name string) string {
	if hint := elsewhere[strings.ToUpper(name)]; hint != "" {
		return "; " + hint
	}
	return problem.DidYouMean(name, FunctionNames())
}

// elsewhere maps functions of spreadsheets to their equivalents here.
var elsewhere = map[string]string{
	"LENGTH": "write LEN(text)", "CONCAT": "write CONCATENATE(…) or &", "ISBLANK": "write {Field} = BLANK()",
	"IFERROR": "write IF(ISERROR(x), y, x)", "IFS": "write SWITCH(TRUE(), …) or IF within IF",
	"MEAN": "write AVERAGE(…)",
	"AVG":  "write AVERAGE(…)", "ISEMPTY": "write {Field} = BLANK()", "TEXT": "write DATETIME_FORMAT(date, format)",
	"PROPER": "there is none that capitalizes words", "VLOOKUP": "a lookup field reads from linked records",
	"DATE": "write DATETIME_PARSE(text, format)", "DATEDIF": "write DATETIME_DIFF(end, start, unit)",
	"DATEDIFF": "write DATETIME_DIFF(end, start, unit)", "IS_BLANK": "write {Field} = BLANK()",
	"LOG10": "write LOG(number)",
	"TRUNC": "write ROUNDDOWN(number, 0)", "LN": "write LOG(number, EXP(1))", "PI": "write 3.141592653589793",
	"ELSE": "the third argument of IF is what it gives otherwise", "SUMIF": "a rollup field can sum records that " +
		"meet a filter",
	"CONTAINS": "write FIND(text, where) > 0", "NETWORKDAYS": "write WORKDAY_DIFF(start, end)",
	"REGEXMATCH": "write REGEX_MATCH(text, pattern)", "RAND": "there are no random numbers",
	"RANDOM": "there are no random numbers",
}

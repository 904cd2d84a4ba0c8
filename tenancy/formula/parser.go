package formula

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/problem"
)

// Parse reads a formula, written or stored. The error is of type Problems.
func Parse(text string) (*Tree, error) {
	root, problems := parse(text)
	if len(problems) > 0 {
		return nil, problems[:min(len(problems), MaxProblems)]
	}
	return &Tree{text: text, root: root}, nil
}

// parse reads a formula. Where the text has problems, the tree has nodes of nodeMistake.
func parse(text string) (*node, Problems) {
	whole := Place{Line: 1, Column: 1}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return &node{kind: nodeMistake}, Problems{{whole, "the formula is not valid text in UTF-8"}}
	}
	p := &parser{lexer: lexer{text: text, line: 1, column: 1}}
	root := p.whole()
	return root, p.problems
}

// A parser is a Pratt parser: expression reads an operand and then every operator that binds more
// tightly than the one before the operand. After a problem it goes on with the next argument, or behind
// the parenthesis.
type parser struct {
	lexer lexer
	token token // the next one
	depth int
	// length is the length of the text up to here, in characters. A field counts fieldLength whatever
	// its name, so that a formula has the same length with the names of its fields as with their ids.
	length   int
	problems Problems
	lost     bool // since the last problem; what follows from it is no problem of its own
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

// step goes on to the next token.
func (p *parser) step() {
	before := p.lexer.at
	next, failure := p.lexer.next()
	if failure != nil {
		p.mistake(*failure)
		return
	}
	p.token = next
	t := next.place
	p.length += utf8.RuneCountInString(p.lexer.text[before:t.offset])
	if next.kind == tokenField {
		p.length += fieldLength
	} else {
		p.length += t.Length
	}
	p.bound()
}

// bound ends a formula that is too long.
func (p *parser) bound() {
	if p.length <= MaxLength {
		return
	}
	p.lexer.at = len(p.lexer.text)
	p.fail("the formula is longer than %d characters, of which a field counts %d whatever its name",
		MaxLength, fieldLength)
}

func (p *parser) fail(format string, args ...any) *node {
	return p.mistake(Problem{p.token.place, fmt.Sprintf(format, args...)})
}

// mistake reports a problem, and goes on to the end of the argument or of the parenthesis.
func (p *parser) mistake(problem Problem) *node {
	p.report(problem)
	p.lost = true
	for depth := 0; ; { // of parentheses
		switch {
		case p.token.kind == tokenEnd && p.lexer.at == len(p.lexer.text), depth == 0 && (p.at(",") || p.at(")")):
			return &node{kind: nodeMistake, place: problem.Place}
		case p.at("("):
			depth++
		case p.at(")"):
			depth--
		}
		next, failure := p.lexer.next()
		if failure != nil {
			next = token{kind: tokenEnd, place: p.lexer.place()} // the end, if nothing follows
		}
		p.token = next
	}
}

func (p *parser) report(problem Problem) {
	if !p.lost && len(p.problems) < maxFound {
		p.problems = append(p.problems, problem)
	}
}

func (p *parser) found() string { return p.token.written(p.lexer.text) }

func (p *parser) at(operator string) bool {
	return p.token.kind == tokenOperator && p.token.text == operator
}

// past steps over a comma or a closing parenthesis, from where the text makes sense again.
func (p *parser) past() {
	p.lost = false
	p.step()
}

func (p *parser) whole() *node {
	p.step()
	switch {
	case p.lost: // it begins with a sign that has no meaning
	case p.token.kind == tokenEnd:
		return p.fail("the formula is empty; expected a value, a field or a function")
	case p.at("="):
		return p.fail("a formula does not begin with =; leave it out")
	}
	root := p.expression(0)
	switch {
	case p.at(")"):
		p.fail("the parenthesis has no beginning")
	case p.token.kind != tokenEnd:
		p.fail("expected an operator or the end, found %s", p.found())
	}
	return root
}

// enter counts the levels of a formula, and reports whether there may be one more.
func (p *parser) enter() bool {
	p.depth++
	return p.depth <= MaxDepth
}

func (p *parser) tooDeep() *node {
	return p.fail("the formula is nested more than %d levels deep; SWITCH, or a second formula field, makes it "+
		"flatter",
		MaxDepth)
}

func (p *parser) expression(least int) *node {
	before := p.depth
	defer func() { p.depth = before }()
	if !p.enter() {
		return p.tooDeep()
	}
	left := p.operand()
	for p.token.kind == tokenOperator && binding[p.token.text] > least {
		operator := p.token.text
		chained := (operator == "+" || operator == "&") && left.kind == nodeOperator && left.text == operator &&
			!p.closed(left)
		// A chain of one of these is one node; every other operator is one level more.
		if !chained && !p.enter() {
			return p.tooDeep()
		}
		p.step()
		right := p.expression(binding[operator])
		place := left.place.to(right.place)
		if chained {
			left.args, left.place = append(left.args, right), place
		} else {
			left = &node{kind: nodeOperator, text: operator, args: []*node{left, right}, place: place}
		}
	}
	return left
}

// closed reports whether a node is in parentheses, according to its position.
func (p *parser) closed(n *node) bool {
	return p.lexer.text[n.place.offset] == '(' &&
		n.place.offset != n.args[0].place.offset
}

func (p *parser) operand() *node {
	t := p.token
	read := &node{place: t.place}
	switch t.kind {
	case tokenNumber:
		read.kind, read.number = nodeNumber, t.value
		p.step()
		return read
	case tokenText:
		read.kind, read.text = nodeText, t.text
		p.step()
		return read
	case tokenField:
		read.kind, read.text, read.token = nodeField, t.text, t.place
		p.step()
		return read
	case tokenName:
		p.step()
		if p.at("(") {
			return p.call(t)
		}
		p.length += fieldLength - t.place.Length
		p.bound()
		read.kind, read.text, read.token = nodeField, t.text, t.place
		return read
	case tokenOperator:
		switch t.text {
		case "-", "+":
			p.step()
			operand := p.expression(unary)
			place := t.place.to(operand.place)
			if operand.kind == nodeNumber && t.text == "-" {
				return &node{kind: nodeNumber, number: -operand.number, place: place}
			}
			return &node{kind: nodeOperator, text: "unary" + t.text, args: []*node{operand}, place: place}
		case "(":
			return p.group(t)
		}
	case tokenEnd:
	}
	return p.fail("expected a value, a field or a function, found %s", p.found())
}

func (p *parser) group(open token) *node {
	p.step()
	inner := p.expression(0)
	if !p.at(")") {
		p.fail("expected an operator or ), found %s; the parenthesis began in line %d, column %d",
			p.found(), open.place.Line, open.place.Column)
	}
	inner.place = open.place.to(p.token.place)
	if p.at(")") {
		p.past()
	}
	return inner
}

// call reads the arguments of a function after its name.
func (p *parser) call(name token) *node {
	n := &node{kind: nodeCall, function: functionNamed(name.text)}
	called := strings.ToUpper(name.text)
	if n.function == nil {
		n.kind = nodeMistake
		if len(p.problems) < maxFound {
			p.report(Problem{name.place, "there is no function " + called + hintFor(name.text)})
		}
	} else {
		n.text, called = n.function.Name, n.function.Name
	}
	p.step()
	for !p.at(")") && (p.token.kind != tokenEnd || !p.lost) {
		if len(n.args) > 0 {
			if !p.at(",") {
				p.fail("expected a comma or ) in %s(…), found %s", called, p.found())
				if !p.at(",") {
					break
				}
			}
			p.past()
			if p.at(")") { // a comma after the last argument is no argument
				break
			}
		}
		switch {
		case p.at(","):
			n.args = append(n.args, p.fail("an argument is missing before the comma; BLANK() is an empty one"))
		case p.token.kind == tokenEnd:
			p.fail("expected an argument or ) of %s(…), which began in line %d, column %d, found the end",
				called, name.place.Line, name.place.Column)
		default:
			n.args = append(n.args, p.expression(0))
		}
	}
	n.place = name.place.to(p.token.place)
	if p.lost { // nobody knows how many arguments it should have
		n.kind = nodeMistake
	}
	if p.at(")") {
		p.past()
	}
	return n
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

package client

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// A filter is a condition on records as a person writes it, in the words of formulas:
//
//	filter    = and {"or" and}
//	and       = term {"and" term}
//	term      = "(" filter ")" | condition
//	condition = field operator [value]
//	field     = a word, or any name in braces
//	value     = number | "text" | true | false | day | "(" value {"," value} ")"
//	day       = today | yesterday | tomorrow | number ("days" | "weeks" | "months" | "years")
//
// The operators are those of the REST interface by their names, with spaces or underscores, and = != < <= >
// >=.
type filter struct {
	text    string
	tokens  []formula.Token
	at      int
	filters rowhouse.Filters
	places  map[string]formula.Place // by the path in a request's filters
}

// parseFilter reads a filter. The error shows its mistake under the letters.
func parseFilter(text string) (*filter, error) {
	tokens, err := formula.Tokens(text)
	f := &filter{text: text, tokens: tokens, places: map[string]formula.Place{}}
	var mistake *formula.Problem
	if errors.As(err, &mistake) {
		message := strings.ReplaceAll(mistake.Message, "a formula", "a filter")
		if strings.Contains(message, `"." has no meaning`) {
			message = "a field of linked records is written in braces, as in {Company.Country}"
		}
		message = strings.NewReplacer("write AND(a, b)", "write and", "write OR(a, b)", "write or",
			"equality is written =", "write =", "inequality is written !=", "write !=", "of formulas", "of filters",
			"; write NOT(a)", "; the opposite operator does the same, as in not contains").Replace(message)
		return nil, f.mistake(mistake.Place, "%s", message)
	}
	root, err := f.or()
	if err != nil {
		return nil, err
	}
	if t := f.peek(); t.Kind != formula.TokenEnd {
		return nil, f.mistake(t.Place, "expected and, or, or the end")
	}
	if root.word == "and" {
		for i, part := range root.parts {
			f.filters = append(f.filters, f.build(part, fmt.Sprintf("filters[%d]", i)))
		}
	} else {
		f.filters = rowhouse.Filters{f.build(root, "filters[0]")}
	}
	return f, nil
}

// A condition is a node of a filter: a comparison, or parts that a word joins.
type condition struct {
	word  string // and, or; "" of a comparison
	parts []*condition

	field, op              string
	value                  any
	place, opPlace, valued formula.Place
}

// build returns a node as the request has it, and remembers its places.
func (f *filter) build(c *condition, path string) map[string]any {
	if c.word != "" {
		list := make([]map[string]any, len(c.parts))
		for i, part := range c.parts {
			list[i] = f.build(part, fmt.Sprintf("%s.%s[%d]", path, c.word, i))
		}
		return map[string]any{c.word: list}
	}
	f.places[path+".fieldId"], f.places[path+".op"], f.places[path+".value"] = c.place, c.opPlace, c.valued
	out := map[string]any{"fieldId": c.field, "op": c.op}
	if c.value != nil {
		out["value"] = c.value
	}
	return out
}

func (f *filter) peek() formula.Token { return f.tokens[f.at] }

func (f *filter) next() formula.Token {
	t := f.tokens[f.at]
	if t.Kind != formula.TokenEnd {
		f.at++
	}
	return t
}

// word reports whether the next token is a word, and steps over it.
func (f *filter) word(word string) bool {
	if t := f.peek(); t.Kind == formula.TokenName && strings.EqualFold(t.Text, word) {
		f.at++
		return true
	}
	return false
}

func (f *filter) sign(sign string) bool {
	if t := f.peek(); t.Kind == formula.TokenOperator && t.Text == sign {
		f.at++
		return true
	}
	return false
}

func (f *filter) or() (*condition, error) { return f.joined("or", f.and) }

func (f *filter) and() (*condition, error) { return f.joined("and", f.term) }

func (f *filter) joined(word string, part func() (*condition, error)) (*condition, error) {
	first, err := part()
	if err != nil {
		return nil, err
	}
	parts := []*condition{first}
	for f.word(word) {
		next, err := part()
		if err != nil {
			return nil, err
		}
		parts = append(parts, next)
	}
	if len(parts) == 1 {
		return first, nil
	}
	return &condition{word: word, parts: parts}, nil
}

func (f *filter) term() (*condition, error) {
	open := f.peek()
	if !f.sign("(") {
		return f.comparison()
	}
	inner, err := f.or()
	if err != nil {
		return nil, err
	}
	if !f.sign(")") {
		return nil, f.mistake(open.Place, "the parenthesis does not end")
	}
	return inner, nil
}

func (f *filter) comparison() (*condition, error) {
	t := f.next()
	if t.Kind != formula.TokenName && t.Kind != formula.TokenField {
		return nil, f.mistake(t.Place, "expected a field, as in Tons or {Name of the ship}")
	}
	if t.Kind == formula.TokenName && strings.EqualFold(t.Text, "not") {
		return nil, f.mistake(t.Place, "there is no not before a condition; write !=, not contains, not in or "+
			"is not empty")
	}
	c := &condition{field: t.Text, place: t.Place}
	var takes operand
	var err error
	if c.op, takes, c.opPlace, err = f.operator(); err != nil {
		return nil, err
	}
	from := f.peek().Place
	switch takes {
	case takesNothing:
		c.valued = c.opPlace
		return c, nil
	case takesTwo:
		low, err := f.value()
		if err != nil {
			return nil, err
		}
		if !f.word("and") && !f.sign(",") {
			return nil, f.mistake(f.peek().Place, "expected and, as in between 10 and 20")
		}
		high, err := f.value()
		if err != nil {
			return nil, err
		}
		c.value = []any{low, high}
	case takesList:
		if c.value, err = f.list(); err != nil {
			return nil, err
		}
	default:
		if c.value, err = f.value(); err != nil {
			return nil, err
		}
	}
	c.valued = from
	return c, nil
}

type operand uint8

const (
	takesOne operand = iota
	takesNothing
	takesTwo
	takesList
)

var signs = map[string]string{"=": "eq", "!=": "neq", "<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}

// operators are the operators that are words, the longer ones first.
var operators = []struct {
	words, op string
	takes     operand
}{
	{"is not empty", "is_not_empty", takesNothing},
	{"is empty", "is_empty", takesNothing},
	{"is error", "is_error", takesNothing},
	{"is within", "is_within", takesOne},
	{"is exactly", "is_exactly", takesList},
	{"not contains", "not_contains", takesOne},
	{"contains", "contains", takesOne},
	{"starts with", "starts_with", takesOne},
	{"ends with", "ends_with", takesOne},
	{"has any", "has_any", takesList},
	{"has all", "has_all", takesList},
	{"has none", "has_none", takesList},
	{"not in", "not_in", takesList},
	{"in", "in", takesList},
	{"between", "between", takesTwo},
}

// operator reads an operator.
func (f *filter) operator() (op string, takes operand, place formula.Place, err error) {
	t := f.peek()
	if t.Kind == formula.TokenOperator && signs[t.Text] != "" {
		f.at++
		return signs[t.Text], takesOne, t.Place, nil
	}
	for _, one := range operators {
		for _, words := range [][]string{strings.Fields(one.words), {one.op}} {
			if last, ok := f.words(words); ok {
				return one.op, one.takes, f.between(t.Place, last), nil
			}
		}
	}
	names := []string{"=", "!=", "<", "<=", ">", ">="}
	for _, one := range operators {
		names = append(names, one.words)
	}
	hint := ""
	if t.Kind == formula.TokenName {
		hint = problem.DidYouMean(t.Text, names)
	}
	return "", 0, t.Place, f.mistake(t.Place, "expected an operator%s: %s", hint, strings.Join(names, ", "))
}

// words steps over a sequence of words, if all of them follow.
func (f *filter) words(words []string) (last formula.Place, ok bool) {
	before := f.at
	for _, word := range words {
		last = f.peek().Place
		if !f.word(word) {
			f.at = before
			return last, false
		}
	}
	return last, true
}

// between is the place from the beginning of one to the end of another in the same line.
func (f *filter) between(from, to formula.Place) formula.Place {
	if from.Line == to.Line {
		from.Length = to.Column + to.Length - from.Column
	}
	return from
}

func (f *filter) list() ([]any, error) {
	open := f.peek()
	if !f.sign("(") {
		return nil, f.mistake(open.Place, `expected a list, as in ("Ferry", "Tug")`)
	}
	var list []any
	for {
		value, err := f.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
		if f.sign(")") {
			return list, nil
		}
		if !f.sign(",") {
			return nil, f.mistake(f.peek().Place, "expected a comma or )")
		}
	}
}

var units = map[string]string{
	"day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month", "months": "month",
	"year": "year", "years": "year",
}

func (f *filter) value() (any, error) {
	negative := f.sign("-")
	t := f.next()
	switch t.Kind {
	case formula.TokenNumber:
		number := t.Number
		if negative {
			number = -number
		}
		if unit := units[strings.ToLower(f.peek().Text)]; unit != "" && f.peek().Kind == formula.TokenName {
			f.at++
			return map[string]any{"unit": unit, "offset": number}, nil
		}
		return number, nil
	case formula.TokenText:
		if !negative {
			return t.Text, nil
		}
	case formula.TokenName:
		switch word := strings.ToLower(t.Text); word {
		case "true", "false":
			return word == "true", nil
		case "today", "yesterday", "tomorrow":
			return word, nil
		}
		return nil, f.mistake(t.Place, "a text is written in quotes: %q", t.Text)
	case formula.TokenField:
		return nil, f.mistake(t.Place, "a field is compared with a value, not with another field")
	case formula.TokenOperator, formula.TokenEnd:
	}
	return nil, f.mistake(t.Place, `expected a value, as in 90 or "Tug"`)
}

// mistake returns an error that shows where it is.
func (f *filter) mistake(place formula.Place, format string, args ...any) error {
	return fail(StatusUsage, "--filter: %s\n%s", fmt.Sprintf(format, args...), underline(f.text, place))
}

// underline shows a line of a text with a place marked under its letters.
func underline(text string, place formula.Place) string {
	lines := strings.Split(text, "\n")
	line := lines[min(max(place.Line, 1), len(lines))-1]
	var b strings.Builder
	for i, r := range []rune(line) {
		if i >= place.Column-1 {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	left := utf8.RuneCountInString(line) - (place.Column - 1)
	return "  " + line + "\n  " + b.String() + strings.Repeat("^", max(1, min(place.Length, left)))
}

// explain returns the error of a request with the filter. What the service found wrong in the filter is
// shown under the letters.
func (f *filter) explain(err error) error {
	var refused *rowhouse.Problem
	if f == nil || !errors.As(err, &refused) {
		return err
	}
	var b strings.Builder
	for _, item := range refused.Errors {
		best := ""
		for path := range f.places {
			if (strings.HasPrefix(item.Path, path) || strings.HasPrefix(path, item.Path+".")) && len(path) > len(best) {
				best = path
			}
		}
		if best == "" {
			return err
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "--filter: %s\n%s", item.Message, underline(f.text, f.places[best]))
	}
	if b.Len() == 0 {
		return err
	}
	return fail(StatusRefused, "%s", b.String())
}

// parseSorts reads sorts: names of fields, those with - before them from the last value.
func parseSorts(table *rowhouse.Table, list []string) (rowhouse.Sorts, error) {
	var sorts rowhouse.Sorts
	for _, text := range list {
		text = strings.TrimSpace(text)
		name, descending := strings.CutPrefix(text, "-")
		field, err := findField(table, name)
		if err != nil {
			if field, _ = findField(table, text); field == nil { // a name may begin with -
				return nil, fmt.Errorf("--sort: %w", err)
			}
			descending = false
		}
		dir := "asc"
		if descending {
			dir = "desc"
		}
		sorts = append(sorts, map[string]any{"fieldId": field.ID, "dir": dir})
	}
	return sorts, nil
}

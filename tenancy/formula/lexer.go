package formula

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd      tokenKind = iota
	tokenNumber             // value is the number
	tokenText               // text is the content of the quotes
	tokenField              // text is the content of the braces
	tokenName               // of a function, or of a field that is one word
	tokenOperator           // text is the operator, a parenthesis or a comma
)

type token struct {
	kind  tokenKind
	text  string
	value float64
	place Place
}

// written is the token as quoted in a message.
func (t *token) written(source string) string {
	if t.kind == tokenEnd {
		return "the end"
	}
	return quote(source[t.place.offset : t.place.offset+t.place.size])
}

// quote shortens a piece of a formula for a message.
func quote(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(s)
}

// A lexer splits a formula into tokens.
type lexer struct {
	text         string
	at           int // bytes
	line, column int
}

func (l *lexer) place() Place { return Place{Line: l.line, Column: l.column, offset: l.at} }

// peek is the next character, or -1 at the end.
func (l *lexer) peek() rune {
	if l.at >= len(l.text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(l.text[l.at:])
	return r
}

func (l *lexer) advance() rune {
	r, size := utf8.DecodeRuneInString(l.text[l.at:])
	l.at += size
	if r == '\n' {
		l.line, l.column = l.line+1, 1
	} else {
		l.column++
	}
	return r
}

// since completes a position that began at p and ends here.
func (l *lexer) since(p Place) Place {
	p.size = l.at - p.offset
	p.Length = utf8.RuneCountInString(l.text[p.offset:l.at])
	return p
}

func (l *lexer) fail(p Place, format string, args ...any) *Problem {
	return &Problem{p, fmt.Sprintf(format, args...)}
}

// next returns the next token.
func (l *lexer) next() (token, *Problem) {
	if problem := l.skip(); problem != nil {
		return token{}, problem
	}
	start := l.place()
	r := l.peek()
	switch {
	case r < 0:
		return token{kind: tokenEnd, place: l.since(start)}, nil
	case r >= '0' && r <= '9', r == '.' && l.at+1 < len(l.text) && isDigit(rune(l.text[l.at+1])):
		return l.number(start)
	case r == '"' || r == '\'':
		return l.quoted(start, r)
	case r == '“' || r == '”' || r == '‘' || r == '’' || r == '„' || r == '«' || r == '»':
		l.advance()
		return token{}, l.fail(l.since(start), "%c is a typographic quotation mark; write text in straight quotes, "+
			"\" or '", r)
	case r == '{':
		return l.field(start)
	case isLetter(r):
		for isLetter(l.peek()) || isDigit(l.peek()) {
			l.advance()
		}
		place := l.since(start)
		return token{kind: tokenName, text: l.text[place.offset:l.at], place: place}, nil
	}
	return l.operator(start)
}

// skip skips white space and comments.
func (l *lexer) skip() *Problem {
	for {
		switch r := l.peek(); {
		case unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B':
			l.advance()
		case strings.HasPrefix(l.text[l.at:], "//"):
			for l.peek() >= 0 && l.peek() != '\n' {
				l.advance()
			}
		case strings.HasPrefix(l.text[l.at:], "/*"):
			start := l.place()
			for !strings.HasPrefix(l.text[l.at:], "*/") {
				if l.peek() < 0 {
					return l.fail(l.since(start), "the comment does not end; it ends with */")
				}
				l.advance()
			}
			l.advance()
			l.advance()
		default:
			return nil
		}
	}
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.M, r) }

func (l *lexer) number(start Place) (token, *Problem) {
	digits := func() {
		for isDigit(l.peek()) {
			l.advance()
		}
	}
	digits()
	if l.peek() == '.' {
		l.advance()
		digits()
	}
	if rest := l.text[l.at:]; len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') {
		if isDigit(rune(rest[1])) || len(rest) > 2 && (rest[1] == '+' || rest[1] == '-') && isDigit(rune(rest[2])) {
			l.advance()
			l.advance()
			digits()
		}
	}
	place := l.since(start)
	value, err := strconv.ParseFloat(l.text[place.offset:l.at], 64)
	switch {
	case err != nil || value > maxNumber:
		return token{}, l.fail(place, "the number is too large; the largest is 1e300")
	case isLetter(l.peek()):
		return token{}, l.fail(l.since(start), "%s follows the number directly; write an operator between them, as "+
			"in 2 * x, "+
			"and names of fields in braces: {2nd name}", quote(string(l.peek())))
	}
	return token{kind: tokenNumber, value: value, place: place}, nil
}

// quoted reads a text. A backslash escapes the quote and itself, and makes n, r and t special; before
// any other character it stands for itself, so that patterns can be written as they are.
func (l *lexer) quoted(start Place, mark rune) (token, *Problem) {
	l.advance()
	var b strings.Builder
	for {
		switch r := l.peek(); r {
		case -1:
			return token{}, l.fail(l.since(start), "the text does not end; it ends with %c", mark)
		case mark:
			l.advance()
			return token{kind: tokenText, text: b.String(), place: l.since(start)}, nil
		case '\\':
			l.advance()
			switch escaped := l.peek(); escaped {
			case '"', '\'', '\\':
				b.WriteRune(l.advance())
			case 'n', 'r', 't':
				b.WriteByte(map[rune]byte{'n': '\n', 'r': '\r', 't': '\t'}[l.advance()])
			default:
				b.WriteByte('\\')
			}
		default:
			b.WriteRune(l.advance())
		}
	}
}

// field reads a name in braces. A backslash escapes a brace or a backslash in the name.
func (l *lexer) field(start Place) (token, *Problem) {
	l.advance()
	var b strings.Builder
	for {
		switch r := l.peek(); r {
		case -1, '\n':
			return token{}, l.fail(l.since(start), "the name of the field does not end; it ends with }")
		case '}':
			l.advance()
			place := l.since(start)
			if strings.TrimSpace(b.String()) == "" {
				return token{}, l.fail(place, "the braces hold no name of a field")
			}
			return token{kind: tokenField, text: b.String(), place: place}, nil
		case '\\':
			l.advance()
			if next := l.peek(); next == '{' || next == '}' || next == '\\' {
				b.WriteRune(l.advance())
				continue
			}
			b.WriteByte('\\')
		default:
			b.WriteRune(l.advance())
		}
	}
}

// operators, the longer ones first.
var operators = []string{
	"!=", "<>", "<=", ">=", "==", "&&", "||", "(", ")", ",", "+", "-", "*", "/", "&", "=", "<", ">",
}

// foreign maps signs of other languages to their equivalents in formulas.
var foreign = map[string]string{
	"==": "equality is written =",
	"&&": "write AND(a, b)",
	"||": "write OR(a, b)",
	"<>": "inequality is written !=",
	"%":  "the remainder is MOD(a, b), and 50 % is 0.5",
	"^":  "a power is POWER(base, exponent)",
	"!":  "write NOT(a)",
	";":  "arguments are separated by commas",
	":":  "there are no ranges of cells; name each field",
	"[":  "fields are written in braces: {Name}",
	"]":  "fields are written in braces: {Name}",
	"}":  "the brace has no beginning",
	"|":  "write OR(a, b), or & to join text",
	"−":  "the minus sign is written -",
	"–":  "the minus sign is written -",
	"×":  "the product is written *",
	"÷":  "the quotient is written /",
	"≤":  "write <=",
	"≥":  "write >=",
	"≠":  "write !=",
}

func (l *lexer) operator(start Place) (token, *Problem) {
	for _, operator := range operators {
		if !strings.HasPrefix(l.text[l.at:], operator) {
			continue
		}
		for range operator {
			l.advance()
		}
		place := l.since(start)
		if hint := foreign[operator]; hint != "" {
			return token{}, l.fail(place, "%s is not an operator of formulas; %s", operator, hint)
		}
		return token{kind: tokenOperator, text: operator, place: place}, nil
	}
	r := l.advance()
	place := l.since(start)
	if hint := foreign[string(r)]; hint != "" {
		return token{}, l.fail(place, "%c is not an operator of formulas; %s", r, hint)
	}
	return token{}, l.fail(place, "%s has no meaning in a formula", quote(string(r)))
}

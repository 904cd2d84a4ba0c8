package allowlist

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of a statement's text. The parser runs in WebAssembly with a stack of a fixed size: its
// writer corrupts memory from some 60 levels on, and its reader from some 300. So the nesting is
// bounded before the parser sees the statement, with a wide margin.
const (
	MaxBytes  = 10_000
	maxTokens = 3_000
	maxHeight = 24
)

type tokenKind byte

const (
	word tokenKind = iota
	quotedName
	text
	number
	operator
	punctuation
)

// A token is a lexical part of a statement, at an offset in bytes.
type token struct {
	kind tokenKind
	text string
	at   int
}

// name is the identifier of a token, as PostgreSQL folds it; false for other tokens.
func (t *token) name() (string, bool) {
	switch t.kind { //nolint:exhaustive // others are no identifiers
	case word:
		return foldASCII(t.text), true
	case quotedName:
		return strings.ReplaceAll(t.text[1:len(t.text)-1], `""`, `"`), true
	}
	return "", false
}

func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// operators are the operators that statements may use, and the cast.
var operators = []string{
	"=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^", "||", "~", "~*", "!~", "!~*", "~~", "~~*",
	"!~~", "!~~*", "->", "->>", "#>", "#>>", "@>", "<@", "&&",
}

// lex splits a statement. It accepts the part of PostgreSQL's lexical structure that has one meaning in
// every version and with every setting: no escapes, no dollar quotes, no parameters. It drops comments.
func lex(sql string) ([]token, error) {
	if len(sql) > MaxBytes {
		return nil, refuse(0, "is %d bytes long; a statement may have %d", len(sql), MaxBytes)
	}
	if !utf8.ValidString(sql) || strings.ContainsRune(sql, 0) {
		return nil, refuse(0, "must be UTF-8 text without NUL characters")
	}
	var out []token
	for at := 0; at < len(sql); {
		skipped, err := skipBlank(sql, at)
		if err != nil {
			return nil, err
		}
		if at = skipped; at == len(sql) {
			break
		}
		t, err := lexOne(sql, at)
		if err != nil {
			return nil, err
		}
		at += len(t.text)
		if out = append(out, t); len(out) > maxTokens {
			return nil, refuse(at, "has more than %d words and signs", maxTokens)
		}
	}
	for len(out) > 0 && out[len(out)-1].text == ";" {
		out = out[:len(out)-1]
	}
	if len(out) == 0 {
		return nil, refuse(0, "is empty; write one SELECT statement")
	}
	for _, t := range out {
		if t.kind == punctuation && t.text == ";" {
			return nil, refuse(t.at, "must be one statement; there is another one after the semicolon")
		}
	}
	return out, nil
}

// skipBlank returns the offset after white space and comments.
func skipBlank(sql string, at int) (int, error) {
	for at < len(sql) {
		rest := sql[at:]
		switch {
		case strings.ContainsRune(" \t\r\n\f", rune(sql[at])):
			at++
		case strings.HasPrefix(rest, "--"):
			end := strings.IndexAny(rest, "\r\n")
			if end < 0 {
				return len(sql), nil
			}
			at += end
		case strings.HasPrefix(rest, "/*"):
			depth, i := 1, 2
			for ; depth > 0; i++ {
				switch {
				case i+1 >= len(rest):
					return 0, refuse(at, "the comment has no end")
				case rest[i:i+2] == "/*":
					depth, i = depth+1, i+1
				case rest[i:i+2] == "*/":
					depth, i = depth-1, i+1
				}
			}
			at += i
		default:
			return at, nil
		}
	}
	return at, nil
}

func lexOne(sql string, at int) (token, error) {
	c, rest := sql[at], sql[at:]
	switch {
	case c == '\'' || c == '"':
		return lexQuoted(sql, at)
	case isNameStart(c):
		end := 1
		for end < len(rest) && (isNameStart(rest[end]) || isDigit(rest[end])) {
			end++
		}
		if end < len(rest) && rest[end] == '\'' {
			return token{}, refuse(at, "texts are written in plain single quotes: '…', with '' for a quote. "+
				"%s'…' is not allowed", rest[:end])
		}
		return token{word, rest[:end], at}, nil
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return lexNumber(sql, at)
	case strings.ContainsRune("(),.[];", rune(c)):
		return token{punctuation, rest[:1], at}, nil
	case strings.HasPrefix(rest, "::"):
		return token{operator, "::", at}, nil
	case strings.ContainsRune(operatorSigns, rune(c)):
		return lexOperator(sql, at)
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return token{}, refuse(at, "%q is not allowed here. There are no parameters and no dollar quotes", string(r))
}

func lexQuoted(sql string, at int) (token, error) {
	quote, rest := sql[at], sql[at:]
	for end := 1; end < len(rest); end++ {
		if rest[end] != quote {
			continue
		}
		if end+1 < len(rest) && rest[end+1] == quote {
			end++
			continue
		}
		if quote == '"' {
			if end == 1 {
				return token{}, refuse(at, "a name in double quotes must not be empty")
			}
			return token{quotedName, rest[:end+1], at}, nil
		}
		return token{text, rest[:end+1], at}, nil
	}
	return token{}, refuse(at, "the quote has no end")
}

func lexNumber(sql string, at int) (token, error) {
	rest, end := sql[at:], 0
	digits := func() {
		for end < len(rest) && isDigit(rest[end]) {
			end++
		}
	}
	digits()
	if end < len(rest) && rest[end] == '.' {
		end++
		digits()
	}
	if exponent := end; end < len(rest) && (rest[end] == 'e' || rest[end] == 'E') {
		end++
		if end < len(rest) && (rest[end] == '+' || rest[end] == '-') {
			end++
		}
		if end == len(rest) || !isDigit(rest[end]) {
			end = exponent
		}
		digits()
		if end-exponent > 5 {
			return token{}, refuse(at, "the number's exponent is too large")
		}
	}
	if end < len(rest) && (isNameStart(rest[end]) || rest[end] == '.') || end > 60 {
		return token{}, refuse(at, "is no number; write it with up to 60 decimal digits")
	}
	return token{number, rest[:end], at}, nil
}

const operatorSigns = "+-*/<>=~!@#%^&|`?"

// lexOperator takes the longest operator, as PostgreSQL does: one that ends in + or - contains another
// kind of sign, and none contains the beginning of a comment.
func lexOperator(sql string, at int) (token, error) {
	rest, end := sql[at:], 0
	for end < len(rest) && strings.ContainsRune(operatorSigns, rune(rest[end])) &&
		!strings.HasPrefix(rest[end:], "--") && !strings.HasPrefix(rest[end:], "/*") {
		end++
	}
	sign := rest[:end]
	for len(sign) > 1 && strings.ContainsAny(sign[len(sign)-1:], "+-") && !strings.ContainsAny(sign, "~!@#%^&|`?") {
		sign = sign[:len(sign)-1]
	}
	if !slices.Contains(operators, sign) {
		return token{}, refuse(at, "the operator %s is not allowed; these are: %s", sign, strings.Join(operators, " "))
	}
	return token{operator, sign, at}, nil
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// A level is the content of two brackets, or the whole statement.
type level struct {
	chain   int // operators since the last word or comma that ends an expression
	inner   int // height of the highest bracket in it
	highest int // of the expressions that have ended
	joined  int // joins and set operations of the level
}

func (l *level) end() {
	l.highest = max(l.highest, l.chain+l.inner)
	l.chain, l.inner = 0, 0
}

// checkHeight bounds the height of the tree that a statement parses to. It may overestimate the height,
// but never underestimates it: every token that can put one node under another counts.
func checkHeight(tokens []token) error {
	levels := []level{{}}
	top := func() *level { return &levels[len(levels)-1] }
	for _, t := range tokens {
		name := ""
		if t.kind == word {
			name = foldASCII(t.text)
		}
		switch {
		case t.text == "(" || t.text == "[" || name == "case":
			levels = append(levels, level{})
		case (t.text == ")" || t.text == "]" || name == "end") && len(levels) > 1:
			top().end()
			closed := top().highest + top().joined + 1
			levels = levels[:len(levels)-1]
			top().inner = max(top().inner, closed)
			if t.text == "]" {
				top().chain++
			}
		case t.text == "," || slices.Contains(separators, name):
			top().end()
		case slices.Contains(joining, name):
			top().end()
			top().joined++
		case t.kind == operator || slices.Contains(chaining, name):
			top().chain++
		}
		sum := 0
		for i := range levels {
			sum += 1 + levels[i].joined + max(levels[i].chain+levels[i].inner, levels[i].highest)
		}
		if len(levels) > maxHeight || sum > 3*maxHeight || top().chain+top().inner+top().joined > maxHeight {
			return refuse(
				t.at,
				"is nested too deeply here, or has too many operators, joins or set operations in a row: "+
					"up to %d. Use IN for many values, or WITH for steps",
				maxHeight,
			)
		}
	}
	return nil
}

var (
	separators = []string{
		"select", "from", "where", "group", "having", "order", "limit", "offset", "and", "or", "when", "then", "else",
		"on", "window", "values", "with", "partition", "by", "as", "filter",
	}
	joining  = []string{"join", "union", "intersect", "except"}
	chaining = []string{
		"not", "is", "in", "like", "ilike", "similar", "between", "collate", "at", "distinct", "any", "all", "some",
		"interval", "isnull", "notnull", "operator",
	}
)

// A Refusal says why a statement does not run, and where.
type Refusal struct {
	At      int // offset in bytes in the statement
	Message string
	// Names continues the message for those who may know the names of the tables.
	Names string
}

func (r *Refusal) Error() string { return fmt.Sprintf("at byte %d: %s", r.At, r.Message+r.Names) }

func refuse(at int, format string, args ...any) *Refusal {
	return &Refusal{At: at, Message: fmt.Sprintf(format, args...)}
}

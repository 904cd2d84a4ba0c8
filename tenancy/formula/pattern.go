package formula

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// A pattern is a regular expression in PostgreSQL's syntax. Formulas write it in RE2's, for which
// patterns of Airtable are written.
//
// The two differ in one thing that has no other spelling: PostgreSQL makes all of a pattern greedy or
// lazy. So it is cut where it changes from one to the other, and each part looks ahead for those after
// it; gate.formula_extract matches one after the other. Of several alternatives PostgreSQL takes the
// longest one, and RE2 the first.
type pattern struct {
	parts    []string
	anchored bool // matches only where the text begins
}

// The limits of a pattern: its instructions with repetitions written out, its length in PostgreSQL's
// syntax, and the most repetitions that PostgreSQL counts.
const (
	maxInstructions = 3000
	maxPattern      = 4000
	maxRepeat       = 255
)

// newPattern reads a pattern. groups keeps its groups, for replacements; otherwise they are
// non-capturing, which costs the engine less.
func newPattern(text string, groups bool) (pattern, error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return pattern{}, patternError(err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return pattern{}, patternError(err)
	}
	if len(program.Inst) > maxInstructions {
		return pattern{}, errors.New("the pattern is too large")
	}
	if parsed, err = syntax.Parse(text, syntax.Perl); err != nil { // Simplify may have shared parts of it
		return pattern{}, patternError(err)
	}
	w := &patternWriter{groups: groups}
	var parts []string
	anchored := parsed.Op == syntax.OpBeginText ||
		parsed.Op == syntax.OpConcat && parsed.Sub[0].Op == syntax.OpBeginText
	runs := runsOf(parsed)
	for _, run := range runs {
		w.b.Reset()
		for _, re := range run {
			w.write(re, len(run) > 1 || len(runs) > 1)
		}
		parts = append(parts, w.b.String())
	}
	behind := ""
	for i := len(parts) - 1; i >= 0; i-- {
		part := parts[i]
		if behind != "" {
			parts[i] = part + "(?=" + behind + ")"
		}
		behind = part + behind
	}
	if w.err == nil && len(behind)*len(parts) > maxPattern {
		w.err = errors.New("the pattern is too large")
	}
	return pattern{parts, anchored}, w.err
}

var errLines = errors.New(`a pattern cannot use (?m), because ^ and $ are the ends of the whole text; write (?:^|\n) ` +
	`for the beginning of a line and (?:\n|$) for its end`)

// patternError explains what is wrong with a pattern.
func patternError(err error) error {
	var failure *syntax.Error
	if !errors.As(err, &failure) {
		return fmt.Errorf("the pattern is not a regular expression: %w", err)
	}
	looks := failure.Code == syntax.ErrInvalidNamedCapture &&
		(strings.HasPrefix(failure.Expr, "(?<=") || strings.HasPrefix(failure.Expr, "(?<!"))
	switch {
	case looks || failure.Code == syntax.ErrInvalidPerlOp && strings.HasPrefix(failure.Expr, "(?"):
		return fmt.Errorf(`a pattern cannot look ahead or behind, as %s does; match what stands there, too, and keep `+
			`the rest as a group: REGEX_REPLACE(text, ".*before(wanted)after.*", "$1")`, quote(failure.Expr))
	case failure.Code == syntax.ErrInvalidEscape && len(failure.Expr) == 2 && failure.Expr[1] >= '1' &&
		failure.Expr[1] <= '9':
		return fmt.Errorf("a pattern cannot refer back to a group, as %s does", quote(failure.Expr))
	}
	return fmt.Errorf("the pattern is not a regular expression: %s, %s", failure.Code, quote(failure.Expr))
}

// runsOf cuts a pattern where it changes from greedy to lazy or back.
func runsOf(re *syntax.Regexp) [][]*syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return [][]*syntax.Regexp{{re}}
	}
	if re.Op != syntax.OpConcat {
		return [][]*syntax.Regexp{{re}}
	}
	var runs [][]*syntax.Regexp
	var run []*syntax.Regexp
	now := 0
	for _, sub := range re.Sub {
		g := greed(sub)
		if g != 0 && now != 0 && g != now {
			runs, run = append(runs, run), nil
		}
		if g != 0 {
			now = g
		}
		run = append(run, sub)
	}
	return append(runs, run)
}

// greed is 1 if the first quantifier is greedy, -1 if it is lazy, and 0 without one.
func greed(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if re.Op == syntax.OpRepeat && re.Min == re.Max {
			return greed(re.Sub[0])
		}
		if re.Flags&syntax.NonGreedy != 0 {
			return -1
		}
		return 1
	case syntax.OpAlternate:
		return 1
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			if g := greed(sub); g != 0 {
				return g
			}
		}
	default:
	}
	return 0
}

type patternWriter struct {
	b      strings.Builder
	groups bool
	err    error
}

// write writes a node; grouped says that it has siblings.
func (w *patternWriter) write(re *syntax.Regexp, grouped bool) {
	switch re.Op {
	case syntax.OpNoMatch:
		w.b.WriteString(`[^\s\S]`)
	case syntax.OpEmptyMatch:
		w.b.WriteString(`(?:)`)
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.literal(r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		w.class(re.Rune)
	case syntax.OpAnyCharNotNL:
		w.b.WriteString(`[^\n]`)
	case syntax.OpAnyChar:
		w.b.WriteString(`.`)
	case syntax.OpBeginLine:
		w.b.WriteString(`(?:^|\n)`)
		w.err = errLines
	case syntax.OpEndLine:
		w.err = errLines
	case syntax.OpBeginText:
		w.b.WriteString(`^`)
	case syntax.OpEndText:
		w.b.WriteString(`$`)
	case syntax.OpWordBoundary:
		w.b.WriteString(`\y`)
	case syntax.OpNoWordBoundary:
		w.b.WriteString(`\Y`)
	case syntax.OpCapture:
		w.group(re.Sub[0], !w.groups)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		w.repeat(re)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w.write(sub, true)
		}
	case syntax.OpAlternate:
		if grouped {
			w.group(re, true)
			return
		}
		for i, sub := range re.Sub {
			if i > 0 {
				w.b.WriteByte('|')
			}
			w.write(sub, true)
		}
	}
}

func (w *patternWriter) group(re *syntax.Regexp, plain bool) {
	w.b.WriteByte('(')
	if plain {
		w.b.WriteString("?:")
	}
	w.write(re, false)
	w.b.WriteByte(')')
}

func (w *patternWriter) repeat(re *syntax.Regexp) {
	sub := re.Sub[0]
	switch sub.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.write(sub, true)
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpEmptyMatch:
		// PostgreSQL cannot repeat a constraint, and a repeated one is either there or not.
		if re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat && re.Min > 0 {
			w.write(sub, true)
		}
		return
	case syntax.OpLiteral:
		if len(sub.Rune) == 1 {
			w.write(sub, true)
			break
		}
		w.group(sub, true)
	case syntax.OpCapture:
		w.write(sub, true)
	default:
		w.group(sub, true)
	}
	switch re.Op {
	case syntax.OpStar:
		w.b.WriteByte('*')
	case syntax.OpPlus:
		w.b.WriteByte('+')
	case syntax.OpQuest:
		w.b.WriteByte('?')
	default:
		if re.Min > maxRepeat || re.Max > maxRepeat {
			w.err = fmt.Errorf("the pattern repeats a part more than %d times", maxRepeat)
			return
		}
		switch {
		case re.Max < 0:
			fmt.Fprintf(&w.b, "{%d,}", re.Min)
		case re.Min == re.Max:
			fmt.Fprintf(&w.b, "{%d}", re.Min)
			return
		default:
			fmt.Fprintf(&w.b, "{%d,%d}", re.Min, re.Max)
		}
	}
	if re.Flags&syntax.NonGreedy != 0 {
		w.b.WriteByte('?')
	}
}

func (w *patternWriter) literal(r rune, fold bool) {
	if fold {
		orbit := []rune{r}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			orbit = append(orbit, f)
		}
		if len(orbit) > 1 {
			slices.Sort(orbit)
			w.b.WriteByte('[')
			for _, f := range orbit {
				w.character(f)
			}
			w.b.WriteByte(']')
			return
		}
	}
	w.character(r)
}

// character writes one character, in a class or outside of one.
func (w *patternWriter) character(r rune) {
	switch {
	case r == 0:
		w.err = errors.New("the pattern holds a character that no text has")
	case r < 0x80 && !isDigit(r) && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z'), r >= 0x80 && r <= 0xFFFF:
		fmt.Fprintf(&w.b, `\u%04X`, r)
	case r > 0xFFFF:
		fmt.Fprintf(&w.b, `\U%08X`, r)
	default:
		w.b.WriteRune(r)
	}
}

// class writes the ranges of a class, or their complement.
func (w *patternWriter) class(ranges []rune) {
	if len(ranges) == 0 {
		w.b.WriteString(`[^\s\S]`)
		return
	}
	w.b.WriteByte('[')
	if ranges[len(ranges)-1] == unicode.MaxRune {
		var others []rune
		next := rune(1)
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] > next {
				others = append(others, next, ranges[i]-1)
			}
			next = ranges[i+1] + 1
		}
		if len(others) == 0 {
			w.b.WriteString(`\s\S]`)
			return
		}
		w.b.WriteByte('^')
		ranges = others
	}
	for i := 0; i < len(ranges); i += 2 {
		w.character(max(ranges[i], 1))
		if ranges[i+1] > ranges[i] {
			w.b.WriteByte('-')
			w.character(ranges[i+1])
		}
	}
	w.b.WriteByte(']')
}

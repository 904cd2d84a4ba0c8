package formula_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/formula/formulatest"
)

// A patternWriter writes random patterns and texts that they may match.
type patternWriter struct{ formulatest.Writer }

// atom writes what matches one character.
func (w patternWriter) atom() string {
	return w.Pick("a", "b", "c", ".", "[ab]", "[^a]", `\w`, `\d`, `\s`, "é", "[a-c0-9]", `\.`, "(?i:B)", "[^b-d]", "🚢")
}

func (w patternWriter) quantifier() string {
	return w.Pick("", "", "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{1,}")
}

// chain writes atoms, each of which is repeated, greedily or lazily.
func (w patternWriter) chain() string {
	var b strings.Builder
	b.WriteString(w.Pick("", "", "", "^"))
	for range 1 + w.IntN(4) {
		q := w.quantifier()
		b.WriteString(w.atom() + q)
		if q != "" && q != "{2}" {
			b.WriteString(w.Pick("", "?"))
		}
	}
	b.WriteString(w.Pick("", "", "", "$"))
	return b.String()
}

// nested writes any pattern.
func (w patternWriter) nested(depth int) string {
	if depth == 0 {
		return w.chain()
	}
	switch w.IntN(4) {
	case 0:
		return "(" + w.nested(depth-1) + ")" + w.quantifier()
	case 1:
		return "(?:" + w.nested(depth-1) + "|" + w.nested(depth-1) + ")" + w.quantifier()
	case 2:
		return w.nested(depth-1) + w.nested(depth-1)
	}
	return w.chain()
}

func (w patternWriter) subject() string {
	var b strings.Builder
	for range w.IntN(9) {
		b.WriteString(w.Pick("a", "b", "c", "B", "1", " ", ".", "é", "🚢", "d", "\n"))
	}
	return b.String()
}

// Go's regular expressions are RE2's: what matches there, matches here, whatever the pattern is; and
// of patterns without alternatives the same part matches.
func TestPatternsMatchAsInRE2(t *testing.T) {
	t.Parallel()
	w := patternWriter{formulatest.Writer{Rand: rand.New(rand.NewPCG(*formulaSeed, 5))}}
	type pair struct{ pattern, subject, call, want string }
	var pairs []pair
	for len(pairs) < 3000 {
		subject := w.subject()
		nested, chain := w.nested(3), w.chain()
		matches, err := regexp.MatchString(nested, subject)
		if err != nil {
			continue
		}
		pairs = append(pairs, pair{nested, subject, "REGEX_MATCH", map[bool]string{true: "1", false: "0"}[matches]})
		compiled, err := regexp.Compile(chain)
		if err != nil {
			continue
		}
		pairs = append(pairs, pair{chain, subject, "REGEX_EXTRACT", compiled.FindString(subject)})
		if !compiled.MatchString("") {
			pairs = append(pairs, pair{chain, subject, "REGEX_REPLACE", compiled.ReplaceAllString(subject, "-")})
		}
	}
	var formulas []*formula.Formula
	var run []pair
	for _, p := range pairs {
		last := ""
		if p.call == "REGEX_REPLACE" {
			last = `, "-"`
		}
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
		f, err := compile(p.call+`("`+quoted.Replace(p.subject)+`", "`+quoted.Replace(p.pattern)+`"`+last+")", "UTC")
		if err != nil {
			if !strings.Contains(err.Error(), "too large") && !strings.Contains(err.Error(), "255") {
				t.Errorf("%s: %v", p.pattern, err)
			}
			continue
		}
		formulas, run = append(formulas, f), append(run, p)
	}
	wrong := 0
	for i, got := range evaluate(t, "full", formulas) {
		if p := run[i]; got != p.want {
			if wrong++; wrong < 20 {
				t.Errorf("%s(%s, %s) = %q, want %q", p.call, strconv.Quote(p.subject), p.pattern, got, p.want)
			}
		}
	}
	t.Logf("%d of %d are wrong", wrong, len(run))
}

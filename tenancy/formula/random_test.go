package formula_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/formula/formulatest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var (
	formulaCount = flag.Int("formulas", 20_000, "how many random formulas are compiled")
	formulaSeed  = flag.Uint64("formula-seed", 1, "the seed of the random formulas")
)

// Random formulas compile or are refused, and those that compile have a value or an error in the
// database, for every record: no error of SQL.
func TestRandomFormulasHaveValues(t *testing.T) {
	t.Parallel()
	w := formulatest.Writer{Rand: rand.New(rand.NewPCG(*formulaSeed, 2))}
	var compiled, refused, longest, run int
	var sample []*formula.Formula
	flush := func() {
		for _, record := range []string{"full", "empty", "other", "extreme"} {
			evaluate(t, record, sample)
		}
		run += len(sample)
		sample = sample[:0]
	}
	for i := range *formulaCount {
		text := w.Formula()
		f, err := compile(text, w.Pick("UTC", "Europe/Oslo", "America/Sao_Paulo"))
		if err != nil {
			checkProblems(t, text, err)
			refused++
			continue
		}
		compiled++
		sql := f.SQL()
		longest = max(longest, len(sql)/len(text))
		if len(sql) > 2000*len(text) {
			t.Errorf("%d bytes of SQL for %s", len(sql), text)
		}
		if again, err := compile(f.Stored(), "UTC"); err != nil || again.Type != f.Type ||
			again.Stored() != f.Stored() {
			t.Errorf("%s is stored as %s, which is another one: %v", text, f.Stored(), err)
		}
		if w.IntN(1+*formulaCount/5000) == 0 {
			if sample = append(sample, f); len(sample) == 100 {
				flush()
			}
		}
		if i%100_000 == 99_999 {
			t.Logf("%d formulas", i+1)
		}
	}
	flush()
	t.Logf("%d compiled, %d refused, %d run over 4 records, at most %d bytes of SQL for one of a formula",
		compiled, refused, run, longest)
	if compiled < *formulaCount/4 || run == 0 {
		t.Errorf("%d of %d formulas compiled and %d ran", compiled, *formulaCount, run)
	}
}

// checkProblems checks that an error is about the formula, and lies in it.
func checkProblems(t *testing.T, text string, err error) {
	t.Helper()
	var problems formula.Problems
	if !errors.As(err, &problems) || len(problems) == 0 || len(problems) > formula.MaxProblems {
		t.Fatalf("%q: %v", text, err)
	}
	lines := strings.Split(text, "\n")
	for _, p := range problems {
		if p.Message == "" || p.Line < 1 || p.Line > len(lines) || p.Column < 1 ||
			p.Column > len([]rune(lines[p.Line-1]))+1 || p.Length < 0 || p.Length > len([]rune(text)) {
			t.Fatalf("%q: the place of %+v is not in it", text, p)
		}
	}
}

// Shapes that would double what is written for each level, if something were written twice.
func TestSQLIsLinearInTheFormula(t *testing.T) {
	t.Parallel()
	nested := func(before, inner, after string) func(n int) string {
		return func(n int) string { return strings.Repeat(before, n) + inner + strings.Repeat(after, n) }
	}
	shapes := map[string]func(n int) string{
		"else":        nested("IF({Price} / {Qty} > 1, 1, ", "2", ")"),
		"then":        nested("IF({Price} / {Qty} > 1, ", "2", ", 3)"),
		"condition":   nested("IF(1 / ", "{Qty}", ", 1, 2)"),
		"is error":    nested("ISERROR(1 / ", "{Qty}", ")"),
		"switch":      nested("SWITCH(1 / ", "{Qty}", ", 1, 2, 3, 4, 5)"),
		"cases":       func(n int) string { return "SWITCH({Kind}" + strings.Repeat(`, "a", 1 / {Qty}`, n) + ")" },
		"divide":      nested("(1 / ", "{Qty}", ")"),
		"text":        nested("LEFT(", "{Name}", ", 5)"),
		"slice":       nested("COUNT(ARRAYSLICE({Scores}, ", "1", "))"),
		"sum":         func(n int) string { return "1" + strings.Repeat(" + {Price}", n) },
		"join":        func(n int) string { return "1" + strings.Repeat(" & {Name}", n) },
		"and":         nested("AND(1 / {Qty}, ", "1", ")"),
		"plain and":   nested("AND({Done}, ", "1", ")"),
		"list and":    nested("AND(", "1", ", {Tags})"),
		"list or not": nested("NOT(OR(", "1", ", {Scores}))"),
		"if and":      nested("IF(AND(", "1", ", {Tags}), 1, 2)"),
		"date":        nested(`DATEADD(`, "{Due}", `, 1, "hours")`),
		"format":      nested(`DATETIME_FORMAT(SET_LOCALE(`, "{Due}", `, "de"), "L")`),
		"replace":     nested(`REGEX_REPLACE(`, "{Name}", `, "a.*?b+", "c")`),
		"comparisons": nested("(1 / {Qty} = ", "2", ")"),
	}
	for name, shape := range shapes {
		length := func(n int) int {
			f, err := compile(shape(n), "UTC")
			if err != nil {
				t.Fatalf("%s of %d: %v", name, n, err)
			}
			return len(f.SQL())
		}
		if small, large := length(30), length(60); float64(large) > 2.1*float64(small) {
			t.Errorf("%s: %d bytes for 30 levels and %d for 60", name, small, large)
		}
	}
}

// The deepest and the longest formulas that are admitted are within the bounds of the database.
func TestTheLargestFormulasRun(t *testing.T) {
	t.Parallel()
	deep := formula.MaxDepth - 3
	for _, text := range []string{
		strings.Repeat("IF({Price} / {Qty} > 1e9, 1, ", deep-3) + "7" + strings.Repeat(")", deep-3),
		strings.Repeat("IF(1 / ", deep/3) + "{Qty}" + strings.Repeat(", 1, 2)", deep/3),
		strings.Repeat("(1 + ", deep/3) + "1" + strings.Repeat(")", deep/3),
		strings.Repeat("REGEX_REPLACE(", deep) + "{Name}" + strings.Repeat(`, "a.*?b+", "c")`, deep),
		strings.Repeat("DATEADD(", deep) + "{Due}" + strings.Repeat(`, 1, "hours")`, deep),
		strings.Repeat("LEFT(", deep) + "{Name}" + strings.Repeat(", 5)", deep),
		"1" + strings.Repeat(" + {Price}", formula.MaxLength/13-1),
		"1" + strings.Repeat(" & {Name}", formula.MaxLength/13-1),
		`SWITCH({Kind}` + strings.Repeat(`, "a", 1/{Qty}`, formula.MaxLength/20-2) + ")",
	} {
		f, err := compile(text, "UTC")
		if err != nil {
			t.Errorf("%.60s…: %v", text, err)
			continue
		}
		evaluate(t, "full", []*formula.Formula{f})
	}
	for _, text := range []string{
		strings.Repeat("(", formula.MaxDepth+1) + "1" + strings.Repeat(")", formula.MaxDepth+1),
		strings.Repeat("-", 100_000) + "1",
		strings.Repeat("1 - ", formula.MaxDepth+1) + "1",
		strings.Repeat("(", 100_000),
		strings.Repeat("NOT(", formula.MaxDepth+1) + "1" + strings.Repeat(")", formula.MaxDepth+1),
		strings.Repeat(" ", formula.MaxLength) + "1",
		"SUM(1" + strings.Repeat(", 1", 300) + ")",
	} {
		if _, err := compile(text, "UTC"); err == nil {
			t.Errorf("%.40s… of %d bytes is admitted", text, len(text))
		} else {
			checkProblems(t, text, err)
		}
	}
}

// What a pattern costs the engine of PostgreSQL grows with the text alone, or the time limit of the
// statement ends it, and the connection is good for the next one.
func TestPatternThatRunsTooLongEndsWithTheStatement(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`REGEX_MATCH(REPT("a", 5000), "^(a+)+$")`, `REGEX_MATCH(REPT("a", 5000) & "b", "^(a+)+$")`,
		`REGEX_MATCH(REPT("a", 5000) & "b", "^(a|a)*$")`, `REGEX_MATCH(REPT("a", 5000) & "b", "^(a|aa)+$")`,
		`REGEX_EXTRACT(REPT("a", 5000), "(a*)*b")`, `LEN(REGEX_REPLACE(REPT("a", 2000), "(a*)*b", "x"))`,
		`REGEX_MATCH(REPT("x", 5000), "(x+x+)+y")`, `REGEX_MATCH(REPT("a", 5000), "(.*a){12}b" & "")`,
		`LEN(REGEX_REPLACE(REPT("ab", 2000), "a*?b?", "x"))`, `LEN(REGEX_REPLACE(REPT("a", 50000), "a*?b?", "x"))`,
	} {
		f, err := compile(text, "UTC")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		evaluate(t, "full", []*formula.Formula{f})
	}
	const slow = "select count(gate.formula_match(repeat('a', 100000) || i, '(.*a){30}.*b.*(.*a){30}.*c')) from " +
		"generate_series(1, 100000000) i"
	err := tenancytest.DB(t).Tx(t.Context(), organization(t), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "set local statement_timeout = '300ms'"); err != nil {
			return fmt.Errorf("setting the limit: %w", err)
		}
		_, err := tx.Exec(t.Context(), slow)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "57014") && !strings.Contains(err.Error(), "timeout") {
		t.Errorf("got %v, want the statement's time limit", err)
	}
	if values, err := query(t, "select array['1']"); err != nil || values[0] != "1" {
		t.Errorf("the next statement gives %v, %v", values, err)
	}
}

func FuzzCompile(f *testing.F) {
	w := formulatest.Writer{Rand: rand.New(rand.NewPCG(1, 3))}
	for range 200 {
		f.Add(w.Expression(4))
		f.Add(w.Soup())
	}
	f.Fuzz(func(t *testing.T, text string) {
		compiled, err := compile(text, "Europe/Oslo")
		if err != nil {
			checkProblems(t, text, err)
			return
		}
		if sql := compiled.SQL(); len(sql) > 3000*(len(text)+1) {
			t.Errorf("%d bytes of SQL", len(sql))
		}
		stored := compiled.Stored()
		again, err := compile(stored, "Europe/Oslo")
		if err != nil || again.SQL() != compiled.SQL() {
			t.Errorf("%q is stored as %q, which is another one: %v", text, stored, err)
		}
		shown := formula.Shown(stored, testScope(""))
		if again, err := compile(shown, "Europe/Oslo"); err != nil || again.Stored() != stored {
			t.Errorf("%q is shown as %q, which is another one: %v", stored, shown, err)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		text := "1" + strings.Repeat(` & IF({Price} / {Qty} > 1, UPPER({Name}), DATESTR({Due}))`, n)
		b.Run(fmt.Sprint(len(text)), func(b *testing.B) {
			for b.Loop() {
				f, err := compile(text, "UTC")
				if err != nil {
					b.Fatal(err)
				}
				f.SQL()
			}
		})
	}
}

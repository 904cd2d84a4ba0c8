package formula_test

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// testNow is what NOW() is in tests.
const testNow = "timestamptz '2026-03-20 12:00+00'"

// Fields of the table of the tests.
var testFields = []formula.Field{
	{ID: "fld_name", Name: "Name", Type: formula.Type{Base: formula.Text}, SQL: "t.name"},
	{ID: "fld_notes", Name: "Notes", Type: formula.Type{Base: formula.Text}, SQL: "t.notes"},
	{ID: "fld_word", Name: "Word", Type: formula.Type{Base: formula.Text}, SQL: "t.word"},
	{ID: "fld_kind", Name: "Kind", Type: formula.Type{Base: formula.Text}, SQL: "t.kind"},
	{ID: "fld_price", Name: "Price", Type: formula.Type{Base: formula.Number}, SQL: "t.price"},
	{ID: "fld_qty", Name: "Qty", Type: formula.Type{Base: formula.Number}, SQL: "t.qty"},
	{ID: "fld_done", Name: "Done", Type: formula.Type{Base: formula.Boolean}, SQL: "t.done::integer::double precision"},
	{ID: "fld_due", Name: "Due", Type: formula.Type{Base: formula.Date}, SQL: "t.due"},
	{ID: "fld_start", Name: "Start Time", Type: formula.Type{Base: formula.Datetime}, SQL: "t.start"},
	{ID: "fld_tags", Name: "Tags", Type: formula.Type{Base: formula.Text, List: true}, SQL: "t.tags"},
	{ID: "fld_scores", Name: "Scores", Type: formula.Type{Base: formula.Number, List: true}, SQL: "t.scores"},
	{ID: "fld_days", Name: "Days", Type: formula.Type{Base: formula.Date, List: true}, SQL: "t.days"},
	{ID: "fld_moments", Name: "Moments", Type: formula.Type{Base: formula.Datetime, List: true}, SQL: "t.moments"},
	{
		ID: "fld_broken", Name: "Broken", Type: formula.Type{Base: formula.Number}, Fails: true,
		SQL: formula.Stored(formula.Type{Base: formula.Number}, "t.qty", "t.failure"),
	},
	{
		ID: "fld_brokentext", Name: "Broken text", Type: formula.Type{Base: formula.Text}, Fails: true,
		SQL: formula.Stored(formula.Type{Base: formula.Text}, "t.name", "t.failure"),
	},
	{
		ID: "fld_brokendate", Name: "Broken date", Type: formula.Type{Base: formula.Date}, Fails: true,
		SQL: formula.Stored(formula.Type{Base: formula.Date}, "t.due", "t.failure"),
	},
	{
		ID: "fld_brokentime", Name: "Broken time", Type: formula.Type{Base: formula.Datetime}, Fails: true,
		SQL: formula.Stored(formula.Type{Base: formula.Datetime}, "t.start", "t.failure"),
	},
	{
		ID: "fld_brokenlist", Name: "Broken list", Type: formula.Type{Base: formula.Text, List: true}, Fails: true,
		SQL: formula.Stored(formula.Type{Base: formula.Text, List: true}, "t.tags", "t.failure"),
	},
	{
		ID: "fld_brokenscores", Name: "Broken scores", Type: formula.Type{Base: formula.Number, List: true},
		Fails: true,
		SQL:   formula.Stored(formula.Type{Base: formula.Number, List: true}, "t.scores", "t.failure"),
	},
	{ID: "fld_odd", Name: `Odd } name \ "quoted"`, Type: formula.Type{Base: formula.Text}, SQL: "t.word"},
	{ID: "fld_button", Name: "Button", Refused: "it holds no values"},
}

// testTable are its records, as a table of SQL.
const testTable = `(values
	('full', '0198a000-0000-7000-8000-000000000001'::uuid, timestamptz '2026-03-01 10:00Z',
		timestamptz '2026-03-02 11:00Z', 'Solveig', E'Two masts,\nthree decks', '42', 'Ferry', 12.5::double precision,
		4::double precision, true, date '2026-03-15',
		timestamptz '2026-03-15 09:30:45.25Z', array['red', 'blue'], array[3, null, 5]::double precision[],
		'{2026-01-05,2026-02-01}'::date[], '{2026-01-05 10:00Z,2026-01-04 10:00Z}'::timestamptz[], 1::smallint),
	('empty', '0198a000-0000-7000-8000-000000000002', '2026-03-01 10:00Z', '2026-03-02 11:00Z',
		null, null, null, null, null, null, false, null, null, null, null, null, null, null),
	('other', '0198a000-0000-7000-8000-000000000003', '2026-03-01 10:00Z', '2026-03-02 11:00Z',
		'  padded  ', '', '-3.5', 'Tug', -7.25, 0, false, '2024-02-29',
		'2024-12-31 23:30Z', array['a', 'a', '', 'b'], array[-1, -1, 2.5], '{2024-02-29}', '{2024-12-31 23:30Z}', null),
	('extreme', '0198a000-0000-7000-8000-000000000004', '2026-03-01 10:00Z', '2026-03-02 11:00Z',
		'Ærø 🚢 ñandú', 'naïve café', 'ten', 'Øre', 1e300, 5e-324, true, '0001-01-01',
		'9999-12-31 23:59:59Z', array['日本', 'é', '日本'], array[1e300, 1e300], '{}', '{}', 8::smallint)
	) t(row, id, created_at, updated_at, name, notes, word, kind, price, qty, done, due, start, tags, scores, days,
		moments, failure)`

func testScope(zone string) *formula.Scope {
	return &formula.Scope{Fields: testFields, TimeZone: zone, Table: 7, Now: testNow}
}

// compile parses and checks a formula.
func compile(text, zone string) (*formula.Formula, error) {
	return formula.Check(text, testScope(zone))
}

// shown is an expression for what a formula yields: as text, # and the number of its error, or null.
func shown(f *formula.Formula) string {
	value := "gate.formula_text(v)"
	switch {
	case f.Type.List && f.Type.Base == formula.Text:
		value = "array_to_string(v, ', ', '')"
	case f.Type.List:
		value = "array_to_string(gate.formula_texts(v), ', ', '')"
	case f.Type.Base == formula.Text:
		value = "v"
	}
	return "(select coalesce(U&'\\0001' || " + formula.Error(f.Type, "v") + ", nullif(" + value + ", '')) " +
		"from (select " + f.SQL() + " as v offset 0) x)"
}

// evaluate computes formulas over one record, as requests do.
func evaluate(t testing.TB, record string, formulas []*formula.Formula) []string {
	t.Helper()
	out := make([]string, 0, len(formulas))
	for chunk := range slices.Chunk(formulas, 50) {
		parts := make([]string, len(chunk))
		for i, f := range chunk {
			parts[i] = shown(f)
		}
		values, err := query(t, "select array["+strings.Join(parts, ",\n")+"]::text[] from "+testTable+" where row "+
			"= '"+record+"'")
		if err != nil {
			for i, f := range chunk { // find the one
				if _, err := query(t, "select array["+parts[i]+"]::text[] from "+testTable+" where row = "+
					"'"+record+"'"); err != nil {
					t.Fatalf("%.500s: %s\n%.2000s", f.Stored(), err, f.SQL())
				}
			}
			t.Fatal(err)
		}
		out = append(out, values...)
	}
	return out
}

var shared struct {
	sync.Once
	org uuid.UUID
}

// organization is one for all tests here, which read no table of it.
func organization(t testing.TB) uuid.UUID {
	t.Helper()
	shared.Do(func() { shared.org, _ = tenancytest.Org(t, tenancytest.DB(t)) })
	return shared.org
}

// query reads one array of texts as the role of requests.
func query(t testing.TB, sql string) ([]string, error) {
	t.Helper()
	var values []*string
	err := tenancytest.DB(t).Tx(t.Context(), organization(t), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), sql, pgx.QueryExecModeExec).Scan(&values)
	})
	out := make([]string, len(values))
	for i, value := range values {
		if value != nil {
			out[i] = *value
		}
		if code, found := strings.CutPrefix(out[i], "\x01"); found {
			if n, err := strconv.Atoi(code); err == nil {
				out[i] = "#" + formula.Code(n).String()
			}
		}
	}
	return out, err
}

// A testCase is a line of a file of cases.
type testCase struct {
	line         int
	record, zone string
	text, want   string
}

// readCases reads a file: a line @ names the record and the time zone of those below it, and the
// others are a formula, =>, and what it yields as text. ⏎ is a line break.
func readCases(t *testing.T, path string) []testCase {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var cases []testCase
	record, zone := "full", "UTC"
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for line := 1; scanner.Scan(); line++ {
		text := scanner.Text()
		switch {
		case strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "@"):
			words := strings.Fields(text[1:])
			record, zone = words[0], "UTC"
			if len(words) > 1 {
				zone = words[1]
			}
		default:
			source, want, found := strings.Cut(text, " =>")
			if !found {
				t.Fatalf("%s:%d: no =>", path, line)
			}
			breaks := strings.NewReplacer("⏎", "\n")
			cases = append(cases, testCase{
				line, record, zone, breaks.Replace(source), breaks.Replace(strings.TrimPrefix(want, " ")),
			})
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// runCases compiles and computes cases, those of one record and zone together.
func runCases(t *testing.T, path string, cases []testCase) {
	t.Helper()
	groups := map[string][]testCase{}
	for _, c := range cases {
		groups[c.record+" "+c.zone] = append(groups[c.record+" "+c.zone], c)
	}
	for _, group := range groups {
		var formulas []*formula.Formula
		var compiled []testCase
		for _, c := range group {
			f, err := compile(c.text, c.zone)
			if want, refused := strings.CutPrefix(c.want, "!"); refused {
				if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
					t.Errorf("%s:%d: %s: got %v, want an error with %q", path, c.line, c.text, err,
						strings.TrimSpace(want))
				}
				continue
			}
			if err != nil {
				t.Errorf("%s:%d: %s: %v", path, c.line, c.text, err)
				continue
			}
			formulas, compiled = append(formulas, f), append(compiled, c)
		}
		for i, got := range evaluate(t, group[0].record, formulas) {
			if c := compiled[i]; got != c.want {
				t.Errorf("%s:%d: %s (%s, %s) = %q, want %q", path, c.line, c.text, c.record, c.zone, got, c.want)
			}
		}
	}
}

// The cases are facts of the functions' published documentation in our own words, and what follows from
// the decisions on empty values, errors and time zones.
func TestFormulasGiveWhatTheyShould(t *testing.T) {
	t.Parallel()
	const path = "testdata/case.txt"
	cases := readCases(t, path)
	if len(cases) < 600 {
		t.Errorf("%s holds %d cases", path, len(cases))
	}
	runCases(t, path, cases)
}

// Every example of the catalogue gives the result next to it.
func TestExamplesAreTrue(t *testing.T) {
	t.Parallel()
	var cases []testCase
	for _, f := range formula.Functions() {
		cases = append(cases, testCase{0, "full", "UTC", f.Example, f.Result})
		if !strings.Contains(f.Example, f.Name+"(") {
			t.Errorf("the example of %s does not show it: %s", f.Name, f.Example)
		}
	}
	runCases(t, "functions", cases)
}

// The formulas are tasks that people had in public threads, rewritten for the fields of the tests.
func TestFormulasOfRealUsers(t *testing.T) {
	t.Parallel()
	const path = "testdata/real.txt"
	cases := readCases(t, path)
	if len(cases) < 100 {
		t.Errorf("%s holds %d formulas", path, len(cases))
	}
	runCases(t, path, cases)
}

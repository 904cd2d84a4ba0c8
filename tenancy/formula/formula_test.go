package formula_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

func TestMistakesHaveTheirPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]formula.Place{
		"1 +\n  {Nmae}":               {Line: 2, Column: 3, Length: 6},
		"\"日本\" & Prise":              {Line: 1, Column: 8, Length: 5},
		"IF({Done}, 1":                {Line: 1, Column: 13, Length: 0},
		"SUM(1, 2) % 3":               {Line: 1, Column: 11, Length: 1},
		"LEFT(\n{Name},\n{Kind} * 2)": {Line: 3, Column: 1, Length: 6},
		"LEN(NOSUCH({Name}))":         {Line: 1, Column: 5, Length: 6},
		"(({Name})) * 2":              {Line: 1, Column: 1, Length: 10},
		"🚢":                           {Line: 1, Column: 1, Length: 1},
	} {
		_, err := compile(text, "UTC")
		var problems formula.Problems
		if !errors.As(err, &problems) || len(problems) != 1 {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := problems[0]; got.Line != want.Line || got.Column != want.Column || got.Length != want.Length {
			t.Errorf("%q: line %d, column %d, length %d, want %+v: %s", text, got.Line, got.Column, got.Length, want,
				got.Message)
		}
	}
}

func TestSeveralMistakesAreReportedInTheirOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{
		"{Name} * {Nmae} + ABS({Kind}) & {Prise}":            {1, 10, 23, 33},
		"LENGTH({Nmae}) & IF({Done}, , 5 % 2) & ABS({Kind})": {1, 8, 29, 33, 44},
		"SUM(1 2, {Nmae}, (3 + ), 4 $ 5":                     {7, 10, 23, 28},
		"NOSUCH(NEITHER(MAX({Nmae}, ), 1 1)) + ]":            {1, 8, 20, 33, 39},
		"1 + \"open":        {5},
		"(1 % 2) + (3 % 4)": {4, 14},
		"ABS(1))":           {7},
	} {
		_, err := compile(text, "UTC")
		var problems formula.Problems
		if !errors.As(err, &problems) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var columns []int
		for _, p := range problems {
			columns = append(columns, p.Column)
		}
		if !slices.Equal(columns, want) {
			t.Errorf("%q: columns %v, want %v: %v", text, columns, want, err)
		}
	}
}

func TestAFormulaIsStoredByIDAndShownByName(t *testing.T) {
	t.Parallel()
	const written = "Price * ( {Qty} ) & /* {Name} */ \"{Kind}\" & {Odd \\} name \\\\ \"quoted\"}"
	const stored = "{fld_price} * ( {fld_qty} ) & /* {Name} */ \"{Kind}\" & {fld_odd}"
	f, err := compile(written, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	if f.Stored() != stored {
		t.Errorf("stored as %s", f.Stored())
	}
	renamed := testScope("")
	renamed.Fields = slices.Clone(renamed.Fields)
	for i := range renamed.Fields {
		if renamed.Fields[i].ID == "fld_price" {
			renamed.Fields[i].Name = "Unit {price}"
		}
	}
	const shown = "{Unit \\{price\\}} * ( {Qty} ) & /* {Name} */ \"{Kind}\" & {Odd \\} name \\\\ \"quoted\"}"
	if got := formula.Shown(stored, renamed); got != shown {
		t.Errorf("shown as %s", got)
	}
	if tree, err := formula.Parse(shown); err != nil {
		t.Error(err)
	} else if again, err := tree.Check(renamed); err != nil || again.Stored() != stored {
		t.Errorf("what is shown is stored as another one: %v", err)
	}
	if got := formula.Shown("{fld_gone} + 1", renamed); got != "{fld_gone} + 1" {
		t.Errorf("a field that is gone is shown as %s", got)
	}
	if got, want := f.Fields(), []string{"fld_price", "fld_qty", "fld_odd"}; !slices.Equal(got, want) {
		t.Errorf("reads %v, want %v", got, want)
	}
}

func TestTypesAndFactsOfFormulas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text            string
		want            string
		volatile, fails bool
	}{
		{"1", "number", false, false},
		{"{Price} + 1", "number", false, true},
		{"{Price} > 1", "boolean", false, false},
		{"{Name} & 1", "text", false, true},
		{"{Due}", "date", false, false},
		{"{Start Time}", "datetime", false, false},
		{"{Tags}", "list of text", false, false},
		{"{Scores}", "list of number", false, false},
		{"NOW()", "datetime", true, false},
		{"IF({Done}, TODAY(), {Due})", "date", true, false},
		{"IF({Done}, {Due}, \"\")", "date", false, false},
		{"IF({Done}, 1, \"x\")", "text", false, false},
		{"IF({Done}, {Due}, {Start Time})", "datetime", false, false},
		{"IF({Done}, 1, TRUE())", "number", false, false},
		{"DATEADD({Due}, 1, \"day\")", "date", false, true},
		{"DATEADD({Due}, 1, \"hour\")", "datetime", false, true},
		{"ISERROR(1 / 0)", "boolean", false, false},
		{"BLANK()", "text", false, false},
		{"ERROR()", "text", false, true},
		{"FROMNOW({Due})", "text", true, false},
		{"ARRAYUNIQUE({Days})", "list of date", false, false},
		{"MAX({Due}, {Start Time})", "datetime", false, false},
	} {
		f, err := compile(c.text, "UTC")
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if f.Type.String() != c.want || f.Volatile != c.volatile || f.Fails != c.fails {
			t.Errorf("%s: %s, volatile %t, fails %t; want %+v", c.text, f.Type, f.Volatile, f.Fails, c)
		}
	}
}

func TestFieldsAreOrderedByWhatTheyRead(t *testing.T) {
	t.Parallel()
	reads := map[string][]string{"a": {"b", "x"}, "b": {"c"}, "c": nil, "d": {"a", "c"}}
	name := func(id string) string { return strings.ToUpper(id) }
	got, err := formula.Order([]string{"d", "a", "x", "b", "c"}, reads, name)
	if want := []string{"c", "b", "a", "d"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	reads["c"] = []string{"a"}
	_, err = formula.Order([]string{"d", "a"}, reads, name)
	var cycle *formula.Cycle
	if !errors.As(err, &cycle) || !slices.Equal(cycle.Fields, []string{"A", "B", "C"}) ||
		!strings.Contains(err.Error(), "A reads B reads C reads A") {
		t.Errorf("got %v", err)
	}
	reads["d"] = []string{"a"}
	round := []string{"B", "C", "A"}
	if cycle := formula.Through("b", reads, name); cycle == nil || !slices.Equal(cycle.Fields, round) {
		t.Errorf("got %v", cycle)
	}
	if cycle := formula.Through("d", reads, name); cycle != nil { // it reads a round that it is not in
		t.Errorf("got %v", cycle)
	}
	if _, err = formula.Order([]string{"z"}, map[string][]string{"z": {"z"}}, name); !errors.As(err, &cycle) ||
		len(cycle.Fields) != 1 {
		t.Errorf("a field that reads itself: %v", err)
	}
}

// Every kind of field has a type, or says why it has none.
func TestEveryKindOfFieldIsKnownToFormulas(t *testing.T) {
	t.Parallel()
	world := formula.World{
		People: func(column string, several bool) string { return "people(" + column + ")" },
		Linked: func(*field.Field) string { return "linked" },
	}
	want := map[field.Type]string{
		"text": "text", "long_text": "text", "email": "text", "url": "text", "phone": "text", "number": "number",
		"currency": "number",
		"percent":  "number", "rating": "number", "duration": "number", "auto_number": "number", "checkbox": "boolean",
		"date":     "date",
		"datetime": "datetime", "created_time": "datetime", "last_modified_time": "datetime", "single_select": "text",
		"multi_select": "list of text", "user": "text", "created_by": "text", "last_modified_by": "text",
		"attachment": "list of text",
		"link":       "list of text", "json": "text",
	}
	for _, kind := range field.All() {
		if kind.Info().Computed {
			continue // package schema says what they are
		}
		f := &field.Field{Kind: kind, Number: 3, Name: "A", Pairs: &field.Pairs{Linked: 1}}
		got := formula.FromField(f, "fld_a", "t", world)
		switch {
		case !kind.Info().HasValues(), kind.Info().Unlisted:
			if got.Refused == "" {
				t.Errorf("%s can be read", f.Type())
			}
		case got.Refused != "" || got.SQL == "" || got.Type.String() != want[f.Type()]:
			t.Errorf("%s is %s, %q, %q; want %q", f.Type(), got.Type, got.SQL, got.Refused, want[f.Type()])
		}
	}
	several := true
	people := &field.Field{Kind: field.Type("user").Kind(), Number: 3, Config: field.Config{Multiple: &several}}
	if got := formula.FromField(people, "fld_a", "t", world); got.Type.String() != "list of text" {
		t.Errorf("several users are %s", got.Type)
	}
	if got := formula.FromField(people, "fld_a", "t", formula.World{}); got.Refused == "" {
		t.Error("users whose names are unknown can be read")
	}
}

func TestRecordIDIsThatOfTheAPI(t *testing.T) {
	t.Parallel()
	f, err := compile("RECORD_ID()", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	want := id.FormatRecord(7, uuid.MustParse("0198a000-0000-7000-8000-000000000001"))
	if got := evaluate(t, "full", []*formula.Formula{f})[0]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What Value and Error write is what Stored reads, for each type, and every error.
func TestValuesAndErrorsStandInTwoColumns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{Price}", "{Name}", "{Done}", "{Due}", "{Start Time}", "{Tags}", "{Scores}", "{Days}", "{Moments}",
		"{Broken}", "{Broken text}",
		"{Broken date}", "{Broken time}", "{Broken list}", "{Broken scores}", "{Broken} > 1",
	} {
		f, err := compile(text, "UTC")
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range []string{"full", "empty", "other", "extreme"} {
			got, err := query(t, "select array[coalesce('#' || failure, (value)::text), coalesce('#' || "+
				""+formula.Error(f.Type, "again")+
				", case when "+formula.Error(f.Type, "again")+" is null then ("+formula.Value(f.Type,
				"again")+")::text end)] from "+
				"(select value, failure, "+formula.Stored(f.Type, "value", "failure")+" as again from (select "+
				formula.Value(f.Type, "v")+" as value, "+formula.Error(f.Type, "v")+" as failure from (select "+
				f.SQL()+" as v from "+
				testTable+" where row = '"+record+"' offset 0) x) y) z")
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if got[0] != got[1] {
				t.Errorf("%s of %s: %q is read as %q", text, record, got[0], got[1])
			}
		}
	}
	for _, code := range formula.Codes() {
		if code.String() == "" || code.Message() == "" {
			t.Errorf("%d has no name or message", code)
		}
	}
}

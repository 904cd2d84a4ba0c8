package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What a file holds arrives as it is meant, by the whole column, or is refused with its place.
func TestImportReadsColumnsAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Price", schema.Currency), field("N", schema.Number),
		field("Day", schema.Date), field("US", schema.Date, `{"dateFormat":"us"}`), field("At", schema.DateTime),
		field("Took", schema.Duration), field("Tags", schema.MultiSelect, `{"options":["Smith, John","a"]}`))
	for i, c := range []struct{ text, want string }{
		{"Name;N\r\nr;1,5\r\n;2.000\r\n", "N [1.5 2000]"},
		{"sep=;\nName;N\nr;1.5\n", "N [1.5]"},
		{"Report of March\n\nName,N\nr,1\n,\n,,\n", "N [1]"},
		{"Name,N\rr,1\rs,2\r", "N [1 2]"},
		{",Name,N\n0,r,1\n1,s,2\n", "N [1 2]"},
		{"Name,N,\nr,(35.50),\n", "N [-35.5]"},
		{"Name,Day\nr,2026-01-31T23:30:00-05:00\ns,2026-01-31 10:00:00+02\n", "Day [2026-01-31 2026-01-31]"},
		{"Name,Day\nr,4/3/2026\ns,31/3/2026\n", "Day [2026-03-04 2026-03-31]"},
		{"Name,Day,US\nr,4/3/2026,31/3/2026\n", "Day [2026-03-04]"},
		{"Name,US\nr,3/4/2025\n", "US [2025-03-04]"},
		{"Name,At\nr,2026-01-31 10:00:00+02\n", "At [2026-01-31T08:00:00.000Z]"},
		{"Name,Took\nr,1:30\ns,90\n", "Took [5400 90]"},
		{"Name,Tags\nr,\"Smith, John\"\ns,\"a, smith, john\"\n", "Tags [[Smith, John] [a Smith, John]]"},
	} {
		name := fmt.Sprintf("r%d", i)
		text := strings.NewReplacer("r,", name+",", "r;", name+";", "s,", name+",").Replace(c.text)
		in := record.Import{CSV: text, Plan: true}
		plan := b.importCSV(t, table, in)
		in.Plan = false
		b.importCSV(t, table, in)
		_, found := b.list(t, table, query.Request{Sorts: []byte(`[{"fieldId":"Name","dir":"asc"}]`)})
		field, _, _ := strings.Cut(c.want, " ")
		var got []any
		for _, r := range found {
			if r.Fields["Name"] == name || r.Fields["Name"] == nil && i == 0 {
				got = append(got, r.Fields[field])
			}
		}
		if fmt.Sprintf("%s %v", field, got) != c.want || len(plan.Options) > 0 {
			t.Errorf("%q: %s %v, not %s; new options %v", text, field, got, c.want, plan.Options)
		}
	}
	for text, want := range map[string]string{
		"Name,Price\nx,$5\ny,€5\n": `csv line 3, column 2 (Price): ` +
			`"€5" is an amount in €, and the field holds amounts in $`,
		"Name,Day\nx,4/3/2026\n":       "may be 2026-03-04 or 2026-04-03",
		"Name,N\nx,\"1,5\"\ny,1.5\n":   "ambiguous",
		"Name,Day\nx,4/3/26\n":         "is not a date",
		"Name,N,Day\nx\ny,1\n":         "may be one row with a line break",
		"Name,N,Day\nx,1\ny,2\n":       "", // a number has no line break
		"Name,N\nx,\"1,234\"\n":        "ambiguous",
		"Name,Tags\nx,\"Jones, Jo\"\n": "",
	} {
		_, err := b.engine.Import(t.Context(), b.actor, table, record.Import{CSV: text})
		if want == "" && err != nil || want != "" && (problem.KindOf(err) != problem.KindInvalid ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	plan := b.importCSV(t, table, record.Import{
		CSV: "Title\nName,N,Day\nx,\"1,5\",31/1/2026\n", Plan: true,
	})
	if fmt.Sprint(plan.Readings) != `[N: decimal sign "," Day: day before month]` || plan.Skipped != 1 {
		t.Errorf("the plan says %q and %d", plan.Readings, plan.Skipped)
	}
}

// Every row that is left out is named, whatever their number.
func TestImportNamesEveryRefusedRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	text := "Name,N\nfine,1\n" + strings.Repeat("x,much\n", 120) + "fine,2\nx,more\n"
	got := b.importCSV(t, table, record.Import{CSV: text, SkipRefused: true})
	if got.Created != 2 || got.Refused != 121 || got.RefusedLines != "3-122, 124" ||
		len(got.Refusals)+got.MoreRefusals != 121 {
		t.Errorf("%d created, %d refused, %d listed, %d more: %s", got.Created, got.Refused, len(got.Refusals),
			got.MoreRefusals, got.RefusedLines)
	}
}

// With typecast, every write takes the names of linked records.
func TestLinksByNameInEveryWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, company := deals(t, b)
	comma := b.create(t, companies, `{"Name":"Beta, Sons"}`, `{"Name":"Twin"}`, `{"Name":"Twin"}`)[0].ID
	first := b.create(t, table, `{"Name":"one"}`)[0].ID
	linked := func() any {
		_, found := b.list(t, table, query.Request{Filters: []byte(`[{"field":"Name","op":"eq","value":"one"}]`)})
		return fmt.Sprint(found[0].Fields["Company"])
	}
	write := map[string]func(value string) error{
		"create": func(value string) error {
			if _, err := b.engine.DeleteOne(t.Context(), b.actor, first); err != nil {
				return err
			}
			written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
				Records: parsed([]string{`{"Name":"one","Company":` + value + `}`}), Typecast: true,
			})
			if err != nil {
				first = b.create(t, table, `{"Name":"one"}`)[0].ID
				return err
			}
			first = decodeAll(t, written.Records)[0].ID
			return nil
		},
		"update": func(value string) error {
			_, err := b.engine.Update(t.Context(), b.actor, table, []record.Change{
				{ID: first, Fields: parsed([]string{`{"Company":` + value + `}`})[0]},
			}, true)
			return err
		},
		"update one": func(value string) error {
			_, err := b.engine.UpdateOne(
				t.Context(),
				b.actor,
				first,
				parsed([]string{`{"Company":` + value + `}`})[0],
				true,
			)
			return err
		},
		"upsert": func(value string) error {
			_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
				Records: parsed(
					[]string{`{"Name":"one","Company":` + value + `}`},
				),
				Typecast: true,
				UpsertOn: []string{"Name"},
			})
			return err
		},
		"update where": func(value string) error {
			in := set(`{"Company":` + value + `}`)
			in.Selection, in.Typecast = where(`[{"fieldId":"Name","op":"eq","value":"one"}]`), true
			_, err := b.changeAll(t, table, in)
			return err
		},
	}
	for name, write := range write {
		for value, want := range map[string]any{
			`"Acme"`:                                  fmt.Sprint([]any{company[0].ID}),
			`["Acme","` + company[1].ID + `"]`:        fmt.Sprint([]any{company[0].ID, company[1].ID}),
			`"Beta, Sons, Acme"`:                      fmt.Sprint([]any{comma, company[0].ID}),
			`"\"Beta, Sons\", ` + company[1].ID + `"`: fmt.Sprint([]any{comma, company[1].ID}),
		} {
			if err := write(value); err != nil || linked() != want {
				t.Errorf("%s of %s links %v, not %v: %v", name, value, linked(), want, err)
			}
		}
		for value, message := range map[string]string{
			`"Nobody"`:          "neither the id nor the name of a record",
			`["Acme","Twin"]`:   "more than one",
			`["Acme","Nobody"]`: `"Nobody"`,
		} {
			if err := write(value); err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%s of %s: %v", name, value, err)
			}
		}
	}
	_, err := b.engine.Create(t.Context(), b.actor, table,
		record.Creation{Records: parsed([]string{`{"Name":"strict","Company":"Acme"}`})})
	if problem.KindOf(err) != problem.KindInvalid {
		t.Errorf("without typecast: %v", err)
	}
}

// A change of type reads texts as typecast does.
func TestATextIsConvertedAsItIsMeant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		values []string
		kind   schema.Type
		config string
		want   string // the values, or what the refusal says
	}{
		{[]string{"1:30", "0:00:45"}, schema.Duration, "", "[5400 45]"},
		{[]string{"3/14/2025", "3/4/2025"}, schema.Date, `{"dateFormat":"us"}`, "[2025-03-14 2025-03-04]"},
		{[]string{"31/1/2025", "3/4/2025"}, schema.Date, "", "[2025-01-31 2025-04-03]"},
		{[]string{"1,5", "1.234"}, schema.Number, "", "[1.5 1234]"},
		{[]string{"2026-01-31T23:30:00-05:00"}, schema.Date, "", "[2026-01-31]"},
		{[]string{"€5"}, schema.Currency, "", "amount in €"},
		{[]string{"3/4/2025"}, schema.Date, "", "may be 2025-04-03 or 2025-03-04"},
	} {
		table := b.table(t, "T "+c.want, field("Name", schema.Text), field("V", schema.Text))
		for _, value := range c.values {
			b.create(t, table, `{"V":"`+value+`"}`)
		}
		patch := catalog.FieldPatch{}
		if c.config != "" {
			patch.Config = []byte(c.config)
		}
		err := catalog.Retype(t.Context(), b.store, b.actor.Org, b.schema(t, table).FieldByName("V").ID,
			catalog.TypeChange{Type: c.kind, Patch: patch})
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v as %s: %v", c.values, c.kind, err)
			}
			continue
		}
		_, found := b.list(t, table, query.Request{})
		if got := fmt.Sprint(column(found, "V")); got != c.want {
			t.Errorf("%v as %s are %s, not %s", c.values, c.kind, got, c.want)
		}
	}
}

package record_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (b *bundle) importCSV(t *testing.T, table uuid.UUID, in record.Import) record.ImportResult {
	t.Helper()
	out, err := b.engine.Import(t.Context(), b.actor, table, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestImportConvertsLinksAndUpserts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, company := deals(t, b)
	text := "\ufeffname;Amount;Closed;Tags;Company\r\n" +
		"F;\"1.500,5\";2025-03-01;hot, new;Acme, Beta\r\n" +
		"\"G; with\na line\";7;;cold;" + company[2].ID + "\r\n" +
		"H;;;;\r\n"
	in := record.Import{CSV: strings.Replace(text, "\"1.500,5\"", "1500.5", 1), Plan: true}
	plan := b.importCSV(t, table, in)
	if plan.Created != 3 || plan.Refused != 0 || fmt.Sprint(plan.Options) != "[Tags: new]" {
		t.Errorf("planned %+v", plan)
	}
	if page, _ := b.list(t, table, query.Request{Limit: 1}); page.Total != 5 {
		t.Errorf("a plan made %d records", page.Total-5)
	}
	in.Plan = false
	if got := b.importCSV(t, table, in); got.Created != 3 || got.Updated != 0 {
		t.Errorf("imported %+v", got)
	}
	_, found := b.list(t, table, query.Request{Filters: []byte(`[{"field":"Name","op":"in","value":["F","G; ` +
		`with\na line"]}]`), Limit: 9})
	if got := fmt.Sprint(column(found, "Amount"), column(found, "Tags"), column(found, "Company")); got != fmt.Sprint(
		[]any{1500.5, 7.0}, []any{[]any{"hot", "new"}, []any{"cold"}},
		[]any{[]any{company[0].ID, company[1].ID}, []any{company[2].ID}}) {
		t.Errorf("imported %s", got)
	}
	again := record.Import{CSV: "Name,Country\nAcme,DK\nNew one,SE\n", UpsertOn: []string{"Name"}, Plan: true}
	if plan := b.importCSV(t, companies, again); plan.Created != 1 || plan.Updated != 1 {
		t.Errorf("planned %+v", plan)
	}
	again.Plan = false
	if got := b.importCSV(t, companies, again); got.Created != 1 || got.Updated != 1 {
		t.Errorf("upserted %+v", got)
	}
}

func TestImportRefusesByRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, _ := deals(t, b)
	b.create(t, companies, `{"Name":"Twin"}`, `{"Name":"Twin"}`)
	gone := b.create(t, companies, `{"Name":"Gone"}`)[0]
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, gone.ID); err != nil {
		t.Fatal(err)
	}
	in := record.Import{CSV: "Name,Amount,Company\nok,1,Acme\nbad,much,\n\"lost\nover a line\",2,Nobody\n" +
		"twins,3,Twin\nboth,none,\"Acme, Nobody\"\nlong,1,,x\ngone,1," + gone.ID + "\nfine,4\n"}
	_, err := b.engine.Import(t.Context(), b.actor, table, in)
	var refused *problem.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	want := []problem.Item{
		{Path: "csv line 3, column 2 (Amount)", Message: "not a number"},
		{Path: "csv line 5, column 3 (Company)", Message: `"Nobody" is neither the id nor the name`},
		{
			Path:    "csv line 6, column 3 (Company)",
			Message: "is the name of more than one: of a record in \"Companies\", there are 2",
		},
		{Path: "csv line 7, column 3 (Company)", Message: `"Nobody" is neither the id nor the name`},
		{Path: "csv line 7, column 2 (Amount)", Message: "not a number"},
		{Path: "csv line 8", Message: "has 4 cells, and the first line names 3 fields"},
		{Path: "csv line 9, column 3 (Company)", Message: "is neither the id nor the name"},
	}
	if len(refused.Items) != len(want) {
		t.Fatal(refused.Items)
	}
	for i, want := range want {
		if got := refused.Items[i]; got.Path != want.Path || !strings.Contains(got.Message, want.Message) {
			t.Errorf("item %d is %v", i, got)
		}
	}
	in.SkipRefused = true
	got := b.importCSV(t, table, in)
	if got.Created != 2 || got.Refused != 6 || len(got.Refusals) != len(want) || got.Refusals[1].Line != 5 ||
		got.Refusals[1].Column != 3 || got.Refusals[1].Field != "Company" {
		t.Errorf("imported %+v", got)
	}
	for text, message := range map[string]string{
		"Nam,Amount\na,1\n":      `did you mean "Name"?`,
		"Amount,Nam\n1,a\n":      "csv line 1, column 2",
		"Name,Name\na,b\n":       "twice",
		"":                       "first line",
		"Name\n\"unfinished\n\n": "csv line 2: is not CSV",
		"Name\nfine\n\"so\"so\n": "csv line 3: is not CSV",
		"Name\n" + strings.Repeat("x\n", record.MaxImport+1): "more than 20000",
	} {
		_, err := b.engine.Import(t.Context(), b.actor, table, record.Import{CSV: text})
		if problem.KindOf(err) != problem.KindInvalid || !strings.Contains(err.Error(), message) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	many := record.Import{CSV: "Name,Amount\n" + strings.Repeat("x,much\n", 60)}
	_, err = b.engine.Import(t.Context(), b.actor, table, many)
	if !errors.As(err, &refused) || len(refused.Items) != 21 ||
		!strings.Contains(refused.Items[20].Message, "60 mistakes in 60 rows") {
		t.Error(err)
	}
}

func TestUpsertingImportRefusesByRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	twin := b.create(t, table, `{"Name":"Twin"}`, `{"Name":"Twin"}`, `{"Name":"One"}`)
	in := record.Import{
		CSV:      "Name,N\nOne,1\nTwin,2\n,3\nOne,4\nNew,much\nFresh,6\n",
		UpsertOn: []string{"Name"},
	}
	_, err := b.engine.Import(t.Context(), b.actor, table, in)
	var refused *problem.Error
	if !errors.As(err, &refused) || len(refused.Items) != 4 {
		t.Fatal(err)
	}
	for i, want := range []problem.Item{
		{Path: "csv line 3, column 1 (Name)", Message: `2 records have this "Name": ` + twin[0].ID},
		{Path: "csv line 4, column 1 (Name)", Message: "is empty, and upsertOn names it"},
		{Path: "csv line 5, column 1 (Name)", Message: `has the same "Name" as csv line 2`},
		{Path: "csv line 6, column 2 (N)", Message: "not a number"},
	} {
		if got := refused.Items[i]; got.Path != want.Path || !strings.Contains(got.Message, want.Message) {
			t.Errorf("item %d is %v", i, got)
		}
	}
	in.SkipRefused, in.Plan = true, true
	plan := b.importCSV(t, table, in)
	in.Plan = false
	if got := b.importCSV(t, table, in); got.Created != 1 || got.Updated != 1 || got.Refused != 4 ||
		plan.Created != 1 || plan.Updated != 1 || plan.Refused != 4 {
		t.Errorf("planned %+v, imported %+v", plan, got)
	}
	byID := record.Import{
		CSV: "Name,N\nOne,7\n", UpsertOn: []string{b.schema(t, table).FieldByName("Name").PublicID()},
	}
	if got := b.importCSV(t, table, byID); got.Updated != 1 {
		t.Errorf("upserted %+v", got)
	}
	in = record.Import{CSV: "Name,N\nx,1\n", UpsertOn: []string{"Nam"}}
	_, err = b.engine.Import(t.Context(), b.actor, table, in)
	wantItem(t, err, problem.KindInvalid, "upsertOn[0]")
}

// A new record lacks what an existing one has already.
func TestUpsertingImportRefusesNewRowsWithoutRequiredFields(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Need", schema.Number, `{"required":true}`),
		field("N", schema.Number))
	b.create(t, table, `{"Name":"old","Need":1}`)
	in := record.Import{CSV: "Name,N\nold,1\nnew,2\n", UpsertOn: []string{"Name"}, Plan: true, SkipRefused: true}
	plan := b.importCSV(t, table, in)
	if plan.Updated != 1 || plan.Created != 0 || plan.Refused != 1 || plan.Refusals[0].Line != 3 ||
		plan.Refusals[0].Field != "Need" {
		t.Errorf("planned %+v", plan)
	}
	in.Plan = false
	if got := b.importCSV(t, table, in); got.Updated != 1 || got.Refused != 1 {
		t.Errorf("imported %+v", got)
	}
}

// A cell of a link names records by ids and names, in any mixture.
func TestACellNamesSeveralRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, company := deals(t, b)
	comma := b.create(t, companies, `{"Name":"Beta, Sons"}`)[0].ID
	for i, c := range []struct {
		cell string
		want []any
	}{
		{company[0].ID + ", " + company[1].ID, []any{company[0].ID, company[1].ID}},
		{company[2].ID + ",Acme", []any{company[2].ID, company[0].ID}},
		{"Acme," + company[1].ID, []any{company[0].ID, company[1].ID}},
		{"Beta, Sons", []any{comma}},
		{company[1].ID, []any{company[1].ID}},
	} {
		name := fmt.Sprintf("cell %d", i)
		b.importCSV(t, table, record.Import{CSV: "Name,Company\n" + name + ",\"" + c.cell + "\"\n"})
		_, found := b.list(t, table, query.Request{
			Filters: fmt.Appendf(nil, `[{"field":"Name","op":"eq","value":%q}]`, name),
		})
		if got := column(found, "Company"); fmt.Sprint(got) != fmt.Sprint([]any{c.want}) {
			t.Errorf("%s became %v", c.cell, got)
		}
	}
}

func TestImportOfManyRowsIsOneWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	var text strings.Builder
	text.WriteString("Name,N\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "row %d,%d\n", i, i)
	}
	if got := b.importCSV(t, table, record.Import{CSV: text.String()}); got.Created != 5000 {
		t.Errorf("imported %+v", got)
	}
	if got := b.importCSV(t, table, record.Import{
		CSV:      text.String(),
		UpsertOn: []string{"Name"},
	}); got.Updated != 5000 {
		t.Errorf("upserted %+v", got)
	}
	in := set(`{"N":0}`)
	in.Selection = where(`[{"fieldId":"Name","op":"contains","value":"row"}]`)
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 5000 {
		t.Errorf("changed %+v %v", got, err)
	}
}

// A plan reports values that other records or earlier rows have, and the import leaves these rows out
// if it may.
func TestImportReportsUniqueValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, companies, _, _ := deals(t, b)
	b.addField(t, companies, catalog.FieldSpec{Name: "Code", Type: "text", Config: []byte(`{"unique":true}`)})
	b.importCSV(t, companies, record.Import{CSV: "Name,Code\nTaken,T1\nOther,T2\n"})
	in := record.Import{CSV: "Name,Code\nA,T1\nB,N1\nC,N1\nD,N2\nE,\nF,\n", Plan: true}
	plan := b.importCSV(t, companies, in)
	if plan.Created != 4 || plan.Refused != 2 || plan.PlanToken != "" || len(plan.Refusals) != 2 ||
		plan.Refusals[0].Line != 2 || !strings.Contains(plan.Refusals[0].Message, "has the value already") ||
		plan.Refusals[1].Line != 4 || !strings.Contains(plan.Refusals[1].Message, `the same "Code"`) {
		t.Errorf("planned %+v", plan)
	}
	in.Plan = false
	_, err := b.engine.Import(t.Context(), b.actor, companies, in)
	if refusal := problem.New(err, ""); problem.KindOf(err) != problem.KindInvalid ||
		!strings.Contains(string(refusal.JSON()), "has the value already") {
		t.Errorf("imported: %v", err)
	}
	in.SkipRefused, in.Plan = true, true
	plan = b.importCSV(t, companies, in)
	in.Plan, in.Apply = false, plan.PlanToken
	if done := b.importCSV(t, companies, in); done.Created != 4 || done.Refused != 2 {
		t.Errorf("imported %+v", done)
	}
	upsert := record.Import{CSV: "Name,Code\nTaken,T1\nOther,T1\nNew,N2\n", UpsertOn: []string{"Name"}, Plan: true}
	if plan := b.importCSV(t, companies, upsert); plan.Updated != 1 || plan.Created != 0 || plan.Refused != 2 {
		t.Errorf("planned %+v", plan)
	}
}

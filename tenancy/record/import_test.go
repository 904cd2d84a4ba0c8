package record_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
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
	in := record.Import{CSV: "Name,Amount,Company\nok,1,Acme\nbad,much,\nlost,2,Nobody\ntwins,3,Twin\nfine,4,\n"}
	_, err := b.engine.Import(t.Context(), b.actor, table, in)
	var refused *problem.Error
	if !errors.As(err, &refused) || len(refused.Items) != 3 {
		t.Fatal(err)
	}
	for i, want := range []problem.Item{
		{Path: "csv line 3.Amount", Message: "not a number"},
		{Path: "csv line 4.Company", Message: "neither the id nor the name"},
		{Path: "csv line 5.Company", Message: "2 records"},
	} {
		if got := refused.Items[i]; got.Path != want.Path || !strings.Contains(got.Message, want.Message) {
			t.Errorf("item %d is %v", i, got)
		}
	}
	in.SkipRefused = true
	got := b.importCSV(t, table, in)
	if got.Created != 2 || got.Refused != 3 || len(got.Refusals) != 3 || got.Refusals[1].Line != 4 {
		t.Errorf("imported %+v", got)
	}
	for text, message := range map[string]string{
		"Nam,Amount\na,1\n":    `did you mean "Name"?`,
		"Name,Name\na,b\n":     "twice",
		"Name,Amount\na\n":     "not CSV",
		"":                     "first line",
		"Name\n\"unfinished\n": "not CSV",
		"Name\n" + strings.Repeat("x\n", record.MaxImport+1): "more than 20000",
	} {
		_, err := b.engine.Import(t.Context(), b.actor, table, record.Import{CSV: text})
		var wrong *problem.Error
		if !errors.As(err, &wrong) || !strings.Contains(fmt.Sprint(wrong.Items), message) {
			t.Errorf("%.20q: %v", text, err)
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

package record_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// byFormula is a change of all records that a filter finds by formulas.
func byFormula(filters, formulas string) record.Bulk {
	return record.Bulk{Selection: where(filters), Set: jsonvaluetest.ParseObject([]byte(formulas))}
}

const named = `[{"fieldId":"Name","op":"is_not_empty"}]`

func TestFieldsAreSetByFormulas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Price", schema.Currency), field("Off", schema.Percent),
		field("Due", schema.Date), field("At", schema.DateTime), field("Big", schema.Checkbox),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`), field("Kind", schema.SingleSelect,
			`{"options":["low","high"]}`),
		field("Twice", "formula", `{"formula":"{Price} * 2"}`))
	made := b.create(t, table, `{"Name":"x","Price":10,"Off":12.5,"Due":"2026-01-31","Tags":["a"]}`,
		`{"Name":"y","Price":200,"Off":0.1,"Due":"2026-12-31"}`, `{"Price":1}`)
	in := byFormula(named, `{"Price":{"formula":"{Twice} - {Price} * 0.5"},"Off":{"formula":"{Off}"},
		"Due":{"formula":"DATEADD({Due}, 1, \"days\")"},"At":{"formula":"NOW()"},"Big":{"formula":"{Price} > 100"},
		"Kind":{"formula":"IF({Price} > 100, \"high\", \"low\")"},"Tags":{"formula":"{Tags}"},
		"Name":{"formula":"{Name} & \"-\" & {Price}"}}`)
	in.Plan = true
	plan, err := b.changeAll(t, table, in)
	if err != nil || plan.Count != 2 || len(plan.Sample) != 2 {
		t.Fatal(plan, err)
	}
	in.Plan, in.Apply = false, plan.PlanToken
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 2 {
		t.Fatal(got, err)
	}
	_, records := b.list(t, table, query.Request{})
	want := []string{
		`["x-10",15,12.5,"2026-02-01",false,"low",["a"]]`, `["y-200",300,0.1,"2027-01-01",true,"high",null]`,
	}
	for i, r := range records[:2] {
		var values []any
		for _, name := range []string{"Name", "Price", "Off", "Due", "Big", "Kind", "Tags"} {
			values = append(values, r.Fields[name])
		}
		got, _ := json.Marshal(values)
		if string(got) != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
		var planned []any
		for _, name := range []string{"Name", "Price", "Off", "Due", "Big", "Kind", "Tags"} {
			planned = append(planned, plan.Sample[i].After[name])
		}
		if shown, _ := json.Marshal(planned); string(shown) != want[i] {
			t.Errorf("the plan says %s, want %s", shown, want[i])
		}
		if at := string(plan.Sample[i].After["At"]); at != fmt.Sprintf("%q", r.Fields["At"]) {
			t.Errorf("the plan says %s, and it became %v", at, r.Fields["At"])
		}
	}
	if records[2].Fields["Price"] != 1.0 {
		t.Errorf("%v was changed", made[2])
	}
	// What a formula reads belongs to what a plan has seen.
	in.Plan, in.Apply = true, ""
	if plan, err = b.changeAll(t, table, in); err != nil {
		t.Fatal(err)
	}
	b.updateOne(t, made[0].ID, `{"Price":7}`)
	in.Plan, in.Apply = false, plan.PlanToken
	_, err = b.changeAll(t, table, in)
	wantCode(t, err, "plan_moved", made[0].ID)
}

func TestAFormulaThatDoesNotFitItsFieldIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _, _ := deals(t, b)
	b.addField(t, table, field("Stars", schema.Rating))
	b.addField(t, table, field("Sum", "formula", `{"formula":"{Amount} + 1"}`))
	for _, c := range []struct{ set, path, message string }{
		{`{"Amount":{"formula":"{Name}"}}`, "set.Amount.formula", "gives text, and a field of type number takes"},
		{`{"Amount":{"formula":"{Amonut} * 2"}}`, "set.Amount.formula", `line 1, column 1: there is no field "Amonut"`},
		{`{"Amount":{"formula":"{Amount} *"}}`, "set.Amount.formula", "line 1, column"},
		{`{"Amount":5}`, "set.Amount", "must be an object with a formula"},
		{`{"Amount":{"formula":"1","to":2}}`, "set.Amount", `unknown member "to"`},
		{`{"Amount":{}}`, "set.Amount", "is without formula"},
		{`{"Amuont":{"formula":"1"}}`, "set.Amuont", `did you mean "Amount"?`},
		{`{"Company":{"formula":"{Name}"}}`, "set.Company", "no formula sets"},
		{`{"Sum":{"formula":"1"}}`, "set.Sum", "no formula sets"},
	} {
		_, err := b.changeAll(t, table, byFormula(named, c.set))
		wantItem(t, err, problem.KindInvalid, c.path, c.message)
	}
	both := byFormula(named, `{"Amount":{"formula":"1"}}`)
	both.Fields = set(`{"Amount":1}`).Fields
	_, err := b.changeAll(t, table, both)
	wantItem(t, err, problem.KindInvalid, "set.Amount", "is set by fields too")

	// Errors, and values that the field refuses, are reported with their records, in a plan too.
	one := b.create(t, table, `{"Name":"zero","Amount":0}`)[0]
	for _, plan := range []bool{true, false} {
		in := byFormula(named, `{"Amount":{"formula":"1 / {Amount}"}}`)
		in.Plan = plan
		_, err = b.changeAll(t, table, in)
		wantCode(t, err, "value_refused", "2 of 6 records", "division_by_zero")
		if items := itemsOf(err); len(items) != 2 || items[1].Path != one.ID {
			t.Errorf("the records are %v", items)
		}
		in = byFormula(named, `{"Stars":{"formula":"{Amount} + 1000"}}`)
		in.Plan = plan
		_, err = b.changeAll(t, table, in)
		wantCode(t, err, "value_refused", "must be a whole number from 1 to 5")
	}
	// With typecast values are converted one by one.
	in := byFormula(`[{"fieldId":"Name","op":"eq","value":"zero"}]`, `{"Amount":{"formula":"\"1\" & \"2\""}}`)
	in.Typecast = true
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 1 {
		t.Fatal(got, err)
	}
}

func TestFormulasGiveAUniqueFieldItsValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		field("Code", schema.Text, `{"unique":true}`))
	made := b.create(t, table, `{"Name":"a","N":1,"Code":"c2"}`, `{"Name":"b","N":2}`, `{"N":3,"Code":"c1x"}`)
	for _, plan := range []bool{true, false} {
		in := byFormula(named, `{"Code":{"formula":"\"same\""}}`)
		in.Plan = plan
		_, err := b.changeAll(t, table, in)
		wantCode(t, err, "not_unique", "must be unique")
		in = byFormula(named, `{"Code":{"formula":"\"c\" & {N} & \"x\""}}`)
		in.Plan = plan
		_, err = b.changeAll(t, table, in)
		wantCode(t, err, "not_unique", made[2].ID)
	}
	if got, err := b.changeAll(t, table, byFormula(named, `{"Code":{"formula":"\"d\" & {N}"}}`)); err != nil ||
		got.Count != 2 {
		t.Fatal(got, err)
	}
}

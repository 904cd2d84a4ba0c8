package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A plan is refused as its change would be, so that a token promises what can be done.
func TestAPlanThatCannotBeAppliedIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	companies := b.table(t, "Companies", field("Name", schema.Text))
	table := b.table(t, "T", field("Name", schema.Text), field("Code", schema.Text, `{"unique":true}`),
		field("Who", schema.User))
	if _, err := b.store.CreateField(t.Context(), b.actor.Org, table, field("Company", schema.LinkType,
		`{"linkedTableId":"`+id.Format(id.Table, companies)+`"}`)); err != nil {
		t.Fatal(err)
	}
	b.create(t, table, `{"Name":"a","Code":"A"}`, `{"Name":"b","Code":"B"}`, `{"Name":"c","Code":"C"}`)
	gone := b.create(t, companies, `{"Name":"Gone"}`)[0]
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, gone.ID); err != nil {
		t.Fatal(err)
	}
	const all, one = `[{"fieldId":"Name","op":"in","value":["a","b"]}]`, `[{"fieldId":"Name","op":"eq","value":"a"}]`
	stranger := id.Format(id.User, uuid.New())
	for _, c := range []struct {
		filter, fields string
		kind           problem.Kind
		path, message  string
	}{
		{all, `{"Code":"X"}`, problem.KindConflict, "", "2 records would get the same value"},
		{one, `{"Code":"B"}`, problem.KindConflict, "", "another record has the value"},
		{all, `{"Company":["` + gone.ID + `"]}`, problem.KindInvalid, "fields.Company", gone.ID},
		{all, `{"Who":"` + stranger + `"}`, problem.KindInvalid, "fields.Who", "not a member"},
	} {
		in := set(c.fields)
		in.Selection = where(c.filter)
		for _, in.Plan = range []bool{true, false} {
			_, err := b.changeAll(t, table, in)
			wantItem(t, err, c.kind, c.path, c.message)
		}
	}
	for _, c := range []struct{ filter, fields string }{
		{one, `{"Code":"A"}`}, {one, `{"Code":"X"}`}, {all, `{"Code":null}`},
	} {
		in := set(c.fields)
		in.Selection, in.Plan = where(c.filter), true
		planned, err := b.changeAll(t, table, in)
		if err != nil {
			t.Fatalf("%s: %v", c.fields, err)
		}
		in.Plan, in.Apply = false, planned.PlanToken
		if _, err := b.changeAll(t, table, in); err != nil {
			t.Errorf("%s was planned, and then: %v", c.fields, err)
		}
	}
}

// What a plan shows is what records have once it is applied.
func TestAPlanShowsValuesAsTheyAreStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	specs := []catalog.FieldSpec{
		field("Name", schema.Text), field("N", schema.Number), field("Day", schema.Date), field("At", schema.DateTime),
		field("Done", schema.Checkbox), field("State", schema.SingleSelect, `{"options":["Open"]}`),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`), field("Who", schema.User),
		field("Raw", schema.JSON), field("Mail", schema.Email),
	}
	table := b.table(t, "T", specs...)
	b.create(t, table, `{"Name":"a"}`)
	in := set(`{"N":" 5 ","Day":"2025-12-24T23:30:00+01:00","At":"2025-12-24 18:00","Done":"yes",` +
		`"State":"New","Tags":"a, b",` +
		`"Who":"` + id.Format(id.User, b.actor.Person) + `","Raw":{"x":[1,null]},"Mail":null}`)
	in.Selection, in.Plan, in.Typecast = where(`[{"fieldId":"Name","op":"eq","value":"a"}]`), true, true
	planned, err := b.changeAll(t, table, in)
	if err != nil || len(planned.Sample) != 1 {
		t.Fatal(planned, err)
	}
	in.Plan, in.Apply = false, planned.PlanToken
	if _, err := b.changeAll(t, table, in); err != nil {
		t.Fatal(err)
	}
	var stored struct{ Fields map[string]any }
	got, err := b.engine.Get(t.Context(), b.actor, planned.Sample[0].ID)
	if err == nil {
		err = json.Unmarshal(got, &stored)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range planned.Sample[0].After {
		var shown any
		if err := json.Unmarshal(raw, &shown); err != nil {
			t.Fatalf("%s: %s: %v", name, raw, err)
		}
		if fmt.Sprint(shown) != fmt.Sprint(stored.Fields[name]) {
			t.Errorf("%s was shown as %v and is %v", name, shown, stored.Fields[name])
		}
	}
}

// The values are not decoded for each record before they are found to be too large together.
func TestLongValuesForManyRecordsAreRefusedBeforeTheyAreCopied(t *testing.T) {
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Notes", schema.LongText))
	b.importCSV(t, table, record.Import{CSV: "Name\n" + strings.Repeat("x\n", 2000)})
	in := set(`{"Notes":"` + strings.Repeat("n", 1_000_000) + `"}`)
	in.Selection = where(`[{"fieldId":"Name","op":"eq","value":"x"}]`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, in.Plan = range []bool{true, false} {
		_, err := b.changeAll(t, table, in)
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Code != "records_too_large" {
			t.Errorf("plan %v: %v", in.Plan, err)
		}
	}
	runtime.ReadMemStats(&after)
	if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 200 {
		t.Errorf("%d MB were allocated", allocated)
	}
}

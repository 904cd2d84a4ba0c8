package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// steep is a formula that reads a field some 500 times.
func steep(field string) string {
	return "SWITCH({" + field + "}" + strings.Repeat(", 1, {"+field+"}", 500) + ")"
}

func wantTooLarge(t *testing.T, err error, named string) {
	t.Helper()
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Code != "formula_too_large" || !strings.Contains(wrong.Message, named) {
		t.Fatalf("want formula_too_large of %s, got %v", named, err)
	}
}

// A chain of formulas grows with each step. It ends where it would be too large, whichever formula of it is
// changed, and what there is stays readable.
func TestWhatAFormulaExpandsToIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		formulaField("F0", "{N} + SECOND(NOW()) * 0"))
	b.create(t, u, `{"Name":"a","N":2}`)
	last := 0
	var err error
	for ; last < 100; last++ {
		_, err = b.store.CreateField(t.Context(), b.actor.Org, u,
			formulaField(fmt.Sprint("F", last+1), steep(fmt.Sprint("F", last))))
		if err != nil {
			break
		}
	}
	wantTooLarge(t, err, fmt.Sprintf(`"F%d"`, last+1))
	if last < 5 {
		t.Errorf("a chain of %d is refused", last)
	}
	name := fmt.Sprint("F", last)
	for filters, want := range map[string]int{
		"": 1, `[{"fieldId":"F2","op":"is_empty"}]`: 1, `[{"fieldId":"F2","op":"gt","value":3}]`: 0,
	} {
		in := query.Request{Filters: []byte(filters), Fields: []string{"Name", "F1", "F2"}}
		if _, rows := b.list(t, u, in); len(rows) != want {
			t.Errorf("%s finds %d records", filters, len(rows))
		}
	}
	public := b.schema(t, u)
	checked, err := b.engine.CheckFormula(t.Context(), b.actor.Org, u, record.Draft{Formula: steep(name)})
	if err != nil || len(checked.Problems) != 1 || !strings.Contains(checked.Problems[0].Message, "more than 512 KB") {
		t.Errorf("a check says %v, %v", checked.Problems, err)
	}
	// An earlier formula of the chain, which stays as it was.
	config, err := json.Marshal(map[string]string{"formula": steep("N") + " + SECOND(NOW())"})
	if err != nil {
		t.Fatal(err)
	}
	err = b.store.UpdateField(t.Context(), b.actor.Org, public.FieldByName("F0").ID,
		catalog.FieldPatch{Config: config, Discard: true})
	wantTooLarge(t, err, name)
	if got := b.schema(t, u).FieldByName("F0").ShownConfig().Formula; got != "{N} + SECOND(NOW()) * 0" {
		t.Errorf("it is %s", got)
	}
	if broken := b.schema(t, u).FieldByName(name).Computed.Broken; broken != "" {
		t.Error(broken)
	}
	// Conditions across links write what they compare once each.
	v := b.table(t, "V", field("Name", schema.Text))
	b.addField(t, v, field("T", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`, public.PublicID())))
	condition := fmt.Sprintf(`{"fieldId":"T.%s","op":"gt","value":3}`, name)
	_, err = b.engine.List(t.Context(), b.actor, v, query.Request{
		Limit: 10, Filters: []byte("[" + condition + strings.Repeat(","+condition, 4) + "]"),
	})
	wantItem(t, err, problem.KindInvalid, "filters", "1024 KB")
	// A lookup holds all that its field expands to.
	for i := range 5 {
		_, err = b.store.CreateField(t.Context(), b.actor.Org, v,
			field(fmt.Sprint("L", i), "lookup", fmt.Sprintf(`{"linkFieldId":"T","fieldId":%q}`, name)))
		if err != nil {
			break
		}
	}
	wantTooLarge(t, err, `together`)
}

// Through links a chain of six steps that read five lookups each would be thousands of times as large as its
// beginning.
func TestWhatLookupsExpandToIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number), formulaField("G0", "{N}"))
	b.addField(t, u, field("L", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`, b.schema(t, u).PublicID())))
	made := b.create(t, u, `{"Name":"a","N":1}`)
	b.update(t, made[0].ID, fmt.Sprintf(`{"L":[%q]}`, made[0].ID))
	var err error
	step := 1
	for ; step < 12 && err == nil; step++ {
		var sums []string
		for i := 0; i < 5 && err == nil; i++ {
			name := fmt.Sprintf("S%d %d", step, i)
			sums = append(sums, "{"+name+"}")
			_, err = b.store.CreateField(t.Context(), b.actor.Org, u, field(name, "rollup",
				fmt.Sprintf(`{"linkFieldId":"L","fieldId":"G%d","function":"SUM"}`, step-1)))
		}
		if err == nil {
			_, err = b.store.CreateField(t.Context(), b.actor.Org, u,
				formulaField(fmt.Sprint("G", step), strings.Join(sums, " + ")))
		}
	}
	wantTooLarge(t, err, "")
	if step < 3 {
		t.Errorf("refused in step %d", step)
	}
	if _, rows := b.list(t, u, query.Request{Fields: []string{"G2"}}); rows[0].Fields["G2"] != 25.0 {
		t.Errorf("G2 is %v", rows[0].Fields["G2"])
	}
	config, err := json.Marshal(map[string]string{"formula": steep("N")})
	if err != nil {
		t.Fatal(err)
	}
	err = b.store.UpdateField(t.Context(), b.actor.Org, b.schema(t, u).FieldByName("G0").ID,
		catalog.FieldPatch{Config: config, Discard: true})
	wantTooLarge(t, err, "")
	if f := b.schema(t, u).FieldByName("G2"); f.Computed.Broken != "" {
		t.Error(f.Computed.Broken)
	}
}

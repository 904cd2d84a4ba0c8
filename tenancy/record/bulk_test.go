package record_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (b *bundle) changeAll(t *testing.T, table uuid.UUID, in record.Bulk) (record.BulkResult, error) {
	t.Helper()
	if in.Credential == "" {
		in.Credential = "key_one"
	}
	return b.engine.ChangeAll(t.Context(), b.actor, table, in)
}

func where(filters string) record.Selection { return record.Selection{Filters: []byte(filters)} }

func set(fields string) record.Bulk {
	return record.Bulk{Fields: jsonvaluetest.ParseObject([]byte(fields))}
}

func TestAllSelectedRecordsAreChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		field("State", schema.SingleSelect, `{"options":["Open","Done"]}`))
	var objects []string
	for i := range 250 {
		objects = append(objects, fmt.Sprintf(`{"Name":"r%d","N":%d}`, i, i))
	}
	b.create(t, table, objects...)
	in := set(`{"State":"Done"}`)
	in.Selection = where(`[{"fieldId":"N","op":"gte","value":50}]`)
	got, err := b.changeAll(t, table, in)
	if err != nil || got.Count != 200 {
		t.Fatal(got, err)
	}
	done := query.Request{Filters: []byte(`[{"fieldId":"State","op":"eq","value":"Done"}]`), Limit: 1}
	if page, _ := b.list(t, table, done); page.Total != 200 {
		t.Errorf("%d are done", page.Total)
	}
	got, err = b.changeAll(t, table, record.Bulk{Delete: true, Selection: where(`[{"fieldId":"N","op":"lt",` +
		`"value":100}]`)})
	if err != nil || got.Count != 100 {
		t.Fatal(got, err)
	}
	if page, _ := b.list(t, table, query.Request{Limit: 1}); page.Total != 150 {
		t.Errorf("%d are left", page.Total)
	}
	for _, c := range []struct {
		in            record.Bulk
		path, message string
	}{
		{set(`{"N":1}`), "filters", "is required"},
		{record.Bulk{Delete: true, Selection: where(" [] ")}, "filters", "is required"},
		{record.Bulk{Delete: true, Selection: where("[ ]")}, "filters", "must not let every record through"},
		{record.Bulk{Delete: true, Selection: where("null")}, "filters", "is required"},
		{record.Bulk{Delete: true, Selection: where(`[{"and":[]}]`)}, "filters", "is required"},
		{record.Bulk{Delete: true, Selection: where(`[{"and":[{"and":[]},{"and":[]}]}]`)}, "filters", "is required"},
		{
			record.Bulk{Delete: true, Selection: where(`[{"or":[{"and":[]},{"fieldId":"N","op":"eq","value":1}]}]`)},
			"filters", "is required",
		},
		{record.Bulk{Delete: true, Selection: record.Selection{Search: "  "}}, "filters", "is required"},
		{record.Bulk{Selection: where(`[{"fieldId":"N","op":"eq","value":1}]`)}, "fields", "at least one"},
		{
			record.Bulk{Selection: where(`[{"fieldId":"X","op":"eq"}]`), Delete: true},
			"filters[0].fieldId",
			"not a field",
		},
		{
			record.Bulk{Selection: where(`[{"fieldId":"N","op":"eq","value":1}]`), Fields: set(`{"N":"x"}`).Fields},
			"fields.N", "must be a number",
		},
	} {
		_, err := b.changeAll(t, table, c.in)
		wantItem(t, err, problem.KindInvalid, c.path, c.message)
	}
}

// A mistake is reported once, by the name of its field, however many records match.
func TestChangeOfSelectedRecordsNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, _ := deals(t, b)
	gone := b.create(t, companies, `{"Name":"Gone"}`)[0]
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, gone.ID); err != nil {
		t.Fatal(err)
	}
	in := set(`{"Company":["` + gone.ID + `"],"Amount":1}`)
	in.Selection = where(`[{"fieldId":"Name","op":"is_not_empty"}]`)
	_, err := b.changeAll(t, table, in)
	wantItem(t, err, problem.KindInvalid, "fields.Company", gone.ID)
	in = set(`{"Compny":[],"Amount":"much"}`)
	in.Selection = where(`[{"fieldId":"Name","op":"is_not_empty"}]`)
	_, err = b.changeAll(t, table, in)
	wantItem(t, err, problem.KindInvalid, "fields.Compny", `did you mean "Company"?`)
	var wrong *problem.Error
	if !errors.As(err, &wrong) || len(wrong.Items) != 2 || wrong.Items[1].Path != "fields.Amount" {
		t.Errorf("what is wrong is %v", wrong.Items)
	}

	// A record that would become too large is named.
	notes := b.table(t, "Notes", field("Name", schema.Text), field("A", schema.LongText), field("B", schema.LongText))
	long := strings.Repeat("x", record.MaxRecord/2)
	made := b.create(t, notes, `{"Name":"small"}`, `{"Name":"large","A":"`+long+long[:1000]+`"}`)
	in = set(`{"B":"` + long + `"}`)
	in.Selection = where(`[{"fieldId":"Name","op":"is_not_empty"}]`)
	_, err = b.changeAll(t, notes, in)
	wantItem(t, err, problem.KindInvalid, "fields of "+made[1].ID, "a record holds at most 1 MB")
}

func TestPlanIsAppliedExactly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	made := b.create(t, table, `{"Name":"a","N":1}`, `{"Name":"b","N":2}`, `{"Name":"c","N":3}`)
	for _, in := range []record.Bulk{
		{Fields: set(`{"N":10}`).Fields, Selection: where(`[{"fieldId":"N","op":"lte","value":2}]`)},
		{Delete: true, Selection: where(`[{"fieldId":"N","op":"gte","value":10}]`)},
	} {
		in.Plan = true
		plan, err := b.changeAll(t, table, in)
		if err != nil || plan.Count != 2 || len(plan.Sample) != 2 || plan.ExpiresAt == nil ||
			time.Until(*plan.ExpiresAt) > 10*time.Minute {
			t.Fatal(plan, err)
		}
		if first := plan.Sample[0]; first.ID != made[0].ID || (first.After == nil) != in.Delete {
			t.Errorf("the sample is %v", first)
		}
		in.Plan, in.Apply = false, plan.PlanToken
		// If a record that the plan looked at was changed, the error says so, and nothing is done.
		b.updateOne(t, made[1].ID, fmt.Sprintf(`{"Name":"changed %v"}`, in.Delete))
		_, err = b.changeAll(t, table, in)
		wantCode(t, err, "plan_moved", made[1].ID)
		in.Plan, in.Apply = true, ""
		if plan, err = b.changeAll(t, table, in); err != nil {
			t.Fatal(err)
		}
		// Other records do not matter.
		b.updateOne(t, made[2].ID, `{"Name":"other"}`)
		in.Plan, in.Apply = false, plan.PlanToken
		if got, err := b.changeAll(t, table, in); err != nil || got.Count != 2 {
			t.Fatal(got, err)
		}
		// It is good once.
		_, err = b.changeAll(t, table, in)
		wantCode(t, err, "plan_used")
	}
	if page, _ := b.list(t, table, query.Request{Limit: 1}); page.Total != 1 {
		t.Errorf("%d are left", page.Total)
	}
}

func TestDeletionOfNamedRecordsIsPlanned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	made := b.create(t, table, `{"Name":"a"}`, `{"Name":"b"}`, `{"Name":"c"}`, `{"Name":"d"}`)
	in := record.Bulk{Delete: true, IDs: []string{made[1].ID, made[0].ID}, Plan: true}
	plan, err := b.changeAll(t, table, in)
	if err != nil || plan.Count != 2 || len(plan.Sample) != 2 || plan.PlanToken == "" {
		t.Fatal(plan, err)
	}
	other := in
	other.IDs, other.Plan, other.Apply = []string{made[0].ID, made[2].ID}, false, plan.PlanToken
	_, err = b.changeAll(t, table, other)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")
	in.Plan, in.Apply = false, plan.PlanToken
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 2 {
		t.Fatal(got, err)
	}
	_, err = b.changeAll(t, table, in)
	wantCode(t, err, "plan_used")
	// The error names a record that was deleted since. A plan refuses one that never existed.
	in = record.Bulk{Delete: true, IDs: []string{made[2].ID, made[3].ID}, Plan: true}
	if plan, err = b.changeAll(t, table, in); err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, made[3].ID); err != nil {
		t.Fatal(err)
	}
	_, err = b.changeAll(t, table, in)
	wantItem(t, err, problem.KindNotFound, "", made[3].ID)
	in.Plan, in.Apply = false, plan.PlanToken
	_, err = b.changeAll(t, table, in)
	wantCode(t, err, "plan_moved", "about 2 records and now it would be about 1", "1 were deleted", made[3].ID)
	in.IDs, in.Plan, in.Apply = []string{made[2].ID, made[2].ID}, true, ""
	_, err = b.changeAll(t, table, in)
	wantItem(t, err, problem.KindInvalid, "ids[1]", "the same record")
	if page, _ := b.list(t, table, query.Request{Limit: 1}); page.Total != 1 {
		t.Errorf("%d are left", page.Total)
	}
}

// A view names a set of records on purpose, even if that is all of them.
func TestAViewSelectsAllOfItsRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	b.create(t, table, `{"Name":"a"}`, `{"Name":"b"}`)
	view := b.schema(t, table).Views[0].PublicID()
	got, err := b.changeAll(t, table, record.Bulk{Delete: true, Selection: record.Selection{View: view}})
	if err != nil || got.Count != 2 {
		t.Fatal(got, err)
	}
}

// Plans between random writes: an applied plan has done exactly what it said, and one that could not was refused with
// nothing changed. INTERLEAVINGS=10000 runs more of them.
func TestPlansBetweenRandomWrites(t *testing.T) {
	t.Parallel()
	rounds := 60
	if more, err := strconv.Atoi(os.Getenv("INTERLEAVINGS")); err == nil {
		rounds = more
	}
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	random := rand.New(rand.NewPCG(7, 26))
	model := map[string]int{} // N by id
	create := func(n int) {
		made := b.create(t, table, fmt.Sprintf(`{"Name":"x","N":%d}`, n))
		model[made[0].ID] = n
	}
	for i := range 12 {
		create(i % 5)
	}
	pick := func() string {
		_, records := b.list(t, table, query.Request{Limit: 100})
		if len(records) == 0 {
			return ""
		}
		return records[random.IntN(len(records))].ID
	}
	applied, refused := 0, 0
	for range rounds {
		limit, value := random.IntN(6), random.IntN(5)
		in := set(fmt.Sprintf(`{"N":%d}`, value))
		in.Selection = where(fmt.Sprintf(`[{"fieldId":"N","op":"lt","value":%d}]`, limit))
		in.Delete = random.IntN(4) == 0
		in.Plan = true
		looked := map[string]bool{}
		for id, n := range model {
			if n < limit {
				looked[id] = true
			}
		}
		named := in.Delete && len(looked) > 0 && random.IntN(2) == 0
		if named {
			in.Selection, in.IDs = record.Selection{}, slices.Collect(maps.Keys(looked))
		}
		plan, err := b.changeAll(t, table, in)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Count != len(looked) {
			t.Fatalf("the plan is of %d records and not %d", plan.Count, len(looked))
		}
		touched := map[string]bool{}
		for range random.IntN(3) {
			switch id := pick(); {
			case random.IntN(3) == 0 || id == "":
				n := random.IntN(6)
				create(n)
			case random.IntN(3) == 0:
				if _, err := b.engine.DeleteOne(t.Context(), b.actor, id); err != nil {
					t.Fatal(err)
				}
				touched[id] = true
				delete(model, id)
			default:
				n := random.IntN(6)
				if n == model[id] {
					break // an update that changes nothing moves nothing
				}
				b.updateOne(t, id, fmt.Sprintf(`{"N":%d}`, n))
				touched[id] = true
				model[id] = n
			}
		}
		// Moved is what the plan has seen and somebody has changed, even there and back, or a record that matches
		// and was not seen. One that has come to match and ceased to is none of it.
		moved, matching := false, 0
		for id := range looked {
			moved = moved || touched[id]
		}
		for _, n := range model {
			if n < limit {
				matching++
			}
		}
		moved = moved || !named && matching != len(looked)
		in.Plan, in.Apply = false, plan.PlanToken
		got, err := b.changeAll(t, table, in)
		switch {
		case moved && problem.KindOf(err) != problem.KindConflict, !moved && (err != nil || got.Count != plan.Count):
			t.Fatalf("moved %v: %v %v", moved, got, err)
		case moved:
			wantCode(t, err, "plan_moved")
			refused++
		default:
			applied++
			for id := range looked {
				if in.Delete {
					delete(model, id)
				} else {
					model[id] = value
				}
			}
			_, err := b.changeAll(t, table, in)
			wantCode(t, err, "plan_used")
		}
		_, records := b.list(t, table, query.Request{Limit: 100})
		if len(records) != len(model) {
			t.Fatalf("there are %d records and not %d", len(records), len(model))
		}
		for _, r := range records {
			if n, ok := r.Fields["N"].(float64); !ok || int(n) != model[r.ID] {
				t.Fatalf("%s has %v and not %d", r.ID, r.Fields["N"], model[r.ID])
			}
		}
	}
	if applied == 0 || refused == 0 {
		t.Errorf("%d plans were applied and %d refused", applied, refused)
	}
	t.Logf("%d plans were applied and %d refused", applied, refused)
}

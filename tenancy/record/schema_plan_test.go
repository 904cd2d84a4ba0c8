package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A schemaChange is a change of the schema with what it was asked for with.
type schemaChange struct {
	asked string
	do    func(ctx context.Context, s *catalog.Store) error
}

func (b *bundle) deletionOf(t *testing.T, f *schema.Field) schemaChange {
	return schemaChange{"delete " + f.PublicID(), func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteField(ctx, b.actor.Org, f.ID)
	}}
}

func (b *bundle) retyping(t *testing.T, f *schema.Field, to schema.Type, discard bool, config string) schemaChange {
	return schemaChange{
		fmt.Sprint("retype ", f.PublicID(), to, discard, config),
		func(ctx context.Context, s *catalog.Store) error {
			return catalog.Retype(ctx, s, b.actor.Org, f.ID, catalog.TypeChange{Type: to, Patch: catalog.FieldPatch{
				Config: json.RawMessage(config), Discard: discard,
			}})
		},
	}
}

// perform plans a change if token is "", and applies its plan otherwise.
func (b *bundle) perform(t *testing.T, change schemaChange, token string) (catalog.Impact, error) {
	t.Helper()
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	return b.store.Planning(plans).Perform(t.Context(), b.actor.Org, plan.Request{
		Only: token == "", Apply: token, Credential: "key_one", Asked: plan.NewHash(change.asked).Digest(),
	}, change.do)
}

func (b *bundle) plan(t *testing.T, change schemaChange) catalog.Impact {
	t.Helper()
	got, err := b.perform(t, change, "")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func samples(impact catalog.Impact) string {
	text, _ := json.Marshal(impact.Sample)
	for _, one := range impact.Sample {
		text = []byte(strings.ReplaceAll(string(text), one.ID, "rec"))
	}
	return string(text)
}

func TestDeletionOfAFieldIsPlanned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	b.addField(t, table, field("Twice", "formula", `{"formula":"{N} * 2"}`))
	made := b.create(t, table, `{"Name":"a","N":1}`, `{"Name":"b","N":2}`, `{"Name":"c"}`)
	f := b.schema(t, table).FieldByName("N")
	change := b.deletionOf(t, f)
	version := b.schema(t, table).Version

	got := b.plan(t, change)
	if *got.Records != 2 || got.PlanToken == "" || len(got.Losses) != 1 ||
		!strings.Contains(got.Losses[0].Message, `"Twice"`) {
		t.Errorf("the plan is %+v", got)
	}
	if diff := cmp.Diff(`[{"id":"rec","before":{"N":1}},{"id":"rec","before":{"N":2}}]`, samples(got)); diff != "" {
		t.Error(diff)
	}
	if now := b.schema(t, table); now.Version != version || now.FieldByName("N") == nil {
		t.Error("the plan has changed the table")
	}

	// What somebody writes elsewhere in the records is none of it.
	b.updateOne(t, made[0].ID, `{"Name":"other"}`)
	if _, err := b.perform(t, change, got.PlanToken); err != nil {
		t.Fatal(err)
	}
	if b.schema(t, table).FieldByName("N") != nil {
		t.Error("the field is there still")
	}
	_, err := b.perform(t, change, got.PlanToken)
	wantCode(t, err, "plan_used")
}

func TestPlanOfASchemaChangeMoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number), field("M", schema.Number))
	other := b.table(t, "Other", field("Name", schema.Text))
	made := b.create(t, table, `{"Name":"a","N":1}`, `{"Name":"b","N":2}`)
	f := b.schema(t, table).FieldByName("N")
	base := schemaChange{"base", func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteBase(ctx, b.actor.Org, b.base)
	}}
	whole := schemaChange{"table", func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteTable(ctx, b.actor.Org, table)
	}}
	n := 2
	moves := []struct {
		what   string
		change schemaChange
		do     func()
	}{
		{"a value", b.deletionOf(t, f), func() { b.updateOne(t, made[0].ID, fmt.Sprintf(`{"N":%d}`, n)) }},
		{"a value more", b.retyping(t, f, schema.Text, false, ""), func() {
			b.create(t, table, fmt.Sprintf(`{"N":%d}`, n))
		}},
		{"a field of the table", b.deletionOf(t, f), func() {
			b.addField(t, table, field(fmt.Sprint("New ", n), schema.Text))
		}},
		{"a record of the table", whole, func() { b.create(t, table, `{"Name":"new"}`) }},
		{"a record of the base", base, func() { b.create(t, other, `{"Name":"new"}`) }},
		{"a table of the base", base, func() { b.table(t, fmt.Sprint("More ", n), field("Name", schema.Text)) }},
		{"a link to the table", whole, func() { b.link(t, other, table, fmt.Sprint("Link ", n), true, true) }},
	}
	for _, move := range moves {
		got := b.plan(t, move.change)
		n++
		move.do()
		_, err := b.perform(t, move.change, got.PlanToken)
		if problem.KindOf(err) != problem.KindConflict {
			t.Errorf("%s: %v", move.what, err)
			continue
		}
		wantCode(t, err, "plan_moved", "plan again")
	}
	if b.schema(t, table) == nil || b.schema(t, table).FieldByName("N").Type() != schema.Number {
		t.Error("something was changed")
	}
	// The links of others go with a table.
	got := b.plan(t, whole)
	if got.Tables != 1 || *got.Records < 3 || len(got.Losses) != 1 || !strings.Contains(got.Losses[0].Message, "Link") {
		t.Errorf("the plan is %+v", got)
	}
	if _, err := b.perform(t, whole, got.PlanToken); err != nil {
		t.Fatal(err)
	}
	got = b.plan(t, base)
	if got.Tables < 2 || *got.Records != 1 {
		t.Errorf("the plan is %+v", got)
	}
	other2 := base
	other2.asked = "something else"
	_, err := b.perform(t, other2, got.PlanToken)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")
	if _, err := b.perform(t, base, got.PlanToken); err != nil {
		t.Fatal(err)
	}
}

func TestDeletionOfAViewIsPlanned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	by := schema.Viewer{Person: b.actor.Person, Admin: true}
	view, err := b.store.CreateView(t.Context(), b.actor.Org, table, catalog.ViewSpec{
		Name: "Second", Type: "grid", By: by,
	})
	if err != nil {
		t.Fatal(err)
	}
	change := schemaChange{"view", func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteView(ctx, b.actor.Org, view.ID, by)
	}}
	got := b.plan(t, change)
	if len(got.Losses) != 1 || !strings.Contains(got.Losses[0].Message, `"Second" of the table "T"`) {
		t.Errorf("the plan is %+v", got)
	}
	name := "Renamed"
	err = b.store.UpdateView(t.Context(), b.actor.Org, view.ID, catalog.ViewPatch{Name: &name, By: by})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.perform(t, change, got.PlanToken)
	wantCode(t, err, "plan_moved")
	got = b.plan(t, change)
	if _, err := b.perform(t, change, got.PlanToken); err != nil {
		t.Fatal(err)
	}
	_, err = b.perform(t, change, got.PlanToken)
	wantCode(t, err, "plan_used")
	for _, v := range b.schema(t, table).Views {
		if v.ID == view.ID {
			t.Error("the view is still there")
		}
	}
}

func TestChangeOfATypeIsPlanned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("V", schema.Text))
	b.create(t, table, `{"V":"12"}`, `{"V":"soon"}`, `{"Name":"none"}`, `{"V":"7.5"}`)
	f := b.schema(t, table).FieldByName("V")

	got := b.plan(t, b.retyping(t, f, schema.Number, false, ""))
	if got.PlanToken != "" || got.Lost != 1 || *got.Records != 3 || len(got.Losses) != 1 ||
		!strings.Contains(got.Refusal, "1 value") {
		t.Errorf("the plan is %+v", got)
	}
	change := b.retyping(t, f, schema.Number, true, "")
	got = b.plan(t, change)
	if got.PlanToken == "" || got.Lost != 1 || got.Refusal != "" || len(got.Losses) != 1 {
		t.Errorf("the plan is %+v", got)
	}
	want := `[{"id":"rec","before":{"V":"12"},"after":{"V":12}},` +
		`{"id":"rec","before":{"V":"soon"},"after":{"V":null}},` +
		`{"id":"rec","before":{"V":"7.5"},"after":{"V":7.5}}]`
	if diff := cmp.Diff(want, samples(got)); diff != "" {
		t.Error(diff)
	}
	if b.schema(t, table).FieldByName("V").Type() != schema.Text {
		t.Error("the plan has changed the field")
	}
	if _, err := b.perform(t, change, got.PlanToken); err != nil {
		t.Fatal(err)
	}
	_, records := b.list(t, table, query.Request{Limit: 100})
	if records[0].Fields["V"] != 12.0 || records[1].Fields["V"] != nil || records[3].Fields["V"] != 7.5 {
		t.Error(records)
	}

	// What only storing the values finds out is found out by the plan too.
	b.create(t, table, `{"V":12}`)
	_, err := b.perform(t, b.retyping(t, b.schema(t, table).FieldByName("V"), schema.Text, true, `{"unique":true}`), "")
	wantCode(t, err, "not_unique")
	if b.schema(t, table).FieldByName("V").Type() != schema.Number {
		t.Error("the plan has changed the field")
	}
}

func TestChangeOfOptionsIsPlanned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text),
		field("State", schema.SingleSelect, `{"options":["Open","Done","Gone"]}`))
	b.create(t, table, `{"State":"Open"}`, `{"State":"Gone"}`, `{"State":"Done"}`)
	f := b.schema(t, table).FieldByName("State")
	change := func(discard bool) schemaChange {
		return schemaChange{fmt.Sprint("options", discard), func(ctx context.Context, s *catalog.Store) error {
			return s.UpdateField(ctx, b.actor.Org, f.ID, catalog.FieldPatch{
				Config:  json.RawMessage(`{"options":[{"name":"New","previousName":"Open"},"Done"]}`),
				Discard: discard,
			})
		}}
	}
	got := b.plan(t, change(false))
	if got.PlanToken != "" || got.Lost != 1 || !strings.Contains(got.Refusal, "Gone") {
		t.Errorf("the plan is %+v", got)
	}
	got = b.plan(t, change(true))
	want := `[{"id":"rec","before":{"State":"Open"},"after":{"State":"New"}},` +
		`{"id":"rec","before":{"State":"Gone"},"after":{"State":null}}]`
	if diff := cmp.Diff(want, samples(got)); diff != "" || got.Lost != 1 || got.PlanToken == "" {
		t.Errorf("%+v %s", got, diff)
	}
	_, records := b.list(t, table, query.Request{Limit: 100})
	if records[0].Fields["State"] != "Open" {
		t.Error("the plan has changed records")
	}
	if _, err := b.perform(t, change(true), got.PlanToken); err != nil {
		t.Fatal(err)
	}
	_, records = b.list(t, table, query.Request{Limit: 100})
	if records[0].Fields["State"] != "New" || records[1].Fields["State"] != nil {
		t.Error(records)
	}
}

// Several processes get the same token at the same moment.
func TestPlanOfASchemaChangeIsAppliedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("V", schema.Text))
	f := b.schema(t, table).FieldByName("V")
	change := schemaChange{"rename", func(ctx context.Context, s *catalog.Store) error {
		name := "Renamed"
		return s.UpdateField(ctx, b.actor.Org, f.ID, catalog.FieldPatch{Name: &name})
	}}
	token := b.plan(t, change).PlanToken
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = b.perform(t, change, token) })
	}
	all.Wait()
	applied := 0
	for _, err := range errs {
		if err == nil {
			applied++
			continue
		}
		wantCode(t, err, "plan_used")
	}
	if applied != 1 {
		t.Errorf("the plan was applied %d times", applied)
	}
}

// valuesIn returns what is not empty.
func valuesIn(model map[string]string) map[string]string {
	out := maps.Clone(model)
	maps.DeleteFunc(out, func(_, v string) bool { return v == "" })
	return out
}

// A plan of a change of type is applied as it was shown or refused, whatever others write in between.
func TestSchemaPlansBetweenRandomWrites(t *testing.T) {
	t.Parallel()
	rounds := 25
	if more, err := strconv.Atoi(os.Getenv("INTERLEAVINGS")); err == nil {
		rounds = more
	}
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("V", schema.Text))
	random := rand.New(rand.NewPCG(26, 7))
	model := map[string]string{} // V by id, as text
	words := []string{"1", "2", "x", "y", ""}
	for range 8 {
		value := words[random.IntN(len(words))]
		model[b.create(t, table, fmt.Sprintf(`{"V":%q}`, value))[0].ID] = value
	}
	applied, refused := 0, 0
	for range rounds {
		f := b.schema(t, table).FieldByName("V")
		change := b.retyping(t, f, schema.Number, true, "")
		seen := b.plan(t, change)
		before, lost := valuesIn(model), 0
		for _, v := range before {
			if v == "x" || v == "y" {
				lost++
			}
		}
		if int(*seen.Records) != len(before) || seen.Lost != lost {
			t.Fatalf("the plan is of %d values and loses %d, and not %d and %d", *seen.Records, seen.Lost,
				len(before), lost)
		}
		for range random.IntN(4) {
			_, records := b.list(t, table, query.Request{Limit: 100})
			one := records[random.IntN(len(records))].ID
			switch random.IntN(4) {
			case 0:
				b.updateOne(t, one, fmt.Sprintf(`{"Name":"n%d"}`, random.IntN(100)))
			case 1:
				value := words[random.IntN(len(words))]
				model[b.create(t, table, fmt.Sprintf(`{"V":%q}`, value))[0].ID] = value
			case 2:
				if len(records) > 4 {
					if _, err := b.engine.DeleteOne(t.Context(), b.actor, one); err != nil {
						t.Fatal(err)
					}
					delete(model, one)
				}
			default:
				model[one] = words[random.IntN(len(words))]
				b.updateOne(t, one, fmt.Sprintf(`{"V":%q}`, model[one]))
			}
		}
		// A record without a value that comes or goes has no part in the plan.
		_, err := b.perform(t, change, seen.PlanToken)
		if !maps.Equal(before, valuesIn(model)) {
			wantCode(t, err, "plan_moved")
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		applied++
		_, records := b.list(t, table, query.Request{Limit: 100})
		for _, r := range records {
			var want any
			if n, err := strconv.ParseFloat(model[r.ID], 64); err == nil {
				want = n
			}
			if r.Fields["V"] != want {
				t.Fatalf("%s has %v and not %v", r.ID, r.Fields["V"], want)
			}
		}
		// Back to texts, as they were.
		back := b.retyping(t, b.schema(t, table).FieldByName("V"), schema.Text, true, "")
		if err := back.do(t.Context(), b.store); err != nil {
			t.Fatal(err)
		}
		for id, v := range model {
			b.updateOne(t, id, fmt.Sprintf(`{"V":%q}`, v))
		}
	}
	if applied == 0 || refused == 0 {
		t.Errorf("%d plans were applied and %d refused", applied, refused)
	}
	t.Logf("%d plans were applied and %d refused", applied, refused)
}

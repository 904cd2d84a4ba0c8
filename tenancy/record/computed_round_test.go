package record_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A field that comes back from the trash may close a round. Its fields are errors, those that read them are
// computed from these, and all heal once the round is open.
func TestARoundThatTheTrashClosesIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor.Org
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	c := b.addField(t, u, formulaField("C", "{N} + 1"))
	a := b.addField(t, u, formulaField("A", "{C} + 1"))
	b.addField(t, u, formulaField("B", "{A} + 1"))
	b.create(t, u, `{"Name":"r","N":1}`)
	rewrite := func(text string) {
		raw, err := json.Marshal(map[string]string{"formula": text})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.store.UpdateField(t.Context(), org, c.ID, catalog.FieldPatch{Config: raw}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.store.DeleteField(t.Context(), org, a.ID); err != nil {
		t.Fatal(err)
	}
	rewrite("{B} + 1")
	_, err := b.store.Restore(t.Context(), org, catalog.TrashRequest{Items: []string{a.PublicID()}, Base: b.base})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"A", "B", "C"} {
		if got := b.schema(t, u).FieldByName(name).Computed.Broken; got != "it computes from itself" {
			t.Errorf("%s: %q", name, got)
		}
	}
	// Another field may read one of them, and has a value where it does not need that one.
	b.addField(t, u, formulaField("Rest", "IF({N} = 1, {N}, {C})"))
	b.addField(t, u, formulaField("Reader", "{C} + 1"))
	_, rows := b.list(t, u, query.Request{Filters: []byte(`[{"fieldId":"C","op":"is_error"},` +
		`{"fieldId":"Reader","op":"is_error"}]`)})
	if got := text(column(rows, "Rest")); got != `[1]` {
		t.Error(got)
	}
	rewrite("{N} + 1")
	_, rows = b.list(t, u, query.Request{})
	if got := text(column(rows, "B")) + text(column(rows, "Reader")); got != `[4][3]` {
		t.Error(got)
	}
}

// A field whose sources no longer fit keeps the type of its values when it gets another name, as those that read it
// expect.
func TestRenamingDoesNotChangeWhatAFieldComputes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor.Org
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	sum := b.addField(t, u, formulaField("Sum", "{N} + {N}"))
	b.create(t, u, `{"Name":"r","N":1}`)
	err := catalog.Retype(t.Context(), b.store, org, b.schema(t, u).FieldByName("N").ID, catalog.TypeChange{
		Type: schema.Text, Patch: catalog.FieldPatch{Discard: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	name := "Double"
	if err := b.store.UpdateField(t.Context(), org, sum.ID, catalog.FieldPatch{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if got := b.schema(t, u).FieldByName(name).Config.ResultType; got != "number" {
		t.Errorf("its values are of the type %s", got)
	}
	_, rows := b.list(t, u, query.Request{})
	if got := text(column(rows, name)); !strings.Contains(got, `"error":"source_missing"`) {
		t.Error(got)
	}
}

// A list with an error behind its first value is written as the error.
func TestAListIsTheErrorBehindItsFirstValue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	b.addField(t, u, formulaField("Half", "1 / {N}"))
	link := b.link(t, u, u, "To", true, true)
	raw, err := json.Marshal(map[string]string{"linkFieldId": link.PublicID(), "fieldId": "Half"})
	if err != nil {
		t.Fatal(err)
	}
	b.addField(t, u, field("Halves", schema.Type("lookup"), string(raw)))
	one := b.create(t, u, `{"Name":"one","N":1}`)[0].ID
	zero := b.create(t, u, `{"Name":"zero","N":0}`)[0].ID
	b.create(t, u, `{"Name":"both","To":["`+one+`","`+zero+`"]}`)
	_, rows := b.list(t, u, query.Request{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":"both"}]`)})
	if got := text(column(rows, "Halves")); !strings.HasPrefix(got, `[{"error":"division_by_zero"`) {
		t.Error(got)
	}
}

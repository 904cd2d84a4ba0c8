package record_test

import (
	"encoding/json"
	"testing"

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
		if err := b.store.UpdateField(t.Context(), org, c.ID, schema.FieldPatch{Config: raw}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.store.DeleteField(t.Context(), org, a.ID); err != nil {
		t.Fatal(err)
	}
	rewrite("{B} + 1")
	_, err := b.store.Restore(t.Context(), org, schema.TrashRequest{Items: []string{a.PublicID()}, Base: b.base})
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

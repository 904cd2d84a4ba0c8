package revert_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestRecordsComeBackToTheirPlacesOnTheOtherSide(t *testing.T) {
	t.Parallel()
	w := setup(t)
	left, right := w.table("Left", field("Name", schema.Text)), w.table("Right", field("Name", schema.Text))
	w.link(left, right, "Many", true, true)
	left, right = w.schema(left.ID), w.schema(right.ID)
	inverse := right.Fields[1].Name
	a := w.hand("key_a")
	ls := a.create(left, `{"Name":"0"}`, `{"Name":"1"}`, `{"Name":"2"}`)
	r := a.create(right, `{"Name":"r"}`)[0]
	list := func(ids ...string) string {
		raw, err := json.Marshal(map[string]any{inverse: ids})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	a.update(r, list(ls[2], ls[0], ls[1]))
	check := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, one := range w.get(r).Fields[inverse].([]any) {
			got = append(got, one.(string))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: the other side holds %v and not %v", what, got, want)
		}
	}
	restore := func(ids ...string) {
		t.Helper()
		if err := restored(a.revert.Restore(a.ctx, w.actor, left.ID, ids, false)); err != nil {
			t.Fatal(err)
		}
	}
	a.delete(left, ls[0])
	restore(ls[0])
	check("restored", ls[2], ls[0], ls[1])
	h := w.hand("key_b")
	h.delete(left, ls[2], ls[0])
	w.must(revert.Fail, h.set)
	check("reverted", ls[2], ls[0], ls[1])
	a.delete(left, ls[0])
	ls = append(ls, a.create(left, `{"Name":"3","Many":["`+r+`"]}`)...)
	restore(ls[0])
	check("with one that has come since", ls[2], ls[0], ls[1], ls[3])

	a.delete(left, ls[0])
	// The service itself may only append to the log.
	old, err := tenancytest.Admin(t).Exec(t.Context(), "update "+changelog.Relation(w.actor.Org)+" set before = "+
		"jsonb_set(before, '{0}', (before -> 0) - $1::text) where kind = 3 and (before -> 0) ? $1",
		changelog.PlaceKey(&left.Fields[1].Field))
	if err != nil || old.RowsAffected() == 0 {
		t.Fatal(old, err)
	}
	restore(ls[0])
	check("of an entry without places", ls[2], ls[1], ls[3], ls[0])
}

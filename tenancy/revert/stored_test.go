package revert_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A field that computes becomes one that stores what was computed, and computes again when that is taken back.
func TestAComputedFieldBecomesAStoredOne(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx := t.Context()
	parts := w.table("Parts", field("Name", schema.Text), field("Price", schema.Number), field("Off", schema.Percent))
	orders := w.table("Orders", field("Name", schema.Text), field("N", schema.Number))
	w.link(orders, parts, "Parts", true, true)
	orders = w.schema(orders.ID)
	link, price, name := orders.FieldByName("Parts").PublicID(), parts.FieldByName("Price").PublicID(),
		parts.FieldByName("Name").PublicID()
	config := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	rollup := config(`{"linkFieldId":%q,"fieldId":%q,"function":"SUM"}`, link, price)
	cases := []struct {
		kind   schema.Type
		config string
		to     schema.Type
		want   []any
	}{
		{"formula", `{"formula":"{N} / 3"}`, schema.Number, []any{1.0, 2.0 / 3, 0.0}},
		{"formula", `{"formula":"{N} / 8","format":"percent"}`, schema.Percent, []any{37.5, 25.0, 0.0}},
		{"formula", `{"formula":"{Name} & \"!\""}`, schema.Text, []any{"a!", "b!", "c!"}},
		{"formula", `{"formula":"{N} > 2"}`, schema.Checkbox, []any{true, false, false}},
		{
			"formula", `{"formula":"IF({N}, DATEADD(\"2026-01-31\", {N}, \"days\"))"}`, schema.Date,
			[]any{"2026-02-03", "2026-02-02", nil},
		},
		{"formula", `{"formula":"{N} * 60","format":"duration"}`, schema.Duration, []any{180.0, 120.0, 0.0}},
		{"formula", `{"formula":"IF({N} > 2, \"hi\", \"lo\")"}`, schema.SingleSelect, []any{"hi", "lo", "lo"}},
		{"rollup", rollup, schema.Number, []any{12.0, 5.0, 0.0}},
		{"rollup", rollup, schema.Text, []any{"12", "5", "0"}},
		{"count", config(`{"linkFieldId":%q}`, link), schema.Number, []any{2.0, 1.0, 0.0}},
		{"lookup", config(`{"linkFieldId":%q,"fieldId":%q}`, link, name), schema.Text, []any{"p, q", "p", nil}},
		{
			"lookup", config(`{"linkFieldId":%q,"fieldId":%q}`, link, name), schema.MultiSelect,
			[]any{[]any{"p", "q"}, []any{"p"}, nil},
		},
	}
	h := w.hand("key_a")
	ps := h.create(parts, `{"Name":"p","Price":5,"Off":12.5}`, `{"Name":"q","Price":7}`)
	ids := h.create(orders, `{"Name":"a","N":3,"Parts":["`+ps[0]+`","`+ps[1]+`"]}`,
		`{"Name":"b","N":2,"Parts":["`+ps[0]+`"]}`, `{"Name":"c"}`)
	for i, c := range cases {
		called := fmt.Sprintf("F%d", i)
		made, err := w.store.CreateField(ctx, w.actor.Org, orders.ID, field(called, c.kind, c.config))
		if err != nil {
			t.Fatal(called, err)
		}
		values := func() []any {
			out := make([]any, len(ids))
			for i, one := range ids {
				out[i] = w.get(one).Fields[called]
			}
			return out
		}
		computed := values()
		h := w.hand("key_b")
		if err := catalog.Retype(h.ctx, h.schemas(), w.actor.Org, made.ID, catalog.TypeChange{Type: c.to}); err != nil {
			t.Errorf("%s %s: %v", c.kind, c.config, err)
			continue
		}
		if got := values(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s became %v and not %v", c.kind, c.config, got, c.want)
		}
		h.update(ids[0], `{"N":3,"`+called+`":null}`) // it can be written
		w.must(revert.Fail, h.set)
		if got := values(); !reflect.DeepEqual(got, computed) {
			t.Errorf("%s %s is %v after the undo, and was %v", c.kind, c.config, got, computed)
		}
		w.hand("key_c").update(ids[1], `{"N":4}`) // it computes again
		if c.kind == "formula" && reflect.DeepEqual(values(), computed) && i < 2 {
			t.Errorf("%s computes no more", c.config)
		}
		w.hand("key_c").update(ids[1], `{"N":2}`)
	}

	// Errors are losses. What reads the field goes on with what is stored.
	made, err := w.store.CreateField(ctx, w.actor.Org, orders.ID, field("Bad", "formula", `{"formula":"6 / {N}"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.CreateField(ctx, w.actor.Org, orders.ID,
		field("Reader", "formula", `{"formula":"{Bad} + 1"}`)); err != nil {
		t.Fatal(err)
	}
	b := w.hand("key_d")
	err = catalog.Retype(b.ctx, b.schemas(), w.actor.Org, made.ID, catalog.TypeChange{Type: schema.Number})
	if err == nil || !strings.Contains(err.Error(), `1 value of "Bad" would be lost`) ||
		!strings.Contains(err.Error(), "division_by_zero") {
		t.Fatalf("an error that is lost: %v", err)
	}
	in := catalog.TypeChange{Type: schema.Number, Patch: catalog.FieldPatch{Discard: true}}
	if err := catalog.Retype(b.ctx, b.schemas(), w.actor.Org, made.ID, in); err != nil {
		t.Fatal(err)
	}
	w.hand("key_e").update(ids[0], `{"Bad":10,"N":null}`)
	if got := w.get(ids[0]).Fields; got["Bad"] != 10.0 || got["Reader"] != 11.0 {
		t.Errorf("the stored field and its reader are %v", got)
	}
	if got := w.get(ids[2]).Fields; got["Bad"] != nil {
		t.Errorf("the lost value is %v", got["Bad"])
	}
}

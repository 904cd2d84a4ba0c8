package revert_test

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An evolution is a change of the schema: what it does, and what it makes of a boat for good, or what is left
// of it once it was taken back.
type evolution struct {
	name string
	do   func(h *harbour, hand *hand)
	// stays is what it makes of a boat; restored and reverted what it makes of it and is not taken back by
	// restoring the items or by reverting the change set.
	stays, restored, reverted func(boat map[string]any)
	noPorts                   bool // the table of ports is away
	restores, reverts         bool // it can be taken back so
	// keeps says that a boat which is restored before the change, or deleted before and restored after
	// it, loses for good what the change affects, which is noted.
	keeps bool
}

func untouched(map[string]any) {}

func set(name string, value any) func(map[string]any) {
	return func(boat map[string]any) { boat[name] = value }
}

func trashed(name string) func(h *harbour, hand *hand) {
	return func(h *harbour, hand *hand) {
		f := h.field(name)
		h.change(hand.schemas().DeleteField(hand.ctx, h.actor.Org, f.ID))
		h.items = []string{f.PublicID()}
	}
}

func patched(configs ...string) func(h *harbour, hand *hand) {
	return func(h *harbour, hand *hand) {
		for _, config := range configs {
			h.patch(hand, "Tag", config)
			h.patch(hand, "Tags", config)
		}
	}
}

func both(tag any, tags ...any) func(map[string]any) {
	return func(boat map[string]any) {
		boat["Tag"], boat["Tags"] = tag, nil
		if len(tags) > 0 {
			boat["Tags"] = tags
		}
	}
}

func retyped(name string, to schema.Type) func(h *harbour, hand *hand) {
	return func(h *harbour, hand *hand) {
		f := h.field(name)
		h.change(catalog.Retype(hand.ctx, hand.schemas(), h.actor.Org, f.ID,
			catalog.TypeChange{Type: to, Patch: catalog.FieldPatch{Discard: true}}))
		h.items = h.columns(f)
	}
}

// columns are the former columns of a field in the trash.
func (w *world) columns(f *schema.Field) []string {
	w.t.Helper()
	var items []string
	err := w.db.Tx(w.t.Context(), w.actor.Org, func(tx pgx.Tx) error {
		rows, err := tx.Query(w.t.Context(), "select id from rowhouse.trash where org_id = $1 and kind = 'column' and "+
			"object_id = $2 order by deleted_at desc limit 1", w.actor.Org, f.ID)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var u uuid.UUID
			if err := rows.Scan(&u); err != nil {
				return err
			}
			items = append(items, id.Format(id.Column, u))
		}
		return rows.Err()
	})
	w.change(err)
	return items
}

func evolutions() []*evolution {
	all := []*evolution{
		{name: "nothing", do: func(*harbour, *hand) {}, stays: untouched},
		{
			name: "a renamed option", do: patched(`{"options":[{"name":"x","previousName":"a"},"b","c"]}`),
			stays: both("x", "x", "b"), reverts: true,
		},
		{name: "an option renamed twice", do: patched(`{"options":[{"name":"x","previousName":"a"},"b","c"]}`,
			`{"options":[{"name":"y","previousName":"x"},"b","c"]}`), stays: both("y", "y", "b"), reverts: true},
		{
			name: "options that swap names",
			do: patched(
				`{"options":[{"name":"t","previousName":"a"},"b","c"]}`,
				`{"options":["t",{"name":"a","previousName":"b"},"c"]}`,
				`{"options":[{"name":"b","previousName":"t"},"a","c"]}`,
			),
			stays: both("b", "b", "a"),
		},
		{
			name:    "a removed option",
			do:      patched(`{"options":["b","c"]}`),
			stays:   both(nil, "b"),
			reverts: true,
			keeps:   true,
		},
		{name: "an option renamed and removed", do: patched(`{"options":[{"name":"x","previousName":"a"},"b","c"]}`,
			`{"options":["b","c"]}`), stays: both(nil, "b"), reverts: true, keeps: true},
		{name: "an option removed, and another with its name", do: patched(`{"options":["b","c"]}`,
			`{"options":[{"name":"a","previousName":"b"},"c"]}`), stays: both(nil, "a")},
		{
			name:  "an option removed and added again",
			do:    patched(`{"options":["b","c"]}`, `{"options":["a","b","c"]}`),
			stays: both(nil, "b"),
		},
		{name: "all options removed", do: patched(`{"options":["c"]}`), stays: both(nil), reverts: true, keeps: true},
		{name: "a number as text", do: retyped("N", schema.Text), stays: set("N", "5"), restores: true, reverts: true},
		{
			name:     "a text as number",
			do:       retyped("Text", schema.Number),
			stays:    set("Text", 7.0),
			restores: true,
			reverts:  true,
		},
		{
			name:     "an option as text",
			do:       retyped("Tag", schema.Text),
			stays:    set("Tag", "a"),
			restores: true,
			reverts:  true,
		},
		{
			name:     "an option as several",
			do:       retyped("Tag", schema.MultiSelect),
			stays:    set("Tag", []any{"a"}),
			restores: true,
			reverts:  true,
		},
		{
			name:     "options as text",
			do:       retyped("Tags", schema.Text),
			stays:    set("Tags", "a, b"),
			restores: true,
			reverts:  true,
		},
		{
			name:     "a number as a date",
			do:       retyped("N", schema.Date),
			stays:    set("N", nil),
			restores: true,
			reverts:  true,
		},
		{name: "a new field", do: func(h *harbour, hand *hand) {
			_, err := hand.schemas().CreateField(hand.ctx, h.actor.Org, h.boats.ID, field("New", schema.Checkbox))
			h.change(err)
		}, stays: set("New", false)},
		{
			name: "the linked table deleted", do: func(h *harbour, hand *hand) {
				h.change(hand.schemas().DeleteTable(hand.ctx, h.actor.Org, h.ports.ID))
				h.items = []string{h.ports.PublicID()}
			}, stays: func(boat map[string]any) { delete(boat, "Calls"); delete(boat, "Home") },
			noPorts: true, restores: true,
			reverts: true,
		},
		{
			name: "an option renamed, and its field deleted", do: func(h *harbour, hand *hand) {
				h.patch(hand, "Tag", `{"options":[{"name":"x","previousName":"a"},"b","c"]}`)
				trashed("Tag")(h, hand)
			}, stays: func(boat map[string]any) { delete(boat, "Tag") },
			restored: set("Tag", "x"), restores: true, reverts: true,
		},
		{
			name: "a type changed, and its field deleted", do: func(h *harbour, hand *hand) {
				retyped("N", schema.Text)(h, hand)
				trashed("N")(h, hand)
			}, stays: func(boat map[string]any) { delete(boat, "N") },
			restored: set("N", "5"), restores: true, reverts: true,
		},
	}
	for _, name := range []string{"Tag", "Tags", "N", "Done", "Calls", "Home"} {
		all = append(all, &evolution{
			name: name + " deleted", do: trashed(name), restores: true, reverts: true,
			stays: func(boat map[string]any) { delete(boat, name) },
		})
	}
	for _, e := range all {
		if e.restored == nil {
			e.restored = untouched
		}
		if e.reverted == nil {
			e.reverted = untouched
		}
	}
	return all
}

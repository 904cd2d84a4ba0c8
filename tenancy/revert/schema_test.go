package revert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (h *hand) schemas() *catalog.Store { return h.records.Schema() }

// outline is the schema of the base and every record in it, in words.
func (w *world) outline() map[string]string {
	w.t.Helper()
	snapshot, err := w.store.Fresh(w.t.Context(), w.actor.Org)
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]string{"base": snapshot.Base(w.base).Name}
	for _, t := range snapshot.Base(w.base).Tables {
		out[t.PublicID()] = fmt.Sprint(t.Name, t.Position)
		for _, f := range t.Fields {
			config, err := json.Marshal(f.Config)
			if err != nil {
				w.t.Fatal(err)
			}
			out[f.PublicID()] = fmt.Sprint(f.Name, f.Type(), string(config), f.Position, f.Hidden, f.Width, f.Number)
		}
		for _, v := range t.Views {
			config, err := json.Marshal(v.Config)
			if err != nil {
				w.t.Fatal(err)
			}
			out[v.PublicID()] = fmt.Sprint(v.Name, string(config), v.Access)
		}
		maps.Copy(out, w.all(t))
	}
	return out
}

func (w *world) same(what string, want map[string]string) {
	w.t.Helper()
	got := w.outline()
	for key, value := range want {
		if got[key] != value {
			w.t.Errorf("%s: %s is\n%s\nand was\n%s", what, key, got[key], value)
		}
	}
	for key, value := range got {
		if _, ok := want[key]; !ok {
			w.t.Errorf("%s: %s is there: %s", what, key, value)
		}
	}
}

func TestRevertTakesBackChangesOfTheSchema(t *testing.T) {
	t.Parallel()
	org := func(w *world) uuid.UUID { return w.actor.Org }
	ctx := t.Context()
	for name, change := range map[string]func(h *hand, w *world, table, other *schema.Table, ids []string){
		"a new field with values": func(h *hand, w *world, table, _ *schema.Table, ids []string) {
			_, err := h.schemas().CreateField(h.ctx, org(w), table.ID, field("New", schema.Number))
			h.change(err)
			h.update(ids[0], `{"New":1,"Name":"x"}`)
		},
		"a deleted field": func(h *hand, w *world, table, _ *schema.Table, ids []string) {
			h.update(ids[0], `{"Note":"changed"}`)
			h.change(h.schemas().DeleteField(h.ctx, org(w), table.FieldByName("Note").ID))
		},
		"a deleted link": func(h *hand, w *world, table, _ *schema.Table, ids []string) {
			h.change(h.schemas().DeleteField(h.ctx, org(w), table.FieldByName("Others").ID))
		},
		"a new table with records": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			fields := []catalog.FieldSpec{field("A", schema.Text)}
			made, err := h.schemas().CreateTable(h.ctx, org(w), w.base, "New", fields)
			h.change(err)
			h.create(w.schema(made.ID), `{"A":"a"}`)
			_, err = h.schemas().CreateField(h.ctx, org(w), made.ID, field("L", schema.LinkType,
				fmt.Sprintf(`{"linkedTableId":%q}`, table.PublicID())))
			h.change(err)
		},
		"a deleted table": func(h *hand, w *world, table, other *schema.Table, ids []string) {
			h.delete(table, ids[1])
			h.update(ids[0], `{"Name":"y"}`)
			h.change(h.schemas().DeleteTable(h.ctx, org(w), table.ID))
			h.create(w.schema(other.ID), `{"Name":"made after"}`)
		},
		"both tables deleted": func(h *hand, w *world, table, other *schema.Table, _ []string) {
			h.change(h.schemas().DeleteTable(h.ctx, org(w), table.ID))
			h.change(h.schemas().DeleteTable(h.ctx, org(w), other.ID))
		},
		"a type changed with losses": func(h *hand, w *world, table, _ *schema.Table, ids []string) {
			h.change(catalog.Retype(h.ctx, h.schemas(), org(w), table.FieldByName("Note").ID,
				catalog.TypeChange{Type: schema.Number, Patch: catalog.FieldPatch{Discard: true}}))
			h.update(ids[0], `{"Note":7}`)
		},
		"a type changed twice, and a name": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			name := "Renamed"
			u := table.FieldByName("Note").ID
			h.change(catalog.Retype(h.ctx, h.schemas(), org(w), u,
				catalog.TypeChange{Type: schema.Number, Patch: catalog.FieldPatch{Discard: true, Name: &name}}))
			h.change(catalog.Retype(h.ctx, h.schemas(), org(w), u,
				catalog.TypeChange{Type: schema.SingleSelect, Patch: catalog.FieldPatch{Discard: true}}))
		},
		"options renamed, removed and added": func(h *hand, w *world, table, _ *schema.Table, ids []string) {
			h.change(h.schemas().UpdateField(h.ctx, org(w), table.FieldByName("Tags").ID, catalog.FieldPatch{
				Config:  json.RawMessage(`{"options":[{"name":"A","previousName":"a"},{"name":"c"}]}`),
				Discard: true,
			}))
			h.update(ids[0], `{"Tags":["c"]}`)
		},
		"a field made unique": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			h.change(h.schemas().UpdateField(h.ctx, org(w), table.FieldByName("Note").ID,
				catalog.FieldPatch{Config: json.RawMessage(`{"unique":true}`)}))
		},
		"a link that takes one record": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			h.change(h.schemas().UpdateField(h.ctx, org(w), table.FieldByName("Others").ID,
				catalog.FieldPatch{Config: json.RawMessage(`{"multiple":false}`)}))
			if got := w.schema(table.ID).FieldByName("Same").Config.ResultType; got != "text" {
				w.t.Errorf("what reads the lookup is of %s", got)
			}
		},
		"views": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			by := schema.Viewer{Person: w.actor.Person, Admin: true}
			spec := catalog.ViewSpec{Type: schema.Grid, Name: "V", By: by}
			_, err := h.schemas().CreateView(h.ctx, org(w), table.ID, spec)
			h.change(err)
			config := schema.ViewConfig{"hiddenFields": json.RawMessage(
				fmt.Sprintf("[%q]", table.FieldByName("Note").PublicID()))}
			patch := catalog.ViewPatch{Config: config, By: by}
			h.change(h.schemas().UpdateView(h.ctx, org(w), table.Views[0].ID, patch))
			h.change(h.schemas().DeleteField(h.ctx, org(w), table.FieldByName("Note").ID))
		},
		"names, and the order of fields": func(h *hand, w *world, table, _ *schema.Table, _ []string) {
			name, first := "Renamed", 1.0
			h.change(h.schemas().UpdateTable(h.ctx, org(w), table.ID, catalog.Patch{Name: &name}))
			h.change(h.schemas().UpdateBase(h.ctx, org(w), w.base, catalog.Patch{Name: &name}, nil))
			moved := catalog.FieldPatch{Position: &first}
			h.change(h.schemas().UpdateField(h.ctx, org(w), table.FieldByName("Tags").ID, moved))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			ctx = context.WithoutCancel(ctx)
			other := w.table("Other", field("Name", schema.Text))
			table := w.table("T", field("Name", schema.Text), field("Note", schema.Text),
				field("Tags", schema.MultiSelect, `{"options":["a","b"]}`))
			w.link(table, other, "Others", true, true)
			for _, spec := range []catalog.FieldSpec{
				field("Names", "lookup", `{"linkFieldId":"Others","fieldId":"Name"}`),
				field("Same", "formula", `{"formula":"{Names}"}`),
			} {
				if _, err := w.store.CreateField(ctx, org(w), table.ID, spec); err != nil {
					t.Fatal(err)
				}
			}
			table, other = w.schema(table.ID), w.schema(other.ID)
			first := w.hand("key_a")
			far := first.create(other, `{"Name":"o1"}`, `{"Name":"o2"}`)
			ids := first.create(table,
				fmt.Sprintf(`{"Name":"a","Note":"12","Tags":["a","b"],"Others":[%q,%q]}`, far[1], far[0]),
				`{"Name":"b","Note":"no number","Tags":["b"]}`)
			before := w.outline()
			h := w.hand("key_b")
			change(h, w, table, other, ids)
			changed := w.outline()

			dry, err := w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base,
				revert.Request{ChangeSets: []uuid.UUID{h.set}, DryRun: true})
			if err != nil {
				t.Fatal(err)
			}
			w.same("a dry run", changed)
			plan, undone := w.must(revert.Fail, h.set)
			if fmt.Sprint(plan.Schema, plan.Tables) != fmt.Sprint(dry.Schema, dry.Tables) || len(plan.Schema) == 0 {
				t.Errorf("the plan is %+v, and the dry run said %+v", plan, dry)
			}
			w.same("the revert", before)
			_, redone := w.must(revert.Fail, undone)
			w.same("the redo", changed)
			w.must(revert.Fail, redone)
			w.same("the second revert", before)
		})
	}
}

func TestObjectsThatOthersHaveChangedAreConflicts(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("Note", schema.Text))
	one := w.hand("key_a").create(table, `{"Name":"a","Note":"1"}`)[0]
	org := w.actor.Org

	ours := w.hand("key_b")
	made, err := ours.schemas().CreateField(ours.ctx, org, table.ID, field("New", schema.Text))
	ours.change(err)
	name := "Ours"
	note := table.FieldByName("Note").ID
	ours.change(ours.schemas().UpdateField(ours.ctx, org, note, catalog.FieldPatch{Name: &name}))
	theirs := w.hand("key_c")
	theirs.update(one, `{"New":"theirs"}`)
	name = "Theirs"
	theirs.change(theirs.schemas().UpdateField(theirs.ctx, org, note, catalog.FieldPatch{Name: &name}))
	before := w.outline()

	_, err = w.hand("key_d").undo(revert.Fail, ours.set)
	var refused *problem.Error
	if !errors.As(err, &refused) || refused.Code != "revert_conflict" {
		t.Fatalf("got %v", err)
	}
	var plan revert.Plan
	if err := json.Unmarshal(refused.Current, &plan); err != nil {
		t.Fatal(err)
	}
	if plan.ConflictCount != 2 || plan.Conflicts[0].ObjectID != made.PublicID() ||
		plan.Conflicts[0].By == nil || plan.Conflicts[0].By.Credential != "key_c" ||
		plan.Conflicts[1].Property != "name" {
		t.Errorf("the conflicts are %s", refused.Current)
	}
	w.same("a refused revert", before)
	w.must(revert.Skip, ours.set)
	w.same("what was skipped", before)
	w.must(revert.Overwrite, ours.set)
	if after := w.schema(table.ID); after.FieldByName("New") != nil || after.FieldByName("Note") == nil {
		t.Errorf("overwritten: %v", w.outline())
	}
}

func TestRevertOfTheSchemaNeedsItsRights(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("Note", schema.Text))
	h := w.hand("key_b")
	h.change(h.schemas().DeleteField(h.ctx, w.actor.Org, table.FieldByName("Note").ID))
	denied := problem.Forbidden("no")
	for name, in := range map[string]revert.Request{
		"views": {MayView: denied, MayDefine: denied}, "fields": {MayDefine: denied},
	} {
		in.ChangeSets = []uuid.UUID{h.set}
		if _, err := w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base, in); !errors.Is(err, denied) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if w.schema(table.ID).FieldByName("Note") != nil {
		t.Error("it is back")
	}
}

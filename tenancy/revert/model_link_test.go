package revert_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A linkWorld is tables with links of each form between them and within one.
type linkWorld struct {
	*world
	tables []*schema.Table
}

func linkedTables(t *testing.T) *linkWorld {
	t.Helper()
	w := setup(t)
	first, second := w.table("First", field("Name", schema.Text)), w.table("Second", field("Name", schema.Text))
	own := w.table("Own", field("Name", schema.Text))
	w.link(first, second, "Many", true, true)
	w.link(first, second, "One", false, true)
	w.link(second, first, "Only", false, false)
	w.link(own, own, "Parent", false, true)
	w.link(own, own, "Twin", false, false)
	w.link(own, own, "Friends", true, true)
	return &linkWorld{w, []*schema.Table{w.schema(first.ID), w.schema(second.ID), w.schema(own.ID)}}
}

func (w *linkWorld) living(table *schema.Table) []string {
	var ids []string
	for one := range w.all(table) {
		ids = append(ids, one)
	}
	slices.Sort(ids)
	return ids
}

func (w *linkWorld) object(rt *rapid.T, table *schema.Table) string {
	values := map[string]any{}
	for _, f := range table.Fields {
		if f.Link == nil || rapid.IntRange(0, 3).Draw(rt, "field") > 0 {
			continue
		}
		at := slices.IndexFunc(w.tables, func(t *schema.Table) bool { return t.ID == f.Link.LinkedTable })
		there := w.living(w.tables[at])
		most := min(3, len(there))
		if f.Single() {
			most = min(1, len(there))
		}
		list := []string{}
		for range rapid.IntRange(0, most).Draw(rt, "links") {
			if one := rapid.SampledFrom(there).Draw(rt, "link"); !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
		values[f.Name] = list
	}
	if rapid.Bool().Draw(rt, "named") {
		values["Name"] = rapid.SampledFrom([]string{"x", "y", ""}).Draw(rt, "name")
	}
	raw, err := json.Marshal(values)
	if err != nil {
		rt.Fatal(err)
	}
	return string(raw)
}

func (w *linkWorld) step(rt *rapid.T, h *hand) {
	table := w.tables[rapid.IntRange(0, len(w.tables)-1).Draw(rt, "table")]
	there := w.living(table)
	switch what := rapid.IntRange(0, 9).Draw(rt, "what"); {
	case len(there) < 2 || what == 0:
		h.create(table, w.object(rt, table), w.object(rt, table))
	case what == 1:
		first := rapid.IntRange(0, len(there)-1).Draw(rt, "first")
		h.delete(table, there[first:min(len(there), first+2)]...)
	default:
		h.update(rapid.SampledFrom(there).Draw(rt, "record"), w.object(rt, table))
	}
}

// A record that is its own parent gets another one, and gives up its children, in one request.
func TestUndoOfBothSidesOfALinkToItself(t *testing.T) {
	t.Parallel()
	w := linkedTables(t)
	table := w.tables[2]
	h := w.hand("key_0")
	h.create(table, `{"Name":"A"}`, `{"Name":"B"}`)
	there := w.living(table)
	for _, one := range there {
		h.update(one, fmt.Sprintf(`{"Parent":[%q]}`, there[0]))
	}
	before := w.all(table)
	h = w.hand("key_a")
	h.update(there[0], fmt.Sprintf(`{"Parent":[%q],"Own":[]}`, there[1]))
	if _, err := w.hand("key_u").undo(revert.Fail, h.set); err != nil {
		t.Fatal(err)
	}
	if now := w.all(table); !sameLinks(now, before) {
		t.Errorf("it is\n%v\nand not\n%v", now, before)
	}
}

// Undoing change sets from the last one on, and redoing them, leads through the same states.
func TestUndoAndRedoLeadThroughTheSameStates(t *testing.T) {
	t.Parallel()
	w := linkedTables(t)
	rapid.Check(t, func(rt *rapid.T) {
		for _, table := range w.tables {
			if there := w.living(table); len(there) > 0 {
				w.hand("key_0").delete(table, there...)
			}
		}
		type undoable struct {
			set    uuid.UUID
			before map[string]string
		}
		var done []undoable
		for range rapid.IntRange(1, 5).Draw(rt, "sets") {
			h := w.hand("key_a")
			before := w.all(w.tables...)
			for range rapid.IntRange(1, 4).Draw(rt, "steps") {
				w.step(rt, h)
			}
			done = append(done, undoable{h.set, before})
		}
		var undone []undoable
		for range rapid.IntRange(1, 8).Draw(rt, "moves") {
			if len(done)+len(undone) == 0 {
				break
			}
			from, to := &done, &undone
			if len(done) == 0 || len(undone) > 0 && rapid.Bool().Draw(rt, "redo") {
				from, to = &undone, &done
			}
			last := (*from)[len(*from)-1]
			*from = (*from)[:len(*from)-1]
			before := w.all(w.tables...)
			h := w.hand("key_u")
			plan, err := h.undo(revert.Fail, last.set)
			if problem.KindOf(err) == problem.KindNotFound && err != nil && sameLinks(before, last.before) {
				continue // it has changed nothing
			}
			var refused *problem.Error
			if errors.As(err, &refused) {
				rt.Fatalf("%v: %s", err, refused.Current)
			}
			if err != nil {
				rt.Fatal(err)
			}
			if now := w.all(w.tables...); !sameLinks(now, last.before) {
				rt.Fatalf("it is\n%v\nand not\n%v\nafter %+v", now, last.before, plan)
			}
			if plan.Records > 0 {
				*to = append(*to, undoable{h.set, before})
			}
		}
	})
}

package revert_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (h *hand) toVersion(table *schema.Table, one string, version int64, dry bool) (revert.VersionPlan, error) {
	return h.revert.RestoreVersion(h.ctx, h.actor, table.ID, revert.VersionRequest{
		Record: one, Moment: changelog.Moment(version), DryRun: dry,
	})
}

func TestARecordIsSetToWhatItWas(t *testing.T) {
	t.Parallel()
	w := setup(t)
	left := w.table("Left", field("Name", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox),
		field("Tags", schema.MultiSelect, `{"options":["a","b","c"]}`))
	right := w.table("Right", field("Name", schema.Text))
	w.link(left, right, "Many", true, true)
	left, right = w.schema(left.ID), w.schema(right.ID)
	a, b, c := w.hand("key_a"), w.hand("key_b"), w.hand("key_c")
	rs := a.create(right, `{"Name":"r0"}`, `{"Name":"r1"}`, `{"Name":"r2"}`)
	ls := a.create(left, `{"Name":"x","N":1,"Tags":["b","a"],"Many":["`+rs[1]+`","`+rs[0]+`"]}`, `{"Name":"y"}`)
	before, was := w.all(left, right), w.get(ls[0])
	b.update(ls[0], `{"Name":"x2","Done":true,"Tags":null,"Many":["`+rs[2]+`"]}`)
	middle := w.get(ls[0])
	b.update(rs[0], `{"`+inverseName(w, left)+`":["`+ls[0]+`"]}`)
	c.update(ls[0], `{"N":null,"Name":"x3"}`)
	changed := w.all(left, right)

	dry, err := w.hand("key_d").toVersion(left, ls[0], was.Version, true)
	if err != nil || !maps.Equal(w.all(left, right), changed) {
		t.Fatalf("a dry run: %v", err)
	}
	d := w.hand("key_d")
	plan, err := d.toVersion(left, ls[0], was.Version, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.all(left, right); !maps.Equal(got, before) {
		t.Fatalf("restored\n%v\nand not\n%v", got, before)
	}
	shown, _ := json.Marshal(plan.Changes)
	planned, _ := json.Marshal(dry.Changes)
	if string(shown) != string(planned) || len(plan.Changes) != 5 || len(plan.Notes) != 0 ||
		!strings.Contains(string(shown), `"from":"x3","to":"x"`) {
		t.Errorf("it did %s and not %s, with the notes %v", shown, planned, plan.Notes)
	}
	if now := w.get(ls[0]).Version; plan.Version != now || dry.Version == now {
		t.Errorf("its version is %d, and told to be %d", now, plan.Version)
	}
	// It is one change set, which is taken back at once.
	w.must(revert.Fail, d.set)
	if got := w.all(left, right); !maps.Equal(got, changed) {
		t.Fatalf("undone\n%v\nand not\n%v", got, changed)
	}
	if plan, err = w.hand("key_e").toVersion(left, ls[0], middle.Version, false); err != nil {
		t.Fatal(err)
	}
	if got := w.get(ls[0]).Fields; got["Name"] != "x2" || got["N"] != 1.0 || got["Done"] != true {
		t.Errorf("the middle version is %v by %v", got, plan)
	}
	if plan, err = w.hand("key_e").toVersion(left, ls[0], w.get(ls[0]).Version, false); err != nil ||
		len(plan.Changes) > 0 {
		t.Errorf("its own version: %v %v", plan, err)
	}
	_, err = w.hand("key_e").toVersion(left, ls[0], was.Version-1, false)
	if problem.KindOf(err) != problem.KindConflict || !strings.Contains(err.Error(), "was not there at") {
		t.Errorf("before it was there: %v", err)
	}

	// What cannot come back is noted, and the rest comes.
	a.delete(right, rs[1])
	patch := catalog.FieldPatch{Config: json.RawMessage(`{"options":["a","c"]}`), Discard: true}
	if err := w.store.UpdateField(t.Context(), w.actor.Org, left.FieldByName("Tags").ID, patch); err != nil {
		t.Fatal(err)
	}
	if plan, err = w.hand("key_f").toVersion(left, ls[0], was.Version, false); err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(plan.Notes, " ")
	if !strings.Contains(notes, `option "b"`) || !strings.Contains(notes, "1 of the records") || len(plan.Notes) != 2 {
		t.Errorf("the notes are %v", plan.Notes)
	}
	if got := w.get(ls[0]).Fields; got["Name"] != "x" || len(got["Tags"].([]any)) != 1 ||
		len(got["Many"].([]any)) != 1 {
		t.Errorf("it is %v", got)
	}
	// A record that was deleted since comes back as it was.
	a.delete(left, ls[0])
	if plan, err = w.hand("key_g").toVersion(left, ls[0], was.Version, false); err != nil || !plan.Restored {
		t.Fatal(plan, err)
	}
	if got := w.get(ls[0]).Fields; got["Name"] != "x" || got["N"] != 1.0 {
		t.Errorf("it came back as %v", got)
	}
}

func TestARecordIsSetToWhatItWasOnlyInTheVersionThatIsDemanded(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	one := w.hand("key_a").create(table, `{"Name":"a"}`)[0]
	was := w.get(one)
	w.hand("key_a").update(one, `{"Name":"b"}`)
	h := w.hand("key_b")
	_, err := h.revert.RestoreVersion(h.ctx, w.actor, table.ID, revert.VersionRequest{
		Record: one, Moment: changelog.Moment(was.Version), Demanded: &was.Version,
	})
	if problem.KindOf(err) != problem.KindPrecondition || w.get(one).Fields["Name"] != "b" {
		t.Errorf("want a failed precondition, not %v", err)
	}
	other := w.table("Other", field("Name", schema.Text))
	if _, err := h.toVersion(other, one, was.Version, false); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a record of another table: %v", err)
	}
}

// inverseName is what the inverse of the only link of a table is called.
func inverseName(w *world, t *schema.Table) string {
	f := t.FieldByName("Many")
	return w.schema(f.Link.LinkedTable).Fields[1].Name
}

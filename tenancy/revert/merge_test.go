package revert_test

import (
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (h *hand) merge(table *schema.Table, in record.Merge) record.Merged {
	h.t.Helper()
	out, err := h.records.Merge(h.ctx, h.actor, table.ID, in)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func TestAMergeUnitesRecordsAndCanBeRevertedAndRedone(t *testing.T) {
	t.Parallel()
	w := setup(t)
	people := w.table("People", field("Name", schema.Text))
	table := w.table("T", field("Name", schema.Text), field("Mail", schema.Email, `{"unique":true}`),
		field("N", schema.Number), field("Done", schema.Checkbox),
		field("Tags", schema.MultiSelect, `{"options":["a","b","c"]}`), field("No", schema.AutoNumber),
		field("Doc", schema.JSON))
	w.link(table, people, "Staff", true, false) // a person is of one company
	w.link(table, people, "Friends", true, true)
	w.link(table, people, "Boss", false, true)
	w.link(table, table, "Parents", true, true)
	h := w.hand("key_a")
	p := h.create(people, `{"Name":"p0"}`, `{"Name":"p1"}`, `{"Name":"p2"}`)
	ids := h.create(table,
		fmt.Sprintf(`{"Name":"keep","Tags":["b"],"Doc":[1],"Friends":[%q],"Staff":[%q]}`, p[0], p[0]),
		fmt.Sprintf(`{"Name":"m1","Mail":"a@example.com","Tags":["a","b"],"Doc":[2],"Friends":[%q,%q],"Staff":[%q],`+
			`"Boss":[%q]}`, p[1], p[0], p[1], p[1]),
		fmt.Sprintf(`{"Name":"m2","Mail":"b@example.com","N":7,"Done":true,"Tags":["c"],"Friends":[%q],"Boss":[%q]}`,
			p[2], p[2]),
		`{"Name":"other"}`)
	h.update(ids[3], fmt.Sprintf(`{"Parents":[%q,%q]}`, ids[1], ids[3]))
	h.update(ids[0], fmt.Sprintf(`{"Parents":[%q]}`, ids[1]))
	inverse := w.schema(people.ID).Fields[2].Name // of Friends
	h.update(p[1], fmt.Sprintf(`{%q:[%q,%q]}`, inverse, ids[1], ids[3]))
	before := w.all(table, people)

	in := record.Merge{Keep: ids[0], Merge: ids[1:3], Fields: object(`{"Name":"chosen"}`), DryRun: true}
	dry := w.hand("key_b").merge(table, in)
	if got := w.all(table, people); !maps.Equal(got, before) {
		t.Fatal("a dry run wrote something")
	}
	in.DryRun = false
	by := w.hand("key_b")
	done := by.merge(table, in)
	want := map[string]any{
		"Name": "chosen", "Mail": "a@example.com", "N": 7.0, "Done": true, "Tags": []any{"b", "a", "c"},
		"Doc":     []any{1.0},
		"Friends": []any{p[0], p[1], p[2]}, "Staff": []any{p[0], p[1]}, "Boss": []any{p[1]}, "Parents": nil,
	}
	for _, merged := range []record.Merged{dry, done} {
		got := w.decode(merged.Record)
		for name, value := range want {
			if !reflect.DeepEqual(got.Fields[name], value) {
				t.Errorf("%s is %v, want %v (dry run: %t)", name, got.Fields[name], value, merged.DryRun)
			}
		}
		if merged.Links != 5 || len(merged.Merged) != 2 {
			t.Errorf("%d links of %v", merged.Links, merged.Merged)
		}
	}
	if got := w.get(p[1]).Fields[inverse]; !reflect.DeepEqual(got, []any{ids[0], ids[3]}) {
		t.Errorf("the other record links %v", got)
	}
	if got := w.get(ids[3]).Fields["Parents"]; !reflect.DeepEqual(got, []any{ids[0], ids[3]}) {
		t.Errorf("the record of the same table links %v", got)
	}
	after := w.all(table, people)
	if len(after) != len(before)-2 {
		t.Errorf("%d records are left", len(after))
	}
	_, undone := w.must(revert.Fail, by.set)
	if got := w.all(table, people); !maps.Equal(got, before) {
		t.Fatalf("after the revert\n%v\nbefore\n%v", got, before)
	}
	w.must(revert.Fail, undone)
	// The places in the lists of other records are not redone.
	if got := w.all(table, people); got[ids[0]] != after[ids[0]] || len(got) != len(after) {
		t.Fatalf("after the redo\n%v\nbefore\n%v", got, after)
	}
}

func TestAMergeSaysWhatItCannotDo(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("N", schema.Number))
	h := w.hand("key_a")
	ids := h.create(table, `{"Name":"a","N":1}`, `{"Name":"b"}`)
	stale := w.get(ids[0]).Version
	h.update(ids[0], `{"N":2}`)
	many := make([]string, record.MaxMerged+1)
	before := w.all(table)
	for name, test := range map[string]struct {
		in   record.Merge
		kind problem.Kind
	}{
		"nothing":       {record.Merge{Keep: ids[0]}, problem.KindInvalid},
		"too many":      {record.Merge{Keep: ids[0], Merge: many}, problem.KindInvalid},
		"itself":        {record.Merge{Keep: ids[0], Merge: ids[:1]}, problem.KindInvalid},
		"twice":         {record.Merge{Keep: ids[0], Merge: []string{ids[1], ids[1]}}, problem.KindInvalid},
		"no record":     {record.Merge{Keep: ids[0], Merge: []string{"rec_x"}}, problem.KindNotFound},
		"a wrong value": {record.Merge{Keep: ids[0], Merge: ids[1:], Fields: object(`{"N":"x"}`)}, problem.KindInvalid},
		"an old version": {
			record.Merge{Keep: ids[0], Merge: ids[1:], Version: &stale}, problem.KindPrecondition,
		},
	} {
		if _, err := h.records.Merge(h.ctx, w.actor, table.ID, test.in); problem.KindOf(err) != test.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := w.all(table); !maps.Equal(got, before) {
		t.Errorf("now there is %v", got)
	}
	h.delete(table, ids[1])
	_, err := h.records.Merge(h.ctx, w.actor, table.ID, record.Merge{Keep: ids[0], Merge: ids[1:]})
	if problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a record that is gone: %v", err)
	}
}

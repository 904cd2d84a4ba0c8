package revert_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A record whose other values have grown since has no room for its former values.
func TestRecordsThatWouldBeTooLargeAreConflicts(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("A", schema.LongText), field("B", schema.LongText),
		field("Key", schema.Text, `{"unique":true}`))
	long := strings.Repeat("x", 700_000)
	ids := w.hand("key_a").create(table, `{"Key":"0"}`, `{"Key":"1"}`, `{"Key":"2"}`)
	for _, one := range ids {
		w.hand("key_a").update(one, `{"A":"`+long+`"}`)
	}
	h := w.hand("key_a")
	for i, one := range ids {
		h.update(one, `{"A":null,"Key":"`+string(rune('a'+i))+`"}`)
	}
	h.update(ids[2], `{"Key":"0"}`) // two records exchange a value
	h.update(ids[0], `{"Key":"2"}`)
	for _, one := range ids[:2] {
		w.hand("key_b").update(one, `{"B":"`+long+`"}`)
	}
	h.delete(table, ids[1])
	before := w.all(table)
	for _, mode := range []revert.OnConflict{revert.Fail, revert.Overwrite} {
		if _, err := w.hand("key_c").undo(mode, h.set); problem.KindOf(err) != problem.KindConflict ||
			!maps.Equal(w.all(table), before) {
			t.Errorf("%s: %v", mode, err)
		}
	}
	plan, _ := w.must(revert.Skip, h.set)
	want := []string{"too_large " + ids[0], "too_large " + ids[1], "not_unique " + ids[2]}
	var got []string
	for _, c := range plan.Conflicts {
		got = append(got, c.Reason+" "+c.RecordID)
	}
	if !slices.Equal(got, want) || plan.Records != 1 || plan.Conflicts[2].HolderID != ids[0] {
		t.Errorf("the plan is %+v", plan)
	}
	if one := w.get(ids[0]).Fields; one["A"] != nil || one["B"] != long || one["Key"] != "2" {
		t.Error("the large record has changed")
	}
	if one := w.get(ids[2]).Fields; one["A"] != long || one["Key"] != "0" {
		t.Error("the small record has not its text, or not its key")
	}
	if len(w.all(table)) != 2 {
		t.Error("the deleted record is back")
	}
}

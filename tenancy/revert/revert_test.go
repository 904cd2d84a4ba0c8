package revert_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestRevertTakesBackUpdatesCreationsAndDeletions(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`), field("No", schema.AutoNumber),
		field("Doc", schema.JSON))
	ids := w.hand("key_a").create(table, `{"Name":"a","N":1,"Tags":["a"],"Doc":{"x":[1]}}`, `{"Name":"b"}`,
		`{"Name":"c","N":3}`)
	before := w.all(table)
	h := w.hand("key_b")
	h.update(ids[0], `{"Name":"a2","N":2,"Tags":["b","a"],"Doc":null}`)
	h.update(ids[0], `{"Name":"a3","Done":true}`)
	h.update(ids[1], `{"N":7}`)
	h.delete(table, ids[1], ids[2])
	made := h.create(table, `{"Name":"new"}`)
	h.update(made[0], `{"Name":"newer"}`)
	changed := w.all(table)

	dry, err := w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base,
		revert.Request{ChangeSets: []uuid.UUID{h.set}, DryRun: true})
	if err != nil || !maps.Equal(w.all(table), changed) {
		t.Fatalf("a dry run: %v", err)
	}
	plan, undone := w.must(revert.Fail, h.set)
	want := revert.TablePlan{TableID: table.PublicID(), Updated: 1, Deleted: 1, Restored: 2}
	for _, p := range []revert.Plan{dry, plan} {
		if len(p.Tables) != 1 || p.Tables[0] != want || p.Records != 4 || p.ConflictCount != 0 {
			t.Errorf("the plan is %+v", p)
		}
	}
	if got := w.all(table); !maps.Equal(got, before) {
		t.Fatalf("after the revert\n%v\nbefore\n%v", got, before)
	}
	if plan, _ := w.must(revert.Fail, h.set); plan.Records != 0 || plan.ConflictCount != 0 {
		t.Errorf("the second revert: %+v", plan)
	}
	_, redone := w.must(revert.Fail, undone)
	if got := w.all(table); !maps.Equal(got, changed) {
		t.Fatalf("after the redo\n%v\nbefore\n%v", got, changed)
	}
	w.must(revert.Fail, redone)
	if got := w.all(table); !maps.Equal(got, before) {
		t.Fatalf("after another undo\n%v\nbefore\n%v", got, before)
	}
}

func TestConflictsFailAreSkippedOrOverwritten(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("N", schema.Number))
	ids := w.hand("key_a").create(table, `{"Name":"a","N":1}`, `{"Name":"b","N":1}`, `{"Name":"c","N":1}`)
	ours := w.hand("key_b")
	for _, one := range ids {
		ours.update(one, `{"Name":"ours","N":2}`)
	}
	made := ours.create(table, `{"Name":"made"}`)
	theirs := w.hand("key_c")
	theirs.update(ids[0], `{"Name":"theirs"}`)
	theirs.delete(table, ids[1])
	theirs.update(made[0], `{"N":9}`)
	before := w.all(table)

	_, err := w.hand("key_d").undo(revert.Fail, ours.set)
	var refused *problem.Error
	if !errors.As(err, &refused) || refused.Kind != problem.KindConflict || refused.Code != "revert_conflict" {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{
		ids[0], ids[1], made[0], `"value":"a","present":"theirs"`, `"credential":"key_c"`, `"reason":"deleted"`,
		table.FieldByName("Name").PublicID(),
	} {
		if !strings.Contains(string(refused.Current), part) {
			t.Errorf("the conflicts do not say %s: %s", part, refused.Current)
		}
	}
	if !maps.Equal(w.all(table), before) {
		t.Fatal("it wrote something")
	}
	plan, _ := w.must(revert.Skip, ours.set)
	if plan.ConflictCount != 3 || plan.Records != 2 {
		t.Errorf("skipped: %+v", plan)
	}
	if one := w.get(ids[0]); one.Fields["Name"] != "theirs" || one.Fields["N"] != 1.0 {
		t.Errorf("the first is %v", one.Fields)
	}
	if one := w.get(ids[2]); one.Fields["Name"] != "c" || one.Fields["N"] != 1.0 {
		t.Errorf("the third is %v", one.Fields)
	}
	if len(w.all(table)) != 3 {
		t.Error("a record is gone or back")
	}
	plan, _ = w.must(revert.Overwrite, ours.set)
	if plan.Tables[0] != (revert.TablePlan{TableID: table.PublicID(), Updated: 1, Deleted: 1, Restored: 1}) {
		t.Errorf("overwritten: %+v", plan)
	}
	for i, name := range []string{"a", "b", "c"} {
		if one := w.get(ids[i]); one.Fields["Name"] != name || one.Fields["N"] != 1.0 {
			t.Errorf("%s is %v", name, one.Fields)
		}
	}
	if len(w.all(table)) != 3 {
		t.Error("what was made is there")
	}
}

// Undo upon undo: what a later change set did and a revert took back is nobody's change.
func TestRevertedChangesAreNoConflict(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	one := w.hand("key_a").create(table, `{"Name":"0"}`)[0]
	var sets []uuid.UUID
	for _, name := range []string{"1", "2", "3"} {
		h := w.hand("key_a")
		h.update(one, `{"Name":"`+name+`"}`)
		sets = append(sets, h.set)
	}
	for i, set := range slices.Backward(sets) {
		w.must(revert.Fail, set)
		if got := w.get(one).Fields["Name"]; got != string(rune('0'+i)) {
			t.Fatalf("after undoing %d it is %v", i+1, got)
		}
	}
	// By hand, the same is somebody's change.
	h := w.hand("key_a")
	h.update(one, `{"Name":"x"}`)
	back := w.hand("key_b")
	back.update(one, `{"Name":"y"}`)
	back.update(one, `{"Name":"x"}`)
	if _, err := w.hand("key_a").undo(revert.Fail, h.set); problem.KindOf(err) != problem.KindConflict {
		t.Errorf("got %v", err)
	}
}

// A change set that stands, because all of it is in conflict, is not known as reverted.
func TestRevertsThatSkipEverythingAreNotNoted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	one := w.hand("key_a").create(table, `{"Name":"0"}`)[0]
	h, other := w.hand("key_a"), w.hand("key_b")
	h.update(one, `{"Name":"1"}`)
	other.update(one, `{"Name":"2"}`)
	noted := func(set uuid.UUID) (there bool) {
		err := w.db.Tx(t.Context(), w.actor.Org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), "select exists (select from rowhouse.change_set_revert where org_id = $1 "+
				"and reverted = $2)", w.actor.Org, set).Scan(&there)
		})
		if err != nil {
			t.Fatal(err)
		}
		return there
	}
	if plan, _ := w.must(revert.Skip, h.set); plan.ConflictCount != 1 || noted(h.set) {
		t.Errorf("it says %+v, and is noted as reverted: %t", plan, noted(h.set))
	}
	other.update(one, `{"Name":"0"}`) // now nothing of it is left
	if plan, _ := w.must(revert.Skip, h.set); plan.ConflictCount != 0 || plan.Records != 0 || !noted(h.set) {
		t.Errorf("it says %+v, and is noted as reverted: %t", plan, noted(h.set))
	}
}

func TestRevertByCredentialAndMoment(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	one := w.hand("key_a").create(table, `{"Name":"0"}`)[0]
	w.hand("key_b").update(one, `{"Name":"1"}`)
	time.Sleep(2 * time.Millisecond)
	since := time.Now()
	time.Sleep(2 * time.Millisecond)
	w.hand("key_b").update(one, `{"Name":"2"}`)
	w.hand("key_b").update(one, `{"Name":"3"}`)
	plan, err := w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base,
		revert.Request{Credential: "key_b", Since: since})
	if err != nil || plan.Records != 1 || len(plan.ChangeSets) != 2 || w.get(one).Fields["Name"] != "1" {
		t.Errorf("%v %+v %v", err, plan, w.get(one).Fields)
	}
	plan, err = w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base,
		revert.Request{Credential: "key_x", Since: since})
	if err != nil || plan.Records != 0 {
		t.Errorf("%v %+v", err, plan)
	}
}

func TestLinksComeBackInTheirOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	left, right := w.table("Left", field("Name", schema.Text)), w.table("Right", field("Name", schema.Text))
	w.link(left, right, "Many", true, true)
	w.link(left, right, "One", false, true)
	w.link(right, left, "Only", false, false)
	w.link(left, left, "Friends", true, true)
	left, right = w.schema(left.ID), w.schema(right.ID)
	a := w.hand("key_a")
	rs := a.create(right, `{"Name":"r0"}`, `{"Name":"r1"}`, `{"Name":"r2"}`)
	ls := a.create(left, `{"Name":"l0","Many":["`+rs[2]+`","`+rs[0]+`","`+rs[1]+`"],"One":["`+rs[1]+`"]}`,
		`{"Name":"l1","Many":["`+rs[1]+`"]}`)
	a.update(rs[0], `{"Only":["`+ls[0]+`"]}`)
	a.update(ls[0], `{"Friends":["`+ls[1]+`","`+ls[0]+`"]}`)
	before := w.all(left, right)
	changes := map[string]func(h *hand){
		"an update": func(h *hand) {
			h.update(ls[0], `{"Many":["`+rs[1]+`"],"One":[],"Friends":[]}`)
			h.update(ls[1], `{"Many":["`+rs[2]+`","`+rs[1]+`"],"Friends":["`+ls[1]+`"]}`)
		},
		"steal":               func(h *hand) { h.update(rs[1], `{"Only":["`+ls[0]+`"]}`) },
		"reorder":             func(h *hand) { h.update(ls[0], `{"Many":["`+rs[0]+`","`+rs[1]+`","`+rs[2]+`"]}`) },
		"deleted left":        func(h *hand) { h.delete(left, ls[0]) },
		"the deletion of all": func(h *hand) { h.delete(left, ls...); h.delete(right, rs...) },
		"created": func(h *hand) {
			h.create(left, `{"Name":"new","Many":["`+rs[2]+`"],"One":["`+rs[1]+`"],"Friends":["`+ls[0]+`"]}`)
		},
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		h := w.hand("key_b")
		changes[name](h)
		changed := w.all(left, right)
		_, undone := w.must(revert.Fail, h.set)
		if got := w.all(left, right); !sameLinks(got, before) {
			t.Fatalf("%s: after the revert\n%v\nbefore\n%v", name, got, before)
		}
		_, redone := w.must(revert.Fail, undone)
		if got := w.all(left, right); !sameLinks(got, changed) {
			t.Fatalf("%s: after the redo\n%v\nbefore\n%v", name, got, changed)
		}
		w.must(revert.Fail, redone)
		if got := w.all(left, right); !sameLinks(got, before) {
			t.Fatalf("%s: after another undo\n%v\nbefore\n%v", name, got, before)
		}
		// The log says of the other side of a link what it lost, and not from where. So the order is lost
		// where the linked records were deleted first.
		got := w.get(ls[0]).Fields["Many"].([]any)
		if name != "the deletion of all" && !slices.Equal(got, []any{rs[2], rs[0], rs[1]}) {
			t.Fatalf("%s: the order is %v", name, got)
		}
	}
}

// sameLinks compares states but for the order of links into a record, which is that of their making.
func sameLinks(a, b map[string]string) bool {
	plain := func(state map[string]string) map[string]string {
		out := map[string]string{}
		for one, text := range state {
			parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`[],`, r) })
			slices.Sort(parts)
			out[one] = strings.Join(parts, " ")
		}
		return out
	}
	return maps.Equal(plain(a), plain(b))
}

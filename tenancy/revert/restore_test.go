package revert_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestRestoreBringsRecordsBack(t *testing.T) {
	t.Parallel()
	w := setup(t)
	left := w.table("Left", field("Name", schema.Text, `{"unique":true}`), field("Done", schema.Checkbox),
		field("Tag", schema.SingleSelect, `{"options":["a","b"]}`), field("No", schema.AutoNumber))
	right := w.table("Right", field("Name", schema.Text))
	w.link(left, right, "Many", true, true)
	w.link(left, right, "Owned", true, false)
	left, right = w.schema(left.ID), w.schema(right.ID)
	a := w.hand("key_a")
	rs := a.create(right, `{"Name":"r0"}`, `{"Name":"r1"}`, `{"Name":"r2"}`)
	ls := a.create(left, `{"Name":"x","Done":true,"Tag":"a","Many":["`+rs[1]+`","`+rs[0]+`"],`+
		`"Owned":["`+rs[2]+`","`+rs[0]+`"]}`, `{"Name":"y"}`)
	before := w.all(left, right)
	a.delete(left, ls[0])
	if err := restored(a.revert.Restore(a.ctx, w.actor, left.ID, ls[:1], false)); err != nil {
		t.Fatal(err)
	}
	if got := w.all(left, right); !maps.Equal(got, before) {
		t.Fatalf("restored\n%v\nand not\n%v", got, before)
	}
	if err := restored(a.revert.Restore(a.ctx, w.actor, left.ID, ls[:1],
		false)); problem.KindOf(err) != problem.KindConflict ||
		!strings.Contains(err.Error(), ls[0]) {
		t.Errorf("a record that is there: %v", err)
	}
	var kind changelog.Kind
	var previous, deleted int64
	err := w.db.Tx(t.Context(), w.actor.Org, func(tx pgx.Tx) error {
		log := changelog.Relation(w.actor.Org)
		return tx.QueryRow(t.Context(), "select kind, previous[1], (select max(number) from "+log+
			" where kind = 3) from "+log+" where kind = 5").Scan(&kind, &previous, &deleted)
	})
	if err != nil || previous != deleted {
		t.Errorf("the log says %d after %d: %v", kind, previous, err)
	}

	// What others have done meanwhile stays: a single link, a deleted record, an option that is gone.
	a.delete(left, ls[0])
	a.update(ls[1], `{"Owned":["`+rs[2]+`"]}`)
	a.delete(right, rs[1])
	tag := left.FieldByName("Tag")
	patch := catalog.FieldPatch{Config: json.RawMessage(`{"options":["b"]}`), Discard: true}
	if err := w.store.UpdateField(t.Context(), w.actor.Org, tag.ID, patch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.CreateField(t.Context(), w.actor.Org, left.ID, field("Later", schema.Checkbox)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.CreateField(t.Context(), w.actor.Org, left.ID, field("Count", schema.AutoNumber)); err != nil {
		t.Fatal(err)
	}
	if err := restored(a.revert.Restore(a.ctx, w.actor, left.ID, ls[:1], false)); err != nil {
		t.Fatal(err)
	}
	one := w.get(ls[0]).Fields
	if links := one["Many"].([]any); len(links) != 1 || links[0] != rs[0] || one["Tag"] != nil ||
		one["Later"] != false || one["Count"] == nil {
		t.Errorf("restored %v", one)
	}
	if links := one["Owned"].([]any); len(links) != 1 || links[0] != rs[0] {
		t.Errorf("it owns %v", links)
	}

	a.delete(left, ls[0])
	a.update(ls[1], `{"Name":"x"}`)
	if err := restored(a.revert.Restore(a.ctx, w.actor, left.ID, ls[:1],
		false)); problem.KindOf(err) != problem.KindConflict ||
		!strings.Contains(err.Error(), ls[1]) || !strings.Contains(err.Error(), `"Name"`) {
		t.Errorf("a unique value that is taken: %v", err)
	}
	stranger := setup(t)
	err = restored(stranger.revert().Restore(stranger.as("key_a", id.New()), stranger.actor, left.ID, ls[:1], false))
	if problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("somebody else's record: %v", err)
	}
}

func TestValuesThatNoLongerFitAreConflicts(t *testing.T) {
	t.Parallel()
	w := setup(t)
	other := tenancytest.Person(t, w.db)
	if err := tenancytest.Join(t, w.db, w.actor.Org, other, organization.Editor); err != nil {
		t.Fatal(err)
	}
	table := w.table("T", field("Name", schema.Text), field("Tag", schema.SingleSelect, `{"options":["a","b"]}`),
		field("Who", schema.User), field("Key", schema.Text, `{"unique":true}`), field("Must", schema.Text),
		field("Gone", schema.Text))
	public := id.Format(id.User, other)
	one := w.hand("key_a").create(table,
		`{"Name":"0","Tag":"a","Who":"`+public+`","Key":"k","Gone":"g"}`)[0]
	h := w.hand("key_a")
	h.update(one, `{"Name":"1","Tag":"b","Who":null,"Key":"l","Must":"m","Gone":"h"}`)
	w.hand("key_b").create(table, `{"Name":"thief","Key":"k","Must":"x"}`)
	config := func(name, config string) {
		patch := catalog.FieldPatch{Config: json.RawMessage(config), Discard: true}
		if err := w.store.UpdateField(t.Context(), w.actor.Org, table.FieldByName(name).ID, patch); err != nil {
			t.Fatal(err)
		}
	}
	config("Tag", `{"options":["b"]}`)
	config("Must", `{"required":true}`)
	if err := w.store.DeleteField(t.Context(), w.actor.Org, table.FieldByName("Gone").ID); err != nil {
		t.Fatal(err)
	}
	if err := w.store.RemoveMember(t.Context(), w.actor.Org, organization.Owner, other, true); err != nil {
		t.Fatal(err)
	}
	before := w.all(table)
	for _, mode := range []revert.OnConflict{revert.Fail, revert.Overwrite} {
		if _, err := w.hand("key_c").undo(mode, h.set); problem.KindOf(err) != problem.KindConflict ||
			!maps.Equal(w.all(table), before) {
			t.Errorf("%s: %v", mode, err)
		}
	}
	plan, _ := w.must(revert.Skip, h.set)
	reasons := map[string]bool{}
	for _, c := range plan.Conflicts {
		reasons[c.Reason] = true
	}
	if len(reasons) != 4 || !reasons["option_gone"] || !reasons["person_left"] || !reasons["not_unique"] ||
		!reasons["required"] || len(plan.LeftOut) != 1 || plan.LeftOut[0].Records != 1 {
		t.Errorf("the plan is %+v", plan)
	}
	got := w.get(one).Fields
	if got["Name"] != "0" || got["Tag"] != "b" || got["Key"] != "l" || got["Must"] != "m" {
		t.Errorf("it is %v", got)
	}
}

func TestUniqueValuesThatRecordsExchangedComeBack(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text, `{"unique":true}`))
	ids := w.hand("key_a").create(table, `{"Name":"x"}`, `{"Name":"y"}`)
	h := w.hand("key_a")
	h.update(ids[0], `{"Name":"z"}`)
	h.update(ids[1], `{"Name":"x"}`)
	h.update(ids[0], `{"Name":"y"}`)
	_, undone := w.must(revert.Fail, h.set)
	if w.get(ids[0]).Fields["Name"] != "x" || w.get(ids[1]).Fields["Name"] != "y" {
		t.Errorf("they are %v", w.all(table))
	}
	w.must(revert.Fail, undone)
	if w.get(ids[0]).Fields["Name"] != "y" || w.get(ids[1]).Fields["Name"] != "x" {
		t.Errorf("they are %v", w.all(table))
	}
}

func TestAttachmentsComeBack(t *testing.T) {
	t.Parallel()
	w := setup(t)
	blobs, err := attachment.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := attachment.New(w.db, blobs, attachment.Limits{File: 1 << 20})
	table := w.table("T", field("Name", schema.Text), field("Files", schema.Attachment))
	f, err := files.Receive(t.Context(), w.actor.Org, w.actor.Person, table.ID,
		attachment.Upload{Name: "a.txt", Size: 5, Content: strings.NewReader("words")})
	if err != nil {
		t.Fatal(err)
	}
	ids := w.hand("key_a").create(table, `{"Name":"x","Files":["`+f.PublicID()+`"]}`,
		`{"Name":"y","Files":["`+f.PublicID()+`"]}`)
	before := w.all(table)
	h := w.hand("key_a")
	h.update(ids[0], `{"Files":null}`)
	h.delete(table, ids[1])
	// The file is found unused, and is used again from then on.
	mark := func(state string) {
		err := w.db.Tx(t.Context(), w.actor.Org, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "update rowhouse.attachment set unused_since = now(), state = $2 "+
				"where org_id = $1", w.actor.Org, state)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	mark("ready")
	_, undone := w.must(revert.Fail, h.set)
	if got := w.all(table); !maps.Equal(got, before) {
		t.Fatalf("%v and not %v", got, before)
	}
	var unused bool
	err = w.db.Tx(t.Context(), w.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select unused_since is not null from rowhouse.attachment where org_id = $1",
			w.actor.Org).Scan(&unused)
	})
	if err != nil || unused {
		t.Errorf("the file is unused: %v %v", unused, err)
	}
	w.must(revert.Fail, undone)
	mark("leaving")
	plan, _ := w.must(revert.Skip, h.set)
	if plan.ConflictCount != 2 || plan.Records != 1 || plan.Conflicts[0].Reason != "file_gone" {
		t.Errorf("without the file: %+v", plan)
	}
	if got := w.get(ids[1]).Fields; got["Name"] != "y" || got["Files"] != nil {
		t.Errorf("it came back as %v", got)
	}
}

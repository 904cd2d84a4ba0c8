package comment_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

func TestCommentsFollowAMergeAndItsRevert(t *testing.T) {
	t.Parallel()
	b := setup(t)
	gone := b.row
	first := b.write(t, b.owner, "first "+mention(b.other.Person), "")
	b.write(t, b.other, "reply", first.PublicID())
	kept := b.addRecord(t, "Aase")
	b.row = kept
	b.write(t, b.owner, "kept", "")
	act := func(do func(ctx context.Context) error) uuid.UUID {
		t.Helper()
		set := id.New()
		ctx := db.WithActor(t.Context(), db.Actor{Person: b.owner.Person, Credential: "key_test", ChangeSet: set})
		if err := do(ctx); err != nil {
			t.Fatal(err)
		}
		return set
	}
	merge := func(ctx context.Context) error {
		merged, err := b.Records.Merge(ctx, b.owner, b.table.ID, record.Merge{
			Keep: id.FormatRecord(b.table.Number, kept), Merge: []string{id.FormatRecord(b.table.Number, gone)},
		})
		if err == nil && merged.Comments != 2 {
			t.Errorf("%d comments moved", merged.Comments)
		}
		return err
	}
	undo := func(set uuid.UUID) uuid.UUID {
		t.Helper()
		return act(func(ctx context.Context) error {
			_, err := revert.New(b.DB, b.Records).Revert(ctx, b.owner, b.base.ID,
				revert.Request{ChangeSets: []uuid.UUID{set}})
			return err
		})
	}
	want := func(row uuid.UUID, count int, words string) {
		t.Helper()
		b.row = row
		if list := b.list(t); len(list) != count || texts(list)[:len(words)] != words {
			t.Errorf("the record has the comments %q", texts(list))
		}
	}
	merged := act(merge)
	want(kept, 3, "kept, first")
	if n := len(b.inbox(t, b.other.Person).Notices); n != 1 {
		t.Errorf("%d notices are left", n)
	}
	b.write(t, b.owner, "another reply", first.PublicID())
	undone := undo(merged)
	want(kept, 1, "kept")
	want(gone, 3, "first")
	undo(undone)
	want(kept, 4, "kept, first")

	store := history.NewTrash(history.TrashDeps{
		DB: b.DB, Schema: b.Records.Schema(), Records: b.Records, Restorer: revert.New(b.DB, b.Records),
	})
	public := id.FormatRecord(b.table.Number, gone)
	if _, err := store.Restore(t.Context(), b.owner, b.base.ID, []string{public}, false); err != nil {
		t.Fatal(err)
	}
	want(kept, 1, "kept")
	want(gone, 3, "first")
}

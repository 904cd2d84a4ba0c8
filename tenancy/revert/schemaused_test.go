package revert_test

import (
	"errors"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestAFieldThatOthersDeletedAndRestoredIsAConflict(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	set := id.New()
	ctx := db.WithActor(t.Context(), db.Actor{Person: w.actor.Person, Credential: "key_a", ChangeSet: set})
	made, err := w.store.CreateField(ctx, w.actor.Org, table.ID, field("Note", schema.Text))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.store.DeleteField(t.Context(), w.actor.Org, made.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.store.Restore(t.Context(), w.actor.Org,
		catalog.TrashRequest{Items: []string{made.PublicID()}, Base: w.base})
	if err != nil {
		t.Fatal(err)
	}
	var of *problem.Error
	if _, err := w.hand("key_b").undo(revert.Fail, set); !errors.As(err, &of) || of.Code != "revert_conflict" {
		t.Errorf("the revert of its creation: %v", err)
	}
}

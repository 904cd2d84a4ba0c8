package record_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
)

// emptied empties the pending list of a table's search index and returns how many pages it had.
func emptied(t *testing.T, b *bundle, table uuid.UUID) (pages int) {
	t.Helper()
	empty := "gin_clean_pending_list"
	if b.db.Distributed() {
		empty = "gate.clean_shard"
	}
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(
			t.Context(),
			"select "+empty+`(x.indexrelid) from pg_index x join pg_class i on i.oid = x.indexrelid
			where x.indrelid = to_regclass($1::text) and i.relname like 's\_%'`, b.schema(t, table).Relation(),
		).Scan(&pages)
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestWhatWasWrittenComesIntoTheSearchIndexWhenItsWritersPause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500}, table,
		func() { b.list(t, table, query.Request{Search: "number 1234", Limit: 10}) }, 1)
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error { // which would empty the list too
		_, err := tx.Exec(t.Context(), "alter table "+b.schema(t, table).Relation()+" set (autovacuum_enabled = false)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	look := func(c index.PendingListCleaner) {
		c.Manager = b.engine.IndexManager()
		if err := c.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write := func(n int) {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = `{"Name":"straggler","Note":"written when the index was there"}`
		}
		b.create(t, table, rows...)
	}
	look(index.PendingListCleaner{Many: 1, Busy: 10_000})
	for _, one := range []struct {
		name    string
		cleaner index.PendingListCleaner
		cleaned bool
	}{
		{"few and fresh", index.PendingListCleaner{Many: 100, Age: time.Hour, Busy: 1000}, false},
		{"few and old", index.PendingListCleaner{Many: 100, Age: time.Nanosecond, Busy: 1000}, true},
		{"many", index.PendingListCleaner{Many: 10, Age: time.Hour, Busy: 1000}, true},
		{"too many a second", index.PendingListCleaner{Many: 10, Age: time.Nanosecond, Busy: 10}, false},
	} {
		look(index.PendingListCleaner{Many: 1, Busy: 10_000})
		emptied(t, b, table)
		write(20)
		look(one.cleaner)
		if pages := emptied(t, b, table); (pages == 0) != one.cleaned {
			t.Errorf("%s: %d pages were left", one.name, pages)
		}
	}
	write(20)
	busy := index.PendingListCleaner{Many: 10, Age: time.Hour, Busy: 10}
	look(busy)
	write(5)
	look(busy) // a moment without many is no pause
	if pages := emptied(t, b, table); pages == 0 {
		t.Error("the list was taken from its writers")
	}
	write(5)
	look(busy)
	look(busy) // the writers have paused
	if pages := emptied(t, b, table); pages != 0 {
		t.Errorf("after a pause %d pages were left", pages)
	}

	// A list that is not come to the end of in time.
	write(20)
	release := b.holdIndex(t, table)
	look(index.PendingListCleaner{Many: 10, Age: time.Hour, Busy: 1000, Most: time.Millisecond})
	release()
	if pages := emptied(t, b, table); pages == 0 {
		t.Error("the list was emptied through a lock")
	}
	write(1)
	for range 3 {
		look(index.PendingListCleaner{Many: 10, Age: time.Hour, Busy: 1000})
	}
	if pages := emptied(t, b, table); pages != 0 {
		t.Errorf("a list that took too long was not looked after again: %d pages were left", pages)
	}
	if page, _ := b.list(t, table, query.Request{Search: "straggler", Limit: 1}); page.Total != 131 {
		t.Errorf("the search finds %d of what was written", page.Total)
	}
}

// holdIndex holds the search index of a table against everybody, until the returned function is
// called.
func (b *bundle) holdIndex(t *testing.T, table uuid.UUID) (release func()) {
	t.Helper()
	ready, end, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	errRolledBack := errors.New("rolled back")
	go func() {
		done <- b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
			s := b.schema(t, table)
			var index string
			err := tx.QueryRow(t.Context(),
				`select i.oid::regclass::text from pg_index x join pg_class i on i.oid = x.indexrelid
				where x.indrelid = to_regclass($1::text) and i.relname like 's\_%'`, s.Relation()).Scan(&index)
			if err == nil {
				_, err = tx.Exec(t.Context(), "drop index "+index)
			}
			close(ready)
			if err != nil {
				return err
			}
			<-end
			return errRolledBack
		})
	}()
	<-ready
	return func() {
		close(end)
		if err := <-done; !errors.Is(err, errRolledBack) {
			t.Fatal(err)
		}
	}
}

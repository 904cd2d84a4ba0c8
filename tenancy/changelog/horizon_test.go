package changelog_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A world is a table whose log is written by hand.
type world struct {
	db    *db.DB
	org   uuid.UUID
	table *schema.Table
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{db: tenancytest.DB(t)}
	w.org, _ = tenancytest.Org(t, w.db)
	store := catalog.NewStore(w.db, catalog.Options{})
	base, err := store.CreateBase(t.Context(), w.org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	table, err := store.CreateTable(t.Context(), w.org, base.ID, "Table", nil)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := store.Fresh(t.Context(), w.org)
	if err != nil {
		t.Fatal(err)
	}
	w.table = snapshot.Table(table.ID)
	return w
}

// write appends to the log, and commits when it may.
func (w *world) write(t *testing.T, before, after func()) error {
	t.Helper()
	return w.db.TableTx(t.Context(), w.org, w.table.Ref(), func(tx pgx.Tx) error {
		before()
		_, err := tx.Exec(t.Context(), "insert into "+changelog.Relation(w.org)+" (number, change_set, table_number, "+
			"kind, credential, records) values ("+db.ChangeNumber+", $1, $2, 1, '', array[$1::uuid])",
			id.New(), w.table.Number)
		after()
		return err
	})
}

func (w *world) upTo(t *testing.T, horizon changelog.Moment) map[uuid.UUID]bool {
	t.Helper()
	seen := map[uuid.UUID]bool{}
	err := w.db.Tx(t.Context(), w.org, func(tx pgx.Tx) error {
		rows, err := tx.Query(t.Context(),
			"select change_set from "+changelog.Relation(w.org)+" where kind = 1 and number <= $1", horizon)
		if err != nil {
			return err
		}
		var set uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&set}, func() error {
			seen[set] = true
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func TestTheHorizonWaitsForASlowWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	begun, commit, written := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		written <- w.write(t, func() { close(begun) }, func() { <-commit })
	}()
	select {
	case <-begun:
	case err := <-written:
		t.Fatal(err)
	}
	var horizon changelog.Moment
	got := make(chan struct{})
	go func() {
		defer close(got)
		var err error
		if horizon, err = changelog.Horizon(t.Context(), w.db, w.org); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-got:
		t.Error("the horizon did not wait for the writer")
	case <-time.After(300 * time.Millisecond):
	}
	other := newWorld(t)
	if _, err := changelog.Horizon(t.Context(), other.db, other.org); err != nil {
		t.Errorf("another organization's horizon: %v", err)
	}
	close(commit)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	<-got
	if seen := w.upTo(t, horizon); len(seen) != 1 {
		t.Errorf("%d entries are behind the horizon", len(seen))
	}
}

func TestNothingAppearsBehindTheHorizon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const writers, writes = 8, 25
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			pause := func() { time.Sleep(rand.N(8 * time.Millisecond)) }
			for range writes {
				if err := w.write(t, pause, pause); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		all.Wait()
	}()
	defer func() { <-done }()
	for last := false; ; {
		select {
		case <-done:
			last = true
		default:
		}
		horizon, err := changelog.Horizon(t.Context(), w.db, w.org)
		if err != nil {
			t.Fatal(err)
		}
		seen := w.upTo(t, horizon)
		time.Sleep(20 * time.Millisecond) // longer than a writer takes
		if more := w.upTo(t, horizon); len(more) != len(seen) {
			t.Fatalf("%d entries appeared behind the horizon", len(more)-len(seen))
		}
		if last {
			if len(seen) != writers*writes {
				t.Errorf("at last %d entries are behind the horizon", len(seen))
			}
			return
		}
	}
}

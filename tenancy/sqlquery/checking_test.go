package sqlquery_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

// However many statements come, checking them leaves processors to other requests.
func TestFewStatementsAreCheckedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var running, most atomic.Int64
	store := b.sql.Checking(func() {
		now := running.Add(1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		time.Sleep(20 * time.Millisecond)
		running.Add(-1)
	})
	var all sync.WaitGroup
	for range 2*runtime.GOMAXPROCS(0) + 2 {
		all.Go(func() {
			_, err := store.Run(t.Context(), b.actor.Org, b.base, "select 1", 1)
			if problem.KindOf(err) != problem.KindInvalid {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() > int64(sqlquery.MaxChecking()) {
		t.Errorf("%d statements were checked at once, at most %d may be", most.Load(), sqlquery.MaxChecking())
	}
}

// Refused statements cost no more than admitted ones: the next one does not look for the views of the base again.
func TestARefusedStatementKeepsWhatIsKnownOfTheBase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, statement := range []string{"select * from nothing", "delete from ships"} {
		if _, err := b.sql.Run(t.Context(), b.actor.Org, b.base, "select count(*) from ships", 1); err != nil {
			t.Fatal(err)
		}
		if _, err := b.sql.Run(t.Context(), b.actor.Org, b.base, statement, 1); err == nil {
			t.Fatal("it was run: ", statement)
		}
		if !b.sql.Knows(b.base) {
			t.Errorf("%s: the views are forgotten", statement)
		}
	}
}

package catalog

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// The database has one connection, which is in use, so that calls pile up behind the one that loads
// the schema. All but one go away: the load that they left behind is the one that the last of them
// gets.
func TestACallerThatGoesAwayDoesNotFailTheLoadOfOthers(t *testing.T) {
	t.Parallel()
	shared := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, shared)
	tenantDB, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tenantDB.Close)
	store := NewStore(tenantDB, Options{})
	release, locked := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		if err := tenantDB.Tx(context.WithoutCancel(t.Context()), org, func(pgx.Tx) error {
			close(locked)
			<-release
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	<-locked
	leave := make([]context.CancelFunc, 40)
	for i := range leave {
		ctx, cancel := context.WithCancel(t.Context())
		leave[i] = cancel
		all.Go(func() {
			_, _ = store.Reload(ctx, org) // which is cancelled
		})
		if i == 0 { // it leads; the others wait
			waitFor(t, func() bool { store.mu.Lock(); defer store.mu.Unlock(); return store.loading[org] != nil })
		}
	}
	stays := make(chan error, 1)
	all.Go(func() {
		_, err := store.Reload(t.Context(), org)
		stays <- err
	})
	time.Sleep(100 * time.Millisecond) // so that the calls are under way
	for i, cancel := range leave {
		cancel()
		if i == 0 {
			time.Sleep(100 * time.Millisecond) // so that another one of them leads, were it to
		}
	}
	time.Sleep(100 * time.Millisecond)
	close(release)
	if err := <-stays; err != nil {
		t.Errorf("a caller that stayed: %v", err)
	}
	all.Wait()
}

func waitFor(t *testing.T, what func() bool) {
	t.Helper()
	for range 1000 {
		if what() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come to pass in 10 seconds")
}

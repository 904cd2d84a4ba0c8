package operation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
)

// One organization has as many imports as it likes under way, and another gets a place at once.
func TestAnOrganizationHoldsOnePlaceOfFileImports(t *testing.T) {
	t.Parallel()
	places := filePlaces{semaphore.NewWeighted(2), limit.NewBulkhead(limit.BulkheadOptions{Max: 1, Wait: time.Minute})}
	greedy, other := uuid.New(), uuid.New()
	leave, err := places.enter(t.Context(), greedy)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	for range 5 {
		go func() {
			leave, err := places.enter(t.Context(), greedy)
			if err == nil {
				leave()
			}
			waiting <- err
		}()
	}
	for running, queued := 0, 0; queued < 5; {
		if running, queued = places.organizations.InFlight(greedy.String()); running != 1 {
			t.Fatalf("%d imports run", running)
		}
	}
	leaveOther, err := places.enter(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := places.enter(ctx, uuid.New()); problem.KindOf(err) != problem.KindUnavailable {
		t.Errorf("who has gone got %v", err)
	}
	leaveOther()
	leave()
	for range 5 {
		if err := <-waiting; err != nil {
			t.Error(err)
		}
	}
	if running, queued := places.organizations.InFlight(greedy.String()); running+queued > 0 {
		t.Errorf("%d and %d are left", running, queued)
	}
}

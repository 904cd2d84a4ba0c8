package limit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
)

func enter(t *testing.T, b *Bulkhead, tenant string) func() {
	t.Helper()
	leave, err := b.Enter(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func TestRequestsInFlightAreBounded(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadOptions{Max: 3, Queue: 100})
	var running, peak atomic.Int64
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			leave, err := b.Enter(t.Context(), "org")
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			now := running.Add(1)
			for seen := peak.Load(); now > seen && !peak.CompareAndSwap(seen, now); seen = peak.Load() {
			}
			time.Sleep(time.Millisecond)
			running.Add(-1)
		})
	}
	all.Wait()
	if peak.Load() > 3 {
		t.Errorf("%d were in flight at once", peak.Load())
	}
	if len(b.tenants) > 0 {
		t.Errorf("%d queues are left behind", len(b.tenants))
	}
}

func TestTenantsHaveSeparateSlots(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadOptions{Max: 1})
	defer enter(t, b, "busy")()
	defer enter(t, b, "calm")()
}

func TestRequestIsRejectedAfterTheWaitOrBehindAFullQueue(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadOptions{Max: 1, Queue: 1, Wait: time.Millisecond})
	defer enter(t, b, "org")()
	if _, err := b.Enter(t.Context(), "org"); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("after the wait: %v", err)
	}
	b.options.Wait = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := b.Enter(ctx, "org")
		gone <- err
	}()
	for _, waiting := b.InFlight("org"); waiting == 0; _, waiting = b.InFlight("org") {
		time.Sleep(time.Millisecond)
	}
	if _, err := b.Enter(t.Context(), "org"); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("behind a full queue: %v", err)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("after its context was canceled: %v", err)
	}
}

func TestSlowRequestsLeaveOneSlotForFastRequests(t *testing.T) {
	t.Parallel()
	c := &clock{time.Now()}
	b := NewBulkhead(BulkheadOptions{Max: 8, Slow: 2, SlowAfter: time.Second, Wait: time.Millisecond})
	b.now = func() time.Time { return c.now }
	first := enter(t, b, "org")
	defer enter(t, b, "org")()
	c.advance(2 * time.Second)
	light := enter(t, b, "org")
	if _, err := b.Enter(t.Context(), "org"); err == nil {
		t.Error("a fourth request has a slot beside two slow ones")
	}
	light()
	first()
	for range 7 {
		defer enter(t, b, "org")()
	}
}

// saturate sends requests of a tenant from n goroutines without a pause until end is called. most
// is the highest number that ran at once.
func saturate(t *testing.T, b *Bulkhead, clock *atomic.Int64, tenant string, n int) (peak *atomic.Int64, end func()) {
	t.Helper()
	peak = &atomic.Int64{}
	var running atomic.Int64
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				leave, err := b.Enter(t.Context(), tenant)
				if err != nil {
					t.Error(err)
					return
				}
				now := running.Add(1)
				for seen := peak.Load(); now > seen && !peak.CompareAndSwap(seen, now); seen = peak.Load() {
				}
				clock.Add(int64(10 * time.Millisecond))
				time.Sleep(time.Millisecond)
				running.Add(-1)
				leave()
			}
		})
	}
	return peak, func() { close(stop); all.Wait() }
}

func TestShareLimitAppliesOnlyWithNeighbours(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	b := NewBulkhead(BulkheadOptions{Max: 8, Share: 1, Queue: 100})
	b.now = func() time.Time { return time.Unix(0, clock.Load()) }
	peak, end := saturate(t, b, &clock, "busy", 16)
	defer end()
	for peak.Load() < 8 { // the only tenant gets all slots
		time.Sleep(time.Millisecond)
	}
	calm := time.NewTicker(time.Millisecond)
	defer calm.Stop()
	for range 200 { // with a neighbour, the busy tenant soon has one slot
		<-calm.C
		enter(t, b, "calm")()
		peak.Store(0)
	}
	for range 50 {
		<-calm.C
		enter(t, b, "calm")()
	}
	if peak.Load() > 1 {
		t.Errorf("with a neighbour the tenant had %d in flight", peak.Load())
	}
	peak.Store(0)
	for peak.Load() < 8 { // the neighbour is gone: after recentWindow it has all slots again
		time.Sleep(time.Millisecond)
	}
}

// burst sends 16 requests of a tenant at once and returns when all of them run or wait. The channel
// yields the leave function of each request that gets a slot.
func burst(t *testing.T, b *Bulkhead, tenant string) <-chan func() {
	t.Helper()
	in := make(chan func(), 16)
	for range cap(in) {
		go func() {
			if leave, err := b.Enter(t.Context(), tenant); err == nil {
				in <- leave
			}
		}()
	}
	for running, waiting := b.InFlight(tenant); running+waiting < cap(in); running, waiting = b.InFlight(tenant) {
		time.Sleep(time.Millisecond)
	}
	return in
}

func TestShareLimitLastsForTheRecentWindow(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadOptions{Max: 8, Share: 1, Queue: 100})
	b.now = func() time.Time { return time.Unix(0, 0) }
	enter(t, b, "calm")()
	burst(t, b, "busy")
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.tenants["busy"]
	for _, later := range []struct {
		after time.Duration
		slots int
	}{{0, 8}, {125 * time.Millisecond, 1}, {9 * time.Second, 1}, {10 * time.Second, 8}} {
		now := time.Unix(0, int64(later.after))
		r.count(now)
		if got := b.slotLimit(r, now); got != later.slots {
			t.Errorf("%s after the neighbour's request: %d slots, not %d", later.after, got, later.slots)
		}
	}
}

func TestCallWithoutOrganizationIsNotANeighbour(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	var clock atomic.Int64
	bulkhead := NewBulkhead(BulkheadOptions{Max: 8, Share: 1, Queue: 100})
	bulkhead.now = func() time.Time { return time.Unix(0, clock.Load()) }
	g := NewGuard(Policy{}, limiter, bulkhead, nil)
	org, person := uuid.New(), uuid.New()
	for _, step := range []struct {
		neighbour uuid.UUID
		width     int
	}{{uuid.Nil, 8}, {uuid.New(), 1}} {
		leave, err := g.Enter(t.Context(), step.neighbour, person)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		in := burst(t, bulkhead, org.String())
		clock.Add(int64(time.Second))
		for range 8 { // those that got a slot before the burst was detected
			(<-in)()
		}
		if running, _ := bulkhead.InFlight(org.String()); running != step.width {
			t.Errorf("with the neighbour %s: %d requests run, want %d", step.neighbour, running, step.width)
		}
		for range 8 {
			(<-in)()
		}
	}
}

func TestTenantWithLowDemandKeepsItsSlots(t *testing.T) {
	t.Parallel()
	b := NewBulkhead(BulkheadOptions{Max: 8, Share: 1})
	enter(t, b, "other")()
	for range 4 {
		defer enter(t, b, "calm")()
	}
	if running, waiting := b.InFlight("calm"); running != 4 || waiting != 0 {
		t.Errorf("%d running, %d waiting", running, waiting)
	}
}

package limit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy"
)

func enter(t *testing.T, l *Lanes, name string) func() {
	t.Helper()
	leave, err := l.Enter(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func TestNoMoreThanTheLanesAreUnderWayAtOnce(t *testing.T) {
	t.Parallel()
	l := NewLanes(LaneOptions{Most: 3, Queue: 100})
	var running, most atomic.Int64
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			leave, err := l.Enter(t.Context(), "org")
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			time.Sleep(time.Millisecond)
			running.Add(-1)
		})
	}
	all.Wait()
	if most.Load() > 3 {
		t.Errorf("%d were under way at once", most.Load())
	}
	if len(l.roads) > 0 {
		t.Errorf("%d roads are left behind", len(l.roads))
	}
}

func TestOneNameDoesNotTakeTheLanesOfAnother(t *testing.T) {
	t.Parallel()
	l := NewLanes(LaneOptions{Most: 1})
	defer enter(t, l, "busy")()
	defer enter(t, l, "calm")()
}

func TestWhoWaitsTooLongOrBehindTooManyIsTurnedAway(t *testing.T) {
	t.Parallel()
	l := NewLanes(LaneOptions{Most: 1, Queue: 1, Wait: time.Millisecond})
	defer enter(t, l, "org")()
	if _, err := l.Enter(t.Context(), "org"); tenancy.KindOf(err) != tenancy.KindRateLimited {
		t.Errorf("after the wait: %v", err)
	}
	l.options.Wait = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := l.Enter(ctx, "org")
		gone <- err
	}()
	for _, waiting := l.UnderWay("org"); waiting == 0; _, waiting = l.UnderWay("org") {
		time.Sleep(time.Millisecond)
	}
	if _, err := l.Enter(t.Context(), "org"); tenancy.KindOf(err) != tenancy.KindRateLimited {
		t.Errorf("behind a full queue: %v", err)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("after its caller went away: %v", err)
	}
}

func TestHeavyRequestsLeaveOneLaneForLightOnes(t *testing.T) {
	t.Parallel()
	c := &clock{time.Now()}
	l := NewLanes(LaneOptions{Most: 8, Slow: 2, SlowAfter: time.Second, Wait: time.Millisecond})
	l.now = func() time.Time { return c.now }
	first := enter(t, l, "org")
	defer enter(t, l, "org")()
	c.advance(2 * time.Second)
	light := enter(t, l, "org")
	if _, err := l.Enter(t.Context(), "org"); err == nil {
		t.Error("a fourth request has a lane beside two slow ones")
	}
	light()
	first()
	for range 7 {
		defer enter(t, l, "org")()
	}
}

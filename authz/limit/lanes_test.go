package limit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy"
)

func enter(t *testing.T, l *Lanes, name string) func() {
	t.Helper()
	_, leave, err := l.Enter(t.Context(), name)
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
			_, leave, err := l.Enter(t.Context(), "org")
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
	if _, _, err := l.Enter(t.Context(), "org"); tenancy.KindOf(err) != tenancy.KindRateLimited {
		t.Errorf("after the wait: %v", err)
	}
	l.options.Wait = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, _, err := l.Enter(ctx, "org")
		gone <- err
	}()
	for _, waiting := l.UnderWay("org"); waiting == 0; _, waiting = l.UnderWay("org") {
		time.Sleep(time.Millisecond)
	}
	if _, _, err := l.Enter(t.Context(), "org"); tenancy.KindOf(err) != tenancy.KindRateLimited {
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
	if _, _, err := l.Enter(t.Context(), "org"); err == nil {
		t.Error("a fourth request has a lane beside two slow ones")
	}
	light()
	first()
	for range 7 {
		defer enter(t, l, "org")()
	}
}

// A crowd asks for as much as it can, and ends when it is told to.
func crowdOf(t *testing.T, l *Lanes, clock *atomic.Int64, name string, n int) (most *atomic.Int64, end func()) {
	t.Helper()
	most = &atomic.Int64{}
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
				_, leave, err := l.Enter(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				now := running.Add(1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				clock.Add(int64(10 * time.Millisecond))
				time.Sleep(time.Millisecond)
				running.Add(-1)
				leave()
			}
		})
	}
	return most, func() { close(stop); all.Wait() }
}

func TestACrowdSharesWithOthersAndHasAllLanesWhenItIsAlone(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	l := NewLanes(LaneOptions{Most: 8, Shared: 1, Queue: 100})
	l.now = func() time.Time { return time.Unix(0, clock.Load()) }
	most, end := crowdOf(t, l, &clock, "crowd", 16)
	defer end()
	for most.Load() < 8 { // alone, in all lanes
		time.Sleep(time.Millisecond)
	}
	calm := time.NewTicker(time.Millisecond)
	defer calm.Stop()
	for range 200 { // another one is there: soon the crowd has one lane
		<-calm.C
		enter(t, l, "calm")()
		most.Store(0)
	}
	for range 50 {
		<-calm.C
		enter(t, l, "calm")()
	}
	if most.Load() > 1 {
		t.Errorf("beside another one a crowd had %d under way", most.Load())
	}
	most.Store(0)
	for most.Load() < 8 { // the other one is gone: after a while of the clock it has them all again
		time.Sleep(time.Millisecond)
	}
}

// entered is a request that found its lane.
type entered struct {
	gives bool // way to others
	leave func()
}

// rush has 16 requests of a name come at once, and returns when all of them have; those that find a lane come through the channel.
func rush(t *testing.T, l *Lanes, name string) <-chan entered {
	t.Helper()
	in := make(chan entered, 16)
	for range cap(in) {
		go func() {
			if inside, leave, err := l.Enter(t.Context(), name); err == nil {
				in <- entered{tenancy.GivesWay(inside), leave}
			}
		}()
	}
	for running, waiting := l.UnderWay(name); running+waiting < cap(in); running, waiting = l.UnderWay(name) {
		time.Sleep(time.Millisecond)
	}
	return in
}

func TestACrowdIsNarrowBeforeAnotherOneComesBack(t *testing.T) {
	t.Parallel()
	l := NewLanes(LaneOptions{Most: 8, Shared: 1, Queue: 100})
	l.now = func() time.Time { return time.Unix(0, 0) }
	enter(t, l, "calm")()
	rush(t, l, "crowd")
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.roads["crowd"]
	for _, later := range []struct {
		after time.Duration
		lanes int
	}{{0, 8}, {125 * time.Millisecond, 1}, {9 * time.Second, 1}, {10 * time.Second, 8}} {
		now := time.Unix(0, int64(later.after))
		r.count(now)
		if got := l.width(r, now); got != later.lanes {
			t.Errorf("%s after the other one's request: %d lanes, not %d", later.after, got, later.lanes)
		}
	}
}

func TestWhatACrowdDoesGivesWayToOthers(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	l := NewLanes(LaneOptions{Most: 8, Shared: 1, Queue: 100})
	l.now = func() time.Time { return time.Unix(0, clock.Load()) }
	enter(t, l, "calm")()
	in := rush(t, l, "crowd")
	var first []entered
	for range 8 {
		first = append(first, <-in)
	}
	clock.Add(int64(time.Second)) // known as a crowd by now
	for i, one := range first {
		if one.gives {
			t.Errorf("number %d gives way before there was a crowd", i)
		}
		one.leave()
	}
	for i := range 4 {
		next := <-in
		if !next.gives {
			t.Errorf("number %d of a crowd does not give way", i)
		}
		next.leave()
	}
}

func TestWhoAsksInNoOrganizationIsNobodysNeighbour(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	var clock atomic.Int64
	lanes := NewLanes(LaneOptions{Most: 8, Shared: 1, Queue: 100})
	lanes.now = func() time.Time { return time.Unix(0, clock.Load()) }
	g := NewGuard(Policy{}, limiter, lanes, nil)
	org, person := uuid.New(), uuid.New()
	for _, step := range []struct {
		beside uuid.UUID
		gives  bool
	}{{uuid.Nil, false}, {uuid.New(), true}} {
		_, leave, err := g.Enter(t.Context(), step.beside, person)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		in := rush(t, lanes, org.String())
		clock.Add(int64(time.Second))
		for i := range 16 {
			next := <-in
			if i >= 8 && next.gives != step.gives {
				t.Errorf("beside %s: number %d gives way: %t", step.beside, i, next.gives)
				step.gives = next.gives // said once
			}
			next.leave()
		}
	}
}

func TestWhoAsksLittleKeepsItsLanesBesideOthers(t *testing.T) {
	t.Parallel()
	l := NewLanes(LaneOptions{Most: 8, Shared: 1})
	enter(t, l, "other")()
	for range 4 {
		defer enter(t, l, "calm")()
	}
	if running, waiting := l.UnderWay("calm"); running != 4 || waiting != 0 {
		t.Errorf("%d under way, %d waiting", running, waiting)
	}
}

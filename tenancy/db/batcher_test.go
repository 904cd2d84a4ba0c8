package db

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync"
	"testing"
	"time"
)

// An item is answered with the text of its number; absent items get no answer.
type item struct {
	number int
	answer string
}

const absent = -1

// A recorder is a BatcherRun that records the items of each run. With hold set, a run waits for a value.
type recorder struct {
	mu   sync.Mutex
	runs [][]int
	hold chan struct{}
	fail error
}

func (r *recorder) run(ctx context.Context, items []*item) error {
	numbers := make([]int, len(items))
	for i, it := range items {
		numbers[i] = it.number
	}
	r.mu.Lock()
	r.runs = append(r.runs, numbers)
	r.mu.Unlock()
	if r.hold != nil {
		select {
		case <-r.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, it := range items {
		if it.number != absent {
			it.answer = strconv.Itoa(it.number)
		}
	}
	return r.fail
}

func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.runs)
}

// newBatcher returns a batcher that never takes a run for a slow one.
func newBatcher() *Batcher[int, *item] {
	return NewBatcher[int](BatcherOptions[*item]{MaxSize: 100, MaxConcurrent: 4, Slow: time.Hour})
}

func do(ctx context.Context, b *Batcher[int, *item], key, number int, run BatcherRun[*item]) (string, error) {
	it := &item{number: number}
	if err := b.Do(ctx, key, it, run); err != nil {
		return "", err
	}
	return it.answer, nil
}

func (b *Batcher[K, T]) idle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queues) == 0
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 5000 {
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal(what + " did not happen")
}

func TestCallsThatArriveDuringARunShareTheNext(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	const callers = 40
	var all sync.WaitGroup
	for i := range callers {
		if i == 1 {
			eventually(t, "a run", func() bool { return r.count() == 1 })
		}
		all.Go(func() {
			number, want := i, strconv.Itoa(i)
			if i%10 == 9 {
				number, want = absent, ""
			}
			if got, err := do(t.Context(), b, 0, number, r.run); err != nil || got != want {
				t.Errorf("item %d got %q, %v", number, got, err)
			}
		})
	}
	eventually(t, "waiting in the queue", func() bool { return b.Waiting() == callers-1 })
	close(r.hold)
	all.Wait()
	if r.count() != 2 {
		t.Errorf("%d calls took %d runs", callers, r.count())
	}
	if !b.idle() {
		t.Error("a queue is left behind")
	}
}

func TestRunHasAtMostMaxSizeItems(t *testing.T) {
	t.Parallel()
	r := &recorder{hold: make(chan struct{})}
	b := NewBatcher[int](BatcherOptions[*item]{MaxSize: 5, MaxConcurrent: 1, Slow: time.Hour})
	var all sync.WaitGroup
	for i := range 13 {
		if i == 1 {
			eventually(t, "a run", func() bool { return r.count() == 1 })
		}
		all.Go(func() { _, _ = do(t.Context(), b, 0, i, r.run) })
	}
	eventually(t, "waiting in the queue", func() bool { return b.Waiting() == 12 })
	close(r.hold)
	all.Wait()
	for _, numbers := range r.runs {
		if len(numbers) > 5 {
			t.Errorf("a run took %d items", len(numbers))
		}
	}
	if r.count() != 4 { // 1, 5, 5, 2
		t.Errorf("%d runs", r.count())
	}
}

func TestCallsOfDifferentKeysNeverShareARun(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	var all sync.WaitGroup
	for key := range 20 {
		all.Go(func() {
			if _, err := do(t.Context(), b, key, key, r.run); err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "a run of each key", func() bool { return r.count() == 20 })
	close(r.hold)
	all.Wait()
}

func TestCanceledCallDoesNotAffectOtherCalls(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	var stay, gone sync.WaitGroup
	stay.Go(func() { _, _ = do(t.Context(), b, 0, 0, r.run) })
	eventually(t, "a run", func() bool { return r.count() == 1 })
	leaving, leave := context.WithCancel(t.Context())
	for n := range 5 { // the first of them would lead the next run
		gone.Go(func() {
			_, err := do(leaving, b, 0, n, r.run)
			if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrAbandoned) {
				t.Errorf("left with %v", err)
			}
		})
		eventually(t, "waiting", func() bool { return b.Waiting() == n+1 })
	}
	for n := range 5 {
		stay.Go(func() {
			if got, err := do(t.Context(), b, 0, n, r.run); err != nil || got != strconv.Itoa(n) {
				t.Errorf("a call that stayed got %q, %v", got, err)
			}
		})
	}
	eventually(t, "waiting", func() bool { return b.Waiting() == 10 })
	leave()
	gone.Wait()
	close(r.hold)
	stay.Wait()
	if !b.idle() {
		t.Error("a queue is left behind")
	}
}

// Contexts end at any moment, also when the call has just been promoted to lead.
func TestEveryCallReturnsUnderConcurrentCancellation(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 2000 {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+n)%3 == 0 {
					go cancel()
				}
				got, err := do(ctx, b, 0, n, r.run)
				if err != nil && ctx.Err() == nil || err == nil && got != strconv.Itoa(n) {
					t.Errorf("got %q, %v", got, err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	eventually(t, "the end of every run", b.idle)
}

func TestFailureAffectsOnlyTheCallsOfItsRun(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	b, r := newBatcher(), &recorder{fail: broken}
	if _, err := do(t.Context(), b, 0, 1, r.run); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = do(t.Context(), b, 0, 1, func(context.Context, []*item) error { panic("boom") })
	}()
	r.fail = nil
	if _, err := do(t.Context(), b, 0, 1, r.run); err != nil || !b.idle() {
		t.Errorf("after failures: %v", err)
	}
}

func TestSlowRunDoesNotBlockTheQueue(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	var all sync.WaitGroup
	call := func() { _, _ = do(t.Context(), b, 0, 1, r.run) }
	all.Go(call)
	eventually(t, "a run", func() bool { return r.count() == 1 })
	all.Go(call)
	eventually(t, "waiting", func() bool { return b.Waiting() == 1 })
	b.mu.Lock()
	b.slow = 0
	b.mu.Unlock()
	for n := 2; n <= b.options.MaxConcurrent; n++ { // the first of these takes the waiting call along
		all.Go(call)
		eventually(t, "another run", func() bool { return r.count() == n && b.Waiting() == 0 })
	}
	all.Go(call)
	eventually(t, "waiting for one of so many", func() bool { return b.Waiting() == 1 })
	close(r.hold)
	all.Wait()
	if !b.idle() {
		t.Error("a queue is left behind")
	}
}

// No call arrives after the waiting one, and the run that it waits for does not end.
func TestWaitingCallStartsWhenTheRunIsSlow(t *testing.T) {
	t.Parallel()
	// Slow is long enough to wait.
	b := NewBatcher[int](BatcherOptions[*item]{MaxSize: 100, MaxConcurrent: 4, Slow: 100 * time.Millisecond})
	hold, running := make(chan struct{}), make(chan struct{})
	run := func(_ context.Context, items []*item) error {
		if items[0].number == absent {
			close(running)
			<-hold
		}
		return nil
	}
	var first sync.WaitGroup
	first.Go(func() { _, _ = do(t.Context(), b, 0, absent, run) })
	<-running
	if _, err := do(t.Context(), b, 0, 1, run); err != nil { // never returns if it waits for the first
		t.Error(err)
	}
	close(hold)
	first.Wait()
	eventually(t, "the end of the queue", b.idle)
}

func TestConflictingItemsNeverShareARun(t *testing.T) {
	t.Parallel()
	b := NewBatcher[int](BatcherOptions[*item]{
		MaxSize: 100, MaxConcurrent: math.MaxInt, Slow: time.Hour,
		Conflict: func(a, b *item) bool { return a.number == b.number },
	})
	r := &recorder{hold: make(chan struct{})}
	var all sync.WaitGroup
	for i := range 12 {
		if i == 1 {
			eventually(t, "a run", func() bool { return r.count() == 1 })
		}
		number := i
		if i%3 == 0 {
			number = 0
		}
		all.Go(func() {
			if _, err := do(t.Context(), b, 0, number, r.run); err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "waiting", func() bool { return b.Waiting() == 11 })
	close(r.hold)
	all.Wait()
	total := 0
	for _, numbers := range r.runs {
		total += len(numbers)
		zeros := 0
		for _, n := range numbers {
			if n == 0 {
				zeros++
			}
		}
		if zeros > 1 {
			t.Errorf("%d conflicting items shared a run", zeros)
		}
	}
	if total != 12 || r.count() > 5 || !b.idle() {
		t.Errorf("%d items in %d runs", total, r.count())
	}
}

const bad = 7

var errBad = errors.New("bad")

// refusing refuses runs of several items that contain bad, and bad itself.
func (r *recorder) refusing(ctx context.Context, items []*item) error {
	if err := r.run(ctx, items); err != nil {
		return err
	}
	for _, it := range items {
		if it.number == bad {
			if len(items) > 1 {
				return ErrRetryIndividually
			}
			return errBad
		}
	}
	return nil
}

func TestCallsRunIndividuallyForAPeriodAfterARejection(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	b.soloPeriod = time.Hour
	var all sync.WaitGroup
	call := func(number int) {
		got, err := do(t.Context(), b, 0, number, r.refusing)
		if number == bad && !errors.Is(err, errBad) || number != bad && (err != nil || got != strconv.Itoa(number)) {
			t.Errorf("item %d got %q, %v", number, got, err)
		}
	}
	all.Go(func() { call(100) })
	eventually(t, "a run", func() bool { return r.count() == 1 })
	for number := range 9 {
		all.Go(func() { call(number) })
	}
	eventually(t, "waiting", func() bool { return b.Waiting() == 9 })
	close(r.hold)
	all.Wait()
	if r.count() != 1+1+9 { // the first, all together without success, each individually
		t.Errorf("%d runs", r.count())
	}
	r.hold = make(chan struct{})
	for range 5 {
		all.Go(func() { call(100) })
	}
	eventually(t, "each alone in the solo period", func() bool { return r.count() == 11+5 })
	close(r.hold)
	all.Wait()
	b.mu.Lock()
	for key, q := range b.queues { // the period ends
		q.soloUntil = time.Time{}
		b.forget(key, q)
	}
	b.mu.Unlock()
	if !b.idle() {
		t.Error("a queue is left behind")
	}
}

func TestQueueIsRemovedAfterItsSoloPeriod(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	b.soloPeriod = time.Millisecond
	var all sync.WaitGroup
	all.Go(func() { _, _ = do(t.Context(), b, 0, 1, r.refusing) })
	eventually(t, "a run", func() bool { return r.count() == 1 })
	all.Go(func() { _, _ = do(t.Context(), b, 0, 2, r.refusing) })
	all.Go(func() { _, _ = do(t.Context(), b, 0, bad, r.refusing) })
	eventually(t, "waiting", func() bool { return b.Waiting() == 2 })
	close(r.hold)
	all.Wait()
	eventually(t, "the end of the queue", b.idle)
}

func TestSharedRunContinuesWhenItsLeaderIsCanceled(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	var all, gone sync.WaitGroup
	all.Go(func() { _, _ = do(t.Context(), b, 0, 1, r.run) })
	eventually(t, "a run", func() bool { return r.count() == 1 })
	ctx, leave := context.WithCancel(t.Context())
	gone.Go(func() {
		if _, err := do(ctx, b, 0, 2, r.run); !errors.Is(err, context.Canceled) {
			t.Errorf("left with %v", err)
		}
	})
	eventually(t, "waiting", func() bool { return b.Waiting() == 1 })
	all.Go(func() {
		if got, err := do(t.Context(), b, 0, 3, r.run); err != nil || got != "3" {
			t.Errorf("the call that stayed got %q, %v", got, err)
		}
	})
	eventually(t, "waiting", func() bool { return b.Waiting() == 2 })
	r.hold <- struct{}{} // the first run ends, the second starts with both
	eventually(t, "a second run", func() bool { return r.count() == 2 })
	leave()
	gone.Wait()
	all.Go(func() { _, _ = do(t.Context(), b, 0, 4, r.run) })
	eventually(t, "waiting for the second run", func() bool { return b.Waiting() == 1 })
	close(r.hold)
	all.Wait()
	if r.count() != 3 || !b.idle() {
		t.Errorf("%d runs", r.count())
	}
}

func TestPanicInASharedRunIsAnErrorForAllItsCalls(t *testing.T) {
	t.Parallel()
	b, r := newBatcher(), &recorder{hold: make(chan struct{})}
	var all sync.WaitGroup
	all.Go(func() { _, _ = do(t.Context(), b, 0, 1, r.run) })
	eventually(t, "a run", func() bool { return r.count() == 1 })
	for range 3 {
		all.Go(func() {
			if _, err := do(t.Context(), b, 0, 2, func(context.Context, []*item) error { panic("boom") }); err == nil {
				t.Error("no error")
			}
		})
	}
	eventually(t, "waiting", func() bool { return b.Waiting() == 3 })
	close(r.hold)
	all.Wait()
	if !b.idle() {
		t.Error("a queue is left behind")
	}
}

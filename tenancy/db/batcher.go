package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// defaultSlow is how long a run has its key to itself. A run that takes longer is reading from
	// disk or waiting for a lock, and no longer blocks the queue.
	defaultSlow = 2 * time.Millisecond

	// contention is how long after a call had to wait a run still yields to the scheduler before it
	// starts, so that calls that have arrived can join. Without contention, yielding would only
	// cost time.
	contention = 100 * time.Millisecond

	// runTimeout bounds a shared run, because the deadline of one caller must not end it for the
	// others.
	runTimeout = 20 * time.Second

	// defaultSolo is long compared to a failed shared run, so that repeated rejections cost little
	// more than calls that never share.
	defaultSolo = 200 * time.Millisecond
)

// ErrRetryIndividually is returned by a BatcherRun of several items that has done nothing because one of
// the items was refused. Each item is then run by itself, and calls of the key do not share runs for a
// short period.
var ErrRetryIndividually = errors.New("batch: the items must be run one by one")

// ErrAbandoned is returned by Do when its context ended while the call waited. The item may have
// been processed or not.
var ErrAbandoned = errors.New("batch: the caller left while waiting for a shared round trip")

var errNoReturn = errors.New("batch: the run did not return")

// BatcherRun processes 1 to BatcherOptions.MaxSize items, or fails for all of them. It stores the result of an
// item in the item.
type BatcherRun[T any] func(ctx context.Context, items []T) error

// BatcherOptions configure a Batcher.
type BatcherOptions[T any] struct {
	// MaxSize bounds the items of one run.
	MaxSize int
	// MaxConcurrent bounds the concurrent runs of one key. A second run starts only when the one
	// before it is slow.
	MaxConcurrent int
	// Slow is how long a run has its key to itself before another may start. Zero means 2 ms.
	Slow time.Duration
	// Conflict reports whether two items must not be in one run. Nil means never.
	Conflict func(a, b T) bool
}

// A Batcher lets concurrent calls share one round trip, as group commit does. A call runs at once when
// no run of its key is in progress; K is what items must have in common to share a run. Calls that
// arrive during a run wait, and the next run takes all of them, so batching never delays a single
// caller. Every call gets its result from a run that began after the call arrived, so callers read their
// own writes.
type Batcher[K comparable, T any] struct {
	options    BatcherOptions[T]
	slow       time.Duration // a run that takes longer no longer blocks the queue
	soloPeriod time.Duration // for how long calls do not share runs after ErrRetryIndividually

	mu        sync.Mutex
	queues    map[K]*queue[T]
	contended time.Time // when a call last had to wait, for any key
}

// A queue exists while a run of its key is under way and while a solo period lasts.
type queue[T any] struct {
	running   int       // runs under way or about to start
	started   time.Time // when the latest of them started
	waiting   []*call[T]
	watched   bool      // a check of the waiting calls is scheduled
	soloUntil time.Time // end of the period in which calls do not share runs
}

type call[T any] struct {
	item        T
	uncontended bool          // arrived when no call had waited for a while
	leads       bool          // leads the next run; guarded by Batcher.mu
	next        chan nextStep // what the call does next, if it waits or shares a run
	err         error         // once the call has its result
}

// nextStep is what a call does next.
type nextStep int

const (
	stepLead   nextStep = iota // run, for the waiting calls too
	stepSolo                   // run by itself
	stepReturn                 // the result or the error is there
	stepWait                   // wait in the queue
)

// NewBatcher returns a Batcher.
func NewBatcher[K comparable, T any](options BatcherOptions[T]) *Batcher[K, T] {
	return &Batcher[K, T]{
		options: options, slow: cmp.Or(options.Slow, defaultSlow), soloPeriod: defaultSolo, queues: map[K]*queue[T]{},
	}
}

// Do runs an item, alone or together with others of the same key. It returns when ctx ends, although a
// shared run continues for the others: the item may then have been processed or not, and the error
// wraps ErrAbandoned and ctx's error.
func (b *Batcher[K, T]) Do(ctx context.Context, key K, item T, run BatcherRun[T]) error {
	c := &call[T]{item: item}
	q, next := b.join(key, c)
	for {
		switch next {
		case stepLead:
			if b.flush(ctx, key, q, c, run) {
				return c.err
			}
		case stepSolo:
			return run(ctx, []T{item})
		case stepReturn:
			return c.err
		case stepWait:
		}
		select {
		case next = <-c.next:
		case <-ctx.Done():
			b.leave(key, q, c)
			return fmt.Errorf("%w: %w", ErrAbandoned, ctx.Err())
		}
	}
}

// Waiting returns how many calls wait, for all keys together.
func (b *Batcher[K, T]) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, q := range b.queues {
		n += len(q.waiting)
	}
	return n
}

// join decides what an arriving call does.
func (b *Batcher[K, T]) join(key K, c *call[T]) (*queue[T], nextStep) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.queues[key]
	if q == nil {
		q = &queue[T]{}
		b.queues[key] = q
	}
	if !q.soloUntil.IsZero() && time.Now().Before(q.soloUntil) {
		return q, stepSolo
	}
	if q.running == 0 || q.running < b.options.MaxConcurrent && time.Since(q.started) > b.slow {
		q.running++
		q.started = time.Now()
		c.uncontended = q.started.Sub(b.contended) > contention
		return q, stepLead
	}
	c.next = make(chan nextStep, 1)
	q.waiting = append(q.waiting, c)
	b.contended = time.Now()
	b.watch(q)
	return q, stepWait
}

// watch starts another run for the waiting calls when the present one turns out to be slow. The
// caller holds b.mu.
func (b *Batcher[K, T]) watch(q *queue[T]) {
	if q.watched || len(q.waiting) == 0 || q.running >= b.options.MaxConcurrent {
		return
	}
	q.watched = true
	time.AfterFunc(b.slow-time.Since(q.started), func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		q.watched = false
		if len(q.waiting) > 0 && q.running < b.options.MaxConcurrent && time.Since(q.started) >= b.slow {
			q.running++
			q.promote()
		}
		b.watch(q)
	})
}

// promote makes the first waiting call lead.
func (q *queue[T]) promote() {
	first := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	q.started = time.Now()
	first.leads = true
	first.next <- stepLead
}

// leave removes a call whose context has ended. If it was to lead, the next one does.
func (b *Batcher[K, T]) leave(key K, q *queue[T], c *call[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.leads {
		b.advance(key, q)
		return
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(other *call[T]) bool { return other == c })
}

// advance gives the slot of a finished run to the first waiting call. The caller holds b.mu.
func (b *Batcher[K, T]) advance(key K, q *queue[T]) {
	if len(q.waiting) > 0 {
		q.promote()
		return
	}
	q.running--
	b.forget(key, q)
}

// forget removes a queue that is not needed. The caller holds b.mu.
func (b *Batcher[K, T]) forget(key K, q *queue[T]) {
	if q.running == 0 && !time.Now().Before(q.soloUntil) && b.queues[key] == q {
		delete(b.queues, key)
	}
}

// collect takes the waiting calls out of the queue, except those that conflict with an earlier one.
func (b *Batcher[K, T]) collect(q *queue[T], lead *call[T]) []*call[T] {
	calls := []*call[T]{lead}
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := q.waiting[:0]
	for _, c := range q.waiting {
		if len(calls) >= b.options.MaxSize || b.conflicts(calls, c) {
			kept = append(kept, c)
			continue
		}
		calls = append(calls, c)
	}
	clear(q.waiting[len(kept):])
	q.waiting = kept
	lead.leads = false // from here on the run continues without its caller
	if len(calls) > 1 && lead.next == nil {
		lead.next = make(chan nextStep, 1)
	}
	b.watch(q)
	return calls
}

func (b *Batcher[K, T]) conflicts(calls []*call[T], c *call[T]) bool {
	return b.options.Conflict != nil &&
		slices.ContainsFunc(calls, func(other *call[T]) bool { return b.options.Conflict(c.item, other.item) })
}

// flush runs the leading call and those that wait. It reports whether the call is answered: one
// that shares its run waits for the result like the others.
func (b *Batcher[K, T]) flush(ctx context.Context, key K, q *queue[T], lead *call[T], run BatcherRun[T]) (done bool) {
	if !lead.uncontended {
		runtime.Gosched() // lets calls that have arrived join
	}
	calls := b.collect(q, lead)
	if len(calls) == 1 {
		defer b.finish(key, q, nil, nil)
		lead.err = run(ctx, []T{lead.item})
		return true
	}
	// The context of one caller must not end the run for the others.
	shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), runTimeout)
	items := make([]T, len(calls))
	for i, c := range calls {
		items[i] = c.item
	}
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("batch: %v\n%s", p, debug.Stack())
			}
			cancel()
			b.finish(key, q, calls, err)
		}()
		err = errNoReturn // unless run returns
		err = run(shared, items)
	}()
	return false
}

// finish ends a run: its slot goes to the next call, and the calls that shared it get its result. After
// ErrRetryIndividually no call of the key shares a run for soloPeriod.
func (b *Batcher[K, T]) finish(key K, q *queue[T], calls []*call[T], err error) {
	next := stepReturn
	b.mu.Lock()
	if errors.Is(err, ErrRetryIndividually) {
		next = stepSolo
		q.soloUntil = time.Now().Add(b.soloPeriod)
		time.AfterFunc(b.soloPeriod, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.forget(key, q)
		})
		for _, c := range q.waiting {
			c.next <- stepSolo
		}
		q.waiting = nil
	}
	b.advance(key, q)
	b.mu.Unlock()
	for _, c := range calls {
		c.err = err
		c.next <- next
	}
}

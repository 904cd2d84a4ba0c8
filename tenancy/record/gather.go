package record

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/tenancy"
)

// A gatherer lets requests of one kind for one table share a round trip. The first one asks at once; those that come while it is
// under way wait, and are then asked for together by the first of them. Nobody waits for company: a lone request costs what
// it would without a gatherer. Each is answered by a round trip that began after it came, so what a caller wrote before, it reads.
//
// K is what requests must have in common to go together, T is a request, which takes in its own answer.
type gatherer[K comparable, T any] struct {
	slow  time.Duration     // a round trip that takes longer holds nobody up
	most  int               // how many are under way for one key at a time, at most
	apart func(a, b T) bool // nil, or whether two requests cannot be in one round trip

	mu    sync.Mutex
	lines map[K]*line[T]
}

// A line is the requests with one key.
type line[T any] struct {
	flights int       // round trips under way, or about to leave
	left    time.Time // when the latest of them did
	waiting []*asking[T]
}

// slowFlight is how long a round trip has the way for itself, so that as many as possible share the next one; then another may leave, with
// whoever waits: some row is read from disk, or locked.
const slowFlight = 2 * time.Millisecond

// flightTime bounds a round trip that is shared, for the deadline of one is not that of the others.
const flightTime = 20 * time.Second

type asking[T any] struct {
	request T
	leads   bool      // was told to ask for the others too; guarded by gatherer.mu
	turn    chan bool // true: it leads; false: the answer or err is there
	err     error
}

// A trip answers 1 to MaxBatch requests, or fails for all of them.
type trip[T any] func(ctx context.Context, together []T) error

func newGatherer[K comparable, T any](most int, apart func(a, b T) bool) *gatherer[K, T] {
	return &gatherer[K, T]{slow: slowFlight, most: most, apart: apart, lines: map[K]*line[T]{}}
}

// ask answers a request, by a round trip of its own or one that it shares. It returns when ctx ends, though a round trip that it shares goes
// on for the others: what it asked for may be done or not.
func (g *gatherer[K, T]) ask(ctx context.Context, key K, request T, do trip[T]) error {
	a := &asking[T]{request: request}
	l, leads := g.join(key, a)
	if !leads {
		select {
		case leads = <-a.turn:
		case <-ctx.Done():
			g.leave(key, l, a)
			return tenancy.Unavailable(fmt.Errorf("waiting for a shared round trip: %w", ctx.Err()))
		}
	}
	if leads {
		g.fly(ctx, key, l, a, do)
	}
	return a.err
}

// join says whether the request may ask at once; otherwise it waits in line for its turn.
func (g *gatherer[K, T]) join(key K, a *asking[T]) (l *line[T], leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l = g.lines[key]
	if l == nil {
		l = &line[T]{}
		g.lines[key] = l
	}
	if l.flights == 0 || l.flights < g.most && time.Since(l.left) > g.slow {
		l.flights++
		l.left = time.Now()
		return l, true
	}
	a.turn = make(chan bool, 1)
	l.waiting = append(l.waiting, a)
	return l, false
}

// leave takes a request out of the line; if the others counted on it, the next one leads.
func (g *gatherer[K, T]) leave(key K, l *line[T], a *asking[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a.leads {
		g.advance(key, l)
		return
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(other *asking[T]) bool { return other == a })
}

// advance gives the place of a flight that has ended to the first of those who wait. The caller holds g.mu.
func (g *gatherer[K, T]) advance(key K, l *line[T]) {
	if len(l.waiting) == 0 {
		if l.flights--; l.flights == 0 {
			delete(g.lines, key)
		}
		return
	}
	first := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1)
	l.left = time.Now()
	first.leads = true
	first.turn <- true
}

// board takes along those who wait, but who cannot go together with one who is ahead of them.
func (g *gatherer[K, T]) board(l *line[T], lead *asking[T]) []*asking[T] {
	together := []*asking[T]{lead}
	g.mu.Lock()
	defer g.mu.Unlock()
	stay := l.waiting[:0]
	for _, a := range l.waiting {
		if len(together) == MaxBatch || g.apart != nil && slices.ContainsFunc(together, func(b *asking[T]) bool { return g.apart(a.request, b.request) }) {
			stay = append(stay, a)
			continue
		}
		together = append(together, a)
	}
	clear(l.waiting[len(stay):])
	l.waiting = stay
	return together
}

// fly makes one round trip for a request and all that wait, and gives the place to the next. That the caller is gone does not
// end it when there are others.
func (g *gatherer[K, T]) fly(ctx context.Context, key K, l *line[T], lead *asking[T], do trip[T]) {
	runtime.Gosched() // requests that have been read already come along
	together := g.board(l, lead)
	if len(together) > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), flightTime)
		defer cancel()
	}
	err := errors.New("asking together: the round trip did not return") // unless it does
	defer func() {
		g.mu.Lock()
		g.advance(key, l)
		g.mu.Unlock()
		lead.err = err
		for _, a := range together[1:] {
			a.err = err
			a.turn <- false
		}
	}()
	requests := make([]T, len(together))
	for i, a := range together {
		requests[i] = a.request
	}
	err = do(ctx, requests)
}

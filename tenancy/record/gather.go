package record

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
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
	spell time.Duration     // how long requests go alone after errApart
	most  int               // how many are under way for one key at a time, at most
	apart func(a, b T) bool // nil, or whether two requests cannot be in one round trip

	mu     sync.Mutex
	lines  map[K]*line[T]
	waited time.Time // when a request last had to wait, in whichever line
}

// A line is the requests with one key. It is there while a round trip is under way, and while a spell lasts.
type line[T any] struct {
	flights int       // round trips under way, or about to leave
	left    time.Time // when the latest of them did
	waiting []*asking[T]
	watched bool      // whether a look after the waiting is due
	alone   time.Time // end of the spell in which everybody goes alone
}

// slowFlight is how long a round trip has the way for itself, so that as many as possible share the next one; then another leaves, with
// whoever waits: some row is read from disk, or locked, or a commit is slow.
const slowFlight = 2 * time.Millisecond

// company is for how long after a request had to wait others are looked out for before a round trip leaves. To a lone caller that look costs
// what else there is to run first.
const company = 100 * time.Millisecond

// flightTime bounds a round trip that is shared, for the deadline of one is not that of the others.
const flightTime = 20 * time.Second

// loneSpell is long beside the round trip that was in vain, so that requests of which some are refused take little more than they would if
// none were shared.
const loneSpell = 200 * time.Millisecond

type asking[T any] struct {
	request T
	lone    bool      // came when nobody had waited for long
	leads   bool      // was told to ask for the others too; guarded by gatherer.mu
	turn    chan turn // what the request is to do, when it waits or has company
	err     error     // once it is answered
}

// A turn is what comes next for a request.
type turn int

const (
	turnLead   turn = iota // ask, for whoever waits too
	turnAlone              // ask by yourself
	turnAnswer             // the answer or the error is there
	turnWait               // stand in line
)

// A trip answers 1 to MaxBatch requests, or fails for all of them.
type trip[T any] func(ctx context.Context, together []T) error

// errApart is for a trip of several requests to return when it has done nothing, since one of them is refused: each is then asked for alone.
var errApart = errors.New("requests that were asked together have to be asked one by one")

var errNoReturn = errors.New("asking together: the round trip did not return")

func newGatherer[K comparable, T any](most int, apart func(a, b T) bool) *gatherer[K, T] {
	return &gatherer[K, T]{slow: slowFlight, spell: loneSpell, most: most, apart: apart, lines: map[K]*line[T]{}}
}

// ask answers a request, by a round trip of its own or one that it shares. It returns when ctx ends, though a round trip that it shares goes
// on for the others: what it asked for may then be done or not.
func (g *gatherer[K, T]) ask(ctx context.Context, key K, request T, do trip[T]) error {
	a := &asking[T]{request: request}
	l, next := g.join(key, a)
	for {
		switch next {
		case turnLead:
			if g.fly(ctx, key, l, a, do) {
				return a.err
			}
		case turnAlone:
			return do(ctx, []T{request})
		case turnAnswer:
			return a.err
		case turnWait:
		}
		select {
		case next = <-a.turn:
		case <-ctx.Done():
			g.leave(key, l, a)
			return tenancy.Unavailable(fmt.Errorf("waiting for a shared round trip: %w", ctx.Err()))
		}
	}
}

// join says what a request does that has come.
func (g *gatherer[K, T]) join(key K, a *asking[T]) (*line[T], turn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if l == nil {
		l = &line[T]{}
		g.lines[key] = l
	}
	if !l.alone.IsZero() && time.Now().Before(l.alone) {
		return l, turnAlone
	}
	if l.flights == 0 || l.flights < g.most && time.Since(l.left) > g.slow {
		l.flights++
		l.left = time.Now()
		a.lone = l.left.Sub(g.waited) > company
		return l, turnLead
	}
	a.turn = make(chan turn, 1)
	l.waiting = append(l.waiting, a)
	g.waited = time.Now()
	g.watch(l)
	return l, turnWait
}

// watch sees to it that those who wait leave when the round trip that they wait for is slow. The caller holds g.mu.
func (g *gatherer[K, T]) watch(l *line[T]) {
	if l.watched || len(l.waiting) == 0 || l.flights >= g.most {
		return
	}
	l.watched = true
	time.AfterFunc(g.slow-time.Since(l.left), func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		l.watched = false
		if len(l.waiting) > 0 && l.flights < g.most && time.Since(l.left) >= g.slow {
			l.flights++
			l.sendFirst()
		}
		g.watch(l)
	})
}

// sendFirst makes the first of those who wait lead.
func (l *line[T]) sendFirst() {
	first := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1)
	l.left = time.Now()
	first.leads = true
	first.turn <- turnLead
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
	if len(l.waiting) > 0 {
		l.sendFirst()
		return
	}
	l.flights--
	g.forget(key, l)
}

// forget removes a line that nobody needs. The caller holds g.mu.
func (g *gatherer[K, T]) forget(key K, l *line[T]) {
	if l.flights == 0 && !time.Now().Before(l.alone) && g.lines[key] == l {
		delete(g.lines, key)
	}
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
	lead.leads = false // whoever leaves from now on leaves the flight to itself
	if len(together) > 1 && lead.turn == nil {
		lead.turn = make(chan turn, 1)
	}
	g.watch(l)
	return together
}

// fly makes one round trip for a request and all that wait. It reports whether the request is answered: one that has company waits for
// that as they do.
func (g *gatherer[K, T]) fly(ctx context.Context, key K, l *line[T], lead *asking[T], do trip[T]) (done bool) {
	if !lead.lone {
		runtime.Gosched() // requests that have been read already come along
	}
	together := g.board(l, lead)
	if len(together) == 1 {
		defer g.land(key, l, nil, nil)
		lead.err = do(ctx, []T{lead.request})
		return true
	}
	// That the caller is gone does not end it for the others.
	shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
	requests := make([]T, len(together))
	for i, a := range together {
		requests[i] = a.request
	}
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("asking together: %v\n%s", p, debug.Stack())
			}
			cancel()
			g.land(key, l, together, err)
		}()
		err = errNoReturn // unless it does
		err = do(shared, requests)
	}()
	return false
}

// land ends a round trip: its place goes to the next, and those who shared it have their answers. After errApart nobody shares one for a
// spell.
func (g *gatherer[K, T]) land(key K, l *line[T], together []*asking[T], err error) {
	next := turnAnswer
	g.mu.Lock()
	if errors.Is(err, errApart) {
		next = turnAlone
		l.alone = time.Now().Add(g.spell)
		time.AfterFunc(g.spell, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.forget(key, l)
		})
		for _, a := range l.waiting {
			a.turn <- turnAlone
		}
		l.waiting = nil
	}
	g.advance(key, l)
	g.mu.Unlock()
	for _, a := range together {
		a.err = err
		a.turn <- next
	}
}

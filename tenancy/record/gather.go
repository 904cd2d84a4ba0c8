package record

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy"
)

// A gatherer lets requests for single rows of one table share a round trip. The first one asks at once; those that come while it
// is under way wait, and are then asked for together by the first of them. Nobody waits for company: a lone request costs what
// it would without a gatherer. Each row is read by a statement that began after its request came, so what a caller wrote
// before, it reads.
type gatherer struct {
	slow  time.Duration // a round trip that takes longer holds nobody up
	mu    sync.Mutex
	lines map[gatherKey]*line
}

func newGatherer() *gatherer {
	return &gatherer{slow: slowFlight, lines: map[gatherKey]*line{}}
}

// A gatherKey is what requests must have in common: the organization whose door they go through, and what is selected.
type gatherKey struct {
	org    uuid.UUID
	layout *layout
}

// A line is the requests for rows of one table.
type line struct {
	flights int       // round trips under way, or about to leave
	left    time.Time // when the latest of them did
	waiting []*asking // in the order in which they came
}

// One round trip is under way for a table, so that as many as possible share the next one; and up to maxFlights, each with
// whoever waits, while the latest has been under way for slowFlight: some row is read from disk.
const (
	maxFlights = 4
	slowFlight = 2 * time.Millisecond
)

// flightTime bounds a round trip whose caller has no deadline.
const flightTime = 20 * time.Second

type asking struct {
	row    uuid.UUID
	leads  bool      // was told to ask for the others too; guarded by gatherer.mu
	turn   chan bool // true: it leads; false: record and err are there
	record Record    // nil: there is no such row
	err    error
}

// A fetch reads rows of a table; one that does not exist is left out. It yields each row once.
type fetch func(ctx context.Context, rows []uuid.UUID, yield func(row uuid.UUID, r Record)) error

// get returns a row, or nil when there is none. It returns when ctx ends, though the round trip that it shares goes on for the others.
func (g *gatherer) get(ctx context.Context, key gatherKey, row uuid.UUID, read fetch) (Record, error) {
	a := &asking{row: row}
	l, leads := g.join(key, a)
	if !leads {
		select {
		case leads = <-a.turn:
		case <-ctx.Done():
			g.leave(key, l, a)
			return nil, tenancy.Unavailable(fmt.Errorf("waiting for a row: %w", ctx.Err()))
		}
	}
	if leads {
		g.fly(ctx, key, l, a, read)
	}
	return a.record, a.err
}

// join says whether the request may ask at once; otherwise it waits in line for its turn.
func (g *gatherer) join(key gatherKey, a *asking) (l *line, leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l = g.lines[key]
	if l == nil {
		l = &line{}
		g.lines[key] = l
	}
	if l.flights == 0 || l.flights < maxFlights && time.Since(l.left) > g.slow {
		l.flights++
		l.left = time.Now()
		return l, true
	}
	a.turn = make(chan bool, 1)
	l.waiting = append(l.waiting, a)
	return l, false
}

// leave takes a request out of the line; if the others counted on it, the next one leads.
func (g *gatherer) leave(key gatherKey, l *line, a *asking) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a.leads {
		g.advance(key, l)
		return
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(other *asking) bool { return other == a })
}

// advance gives the place of a flight that has ended to the first of those who wait. The caller holds g.mu.
func (g *gatherer) advance(key gatherKey, l *line) {
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

// board takes along those who wait.
func (g *gatherer) board(l *line, lead *asking) []*asking {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(l.waiting), MaxPage-1)
	together := append([]*asking{lead}, l.waiting[:n]...)
	l.waiting = slices.Delete(l.waiting, 0, n)
	return together
}

// fly makes one round trip for a request and all that wait, and gives the place to the next. That the caller is gone does not
// end it when there are others.
func (g *gatherer) fly(ctx context.Context, key gatherKey, l *line, lead *asking, read fetch) {
	runtime.Gosched() // requests that have been read already come along
	together := g.board(l, lead)
	if len(together) > 1 {
		deadline, ok := ctx.Deadline()
		if !ok || ctx.Err() != nil {
			deadline = time.Now().Add(flightTime)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
		defer cancel()
	}
	err := errors.New("reading rows together: the reader did not return") // unless it does
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
	rows := make([]uuid.UUID, 0, len(together))
	for _, a := range together {
		if !slices.Contains(rows, a.row) {
			rows = append(rows, a.row)
		}
	}
	err = read(ctx, rows, func(row uuid.UUID, r Record) {
		for _, a := range together {
			if a.row == row {
				a.record = r
			}
		}
	})
}

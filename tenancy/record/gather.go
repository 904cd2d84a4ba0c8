package record

import (
	"context"
	"errors"
	"fmt"
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
	mu    sync.Mutex
	lines map[gatherKey]*line
}

// A gatherKey is what requests must have in common: the organization whose door they go through, and what is selected.
type gatherKey struct {
	org    uuid.UUID
	layout *layout
}

// A line is the requests for rows of one table.
type line struct {
	flights int       // round trips under way
	waiting []*asking // in the order in which they came
}

// maxFlights is how many round trips are under way for one table. A second one keeps PostgreSQL busy while the answers of the first
// are written.
const maxFlights = 2

// flightTime bounds a round trip whose caller has no deadline.
const flightTime = 20 * time.Second

type asking struct {
	row    uuid.UUID
	leads  bool           // was told to ask for others too; guarded by gatherer.mu
	turn   chan []*asking // those to ask for, oneself first; nil: record and err are there
	record Record         // nil: there is no such row
	err    error
}

// A fetch reads rows of a table; one that does not exist is left out. It yields each row once.
type fetch func(ctx context.Context, rows []uuid.UUID, yield func(row uuid.UUID, r Record)) error

// get returns a row, or nil when there is none. It returns when ctx ends, though the round trip that it shares goes on for the others.
func (g *gatherer) get(ctx context.Context, key gatherKey, row uuid.UUID, read fetch) (Record, error) {
	a := &asking{row: row}
	l, fly := g.join(key, a)
	if fly {
		g.fly(ctx, key, l, []*asking{a}, read)
		return a.record, a.err
	}
	select {
	case together := <-a.turn:
		if together != nil {
			g.fly(ctx, key, l, together, read)
		}
		return a.record, a.err
	case <-ctx.Done():
	}
	g.mu.Lock()
	l.waiting = slices.DeleteFunc(l.waiting, func(other *asking) bool { return other == a })
	leads := a.leads
	g.mu.Unlock()
	if leads { // the others count on it
		g.fly(ctx, key, l, <-a.turn, read)
	}
	return nil, tenancy.Unavailable(fmt.Errorf("waiting for a row: %w", ctx.Err()))
}

// join says whether the request may ask at once; otherwise it waits in line for its turn.
func (g *gatherer) join(key gatherKey, a *asking) (*line, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if l == nil {
		l = &line{}
		g.lines[key] = l
	}
	if l.flights < maxFlights {
		l.flights++
		return l, true
	}
	a.turn = make(chan []*asking, 1)
	l.waiting = append(l.waiting, a)
	return l, false
}

// fly makes one round trip for all that are together, and gives the turn to those who wait. That the caller is gone does not
// end it, since the others are not.
func (g *gatherer) fly(ctx context.Context, key gatherKey, l *line, together []*asking, read fetch) {
	deadline, ok := ctx.Deadline()
	if !ok || ctx.Err() != nil {
		deadline = time.Now().Add(flightTime)
	}
	if len(together) > 1 || ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
		defer cancel()
	}
	err := errors.New("reading rows together: the reader did not return") // unless it does
	defer func() {
		g.advance(key, l)
		for _, a := range together {
			a.err = err
			if a.turn != nil {
				a.turn <- nil
			}
		}
	}()
	rows := make([]uuid.UUID, len(together))
	for i, a := range together {
		rows[i] = a.row
	}
	err = read(ctx, rows, func(row uuid.UUID, r Record) {
		for _, a := range together {
			if a.row == row {
				a.record = r
			}
		}
	})
}

// advance gives the place of a flight that has ended to those who wait.
func (g *gatherer) advance(key gatherKey, l *line) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(l.waiting) == 0 {
		if l.flights--; l.flights == 0 {
			delete(g.lines, key)
		}
		return
	}
	n := min(len(l.waiting), MaxPage)
	together := slices.Clone(l.waiting[:n])
	l.waiting = slices.Delete(l.waiting, 0, n)
	together[0].leads = true
	together[0].turn <- together
}

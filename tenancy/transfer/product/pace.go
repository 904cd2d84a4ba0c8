package product

import (
	"context"
	"maps"
	"sync"
	"time"
)

// A pace keeps the requests for a base below the limit. Each of its turns is given to one request, and can be given to
// another one a second after the answer came: however long requests are on their way, an API meets no more of them in
// any second than there are turns.
type pace struct {
	turns chan time.Time // when each can be given again

	mu      sync.Mutex
	refused time.Time // until when everything is refused
}

// maxPaces is how many bases a client knows before it forgets those that nobody reads.
const maxPaces = 1000

// paceOf returns the pace of a base.
func (c *Client) paceOf(base string) *pace {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.paces[base]; known != nil {
		return known
	}
	if len(c.paces) >= maxPaces {
		maps.DeleteFunc(c.paces, func(_ string, p *pace) bool { return len(p.turns) == perSecond })
	}
	made := &pace{turns: make(chan time.Time, perSecond)}
	for range perSecond {
		made.turns <- time.Time{}
	}
	c.paces[base] = made
	return made
}

// enter waits for a turn. Unless it returns an error, call leave after the request.
func (p *pace) enter(ctx context.Context) error {
	var free time.Time
	select {
	case <-ctx.Done():
		return context.Cause(ctx) //nolint:wrapcheck // the caller's own
	case free = <-p.turns:
	}
	for {
		p.mu.Lock()
		if p.refused.After(free) {
			free = p.refused
		}
		p.mu.Unlock()
		left := time.Until(free)
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(left)
		select {
		case <-ctx.Done():
			timer.Stop()
			p.turns <- free
			return context.Cause(ctx) //nolint:wrapcheck // the caller's own
		case <-timer.C:
		}
	}
}

// leave gives a turn back, for a second later. Nobody asks before wait is over.
func (p *pace) leave(second, wait time.Duration) {
	now := time.Now()
	if wait > 0 {
		p.mu.Lock()
		if until := now.Add(wait); until.After(p.refused) {
			p.refused = until
		}
		p.mu.Unlock()
	}
	p.turns <- now.Add(second)
}

package account

import (
	"context"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// patience makes who guesses an account's password from many addresses wait before each guess. It refuses nobody but
// a crowd.
type patience struct {
	pause func(ctx context.Context, d time.Duration) error

	mu      sync.Mutex
	waiting map[string]int // by e-mail address, be it somebody's or not
	all     int
}

const (
	pauseStep   = 250 * time.Millisecond // for each failure beyond the limit
	maxPause    = 5 * time.Second
	waitingEach = 16 // at once for one e-mail address, in this process
	waitingAll  = 256
)

func newPatience() *patience {
	return &patience{waiting: map[string]int{}, pause: func(ctx context.Context, d time.Duration) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

// wait waits the longer, the more failures there were beyond the limit. It returns an error of kind rate_limited when
// too many wait.
func (p *patience) wait(ctx context.Context, email string, excess int64) error {
	if excess <= 0 {
		return nil
	}
	p.mu.Lock()
	if p.waiting[email] >= waitingEach || p.all >= waitingAll {
		p.mu.Unlock()
		return &problem.Error{
			Kind: problem.KindRateLimited, RetryAfter: maxPause,
			Message: "Many are trying to sign in to this account. Try again in a few seconds.",
		}
	}
	p.waiting[email]++
	p.all++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all--
		if p.waiting[email]--; p.waiting[email] == 0 {
			delete(p.waiting, email)
		}
	}()
	return p.pause(ctx, min(time.Duration(excess)*pauseStep, maxPause))
}

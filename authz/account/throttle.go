package account

import (
	"context"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// guessThrottle delays attempts on an account that is guessed at from many addresses. It rejects
// attempts only when too many are waiting.
type guessThrottle struct {
	sleep func(ctx context.Context, d time.Duration) error

	mu      sync.Mutex
	waiting map[string]int // by e-mail address, known or not
	total   int
}

const (
	delayStep            = 250 * time.Millisecond // per failure beyond the limit
	maxDelay             = 5 * time.Second
	maxWaitingPerAccount = 16 // in this process
	maxWaiting           = 256
)

func newGuessThrottle() *guessThrottle {
	return &guessThrottle{waiting: map[string]int{}, sleep: func(ctx context.Context, d time.Duration) error {
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

// wait delays an attempt by delayStep for each failure beyond the limit, at most maxDelay. It
// returns an error of kind rate_limited when too many attempts are waiting, and ctx.Err() when ctx
// ends.
func (p *guessThrottle) wait(ctx context.Context, email string, excess int64) error {
	if excess <= 0 {
		return nil
	}
	p.mu.Lock()
	if p.waiting[email] >= maxWaitingPerAccount || p.total >= maxWaiting {
		p.mu.Unlock()
		return &problem.Error{
			Kind: problem.KindRateLimited, RetryAfter: maxDelay,
			Message: "Too many attempts to sign in to this account. Try again in a few seconds.",
		}
	}
	p.waiting[email]++
	p.total++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.total--
		if p.waiting[email]--; p.waiting[email] == 0 {
			delete(p.waiting, email)
		}
	}()
	return p.sleep(ctx, min(time.Duration(excess)*delayStep, maxDelay))
}

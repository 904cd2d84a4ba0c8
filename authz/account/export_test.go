package account

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz/limit"
)

// CountLocally counts attempts in this process, so that counts are exact even when Redis is slow.
func (s *Service) CountLocally(t *testing.T) {
	t.Helper()
	unreachable := redis.NewClient(&redis.Options{
		MaxRetries: -1, DialerRetries: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("unreachable") },
	})
	t.Cleanup(func() { _ = unreachable.Close() })
	s.attempts = limit.NewWindowCounter(unreachable)
}

// SkipDelays skips the delays of guesses and returns a function that counts them.
func (s *Service) SkipDelays() (waited func() int64) {
	var n atomic.Int64
	s.guessThrottle.sleep = func(context.Context, time.Duration) error {
		n.Add(1)
		return nil
	}
	return n.Load
}

// BlockDelays blocks delayed guesses until release is called.
func (s *Service) BlockDelays() (release func()) {
	gate := make(chan struct{})
	s.guessThrottle.sleep = func(context.Context, time.Duration) error {
		<-gate
		return nil
	}
	return func() { close(gate) }
}

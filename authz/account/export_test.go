package account

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// CountAlone counts attempts in this process, so that their number is exact however slow Redis is.
func (s *Service) CountAlone(t *testing.T) {
	t.Helper()
	away := redis.NewClient(&redis.Options{
		MaxRetries: -1, DialerRetries: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("away") },
	})
	t.Cleanup(func() { _ = away.Close() })
	s.attempts.redis = away
}

// Impatient takes the waiting out of guesses, and returns how many would have waited.
func (s *Service) Impatient() (waited func() int64) {
	var n atomic.Int64
	s.patience.pause = func(context.Context, time.Duration) error {
		n.Add(1)
		return nil
	}
	return n.Load
}

// Stuck makes guesses wait until they are released.
func (s *Service) Stuck() (release func()) {
	gate := make(chan struct{})
	s.patience.pause = func(context.Context, time.Duration) error {
		<-gate
		return nil
	}
	return func() { close(gate) }
}

package limit

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestWindowCounterCountsRefundsAndResets(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{
		"with Redis":    tenancytest.RedisURL(t),
		"without Redis": "redis://127.0.0.1:1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counter, caller := NewWindowCounter(client(t, url)), uuid.NewString()
			window := Window{Name: "test", Max: 2, Period: time.Hour, Message: "Not now."}
			for want := int64(1); want <= 2; want++ {
				if got, err := counter.Count(t.Context(), window, caller); err != nil || got != want {
					t.Fatalf("attempt %d: %d, %v", want, got, err)
				}
			}
			var limited *problem.Error
			err := counter.Take(t.Context(), window, caller)
			if !errors.As(err, &limited) || limited.Kind != problem.KindRateLimited || limited.Message != "Not now." ||
				limited.RetryAfter > time.Hour {
				t.Fatalf("beyond the limit: %v", err)
			}
			if err := counter.Take(t.Context(), window, uuid.NewString()); err != nil {
				t.Errorf("another caller: %v", err)
			}
			counter.Refund(t.Context(), window, caller)
			counter.Refund(t.Context(), window, caller)
			if err := counter.Take(t.Context(), window, caller); err != nil {
				t.Errorf("after refunds: %v", err)
			}
			counter.Reset(t.Context(), window, caller)
			if got, err := counter.Count(t.Context(), window, caller); err != nil || got != 1 {
				t.Errorf("after a reset: %d, %v", got, err)
			}
		})
	}
}

package apikey

import (
	"context"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// BenchmarkVerify measures a look-up from Redis, from PostgreSQL because of a tombstone, and
// without Redis.
func BenchmarkVerify(b *testing.B) {
	unreachable := credentialtest.NewProxy(b)
	unreachable.Cut()
	for _, c := range []struct {
		name, redis string
		before      func(s *Service, secret string)
	}{
		{"cached", tenancytest.RedisURL(b), func(*Service, string) {}},
		{"tombstone", tenancytest.RedisURL(b), func(s *Service, secret string) {
			s.cache.Invalidate(context.Background(), credential.Key, credential.HashOf(secret))
		}},
		{"no Redis", unreachable.URL(), func(*Service, string) {}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := credentialtest.Start(b, c.redis)
			s := New(Deps{DB: p.DB, Cache: p.Cache, Log: p.Log})
			b.Cleanup(func() { s.Close(context.Background()) })
			_, person := tenancytest.Org(b, p.DB)
			_, secret, err := s.Create(b.Context(), Draft{Person: person, Name: "Bench", Scopes: authz.AllScopes()})
			if err != nil {
				b.Fatal(err)
			}
			c.before(s, secret)
			var slowest time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := s.Verify(b.Context(), secret); err != nil {
					b.Fatal(err)
				}
				slowest = max(slowest, time.Since(began))
			}
			b.ReportMetric(float64(slowest.Microseconds()), "slowest-µs")
		})
	}
}

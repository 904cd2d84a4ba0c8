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

// What a look-up costs: from Redis, from Postgres with Redis filled anew, and with a Redis that is away.
func BenchmarkVerify(b *testing.B) {
	away := credentialtest.NewProxy(b)
	away.Cut()
	for _, c := range []struct {
		name, redis string
		before      func(s *Service, secret string)
	}{
		{"remembered", tenancytest.RedisURL(b), func(*Service, string) {}},
		{"tombstone", tenancytest.RedisURL(b), func(s *Service, secret string) {
			s.cache.Forget(context.Background(), credential.Key, credential.HashOf(secret))
		}},
		{"no Redis", away.URL(), func(*Service, string) {}},
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

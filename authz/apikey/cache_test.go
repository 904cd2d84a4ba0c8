package apikey

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestCachedKeyCostsOneRedisRoundTripAndNoPostgresRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	if postgres, _ := b.Cost(func() { b.accepts(t, secret) }); postgres != 1 {
		t.Errorf("a miss cost %d round trips to Postgres", postgres)
	}
	for range 3 {
		if postgres, redis := b.Cost(func() { b.accepts(t, secret) }); postgres != 0 || redis != 1 {
			t.Errorf("a hit cost %d round trips to Postgres and %d to Redis", postgres, redis)
		}
	}
	unknown := newSecret()
	b.rejects(t, unknown, "unknown")
	if postgres, redis := b.Cost(func() { b.rejects(t, unknown, "unknown") }); postgres != 0 || redis != 1 {
		t.Errorf("a cached unknown key cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
}

func TestRevokedKeyIsRejectedByEveryProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	key, secret := b.create(t)
	second.accepts(t, secret)
	second.accepts(t, secret)
	if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	second.rejects(t, secret, "revoked")
	b.rejects(t, secret, "revoked")
	if err := b.Revoke(t.Context(), b.person, key.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Fatalf("revoked twice: %v", err)
	}
}

func TestRoleChangeAppliesToEveryKeyImmediately(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	_, one := b.create(t)
	_, two := b.create(t)
	second.accepts(t, one)
	second.accepts(t, two)
	b.changeRole(t, organization.Viewer)
	for _, secret := range []string{one, two} {
		if role := second.accepts(t, secret).Role(b.org); role != organization.Viewer {
			t.Errorf("the role is still %s", role)
		}
	}
}

// A reader that queried PostgreSQL before a change must not fill the cache with its answer after
// the change.
func TestSlowCacheFillDoesNotRestoreARevokedKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	hash := credential.HashOf(secret)
	entry, err := credential.Find(t.Context(), b.Cache, credential.Key, hash,
		func(ctx context.Context) (*credential.Entry[claims], error) {
			before, err := b.load(ctx, hash)
			if err != nil {
				return nil, err
			}
			return before, b.Revoke(ctx, b.person, key.ID) // the change commits before the reader fills the cache
		})
	if err != nil || entry == nil {
		t.Fatalf("the reader itself still sees the key: %v, %v", entry, err)
	}
	b.rejects(t, secret, "revoked")
}

func TestSlowCacheFillDoesNotRestoreAnOldRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	hash := credential.HashOf(secret)
	_, err := credential.Find(t.Context(), b.Cache, credential.Key, hash,
		func(ctx context.Context) (*credential.Entry[claims], error) {
			before, err := b.load(ctx, hash)
			b.changeRole(t, organization.Viewer)
			return before, err
		})
	if err != nil {
		t.Fatal(err)
	}
	if role := b.accepts(t, secret).Role(b.org); role != organization.Viewer {
		t.Fatalf("the role is still %s", role)
	}
}

// Many readers in two processes read while keys are revoked one after another. Once Revoke has
// returned, no reader may succeed.
func TestConcurrentReadersNeverRestoreARevokedKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	processes := []service{b.service, start(t, b.redisURL)}
	for range 15 {
		key, secret := b.create(t)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for _, s := range processes {
			for range 3 {
				readers.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
							_, _ = s.Verify(t.Context(), secret)
						}
					}
				})
			}
		}
		time.Sleep(5 * time.Millisecond) // let them run
		if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
			t.Error(err)
		}
		for range 20 {
			for _, s := range processes {
				s.rejects(t, secret, "revoked")
			}
		}
		close(stop)
		readers.Wait()
		for _, s := range processes {
			s.rejects(t, secret, "revoked")
		}
	}
}

func TestCachedKeyExpiresOnTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	end := time.Now().Add(700 * time.Millisecond)
	key, secret := b.create(t, func(d *Draft) { d.ExpiresAt = end })
	for time.Now().Before(end.Add(-100 * time.Millisecond)) {
		b.accepts(t, secret)
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Until(end))
	if postgres, _ := b.Cost(func() { b.rejects(t, secret, "expired") }); postgres != 0 {
		t.Error("the expiry was not read from the cache")
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{
		Person: b.person,
		Key:    key.ID,
	}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("rotating an expired key: %v", err)
	}
}

func TestKeysWorkWithoutRedis(t *testing.T) {
	t.Parallel()
	closed := credentialtest.NewProxy(t)
	closed.Cut()
	b := setup(t)
	_, secret := b.create(t)
	withoutRedis := start(t, closed.URL())
	for range 20 {
		withoutRedis.accepts(t, secret)
	}
	withoutRedis.rejects(t, newSecret(), "unknown")
	if _, redis := withoutRedis.Cost(func() {
		for range 20 {
			withoutRedis.accepts(t, secret)
		}
	}); redis > 5 {
		t.Errorf("%d of 20 look-ups tried Redis although it is known to be unreachable", redis)
	}
}

func TestKeysWorkWhileRedisFailsAndRecovers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := credentialtest.NewProxy(t)
	remote := start(t, proxy.URL())
	_, secret := b.create(t)
	remote.accepts(t, secret)
	remote.accepts(t, secret)
	proxy.Cut()
	for range 10 {
		remote.accepts(t, secret)
	}
	proxy.Restore(t)
	proxy.Stall()
	remote.accepts(t, secret)
	proxy.Restore(t)
	eventually(t, "Redis is used again", func() bool {
		postgres, _ := remote.Cost(func() { remote.accepts(t, secret) })
		return postgres == 0
	})
}

// The revoking process has lost its connection to Redis; the other has not. The invalidation is
// delivered when it returns.
func TestRevocationIsDeliveredWhenRedisRecovers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := credentialtest.NewProxy(t)
	remote := start(t, proxy.URL())
	key, secret := b.create(t)
	b.accepts(t, secret)
	b.accepts(t, secret)
	remote.accepts(t, secret)
	proxy.Cut()
	if err := remote.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	remote.rejects(t, secret, "revoked")
	proxy.Restore(t)
	for range 30 {
		remote.rejects(t, secret, "revoked") // although Redis still has the old entry
	}
	eventually(t, "the other process refuses the key", func() bool {
		_, err := b.Verify(t.Context(), secret)
		return err != nil
	})
}

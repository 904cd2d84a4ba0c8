package apikey

import (
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestLocallyCachedKeyCostsNoRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	b.accepts(t, secret) // fills Redis
	process := startWithLocalCache(t, b.redisURL, time.Minute)
	process.accepts(t, secret)
	if postgres, redis := process.Cost(func() { process.accepts(t, secret) }); postgres != 0 || redis != 0 {
		t.Errorf("a locally cached key cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
}

func TestKeyRevokedByAnotherProcessIsRejectedWithinOneSecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	process := startWithLocalCache(t, b.redisURL, 0) // as in production
	key, secret := b.create(t)
	b.accepts(t, secret)
	process.accepts(t, secret)
	if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	// The promised bound itself, not a measure of speed.
	time.Sleep(time.Second)
	process.rejects(t, secret, "revoked")
}

func TestRevocationClearsTheLocalCacheOfItsProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	process := startWithLocalCache(t, b.redisURL, time.Hour)
	for range 15 {
		key, secret := b.create(t)
		process.accepts(t, secret)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						_, _ = process.Verify(t.Context(), secret)
					}
				}
			})
		}
		if err := process.Revoke(t.Context(), b.person, key.ID); err != nil {
			t.Error(err)
		}
		process.rejects(t, secret, "revoked")
		close(stop)
		readers.Wait()
		process.rejects(t, secret, "revoked")
	}
}

func TestRoleChangeClearsTheLocalCacheOfItsProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.service = startWithLocalCache(t, b.redisURL, time.Hour)
	_, secret := b.create(t)
	b.accepts(t, secret)
	b.accepts(t, secret)
	b.changeRole(t, organization.Viewer)
	if role := b.accepts(t, secret).Role(b.org); role != organization.Viewer {
		t.Errorf("the role is still %s", role)
	}
	if postgres, _ := b.Cost(func() { b.accepts(t, secret) }); postgres != 1 {
		t.Errorf("after the change a look-up cost %d round trips to Postgres, so it used the local cache", postgres)
	}
}

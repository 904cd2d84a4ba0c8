package apikey

import (
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestABusyKeyCostsNoRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	b.works(t, secret) // fills Redis
	process := startNear(t, b.redisURL, time.Minute)
	process.works(t, secret)
	if postgres, redis := process.Cost(func() { process.works(t, secret) }); postgres != 0 || redis != 0 {
		t.Errorf("a key that was just seen cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
}

func TestWhatAnotherProcessRevokesIsRefusedWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	process := startNear(t, b.redisURL, 0) // as in production
	key, secret := b.create(t)
	b.works(t, secret)
	process.works(t, secret)
	if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	// Not a measure of speed: the promise itself (design, section 7).
	time.Sleep(time.Second)
	process.refused(t, secret, "revoked")
}

func TestWhatAProcessRevokesItRefusesAtOnceHoweverLongItRemembers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	process := startNear(t, b.redisURL, time.Hour)
	for range 15 {
		key, secret := b.create(t)
		process.works(t, secret)
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
		process.refused(t, secret, "revoked")
		close(stop)
		readers.Wait()
		process.refused(t, secret, "revoked")
	}
}

func TestARoleThatAProcessChangesCountsAtOnceThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.service = startNear(t, b.redisURL, time.Hour)
	_, secret := b.create(t)
	b.works(t, secret)
	b.works(t, secret)
	b.changeRole(t, organization.Viewer)
	if role := b.works(t, secret).Role(b.org); role != organization.Viewer {
		t.Errorf("the role is still %s", role)
	}
	if postgres, _ := b.Cost(func() { b.works(t, secret) }); postgres != 1 {
		t.Errorf("while the change is fresh a look-up cost %d round trips to Postgres, so it believed what is near", postgres)
	}
}

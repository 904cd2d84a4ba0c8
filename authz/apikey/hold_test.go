package apikey

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
)

// A long request checks its credential often. That costs no round trip of its own, and a change by
// another process is seen as soon as by any other request.
func TestLeasedKeyIsReadInBulk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	local, other := startWithLocalCache(t, b.redisURL, 400*time.Millisecond), start(t, b.redisURL)
	ctx, hold := local.Cache.Hold(t.Context())
	check := func(secret string) bool {
		p, err := local.Verify(ctx, secret)
		return p != nil && err == nil
	}
	var key *Key
	var secrets []string
	for range 20 {
		var secret string
		key, secret = b.create(t)
		other.accepts(t, secret) // which fills Redis
		if secrets = append(secrets, secret); !check(secret) {
			t.Fatal("the key does not work")
		}
	}
	statements, commands := local.Cost(func() {
		for range 30 {
			for _, secret := range secrets {
				if !check(secret) {
					t.Error("the key has stopped working")
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	if statements != 0 || commands > 30 { // without renewal every 400 ms: 80
		t.Errorf("checking 20 leased keys cost %d statements and %d commands", statements, commands)
	}
	select {
	case <-hold.Changed(): // of the time before, when the machine was busy
	default:
	}
	if err := other.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	for revoked := false; !revoked; revoked = !check(secrets[19]) {
		select {
		case <-hold.Changed():
		case <-time.After(20 * time.Second):
			t.Fatal("the end of a key goes unnoticed")
		}
	}
	hold.Release()
	time.Sleep(time.Second)
	if _, commands := local.Cost(func() { time.Sleep(time.Second) }); commands != 0 {
		t.Errorf("%d commands for what nobody holds", commands)
	}
}

// A key that was looked up without Redis, because its person had just changed or because Redis did
// not respond, is leased as well: its end is noticed.
func TestLeasedKeyThatWasNotCachedIsLookedUpAgain(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(b *testBundle, proxy *credentialtest.Proxy, local service, secret string){
		"a tombstone": func(b *testBundle, _ *credentialtest.Proxy, local service, secret string) {
			local.accepts(t, secret) // which fills the cache
			local.Cache.InvalidatePerson(t.Context(), b.person)
		},
		"Redis refuses":   func(_ *testBundle, proxy *credentialtest.Proxy, _ service, _ string) { proxy.Cut() },
		"Redis is silent": func(_ *testBundle, proxy *credentialtest.Proxy, _ service, _ string) { proxy.Stall() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, proxy := setup(t), credentialtest.NewProxy(t)
			local := startWithLocalCache(t, proxy.URL(), 400*time.Millisecond)
			key, secret := b.create(t)
			before(b, proxy, local, secret)
			ctx, hold := local.Cache.Hold(t.Context())
			defer hold.Release()
			if p, err := local.Verify(ctx, secret); p == nil || err != nil {
				t.Fatal(err)
			}
			if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
				t.Fatal(err)
			}
			for {
				select {
				case <-hold.Changed():
				case <-time.After(20 * time.Second):
					t.Fatal("the end of a key goes unnoticed")
				}
				if p, err := local.Verify(ctx, secret); p == nil && err != nil {
					return
				}
			}
		})
	}
}

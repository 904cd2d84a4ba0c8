package oauth

import (
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Tests with several processes of one service: each has its own connection pool, Redis client and
// key cache.

func pool(t *testing.T) *db.DB {
	t.Helper()
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 16,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return database
}

// Fails without both calls of Invalidate in revoke; the second process would then use its cache
// entry until it expires.
func TestRevocationReachesASecondProcessWithinOneSecond(t *testing.T) {
	t.Parallel()
	one := setup(t)
	two := setupWith(t, options{db: pool(t), sharing: one})
	client := one.newClient()
	for round := range 10 {
		access, refresh := one.tokens(client)
		if !two.accepts(access) || !one.accepts(access) {
			t.Fatalf("round %d: a token of one process is rejected by the other", round)
		}
		if a := one.form("/oauth/revoke", url.Values{
			"client_id": {client},
			"token":     {refresh},
		}); a.status != http.StatusOK {
			t.Fatal(a.text)
		}
		deadline := time.Now().Add(time.Second)
		for two.accepts(access) {
			if time.Now().After(deadline) {
				t.Fatalf("round %d: the second process accepts the token one second later", round)
			}
		}
		two.wantError(two.refresh(client, refresh), 400, "invalid_grant")
	}
}

// A token that one process rotated is known as replaced in the other.
func TestRefreshTokenRotationIsConsistentAcrossProcesses(t *testing.T) {
	t.Parallel()
	one := setup(t)
	two := setupWith(t, options{db: pool(t), sharing: one})
	client := one.newClient()
	_, live := one.tokens(client)
	for round := range 15 {
		answers := parallel(8, func(i int) answer { return []*bundle{one, two}[i%2].refresh(client, live) })
		next := map[string]bool{}
		for _, a := range answers {
			if a.status != http.StatusOK {
				t.Fatalf("round %d: %d %s", round, a.status, a.text)
			}
			next[a.str(t, "refresh_token")] = true
		}
		if len(next) != 1 {
			t.Fatalf("round %d: %d current tokens", round, len(next))
		}
		for token := range next {
			live = token
		}
	}
	code := one.code(client)
	won := 0
	for _, a := range parallel(16, func(i int) answer {
		b := []*bundle{one, two}[i%2]
		return b.form("/oauth/token", b.redemption(client, code))
	}) {
		if a.status == http.StatusOK {
			won++
		}
	}
	if won != 1 {
		t.Fatalf("%d redemptions of one code", won)
	}
}

// Fails if credential.Find treats a missing response of Redis as "revoked".
func TestTokensAreVerifiedWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*credentialtest.Proxy){
		"refused": (*credentialtest.Proxy).Cut,
		"silent":  (*credentialtest.Proxy).Stall,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := credentialtest.NewProxy(t)
			b := setupWith(t, options{redisURL: proxy.URL()})
			client := b.newClient()
			known, refresh := b.tokens(client)
			dying, dyingRefresh := b.tokens(client)
			if !b.accepts(known) || !b.accepts(dying) {
				t.Fatal("rejected with Redis")
			}
			stop(proxy)
			if !b.accepts(known) {
				t.Fatal("a valid token is rejected without Redis")
			}
			fresh := b.refresh(client, refresh)
			if fresh.status != http.StatusOK || !b.accepts(fresh.str(t, "access_token")) {
				t.Fatalf("%d %s", fresh.status, fresh.text)
			}
			if a := b.form("/oauth/revoke", url.Values{
				"client_id": {client},
				"token":     {dyingRefresh},
			}); a.status != http.StatusOK {
				t.Fatal(a.text)
			}
			if b.accepts(dying) {
				t.Fatal("a revoked token is accepted without Redis")
			}
			proxy.Restore(t)
			for range 20 {
				if b.accepts(dying) || !b.accepts(known) {
					t.Fatal("the results changed when Redis recovered")
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
}

func TestSigningKeyRotationUnderLoadFailsNoRequest(t *testing.T) {
	t.Parallel()
	address := tenancytest.FreshDatabaseURL(t)
	open := func() *db.DB {
		database, err := db.Open(t.Context(), address, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 16})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(database.Close)
		return database
	}
	one := setupWith(t, options{db: open()})
	two := setupWith(t, options{db: open(), sharing: one})
	client := one.newClient()
	var stop atomic.Bool
	var requests atomic.Int64
	var load sync.WaitGroup
	for i := range 4 {
		_, live := one.tokens(client)
		load.Go(func() {
			signs, verifies := one, two
			if i%2 == 1 {
				signs, verifies = two, one
			}
			for !stop.Load() {
				a := signs.refresh(client, live)
				if a.status != http.StatusOK {
					t.Errorf("refreshing: %d %s", a.status, a.text)
					return
				}
				live = a.str(t, "refresh_token")
				if access := a.str(t, "access_token"); !verifies.accepts(access) || !signs.accepts(access) {
					t.Error("a new token is rejected")
					return
				}
				requests.Add(1)
			}
		})
	}
	for i := range 8 {
		before := requests.Load()
		if err := []*bundle{one, two}[i%2].s.RotateKeys(t.Context(), false); err != nil {
			t.Error(err)
		}
		for requests.Load() < before+20 && !t.Failed() {
			time.Sleep(5 * time.Millisecond)
		}
		if a := one.request(http.MethodGet, "/oauth/jwks", nil); len(a.json(t)["keys"].([]any)) < 2 {
			t.Errorf("the next key is not published: %s", a.text)
		}
	}
	stop.Store(true)
	load.Wait()
}

func TestSigningKeysRotateByAge(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)})
	kid := func() string {
		signer, err := b.s.keys.signer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return signer.kid
	}
	first := kid()
	rotate := func() bool {
		rotated, err := b.s.keys.rotate(t.Context(), keyRotationAge, false)
		if err != nil {
			t.Fatal(err)
		}
		return rotated
	}
	if rotate() || kid() != first {
		t.Fatal("a recent key was rotated")
	}
	b.advance(keyRotationAge + time.Hour)
	if !rotate() || kid() == first || rotate() {
		t.Fatal("an old key was not rotated once")
	}
}

func TestSigningKeysRequireTheSecretThatSealedThem(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)})
	access, refresh := b.tokens(b.newClient())
	config := Config{BaseURL: b.base, DB: b.db, Cache: b.cache, Sessions: b.sessions}
	other := []byte("another secret for tests, of more than 32 bytes")
	config.Secrets = [][]byte{other}
	if _, err := New(t.Context(), config); err == nil {
		t.Fatal("started with a secret that cannot decrypt the keys")
	}
	config.Secrets = [][]byte{other, testSecret}
	s, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := s.ForMCP().Verify(t.Context(), access); p == nil || err != nil {
		t.Fatalf("a token issued before the new secret is rejected: %v", err)
	}
	if _, ok := s.vault.parseRefresh(refresh); !ok {
		t.Fatal("a refresh token issued before the new secret is rejected")
	}
	for _, bad := range [][][]byte{nil, {[]byte("short")}} {
		config.Secrets = bad
		if _, err := New(t.Context(), config); err == nil {
			t.Fatal("started with a weak secret")
		}
	}
}

func TestSweepRemovesOnlyExpiredRows(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)})
	client := b.newClient()
	access, live := b.tokens(client)
	b.code(client) // never redeemed
	other := b.newClient()
	b.authorize(b.authorization(other), "ada")
	err := b.s.db.SystemTx(t.Context(), func(tx pgx.Tx) error { // more than one statement removes
		_, err := tx.Exec(t.Context(), `insert into rowhouse.oauth_assertion
			select sha256(i::text::bytea), to_timestamp(0) from generate_series(1, $1) i`, sweepPortion+1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.advance(2 * 24 * time.Hour)
	if err := b.s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{
		"oauth_assertion":   0,
		"oauth_client":      1,
		"oauth_grant":       1,
		"oauth_question":    0,
		"oauth_consent":     1,
		"oauth_signing_key": 2,
	} {
		if got := b.count(table); got != want {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
	if a := b.refresh(client, live); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	_ = access
}

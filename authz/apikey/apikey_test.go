package apikey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// service is one process's.
type service struct {
	*Service
	*credentialtest.Process
}

func start(t *testing.T, redisURL string) service {
	t.Helper()
	return startNear(t, redisURL, -1)
}

func startNear(t *testing.T, redisURL string, near time.Duration) service {
	t.Helper()
	p := credentialtest.StartNear(t, redisURL, near)
	s := New(Deps{DB: p.DB, Cache: p.Cache, Log: p.Log})
	t.Cleanup(func() { s.Close(context.Background()) })
	return service{s, p}
}

type testBundle struct {
	service
	org, person uuid.UUID
	redisURL    string
}

func setup(t *testing.T) *testBundle {
	t.Helper()
	b := &testBundle{redisURL: tenancytest.RedisURL(t)}
	b.service = start(t, b.redisURL)
	b.org, b.person = tenancytest.Org(t, b.DB)
	return b
}

func (b *testBundle) create(t *testing.T, change ...func(*Draft)) (*Key, string) {
	t.Helper()
	draft := Draft{Person: b.person, Name: "Test", Scopes: []authz.Scope{authz.DataRead, authz.SchemaRead}}
	for _, fn := range change {
		fn(&draft)
	}
	key, secret, err := b.Create(t.Context(), draft)
	if err != nil {
		t.Fatal(err)
	}
	return key, secret
}

func (s service) works(t *testing.T, secret string) *authz.Principal {
	t.Helper()
	p, err := s.Verify(t.Context(), secret)
	if err != nil || p == nil {
		t.Fatalf("the key does not work: %v, %v", p, err)
	}
	return p
}

func (s service) refused(t *testing.T, secret, because string) {
	t.Helper()
	p, err := s.Verify(t.Context(), secret)
	if p != nil || problem.KindOf(err) != problem.KindUnauthenticated || !strings.Contains(err.Error(), because) {
		t.Fatalf("want a refusal because %q, got %v, %v", because, p, err)
	}
}

func TestAKeyGivesItsScopesAndTheMembershipsOfNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := organization.Create(t.Context(), b.DB, b.person, "Other")
	if err != nil {
		t.Fatal(err)
	}
	key, secret := b.create(t)
	for _, from := range []string{"Postgres", "Redis"} {
		p := b.works(t, secret)
		if p.Kind != authz.APIKey || p.Credential != key.PublicID() || p.Person != b.person || p.Bases != nil ||
			!slices.Equal(p.Scopes, key.Scopes) || p.Role(b.org) != organization.Owner || p.Role(other.ID) != organization.Owner {
			t.Fatalf("from %s: %+v", from, p)
		}
	}
	if key.Prefix != secret[:8] || key.LastFour != secret[36:] {
		t.Fatalf("shown as %s…%s, is %s", key.Prefix, key.LastFour, secret)
	}
	_, err = b.Verify(t.Context(), "another kind of secret")
	if err != nil {
		t.Fatalf("a secret of another kind: %v", err)
	}
	b.refused(t, secret[:39], "mistyped")
	b.refused(t, newSecret(), "unknown")
	b.refused(t, newSecret()+"\x00", "mistyped")
}

func TestOnlyTheHashIsStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	var row string
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select k::text from rowhouse.api_key k where person_id = $1", b.person).Scan(&row)
	})
	if err != nil || strings.Contains(row, secret[8:36]) {
		t.Fatalf("%v: %s", err, row)
	}
}

func TestARememberedKeyCostsOneRoundTripToRedisAndNoneToPostgres(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	if postgres, _ := b.Cost(func() { b.works(t, secret) }); postgres != 1 {
		t.Errorf("a miss cost %d round trips to Postgres", postgres)
	}
	for range 3 {
		if postgres, redis := b.Cost(func() { b.works(t, secret) }); postgres != 0 || redis != 1 {
			t.Errorf("a hit cost %d round trips to Postgres and %d to Redis", postgres, redis)
		}
	}
	unknown := newSecret()
	b.refused(t, unknown, "unknown")
	if postgres, redis := b.Cost(func() { b.refused(t, unknown, "unknown") }); postgres != 0 || redis != 1 {
		t.Errorf("a known unknown cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
}

func TestARevokedKeyIsRefusedByAnotherProcessAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	key, secret := b.create(t)
	second.works(t, secret)
	second.works(t, secret)
	if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	second.refused(t, secret, "revoked")
	b.refused(t, secret, "revoked")
	if err := b.Revoke(t.Context(), b.person, key.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Fatalf("revoked twice: %v", err)
	}
}

func TestNobodyRevokesRotatesOrListsTheKeyOfAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	_, stranger := tenancytest.Org(t, b.DB)
	if err := b.Revoke(t.Context(), stranger, key.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("revoke: %v", err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: stranger, Key: key.ID}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("rotate: %v", err)
	}
	if _, _, err := b.Create(t.Context(), Draft{ID: key.ID, Person: stranger, Name: "x", Scopes: key.Scopes}); problem.KindOf(err) != problem.KindConflict {
		t.Errorf("the same id: %v", err)
	}
	if keys, err := b.List(t.Context(), stranger); err != nil || len(keys) != 0 {
		t.Errorf("listed %v, %v", keys, err)
	}
	b.works(t, secret)
}

func TestAChangedRoleCountsAtOnceForEveryKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	_, one := b.create(t)
	_, two := b.create(t)
	second.works(t, one)
	second.works(t, two)
	b.changeRole(t, organization.Viewer)
	for _, secret := range []string{one, two} {
		if role := second.works(t, secret).Role(b.org); role != organization.Viewer {
			t.Errorf("the role is still %s", role)
		}
	}
}

// changeRole does what a member operation does.
func (b *testBundle) changeRole(t *testing.T, role organization.Role) {
	t.Helper()
	err := b.DB.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update rowhouse.member set role = $3 where org_id = $1 and person_id = $2", b.org, b.person, role)
		return errors.Join(err, b.Invalidate(t.Context(), b.person))
	})
	if err = errors.Join(err, b.Invalidate(t.Context(), b.person)); err != nil {
		t.Fatal(err)
	}
}

// A reader that asked Postgres before a change must not make others believe its answer after the change.
func TestASlowFillerDoesNotPutBackARevokedKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	hash := credential.HashOf(secret)
	held, err := credential.Find(t.Context(), b.Cache, credential.Key, hash, func(ctx context.Context) (*credential.Held[facts], error) {
		before, err := b.load(ctx, hash)
		if err != nil {
			return nil, err
		}
		return before, b.Revoke(ctx, b.person, key.ID) // the change overtakes the reader
	})
	if err != nil || held == nil {
		t.Fatalf("the reader itself still sees the key: %v, %v", held, err)
	}
	b.refused(t, secret, "revoked")
}

func TestASlowFillerDoesNotPutBackARole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	hash := credential.HashOf(secret)
	_, err := credential.Find(t.Context(), b.Cache, credential.Key, hash, func(ctx context.Context) (*credential.Held[facts], error) {
		before, err := b.load(ctx, hash)
		b.changeRole(t, organization.Viewer)
		return before, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if role := b.works(t, secret).Role(b.org); role != organization.Viewer {
		t.Fatalf("the role is still %s", role)
	}
}

// Many readers in two processes, while keys are revoked one after the other: once Revoke returned, nobody is let in.
func TestARaceOfReadersNeverRevivesAKey(t *testing.T) {
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
				s.refused(t, secret, "revoked")
			}
		}
		close(stop)
		readers.Wait()
		for _, s := range processes {
			s.refused(t, secret, "revoked")
		}
	}
}

func TestAKeyEndsExactlyWhenItExpiresThoughRemembered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	end := time.Now().Add(700 * time.Millisecond)
	key, secret := b.create(t, func(d *Draft) { d.ExpiresAt = end })
	for time.Now().Before(end.Add(-100 * time.Millisecond)) {
		b.works(t, secret)
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Until(end))
	if postgres, _ := b.Cost(func() { b.refused(t, secret, "expired") }); postgres != 0 {
		t.Error("the refusal did not come from what was remembered")
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: key.ID}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("rotating an expired key: %v", err)
	}
}

func TestKeysWorkWithoutRedis(t *testing.T) {
	t.Parallel()
	closed := credentialtest.NewProxy(t)
	closed.Cut()
	b := setup(t)
	_, secret := b.create(t)
	alone := start(t, closed.URL())
	for range 20 {
		alone.works(t, secret)
	}
	alone.refused(t, newSecret(), "unknown")
	if _, redis := alone.Cost(func() {
		for range 20 {
			alone.works(t, secret)
		}
	}); redis > 5 {
		t.Errorf("%d of 20 look-ups tried a Redis that is known to be away", redis)
	}
}

func TestKeysWorkWhileRedisIsCutSilentAndBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := credentialtest.NewProxy(t)
	far := start(t, proxy.URL())
	_, secret := b.create(t)
	far.works(t, secret)
	far.works(t, secret)
	proxy.Cut()
	for range 10 {
		far.works(t, secret)
	}
	proxy.Mend(t)
	proxy.Silence()
	far.works(t, secret)
	proxy.Mend(t)
	eventually(t, "Redis is used again", func() bool {
		postgres, _ := far.Cost(func() { far.works(t, secret) })
		return postgres == 0
	})
}

// The process that revokes has lost Redis; the other has not. As soon as Redis is back, it is told.
func TestARevocationReachesRedisWhenItIsBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := credentialtest.NewProxy(t)
	far := start(t, proxy.URL())
	key, secret := b.create(t)
	b.works(t, secret)
	b.works(t, secret)
	far.works(t, secret)
	proxy.Cut()
	if err := far.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	far.refused(t, secret, "revoked")
	proxy.Mend(t)
	for range 30 {
		far.refused(t, secret, "revoked") // though Redis still says otherwise
	}
	eventually(t, "the other process refuses the key", func() bool {
		_, err := b.Verify(t.Context(), secret)
		return err != nil
	})
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

func TestAKeyReachesOnlyWhatItIsNarrowedTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := organization.Create(t.Context(), b.DB, b.person, "Other")
	if err != nil {
		t.Fatal(err)
	}
	_, secret := b.create(t, func(d *Draft) { d.Org = other.ID })
	for range 2 {
		if p := b.works(t, secret); p.Role(other.ID) != organization.Owner || p.Role(b.org) != "" {
			t.Fatalf("narrowed to an organization: %+v", p)
		}
	}
	base := b.base(t, b.org)
	key, secret := b.create(t, func(d *Draft) { d.Bases = []uuid.UUID{base} })
	if key.Org == nil || *key.Org != b.org {
		t.Fatalf("the organization of the base was not found: %+v", key)
	}
	for range 2 {
		p := b.works(t, secret)
		if p.Role(b.org) != organization.Owner || p.Role(other.ID) != "" || !p.ReachesBase(base) || p.ReachesBase(uuid.New()) {
			t.Fatalf("narrowed to a base: %+v", p)
		}
	}
}

func (b *testBundle) base(t *testing.T, org uuid.UUID) uuid.UUID {
	t.Helper()
	base := id.New()
	err := b.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `insert into rowhouse.base (org_id, id, workspace_id, name, position)
			select org_id, $2, id, 'Base', 1 from rowhouse.workspace where org_id = $1`, org, base)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func TestADraftThatIsWrongIsRefusedWithThePlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	foreign, _ := tenancytest.Org(t, b.DB)
	foreignBase, own := b.base(t, foreign), b.base(t, b.org)
	second, err := organization.Create(t.Context(), b.DB, b.person, "Second")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		change func(*Draft)
		path   string
	}{
		"no name":              {func(d *Draft) { d.Name = " " }, "name"},
		"a name with a NUL":    {func(d *Draft) { d.Name = "a\x00" }, "name"},
		"no scopes":            {func(d *Draft) { d.Scopes = nil }, "scopes"},
		"an unknown scope":     {func(d *Draft) { d.Scopes = []authz.Scope{"data:*"} }, "scopes"},
		"a scope twice":        {func(d *Draft) { d.Scopes = []authz.Scope{authz.DataRead, authz.DataRead} }, "scopes"},
		"the empty scope":      {func(d *Draft) { d.Scopes = []authz.Scope{authz.None} }, "scopes"},
		"an end in the past":   {func(d *Draft) { d.ExpiresAt = time.Now() }, "expiresTime"},
		"a foreign org":        {func(d *Draft) { d.Org = foreign }, "orgId"},
		"a missing org":        {func(d *Draft) { d.Org = uuid.New() }, "orgId"},
		"a foreign base":       {func(d *Draft) { d.Bases = []uuid.UUID{foreignBase} }, "baseIds"},
		"a missing base":       {func(d *Draft) { d.Bases = []uuid.UUID{uuid.New()} }, "baseIds"},
		"a base of elsewhere":  {func(d *Draft) { d.Org, d.Bases = second.ID, []uuid.UUID{own} }, "baseIds[0]"},
		"bases of two tenants": {func(d *Draft) { d.Bases = []uuid.UUID{own, foreignBase} }, "baseIds[1]"},
		"a base twice":         {func(d *Draft) { d.Bases = []uuid.UUID{own, own} }, "baseIds[1]"},
		"too many bases":       {func(d *Draft) { d.Bases = make([]uuid.UUID, MaxBases+1) }, "baseIds"},
	}
	for name, c := range cases {
		draft := Draft{Person: b.person, Name: "Test", Scopes: []authz.Scope{authz.DataRead}}
		c.change(&draft)
		_, _, err := b.Create(t.Context(), draft)
		var e *problem.Error
		if !errors.As(err, &e) || e.Kind != problem.KindInvalid || e.Items[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := b.Create(t.Context(), Draft{Person: uuid.New(), Name: "x", Scopes: []authz.Scope{authz.DataRead}}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a person who is not there: %v", err)
	}
}

func TestRotationOverlapsAndThenTheOldKeyEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	base := b.base(t, b.org)
	old, oldSecret := b.create(t, func(d *Draft) {
		d.Bases, d.ExpiresAt = []uuid.UUID{base}, time.Now().Add(time.Hour)
	})
	second.works(t, oldSecret)
	next, secret, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: old.ID, Overlap: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) || !slices.Equal(next.Bases, old.Bases) ||
		*next.Org != b.org || next.ExpiresAt == nil || next.ExpiresAt.Before(*old.ExpiresAt) {
		t.Fatalf("%+v is not like %+v", next, old)
	}
	second.works(t, secret)
	keys, err := b.List(t.Context(), b.person)
	if err != nil || len(keys) != 2 || keys[0].ID != next.ID || keys[1].ReplacedBy == nil || *keys[1].ReplacedBy != next.ID {
		t.Fatalf("%v, %v", keys, err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: old.ID}); err == nil {
		t.Fatal("rotated twice")
	}
	time.Sleep(time.Until(*keys[1].ExpiresAt))
	second.refused(t, oldSecret, "expired")
	second.works(t, secret)
}

func TestAPersonHasAtMostAHundredKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var made, refused int
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for range MaxKeys/4 + 2 {
				_, _, err := b.Create(t.Context(), Draft{Person: b.person, Name: fmt.Sprint(i), Scopes: []authz.Scope{authz.DataRead}})
				mu.Lock()
				switch problem.KindOf(err) {
				case problem.KindConflict:
					refused++
				default:
					made++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	keys, err := b.List(t.Context(), b.person)
	if err != nil || len(keys) != MaxKeys || made != MaxKeys || refused != 8 {
		t.Fatalf("%d keys, %d made, %d refused, %v", len(keys), made, refused, err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: keys[0].ID, Overlap: time.Hour}); err != nil {
		t.Errorf("rotating the hundredth: %v", err)
	}
}

func TestLastUseIsWrittenOffTheRequestPath(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	b.works(t, secret)
	if postgres, _ := b.Cost(func() { b.works(t, secret) }); postgres != 0 {
		t.Fatal("a use was written in the request")
	}
	b.usage.Flush(t.Context())
	keys, err := b.List(t.Context(), b.person)
	if err != nil || keys[0].ID != key.ID || keys[0].LastUsedAt == nil || keys[0].LastUsedAt.Before(key.CreatedAt) {
		t.Fatalf("%+v, %v", keys[0], err)
	}
}

func TestRevokingAllEndsEveryKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, one := b.create(t)
	_, two := b.create(t)
	b.works(t, one)
	for range 2 {
		var committed func()
		err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) (err error) {
			committed, err = b.RevokeAll(t.Context(), tx, b.person)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		committed()
		b.refused(t, one, "revoked")
		b.refused(t, two, "revoked")
	}
}

func TestTheLifeOfAKeyIsOnRecordInEveryOrganizationThatItReaches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := organization.Create(t.Context(), b.DB, b.person, "Other")
	if err != nil {
		t.Fatal(err)
	}
	wide, _ := b.create(t)
	next, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: wide.ID, Overlap: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Revoke(t.Context(), b.person, next.ID); err != nil {
		t.Fatal(err)
	}
	b.create(t, func(d *Draft) { d.Org = other.ID })
	everywhere := []string{"create_org", "create_api_key", "create_api_key", "rotate_api_key", "revoke_api_key"}
	if got := tenancytest.Actions(t, b.DB, b.org); !slices.Equal(got, everywhere) {
		t.Errorf("on record: %v", got)
	}
	if got := tenancytest.Actions(t, b.DB, other.ID); !slices.Equal(got, append(everywhere, "create_api_key")) {
		t.Errorf("on record in the other organization: %v", got)
	}
}

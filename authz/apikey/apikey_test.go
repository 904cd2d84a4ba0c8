package apikey

import (
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
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestVerifyReturnsScopesAndCurrentMemberships(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := organization.Create(t.Context(), b.DB, b.person, "Other")
	if err != nil {
		t.Fatal(err)
	}
	key, secret := b.create(t)
	for _, from := range []string{"Postgres", "Redis"} {
		p := b.accepts(t, secret)
		if p.Kind != authz.APIKey || p.Credential != key.PublicID() || p.Person != b.person || p.Bases != nil ||
			!slices.Equal(p.Scopes, key.Scopes) || p.Role(b.org) != organization.Owner ||
			p.Role(other.ID) != organization.Owner {
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
	b.rejects(t, secret[:39], "mistyped")
	b.rejects(t, newSecret(), "unknown")
	b.rejects(t, newSecret()+"\x00", "mistyped")
}

func TestADeletedOrganizationGivesNoRights(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	b.accepts(t, secret)
	for _, step := range []struct {
		change func() error
		role   organization.Role
	}{
		{func() error { return organization.Delete(t.Context(), b.DB, b.org, b.person) }, ""},
		{func() error { return organization.Restore(t.Context(), b.DB, b.org) }, organization.Owner},
	} {
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		if err := b.Invalidate(t.Context(), b.person); err != nil {
			t.Fatal(err)
		}
		if role := b.accepts(t, secret).Role(b.org); role != step.role {
			t.Errorf("the role is %q, not %q", role, step.role)
		}
	}
}

func TestOnlyTheHashOfAKeyIsStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, secret := b.create(t)
	var row string
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select k::text from rowhouse.api_key k where person_id = $1", b.person).
			Scan(&row)
	})
	if err != nil || strings.Contains(row, secret[8:36]) {
		t.Fatalf("%v: %s", err, row)
	}
}

func TestKeysOfAnotherPersonAreInaccessible(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	_, outsider := tenancytest.Org(t, b.DB)
	if err := b.Revoke(t.Context(), outsider, key.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("revoke: %v", err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{
		Person: outsider,
		Key:    key.ID,
	}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("rotate: %v", err)
	}
	if _, _, err := b.Create(
		t.Context(), Draft{ID: key.ID, Person: outsider, Name: "x", Scopes: key.Scopes},
	); problem.KindOf(err) != problem.KindConflict {
		t.Errorf("the same id: %v", err)
	}
	if keys, err := b.List(t.Context(), outsider); err != nil || len(keys) != 0 {
		t.Errorf("listed %v, %v", keys, err)
	}
	b.accepts(t, secret)
}

func TestNarrowedKeyAccessesOnlyItsOrganizationOrBases(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := organization.Create(t.Context(), b.DB, b.person, "Other")
	if err != nil {
		t.Fatal(err)
	}
	_, secret := b.create(t, func(d *Draft) { d.Org = other.ID })
	for range 2 {
		if p := b.accepts(t, secret); p.Role(other.ID) != organization.Owner || p.Role(b.org) != "" {
			t.Fatalf("narrowed to an organization: %+v", p)
		}
	}
	base := b.base(t, b.org)
	key, secret := b.create(t, func(d *Draft) { d.Bases = []uuid.UUID{base} })
	if key.Org == nil || *key.Org != b.org {
		t.Fatalf("the organization of the base was not found: %+v", key)
	}
	for range 2 {
		p := b.accepts(t, secret)
		if p.Role(b.org) != organization.Owner || p.Role(other.ID) != "" || !p.ReachesBase(base) ||
			p.ReachesBase(uuid.New()) {
			t.Fatalf("narrowed to a base: %+v", p)
		}
	}
}

func TestInvalidDraftIsRejectedWithItsPath(t *testing.T) {
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
	if _, _, err := b.Create(
		t.Context(), Draft{Person: uuid.New(), Name: "x", Scopes: []authz.Scope{authz.DataRead}},
	); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a person who is not there: %v", err)
	}
}

func TestRotatedKeyExpiresAfterTheOverlap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := start(t, b.redisURL)
	base := b.base(t, b.org)
	old, oldSecret := b.create(t, func(d *Draft) {
		d.Bases, d.ExpiresAt = []uuid.UUID{base}, time.Now().Add(time.Hour)
	})
	second.accepts(t, oldSecret)
	next, secret, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: old.ID, Overlap: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) || !slices.Equal(next.Bases, old.Bases) ||
		*next.Org != b.org || next.ExpiresAt == nil || next.ExpiresAt.Before(*old.ExpiresAt) {
		t.Fatalf("%+v is not like %+v", next, old)
	}
	second.accepts(t, secret)
	keys, err := b.List(t.Context(), b.person)
	if err != nil || len(keys) != 2 || keys[0].ID != next.ID || keys[1].ReplacedBy == nil ||
		*keys[1].ReplacedBy != next.ID {
		t.Fatalf("%v, %v", keys, err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: old.ID}); err == nil {
		t.Fatal("rotated twice")
	}
	time.Sleep(time.Until(*keys[1].ExpiresAt))
	second.rejects(t, oldSecret, "expired")
	second.accepts(t, secret)
}

func TestKeysPerPersonAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var made, refused int
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for range MaxKeys/4 + 2 {
				_, _, err := b.Create(t.Context(), Draft{
					Person: b.person,
					Name:   fmt.Sprint(i),
					Scopes: []authz.Scope{authz.DataRead},
				})
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

func TestLastUseIsWrittenInTheBackground(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	b.accepts(t, secret)
	if postgres, _ := b.Cost(func() { b.accepts(t, secret) }); postgres != 0 {
		t.Fatal("a use was written in the request")
	}
	b.usage.Flush(t.Context())
	keys, err := b.List(t.Context(), b.person)
	if err != nil || keys[0].ID != key.ID || keys[0].LastUsedAt == nil || keys[0].LastUsedAt.Before(key.CreatedAt) {
		t.Fatalf("%+v, %v", keys[0], err)
	}
}

func TestRevokeAllRevokesEveryKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, one := b.create(t)
	_, two := b.create(t)
	b.accepts(t, one)
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
		b.rejects(t, one, "revoked")
		b.rejects(t, two, "revoked")
	}
}

func TestKeyEventsAreAuditedInEveryAccessibleOrganization(t *testing.T) {
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

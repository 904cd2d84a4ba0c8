package apikey

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// service is the service of one simulated process.
type service struct {
	*Service
	*credentialtest.Process
}

func start(t *testing.T, redisURL string) service {
	t.Helper()
	return startWithLocalCache(t, redisURL, -1)
}

func startWithLocalCache(t *testing.T, redisURL string, localLife time.Duration) service {
	t.Helper()
	p := credentialtest.StartWithLocalCache(t, redisURL, localLife)
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

func (s service) accepts(t *testing.T, secret string) *authz.Principal {
	t.Helper()
	p, err := s.Verify(t.Context(), secret)
	if err != nil || p == nil {
		t.Fatalf("the key does not work: %v, %v", p, err)
	}
	return p
}

func (s service) rejects(t *testing.T, secret, because string) {
	t.Helper()
	p, err := s.Verify(t.Context(), secret)
	if p != nil || problem.KindOf(err) != problem.KindUnauthenticated || !strings.Contains(err.Error(), because) {
		t.Fatalf("want a refusal because %q, got %v, %v", because, p, err)
	}
}

// changeRole changes the role as the member operation does.
func (b *testBundle) changeRole(t *testing.T, role organization.Role) {
	t.Helper()
	err := b.DB.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update rowhouse.member set role = $3 where org_id = $1 and person_id = $2",
			b.org, b.person, role)
		return errors.Join(err, b.Invalidate(t.Context(), b.person))
	})
	if err = errors.Join(err, b.Invalidate(t.Context(), b.person)); err != nil {
		t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting: %s", what)
		}
	}
}

func (b *testBundle) base(t *testing.T, org uuid.UUID) uuid.UUID {
	t.Helper()
	base := id.New()
	err := b.DB.SchemaTx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `insert into rowhouse.base (org_id, id, workspace_id, name, position)
			select org_id, $2, id, 'Base', 1 from rowhouse.workspace where org_id = $1`, org, base)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return base
}

package organization_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// open opens a database as a process with the given secrets does.
func open(t *testing.T, url string, secrets ...string) *db.DB {
	t.Helper()
	var list [][]byte
	for _, secret := range secrets {
		list = append(list, []byte(secret))
	}
	database, err := db.Open(t.Context(), url, db.Options{MaxConns: 3, Secrets: list})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return database
}

// newTable creates a table of an organization of its own.
func newTable(t *testing.T, database *db.DB) (uuid.UUID, *schema.Table) {
	t.Helper()
	org, _ := tenancytest.Org(t, database)
	store := catalog.NewStore(database, catalog.Options{})
	snapshot, err := store.Fresh(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	base, err := store.CreateBase(t.Context(), org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	table, err := store.CreateTable(t.Context(), org, base.ID, "Table", nil)
	if err != nil {
		t.Fatal(err)
	}
	return org, table
}

// read reads a record table, its counts and a table that all organizations share.
func read(t *testing.T, database *db.DB, org uuid.UUID, table *schema.Table) error {
	t.Helper()
	organizations := 0
	err := database.Batch(t.Context(), org, func(b *pgx.Batch) {
		b.Queue("select from " + table.Relation())
		b.Queue("select from " + table.CountRelation())
		b.Queue("select count(*) from rowhouse.organization").
			QueryRow(func(row pgx.Row) error { return row.Scan(&organizations) })
	})
	if err == nil && organizations != 1 {
		t.Errorf("%d organizations are visible", organizations)
	}
	return err
}

func TestKeyIsReplaced(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	one, other := open(t, url, tenancytest.Secret), open(t, url, tenancytest.Secret)
	org, table := newTable(t, one)
	if err := read(t, one, org, table); err != nil {
		t.Fatal(err)
	}
	if err := organization.ReplaceKey(t.Context(), other, org); err != nil {
		t.Fatal(err)
	}
	// The other process learns of it by one failure that says so.
	var failed *problem.Error
	if err := read(t, one, org, table); !errors.As(err, &failed) || failed.Kind != problem.KindUnavailable {
		t.Errorf("the former key answers %v", err)
	}
	for _, database := range []*db.DB{one, other} {
		if err := read(t, database, org, table); err != nil {
			t.Error(err)
		}
	}
}

// SECRET_KEY changes without losing anything, and a lost one is replaced.
func TestKeysSurviveAChangeOfTheSecret(t *testing.T) {
	t.Parallel()
	const next, last = "the next secret, of more than 32 bytes", "the last secret, of more than 32 bytes"
	url := tenancytest.FreshDatabaseURL(t)
	org, table := newTable(t, open(t, url, tenancytest.Secret))
	both := open(t, url, next, tenancytest.Secret)
	if n, err := both.ResealKeys(t.Context()); err != nil || n != 1 {
		t.Fatalf("%d keys were encrypted anew, %v", n, err)
	}
	if n, err := both.ResealKeys(t.Context()); err != nil || n != 0 {
		t.Fatalf("%d keys were encrypted a second time, %v", n, err)
	}
	if err := read(t, open(t, url, next), org, table); err != nil {
		t.Error(err)
	}
	if err := read(t, open(t, url, tenancytest.Secret), org, table); !errors.Is(err, db.ErrSecretKey) {
		t.Errorf("with the former secret: %v", err)
	}
	lost := open(t, url, last)
	if err := organization.ReplaceKey(t.Context(), lost, org); err != nil {
		t.Fatal(err)
	}
	if err := read(t, lost, org, table); err != nil {
		t.Error(err)
	}
}

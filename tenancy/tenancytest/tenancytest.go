// Package tenancytest gives tests a real database and a real Redis. Every test works as the production
// role, in an organization of its own, in one database with all the others, so isolation is tested all
// the time.
package tenancytest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	login    = "rowhouse_test"
	password = "rowhouse_test"
)

// Secret is the SECRET_KEY of every service on the database that tests share, for what is encrypted
// there is one for all.
const Secret = "a secret for tests, of more than 32 bytes"

// Secrets are the secrets of db.Options.
func Secrets() [][]byte { return [][]byte{[]byte(Secret)} }

// AdminURL is the superuser's URL of the test cluster; RedisURL is the test Redis's. A test
// without them fails: what is not run against the real services is not tested.
func AdminURL(t testing.TB) string { return environment(t, "TEST_ADMIN_DATABASE_URL") }

// RedisURL is described at AdminURL.
func RedisURL(t testing.TB) string { return environment(t, "TEST_REDIS_URL") }

func environment(t testing.TB, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run the tests with `make test`, or `go run ./deploy/local/with -- go test ./...`",
			name)
	}
	return value
}

var shared struct {
	sync.Once
	url string
	db  *db.DB
	err error
}

// DatabaseURL is the URL of the database that all tests of these migrations share, as the
// production login role.
func DatabaseURL(t testing.TB) string {
	t.Helper()
	open(t)
	return shared.url
}

// JobURL is the URL of the same database for the login that runs jobs.
func JobURL(t testing.TB) string { return LoginURL(t, DatabaseURL(t), migrations.Job) }

// LoginURL is the URL of a database for one of the logins.
func LoginURL(t testing.TB, databaseURL string, login migrations.Login) string {
	t.Helper()
	u, err := login.URL(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Admin connects to the shared database as the administrator, because only that role sees locks, sessions and
// statistics.
func Admin(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), AdminURLOf(t, DatabaseURL(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// AdminURLOf is the administrator's URL of a database.
func AdminURLOf(t testing.TB, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	target, err := at(AdminURL(t), strings.Trim(u.Path, "/"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// DB is that database, opened once for the test binary.
func DB(t testing.TB) *db.DB {
	t.Helper()
	open(t)
	return shared.db
}

func open(t testing.TB) {
	t.Helper()
	admin := AdminURL(t)
	shared.Do(func() {
		var hash string
		if hash, shared.err = contentHash(); shared.err != nil {
			return
		}
		shared.url, shared.err = ensure(context.Background(), admin, "rowhouse_test_"+hash)
		if shared.err == nil {
			shared.err = migrations.Up(context.Background(), shared.url)
		}
		if shared.err == nil {
			shared.db, shared.err = db.Open(context.Background(), shared.url, db.Options{
				Secrets:  Secrets(),
				MaxConns: 32,
			})
		}
	})
	if shared.err != nil {
		t.Fatalf("opening the test database: %v", shared.err)
	}
}

// contentHash names the content of all migrations: binaries with equal hashes share a test
// database.
func contentHash() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(migrations.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := migrations.Files.ReadFile(name)
		if err != nil {
			return fmt.Errorf("reading a migration: %w", err)
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(body))
		_, _ = sum.Write(body)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("listing the migrations: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// FreshDatabaseURL makes a database only for this test, for what one organization cannot show, and
// drops it at the end.
func FreshDatabaseURL(t testing.TB) string {
	t.Helper()
	target := EmptyDatabaseURL(t)
	if err := migrations.Up(t.Context(), target); err != nil {
		t.Fatalf("making a fresh database: %v", err)
	}
	return target
}

// EmptyDatabaseURL is FreshDatabaseURL before any migration.
func EmptyDatabaseURL(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	admin := AdminURL(t)
	name := "rowhouse_fresh_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	target, err := ensure(ctx, admin, name)
	if err != nil {
		t.Fatalf("making a fresh database: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := DropDatabase(ctx, admin, name); err != nil {
			t.Logf("dropping %s: %v", name, err)
		}
	})
	return target
}

// ensure makes the named database unless it is there, provisions it, and returns its URL. An
// advisory lock keeps test binaries that start together from making it twice.
func ensure(ctx context.Context, admin, name string) (string, error) {
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return "", fmt.Errorf("connecting to the test cluster: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock(hashtextextended('rowhouse test database', 0))"); err != nil {
		return "", fmt.Errorf("waiting for other test binaries: %w", err)
	}
	adminTarget, err := at(admin, name, nil)
	if err != nil {
		return "", err
	}
	target, err := at(admin, name, url.UserPassword(login, password))
	if err != nil {
		return "", err
	}
	if err := migrations.CreateDatabase(ctx, admin, name); err != nil {
		return "", err
	}
	if err := migrations.Provision(ctx, adminTarget, login, password); err != nil {
		return "", err
	}
	return target, nil
}

func at(base, database string, user *url.Userinfo) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("reading the URL of the test cluster: %w", err)
	}
	u.Path = "/" + database
	if user != nil {
		u.User = user
	}
	return u.String(), nil
}

// Person makes a person with a random e-mail address.
func Person(t testing.TB, tenantDB *db.DB) uuid.UUID {
	t.Helper()
	person := id.New()
	err := tenantDB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "insert into rowhouse.person (id, email, name) values ($1, $2, $3)",
			person, person.String()+"@example.com", "Test Person")
		return err
	})
	if err != nil {
		t.Fatalf("making a person: %v", err)
	}
	return person
}

// Org makes an organization with its default workspace, owned by a new person.
func Org(t testing.TB, tenantDB *db.DB) (org, owner uuid.UUID) {
	t.Helper()
	owner = Person(t, tenantDB)
	created, err := organization.Create(t.Context(), tenantDB, owner, "Test Organization")
	if err != nil {
		t.Fatalf("making an organization: %v", err)
	}
	return created.ID, owner
}

// DeleteOrg deletes an organization for good.
func DeleteOrg(t *testing.T, tenantDB *db.DB, org uuid.UUID) {
	t.Helper()
	if err := organization.Delete(t.Context(), tenantDB, org, uuid.New()); err != nil {
		t.Fatal(err)
	}
	if err := organization.Purge(t.Context(), tenantDB, org, 0); err != nil {
		t.Fatal(err)
	}
}

// Join makes a person a member of an organization.
func Join(t testing.TB, tenantDB *db.DB, org, person uuid.UUID, role organization.Role) error {
	t.Helper()
	return tenantDB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)",
			org, person, role)
		return err
	})
}

// Actions lists the events of an organization's audit log, the oldest first.
func Actions(t testing.TB, tenantDB *db.DB, org uuid.UUID) []string {
	t.Helper()
	events, err := audit.List(t.Context(), tenantDB, org, audit.Filter{Limit: 100})
	if err != nil {
		t.Fatalf("reading the audit log: %v", err)
	}
	var actions []string
	for _, e := range slices.Backward(events) {
		actions = append(actions, e.Action)
	}
	return actions
}

// DropDatabase drops a database, on all nodes of Citus, with the sessions that use it. PostgreSQL
// alone takes the setting of Citus and does nothing with it.
func DropDatabase(ctx context.Context, adminURL, name string) (err error) {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return fmt.Errorf("connecting as administrator: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	drop := "drop database if exists " + pgx.Identifier{name}.Sanitize() + " with (force)"
	for _, sql := range []string{"set citus.enable_create_database_propagation = on", drop} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("dropping the database %s: %w", name, err)
		}
	}
	return nil
}

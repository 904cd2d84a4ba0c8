// Package migrations owns the database's shape: the roles, the metadata tables, the gate, and how a database gets from any
// earlier version to this one. Migrations go forward only, and each is safe while the binary before it still runs. Record
// tables are not its business: package schema makes them.
package migrations

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"
)

//go:embed *.sql
var files embed.FS

//go:embed provision.sql
var provision string

const versionTable = "rowhouse.migration"

// Provision makes the roles, the login role with its password, and the empty schemas, as an administrator of the cluster
// (superuser, or CREATEROLE and owner of the database). It may be run again; the password of a login role that is already
// there is left alone.
func Provision(ctx context.Context, adminURL, login, password string) error {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return fmt.Errorf("connecting as administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	sql := strings.NewReplacer("{{login}}", quote(login), "{{password}}", quote(password)).Replace(provision)
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("provisioning roles and schemas: %w", err)
	}
	return nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Up brings the database to the newest version, as rowhouse_owner. Several processes may call it at once: one works, the
// others wait.
func Up(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("connecting to migrate: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return fmt.Errorf("taking the role rowhouse_owner (was the database provisioned?): %w", err)
	}
	migrator, err := load(ctx, conn)
	if err != nil {
		return err
	}
	before, err := migrator.GetCurrentVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the version: %w", err)
	}
	if err := migrator.Migrate(ctx); err != nil {
		var failed migrate.MigrationPgError
		if errors.As(err, &failed) {
			return fmt.Errorf("migrating: %s: %w", failed.MigrationName, failed.PgError)
		}
		return fmt.Errorf("migrating: %w", err)
	}
	if _, err := conn.Exec(ctx, "set lock_timeout = '5s'"); err != nil {
		return fmt.Errorf("preparing to renew: %w", err)
	}
	if err := renewAll(ctx, conn, "gate.renew_walls"); err != nil {
		return err
	}
	if before < searchIndexVersion {
		return renewAll(ctx, conn, "gate.renew_search_indexes")
	}
	return nil
}

// cheaperFold is the migration after which sessions must read the search indexes anew. Where that is interrupted, sessions of before search
// without an index until their connection ends.
const searchIndexVersion = 14

// atOnce is how many tables or indexes are locked at once. A cluster as it comes has room for 6,400 locks.
const renewBatchSize = 200

// renew calls a function that changes a few tables or indexes after the given oid and returns the last, until it returns null. It is no
// migration, since one transaction for all would hold a lock on each.
func renewAll(ctx context.Context, conn *pgx.Conn, function string) error {
	last := new(uint32)
	for attempt := 0; last != nil; {
		var next *uint32
		err := conn.QueryRow(ctx, "select "+function+"($1, $2)", *last, renewBatchSize).Scan(&next)
		var failed *pgconn.PgError
		if errors.As(err, &failed) && (failed.Code == pgerrcode.LockNotAvailable || failed.Code == pgerrcode.DeadlockDetected) &&
			attempt < 20 { // writers take precedence
			attempt++
			continue
		}
		if err != nil {
			return fmt.Errorf("calling %s: %w", function, err)
		}
		last, attempt = next, 0
	}
	return nil
}

// Pending returns how many migrations the database lacks.
func Pending(ctx context.Context, databaseURL string) (int, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return 0, fmt.Errorf("connecting to read the version: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return 0, fmt.Errorf("taking the role rowhouse_owner (was the database provisioned?): %w", err)
	}
	migrator, err := load(ctx, conn)
	if err != nil {
		return 0, err
	}
	version, err := migrator.GetCurrentVersion(ctx)
	if err != nil {
		return 0, fmt.Errorf("reading the version: %w", err)
	}
	return len(migrator.Migrations) - int(version), nil
}

func load(ctx context.Context, conn *pgx.Conn) (*migrate.Migrator, error) {
	migrator, err := migrate.NewMigrator(ctx, conn, versionTable)
	if err != nil {
		return nil, fmt.Errorf("reading the migration table: %w", err)
	}
	if err := migrator.LoadMigrations(files); err != nil {
		return nil, fmt.Errorf("loading migrations: %w", err)
	}
	return migrator, nil
}

// Hash names the content of all migrations: two binaries with the same hash make the same database.
func Hash() string {
	sum := sha256.New()
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(body))
		_, _ = sum.Write(body)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

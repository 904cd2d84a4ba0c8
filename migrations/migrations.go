// Package migrations owns the structure of the database: the roles, the metadata tables, the
// functions of the schema gate, and the migration from any earlier version. Migrations only go
// forward, and each is safe while the previous binary is still running. It does not own record
// tables, which package schema creates.
package migrations

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"
)

// Files are the migrations, provision.sql and citus.sql.
//
//go:embed *.sql
var Files embed.FS

//go:embed provision.sql
var provision string

//go:embed citus.sql
var citus string

const versionTable = "rowhouse.migration"

// Provision creates the roles, the login of DATABASE_URL with its password, the logins that are
// derived from it (Login.URL), and the empty schemas, as an administrator of the cluster (a
// superuser, or the owner of the database with CREATEROLE). It may be repeated; it does not change
// the password of an existing login.
func Provision(ctx context.Context, adminURL, login, password string) error {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return fmt.Errorf("connecting as administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	type role struct {
		Name     string `json:"name"`
		Password string `json:"password"`
		Role     string `json:"role"`
	}
	logins := []role{{login, password, "rowhouse_owner"}}
	for l, of := range Logins {
		logins = append(logins, role{l.name(login), l.password(password), of})
	}
	list, err := json.Marshal(logins) //nolint:gosec // goes to PostgreSQL, which creates the logins with it
	if err != nil {
		return fmt.Errorf("listing the logins: %w", err)
	}
	sql := strings.NewReplacer("{{login}}", quote(login), "{{logins}}", quote(string(list))).Replace(provision)
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("provisioning roles and schemas: %w", err)
	}
	for l := range Logins {
		if err := l.renewPassword(ctx, conn, login, password); err != nil {
			return err
		}
	}
	return nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// upLock is the number of the advisory lock that Up holds.
const upLock = 20771

// Up migrates the database to the newest version as rowhouse_owner. If several processes call it at
// once, one migrates and the others wait.
func Up(ctx context.Context, databaseURL string) error {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	// What follows the migrations is done each time, and alters the same rows of the catalogue.
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", upLock); err != nil {
		return fmt.Errorf("waiting for other migrations: %w", err)
	}
	distributed, err := Distributed(ctx, conn)
	if err != nil {
		return err
	}
	migrator, err := load(ctx, conn)
	if err != nil {
		return err
	}
	if err := migrator.Migrate(ctx); err != nil {
		var failed migrate.MigrationPgError
		if errors.As(err, &failed) {
			return fmt.Errorf("migrating: %s: %w", failed.MigrationName, failed.PgError)
		}
		return fmt.Errorf("migrating: %w", err)
	}
	if _, err := conn.Exec(ctx, "set lock_timeout = '5s'"); err != nil {
		return fmt.Errorf("setting the lock timeout: %w", err)
	}
	if distributed {
		if _, err := conn.Exec(
			ctx, "set citus.enable_ddl_propagation = on; "+citus, pgx.QueryExecModeSimpleProtocol,
		); err != nil {
			return fmt.Errorf("preparing the nodes of Citus: %w", err)
		}
	}
	admitsID, err := admitsID(ctx, conn)
	if err != nil {
		return err
	}
	if err := renewAll(ctx, conn, "gate.renew_policies", 1); err != nil {
		return err
	}
	if admitsID {
		if err := renewAll(ctx, conn, "gate.adopt_record_counts", 1); err != nil {
			return err
		}
	}
	if distributed {
		if err := addChangeLogs(ctx, conn); err != nil {
			return err
		}
	}
	if err := renewAll(ctx, conn, "gate.add_versions", 1); err != nil {
		return err
	}
	if err := addChangeIndexes(ctx, conn, distributed); err != nil {
		return err
	}
	return renewAll(ctx, conn, "gate.drop_stale_indexes", 1)
}

// connect opens a session of rowhouse_owner that migrates.
func connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("reading the database URL: %w", err)
	}
	// Citus would repeat each statement on its workers, which need some functions alone. PostgreSQL
	// takes the setting and does nothing with it. The migrator resets what is set later.
	config.RuntimeParams["citus.enable_ddl_propagation"] = "off"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to migrate: %w", err)
	}
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		_ = conn.Close(ctx)
		return nil, fmt.Errorf("setting the role rowhouse_owner (was the database provisioned?): %w", err)
	}
	return conn, nil
}

// AdmitsID reports whether the database still supports the binary before migration 21, which enters
// organizations by id alone. The database must be migrated.
func AdmitsID(ctx context.Context, databaseURL string) (bool, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return false, fmt.Errorf("connecting to read the version: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return false, fmt.Errorf("setting the role rowhouse_owner: %w", err)
	}
	return admitsID(ctx, conn)
}

func admitsID(ctx context.Context, conn *pgx.Conn) (admits bool, err error) {
	if err := conn.QueryRow(ctx, "select gate.admits_id()").Scan(&admits); err != nil {
		return false, fmt.Errorf("reading whether the previous binary is supported: %w", err)
	}
	return admits, nil
}

// Exposed reports whether SQL of an attacker's own sees the sizes, activity or statements of other
// organizations. It does unless a superuser has provisioned the database, and done so again since
// pg_stat_statements was created.
func Exposed(ctx context.Context, databaseURL string) (exposed bool, err error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return false, fmt.Errorf("connecting to read privileges: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, `select has_function_privilege('rowhouse_app', 'pg_stat_get_activity(integer)', 'execute')
		or exists (
			select from pg_extension e
			join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
			where e.extname = 'pg_stat_statements' and d.deptype = 'e' and (
				d.classid = 'pg_class'::regclass and has_table_privilege('rowhouse_app', d.objid, 'select')
				or d.classid = 'pg_proc'::regclass and has_function_privilege('rowhouse_app', d.objid, 'execute')))`).
		Scan(&exposed)
	if err != nil {
		return false, fmt.Errorf("reading the privileges on statistics: %w", err)
	}
	return exposed, nil
}

// Contract ends the support of the binary before migration 21, which enters organizations by id
// alone. No such process may be running, and every organization must have a key. It may be
// repeated.
func Contract(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("connecting to migrate: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(
		ctx, "set role rowhouse_owner; set lock_timeout = '5s'", pgx.QueryExecModeSimpleProtocol,
	); err != nil {
		return fmt.Errorf("setting the role rowhouse_owner: %w", err)
	}
	if _, err := conn.Exec(ctx, "select gate.contract()"); err != nil {
		return fmt.Errorf("ending the support of the previous binary: %w", err)
	}
	if err := renewAll(ctx, conn, "gate.renew_policies", 1); err != nil {
		return err
	}
	for _, statement := range []string{
		"drop trigger if exists add_record_count on rowhouse.data_table", "drop table if exists rowhouse.record_count",
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("dropping what counted records for the previous binary: %w", err)
		}
	}
	return nil
}

// renewAll repeatedly calls a SQL function that changes a few tables or indexes after the given oid
// and returns the last one, until it returns null. most is how many it changes per transaction: a
// cluster with default settings has room for 6,400 locks, and a transaction that keeps requests from
// more than one table may deadlock with them. This is not a migration, because one transaction would
// have to lock all of them.
func renewAll(ctx context.Context, conn *pgx.Conn, function string, most int) error {
	last := new(uint32)
	for attempt := 0; last != nil; {
		var next *uint32
		err := conn.QueryRow(ctx, "select "+function+"($1, $2)", *last, most).Scan(&next)
		var failed *pgconn.PgError
		if errors.As(err, &failed) &&
			(failed.Code == pgerrcode.LockNotAvailable || failed.Code == pgerrcode.DeadlockDetected) &&
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

// Pending returns the number of pending migrations.
func Pending(ctx context.Context, databaseURL string) (int, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return 0, fmt.Errorf("connecting to read the version: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return 0, fmt.Errorf("setting the role rowhouse_owner (was the database provisioned?): %w", err)
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
	if err := migrator.LoadMigrations(Files); err != nil {
		return nil, fmt.Errorf("loading migrations: %w", err)
	}
	return migrator, nil
}

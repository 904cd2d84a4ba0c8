// Package migrations owns the structure of the database: the roles (provision.sql), the tables that
// organizations share (schema.sql, which creates them, and numbered files, which bring older databases
// there) and the functions of the schema gate (gate/*.sql). Migrations only go forward, and each is
// safe while processes of the release before it are running. It does not own record tables, which
// package schema creates.
package migrations

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"
)

// Files are everything that is executed: schema.sql, numbered migrations (002_….sql), the functions
// in gate/, provision.sql, adopt.sql and citus.sql.
//
//go:embed *.sql gate/*.sql
var Files embed.FS

//go:embed schema.sql
var tables string

//go:embed provision.sql
var provision string

//go:embed adopt.sql
var adopt string

//go:embed citus.sql
var citus string

const versionTable = "rowhouse.schema_version"

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

// Up migrates the database to the newest version as rowhouse_owner. If several processes call it at
// once, one migrates and the others wait.
func Up(ctx context.Context, databaseURL string) error {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	// What follows the migrations is done each time, and alters the same rows of the catalogue.
	if _, err := conn.Exec(ctx, "select pg_advisory_lock(hashtextextended('rowhouse migration', 0))"); err != nil {
		return fmt.Errorf("waiting for other migrations: %w", err)
	}
	distributed, err := Distributed(ctx, conn)
	if err != nil {
		return err
	}
	if err := checkFormer(ctx, conn); err != nil {
		return err
	}
	if err := installFunctions(ctx, conn); err != nil {
		return err
	}
	if err := adoptFormer(ctx, conn); err != nil {
		return err
	}
	if err := migrateTables(ctx, conn); err != nil {
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
	return dropStaleIndexes(ctx, conn)
}

// migrateTables creates the tables of an empty database, and migrates those of another one.
func migrateTables(ctx context.Context, conn *pgx.Conn) error {
	migrator, err := load(ctx, conn)
	if err != nil {
		return err
	}
	version, err := migrator.GetCurrentVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the version: %w", err)
	}
	if version > 0 {
		return located(migrator.Migrate(ctx))
	}
	setVersion := fmt.Sprintf("update %s set version = %d", versionTable, len(migrator.Migrations))
	if err := migrate.LockExecTx(ctx, conn, tables+setVersion); err != nil {
		return fmt.Errorf("schema.sql: %w", located(err))
	}
	return nil
}

// located adds the name of the failed migration to its error.
func located(err error) error {
	var failed migrate.MigrationPgError
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.MigrationName == "":
		return failed.PgError
	default:
		return fmt.Errorf("%s: %w", failed.MigrationName, failed.PgError)
	}
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

// dropStaleIndexes drops one index after the other, each in a transaction of its own: a transaction
// that keeps requests from more than one table may deadlock with them. Writers take precedence.
func dropStaleIndexes(ctx context.Context, conn *pgx.Conn) error {
	last := new(uint32)
	for attempt := 0; last != nil; {
		var next *uint32
		err := conn.QueryRow(ctx, "select gate.drop_stale_indexes($1, 1)", *last).Scan(&next)
		if hasCode(err, pgerrcode.LockNotAvailable, pgerrcode.DeadlockDetected) && attempt < 20 {
			attempt++
			continue
		}
		if err != nil {
			return fmt.Errorf("dropping indexes that are out of date: %w", err)
		}
		last, attempt = next, 0
	}
	return nil
}

// hasCode reports whether PostgreSQL returned an error with one of the SQLSTATEs.
func hasCode(err error, codes ...string) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && slices.Contains(codes, failed.Code)
}

// Pending returns how many migrations a database lacks. If it lacks none, but has other functions,
// it returns 1. It is negative if the database is that of a later release.
func Pending(ctx context.Context, databaseURL string) (int, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return 0, fmt.Errorf("connecting to read the version: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return 0, fmt.Errorf("setting the role rowhouse_owner (was the database provisioned?): %w", err)
	}
	pending, err := lacks(ctx, conn)
	if err != nil || pending != 0 {
		return pending, err
	}
	functions, err := loadFunctions()
	if err != nil {
		return 0, err
	}
	installed, err := functions.installed(ctx, conn)
	if err != nil || installed {
		return 0, err
	}
	return 1, nil
}

// lacks counts the migrations only.
func lacks(ctx context.Context, conn *pgx.Conn) (int, error) {
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

// load returns the migrations of databases that have tables. The first changes nothing: version 1 is
// that of the first schema.sql. The others are the numbered files.
func load(ctx context.Context, conn *pgx.Conn) (*migrate.Migrator, error) {
	migrator, err := migrate.NewMigrator(ctx, conn, versionTable)
	if err != nil {
		return nil, fmt.Errorf("reading the version table: %w", err)
	}
	migrator.AppendMigration("schema.sql", "select", "")
	numbered, err := fs.Glob(Files, "[0-9]*.sql")
	if err != nil {
		return nil, fmt.Errorf("listing the migrations: %w", err)
	}
	for i, name := range numbered {
		if !strings.HasPrefix(name, fmt.Sprintf("%03d_", i+2)) {
			return nil, fmt.Errorf("the migration %s is not number %d", name, i+2)
		}
		sql, err := Files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the migration %s: %w", name, err)
		}
		migrator.AppendMigration(name, string(sql), "")
	}
	return migrator, nil
}

// functions are those of the schema gate.
type functions struct{ sql, digest string }

func loadFunctions() (functions, error) {
	folder, err := fs.Sub(Files, "gate")
	if err != nil {
		return functions{}, fmt.Errorf("opening the functions: %w", err)
	}
	code, err := migrate.LoadCodePackage(folder)
	if err != nil {
		return functions{}, fmt.Errorf("loading the functions: %w", err)
	}
	sql, err := code.Eval(nil)
	if err != nil {
		return functions{}, fmt.Errorf("writing the functions: %w", err)
	}
	digest := sha256.Sum256([]byte(sql))
	return functions{sql, hex.EncodeToString(digest[:])}, nil
}

// installed reports whether a database has the functions. The comment on their schema says which it
// has.
func (f functions) installed(ctx context.Context, conn *pgx.Conn) (installed bool, err error) {
	const look = "select coalesce(obj_description('gate'::regnamespace, 'pg_namespace') = $1, false)"
	if err := conn.QueryRow(ctx, look, f.digest).Scan(&installed); err != nil {
		return false, fmt.Errorf("reading which functions are installed: %w", err)
	}
	return installed, nil
}

// installFunctions installs all functions, unless the database has them or is that of a later
// release.
func installFunctions(ctx context.Context, conn *pgx.Conn) error {
	f, err := loadFunctions()
	if err != nil {
		return err
	}
	if installed, err := f.installed(ctx, conn); installed || err != nil {
		return err
	}
	if pending, err := lacks(ctx, conn); pending < 0 || err != nil {
		return err
	}
	if err := migrate.LockExecTx(ctx, conn, f.sql+"comment on schema gate is '"+f.digest+"'"); err != nil {
		return fmt.Errorf("installing the functions: %w", located(err))
	}
	return nil
}

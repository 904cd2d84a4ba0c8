// Package db is the only access to the database. Each of its entries takes a role of PostgreSQL,
// and for tenant data one organization, for the length of one transaction, so that row-level
// security decides what a statement sees. It owns the connection pool, the actor that transactions
// act for, and what an error of the database means to a caller. It knows no table of the product.
package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

// A DB is a pool of connections whose login role can read no table by itself. Each method that runs
// statements takes a role for one transaction, and for tenant data one organization. Code that
// bypasses these methods gets "permission denied", never rows of another organization.
type DB struct {
	pool  *pgxpool.Pool
	texts *textCache
	actor Actor // on whose behalf transactions write
}

// Options shape the connection pool. The zero value is usable.
type Options struct {
	MaxConns         int32         // default 20
	StatementTimeout time.Duration // of every statement but schema changes; default 15 s
	Tracer           pgx.QueryTracer
}

// Open connects as the login role of databaseURL, which must be a member (NOINHERIT) of
// rowhouse_app, rowhouse_owner and rowhouse_system; package migrations sets that up.
func Open(ctx context.Context, databaseURL string, options Options) (*DB, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("reading the database URL: %w", errors.New(redact(err.Error(), databaseURL)))
	}
	config.MaxConns = 20
	if options.MaxConns > 0 {
		config.MaxConns = options.MaxConns
	}
	if options.StatementTimeout == 0 {
		options.StatementTimeout = 15 * time.Second
	}
	config.ConnConfig.RuntimeParams["application_name"] = "rowhouse"
	config.ConnConfig.RuntimeParams["statement_timeout"] = fmt.Sprint(options.StatementTimeout.Milliseconds())
	config.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "30000"
	// The size in kB at which a writer merges the pending list of a search index
	// (docs/decisions/0012-indexes-by-use.md).
	config.ConnConfig.RuntimeParams["gin_pending_list_limit"] = "16384"
	// Statements are prepared. The planner replans the first five executions of each statement on
	// each connection before it chooses between a generic and a custom plan; that cost pays off.
	config.ConnConfig.StatementCacheCapacity = 512
	config.ConnConfig.DescriptionCacheCapacity = 0
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.ConnConfig.Tracer = options.Tracer
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxuuid.Register(conn.TypeMap()) // in binary; pgx would send a uuid.UUID as text
		return nil
	}
	var opened atomic.Uint32
	opened.Store(rand.Uint32N(slots)) //nolint:gosec // spreads processes
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		c.RuntimeParams["app.slot"] = fmt.Sprint(opened.Add(1) % slots)
		return nil
	}
	// A backend's catalogue cache grows by about 20 KB for each user table that it has touched.
	config.MaxConnLifetime = 30 * time.Minute
	config.MaxConnLifetimeJitter = 5 * time.Minute
	config.MaxConnIdleTime = 10 * time.Minute
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connecting to the database: %w", err)
	}
	return &DB{pool: pool, texts: newTextCache()}, nil
}

// Slot is the SQL expression for a number from 0 to 31 that spreads connections. A counter that
// keeps one row per slot lets concurrent writers update different rows. Behind a proxy that drops
// the setting, the number comes from the backend's process id.
const Slot = "coalesce(nullif(current_setting('app.slot', true), '')::integer, pg_backend_pid() % 32)"

const slots = 32 // as in Slot

// redact removes the URL from a message because it contains a password.
func redact(message, secret string) string {
	return strings.ReplaceAll(message, secret, "(database URL)")
}

// Connections returns how many connections are open and in use, how often callers have waited for
// one, and for how long in total.
func (db *DB) Connections() (open, inUse int, waits int64, waited time.Duration) {
	stat := db.pool.Stat()
	return int(stat.TotalConns()), int(stat.AcquiredConns()), stat.EmptyAcquireCount(), stat.EmptyAcquireWaitTime()
}

// Close waits for running transactions and closes every connection.
func (db *DB) Close() { db.pool.Close() }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		return problem.Unavailable(fmt.Errorf("pinging the database: %w", err))
	}
	return nil
}

// An entry is the statements with which a transaction begins: they set its role and its
// organization.
type entry []step

type step struct {
	sql  string
	args []any
}

const enterOrg = ", true), set_config('app.org_id', $1::uuid::text, true)"

func enterApp(org uuid.UUID) entry {
	return entry{{"select set_config('role', 'rowhouse_app'" + enterOrg, []any{org}}}
}

func enterOwner(org uuid.UUID) entry {
	return entry{{"select set_config('role', 'rowhouse_owner'" + enterOrg, []any{org}}}
}

func enterSystem() entry { return entry{{"select set_config('role', 'rowhouse_system', true)", nil}} }

// enterTable also asserts that the table still has the version that the caller knows.
func enterTable(org uuid.UUID, ref TableRef) entry {
	return append(enterApp(org), step{"select " + ref.AssertVersion("$1"), []any{ref.Version}})
}

// enterTableForWrite takes a shared lock on the table's schema until the transaction ends; a schema
// change takes the same lock exclusively. It cannot assert the version: PostgreSQL does not replan
// a statement without a table inside a transaction, so after waiting for the lock the statement
// would still see the old version.
func enterTableForWrite(org uuid.UUID, ref TableRef) entry {
	return entry{{"select set_config('role', 'rowhouse_app'" + enterOrg + ", pg_advisory_xact_lock_shared(20737, $2)", []any{org, ref.Number}}}
}

// enterTableTx is enterTableForWrite with the assertion, for a transaction that sends its
// statements one by one.
func enterTableTx(org uuid.UUID, ref TableRef) entry {
	return entry{{"select set_config('role', 'rowhouse_app', true), gate.enter_table($1, $2, $3, true)", []any{org, ref.Number, ref.Version}}}
}

// States that functions of the schema gate raise.
const (
	stateSchemaChanged = "RH001"
	stateSuperseded    = "RH010" // by gate.complete_request: a later run has taken the request over
)

func (d entry) queue(b *pgx.Batch) {
	for _, s := range d {
		b.Queue(s.sql, s.args...)
	}
}

// Tx runs fn in a transaction of one organization as rowhouse_app. It costs one round trip to
// begin, one per statement and one to commit; Batch costs one in all.
func (db *DB) Tx(ctx context.Context, org uuid.UUID, fn func(tx pgx.Tx) error) error {
	return db.transact(ctx, fn, enterApp(org))
}

// SchemaTx runs fn in a transaction of one organization as rowhouse_owner, which owns every table
// and is still subject to row-level security. The lock timeout is 2 s. After a lock timeout or a
// deadlock fn runs again, up to three times, so fn must keep no state from an earlier run.
func (db *DB) SchemaTx(ctx context.Context, org uuid.UUID, fn func(tx pgx.Tx) error) error {
	var err error
	for attempt := range 4 {
		err = db.transact(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "set local lock_timeout = '2s'; set local statement_timeout = '100s'"); err != nil {
				return fmt.Errorf("setting the lock timeout: %w", err)
			}
			return fn(tx)
		}, enterOwner(org))
		if !pgerror.Is(err, "55P03", "40P01") {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(attempt+1) * 50 * time.Millisecond):
		}
	}
	return busy().Because(fmt.Errorf("changing the schema: %w", err))
}

// SystemTx runs fn in a transaction as rowhouse_system, for look-ups before the organization is
// known (credential, sign-in, share id) and for the job queue. The role reads people and
// credentials but no records.
func (db *DB) SystemTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.transact(ctx, fn, enterSystem())
}

// EnterOrg turns a transaction of SystemTx into one of an organization, as Tx has it. From here on
// the transaction sees that organization alone, so whatever needs the system role comes before.
func (db *DB) EnterOrg(ctx context.Context, tx pgx.Tx, org uuid.UUID) error {
	entry := &pgx.Batch{}
	enterApp(org).queue(entry)
	if err := tx.SendBatch(ctx, entry).Close(); err != nil {
		return fmt.Errorf("entering the organization: %w", err)
	}
	return nil
}

func (db *DB) transact(ctx context.Context, fn func(tx pgx.Tx) error, in entry) error {
	tx, err := db.pool.Begin(ctx)
	if err != nil {
		return classify(err)
	}
	// Roll back even if the request was cancelled, within a bound. After a commit this does
	// nothing.
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tx.Rollback(undo)
	}()
	entry := &pgx.Batch{}
	in.queue(entry)
	if err := tx.SendBatch(ctx, entry).Close(); err != nil {
		return classify(fmt.Errorf("entering the transaction: %w", err))
	}
	if err := fn(tx); err != nil {
		return classify(err)
	}
	if err := tx.Commit(ctx); err != nil {
		return classify(fmt.Errorf("committing: %w", err))
	}
	return nil
}

// A TableRef identifies a record table and the version of its schema for which statements were
// written.
type TableRef struct {
	Number  int32
	Version int64
}

// VersionNow is the SQL expression for the present version of the table's schema. The planner folds
// it to a constant, so it costs a statement nothing (migrations/010_version.sql).
func (r TableRef) VersionNow() string { return fmt.Sprintf("version.t_%d()", r.Number) }

// AssertVersion is the SQL condition that the table's schema still has Version, which the statement
// passes in the given placeholder. If it does not, the statement fails with the SQLSTATE that
// TableBatch, TableWrite and TableTx map to ErrSchemaChanged.
func (r TableRef) AssertVersion(placeholder string) string {
	return "gate.assert(" + r.VersionNow() + " = " + placeholder + ", '" + stateSchemaChanged + "')"
}

// ErrSchemaChanged says that the table's schema is no longer the one for which the statements were
// written. Nothing was changed: reload the schema and write the statements again.
var ErrSchemaChanged = errors.New("the table's schema has changed")

// Batch sends the statements that fn queues as one transaction of the organization, as
// rowhouse_app, in one round trip. The callbacks of the queued statements read the results, up to
// the first error. When Batch returns an error, nothing was changed.
func (db *DB) Batch(ctx context.Context, org uuid.UUID, fn func(b *pgx.Batch)) error {
	return db.send(ctx, fn, enterApp(org))
}

// SystemBatch is Batch for rowhouse_system.
func (db *DB) SystemBatch(ctx context.Context, fn func(b *pgx.Batch)) error {
	return db.send(ctx, fn, enterSystem())
}

// TableBatch is Batch for statements that read a record table. It returns ErrSchemaChanged if the
// table is gone or has another version than ref.
func (db *DB) TableBatch(ctx context.Context, org uuid.UUID, ref TableRef, fn func(b *pgx.Batch)) error {
	return readError(db.send(ctx, fn, enterTable(org, ref)))
}

// TableWrite is Batch for statements that change a record table. The table's schema stays locked
// until the transaction ends. It returns ErrSchemaChanged, with nothing changed, if the table is
// gone or has another version than ref. If fn queues no change, it returns an error and sends
// nothing.
func (db *DB) TableWrite(ctx context.Context, org uuid.UUID, ref TableRef, fn func(b *WriteBatch)) error {
	write := NewWriteBatch(ref)
	fn(write)
	if !write.changed {
		return errNoChange
	}
	return writeError(db.send(ctx, func(b *pgx.Batch) { b.QueuedQueries = append(b.QueuedQueries, write.QueuedQueries...) }, enterTableForWrite(org, ref)))
}

var errNoChange = errors.New("a write to a table queued no change, so nothing would check the version of the table's schema")

// A WriteBatch collects the statements of a write to one table. Statements that change records of
// the table are queued by Change, which checks the version of the table's schema. Locks, audit
// events and counters are queued as in any batch.
type WriteBatch struct {
	*pgx.Batch
	ref     TableRef
	changed bool
}

// NewWriteBatch returns a batch for a transaction of TableTx, which has asserted the version of the
// table's schema itself.
func NewWriteBatch(ref TableRef) *WriteBatch { return &WriteBatch{Batch: &pgx.Batch{}, ref: ref} }

// Change queues a statement that changes records. Its first parameter, $1, is the version of the
// table's schema; args follow from $2 on.
func (b *WriteBatch) Change(statement ChangeStatement, args ...any) *pgx.QueuedQuery {
	b.changed = true
	return b.Queue(statement.text, append(append(make([]any, 0, 1+len(args)), b.ref.Version), args...)...)
}

// A ChangeStatement is the text of a statement that changes records of one table on condition that
// the table's schema has the version in $1. Only TableRef.ChangeStatement creates one.
type ChangeStatement struct{ text string }

// ChangeStatement returns the statement that build writes around assertion, an SQL condition. It
// panics if build leaves the condition out.
func (r TableRef) ChangeStatement(build func(assertion string) string) ChangeStatement {
	assertion := r.AssertVersion("$1")
	text := build(assertion)
	if !strings.Contains(text, assertion) {
		panic("db: a statement changes records without checking the version of their table: " + text)
	}
	return ChangeStatement{text}
}

// Read is Batch for statements that only read record tables and select TableRef.VersionNow
// themselves. It returns ErrSchemaChanged if a statement no longer fits the schema.
func (db *DB) Read(ctx context.Context, org uuid.UUID, fn func(b *pgx.Batch)) error {
	return readError(db.send(ctx, fn, enterApp(org)))
}

// writeError maps PostgreSQL's errors for statements that were written for another version to
// ErrSchemaChanged.
func writeError(err error) error {
	if pgerror.Is(err, stateSchemaChanged, "42703", "42P01", "0A000") || versionFunctionMissing(err) || droppedWhilePlanning(err) {
		return fmt.Errorf("%w: %w", ErrSchemaChanged, err)
	}
	return err
}

// versionFunctionMissing reports that the function that returns the table's version is gone, and
// the table with it.
func versionFunctionMissing(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "42883" && strings.Contains(pg.Message, "version.t_")
}

// droppedWhilePlanning reports that an object was dropped while PostgreSQL planned a statement that
// names it.
func droppedWhilePlanning(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "XX000" &&
		(strings.HasPrefix(pg.Message, "cache lookup failed for ") || strings.HasPrefix(pg.Message, "could not open relation with OID "))
}

// readError is writeError for transactions that hold no lock: a column or the table may be dropped
// after the version was checked.
func readError(err error) error {
	if pgerror.Is(err, "42883", "42804") {
		return fmt.Errorf("%w: %w", ErrSchemaChanged, err)
	}
	return writeError(err)
}

// TableTx is Tx for statements that change a record table. Like TableWrite it returns
// ErrSchemaChanged; it asserts the version itself.
func (db *DB) TableTx(ctx context.Context, org uuid.UUID, ref TableRef, fn func(tx pgx.Tx) error) error {
	return writeError(db.transact(ctx, fn, enterTableTx(org, ref)))
}

// send sends one transaction in one round trip. PostgreSQL runs the statements up to a Sync message
// as one implicit transaction (PostgreSQL, "Pipelining"), for which the role and the organization
// are set; "begin" and "commit" would be two more statements.
func (db *DB) send(ctx context.Context, fn func(b *pgx.Batch), in entry) error {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return classify(err)
	}
	defer conn.Release()
	batch := &pgx.Batch{}
	in.queue(batch)
	fn(batch)
	db.texts.share(batch)
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return classify(err)
	}
	return nil
}

// OwnerConn runs fn on a connection of its own as rowhouse_owner and outside a transaction, for
// statements that cannot run inside one, such as CREATE INDEX CONCURRENTLY. No organization is set,
// so the role sees no row. There is no statement timeout; fn must obey its context.
func (db *DB) OwnerConn(ctx context.Context, fn func(ctx context.Context, conn *pgx.Conn) error) error {
	pooled, err := db.pool.Acquire(ctx)
	if err != nil {
		return classify(err)
	}
	defer pooled.Release()
	conn := pooled.Conn()
	defer func() {
		// `discard all` resets the session. A connection that cannot be reset is closed.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if _, err := conn.Exec(clean, "discard all", pgx.QueryExecModeSimpleProtocol); err != nil {
			_ = conn.Close(clean)
		}
		_ = conn.DeallocateAll(clean)
	}()
	const enter = "set role rowhouse_owner; set statement_timeout = 0; set lock_timeout = '5s'; set idle_in_transaction_session_timeout = 0"
	if _, err := conn.Exec(ctx, enter, pgx.QueryExecModeSimpleProtocol); err != nil {
		return classify(fmt.Errorf("entering as the owner: %w", err))
	}
	return classify(fn(ctx, conn))
}

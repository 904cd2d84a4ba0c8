package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowhouse/rowhouse/internal/pgerror"
)

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
	return "gate.assert(" + r.VersionNow() + " = " + placeholder + ", '" + StateSchemaChanged + "')"
}

// ErrSchemaChanged says that the table's schema is no longer the one for which the statements were
// written. Nothing was changed: reload the schema and write the statements again.
var ErrSchemaChanged = errors.New("the table's schema has changed")

// Batch sends the statements that fn queues as one transaction of the organization, as
// rowhouse_app, in one round trip. The callbacks of the queued statements read the results, up to
// the first error. When Batch returns an error, nothing was changed.
func (db *DB) Batch(ctx context.Context, org uuid.UUID, fn func(b *pgx.Batch)) error {
	return db.send(ctx, db.enterApp(ctx, org), fn)
}

// SystemBatch is Batch for rowhouse_system.
func (db *DB) SystemBatch(ctx context.Context, fn func(b *pgx.Batch)) error {
	return db.send(ctx, db.enterSystem(), fn)
}

// TableBatch is Batch for statements that read a record table. It returns ErrSchemaChanged if the
// table is gone or has another version than ref.
func (db *DB) TableBatch(ctx context.Context, org uuid.UUID, ref TableRef, fn func(b *pgx.Batch)) error {
	return readError(db.send(ctx, db.enterTable(ctx, org, ref), fn))
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
	queue := func(b *pgx.Batch) { b.QueuedQueries = append(b.QueuedQueries, write.QueuedQueries...) }
	return writeError(db.send(ctx, db.enterTableForWrite(ctx, org, ref), queue))
}

var errNoChange = errors.New(
	"a write to a table queued no change, so nothing would check the version of the table's schema",
)

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
	return readError(db.send(ctx, db.enterApp(ctx, org), fn))
}

// writeError maps PostgreSQL's errors for statements that were written for another version to
// ErrSchemaChanged.
func writeError(err error) error {
	if pgerror.Is(err, StateSchemaChanged, pgerrcode.UndefinedColumn, pgerrcode.UndefinedTable) ||
		resultTypeChanged(err) ||
		versionFunctionMissing(err) ||
		droppedWhilePlanning(err) {
		return fmt.Errorf("%w: %w", ErrSchemaChanged, err)
	}
	return err
}

// Misfit returns PostgreSQL's error behind an ErrSchemaChanged if it only says that a statement does not fit the
// schema: either the schema has changed, or the statement is wrong, which the version of the schema distinguishes. It
// returns nil for all that follows from a change alone, such as a version that is not the one that was asserted.
func Misfit(err error) error {
	var pg *pgconn.PgError
	if !errors.Is(err, ErrSchemaChanged) || !errors.As(err, &pg) || versionFunctionMissing(pg) {
		return nil
	}
	switch pg.Code {
	case pgerrcode.UndefinedColumn, pgerrcode.UndefinedTable, pgerrcode.UndefinedFunction, pgerrcode.DatatypeMismatch:
		return pg
	}
	return nil
}

// resultTypeChanged reports that a prepared statement selects other columns than when it was prepared.
// Its code is the same as the code of everything that PostgreSQL, or Citus, does not support.
func resultTypeChanged(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgerrcode.FeatureNotSupported && pg.Routine == "RevalidateCachedQuery"
}

// versionFunctionMissing reports that the function that returns the table's version is gone, and
// the table with it.
func versionFunctionMissing(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgerrcode.UndefinedFunction && strings.Contains(pg.Message, "version.t_")
}

// droppedWhilePlanning reports that an object was dropped while PostgreSQL planned a statement that
// names it.
func droppedWhilePlanning(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgerrcode.InternalError &&
		(strings.HasPrefix(pg.Message, "cache lookup failed for ") || strings.HasPrefix(pg.Message, "could not open "+
			"relation with OID "))
}

// readError is writeError for transactions that hold no lock: a column or the table may be dropped
// after the version was checked.
func readError(err error) error {
	if pgerror.Is(err, pgerrcode.UndefinedFunction, pgerrcode.DatatypeMismatch) {
		return fmt.Errorf("%w: %w", ErrSchemaChanged, err)
	}
	return writeError(err)
}

// send sends one transaction in one round trip. PostgreSQL runs the statements up to a Sync message
// as one implicit transaction (PostgreSQL, "Pipelining"), for which the role and the organization
// are set; "begin" and "commit" would be two more statements.
func (db *DB) send(ctx context.Context, in entry, fn func(b *pgx.Batch)) error {
	if in.err != nil {
		return classify(in.err)
	}
	if s := db.snapshotOf(ctx, in); s != nil {
		return s.send(ctx, db, in, fn)
	}
	conn, err := in.pool.Acquire(ctx)
	if err != nil {
		return classify(err)
	}
	defer conn.Release()
	batch := &pgx.Batch{}
	if db.distributed {
		return db.sendExplicit(ctx, conn, in, fn, batch)
	}
	in.queue(batch)
	fn(batch)
	db.texts.share(batch)
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return classify(db.forgetWrongKey(in.org, err))
	}
	db.committed(in)
	return nil
}

// sendExplicit is send for Citus, whose workers learn of settings only in an explicit transaction. It
// takes one round trip too.
func (db *DB) sendExplicit(
	ctx context.Context,
	conn *pgxpool.Conn,
	in entry,
	fn func(b *pgx.Batch),
	batch *pgx.Batch,
) error {
	batch.Queue("begin")
	in.queue(batch)
	fn(batch)
	batch.Queue("commit")
	db.texts.share(batch)
	err := conn.SendBatch(ctx, batch).Close()
	if err == nil {
		db.committed(in)
		return nil
	}
	// Without this the pool would close the connection.
	undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = conn.Exec(undo, "rollback")
	return classify(db.forgetWrongKey(in.org, err))
}

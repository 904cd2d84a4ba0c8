package db

import (
	"context"
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// An entry is how a transaction begins: the login that it runs under, and the statements that set
// its role and its organization.
type entry struct {
	pool  *pgxpool.Pool
	steps []step
	org   uuid.UUID
	err   error // the organization's key could not be read

	changes bool  // the transaction may write to the log of changes
	table   int32 // whose base the changes are in; 0: any
}

type step struct {
	sql  string
	args []any
}

// propagate sends the workers of Citus the organization, its key, and the transaction's change number
// (migrations/citus.sql).
const propagate = "select gate.propagate()"

func (in entry) forChange(table int32) entry {
	in.changes, in.table = true, table
	return in
}

func (in entry) queue(b *pgx.Batch) {
	for _, s := range in.steps {
		b.Queue(s.sql, s.args...)
	}
}

const (
	setApp    = "select set_config('role', 'rowhouse_app', true)"
	setOwner  = "select set_config('role', 'rowhouse_owner', true)"
	setSystem = "select set_config('role', 'rowhouse_system', true)"
	setOrg    = ", set_config('app.org_id', $1::uuid::text, true), set_config('app.key', $2, true)"
	setPerson = ", set_config('app.person', "
)

// enterOrg returns an entry with one statement (on Citus two): set, which takes the role, and the rest,
// whose placeholders begin with $3.
func (db *DB) enterOrg(
	ctx context.Context,
	pool *pgxpool.Pool,
	set string,
	org uuid.UUID,
	rest string,
	args ...any,
) entry {
	key, err := db.key(ctx, org)
	args = append([]any{org, key}, args...)
	if person := PersonOf(ctx); person != uuid.Nil {
		args = append(args, person)
		rest += setPerson + "$" + strconv.Itoa(len(args)) + "::uuid::text, true)"
	}
	in := entry{pool: pool, steps: []step{{set + setOrg + rest, args}}, org: org, err: err}
	if db.distributed {
		in.steps = append(in.steps, step{propagate, nil})
	}
	return in
}

func (db *DB) enterApp(ctx context.Context, org uuid.UUID) entry {
	return db.enterOrg(ctx, db.request, setApp, org, "")
}

func (db *DB) enterOwner(ctx context.Context, org uuid.UUID) entry {
	return db.enterOrg(ctx, db.schema, setOwner, org, "").forChange(0)
}

// enterOwnerOnly enters no organization. The role sees the keys, encrypted, and no row of a tenant.
func (db *DB) enterOwnerOnly() entry { return entry{pool: db.schema, steps: []step{{setOwner, nil}}} }

func (db *DB) enterSystem() entry { return entry{pool: db.system, steps: []step{{setSystem, nil}}} }

// enterTable also asserts that the table still has the version that the caller knows.
func (db *DB) enterTable(ctx context.Context, org uuid.UUID, ref TableRef) entry {
	in := db.enterApp(ctx, org)
	in.steps = append(in.steps, step{"select " + ref.AssertVersion("$1"), []any{ref.Version}})
	return in
}

// enterTableForWrite takes a shared lock on the table's schema until the transaction ends; a schema
// change takes the same lock exclusively. It cannot assert the version: PostgreSQL does not replan
// a statement without a table inside a transaction, so after waiting for the lock the statement
// would still see the old version.
func (db *DB) enterTableForWrite(ctx context.Context, org uuid.UUID, ref TableRef) entry {
	return db.enterOrg(ctx, db.request, setApp, org,
		", pg_advisory_xact_lock_shared("+LockTable.String()+", $3)"+beginChange("$4"),
		ref.Number, orgNumber(org)).
		forChange(ref.Number)
}

// enterTableTx is enterTableForWrite with the assertion, for a transaction that sends its
// statements one by one.
func (db *DB) enterTableTx(ctx context.Context, org uuid.UUID, ref TableRef) entry {
	return db.enterOrg(ctx, db.request, setApp, org, ", gate.hold_table($3, $4)"+beginChange("$5"),
		ref.Number, ref.Version, orgNumber(org)).forChange(ref.Number)
}

// Change numbers. Every transaction that writes records draws a number, which becomes the version
// of the records that it changes. It is the time, or one more than the largest version among these
// records. The transaction holds a shared lock from before it draws the number until it ends: a
// reader that takes each of these locks for a moment knows that everything numbered before has
// ended. See docs/decisions/0029-change-log.md.

// ChangeNumber is the SQL expression for the number that the transaction has drawn last: at its
// begin, or since (package changelog).
const ChangeNumber = "current_setting('app.change')::bigint"

// Clock is the SQL expression for the time in microseconds since 1970.
const Clock = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

func beginChange(org string) string {
	return ", pg_advisory_xact_lock_shared(" + LockChange.String() + " + " + Slot + ", " + org +
		"), set_config('app.change', " +
		Clock + "::text, true)"
}

// orgNumber stands for an organization where a collision of two is harmless.
func orgNumber(org uuid.UUID) int32 {
	return int32(binary.BigEndian.Uint32(org[12:])) //nolint:gosec // any 32 bits will do
}

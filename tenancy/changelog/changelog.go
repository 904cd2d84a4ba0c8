// Package changelog writes and reads the log of what changed in an organization's records. The log
// is a table in the organization's schema, and every transaction that writes records appends to it.
// See docs/decisions/0029-change-log.md.
//
// The package knows the log's form and the numbers of changes. It does not know how records are
// written or read: package record does, and calls it.
package changelog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Kind says what happened to the records of an entry. Kinds are stored, so they never change.
type Kind int16

// The kinds.
const (
	Created Kind = 1
	Updated Kind = 2
	Deleted Kind = 3
	// Linked is a change of a link field that was written from the other side. The entry says which
	// records were added to the field and removed from it, and not all that it held.
	Linked Kind = 4
)

// Relation is the quoted, schema-qualified name of an organization's log.
func Relation(org uuid.UUID) string { return `"` + organization.SchemaName(org) + `"."change"` }

func numberRelation(org uuid.UUID) string {
	return `"` + organization.SchemaName(org) + `"."change_number"`
}

// Number is the SQL expression for the number of the transaction's change, which Begin has drawn.
// It becomes the version of every record that the transaction changes.
const Number = "current_setting('app.change')::bigint"

// slotBits are the lowest bits of a number: the slot. The others are a time in milliseconds since
// 1970, or later: each number is larger than the one before in its slot, and than the versions of
// the records that it changes.
const slotBits = 5

// TimeOf returns the time of the change with a number, to the millisecond.
func TimeOf(number int64) time.Time { return time.UnixMilli(number >> slotBits).UTC() }

// An Origin is where a change came from.
type Origin struct {
	Set        uuid.UUID  // the change set
	Person     *uuid.UUID // nil: the service itself
	Credential string     // its public id, or ""
	Request    *string    // id of the request; nil if it is that of the change set
}

// OriginOf returns the origin of what an actor writes.
func OriginOf(actor db.Actor) Origin {
	o := Origin{Set: actor.ChangeSet, Credential: actor.Credential}
	if o.Set == uuid.Nil {
		o.Set = id.New()
	}
	if actor.Person != uuid.Nil {
		o.Person = &actor.Person
	}
	if request, err := id.Parse(id.Request, actor.Request); (err != nil || request != o.Set) && actor.Request != "" {
		o.Request = &actor.Request
	}
	return o
}

// A Write is what a transaction is about to do with the records of one table.
type Write struct {
	Table  *schema.Table
	Gained int         // how many more records there will be
	Others []int32     // numbers of other tables whose lists change with it
	Rows   []uuid.UUID // records that are there and will be changed or deleted
	// RowLock is the locking clause of SELECT for Rows. Their locks are taken in the order of ids.
	RowLock string
}

// Begin locks the records that a transaction will write, draws its number, and counts it (see
// package query, TotalCache). It must precede every statement that writes records, and follow all
// other statements that may wait for a lock: whoever shares the slot waits until the transaction
// ends.
func Begin(b *pgx.Batch, w Write) {
	counts, args := countOf(w)
	held, last := "", now
	if len(w.Rows) > 0 {
		args = append(args, w.Rows)
		placeholder := placeholder(len(args))
		held = "held as materialized (select t.version from " + w.Table.Relation() + " t where t.id = any (" + placeholder +
			") order by t.id " + w.RowLock + "), "
		last = "greatest((select max(version) from held) / 32 + 1, " + now + ")"
	}
	b.Queue("with "+held+"numbered as (insert into "+numberRelation(w.Table.Org)+" as n (slot, last) select "+db.Slot+", "+
		last+" on conflict (slot) do update set last = greatest(n.last + 1, excluded.last) "+
		"returning n.last * 32 + n.slot as number), counted as ("+counts+
		") select set_config('app.change', number::text, true) from numbered", args...)
}

const now = "(extract(epoch from clock_timestamp()) * 1000)::bigint"

// countOf adds to the counts of the table, and to the writes of the others.
func countOf(w Write) (string, []any) {
	into := "insert into " + w.Table.CountRelation() + " as c (table_number, slot, records, writes) "
	const raise = " on conflict (table_number, slot) do update set records = c.records + excluded.records, " +
		"writes = c.writes + 1"
	if len(w.Others) == 0 {
		return into + "values ($1, " + db.Slot + ", $2, 1)" + raise, []any{w.Table.Number, w.Gained}
	}
	// In the order of their numbers, so that two writers never wait for each other.
	return into + "select n, " + db.Slot + ", case n when $1 then $2 else 0 end, 1 from unnest($3::integer[]) n order by n" +
		raise, []any{w.Table.Number, w.Gained, sorted(append([]int32{w.Table.Number}, w.Others...))}
}

// Was is the SQL expression for the object of what stood in the changed fields of a record: each of
// columns under the alias before, where the condition with the same index says that it changed.
func Was(before string, fields []*schema.Field, changed []string) string {
	expression := "'{}'::jsonb"
	for i, f := range fields {
		expression += " || case when " + changed[i] + " then jsonb_build_object('" + Key(&f.Field) + "', " +
			before + "." + f.Column() + ") else '{}'::jsonb end"
	}
	return expression
}

// Key is the member of a field in the object of what stood in a record.
func Key(f *field.Field) string { return "f_" + itoa(f.Number) }

// IsMonthMissing reports whether a write failed because the log has no part for the present month
// yet.
func IsMonthMissing(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgerrcode.CheckViolation && pg.Routine == "ExecFindPartition"
}

// AddMonth adds the part of the log for the present month.
func AddMonth(ctx context.Context, tenantDB *db.DB, org uuid.UUID) error {
	err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select gate.add_change_months($1)", organization.SchemaName(org))
		return err
	})
	if err != nil {
		return fmt.Errorf("adding a month to the log of changes: %w", err)
	}
	return nil
}

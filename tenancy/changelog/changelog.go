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
	// Linked is a change of a link field that was written from the other side. The entry has the
	// records that the field gained and lost, not its whole list.
	Linked Kind = 4
	// Restored is the return of a deleted record, whose previous change is its deletion.
	Restored Kind = 5
	// Returned has the values that came back with a field or a table, or the records that came back
	// with their table. It changes no record and is in no record's chain; previous is null. before is
	// null for whole records, and otherwise one object for all of them, with the keys of the fields.
	// Only the feed shows it.
	Returned Kind = 6
	// Schema is a change of tables, fields or views. It names no records.
	Schema Kind = 10
	// Commented is a change of a comment on a record. It names no records, because none of them
	// changed; see CommentChange.
	Commented Kind = 20
)

// The kinds in texts of SQL. A text that is constant stays so.
const (
	SQLCreated  = "1"
	SQLUpdated  = "2"
	SQLDeleted  = "3"
	SQLLinked   = "4"
	SQLRestored = "5"
	SQLReturned = "6"
	SQLSchema   = "10"
)

var kindNames = map[Kind]string{
	Created: "created", Updated: "updated", Deleted: "deleted", Linked: "linked", Restored: "restored",
	Schema: "schema", Commented: "commented",
}

// Name is the API's name of the kind.
func (k Kind) Name() string { return kindNames[k] }

// Relation is the quoted, schema-qualified name of an organization's log.
func Relation(org uuid.UUID) string { return `"` + organization.SchemaName(org) + `"."change"` }

// TimeOf returns the time of the change with a number.
func TimeOf(number int64) time.Time { return time.UnixMicro(number).UTC() }

// An Origin is where a change came from.
type Origin = db.Origin

// OriginOf returns the origin of what an actor writes.
func OriginOf(ctx context.Context) Origin { return db.OriginOf(db.ActorOf(ctx)) }

// DrawAfter is the SQL expression that draws a number for a change of a locked record, whose version is
// in another expression.
func DrawAfter(version string) string {
	return "greatest(" + version + " + 1, " + db.ChangeNumber + ")"
}

// Ends are the records on one side of a link field that the join table links with others.
type Ends struct {
	Relation string // the join table
	Column   string // of these records
	With     string // column of the others
	Rows     []uuid.UUID
}

// NoWait ends a locking clause of a transaction that already has locks on records. The statement fails
// if another transaction has locked a record (pgerror.IsRowTaken).
const NoWait = "nowait"

// Lock queues a statement that locks records of a table in the order of their ids with rowLock, a
// locking clause of SELECT, and draws the number of their change. It skips records that do not exist.
// It also locks the records that are ends of links at present.
func Lock(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, rowLock string, ends ...Ends) {
	ids, args := "$1::uuid[]", []any{rows}
	if len(ends) > 0 {
		ids = "select unnest($1::uuid[])"
		for _, e := range ends {
			args = append(args, e.Rows)
			ids += " union select l." + e.Column + " from " + e.Relation + " l where l." + e.With + " = any (" +
				placeholder(len(args)) + "::uuid[])"
		}
		ids = "array(" + ids + ")"
	}
	// The condition, which costs nothing, makes Citus draw the number on the coordinator, because a
	// worker has only the tables of organizations.
	b.Queue("with held as materialized (select max(l.version) as version from (select t.version from "+
		t.Whole().Relation()+
		" t where t.id = any ("+ids+") order by t.id "+rowLock+") l) select gate.draw_change(held.version) from held "+
		"where not exists (select 1 from pg_catalog.pg_am where false)", args...)
}

// Demand queues a statement that fails with a SQLSTATE unless the locked records that exist have these
// versions.
func Demand(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, versions []int64, state string) {
	b.Queue("select gate.assert(not exists (select from unnest($1::uuid[], $2::bigint[]) as d(id, version) join "+
		t.Whole().Relation()+" t on t.id = d.id where t.version <> d.version), '"+state+"')", rows, versions)
}

// Was is the SQL expression for the object of a record's former values in its changed fields: each of
// columns under the alias before, where the condition with the same index says that it changed.
func Was(before string, fields []*schema.Field, changed []string) string {
	expression := "'{}'::jsonb"
	for i, f := range fields {
		expression += " || case when " + changed[i] + " then jsonb_build_object('" + Key(&f.Field) + "', " +
			before + "." + f.Column() + ") else '{}'::jsonb end"
	}
	return expression
}

// Key is the member of a field in the object of former values.
func Key(f *field.Field) string { return "f_" + itoa(f.Number) }

// PlaceKey is the key of a list that is parallel to the list of a link field of a deleted record: the
// positions of the record in the lists on the other side. Older entries do not have it.
func PlaceKey(f *field.Field) string { return "p_" + itoa(f.Number) }

// IsMonthMissing reports whether a write failed because the log has no part for the present month yet.
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

package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Row rules of writes. What a rule refuses ends the transaction: before the write, for records that the person does not
// read (StateMissingRecord) or may not change (StateRowRule), and after it, for records as they would be. The
// statements read the whole table, in the transaction of the person (db.WithPerson).

// assertRows queues a statement that fails with a SQLSTATE unless all rows fit a condition on a record t.
func assertRows(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, condition, state string) {
	b.Queue("select gate.assert((select count(*) from "+t.Whole().Relation()+" t where t.id = any ($1::uuid[]) and "+
		condition+") = $2, '"+state+"')", rows, len(rows))
}

// mayWriteRows queues the check that the person may change existing rows, which are locked.
func (w *writer) mayWriteRows(b *pgx.Batch, rows []row) {
	QueueMayChange(b, w.table, rowIDs(rows))
}

// QueueMayChange queues the check that the person whose table it is may change existing rows, which are locked.
func QueueMayChange(b *pgx.Batch, t *schema.Table, rows []uuid.UUID) {
	if theirs := t.Rows(); theirs != nil && len(rows) > 0 {
		assertRows(b, t, rows, theirs.Read, db.StateMissingRecord)
		assertRows(b, t, rows, theirs.Edit, db.StateRowRule)
	}
}

// QueueMayDelete queues the check that the person may delete rows, which are locked.
func QueueMayDelete(b *pgx.Batch, t *schema.Table, rows []uuid.UUID) {
	if len(rows) > 0 {
		mayDeleteRows(b, t, t.Rows(), rows)
	}
}

// QueueFitsRules queues the check that the person may have changed rows to what they are now.
func QueueFitsRules(b *pgx.Batch, t *schema.Table, rows []uuid.UUID) {
	if theirs := t.Rows(); theirs != nil && len(rows) > 0 {
		assertRows(b, t, rows, theirs.Edit, db.StateRowRule)
	}
}

// fitRules queues the check that the person may have changed written rows to what they are now.
func (w *writer) fitRules(b *pgx.Batch, rows []row) {
	QueueFitsRules(b, w.table, rowIDs(rows))
}

// mayDeleteRows queues the check that a person with these rows may delete some, which are locked.
func mayDeleteRows(b *pgx.Batch, t *schema.Table, theirs *schema.Rows, rows []uuid.UUID) {
	if theirs == nil {
		return
	}
	assertRows(b, t, rows, theirs.Read, db.StateMissingRecord)
	assertRows(b, t, rows, theirs.Delete, db.StateRowRule)
}

// RefusedByRule says that the rules of a table do not let the person create, change or delete a record.
func RefusedByRule(t *schema.Table, does string) *problem.Error {
	fits := func(r *schema.RowRule) bool { return does == "delete" && r.Delete || does != "delete" && r.Edit }
	memos := t.Rows().Memos(fits)
	if len(memos) == 0 {
		memos = t.Rows().Memos(func(*schema.RowRule) bool { return true })
	}
	if len(memos) == 0 {
		memos = []string{"creators of the base decide which records you may write"}
	}
	return problem.Forbidden("The row rules of the table %q do not let you %s this: %s.", t.Name, does,
		strings.TrimSuffix(strings.Join(memos, "; "), ".")).WithCode(problem.CodeRowRule)
}

// ruleRefuses explains StateRowRule with the paths of the records that the person may not change as they are; without
// any, it is about what they would become.
func (e *Engine) ruleRefuses(ctx context.Context, actor Actor, input *writeInput, err error) error {
	t := input.table
	if t.Rows() == nil {
		return err
	}
	does := "create"
	known := slices.DeleteFunc(slices.Clone(input.rows), func(r row) bool { return !r.known })
	if len(known) > 0 {
		does = "change"
	}
	refusal := RefusedByRule(t, does)
	refused := map[uuid.UUID]bool{}
	failure := e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1::uuid[]) and ("+t.Rows().Edit+") is not true",
			rowIDs(known)).Query(func(rows pgx.Rows) error {
			var row uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&row}, func() error { refused[row] = true; return nil })
			return err
		})
	})
	if failure != nil {
		return fmt.Errorf("looking for the records that a row rule refuses: %w", failure)
	}
	for _, r := range input.rows {
		item := problem.Item{Path: r.path, Message: "would not fit a row rule that lets you " + does + " it"}
		if refused[r.id] {
			item.Message = "is of " + id.FormatRecord(t.Number, r.id) + ", which no row rule lets you change"
		} else if len(refused) > 0 {
			continue
		}
		if refusal.Items = append(refusal.Items, item); len(refusal.Items) == maxItems {
			break
		}
	}
	return refusal.Because(err)
}

// RecordRights are what row rules let a person do with a record.
type RecordRights struct{ Read, Edit, Delete bool }

// RightsFor returns what the row rules of a table of a whole snapshot let a person do with a record of it.
func (e *Engine) RightsFor(
	ctx context.Context, whole *schema.Snapshot, person schema.Subject, t *schema.Table, record string,
) (RecordRights, error) {
	number, row, err := id.ParseRecord(record)
	if err != nil || number != t.Number {
		return RecordRights{}, problem.NotFound("record", record)
	}
	columns := "true, true, true"
	if rows := whole.RowsOf(person, t); rows != nil {
		columns = fmt.Sprintf("(%s) is true, (%s) is true, (%s) is true", rows.Read, rows.Edit, rows.Delete)
	}
	var out RecordRights
	found := false
	err = e.db.TableBatch(db.WithPerson(ctx, person.Person), t.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+columns+" from "+t.Relation()+" t where t.id = $1", row).Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&out.Read, &out.Edit, &out.Delete}, func() error {
				found = true
				return nil
			})
			return err
		})
	})
	switch {
	case err != nil:
		return RecordRights{}, fmt.Errorf("reading what row rules say of a record: %w", err)
	case !found:
		return RecordRights{}, problem.NotFound("record", record)
	}
	return out, nil
}

package revert

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Restore brings deleted records of a table back, all or none, as they would be if nobody had
// deleted them: with their ids, values, times and authors, and linked with those records that are
// still there. Links that hold a single record stay with whom they have meanwhile. A record that is
// there, and one with a unique value that another record has taken, are refused.
func (e *Engine) Restore(ctx context.Context, actor record.Actor, tableID uuid.UUID, records []string) error {
	if len(records) < 1 || len(records) > MaxRecords {
		return problem.Invalid("records", "must hold 1 to %d ids, not %d", MaxRecords, len(records))
	}
	for race := 0; ; race++ {
		err := e.records.OnTable(ctx, actor.Org, tableID, func(s *schema.Snapshot, t *schema.Table) error {
			return e.restore(ctx, actor, s, t, records)
		})
		if race < maxRaces && pgerror.Is(err, "23505", "23503", stateMissingFile) {
			continue
		}
		return err
	}
}

func (e *Engine) restore(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, st *schema.Table, records []string,
) error {
	r := newRun(e, actor, s, Request{OnConflict: Skip})
	r.subject = st.PublicID()
	t := r.table(st)
	for i, public := range records {
		number, u, err := id.ParseRecord(public)
		if err != nil || number != t.Number {
			return notDeleted(public)
		}
		if t.byID[u] != nil {
			return problem.Invalid(fmt.Sprintf("records[%d]", i), "is given twice")
		}
		one := &row{id: u}
		t.byID[u] = one
		t.rows = append(t.rows, one)
	}
	slices.SortFunc(t.rows, func(a, b *row) int { return bytes.Compare(a.id[:], b.id[:]) })
	return e.transact(ctx, r, []*schema.Table{st}, func(tx pgx.Tx) error {
		if err := r.readDeletions(ctx, tx, t); err != nil {
			return err
		}
		if err := r.lock(ctx, tx); err != nil {
			return err
		}
		if err := t.readVersions(ctx, tx); err != nil {
			return err
		}
		if err := r.readDeletions(ctx, tx, t); err != nil { // again, now that nobody else changes the records
			return err
		}
		for _, one := range t.rows {
			if one.there {
				return problem.Conflict("The record %s is there; it was restored already, or is not deleted.",
					id.FormatRecord(t.Number, one.id)).WithCode("record_exists")
			}
			if one.image == nil {
				return notDeleted(id.FormatRecord(t.Number, one.id))
			}
			one.does = restore
		}
		if err := r.fit(ctx, tx); err != nil {
			return err
		}
		for _, c := range r.conflicts {
			if c.reason == reasonUnique {
				return problem.Conflict("The record %s cannot come back: the field %q is unique, and the record %s "+
					"has its value now.", id.FormatRecord(t.Number, c.row.id), c.field.Name,
					id.FormatRecord(t.Number, c.holder)).
					WithCode("not_unique")
			}
		}
		if err := r.decideLinks(ctx, tx); err != nil {
			return err
		}
		r.count()
		detail := map[string]any{"count": len(records), "records": records[:min(len(records), 100)]}
		return r.write(ctx, tx, &audit.Event{Action: "restore_records", Subject: r.subject, Detail: detail})
	})
}

// notDeleted says that nothing is known of a record. Somebody else's record is none either.
func notDeleted(public string) error {
	e := problem.NotFound("record", public)
	e.Message = fmt.Sprintf("No deleted record of this table has the id %q, or its history has ended.", public)
	return e
}

// readDeletions reads what stood in records when they were deleted last.
func (r *run) readDeletions(ctx context.Context, tx pgx.Tx, t *table) error {
	result, err := tx.Query(ctx, "select c.number, e.id, e.was::text from "+r.expanded()+
		" where c.table_number = $1 and c.kind = 3 and c.number >= $2 and e.id = any ($3)", t.Number, int64(0), t.ids())
	if err != nil {
		return fmt.Errorf("reading deletions: %w", err)
	}
	var number int64
	var u uuid.UUID
	var was []byte
	_, err = pgx.ForEachRow(result, []any{&number, &u, &was}, func() error {
		if one := t.byID[u]; number > one.deleted {
			one.deleted, one.image = number, was
		}
		was = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading deletions: %w", err)
	}
	return nil
}

package revert

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Restore restores deleted records of a table, all or none, as if nobody had deleted them: with their
// ids, values, times and authors, and linked with the records that still exist. A record that takes a
// single link stays with whoever has it meanwhile. Records that exist, and those with a unique value
// that another record has taken, are refused. It returns for each record what does not come back, and
// why. dryRun writes nothing.
func (e *Engine) Restore(
	ctx context.Context, actor record.Actor, tableID uuid.UUID, records []string, dryRun bool,
) (notes map[string][]string, err error) {
	if len(records) < 1 || len(records) > MaxRecords {
		return nil, problem.Invalid("records", "must hold 1 to %d ids, not %d", MaxRecords, len(records))
	}
	for race := 0; ; race++ {
		err := e.records.OnTable(ctx, actor.Org, tableID, func(s *schema.Snapshot, t *schema.Table) (err error) {
			notes, err = e.restore(ctx, actor, s, t, records, dryRun)
			return err
		})
		if race < maxRaces && raced(err) {
			continue
		}
		return notes, err
	}
}

func (e *Engine) restore(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, st *schema.Table, records []string, dryRun bool,
) (map[string][]string, error) {
	r := newRun(ctx, e, actor, s, Request{OnConflict: Skip})
	r.subject = st.PublicID()
	t := r.table(st)
	for i, public := range records {
		number, u, err := id.ParseRecord(public)
		if err != nil || number != t.Number {
			return nil, notDeleted(public)
		}
		if t.byID[u] != nil {
			return nil, problem.Invalid(fmt.Sprintf("records[%d]", i), "is given twice")
		}
		one := &row{id: u}
		t.byID[u] = one
		t.rows = append(t.rows, one)
	}
	slices.SortFunc(t.rows, func(a, b *row) int { return bytes.Compare(a.id[:], b.id[:]) })
	err := e.transact(ctx, r, []*schema.Table{st}, func(tx pgx.Tx) error {
		if err := r.readDeletions(ctx, tx, t); err != nil {
			return err
		}
		if !dryRun {
			if err := r.lock(ctx, tx); err != nil {
				return err
			}
		}
		if err := t.readVersions(ctx, tx); err != nil {
			return err
		}
		if err := r.readDeletions(ctx, tx, t); err != nil { // again, now that nobody else changes the records
			return err
		}
		if err := r.decideReturns(ctx, tx, t); err != nil {
			return err
		}
		if dryRun {
			return audit.RecordTx(ctx, tx, actor.Org, nil)
		}
		detail := map[string]any{"count": len(records), "records": records[:min(len(records), 100)]}
		return r.write(ctx, tx, &audit.Event{Action: "restore_records", Subject: r.subject, Detail: detail})
	})
	if err != nil {
		return nil, err
	}
	notes := map[string][]string{}
	for _, one := range t.rows {
		if len(one.notes) > 0 {
			notes[id.FormatRecord(t.Number, one.id)] = one.notes
		}
	}
	return notes, nil
}

// decideReturns decides the restored state of records of a table.
func (r *run) decideReturns(ctx context.Context, tx pgx.Tx, t *table) error {
	for _, one := range t.rows {
		if one.there {
			return problem.Conflict("The record %s is there; it was restored already, or is not deleted.",
				id.FormatRecord(t.Number, one.id)).WithCode(problem.CodeRecordExists)
		}
		if one.image == nil {
			return notDeleted(id.FormatRecord(t.Number, one.id))
		}
		one.does = restore
	}
	for _, step := range []func(context.Context, pgx.Tx, *table) error{
		r.readBuried, r.carryImages, r.addReturned,
	} {
		if err := step(ctx, tx, t); err != nil {
			return err
		}
	}
	for _, one := range t.rows {
		r.noteGone(t, one)
	}
	if err := r.fit(ctx, tx); err != nil {
		return err
	}
	for _, c := range r.conflicts {
		if c.reason == reasonUnique {
			return problem.Conflict("The record %s cannot come back: the field %q is unique, and the record %s "+
				"has its value now.", id.FormatRecord(t.Number, c.row.id), c.field.Name,
				id.FormatRecord(t.Number, c.holder)).
				WithCode(problem.CodeNotUnique)
		}
		c.row.notes = append(c.row.notes, c.note())
	}
	if err := r.decideLinks(ctx, tx); err != nil {
		return err
	}
	r.count()
	return nil
}

// notDeleted says that there is no deleted record with this id. It says the same of somebody else's
// record.
func notDeleted(public string) error {
	e := problem.NotFound("record", public)
	e.Message = fmt.Sprintf("No deleted record of this table has the id %q, or its history has ended.", public)
	return e
}

// readDeletions reads the values that records had when they were last deleted.
func (r *run) readDeletions(ctx context.Context, tx pgx.Tx, t *table) error {
	for _, one := range t.rows {
		one.deleted, one.image = 0, nil
	}
	result, err := tx.Query(ctx, "select c.number, e.id, e.was::text from "+r.expanded()+
		" where c.table_number = $1 and c.kind = "+
		changelog.SQLDeleted+" and c.number >= $2 and e.id = any ($3)", t.Number, int64(0), t.ids())
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

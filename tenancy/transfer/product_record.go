package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// bringRecords brings the records of each table, page by page.
func (r *productRun) bringRecords(ctx context.Context) error {
	at := 0
	if r.progress.Table != "" {
		at = slices.IndexFunc(r.tables, func(t product.Table) bool { return t.ID == r.progress.Table })
		if at < 0 { // it was deleted meanwhile
			at = 0
			r.progress.Offset = ""
		}
	}
	for ; at < len(r.tables); at++ {
		if err := r.bringTable(ctx, &r.tables[at]); err != nil {
			return err
		}
		next := r.next()
		next.progress.Table, next.progress.Offset = "", ""
		if at+1 < len(r.tables) {
			next.progress.Table = r.tables[at+1].ID
		}
		if err := r.endTable(ctx, &r.tables[at], next); err != nil {
			return err
		}
	}
	return r.count(ctx)
}

// bringTable brings the records of a table. A list whose place is not kept at the product any more, because nobody went
// on with it for a while, begins again: what has come is not brought twice.
func (r *productRun) bringTable(ctx context.Context, t *product.Table) error {
	if r.progress.Table != t.ID {
		r.progress.Table, r.progress.Offset = t.ID, ""
	}
	for lost := 0; ; {
		stepCtx, _, snapshot, err := r.beginFresh(ctx)
		if err != nil {
			return err
		}
		if r.ours(snapshot, t) == nil {
			return nil
		}
		page, err := r.session.Records(stepCtx, t, r.progress.Offset)
		if product.IsExpired(err) && r.progress.Offset != "" && lost < 3 {
			lost++
			r.progress.Offset = ""
			continue
		}
		if err != nil {
			return err //nolint:wrapcheck // Problem reads it
		}
		if err := r.bringPage(stepCtx, t, page); err != nil {
			return err
		}
		if page.Offset == "" {
			return nil
		}
	}
}

// A recordItem is a record that came before.
type recordItem struct {
	row   uuid.UUID
	cells map[string]string
	again bool // this job has met it before
}

// A brought record is what of a record is to be written.
type broughtRecord struct {
	id      string // at the product
	row     uuid.UUID
	fresh   bool
	again   bool
	created time.Time
	fields  []jsonvalue.Member
	size    int
	cells   map[string]string
	links   map[string]json.RawMessage
	files   map[string]json.RawMessage
	wanted  int // comments
}

func (b *broughtRecord) changed() bool {
	return b.fresh || len(b.fields) > 0 || len(b.links) > 0 || len(b.files) > 0
}

// bringPage writes what of a page is new or has changed since it was brought.
func (r *productRun) bringPage(ctx context.Context, t *product.Table, page *product.Page) error {
	_, actor, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.snapshot(ctx)
	if err != nil {
		return err
	}
	ours := r.ours(snapshot, t)
	known, err := r.knownRecords(ctx, page)
	if err != nil {
		return err
	}
	columns := r.columns(snapshot, t)
	next := r.next()
	var fresh, changed, same []*broughtRecord
	for i := range page.Records {
		one := r.read(next, t, columns, &page.Records[i], known)
		switch {
		case one.fresh:
			fresh = append(fresh, one)
		case one.changed():
			changed = append(changed, one)
		default:
			same = append(same, one)
		}
	}
	if changed, err = r.withoutDeleted(ctx, next, t, ours, changed, &same); err != nil {
		return err
	}
	if len(fresh) > 0 {
		if next, err = r.create(ctx, actor, next, t, ours, fresh); err != nil {
			return err
		}
	}
	if len(changed) > 0 {
		if next, err = r.update(ctx, actor, next, t, ours, changed); err != nil {
			return err
		}
	}
	report := next.table(t.Name, ours.ID)
	for _, one := range same {
		if !one.again {
			report.Rows, report.Unchanged = report.Rows+1, report.Unchanged+1
			next.progress.Done++
		}
	}
	next.progress.Offset, next.progress.Table = page.Offset, t.ID
	return r.commit(ctx, next, func(b *pgx.Batch) { r.queueSeen(b, same) })
}

// knownRecords are the items of the records of a page.
func (r *productRun) knownRecords(ctx context.Context, page *product.Page) (map[string]*recordItem, error) {
	ids := make([]string, len(page.Records))
	for i := range page.Records {
		ids[i] = page.Records[i].ID
	}
	known := map[string]*recordItem{}
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select airtable_id, object_id, brought, seen is not distinct from $4 from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and airtable_id = any ($3)`, r.j.Org, r.j.Base, ids, r.j.ID).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var name string
					one := &recordItem{}
					var cells []byte
					if err := rows.Scan(&name, &one.row, &cells, &one.again); err != nil {
						return err
					}
					if err := json.Unmarshal(cells, &one.cells); err != nil {
						return err
					}
					known[name] = one
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading which records have come: %w", err)
	}
	return known, nil
}

// read is what of a record is new.
func (r *productRun) read(
	next *productStep, t *product.Table, columns []column, in *product.Record, known map[string]*recordItem,
) *broughtRecord {
	out := &broughtRecord{
		id: in.ID, cells: map[string]string{}, wanted: in.CommentCount,
		links: map[string]json.RawMessage{}, files: map[string]json.RawMessage{},
	}
	item := known[in.ID]
	if item == nil {
		item = &recordItem{}
		out.fresh, out.row = true, id.New()
		var err error
		if out.created, err = time.Parse(time.RFC3339, in.CreatedTime); err != nil {
			out.created = time.Now()
		}
	} else {
		out.row, out.again = item.row, item.again
	}
	for i := range columns {
		c := &columns[i]
		raw, has := in.Fields[c.field.ID]
		former := item.cells[c.key]
		if !has {
			if former != "" {
				out.put(c, emptyOf(c))
			}
			continue
		}
		value, hash, wrong := r.value(c, raw)
		if out.cells[c.key] = hash; hash == former {
			continue
		}
		if wrong != nil {
			r.leaveCell(next, t, c, wrong)
		}
		if value != nil {
			out.put(c, value)
		}
	}
	return out
}

// withoutDeleted takes the records out that were deleted here, and lists them.
func (r *productRun) withoutDeleted(
	ctx context.Context, next *productStep, t *product.Table, ours *schema.Table, changed []*broughtRecord,
	same *[]*broughtRecord,
) ([]*broughtRecord, error) {
	if len(changed) == 0 {
		return nil, nil
	}
	rows := make([]uuid.UUID, len(changed))
	for i, one := range changed {
		rows[i] = one.row
	}
	present, err := r.Records.Existing(ctx, ours, rows)
	if err != nil {
		return nil, err
	}
	var kept []*broughtRecord
	for _, one := range changed {
		if present[one.row] {
			kept = append(kept, one)
			continue
		}
		*same = append(*same, one)
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "Changed at " + r.session.About().Name +
			", and deleted here."})
	}
	return kept, nil
}

// endTable lists the records of a table that came before and that the product no longer has, and ends its step.
func (r *productRun) endTable(ctx context.Context, t *product.Table, next *productStep) error {
	ctx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := r.ours(snapshot, t)
	if ours == nil {
		return r.commit(ctx, next, nil)
	}
	gone, listed := 0, []string{}
	err = r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select object_id, count(*) over () from rowhouse.airtable_item where org_id = $1 and base_id = $2
			and parent = $3 and kind = 'record' and seen is distinct from $4 order by object_id limit $5`,
			r.j.Org, r.j.Base, t.ID, r.j.ID, maxRefusals).Query(func(rows pgx.Rows) error {
			var row uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&row, &gone}, func() error {
				listed = append(listed, id.FormatRecord(ours.Number, row))
				return nil
			})
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("looking for records that are gone: %w", err)
	}
	if gone > 0 {
		report := next.table(t.Name, ours.ID)
		report.Gone, report.GoneRecords = gone, listed
	}
	return r.commit(ctx, next, nil)
}

// count notes how much work is left when all records are there.
func (r *productRun) count(ctx context.Context) error {
	var left int64
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select count(links) + count(files) + count(*) filter (where wanted <> comments)
			from rowhouse.airtable_item where org_id = $1 and base_id = $2 and kind = 'record'`, r.j.Org, r.j.Base).
			QueryRow(func(row pgx.Row) error { return row.Scan(&left) })
	})
	if err != nil {
		return fmt.Errorf("counting what is left: %w", err)
	}
	next := r.next()
	next.progress.Total = next.progress.Done + left
	return r.commit(ctx, next, nil)
}

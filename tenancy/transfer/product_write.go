package transfer

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// create creates records. If they are refused together, which one is wrong is found by halves.
func (r *productRun) create(
	ctx context.Context, actor record.Actor, next *productStep, t *product.Table, ours *schema.Table,
	fresh []*broughtRecord,
) (*productStep, error) {
	in := record.Creation{Typecast: true}
	for _, one := range fresh {
		in.Records = append(in.Records, jsonvalue.NewParsedObject(one.fields, one.size))
		in.IDs, in.CreatedAt = append(in.IDs, one.row), append(in.CreatedAt, one.created)
	}
	done := r.followed(next)
	report := done.table(t.Name, ours.ID)
	report.Rows, report.Created = report.Rows+len(fresh), report.Created+len(fresh)
	done.progress.Done += int64(len(fresh))
	_, err := r.Records.Create(r.within(ctx, done, func(b *pgx.Batch) { r.queueBroughtRecords(b, t, fresh) }), actor,
		ours.ID, in)
	return r.orByHalves(ctx, done, next, t, fresh, err, func(next *productStep, half []*broughtRecord) (
		*productStep, error,
	) {
		return r.create(ctx, actor, next, t, ours, half)
	})
}

// update updates records, as create creates them.
func (r *productRun) update(
	ctx context.Context, actor record.Actor, next *productStep, t *product.Table, ours *schema.Table,
	changed []*broughtRecord,
) (*productStep, error) {
	var changes []record.Change
	done := r.followed(next)
	report := done.table(t.Name, ours.ID)
	for _, one := range changed {
		if len(one.fields) > 0 {
			changes = append(changes, record.Change{
				ID: id.FormatRecord(ours.Number, one.row), Fields: jsonvalue.NewParsedObject(one.fields, one.size),
			})
		}
		if len(one.fields) > 0 || len(one.files) > 0 {
			report.Updated++
		}
		if !one.again {
			report.Rows++
			done.progress.Done++
		}
	}
	queue := func(b *pgx.Batch) { r.queueBroughtRecords(b, t, changed) }
	if len(changes) == 0 {
		return r.followed(done), r.commit(ctx, done, queue)
	}
	_, err := r.Records.Update(r.within(ctx, done, queue), actor, ours.ID, changes, true)
	return r.orByHalves(ctx, done, next, t, changed, err, func(next *productStep, half []*broughtRecord) (
		*productStep, error,
	) {
		return r.update(ctx, actor, next, t, ours, half)
	})
}

// orByHalves takes a step that was written over. Of a refused one it writes the halves, and lists a record that is
// refused alone.
func (r *productRun) orByHalves(
	ctx context.Context, done, next *productStep, t *product.Table, records []*broughtRecord, err error,
	write func(next *productStep, half []*broughtRecord) (*productStep, error),
) (*productStep, error) {
	switch {
	case err == nil:
		r.took(done)
		return r.followed(done), nil
	case !isRefusal(err) || problem.KindOf(err) == problem.KindNotFound:
		return nil, err
	case len(records) == 1:
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "A record was refused: " + whyRefused(err)})
		if records[0].fresh {
			return next, nil
		}
		return r.followed(next), r.commit(ctx, next, func(b *pgx.Batch) { r.queueSeen(b, records) })
	}
	middle := len(records) / 2
	if next, err = write(next, records[:middle]); err != nil {
		return nil, err
	}
	return write(next, records[middle:])
}

// queueBroughtRecords queues the items of records that are written.
func (r *productRun) queueBroughtRecords(b *pgx.Batch, t *product.Table, records []*broughtRecord) {
	n := len(records)
	ids, rows, cells := make([]string, n), make([]uuid.UUID, n), make([]string, n)
	links, files, wanted := make([]*string, n), make([]*string, n), make([]int, n)
	for i, one := range records {
		ids[i], rows[i], cells[i], wanted[i] = one.id, one.row, string(jsonvalue.Must(one.cells)), one.wanted
		links[i], files[i] = orNone(one.links), orNone(one.files)
	}
	b.Queue(`insert into rowhouse.airtable_item as i
			(org_id, base_id, airtable_id, kind, parent, object_id, brought, links, files, wanted, seen)
		select $1, $2, u.id, 'record', $3, u.row, u.cells::jsonb, u.links::jsonb, u.files::jsonb, u.wanted, $4
		from unnest($5::text[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::integer[])
			u(id, row, cells, links, files, wanted)
		on conflict (org_id, base_id, airtable_id) do update set
			brought = excluded.brought, wanted = excluded.wanted, seen = excluded.seen,
			links = case when excluded.links is null then i.links else coalesce(i.links, '{}') || excluded.links end,
			files = case when excluded.files is null then i.files else coalesce(i.files, '{}') || excluded.files end`,
		r.j.Org, r.j.Base, t.ID, r.j.ID, ids, rows, cells, links, files, wanted)
}

func orNone(cells map[string]json.RawMessage) *string {
	if len(cells) == 0 {
		return nil
	}
	text := string(jsonvalue.Must(cells))
	return &text
}

// queueSeen queues that the job has met records that stay as they are.
func (r *productRun) queueSeen(b *pgx.Batch, records []*broughtRecord) {
	ids, wanted := make([]string, len(records)), make([]int, len(records))
	for i, one := range records {
		ids[i], wanted[i] = one.id, one.wanted
	}
	b.Queue(`update rowhouse.airtable_item i set seen = $3, wanted = u.wanted
		from unnest($4::text[], $5::integer[]) u(id, wanted)
		where i.org_id = $1 and i.base_id = $2 and i.airtable_id = u.id`, r.j.Org, r.j.Base, r.j.ID, ids, wanted)
}

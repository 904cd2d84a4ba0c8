package comment

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Count counts the comments on a record in threads that are not resolved.
type Count struct {
	Record   uuid.UUID
	Threads  int
	Comments int       // that were not deleted, including replies
	Latest   uuid.UUID // the latest of the threads
}

// Count counts the comments on records of a table. It leaves out records without an open thread. It
// also reports whether any record of the table has comments.
func (s *Store) Count(ctx context.Context, org uuid.UUID, table int32, rows []uuid.UUID) ([]Count, bool, error) {
	var counts []Count
	var some bool
	missing := problem.NotFound("table", fmt.Sprint(table))
	err := s.onTable(ctx, org, table, missing, func(t *schema.Table) error {
		counts = nil
		return s.DB.Read(ctx, org, func(b *pgx.Batch) {
			// Records may be on another node than comments, so records that have comments are found first.
			b.Queue(`with commented as materialized (select c.record_id as id from rowhouse.comment c
					where c.org_id = $1 and c.table_number = $2)
				select exists (select 1 from commented c join `+t.Relation()+` r on r.id = c.id)`,
				org, t.Number).QueryRow(func(row pgx.Row) error { return row.Scan(&some) })
			if len(rows) == 0 {
				return
			}
			b.Queue(`with present as materialized (select r.id from `+t.Relation()+` r where r.id = any ($3))
				select c.record_id, count(distinct c.thread_id), count(*), max(c.thread_id::text)::uuid
				from rowhouse.comment c join rowhouse.comment f on f.org_id = c.org_id and f.id = c.thread_id
				where c.org_id = $1 and c.table_number = $2 and c.record_id = any ($3) and c.deleted_at is null
					and f.resolved_at is null
					and c.record_id in (select id from present)
				group by c.record_id`, org, t.Number, rows).Query(func(found pgx.Rows) (err error) {
				counts, err = pgx.CollectRows(found, pgx.RowToStructByPos[Count])
				return err
			})
		})
	})
	if err != nil {
		return nil, false, fmt.Errorf("counting comments: %w", err)
	}
	return counts, some, nil
}

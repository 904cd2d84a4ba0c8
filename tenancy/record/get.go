package record

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Get returns one record. Requests for records of one table that come at the same time share round trips.
func (e *Engine) Get(ctx context.Context, actor Actor, record string) (Record, error) {
	var out Record
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error {
		l := e.layoutOf(s, t)
		var err error
		out, err = e.gatherer.get(ctx, gatherKey{actor.Org, l}, row, func(ctx context.Context, rows []uuid.UUID, yield func(uuid.UUID, Record)) error {
			return e.fetch(ctx, actor.Org, l, rows, yield)
		})
		if err != nil {
			return err
		}
		if out == nil {
			return tenancy.NotFound("record", record)
		}
		return nil
	})
	return out, err
}

// fetch reads rows of a table, in no order.
func (e *Engine) fetch(ctx context.Context, org uuid.UUID, l *layout, rows []uuid.UUID, yield func(row uuid.UUID, r Record)) error {
	ref, found, changed := l.table.Ref(), 0, false
	err := e.db.Read(ctx, org, func(b *pgx.Batch) {
		statement, argument := l.one, any(rows[0])
		if len(rows) > 1 {
			statement, argument = l.several, rows
		}
		b.Queue(statement, argument).Query(func(result pgx.Rows) error {
			for result.Next() {
				raw := result.RawValues()
				last := len(raw) - 1
				if binary.BigEndian.Uint64(raw[last]) != uint64(ref.Version) { //nolint:gosec // versions count up from one
					changed = true
					continue
				}
				found++
				yield(uuid.UUID(raw[0]), l.append(make([]byte, 0, 512), raw))
			}
			return result.Err()
		})
	})
	switch {
	case err != nil:
		return fmt.Errorf("reading records: %w", err)
	case changed:
		return tenancy.ErrSchemaChanged
	case found < len(rows): // a row that is not there does not tell the version
		if err := e.db.TableBatch(ctx, org, ref, func(*pgx.Batch) {}); err != nil {
			return fmt.Errorf("checking the version of a table: %w", err)
		}
	}
	return nil
}

package record

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Get returns one record. Requests for records of one table that come at the same time share round trips.
func (e *Engine) Get(ctx context.Context, actor Actor, record string) (Record, error) {
	var out Record
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error {
		l, asked := e.layoutOf(s, t), &reading{row: row}
		err := e.readings.ask(ctx, readingKey{actor.Org, l}, asked, func(ctx context.Context, together []*reading) error {
			return e.read(ctx, actor.Org, l, together)
		})
		if err != nil {
			return err
		}
		if asked.record == nil {
			return tenancy.NotFound("record", record)
		}
		out = asked.record
		return nil
	})
	return out, err
}

// A reading is the request for one row.
type reading struct {
	row    uuid.UUID
	record Record // nil: there is no such row
}

// A readingKey is what readings must have in common to go together: the organization whose door they go through, and what is selected.
type readingKey struct {
	org    uuid.UUID
	layout *layout
}

// maxReadings is how many round trips for rows of one table are under way at most, when they are slow.
const maxReadings = 4

func newReadings() *gatherer[readingKey, *reading] {
	return newGatherer[readingKey, *reading](maxReadings, nil)
}

// read reads rows of a table.
func (e *Engine) read(ctx context.Context, org uuid.UUID, l *layout, together []*reading) error {
	rows := make([]uuid.UUID, 0, len(together))
	for _, r := range together {
		if !slices.Contains(rows, r.row) {
			rows = append(rows, r.row)
		}
	}
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
				written := Record(l.append(make([]byte, 0, 512), raw))
				for _, r := range together {
					if r.row == uuid.UUID(raw[0]) {
						r.record = written
					}
				}
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

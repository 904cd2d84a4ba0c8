package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/batch"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Get returns one record. Requests for records of one table that come at the same time share a round trip (package batch).
func (e *Engine) Get(ctx context.Context, actor Actor, record string) (Record, error) {
	var out Record
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error {
		l, call := e.encoderOf(s, t), &getCall{row: row}
		err := e.gets.Do(ctx, getKey{actor.Org, l}, call, func(ctx context.Context, calls []*getCall) error {
			return e.read(ctx, actor.Org, l, calls)
		})
		if err != nil {
			return abandoned(err)
		}
		if call.record == nil {
			return problem.NotFound("record", record)
		}
		out = call.record
		return nil
	})
	return out, err
}

// A getCall is the request for one row.
type getCall struct {
	row    uuid.UUID
	record Record // nil: there is no such row
}

// A getKey is what gets must have in common to share a round trip: the organization, and what is selected.
type getKey struct {
	org     uuid.UUID
	encoder *rowEncoder
}

// maxSlowGets bounds the concurrent round trips for rows of one table when they are slow.
const maxSlowGets = 4

func newGets() *batch.Batcher[getKey, *getCall] {
	return batch.New[getKey](batch.Options[*getCall]{MaxSize: MaxBatch, MaxConcurrent: maxSlowGets})
}

// abandoned turns the error of a caller whose context ended in a queue into one that says so.
func abandoned(err error) error {
	if errors.Is(err, batch.ErrAbandoned) {
		return problem.Unavailable(err)
	}
	return err
}

// read reads rows of a table.
func (e *Engine) read(ctx context.Context, org uuid.UUID, l *rowEncoder, calls []*getCall) error {
	rows := make([]uuid.UUID, 0, len(calls))
	for _, r := range calls {
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
				for _, r := range calls {
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
		return db.ErrSchemaChanged
	case found < len(rows): // a row that is not there does not tell the version
		if err := e.db.TableBatch(ctx, org, ref, func(*pgx.Batch) {}); err != nil {
			return fmt.Errorf("checking the version of a table: %w", err)
		}
	}
	return nil
}

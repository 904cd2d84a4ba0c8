package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
)

// Concurrent writes of single records of one table share a transaction, whoever their authors are. Each
// still succeeds or fails on its own: if PostgreSQL refuses one of them, nothing was written, and each
// is tried by itself. See docs/decisions/0018-single-record-cost.md.

// A writeCall is the write of one row.
type writeCall struct {
	row    row
	record []byte // as it was written
}

// A writeKey is what writes must have in common to share a transaction: the organization, the table
// at a version of its schema, and the fields that they write.
type writeKey struct {
	org        uuid.UUID
	projection *query.Projection
	fresh      bool
	fields     string
}

// slowWrite is longer than some dozen updates take without lock waits. If it were shorter, the next run
// would begin next to them with fewer records, and every record would cost more.
const slowWrite = 5 * time.Millisecond

func newWrites() *db.Batcher[writeKey, *writeCall] {
	return db.NewBatcher[writeKey](db.BatcherOptions[*writeCall]{
		MaxSize: MaxBatch, MaxConcurrent: math.MaxInt, Slow: slowWrite, Conflict: sameRow,
	})
}

func sameRow(a, b *writeCall) bool { return a.row.id == b.row.id }

// maxShared is the size of a record's input, in bytes, from which it is written by itself, because the
// others would wait for it.
const maxShared = 64 << 10

// isShareable reports whether the input is one row of a common size and nothing else.
func (in *writeInput) isShareable() bool {
	return len(in.rows) == 1 && in.table.Rows() == nil && in.rows[0].size < maxShared && len(in.people) == 0 &&
		len(in.rows[0].links) == 0 && len(in.rows[0].files) == 0 && in.rows[0].demanded == nil
}

// writeSingle is write for one shareable row.
func (e *Engine) writeSingle(ctx context.Context, actor Actor, input *writeInput, fresh bool) ([][]byte, error) {
	key := writeKey{actor.Org, e.projectionOf(input.schema, input.table), fresh, input.fieldsKey()}
	input.rows[0].author, input.rows[0].origin = actor.Person, changelog.OriginOf(ctx)
	own := &writeCall{row: input.rows[0]}
	err := e.writes.Do(ctx, key, own, func(ctx context.Context, calls []*writeCall) error {
		return e.writeShared(ctx, key, input, calls)
	})
	if err != nil {
		return nil, abandoned(err)
	}
	return [][]byte{own.record}, nil
}

// writeShared runs writes with the same key in one transaction. like is the input of one of them. It
// returns db.ErrRetryIndividually if one of several was refused.
func (e *Engine) writeShared(ctx context.Context, key writeKey, like *writeInput, calls []*writeCall) error {
	input := *like
	input.rows = make([]row, len(calls))
	for i, one := range calls {
		input.rows[i] = one.row
	}
	w := e.newWriter(ctx, Actor{Org: key.org}, &input)
	w.fieldsKey, w.counts = key.fields, len(calls) == 1
	err := e.db.TableWrite(ctx, key.org, input.table.Ref(), func(b *db.WriteBatch) {
		if w.counts {
			w.queue(b, key.fresh)
			return
		}
		// No write waits long for a row that another transaction has locked. The counter comes last and waits as usual.
		w.topology.Hasty(b.Batch, func() { w.queue(b, key.fresh) })
		w.count(b.Batch, key.fresh)
	})
	switch {
	case len(calls) > 1 && isRowRefused(err):
		return fmt.Errorf("%w: %w", db.ErrRetryIndividually, err)
	case err != nil:
		return err
	}
	for _, one := range calls {
		one.record = w.written[one.row.id]
	}
	return nil
}

// isRowRefused reports whether err says that PostgreSQL refused something that a single row may have
// caused; then nothing was written. A lost connection does not say either. Everything else concerns all
// rows: a changed schema, a timeout, a lack of memory.
func isRowRefused(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.SeverityUnlocalized != "ERROR" || errors.Is(err, db.ErrSchemaChanged) {
		return false
	}
	return !slices.Contains([]string{"08", "25", "53", "57", "58"}, refused.Code[:min(2, len(refused.Code))])
}

package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Writes of single records of one table that come at the same time share a transaction, as gets of single records share a round trip
// (gather.go). Each is still done or not by itself: where one of them is refused nothing was done, and all go on alone. A lone
// write costs what it would if none were shared. See docs/decisions/0018-a-single-record.md.

// A writing is the write of one row.
type writing struct {
	row    row
	record []byte // as it was written
}

// A writingKey is what writings must have in common to go together: their author, their table at a version of its schema, and the fields that
// they write.
type writingKey struct {
	actor  Actor
	layout *layout
	fresh  bool
	fields string
}

func newWritings() *gatherer[writingKey, *writing] {
	return newGatherer[writingKey](math.MaxInt, func(a, b *writing) bool { return a.row.id == b.row.id })
}

// notLong is for writes that share a transaction: none of them waits for long for a row that another one wants and somebody else holds.
const notLong = "select set_config('lock_timeout', '20ms', true)"

// errApart says that a transaction that was shared did nothing.
var errApart = errors.New("writes that were tried together have to be done one by one")

// maxPlain is the size of a record's input, in bytes, from which it is written by itself: it would be what the others wait for.
const maxPlain = 64 << 10

// plain reports whether there is nothing to be written but one row of a common size.
func (in *intake) plain() bool {
	return len(in.rows) == 1 && in.rows[0].size < maxPlain && len(in.people) == 0 && len(in.rows[0].links) == 0 && len(in.rows[0].files) == 0
}

// writeSingle is write for one plain row.
func (e *Engine) writeSingle(ctx context.Context, actor Actor, take *intake, fresh bool) ([][]byte, error) {
	var fields []byte
	for _, f := range take.fields {
		fields = append(strconv.AppendInt(fields, int64(f.Number), 10), ',')
	}
	key := writingKey{actor, e.layoutOf(take.schema, take.table), fresh, string(fields)}
	own := &writing{row: take.rows[0]}
	err := e.writings.ask(ctx, key, own, func(ctx context.Context, together []*writing) error {
		return e.writeTogether(ctx, actor, take, fresh, together)
	})
	if errors.Is(err, errApart) {
		err = e.writeTogether(ctx, actor, take, fresh, []*writing{own})
	}
	if err != nil {
		return nil, err
	}
	return [][]byte{own.record}, nil
}

// writeTogether does writings in one transaction. like is the input of one of them. Where several were refused it returns errApart.
func (e *Engine) writeTogether(ctx context.Context, actor Actor, like *intake, fresh bool, together []*writing) error {
	take := *like
	take.rows = make([]row, len(together))
	for i, one := range together {
		take.rows[i] = one.row
	}
	w := e.newWriter(actor, &take)
	err := e.db.TableWrite(ctx, actor.Org, take.table.Ref(), func(b *pgx.Batch) {
		if len(together) > 1 {
			b.Queue(notLong)
		}
		w.queue(b, fresh)
		w.count(b, fresh)
	})
	var refused *pgconn.PgError
	if len(together) > 1 && errors.As(err, &refused) && refused.SeverityUnlocalized == "ERROR" { // and not FATAL: then it may have been done
		return fmt.Errorf("%w: %w", errApart, err)
	}
	for _, one := range together {
		one.record = w.written[one.row.id]
	}
	return err
}

package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy"
)

// Writes of single records of one table that come at the same time share a transaction, as gets of single records share a round trip
// (gather.go). Each is still done or refused by itself: where PostgreSQL refuses one of them nothing was done, and all go on alone. A
// lone write costs what it would if none were shared. See docs/decisions/0018-single-record-cost.md.

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

// None of the writes that share a transaction waits for long for a row that another one wants and somebody else holds. What is counted last
// every writer waits for as it would alone.
const (
	notLong  = "select set_config('app.lock_timeout', current_setting('lock_timeout'), true), set_config('lock_timeout', '20ms', true)"
	asBefore = "select set_config('lock_timeout', current_setting('app.lock_timeout'), true)"
)

// maxPlain is the size of a record's input, in bytes, from which it is written by itself: it would be what the others wait for.
const maxPlain = 64 << 10

// plain reports whether there is nothing to be written but one row of a common size.
func (in *intake) plain() bool {
	return len(in.rows) == 1 && in.rows[0].size < maxPlain && len(in.people) == 0 && len(in.rows[0].links) == 0 && len(in.rows[0].files) == 0
}

// writeSingle is write for one plain row.
func (e *Engine) writeSingle(ctx context.Context, actor Actor, take *intake, fresh bool) ([][]byte, error) {
	key := writingKey{actor, e.layoutOf(take.schema, take.table), fresh, take.fieldsKey()}
	own := &writing{row: take.rows[0]}
	err := e.writings.ask(ctx, key, own, func(ctx context.Context, together []*writing) error {
		return e.writeTogether(ctx, key, take, together)
	})
	if err != nil {
		return nil, err
	}
	return [][]byte{own.record}, nil
}

// writeTogether does writings with the same key in one transaction. like is the input of one of them. It returns errApart when one of several
// was refused.
func (e *Engine) writeTogether(ctx context.Context, key writingKey, like *intake, together []*writing) error {
	take := *like
	take.rows = make([]row, len(together))
	for i, one := range together {
		take.rows[i] = one.row
	}
	w := e.newWriter(key.actor, &take)
	w.fieldsKey, w.counts = key.fields, len(together) == 1
	err := e.db.TableWrite(ctx, key.actor.Org, take.table.Ref(), func(b *pgx.Batch) {
		if w.counts {
			w.queue(b, key.fresh)
			return
		}
		b.Queue(notLong)
		w.queue(b, key.fresh)
		b.Queue(asBefore)
		w.count(b, key.fresh)
	})
	switch {
	case len(together) > 1 && refusedOne(err):
		return fmt.Errorf("%w: %w", errApart, err)
	case err != nil:
		return err
	}
	for _, one := range together {
		one.record = w.written[one.row.id]
	}
	return nil
}

// refusedOne reports whether err says that PostgreSQL refused something of a transaction that may be the doing of one of its rows; then
// nothing was done. What ends a connection says neither, and the rest is everybody's: a schema that has changed, a lack of time or room.
func refusedOne(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.SeverityUnlocalized != "ERROR" || errors.Is(err, tenancy.ErrSchemaChanged) {
		return false
	}
	return !slices.Contains([]string{"08", "25", "53", "57", "58"}, refused.Code[:min(2, len(refused.Code))])
}

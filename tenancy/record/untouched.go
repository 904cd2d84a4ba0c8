package record

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

// A change of a record without any field in it writes nothing: the record keeps its time and author of the last change. The answer holds it
// as it is.

// writes reports whether a row changes anything.
func (r *row) writes() bool {
	return slices.Contains(r.given, true) || len(r.links) > 0 || len(r.files) > 0
}

// split parts rows that change something from those that do not.
func split(rows []row) (touched, untouched []row) {
	if !slices.ContainsFunc(rows, func(r row) bool { return !r.writes() }) {
		return rows, nil
	}
	for _, r := range rows {
		if r.writes() {
			touched = append(touched, r)
		} else {
			untouched = append(untouched, r)
		}
	}
	return touched, untouched
}

// readUntouched queues the reading of rows that are not changed; it ends the transaction when one is not there.
func (w *writer) readUntouched(b *pgx.Batch, rows []row) {
	if len(rows) == 0 {
		return
	}
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].id
	}
	b.Queue("with found as (select "+w.encoder.columns+" from "+w.table.Relation()+" t where t.id = any ($1))"+
		" select * from found where (select gate.assert((select count(*) from found) = $2, '"+stateMissingRecord+"'))", ids, len(rows)).Query(w.receive)
}

// readBack answers a write that changes nothing.
func (e *Engine) readBack(ctx context.Context, actor Actor, take *writeInput) ([][]byte, error) {
	w := e.newWriter(actor, take)
	err := e.db.TableBatch(ctx, actor.Org, take.table.Ref(), func(b *pgx.Batch) { w.readUntouched(b, take.rows) })
	if pgerror.Is(err, stateMissingRecord) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("reading records that are not changed: %w", err)
	}
	return w.inOrder(take.rows), nil
}

package record

import (
	"bytes"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Transactions that write the same records take their locks in one order, by the table's number and the record's id, before they write
// anything. Otherwise two of them wait for each other, because an UPDATE locks its rows in the order in which its plan happens to meet
// them. A write of one record without links needs no such statement: it locks once.

// lockRows queues a statement that locks records of a table in the order of their ids until the transaction ends. Records that are not
// there are passed over. strength is a locking clause of SELECT.
func lockRows(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, strength string) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	b.Queue("select from "+t.Relation()+" t where t.id = any ($1) order by t.id "+strength, slices.Compact(rows))
}

// lock queues the locks of a write: of the records that it changes, unless it makes them, and of those that it links to, which must not
// go before the links are written.
func (w *writer) lock(b *pgx.Batch, fresh bool) {
	linked := map[*schema.Table][]uuid.UUID{}
	for i := range w.take.rows {
		for _, l := range w.take.rows[i].links {
			if t := w.take.schema.Table(l.field.Link.LinkedTable); t != nil {
				linked[t] = append(linked[t], l.rows...)
			}
		}
	}
	var own []uuid.UUID
	if !fresh && (len(w.take.rows) > 1 || len(linked) > 0) {
		own = w.take.idsOfRows()
	}
	tables := slices.Collect(maps.Keys(linked))
	if own != nil && linked[w.table] == nil {
		tables = append(tables, w.table)
	}
	slices.SortFunc(tables, func(a, b *schema.Table) int { return int(a.Number - b.Number) })
	for _, t := range tables {
		if t == w.table && own != nil {
			// Links within the table are in the same statement. They would do with less, and get the lock of the others.
			lockRows(b, t, slices.Concat(own, linked[t]), w.strength())
			continue
		}
		lockRows(b, t, linked[t], "for key share")
	}
}

// strength is the lock that the UPDATE takes: one of a field that is unique takes the strongest, which would otherwise come later.
func (w *writer) strength() string {
	if slices.ContainsFunc(w.take.fields, func(f *schema.Field) bool { return f.Config.Unique }) {
		return "for update"
	}
	return "for no key update"
}

func (in *writeInput) idsOfRows() []uuid.UUID {
	rows := make([]uuid.UUID, len(in.rows))
	for i := range in.rows {
		rows[i] = in.rows[i].id
	}
	return rows
}

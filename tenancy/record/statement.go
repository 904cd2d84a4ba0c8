package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// searchWorkMem gives a write of many rows enough memory to merge the pending list of a search
// index, if the write finds it full (see package index). With the 4 MB that are PostgreSQL's
// default, the list of each word would be written several times.
const searchWorkMem = "select set_config('work_mem', '32MB', true)"

// insert queues new rows; it fails the transaction when the table's schema has changed.
func (w *writer) insert(b *db.WriteBatch, rows []row) {
	if len(rows) == 1 {
		w.insertOne(b, &rows[0])
		return
	}
	b.Queue(searchWorkMem)
	ids, authors := idsAndAuthors(rows)
	args := []any{ids, authors}
	selected, source, names := "u.id, u.author, u.author", "unnest($2::uuid[], $3::uuid[]", "id, author"
	for i, f := range w.input.fields {
		var column field.Array
		for r := range rows {
			value, _ := rows[r].value(i)
			column.Add(value)
		}
		args = append(args, column.String())
		kind, cast := f.Info().Array()
		name := "c" + strconv.Itoa(i)
		selected += ", u." + name + cast
		source += ", $" + strconv.Itoa(1+len(args)) + "::" + kind
		names += ", " + name
	}
	w.change(b, w.table.Ref().ChangeStatement(func(assertion string) string {
		return "insert into " + w.table.Relation() + " as t (id, created_by, updated_by" + columnsOf(w.input.fields) +
			") select " + selected +
			" from " + source + ") as u(" + names + ") where " + assertion + " returning " + w.returned()
	}), args...)
}

// change queues a statement that writes records and returns them.
func (w *writer) change(b *db.WriteBatch, statement db.ChangeStatement, args ...any) {
	queued := b.Change(statement, args...)
	if !w.onlyIDs {
		queued.Query(w.collect)
	}
}

// returned lists what such a statement returns of the record table under the alias t.
func (w *writer) returned() string {
	if w.onlyIDs {
		return "t.id"
	}
	return w.projection.Columns()
}

// update queues the change of rows that are there; it fails the transaction when one does not
// exist.
func (w *writer) update(b *db.WriteBatch, rows []row) {
	rows, unchanged := split(rows)
	w.readUnchanged(b.Batch, unchanged)
	if len(rows) == 1 {
		w.updateOne(b, &rows[0])
		return
	}
	b.Queue(searchWorkMem)
	ids, authors := idsAndAuthors(rows)
	args := []any{ids, authors}
	set, source, names := "updated_at = now(), updated_by = u.author", "unnest($2::uuid[], $3::uuid[]", "id, author"
	selected := names
	for i, f := range w.input.fields {
		var column, given field.Array
		all := true
		for r := range rows {
			value, ok := rows[r].value(i)
			if !ok {
				value = f.Unset()
			}
			all = all && ok
			column.Add(value)
			given.Add(ok)
		}
		args = append(args, column.String())
		kind, cast := f.Info().Array()
		name := "c" + strconv.Itoa(i)
		source += ", $" + strconv.Itoa(1+len(args)) + "::" + kind
		names += ", " + name
		selected += ", " + name + cast + " as " + name
		if all {
			set += ", " + f.Column() + " = u." + name
			continue
		}
		args = append(args, given.String())
		source += ", $" + strconv.Itoa(1+len(args)) + "::boolean[]"
		names += ", g" + strconv.Itoa(i)
		selected += ", g" + strconv.Itoa(i)
		set += fmt.Sprintf(", %[1]s = case when u.g%[2]d then u.c%[2]d else t.%[1]s end", f.Column(), i)
	}
	args = append(args, len(rows))
	// A sub-select casts, because Citus takes no cast of a column that depends on a setting in SET.
	set += " from (select " + selected + " from " + source + ") as v(" + names + ")) as u where t.id = u.id"
	w.change(b, w.updateStatement(set, 1+len(args), "", true), args...)
}

// idsAndAuthors returns the ids and authors of rows as two array literals.
func idsAndAuthors(rows []row) (ids, authors string) {
	var i, a field.Array
	for r := range rows {
		i.Add(rows[r].id)
		a.Add(rows[r].author)
	}
	return i.String(), a.String()
}

// updateStatement is the statement that changes what is set where, and demands as many rows as a
// placeholder says. more is another data-modifying WITH of it, or none. checkSize has the sizes of
// the records checked.
func (w *writer) updateStatement(set string, rows int, more string, checkSize bool) db.ChangeStatement {
	columns, bounded := w.returned(), ""
	w.checksSize = w.checksSize || checkSize
	if checkSize && !w.onlyIDs {
		columns += ", " + sizeExpression(w.table.Fields) + " as size"
		bounded = sizeChecks
	}
	return w.table.Ref().ChangeStatement(func(assertion string) string {
		return "with changed as (update " + w.table.Relation() + " as t set " + set + " and " +
			assertion + " returning " + columns + ")" + more +
			" select * from changed where (select gate.assert((select count(*) from changed) = $" + strconv.Itoa(rows) +
			", '" + stateMissingRecord + "'))" + bounded
	})
}

// writeLinks queues the pairs of link fields: those that are no longer wanted go, new ones come,
// all in the order that was given.
func (w *writer) writeLinks(b *pgx.Batch, rows []row, fresh bool) {
	for r := range rows {
		for _, l := range rows[r].links {
			relation, own, other := l.field.Link.Relation(w.actor.Org), l.field.Link.Own, l.field.Link.Other
			if !fresh {
				b.Queue(
					fmt.Sprintf("delete from %s l where l.%s = $1 and l.%s <> all ($2::uuid[])", relation, own, other),
					rows[r].id, l.rows,
				)
			}
			if len(l.rows) == 0 {
				continue
			}
			if inverse := w.input.schema.Field(l.field.Link.Inverse); inverse != nil && inverse.Single() {
				// The other side holds one record: it leaves the one that it was linked to.
				b.Queue(
					fmt.Sprintf("delete from %s l where l.%s = any ($2::uuid[]) and l.%s <> $1", relation, other, own),
					rows[r].id, l.rows,
				)
			}
			// On the other side a new pair comes last.
			// Citus reads a table with row-level security for an INSERT in a WITH alone.
			b.Queue(fmt.Sprintf(`with pair as materialized (
					select u.target, u.place, coalesce((select max(o.pos_%[3]s) + 1 from %[1]s o
					where o.%[3]s = u.target), 0) as last
					from unnest($2::uuid[]) with ordinality as u(target, place))
				insert into %[1]s as l (%[2]s, %[3]s, pos_%[2]s, pos_%[3]s) select $1, target, place, last from pair
				on conflict (a, b) do update set pos_%[2]s = excluded.pos_%[2]s`, relation,
				own, other), rows[r].id, l.rows)
		}
	}
}

// insertOne queues a new row; it fails the transaction when the table's schema has changed.
func (w *writer) insertOne(b *db.WriteBatch, r *row) {
	fields := w.input.fields
	args := append(make([]any, 0, 5+len(fields)), r.id, r.author)
	for i := range fields {
		value, _ := r.value(i)
		args = append(args, value)
	}
	if w.counts {
		args = append(args, w.table.Number, 1)
	}
	w.change(b, w.statement(true, func() db.ChangeStatement {
		return w.table.Ref().ChangeStatement(func(assertion string) string {
			var text strings.Builder
			if w.counts {
				text.WriteString("with counted as (" + countSQL(w.table, 4+len(fields)) + ") ")
			}
			text.WriteString(
				"insert into " + w.table.Relation() + " as t (id, created_by, updated_by" + columnsOf(fields) + ")" +
					" values (case when " + assertion + " then $2::uuid end, $3, $3",
			)
			for i, f := range fields {
				text.WriteString(", $" + strconv.Itoa(4+i) + f.Info().Cast())
			}
			text.WriteString(") returning " + w.returned())
			return text.String()
		})
	}), args...)
}

// updateOne queues the change of a row that is there; it fails the transaction when it does not
// exist.
func (w *writer) updateOne(b *db.WriteBatch, r *row) {
	args := append(make([]any, 0, 6+len(r.values)), r.author)
	for i := range w.input.fields {
		if value, given := r.value(i); given {
			args = append(args, value)
		}
	}
	row := len(args) + 2 // the placeholder of its id, behind the version and the values
	args = append(args, r.id, 1)
	if w.counts {
		args = append(args, w.table.Number, 0)
	}
	w.checksSize = w.checksSize || r.needsSizeCheck()
	w.change(b, w.statement(false, func() db.ChangeStatement {
		set := "updated_at = now(), updated_by = $2"
		placeholder := 3
		for i, f := range w.input.fields {
			if _, given := r.value(i); given {
				set += ", " + f.Column() + " = $" + strconv.Itoa(placeholder) + f.Info().Cast()
				placeholder++
			}
		}
		counted := ""
		if w.counts {
			counted = ", counted as (" + countSQL(w.table, row+2) + ")"
		}
		return w.updateStatement(set+" where t.id = $"+strconv.Itoa(row), row+1, counted, r.needsSizeCheck())
	}), args...)
}

// sizeExpression is field.SizeOf for the columns of a record, under the alias t, in SQL.
func sizeExpression(fields []*schema.Field) string {
	parts := []string{"0::bigint"}
	for _, f := range fields {
		if f.Info().Column == "" {
			continue
		}
		if size := f.Kind.Size("t." + f.Column()); size != "" {
			parts = append(parts, size)
		}
	}
	return strings.Join(parts, " + ")
}

// sizeChecks is the condition on changed, the records of a write with their size, that they are not
// too large.
const sizeChecks = " and (select gate.assert(coalesce(max(size), 0) <= 1048576, '" + stateRecordTooLarge + "') from " +
	"changed) and (select gate.assert(coalesce(sum(size), 0) <= 8388608, '" + stateAnswerTooLarge + "') from changed)"

// columnsOf lists the columns of fields, each with a comma before it.
func columnsOf(fields []*schema.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(", ")
		b.WriteString(f.Column())
	}
	return b.String()
}

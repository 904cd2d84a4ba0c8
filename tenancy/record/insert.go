package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// insert queues new rows; it fails the transaction when the table's schema has changed.
func (w *writer) insert(b *db.WriteBatch, rows []row) {
	dated := w.input.isDated()
	if len(rows) == 1 && !dated {
		w.insertOne(b, &rows[0])
		return
	}
	b.Queue(searchWorkMem)
	var args []any
	add := func(kind string, value func(r *row) any) string {
		array := field.NewBinaryArray(kind, len(rows))
		for r := range rows {
			array.Add(value(&rows[r]))
		}
		args = append(args, db.BinaryArray(array.Bytes()))
		return "$" + strconv.Itoa(1+len(args)) + "::" + kind
	}
	source, names := "unnest("+add("uuid[]", func(r *row) any { return r.id }), "id"
	selected := "u.id, u.author, u.author, "
	if author, same := sameAuthor(rows); same {
		args = append(args, orNobody(author))
		selected = "u.id, $3::uuid, $3::uuid, "
	} else {
		source += ", " + add("uuid[]", func(r *row) any { return orNobody(r.author) })
		names += ", author"
	}
	selected += db.ChangeNumber
	into := "id, created_by, updated_by, version"
	if dated {
		source += ", " + add("timestamptz[]", func(r *row) any { return r.createdAt })
		selected, names, into = selected+", u.created_at", names+", created_at", into+", created_at"
	}
	for i, f := range w.input.fields {
		kind, cast := f.Info().Array()
		name := "c" + strconv.Itoa(i)
		selected += ", u." + name + cast
		source += ", " + add(kind, func(r *row) any {
			value, _ := r.value(i)
			return value
		})
		names += ", " + name
	}
	returned := ""
	if !w.counted || !w.topology.CopiesRows() {
		returned = " returning " + w.returned()
	}
	w.change(b, w.table.Ref().ChangeStatement(func(assertion string) string {
		return "insert into " + w.table.Whole().Relation() + " as t (" + into + columnsOf(w.input.fields) +
			") select " + selected +
			" from " + source + ") as u(" + names + ") where " + assertion + returned
	}), args...)
	w.logCreation(b, rows)
}

// logCreation queues the entries of the log for new rows.
func (w *writer) logCreation(b *db.WriteBatch, rows []row) {
	ids, origins := make([]uuid.UUID, len(rows)), make([]changelog.Origin, len(rows))
	for i := range rows {
		ids[i], origins[i] = rows[i].id, rows[i].origin
	}
	changelog.Create(b.Batch, w.table, ids, origins)
}

// isDated reports whether the rows say when they were created.
func (in *writeInput) isDated() bool { return len(in.rows) > 0 && !in.rows[0].createdAt.IsZero() }

// sameAuthor returns the author of rows, if they have one.
func sameAuthor(rows []row) (author uuid.UUID, same bool) {
	author = rows[0].author
	return author, !slices.ContainsFunc(rows, func(r row) bool { return r.author != author })
}

// orNobody is the author of a new record as it is stored: null for somebody whom nobody knows.
func orNobody(author uuid.UUID) any {
	if author == uuid.Nil {
		return nil
	}
	return author
}

// insertOne queues a new row; it fails the transaction when the table's schema has changed.
func (w *writer) insertOne(b *db.WriteBatch, r *row) {
	fields := w.input.fields
	args := append(make([]any, 0, 12+len(fields)), r.id, orNobody(r.author))
	for i := range fields {
		value, _ := r.value(i)
		args = append(args, value)
	}
	logged := changelog.CreateOne(w.table, r.origin, "$2", 2+len(args))
	args = append(args, logged.Args...)
	counts := 2 + len(args)
	if w.counts {
		args = append(args, w.table.Number, 1)
	}
	w.change(b, w.statement(true, func() db.ChangeStatement {
		return w.table.Ref().ChangeStatement(func(assertion string) string {
			var text strings.Builder
			text.WriteString("with logged as (" + logged.SQL + ") ")
			if w.counts {
				text.WriteString(", counted as (" + countSQL(w.table, counts) + ") ")
			}
			text.WriteString(
				"insert into " + w.table.Whole().Relation() + " as t (id, created_by, updated_by, version" +
					columnsOf(fields) + ")" +
					" values (case when " + assertion + " then $2::uuid end, $3, $3, " + db.ChangeNumber,
			)
			for i, f := range fields {
				text.WriteString(", $" + strconv.Itoa(4+i) + f.Info().Cast())
			}
			text.WriteString(") returning " + w.returned())
			return text.String()
		})
	}), args...)
}

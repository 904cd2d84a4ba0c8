package record

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// searchWorkMem gives a write of many rows enough memory to merge the pending list of a search index,
// if the write finds it full (see package index). With PostgreSQL's default of 4 MB, the list of each
// word would be written several times.
const searchWorkMem = "select set_config('work_mem', '32MB', true)"

// change queues a statement that writes records and returns them.
func (w *writer) change(b *db.WriteBatch, statement db.ChangeStatement, args ...any) {
	queued := b.Change(statement, args...)
	if !w.onlyIDs && !w.counted {
		queued.Query(w.collect)
	}
}

// returned lists what such a statement returns from the record table under the alias t.
func (w *writer) returned() string {
	if w.onlyIDs || w.counted {
		return "t.id"
	}
	return w.projection.Columns()
}

// update queues the change of existing rows; it fails the transaction if one does not exist.
func (w *writer) update(b *db.WriteBatch, rows []row) {
	rows, unchanged := split(rows)
	w.readUnchanged(b.Batch, unchanged)
	if len(rows) == 1 {
		w.updateOne(b, &rows[0])
		return
	}
	b.Queue(searchWorkMem)
	ids, authors := idsAndAuthors(rows)
	origins := make([]changelog.Origin, len(rows))
	for i := range rows {
		origins[i] = rows[i].origin
	}
	args := []any{ids, authors, changelog.PlacesOf(origins)}
	set := "updated_at = now(), updated_by = u.author"
	source, names := "unnest($2::uuid[], $3::uuid[], $4::integer[]", "id, author, origin"
	selected := names
	var changed []string
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
		differs := "o." + f.Column() + " is distinct from u." + name
		if all {
			set += ", " + f.Column() + " = u." + name
			changed = append(changed, differs)
			continue
		}
		args = append(args, given.String())
		source += ", $" + strconv.Itoa(1+len(args)) + "::boolean[]"
		names += ", g" + strconv.Itoa(i)
		selected += ", g" + strconv.Itoa(i)
		set += fmt.Sprintf(", %[1]s = case when u.g%[2]d then u.c%[2]d else t.%[1]s end", f.Column(), i)
		changed = append(changed, "u.g"+strconv.Itoa(i)+" and "+differs)
	}
	// A sub-select casts, because Citus takes no cast of a column that depends on a setting in SET.
	before := "u as materialized (select " + selected + " from " + source + ") as v(" + names + ")), " +
		"old as materialized (select o.id, o.version, u.origin, " + changelog.Was("o", w.input.fields, changed) +
		" as was from u join " + w.table.Whole().Relation() + " o on o.id = u.id), " +
		"before as (select * from old where was <> '{}'), drawn as materialized (select " + db.ChangeNumber +
		" as number)"
	set += ", version = case when old.was <> '{}' then (select number from drawn) else t.version end " +
		"from u join old on old.id = u.id where t.id = u.id"
	logged := changelog.AboutEach(w.table, changelog.Updated, origins, "before", 2+len(args))
	args = append(append(args, logged.Args...), len(rows))
	w.change(b, w.updateStatement(before, set, ", logged as ("+logged.SQL+")", 1+len(args), true), args...)
}

// idsAndAuthors returns the ids and authors of rows as two array literals.
func idsAndAuthors(rows []row) (ids, authors string) {
	i, a := field.NewArray(len(rows)), field.NewArray(len(rows))
	for r := range rows {
		i.Add(rows[r].id)
		a.Add(rows[r].author)
	}
	return i.String(), a.String()
}

// updateStatement is the statement that changes what is set where, and asserts the number of rows in a
// placeholder. before is a WITH of the former values, and more is further CTEs that change data.
// checkSize adds a check of the records' sizes.
func (w *writer) updateStatement(before, set, more string, rows int, checkSize bool) db.ChangeStatement {
	columns, bounded := w.returned(), ""
	w.checksSize = w.checksSize || checkSize
	if checkSize && !w.onlyIDs {
		size := SizeExpression(w.table.Whole().Fields)
		columns += ", " + size + " as size"
		// A record that is already too large, after many small changes, may not grow.
		bounded = " and (select gate.assert(not exists (select from changed c where c.size > 1048576 and c.size > " +
			"coalesce((select " + size + " from " + w.table.Whole().Relation() + " t where t.id = " +
			"c.id), 0)), '" + db.StateRecordTooLarge + "'))"
		if !w.counted {
			bounded += answerSizeCheck
		}
	}
	return w.table.Ref().ChangeStatement(func(assertion string) string {
		return "with " + before + ", changed as (update " + w.table.Whole().Relation() + " as t set " + set + " and " +
			assertion + " returning " + columns + ")" + more +
			" select * from changed where (select gate.assert((select count(*) from changed) = $" + strconv.Itoa(rows) +
			", '" + db.StateMissingRecord + "'))" + bounded
	})
}

// writeLinks queues the pairs of link fields: it removes unwanted pairs and adds new ones, in the given
// order.
func (w *writer) writeLinks(b *pgx.Batch, rows []row, fresh bool) {
	links := linksOf(rows)
	if len(links) == 0 {
		return
	}
	w.topology.Hasty(b, func() {
		for i, l := range links {
			isInverse := func(o *changelog.LinkWrite) bool { return o.Field.ID == l.Field.Link.Inverse }
			if slices.ContainsFunc(links[:i], isInverse) {
				changelog.Next(b)
			}
			l.Schema, l.Fresh = w.input.schema.Whole(), fresh
			QueueLink(b, l, rows[0].origin) // links are not written together with those of other requests
		}
	})
}

// QueueLink queues the write of a link field, and its entries in the log. The records on both sides are
// locked.
func QueueLink(b *pgx.Batch, l *changelog.LinkWrite, origin changelog.Origin) {
	inverse := l.Schema.Field(l.Field.Link.Inverse)
	exclusive := inverse != nil && inverse.Single() // the other side holds one record
	if exclusive {
		keepLast(l)
	}
	changelog.Link(b, *l, origin)
	relation, own, other := l.Field.Link.Relation(l.Schema.Org), l.Field.Link.Own, l.Field.Link.Other
	const pairs = "unnest($2::uuid[], $3::uuid[]) as w(own, other)"
	if !l.Fresh {
		b.Queue(fmt.Sprintf("delete from %s l where l.%s = any ($1::uuid[]) and not exists (select from %s where "+
			"w.own = l.%[2]s and w.other = l.%[4]s)", relation, own, pairs, other), l.Rows, l.Own, l.Other)
	}
	if len(l.Own) == 0 {
		return
	}
	if exclusive { // it leaves the record that it was linked to
		b.Queue(fmt.Sprintf("delete from %s l using unnest($1::uuid[], $2::uuid[]) as w(own, other) where "+
			"l.%s = w.other and l.%s <> w.own", relation, other, own), l.Own, l.Other)
	}
	// On the other side a new pair comes last, unless it has a position there. A list of positions that
	// is shorter than the others, or null, gives the rest none.
	// Citus reads a table with row-level security for an INSERT only in a WITH.
	b.Queue(fmt.Sprintf(`with pair as materialized (
			select u.own, u.target, u.place, coalesce(u.far, coalesce((select max(o.pos_%[3]s) + 1 from %[1]s o
			where o.%[3]s = u.target), 0) + row_number() over (partition by u.target order by u.nth) - 1) as last
			from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) with ordinality
			as u(own, target, place, far, nth))
		insert into %[1]s as l (%[2]s, %[3]s, pos_%[2]s, pos_%[3]s) select own, target, place, last from pair
		on conflict (a, b) do update set pos_%[2]s = excluded.pos_%[2]s`, relation,
		own, other), l.Own, l.Other, l.Places, l.FarPlaces)
}

// keepLast links each linked record only with the last row that names it.
func keepLast(l *changelog.LinkWrite) {
	seen := map[uuid.UUID]bool{}
	for i := len(l.Other) - 1; i >= 0; i-- {
		if seen[l.Other[i]] {
			l.Own, l.Other = slices.Delete(l.Own, i, i+1), slices.Delete(l.Other, i, i+1)
			l.Places = slices.Delete(l.Places, i, i+1)
			if len(l.FarPlaces) > 0 {
				l.FarPlaces = slices.Delete(l.FarPlaces, i, i+1)
			}
			continue
		}
		seen[l.Other[i]] = true
	}
}

// linksOf collects the links of rows by field, in the order of the fields' numbers.
func linksOf(rows []row) []*changelog.LinkWrite {
	byField := map[*schema.Field]*changelog.LinkWrite{}
	for r := range rows {
		for _, l := range rows[r].links {
			w := byField[l.field]
			if w == nil {
				w = &changelog.LinkWrite{Field: l.field}
				byField[l.field] = w
			}
			w.Rows = append(w.Rows, rows[r].id)
			for place, other := range l.rows {
				w.Own, w.Other = append(w.Own, rows[r].id), append(w.Other, other)
				w.Places, w.FarPlaces = append(w.Places, int32(place+1)), append(w.FarPlaces, l.far[other])
			}
		}
	}
	return slices.SortedFunc(maps.Values(byField), func(a, b *changelog.LinkWrite) int {
		return cmp.Compare(a.Field.Number, b.Field.Number)
	})
}

// queueDeletion queues the deletion of rows and its locks (queueLinkLock). The rows must have the
// versions unless these are nil. The caller counts the deletion.
func (e *Engine) queueDeletion(ctx context.Context,
	b *db.WriteBatch, s *schema.Snapshot, t *schema.Table, rows []uuid.UUID, versions []int64, exclusive bool,
) {
	theirs := t.Rows()
	s, t = s.Whole(), t.Whole() // what the person does not see is deleted and logged too
	links := slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Link != nil })
	if links {
		queueLinkLock(b.Batch, t, exclusive)
	}
	lockForDeletion(b.Batch, s, t, rows)
	mayDeleteRows(b.Batch, t, theirs, rows)
	if versions != nil {
		changelog.Demand(b.Batch, t, rows, versions, db.StateVersionChanged)
	}
	remove := func() { QueueDelete(b, s, t, rows, changelog.OriginOf(ctx)) }
	if links {
		e.db.Topology().Hasty(b.Batch, remove)
	} else {
		remove()
	}
}

// lockForDeletion queues the locks of rows, and of the records that are linked with them.
func lockForDeletion(b *pgx.Batch, s *schema.Snapshot, t *schema.Table, rows []uuid.UUID) {
	locks := lockSet{}
	locks.addDeletion(s, t, rows)
	locks.queue(b, t, "for update", true)
}

// addDeletion adds the locks of the deletion of rows.
func (s lockSet) addDeletion(snapshot *schema.Snapshot, t *schema.Table, rows []uuid.UUID) {
	s.of(t).rows = rows
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		if far := snapshot.Table(f.Link.LinkedTable); far != nil {
			of := s.of(far)
			of.ends = append(of.ends, changelog.Ends{
				Relation: f.Link.Relation(t.Org), Column: f.Link.Other, With: f.Link.Own, Rows: rows,
			})
		}
	}
}

// QueueDelete queues the deletion of locked rows; it fails the transaction if one does not exist. The
// caller counts the deletion.
func QueueDelete(b *db.WriteBatch, s *schema.Snapshot, t *schema.Table, rows []uuid.UUID, origin changelog.Origin) {
	changelog.Unlink(b.Batch, s, t, rows, origin)
	logged := changelog.About(t, changelog.Deleted, origin, "before", db.ChangeNumber, 4)
	b.Change(t.Ref().ChangeStatement(func(assertion string) string {
		return "with before as materialized (select g.id, g.version, " + changelog.Whole("g", t) + " as was from " +
			t.Whole().Relation() + " g where g.id = any ($2)), logged as (" + logged.SQL + "), gone as (delete from " +
			t.Whole().Relation() + " t where t.id = any ($2) and " + assertion + " returning t.id) " +
			"select gate.assert((select count(*) from gone) = $3, '" + db.StateMissingRecord + "')"
	}), append([]any{rows, len(rows)}, logged.Args...)...)
}

// updateOne queues the change of an existing row; it fails the transaction if the row does not exist.
func (w *writer) updateOne(b *db.WriteBatch, r *row) {
	args := append(make([]any, 0, 12+len(r.values)), r.author)
	for i := range w.input.fields {
		if value, given := r.value(i); given {
			args = append(args, value)
		}
	}
	row := len(args) + 2 // the placeholder of its id, after the version and the values
	logged := changelog.AboutOne(w.table, changelog.Updated, r.origin, "old", row+2)
	args = append(append(args, r.id, 1), logged.Args...)
	counts := len(args) + 2
	if w.counts {
		args = append(args, w.table.Number, 0)
	}
	w.checksSize = w.checksSize || r.needsSizeCheck()
	w.change(b, w.statement(false, func() db.ChangeStatement {
		set := "updated_at = now(), updated_by = $2"
		placeholder := 3
		var fields []*schema.Field
		var changed []string
		for i, f := range w.input.fields {
			if _, given := r.value(i); given {
				value := "$" + strconv.Itoa(placeholder) + f.Info().Cast()
				set += ", " + f.Column() + " = " + value
				fields, changed = append(fields, f), append(changed, "o."+f.Column()+" is distinct from "+value)
				placeholder++
			}
		}
		id := "$" + strconv.Itoa(row)
		before := "old as materialized (select o.id, o.version, " + changelog.DrawAfter("o.version") + " as number, " +
			changelog.Was("o", fields, changed) + " as was from " + w.table.Whole().Relation() + " o where o.id = " +
			id + " " +
			w.rowLock() + ")"
		set += ", version = case when old.was <> '{}' then old.number else t.version end " +
			"from old where t.id = old.id"
		more := ", logged as (" + logged.SQL + ")"
		if w.counts {
			more += ", counted as (" + countSQL(w.table, counts) + ")"
		}
		return w.updateStatement(before, set, more, row+1, r.needsSizeCheck())
	}), args...)
}

// SizeExpression is field.SizeOf for the columns of a record under the alias t, in SQL: the size that
// counts against MaxRecord.
func SizeExpression(fields []*schema.Field) string {
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

// Conditions on changed, the records of a write with their sizes: none is too large, and together they
// fit in a response.
const (
	recordSizeCheck = " and (select gate.assert(coalesce(max(size), 0) <= 1048576, '" + db.StateRecordTooLarge + "') " +
		"from changed)"
	answerSizeCheck = " and (select gate.assert(coalesce(sum(size), 0) <= 8388608, '" + db.StateAnswerTooLarge + "') " +
		"from changed)"
)

// columnsOf lists the columns of fields, each with a comma before it.
func columnsOf(fields []*schema.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(", ")
		b.WriteString(f.Column())
	}
	return b.String()
}

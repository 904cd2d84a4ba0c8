package record

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A writer queues the statements of one write and takes in the records that they return.
type writer struct {
	table   *schema.Table
	encoder *rowEncoder
	actor   Actor
	take    *writeInput

	counts  bool    // the statement that writes a row that is all of the write counts it
	linking bool    // the write changes links: records are read again after it
	touched []int32 // numbers of the linked tables whose records change with it
	buffer  []byte
	written map[uuid.UUID][]byte

	statements *lru.Cache[statementKey, string] // texts of those that write one row
	fieldsKey  string                           // of the fields of a row that is all of the write; "" for others, whose texts are not kept
}

func (e *Engine) newWriter(actor Actor, take *writeInput) *writer {
	s, t := take.schema, take.table
	w := &writer{
		table: t, encoder: e.encoderOf(s, t), actor: actor, take: take, written: make(map[uuid.UUID][]byte, len(take.rows)),
		statements: e.statements,
	}
	for i := range take.rows {
		if take.rows[i].author == uuid.Nil {
			take.rows[i].author = actor.Person
		}
		for _, l := range take.rows[i].links {
			w.linking = true
			linked := s.Table(l.field.Link.LinkedTable)
			if linked != nil && linked != t && !slices.Contains(w.touched, linked.Number) {
				w.touched = append(w.touched, linked.Number)
			}
		}
	}
	e.pending.note(t, len(take.rows))
	return w
}

// queue queues the whole write of rows that are all fresh, or all there already; but for count.
func (w *writer) queue(b *pgx.Batch, fresh bool) {
	w.checkPeople(b)
	w.holdFiles(b)
	w.lock(b, fresh)
	if fresh {
		w.insert(b, w.take.rows)
	} else {
		w.update(b, w.take.rows)
	}
	w.writeLinks(b, w.take.rows, fresh)
	w.reread(b)
}

// count queues the bookkeeping of such a write, which must come last.
func (w *writer) count(b *pgx.Batch, fresh bool) {
	gained := 0
	if fresh {
		gained = len(w.take.rows)
	}
	countWrite(b, w.table, gained, w.touched)
}

// receive reads records out of the rows of a statement.
func (w *writer) receive(rows pgx.Rows) error {
	for first := true; rows.Next(); first = false {
		if first {
			if err := w.encoder.binaryOnly(rows, 0); err != nil {
				return err
			}
		}
		raw := rows.RawValues()
		start := len(w.buffer)
		w.buffer = w.encoder.append(w.buffer, raw)
		w.written[uuid.UUID(raw[0])] = w.buffer[start:len(w.buffer):len(w.buffer)]
	}
	return rows.Err()
}

// inOrder returns the written records in the order of the rows.
func (w *writer) inOrder(rows []row) [][]byte {
	out := make([][]byte, len(rows))
	for i := range rows {
		out[i] = w.written[rows[i].id]
	}
	return out
}

// checkPeople ends the transaction when a value names somebody who is no member.
func (w *writer) checkPeople(b *pgx.Batch) {
	if len(w.take.people) == 0 {
		return
	}
	people := make([]uuid.UUID, len(w.take.people))
	for i, p := range w.take.people {
		people[i] = p.id
	}
	b.Queue(`select gate.assert(not exists (select from unnest($2::uuid[]) p
		where not exists (select from rowhouse.member m where m.org_id = $1 and m.person_id = p)), '`+stateMissingPerson+`')`,
		w.actor.Org, people)
}

// roomForSearch gives a write of many rows room to bring what was written lately into a search index when it is its turn (see pending_list.go). In
// the 4 MB that a PostgreSQL has as it comes, the list of each word would be written several times.
const roomForSearch = "select set_config('work_mem', '32MB', true)"

// insert queues new rows; it ends the transaction when the table's schema is another.
func (w *writer) insert(b *pgx.Batch, rows []row) {
	if len(rows) == 1 {
		w.insertOne(b, &rows[0])
		return
	}
	b.Queue(roomForSearch)
	ref := w.table.Ref()
	ids, authors := identities(rows)
	args := []any{ids, authors, ref.Version}
	selected, source, names := "u.id, u.author, u.author", "unnest($1::uuid[], $2::uuid[]", "id, author"
	for i, f := range w.take.fields {
		var column array
		for r := range rows {
			value, _ := rows[r].value(i)
			column.add(value)
		}
		args = append(args, column.String())
		kind, cast := arrayType(f)
		name := "c" + strconv.Itoa(i)
		selected += ", u." + name + cast
		source += ", $" + strconv.Itoa(len(args)) + "::" + kind
		names += ", " + name
	}
	b.Queue("insert into "+w.table.Relation()+" as t (id, created_by, updated_by"+columnsOf(w.take.fields)+") select "+selected+
		" from "+source+") as u("+names+") where "+ref.AssertVersion("$3")+" returning "+w.encoder.columns, args...).Query(w.receive)
}

// update queues the change of rows that are there; it ends the transaction when one is not, or the table's schema is another.
func (w *writer) update(b *pgx.Batch, rows []row) {
	rows, untouched := split(rows)
	w.readUntouched(b, untouched)
	if len(rows) == 1 {
		w.updateOne(b, &rows[0])
		return
	}
	b.Queue(roomForSearch)
	ids, authors := identities(rows)
	args := []any{authors, w.table.Version, ids}
	set, source, names := "updated_at = now(), updated_by = u.author", "unnest($3::uuid[], $1::uuid[]", "id, author"
	for i, f := range w.take.fields {
		var column, given array
		all := true
		for r := range rows {
			value, ok := rows[r].value(i)
			if f.Type == schema.Checkbox && !ok {
				value = false
			}
			all = all && ok
			column.add(value)
			given.add(ok)
		}
		args = append(args, column.String())
		kind, cast := arrayType(f)
		name := "c" + strconv.Itoa(i)
		source += ", $" + strconv.Itoa(len(args)) + "::" + kind
		names += ", " + name
		if all {
			set += ", " + f.Column() + " = u." + name + cast
			continue
		}
		args = append(args, given.String())
		source += ", $" + strconv.Itoa(len(args)) + "::boolean[]"
		names += ", g" + strconv.Itoa(i)
		set += fmt.Sprintf(", %[1]s = case when u.g%[2]d then u.c%[2]d%[3]s else t.%[1]s end", f.Column(), i, cast)
	}
	args = append(args, len(rows))
	b.Queue(w.updated(set+" from "+source+") as u("+names+") where t.id = u.id", len(args), "", true), args...).Query(w.receive)
}

// identities returns the ids and authors of rows as two array literals.
func identities(rows []row) (ids, authors string) {
	var i, a array
	for r := range rows {
		i.add(rows[r].id)
		a.add(rows[r].author)
	}
	return i.String(), a.String()
}

// updated is the statement that changes what is set where, and demands the version in $2 and as many rows as a placeholder says. more is
// another data-modifying WITH of it, or none. weigh has the records weighed.
func (w *writer) updated(set string, rows int, more string, weigh bool) string {
	columns, bounded := w.encoder.columns, ""
	if weigh {
		columns += ", " + weightExpression(w.table.Fields) + " as weight"
		bounded = weighed
	}
	return "with changed as (update " + w.table.Relation() + " as t set " + set + " and " + w.table.Ref().AssertVersion("$2") +
		" returning " + columns + ")" + more +
		" select * from changed where (select gate.assert((select count(*) from changed) = $" + strconv.Itoa(rows) + ", '" + stateMissingRecord + "'))" + bounded
}

// writeLinks queues the pairs of link fields: those that are no longer wanted go, new ones come, all in the order that was given.
func (w *writer) writeLinks(b *pgx.Batch, rows []row, fresh bool) {
	for r := range rows {
		for _, l := range rows[r].links {
			relation, own, other := l.field.Link.Relation(w.actor.Org), l.field.Link.Own, l.field.Link.Other
			if !fresh {
				b.Queue(fmt.Sprintf("delete from %s l where l.%s = $1 and l.%s <> all ($2::uuid[])", relation, own, other), rows[r].id, l.rows)
			}
			if len(l.rows) == 0 {
				continue
			}
			if inverse := w.take.schema.Field(l.field.Link.Inverse); inverse != nil && single(inverse) {
				// The other side holds one record: it leaves the one that it was linked to.
				b.Queue(fmt.Sprintf("delete from %s l where l.%s = any ($2::uuid[]) and l.%s <> $1", relation, other, own), rows[r].id, l.rows)
			}
			// On the other side a new pair comes last.
			b.Queue(fmt.Sprintf(`insert into %[1]s as l (%[2]s, %[3]s, pos_%[2]s, pos_%[3]s)
				select $1, u.target, u.place, coalesce((select max(o.pos_%[3]s) + 1 from %[1]s o where o.%[3]s = u.target), 0)
				from unnest($2::uuid[]) with ordinality as u(target, place)
				on conflict (a, b) do update set pos_%[2]s = excluded.pos_%[2]s`, relation, own, other), rows[r].id, l.rows)
		}
	}
}

// reread queues the reading of the records when links were written: what the write itself returned was too early for them.
func (w *writer) reread(b *pgx.Batch) {
	if !w.linking {
		return
	}
	ids := make([]uuid.UUID, len(w.take.rows))
	for i := range w.take.rows {
		ids[i] = w.take.rows[i].id
	}
	b.Queue("select "+w.encoder.columns+" from "+w.table.Relation()+" t where t.id = any ($1)", ids).Query(w.receive)
}

// single reports whether a link field holds at most one record.
func single(f *schema.Field) bool { return f.Config.Multiple != nil && !*f.Config.Multiple }

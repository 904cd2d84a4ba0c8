package revert

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/internal/progress"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The limits of one statement: records, and bytes of values.
const (
	chunkRecords = 1000
	chunkBytes   = 4 << 20
)

// write writes what was decided. It first deletes and restores records, and then changes values and
// links under the next number: a restored record is in the log as it was, and then as it becomes.
func (r *run) write(ctx context.Context, tx pgx.Tx, event *audit.Event) error {
	w := &writer{run: r, ctx: ctx, tx: tx, gained: map[int32]int{}}
	if r.plan.Records > 0 {
		w.removeAndRestore()
		w.update()
		w.moveComments()
	} else {
		event = nil
	}
	// It also marks change sets whose changes have no effect left, because these block nothing. If
	// conflicts prevented every change, they remain.
	if w.run.plan.Records+len(w.run.plan.Schema) > 0 || len(w.run.conflicts)+len(w.run.objects) == 0 {
		w.noteReverts()
	}
	if w.err == nil {
		w.err = audit.RecordTx(ctx, tx, r.actor.Org, event)
	}
	w.count()
	return w.err
}

// A writer sends statements in batches, up to the first error.
type writer struct {
	run    *run
	ctx    context.Context //nolint:containedctx // of one call
	tx     pgx.Tx
	err    error
	gained map[int32]int // records by table; every table that the run writes to is in it
	wrote  bool          // under the present number
	done   int           // records, as reported
}

// report reports that records were written. Some are written twice: their values, and then their links.
func (w *writer) report(rows []*row) {
	for _, one := range rows {
		if !one.reported {
			one.reported = true
			w.done++
		}
	}
	all := w.run.plan.Records
	progress.Report(w.ctx, w.done, all, "Wrote %d of %s", w.done, problem.Count(all, "record"))
}

func (w *writer) send(what string, queue func(b *pgx.Batch)) {
	if w.err != nil {
		return
	}
	b := &pgx.Batch{}
	queue(b)
	if b.Len() == 0 {
		return
	}
	if err := w.tx.SendBatch(w.ctx, b).Close(); err != nil {
		w.err = fmt.Errorf("%s: %w", what, err)
	}
	w.wrote = true
}

// touch notes that lists of a table have changed.
func (w *writer) touch(t *schema.Table, gained int) {
	if t != nil {
		w.gained[t.Number] += gained
	}
}

// next begins a new number.
func (w *writer) next() {
	if w.wrote {
		w.send("drawing a number", changelog.Next)
		w.wrote = false
	}
}

func (w *writer) removeAndRestore() {
	for _, t := range w.run.ordered() {
		var gone []*row
		for _, one := range t.rows {
			if one.does == remove {
				gone = append(gone, one)
			}
		}
		for chunk := range slices.Chunk(gone, chunkRecords) {
			w.send("deleting records", func(b *pgx.Batch) {
				write := db.NewWriteBatch(t.Ref())
				ids := make([]uuid.UUID, len(chunk))
				for i, one := range chunk {
					ids[i] = one.id
				}
				record.QueueDelete(write, w.run.schema, t.Table, ids, w.run.origin)
				b.QueuedQueries = append(b.QueuedQueries, write.QueuedQueries...)
			})
			w.touch(t.Table, -len(chunk))
			w.touchLinked(t)
			w.indexed(t, len(chunk))
			w.report(chunk)
		}
	}
	w.park(update) // before a record comes back with such a value
	for _, t := range w.run.ordered() {
		w.restore(t)
	}
	for _, t := range w.run.ordered() { // when all are there
		for _, f := range t.Fields {
			w.link(t, f, restore)
		}
	}
}

// moveComments moves comments back that were moved to another record when theirs was merged into it.
func (w *writer) moveComments() {
	for _, t := range w.run.ordered() {
		var deleted []int64
		for _, one := range t.rows {
			if one.does == restore {
				deleted = append(deleted, one.deleted)
			}
		}
		if len(w.run.sets)+len(deleted) > 0 {
			w.send("moving comments back", func(b *pgx.Batch) {
				changelog.MoveCommentsBack(b, t.Table, w.run.origin, w.run.sets, deleted)
			})
		}
	}
}

// restore brings records of a table back, as they were when they were deleted, with the values that they
// have of fields in the trash.
func (w *writer) restore(t *table) {
	var back []*row
	for _, one := range t.rows {
		if one.does == restore {
			back = append(back, one)
		}
	}
	if len(back) == 0 {
		return
	}
	w.send("locking files", func(b *pgx.Batch) { w.run.retain(b, t) })
	stored := t.stored()
	unset := map[string][]byte{}
	for _, f := range stored {
		if value := f.Unset(); value != nil {
			raw, err := json.Marshal(value)
			if err != nil && w.err == nil {
				w.err = fmt.Errorf("encoding an empty value: %w", err)
			}
			unset[changelog.Key(f)] = raw
		}
	}
	// A column that counts takes no null: a record of before the field gets a new number.
	byCounts := map[string][]*row{}
	for _, one := range back {
		image, missing := membersOf(one.image), ""
		for _, f := range stored {
			if _, counted := image[changelog.Key(f)]; f.Info().Counted && !counted {
				missing += f.Column()
			}
		}
		byCounts[missing] = append(byCounts[missing], one)
	}
	for _, missing := range slices.Sorted(maps.Keys(byCounts)) {
		var columns []string
		for _, f := range stored {
			if !strings.Contains(missing, f.Column()) {
				columns = append(columns, f.Column())
			}
		}
		w.restoreRows(t, byCounts[missing], columns, encodeMembers(unset))
	}
	for _, f := range t.buried {
		w.bury(f, back)
	}
	w.touch(t.Table, len(back))
	w.indexed(t, len(back))
}

func (w *writer) restoreRows(t *table, rows []*row, columns []string, unset []byte) {
	into, from := "", ""
	for _, column := range columns {
		into += ", " + column
		from += ", v." + column
	}
	origin := w.run.origin
	statement := "with v as materialized (select (j.j->>'row')::uuid as restored, " +
		"(j.j->>'deleted')::bigint as deleted, p.* from jsonb_array_elements($1::text::jsonb) j(j), " +
		"lateral jsonb_populate_record(null::" + t.Relation() +
		", $2::text::jsonb || (j.j->'image')) p), made as (insert into " + t.Relation() +
		" (id, created_at, updated_at, created_by, updated_by, version" + into + ") select v.restored, v.created_at, " +
		"v.updated_at, v.created_by, v.updated_by, " + db.ChangeNumber + from + " from v returning id) " +
		"insert into " + w.run.log() +
		" (number, kind, table_number, change_set, person, credential, request, records, previous) select " +
		db.ChangeNumber + ", $3::smallint, $4::integer, $5::uuid, $6::uuid, $7::text, $8::text, " +
		"array_agg(v.restored order by v.restored), array_agg(v.deleted order by v.restored) from v returning number"
	chunks(rows, func(one *row) []byte {
		return encodeMembers(map[string][]byte{
			"row": fmt.Appendf(nil, "%q", one.id), "deleted": fmt.Append(nil, one.deleted), "image": one.image,
		})
	}, func(rows []*row, input string) {
		w.send("restoring records", func(b *pgx.Batch) {
			b.Queue(statement, input, string(unset), changelog.Restored, t.Number, origin.Set, origin.Person,
				origin.Credential, origin.Request)
		})
		w.report(rows)
	})
}

// park takes unique values that other records are to get from records with a deed.
func (w *writer) park(does deed) {
	for _, t := range w.run.ordered() {
		parked, of := map[*row]map[string][]byte{}, []*row{}
		for _, one := range t.parked {
			if one.does != does {
				continue
			}
			none := map[string][]byte{}
			for key := range one.values {
				if t.fields[key].Config.Unique {
					none[key] = []byte("null")
				}
			}
			parked[one], of = none, append(of, one)
		}
		if len(of) > 0 {
			w.next()
			w.values(t, of, func(one *row) map[string][]byte { return parked[one] })
		}
	}
}

// update writes values and links.
func (w *writer) update() {
	w.park(restore)
	w.next()
	for _, t := range w.run.ordered() {
		var rows []*row
		for _, one := range t.rows {
			if (one.does == update || one.does == restore) && len(one.values) > 0 {
				rows = append(rows, one)
			}
		}
		if len(rows) == 0 {
			continue
		}
		w.send("locking files", func(b *pgx.Batch) { w.run.retain(b, t) })
		w.values(t, rows, func(one *row) map[string][]byte { return one.values })
	}
	for _, t := range w.run.ordered() {
		for _, f := range t.Fields {
			w.link(t, f, update)
		}
	}
}

// values writes values into columns of records that are there.
func (w *writer) values(t *table, rows []*row, of func(one *row) map[string][]byte) {
	w.touch(t.Table, 0)
	w.indexed(t, len(rows))
	chunks(rows, func(one *row) []byte {
		return appendMembers(nil, of(one), [2]string{"id", one.id.String()})
	}, func(rows []*row, input string) {
		given := map[string]int{}
		for _, one := range rows {
			for key := range of(one) {
				given[key]++
			}
		}
		var fields []*schema.Field
		var changed []string
		set, columns := "", ""
		for _, f := range t.Fields {
			key := changelog.Key(&f.Field)
			n, ok := given[key]
			if !ok {
				continue
			}
			fields = append(fields, f)
			columns += ", " + f.Column() + " " + f.Info().Column
			differs := "o." + f.Column() + " is distinct from v." + f.Column()
			if n == len(rows) {
				set += ", " + f.Column() + " = v." + f.Column()
				changed = append(changed, differs)
				continue
			}
			set += fmt.Sprintf(", %[1]s = case when v.j ? '%[2]s' then v.%[1]s else t.%[1]s end", f.Column(), key)
			changed = append(changed, "v.j ? '"+key+"' and "+differs)
		}
		logged := changelog.About(t.Table, changelog.Updated, w.run.origin, "before", db.ChangeNumber, 3)
		statement := "with v as materialized (select j.j, r.* from jsonb_array_elements($1::text::jsonb) j(j), " +
			"lateral jsonb_to_record(j.j) as r(id uuid" + columns + ")), " +
			"old as materialized (select o.id, o.version, " + changelog.Was("o", fields, changed) +
			" as was from v join " + t.Relation() + " o on o.id = v.id), " +
			"before as materialized (select * from old where was <> '{}'), changed as (update " + t.Relation() +
			" as t set updated_at = now(), updated_by = $2, version = " + db.ChangeNumber + set +
			" from v join before on before.id = v.id where t.id = v.id) " + logged.SQL
		w.send("writing values", func(b *pgx.Batch) {
			b.Queue(statement, append([]any{input, w.run.origin.Person}, logged.Args...)...)
		})
		w.report(rows)
	})
}

// link writes the lists of a link field, of records that come back or of others.
func (w *writer) link(t *table, f *schema.Field, does deed) {
	if f.Link == nil {
		return
	}
	far, _ := w.run.far(f)
	var rows []*row
	for _, one := range t.rows {
		if _, ok := one.lists[f]; ok && one.does == does {
			rows = append(rows, one)
		}
	}
	if len(rows) == 0 || far == nil {
		return
	}
	if does == update {
		w.next() // the other side of the link may have been written before
	}
	for chunk := range slices.Chunk(rows, chunkRecords) {
		l := &changelog.LinkWrite{Schema: w.run.schema, Field: f, Fresh: does == restore}
		for _, one := range chunk {
			l.Rows = append(l.Rows, one.id)
			var far map[uuid.UUID]*int32
			if does == restore {
				far = placesIn(membersOf(one.image), &f.Field)
			}
			for place, other := range one.lists[f] {
				l.Own, l.Other = append(l.Own, one.id), append(l.Other, other)
				l.Places, l.FarPlaces = append(l.Places, int32(place+1)), append(l.FarPlaces, far[other])
			}
		}
		w.send("writing links", func(b *pgx.Batch) { record.QueueLink(b, l, w.run.origin) })
		w.report(chunk)
	}
	w.touch(t.Table, 0)
	w.touch(far, 0)
}

// chunks encodes rows as JSON arrays.
func chunks(rows []*row, encode func(one *row) []byte, write func(rows []*row, input string)) {
	first, input := 0, []byte(nil)
	for i, one := range rows {
		if input == nil {
			input = append(input, '[')
		} else {
			input = append(input, ',')
		}
		input = append(input, encode(one)...)
		if i+1 == len(rows) || i+1-first == chunkRecords || len(input) > chunkBytes {
			write(rows[first:i+1], string(append(input, ']')))
			first, input = i+1, nil
		}
	}
}

// retain keeps files that values of a table name from being removed.
func (r *run) retain(b *pgx.Batch, t *table) {
	ids := slices.DeleteFunc(t.fileIDs(), func(file uuid.UUID) bool { return !t.files[file] })
	if len(ids) > 0 {
		attachment.Retain(b, r.actor.Org, t.ID, ids, db.StateMissingFile)
	}
}

func (w *writer) touchLinked(t *table) {
	for _, f := range t.Fields {
		if f.Link != nil {
			far, _ := w.run.far(f)
			w.touch(far, 0)
		}
	}
}

func (w *writer) indexed(t *table, rows int) {
	w.run.engine.records.IndexManager().Wrote(t.Table, rows)
}

// noteReverts stores which change sets were reverted.
func (w *writer) noteReverts() {
	if len(w.run.sets) == 0 {
		return
	}
	w.send("noting what was reverted", func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.change_set_revert (org_id, change_set, reverted) select $1, $2, s
			from unnest($3::uuid[]) s where s <> $2 on conflict do nothing`,
			w.run.actor.Org, w.run.origin.Set, w.run.sets)
	})
}

// count does the bookkeeping of the tables that were written. It must come last.
func (w *writer) count() {
	if len(w.gained) == 0 {
		return
	}
	numbers := slices.Sorted(maps.Keys(w.gained)) // so that two writers never wait for each other
	gained := make([]int, len(numbers))
	for i, n := range numbers {
		gained[i] = w.gained[n]
	}
	w.send("counting records", func(b *pgx.Batch) {
		b.Queue("insert into "+schema.CountRelation(w.run.actor.Org)+" as c (table_number, slot, records, writes) "+
			"select n, "+db.Slot+", g, 1 from unnest($1::integer[], $2::bigint[]) as u(n, g) order by n "+
			"on conflict (table_number, slot) do update set records = c.records + excluded.records, "+
			"writes = c.writes + 1",
			numbers, gained)
	})
}

// encodeMembers writes an object of values in JSON.
func encodeMembers(members map[string][]byte) []byte { return appendMembers(nil, members) }

// raced reports whether another transaction wrote what this one relies on: it gave away a value that has
// to be unique, removed a row that is referred to, or removed a file.
func raced(err error) bool {
	return pgerror.Is(err, pgerrcode.UniqueViolation, pgerrcode.ForeignKeyViolation, db.StateMissingFile)
}

package feed

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An entry of the log has the values of the changed fields before a change. Their values after it are
// in the next change of the field, or in the present record. So each record of a page is walked from
// the present back.

// A state is a record at a moment, as far as it is known. Of a record that was purged, or deleted
// before the log began, only the values in entries are known.
type state struct {
	changelog.State

	known   []bool // of each cell
	columns columns
}

func (s *state) clone() state {
	return state{
		changelog.State{Values: slices.Clone(s.Values), There: s.There}, slices.Clone(s.known), maps.Clone(s.columns),
	}
}

func (s *state) setKnown(known bool) {
	for i := range s.known {
		s.known[i] = known
	}
}

func (p *pageReader) readValues(ctx context.Context, changes []Change) error {
	for t, own := range byTable(changes) {
		v := &valueReader{pageReader: p, table: t, cells: p.cellsOf(t)}
		v.ids, v.tracks = tracksOf(own)
		var err error
		if v.selection, err = p.newSelection(t); err != nil {
			return err
		}
		if err := v.read(ctx); err != nil {
			return fmt.Errorf("reading the values of changes: %w", err)
		}
		if err := v.selection.apply(ctx, v, own); err != nil {
			return err
		}
		for _, c := range own {
			if c.text == nil { // the entry is not in the chain of its record
				c.text = v.text(c, state{}, state{}, nil, false)
			}
		}
	}
	return p.hideComments(ctx, changes)
}

// A valueReader reads the values of changes of one table.
type valueReader struct {
	*pageReader

	table  *schema.Table
	cells  []changelog.Cell
	ids    []uuid.UUID
	tracks map[uuid.UUID]*track
	// selection excludes changes; nil excludes none.
	selection *selection
}

func (v *valueReader) batch(ctx context.Context, queue func(b *pgx.Batch)) error {
	return v.DB.TableBatch(ctx, v.table.Org, v.table.Ref(), func(b *pgx.Batch) {
		v.keepPlans(b)
		queue(b)
	})
}

func (v *valueReader) read(ctx context.Context) error {
	for _, one := range v.tracks {
		one.state.Values = make([]changelog.Value, len(v.cells))
		one.state.known = make([]bool, len(v.cells))
	}
	// The present is read before the log, so that the log has everything that is written meanwhile.
	err := v.batch(ctx, func(b *pgx.Batch) {
		b.Queue("select t.id, t.version, "+v.selection.present()+changelog.PresentColumns(v.cells)+" from "+
			v.table.Whole().Relation()+" t where t.id = any ($1)", v.ids).Query(v.collectPresent)
	})
	if err != nil {
		return err
	}
	if err := v.findDeletions(ctx); err != nil {
		return err
	}
	starts, floors := make([]int64, len(v.ids)), make([]int64, len(v.ids))
	for i, row := range v.ids {
		starts[i], floors[i] = v.tracks[row].start, v.tracks[row].floor
	}
	err = v.batch(ctx, func(b *pgx.Batch) {
		b.Queue(v.chainSQL(), v.ids, starts, floors, v.table.Number).Query(v.walk)
	})
	for _, row := range v.ids {
		v.appendReturned(row, -1)
	}
	return err
}

func (v *valueReader) collectPresent(rows pgx.Rows) error {
	var row uuid.UUID
	for rows.Next() {
		var version int64
		var present state
		var columns *string
		if err := present.ScanPresent(rows, v.cells, &row, &version, &columns); err != nil {
			return fmt.Errorf("reading a present record: %w", err)
		}
		var err error
		if present.columns, err = v.selection.columnsOf(columns); err != nil {
			return err
		}
		present.known = make([]bool, len(v.cells))
		present.setKnown(true)
		one := v.tracks[row]
		one.start, one.state = version, present
	}
	return rows.Err()
}

// findDeletions finds the latest deletion of each record that does not exist.
func (v *valueReader) findDeletions(ctx context.Context) error {
	var missing []uuid.UUID
	since := int64(0)
	for row, one := range v.tracks {
		if !one.state.There {
			if missing = append(missing, row); since == 0 || one.floor < since {
				since = one.floor
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return v.batch(ctx, func(b *pgx.Batch) {
		b.Queue("select r.id, max(l.number) from "+changelog.Relation(v.table.Org)+" l cross join lateral "+
			"unnest(l.records) r(id) where l.kind = "+
			changelog.SQLDeleted+" and l.table_number = $2 and l.number >= $3 and l.records && $1 "+
			"and r.id = any ($1) group by r.id", missing, v.table.Number, since).Query(func(rows pgx.Rows) error {
			var row uuid.UUID
			var number int64
			_, err := pgx.ForEachRow(rows, []any{&row, &number}, func() error {
				v.tracks[row].start = number
				return nil
			})
			return err
		})
	})
}

// chainSQL is the statement that reads the entries of the records $1 from their latest changes $2 back
// to their changes $3, each record's in the order in which they are undone.
func (v *valueReader) chainSQL() string {
	log := changelog.Relation(v.table.Org)
	next := func(row, number string) string {
		return "(select min(l.previous[p.place]) from " + log + " l cross join lateral " +
			"(select array_position(l.records, " + row + ") as place) p where l.number = " + number +
			" and l.table_number = $4 and p.place is not null and l.previous[p.place] <> l.number)"
	}
	return "with recursive chain(row, number, next, floor) as (" +
		"select s.row, s.number, " + next("s.row", "s.number") + ", s.floor from unnest($1::uuid[], $2::bigint[], " +
		"$3::bigint[]) s(row, number, floor) where s.number >= s.floor union all " +
		"select c.row, c.next, " + next("c.row", "c.next") + ", c.floor from chain c where c.next >= c.floor) " +
		"select c.row, l.number, l.kind, array(select jsonb_object_keys(l.was)) as keys, l.purged, " +
		v.selection.was() + changelog.ChangeColumns(v.cells) + " from chain c " +
		// OFFSET keeps the planner from reading the log other than by number, and from reading an
		// element of before once for each column.
		"cross join lateral (select l.*, array_position(l.records, c.row) as place from " + log + " l " +
		"where l.number = c.number and l.table_number = $4 and l.kind <> " + changelog.SQLReturned + " offset 0) f " +
		"cross join lateral (select f.number, f.kind, f.previous[f.place] as previous, w.was is null as purged, " +
		"coalesce(w.was, '{}') as was from (select case when f.before is null and f.kind <> " + changelog.SQLDeleted +
		" then '{}'::jsonb else " +
		"nullif(f.before -> (f.place - 1), 'null'::jsonb) end as was offset 0) w offset 0) l " +
		changelog.Populate(v.table, v.cells) +
		"where f.place is not null order by c.row, " + changelog.UndoOrder
}

// walk reads the rows of chainSQL and writes the changes of the page.
func (v *valueReader) walk(rows pgx.Rows) error {
	const before = 6 // columns before those of the cells
	var row, lastRow uuid.UUID
	var number, lastNumber int64
	var kind changelog.Kind
	var keys []string
	var purged bool
	var was *string
	targets := append([]any{&row, &number, &kind, &keys, &purged, &was}, make([]any, len(v.cells))...)
	var after state
	changed := map[int]*changelog.LinkChange{}
	finish := func() {
		one := v.tracks[lastRow]
		if one == nil {
			return
		}
		if c := one.changes[lastNumber]; c != nil {
			before := one.state.clone()
			if c.returned != nil {
				c.returned.before(v, &before, changed)
			}
			c.text = v.text(c, before, after, changed, false)
			v.selection.add(v, c, before, after)
		}
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("reading an entry of the log: %w", err)
		}
		one := v.tracks[row]
		if row != lastRow || number != lastNumber {
			finish()
			v.appendReturned(row, number)
			lastRow, lastNumber = row, number
			after, changed = one.state.clone(), map[int]*changelog.LinkChange{}
		}
		part := map[int]*changelog.LinkChange{}
		if err := one.state.Undo(v.cells, kind, keys, rows.RawValues()[before:], part); err != nil {
			return err
		}
		if err := v.selection.undo(&one.state, kind, was); err != nil {
			return err
		}
		switch kind { //nolint:exhaustive // the others change fields
		case changelog.Created, changelog.Restored:
			one.state.setKnown(true)
		case changelog.Deleted:
			one.state.setKnown(!purged)
		}
		for i, links := range part {
			if kind != changelog.Linked {
				one.state.known[i] = true
			}
			if _, twice := changed[i]; twice {
				links = nil
			}
			changed[i] = links
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	finish()
	return nil
}

// text writes a change of a record. returned says that its values only came with their field or table, which leaves
// the record's version as it was.
func (v *valueReader) text(
	c *Change, before, after state, changed map[int]*changelog.LinkChange, returned bool,
) []byte {
	dst := c.appendHead(nil)
	if returned {
		dst = append(dst, `,"returned":true`...)
	}
	dst = field.AppendString(append(dst, `,"table":`...), v.table.PublicID())
	dst = field.AppendString(append(dst, `,"record":`...), id.FormatRecord(v.table.Number, c.Position.id))
	var shown, linked []int // positions of cells
	for i := range v.cells {
		links, ok := changed[i]
		switch {
		case before.There != after.There:
			shown = append(shown, i)
		case !ok || before.known[i] && after.known[i] && changelog.Equal(before.Values[i], after.Values[i]):
		case links != nil && c.Kind == changelog.Linked:
			linked = append(linked, i)
		default:
			shown = append(shown, i)
		}
	}
	if v.partial() && before.There && after.There && len(shown)+len(linked) == 0 {
		c.left = true // only what the person does not see was changed
	}
	dst = v.appendSide(append(dst, `,"before":`...), before, shown)
	dst = v.appendSide(append(dst, `,"after":`...), after, shown)
	if len(linked) > 0 {
		dst = append(dst, `,"links":{`...)
		for n, i := range linked {
			cell := &v.cells[i]
			dst = append(field.AppendString(append(dst, comma(n)...), cell.Field.Name), `:{"added":`...)
			dst = appendList(dst, cell, changed[i].Added)
			dst = append(appendList(append(dst, `,"removed":`...), cell, changed[i].Removed), '}')
		}
		dst = append(dst, '}')
	}
	dst = append(dst, `,"fieldIds":{`...)
	for n, i := range append(shown, linked...) {
		f := v.cells[i].Field
		dst = append(field.AppendString(append(dst, comma(n)...), f.Name), ':')
		dst = field.AppendString(dst, f.PublicID())
	}
	return append(dst, "}}"...)
}

func comma(n int) string { return ","[:min(n, 1)] }

func appendList(dst []byte, cell *changelog.Cell, rows []uuid.UUID) []byte {
	if len(rows) == 0 {
		return append(dst, "[]"...)
	}
	return cell.AppendLinks(dst, rows)
}

// appendSide writes the shown fields as they were at a moment, or null if there was no record or no
// field is shown. It omits what is not known.
func (v *valueReader) appendSide(dst []byte, at state, shown []int) []byte {
	if !at.There || len(shown) == 0 {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	written := 0
	for _, i := range shown {
		if !at.known[i] {
			continue
		}
		cell := &v.cells[i]
		dst = append(field.AppendString(append(dst, comma(written)...), cell.Field.Name), ':')
		dst = cell.Append(dst, at.Values[i])
		written++
	}
	return append(dst, '}')
}

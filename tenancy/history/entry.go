package history

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A reader makes a page from the rows of a walk. The rows with one number are one entry.
type reader struct {
	walk

	memory *membudget.Reservation
	in     RecordRequest
	below  int64
	page   RecordPage
	size   int
	last   int64 // number of the page's last entry
	full   bool

	change // the change whose rows are being read
}

// A change is what one number did to the record.
type change struct {
	number     int64
	kind       changelog.Kind
	shown      bool // it has a kind that the reader sees
	set        uuid.UUID
	person     *uuid.UUID
	name       *string
	credential string
	request    string // "" if it is the change set's

	changed map[int]*changelog.LinkChange // by the positions of cells
	after   changelog.State
}

// collect reads the rows of chainSQL.
func (r *reader) collect(rows pgx.Rows) error {
	const before = 8 // columns before those of the cells
	var next change
	var kind changelog.Kind
	var keys []string
	targets := append([]any{
		&next.number, &kind, &next.set, &next.person, &next.name, &next.credential, &next.request, &keys,
	}, make([]any, len(r.cells))...)
	for rows.Next() && !r.full {
		next.person, next.name = nil, nil
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("reading an entry of the log: %w", err)
		}
		if next.number != r.number {
			if err := r.finish(); err != nil {
				return err
			}
			r.change = next
			r.changed = map[int]*changelog.LinkChange{}
			r.after = changelog.State{Values: slices.Clone(r.Values), There: r.There}
		}
		if r.sees(kind, keys) && (!r.shown || changelog.Rank(kind) < changelog.Rank(r.kind)) {
			r.kind, r.shown = kind, true
		}
		if err := r.Undo(r.cells, kind, keys, rows.RawValues()[before:], r.changed); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if !r.full {
		if err := r.finish(); err != nil {
			return err
		}
		// The rows end with the creation, with the entry after the page, or where the log ends.
		r.page.Complete = !r.full && r.kind == changelog.Created
	}
	return nil
}

// finish adds the entry that was read to the page, unless it belongs to another page.
func (r *reader) finish() error {
	switch {
	case r.number == 0 || r.number >= r.below || !r.shown:
		return nil
	case r.seen != nil && r.There && r.after.There && len(r.changes()) == 0:
		return nil // the change was one of what the reader does not see
	case len(r.page.Entries) == r.in.Limit:
		r.end()
		return nil
	}
	e := r.read()
	if r.size += e.size(); r.size > membudget.MaxSize && len(r.page.Entries) > 0 {
		r.end()
		return nil
	}
	if !r.memory.Fits(r.size) {
		return membudget.ErrNoMemory
	}
	r.page.Entries, r.last = append(r.page.Entries, e), r.number
	return nil
}

// end ends the page before the entry that was read.
func (r *reader) end() { r.full, r.page.Cursor = true, strconv.FormatInt(r.last, 10) }

// read returns the entry whose rows have been read.
func (r *reader) read() Entry {
	c := &r.change
	e := Entry{
		Version: c.number, ChangeSet: id.Format(id.ChangeSet, c.set),
		Request: cmp.Or(c.request, id.Format(id.Request, c.set)),
		Person:  c.person, Name: c.name, Credential: c.credential, Kind: c.kind, Changes: r.changes(),
	}
	if r.in.State {
		e.State = r.appendState(nil)
	}
	return e
}

// changes returns the values of fields before and after. All values of a record that does not exist are
// empty.
func (r *reader) changes() (list []FieldChange) {
	for i := range r.cells {
		c := &r.cells[i]
		if !c.IsLive(r.number) {
			continue
		}
		was := r.before(i)
		from, to := r.There && r.cells[was].IsSet(r.Values[was]), r.after.There && c.IsSet(r.after.Values[i])
		if r.There && r.after.There {
			_, ok := r.changed[i]
			if was != i && !from && !to || was == i && (!ok || changelog.Equal(r.Values[i], r.after.Values[i])) {
				continue
			}
			from, to = true, true
		} else if !from && !to || c.Field.Computed != nil {
			continue // computed fields show present values, and some did not exist then
		}
		list = append(list, FieldChange{
			Field: c.Field, From: side(&r.cells[was], r.Values[was], from), To: side(c, r.after.Values[i], to),
		})
	}
	return list
}

// before is the position of the field's cell before the entry, which may have given the field another
// type.
func (r *reader) before(i int) int {
	if !r.cells[i].Begins(r.number) || r.kind != changelog.Updated {
		return i
	}
	return slices.IndexFunc(r.cells, func(c changelog.Cell) bool {
		return c.Field.ID == r.cells[i].Field.ID && c.IsLive(r.number-1)
	})
}

func side(c *changelog.Cell, v changelog.Value, there bool) []byte {
	if !there {
		return []byte("null")
	}
	return c.Append(nil, v)
}

// appendState writes the fields after the change.
func (r *reader) appendState(dst []byte) []byte {
	if !r.after.There {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, some := 0, false; i < len(r.cells); i++ {
		if !r.cells[i].IsLive(r.number) {
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		dst = append(field.AppendString(dst, r.cells[i].Field.Name), ':')
		dst = r.cells[i].Append(dst, r.after.Values[i])
	}
	return append(dst, '}')
}

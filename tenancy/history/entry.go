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

// A reader makes a page of the rows of a walk. The rows of one number are one entry.
type reader struct {
	walk

	memory *membudget.Reservation
	in     RecordRequest
	below  int64
	page   RecordPage
	size   int
	last   int64 // number of the page's last entry
	full   bool

	entry // the one whose rows are being read
}

// An entry is one change of a record.
type entry struct {
	number     int64
	kind       changelog.Kind
	set        uuid.UUID
	person     *uuid.UUID
	name       *string
	credential string
	request    string // "" if it is that of the change set

	changed map[int]*changelog.LinkChange // by the places of cells
	after   changelog.State
}

// collect reads the rows of chainSQL.
func (r *reader) collect(rows pgx.Rows) error {
	const before = 8 // columns before those of the cells
	var next entry
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
			r.entry = next
			r.kind, r.changed = kind, map[int]*changelog.LinkChange{}
			r.after = changelog.State{Values: slices.Clone(r.Values), There: r.There}
		} else if changelog.Rank(kind) < changelog.Rank(r.kind) {
			r.kind = kind
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
		// The rows end with the creation, with the entry behind the page, or where the log ends.
		r.page.Complete = !r.full && r.kind == changelog.Created
	}
	return nil
}

// finish adds the entry that was read to the page, unless it is of another page.
func (r *reader) finish() error {
	switch {
	case r.number == 0 || r.number >= r.below:
		return nil
	case len(r.page.Entries) == r.in.Limit:
		r.end()
		return nil
	}
	written := r.append(nil)
	if r.size += len(written); r.size > membudget.MaxSize && len(r.page.Entries) > 0 {
		r.end()
		return nil
	}
	if !r.memory.Fits(r.size) {
		return membudget.ErrNoMemory
	}
	r.page.Entries, r.last = append(r.page.Entries, written), r.number
	return nil
}

// end ends the page before the entry that was read.
func (r *reader) end() { r.full, r.page.Cursor = true, strconv.FormatInt(r.last, 10) }

func (r *reader) append(dst []byte) []byte {
	e := &r.entry
	dst = strconv.AppendInt(append(dst, `{"version":`...), e.number, 10)
	dst = changelog.AppendTime(append(dst, `,"time":`...), e.number)
	dst = field.AppendString(append(dst, `,"changeSet":`...), id.Format(id.ChangeSet, e.set))
	request := cmp.Or(e.request, id.Format(id.Request, e.set))
	dst = field.AppendString(append(dst, `,"request":`...), request)
	dst = changelog.AppendPerson(append(dst, `,"person":`...), e.person, e.name)
	dst = field.AppendString(append(dst, `,"credential":`...), e.credential)
	dst = field.AppendString(append(dst, `,"kind":`...), e.kind.Name())
	dst = r.appendChanges(append(dst, `,"changes":[`...))
	dst = append(dst, ']')
	if r.in.State {
		dst = r.appendState(append(dst, `,"state":`...))
	}
	return append(dst, '}')
}

// appendChanges writes what fields held before and after. A record that is not there holds nothing.
func (r *reader) appendChanges(dst []byte) []byte {
	e, some := &r.entry, false
	for i := range r.cells {
		c := &r.cells[i]
		if !c.IsLive(e.number) {
			continue
		}
		was := r.before(i)
		from, to := r.There && r.cells[was].IsSet(r.Values[was]), e.after.There && c.IsSet(e.after.Values[i])
		if r.There && e.after.There {
			_, ok := e.changed[i]
			if was != i && !from && !to || was == i && (!ok || changelog.Equal(r.Values[i], e.after.Values[i])) {
				continue
			}
			from, to = true, true
		} else if !from && !to || c.Field.Computed != nil {
			continue // what computed fields show is not what they showed then: some were not there
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		dst = field.AppendString(append(dst, `{"field":{"id":`...), c.Field.PublicID())
		dst = append(field.AppendString(append(dst, `,"name":`...), c.Field.Name), '}')
		dst = appendSide(append(dst, `,"from":`...), &r.cells[was], r.Values[was], from)
		dst = appendSide(append(dst, `,"to":`...), c, e.after.Values[i], to)
		dst = append(dst, '}')
	}
	return dst
}

// before is the place of the cell that a field had before the entry, which may have given it another type.
func (r *reader) before(i int) int {
	if !r.cells[i].Begins(r.number) || r.entry.kind != changelog.Updated {
		return i
	}
	return slices.IndexFunc(r.cells, func(c changelog.Cell) bool {
		return c.Field.ID == r.cells[i].Field.ID && c.IsLive(r.number-1)
	})
}

func appendSide(dst []byte, c *changelog.Cell, v changelog.Value, there bool) []byte {
	if !there {
		return append(dst, "null"...)
	}
	return c.Append(dst, v)
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

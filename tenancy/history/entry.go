package history

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/answer"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// A reader makes a page of the rows of a walk. The rows of one number are one entry.
type reader struct {
	walk

	memory *answer.Reservation
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
	request    *string

	changed map[int]bool // places of cells
	after   []value      // the state after the change
	stood   bool         // whether the record existed after it
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
		next.person, next.name, next.request = nil, nil, nil
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("reading an entry of the log: %w", err)
		}
		if next.number != r.number {
			if err := r.finish(); err != nil {
				return err
			}
			r.entry = next
			r.kind, r.changed = kind, map[int]bool{}
			r.after, r.stood = slices.Clone(r.state), r.there
		} else if rank(kind) < rank(r.kind) {
			r.kind = kind
		}
		if err := r.undo(kind, keys, rows.RawValues()[before:]); err != nil {
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

// rank orders the kinds of rows with one number by what they say of the whole.
func rank(kind changelog.Kind) int {
	return slices.Index([]changelog.Kind{
		changelog.Deleted, changelog.Created, changelog.Restored, changelog.Updated, changelog.Linked,
	}, kind)
}

// undo turns the state into that before a change.
func (r *reader) undo(kind changelog.Kind, keys []string, raw [][]byte) error {
	switch kind { //nolint:exhaustive // the others change fields
	case changelog.Created, changelog.Restored:
		r.state, r.there = make([]value, len(r.cells)), false
		return nil
	case changelog.Deleted:
		r.state, r.there = make([]value, len(r.cells)), true
	}
	for i := range r.cells {
		c := &r.cells[i]
		if !slices.Contains(keys, c.key) {
			continue
		}
		r.changed[i] = true
		if !c.isLink() {
			r.state[i] = value{raw: clone(raw[i])}
			continue
		}
		var err error
		var rows []uuid.UUID
		if kind == changelog.Linked {
			rows, err = unlink(r.state[i].rows, raw[i])
		} else {
			rows, err = links(raw[i])
		}
		if err != nil {
			return err
		}
		r.state[i] = value{rows: rows}
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
	if r.size += len(written); r.size > answer.MaxSize && len(r.page.Entries) > 0 {
		r.end()
		return nil
	}
	if !r.memory.Fits(r.size) {
		return answer.ErrNoMemory
	}
	r.page.Entries, r.last = append(r.page.Entries, written), r.number
	return nil
}

// end ends the page before the entry that was read.
func (r *reader) end() { r.full, r.page.Cursor = true, strconv.FormatInt(r.last, 10) }

var kindNames = map[changelog.Kind]string{
	changelog.Created: "created", changelog.Updated: "updated", changelog.Deleted: "deleted",
	changelog.Linked: "linked", changelog.Restored: "restored",
}

func (r *reader) append(dst []byte) []byte {
	e := &r.entry
	dst = strconv.AppendInt(append(dst, `{"version":`...), e.number, 10)
	dst = appendTime(append(dst, `,"time":`...), e.number)
	dst = field.AppendString(append(dst, `,"changeSet":`...), id.Format(id.ChangeSet, e.set))
	request := id.Format(id.Request, e.set)
	if e.request != nil {
		request = *e.request
	}
	dst = field.AppendString(append(dst, `,"request":`...), request)
	dst = appendPerson(append(dst, `,"person":`...), e.person, e.name)
	dst = field.AppendString(append(dst, `,"credential":`...), e.credential)
	dst = field.AppendString(append(dst, `,"kind":`...), kindNames[e.kind])
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
		from, to := r.there && c.isSet(r.state[i]), e.stood && c.isSet(e.after[i])
		if r.there && e.stood {
			if !e.changed[i] || equal(r.state[i], e.after[i]) {
				continue
			}
			from, to = true, true
		} else if !from && !to {
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		dst = append(append(dst, `{"field":`...), c.head...)
		dst = c.appendSide(append(dst, `,"from":`...), r.state[i], from)
		dst = c.appendSide(append(dst, `,"to":`...), e.after[i], to)
		dst = append(dst, '}')
	}
	return dst
}

func (c *cell) appendSide(dst []byte, v value, there bool) []byte {
	if !there {
		return append(dst, "null"...)
	}
	return c.append(dst, v)
}

// appendState writes the fields after the change.
func (r *reader) appendState(dst []byte) []byte {
	if !r.stood {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i := range r.cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(field.AppendString(dst, r.cells[i].field.Name), ':')
		dst = r.cells[i].append(dst, r.after[i])
	}
	return append(dst, '}')
}

// appendTime writes the time of a number, which counts from 1970. AppendTimestamp counts from 2000.
func appendTime(dst []byte, number int64) []byte {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	return field.AppendTimestamp(dst, number-epoch)
}

// appendPerson writes {id, name}, or null for the service itself. The name of who has left the
// organization is null.
func appendPerson(dst []byte, person *uuid.UUID, name *string) []byte {
	if person == nil {
		return append(dst, "null"...)
	}
	dst = field.AppendString(append(dst, `{"id":`...), id.Format(id.User, *person))
	dst = append(dst, `,"name":`...)
	if name == nil {
		return append(dst, "null}"...)
	}
	return append(field.AppendString(dst, *name), '}')
}

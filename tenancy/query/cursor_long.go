package query

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A longValue stands in a cursor for a sort value that is too long to travel. The record that the
// cursor names usually still has the value, which the checksum verifies.
type longValue struct {
	sum    [sha256.Size]byte
	prefix []byte // of a text; empty for others
}

func shorten(f *schema.Field, value []byte) longValue {
	long := longValue{sum: sha256.Sum256(value)}
	if f.Info().Unbounded {
		n := maxCursorPrefix
		for n > 0 && !utf8.RuneStart(value[n]) {
			n--
		}
		// A part of a number is another number.
		long.prefix = bytes.TrimRightFunc(value[:n], unicode.IsDigit)
	}
	return long
}

// afterAll sorts after everything that begins with the text before it: U+FFFF has the highest weight of
// the root collation (Unicode TR 35, part 5, "Tailored noncharacter weights").
const afterAll = "\uffff"

// LongValues is the statement that reads the sort values of the cursor's record, if some of them did
// not travel; otherwise "". ResolveCursor takes its result.
func (p *Plan) LongValues() (sql string, row uuid.UUID) {
	if p.Cursor == nil || len(p.Cursor.long) == 0 {
		return "", uuid.Nil
	}
	values := Select{
		Columns: sortColumns(p.Sorts),
		From:    p.Table.From(sortFields(p.Sorts)),
		Where:   []string{"t.id = $1"},
	}
	return values.String(), p.Cursor.row
}

// ResolveCursor completes the cursor with the present sort values of its record; there are none if the
// record is gone. If a value has changed, the list continues from the beginning of the text: records
// may then be seen twice, and none is left out. A list of options has no such position, so its cursor
// is refused.
func (p *Plan) ResolveCursor(now [][]byte) error {
	for i, long := range p.Cursor.long {
		f := p.Sorts[i].Field
		switch {
		case i < len(now) && now[i] != nil && sha256.Sum256(now[i]) == long.sum:
			p.Cursor.values[i] = now[i]
		case !f.Info().Unbounded:
			return problem.Invalid("cursor",
				"stands behind a record whose %q has changed since; begin again without one", f.Name)
		case p.Sorts[i].Desc:
			p.Cursor.values[i] = append(slices.Clone(long.prefix), afterAll...)
		default:
			p.Cursor.values[i] = long.prefix
		}
	}
	return nil
}

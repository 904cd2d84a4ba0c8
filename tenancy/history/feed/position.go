package feed

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// A Position is a position in the feed: after one change, which may be one of many in a transaction.
// The zero position is the start of the kept history.
type Position struct {
	number  int64
	table   int32
	section section
	id      uuid.UUID // of the record or the object
}

// A section orders the changes of a transaction in one table: first the objects of the schema, in the
// order in which they need one another, then the records, and then comments. Cursors contain it, so it
// never changes.
type section uint8

const (
	sectionBase section = iota
	sectionTable
	sectionField
	sectionView
	sectionRecord
	sectionComment
)

// behind is the position after everything up to a moment.
func behind(m changelog.Moment) Position {
	return Position{int64(m), math.MaxInt32, sectionRecord, uuid.Max}
}

// Compare orders positions.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.number, q.number), cmp.Compare(p.table, q.table),
		cmp.Compare(p.section, q.section), bytes.Compare(p.id[:], q.id[:]))
}

// record is the record at the position, uuid.Nil before all records, or uuid.Max after them.
func (p Position) record() uuid.UUID {
	switch {
	case p.section < sectionRecord:
		return uuid.Nil
	case p.section > sectionRecord:
		return uuid.Max
	}
	return p.id
}

const positionSize = 8 + 4 + 1 + 16

// String returns the position's cursor.
func (p Position) String() string {
	packed := make([]byte, 0, positionSize)
	packed = binary.BigEndian.AppendUint64(packed, uint64(p.number)) //nolint:gosec // round trip
	packed = binary.BigEndian.AppendUint32(packed, uint32(p.table))  //nolint:gosec // round trip
	packed = append(append(packed, byte(p.section)), p.id[:]...)
	return base64.RawURLEncoding.EncodeToString(packed)
}

// ParsePosition reads a cursor.
func ParsePosition(path, cursor string) (Position, error) {
	packed, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(packed) != positionSize || packed[12] > byte(sectionComment) || packed[0] > math.MaxInt8 ||
		packed[8] > math.MaxInt8 {
		return Position{}, problem.Invalid(path, "must be the cursor of an earlier answer")
	}
	return Position{
		number:  int64(binary.BigEndian.Uint64(packed)),     //nolint:gosec // checked above
		table:   int32(binary.BigEndian.Uint32(packed[8:])), //nolint:gosec // checked above
		section: section(packed[12]),
		id:      uuid.UUID(packed[13:]),
	}, nil
}

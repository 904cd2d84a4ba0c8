package record

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
)

// A Page is a part of a list, with the records as finished JSON.
type Page struct {
	Records [][]byte // each a JSON object {id, createdTime, version, fields}, of one shared buffer
	Total   int64    // of the whole list, exact
	Offset  int64    // of the first record in the list
	Limit   int
	HasMore bool
	Cursor  string // of the next page; "" when there is none
}

// AppendJSON writes {records, total, offset, limit, hasMore}, and cursor when there is one.
func (p Page) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	dst = appendJoined(dst, p.Records)
	dst = append(dst, `],"total":`...)
	dst = strconv.AppendInt(dst, p.Total, 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, p.Offset, 10)
	dst = append(dst, `,"limit":`...)
	dst = strconv.AppendInt(dst, int64(p.Limit), 10)
	dst = append(dst, `,"hasMore":`...)
	dst = strconv.AppendBool(dst, p.HasMore)
	if p.Cursor != "" {
		dst = append(dst, `,"cursor":"`...)
		dst = append(dst, p.Cursor...) // base64url
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// appendJoined grows dst once for all records: growing it record by record copies a page four
// times.
func appendJoined(dst []byte, records [][]byte) []byte {
	const around = 256 // for what a page or a write has beside its records
	size := around
	for _, r := range records {
		size += len(r) + 1
	}
	dst = slices.Grow(dst, size)
	for i, r := range records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, r...)
	}
	return dst
}

// MarshalJSON is AppendJSON for encoding/json.
func (p Page) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// Groups are the results, each a JSON object {key, results}: the values of the fields that were
// grouped by, and the results by the name of their function, as in "sum(Price)". They are in the
// order of their keys, empty values last.
type Groups struct {
	Groups  [][]byte
	HasMore bool
}

// AppendJSON writes {groups, hasMore}.
func (g Groups) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"groups":[`...)
	dst = appendJoined(dst, g.Groups)
	dst = append(dst, `],"hasMore":`...)
	dst = strconv.AppendBool(dst, g.HasMore)
	return append(dst, '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (g Groups) MarshalJSON() ([]byte, error) { return g.AppendJSON(nil), nil }

// A Record is one record as finished JSON.
type Record []byte

// AppendJSON writes {id, createdTime, version, fields}.
func (r Record) AppendJSON(dst []byte) []byte { return append(dst, r...) }

// Version returns the number of the record's latest change, and false for no record.
func (r Record) Version() (int64, bool) {
	_, rest, found := bytes.Cut(r, []byte(`,"version":`)) // before it is nothing that a person wrote
	digits, _, _ := bytes.Cut(rest, []byte(","))
	version, err := strconv.ParseInt(string(digits), 10, 64)
	return version, found && err == nil
}

// MarshalJSON is AppendJSON for encoding/json.
func (r Record) MarshalJSON() ([]byte, error) { return r, nil }

// Written is what a write returns: the records in the order of the input.
type Written struct {
	Records [][]byte // each a JSON object {id, createdTime, version, fields}
	// Upsert tells which were new; nil for other writes.
	Upsert *Upserted
}

// Upserted lists the ids of the records that an upsert created and updated, in the order of the
// input.
type Upserted struct {
	Created, Updated []string
}

// AppendJSON writes {records}, and for an upsert also created and updated.
func (w Written) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	dst = appendJoined(dst, w.Records)
	dst = append(dst, ']')
	if w.Upsert != nil {
		dst = appendIDs(append(dst, `,"created":`...), w.Upsert.Created)
		dst = appendIDs(append(dst, `,"updated":`...), w.Upsert.Updated)
	}
	return append(dst, '}')
}

func appendIDs(dst []byte, ids []string) []byte {
	dst = append(dst, '[')
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = field.AppendString(dst, id)
	}
	return append(dst, ']')
}

// MarshalJSON is AppendJSON for encoding/json.
func (w Written) MarshalJSON() ([]byte, error) { return w.AppendJSON(nil), nil }

// copyValue copies a value into the memory of another; null stays null.
func copyValue(into, value []byte) []byte {
	if value == nil {
		return nil
	}
	if into == nil {
		into = []byte{} // an empty value is not null
	}
	return append(into[:0], value...)
}

// A pageBuffer holds the records of a page in a few pieces, so that a large page is not copied
// while it grows.
type pageBuffer struct {
	piece []byte
	size  int // of all pieces
}

// pieceSize is the size from which on a piece takes no other record, in bytes.
const pieceSize = 64 << 10

func (b *pageBuffer) add(p *query.Projection, raw [][]byte, limit int) []byte {
	const likely = 512 // bytes of a record
	if b.piece == nil {
		b.piece = make([]byte, 0, likely*limit)
	}
	start := len(b.piece)
	if start > pieceSize {
		size := likely
		for _, value := range raw {
			size += len(value) + len(value)/16
		}
		b.piece, start = make([]byte, 0, max(size, pieceSize)), 0
	}
	b.piece = p.Append(b.piece, raw)
	record := b.piece[start:len(b.piece):len(b.piece)]
	b.size += len(record)
	return record
}

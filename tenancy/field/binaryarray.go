package field

import (
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A BinaryArray is an array in PostgreSQL's binary form under construction, which costs the database less than half of
// what the text form does. A statement of many rows is worth it.
type BinaryArray struct {
	element uint32 // its type
	isDate  bool
	data    []byte
	entries int
	expects int
}

// headerSize is that of an array of one dimension.
const headerSize = 20

// elements are PostgreSQL's numbers of the types of entries.
var elements = map[string]uint32{
	"text": 25, "double precision": 701, "boolean": 16, "date": 1082, "timestamptz": 1184, "uuid": 2950,
	"bigint": 20,
}

// NewBinaryArray returns an array of a type of Info.Array, such as text[], of which so many entries are expected.
func NewBinaryArray(array string, entries int) *BinaryArray {
	element, known := elements[strings.TrimSuffix(array, "[]")]
	if !known {
		panic("field: no column is sent as " + array)
	}
	data := make([]byte, headerSize, headerSize+12*entries)
	return &BinaryArray{element: element, isDate: array == "date[]", data: data, expects: entries}
}

// Add appends an entry: a Value for a column, or a uuid.UUID.
func (a *BinaryArray) Add(value any) {
	if a.entries == sampled && a.expects > sampled {
		a.data = append(make([]byte, 0, len(a.data)*a.expects/sampled*9/8), a.data...)
	}
	a.entries++
	big := binary.BigEndian
	switch v := value.(type) {
	case nil:
		a.data = big.AppendUint32(a.data, math.MaxUint32)
	case string:
		a.data = append(big.AppendUint32(a.data, uint32(len(v))), v...) //nolint:gosec // at most MaxLongText
	case float64:
		a.data = big.AppendUint64(big.AppendUint32(a.data, 8), math.Float64bits(v))
	case int64:
		a.data = big.AppendUint64(big.AppendUint32(a.data, 8), uint64(v)) //nolint:gosec // two's complement
	case bool:
		one := byte(0)
		if v {
			one = 1
		}
		a.data = append(big.AppendUint32(a.data, 1), one)
	case time.Time:
		if a.isDate {
			days := floorDiv(v.Unix(), 86400) - epochDays
			a.data = big.AppendUint32(big.AppendUint32(a.data, 4), uint32(days)) //nolint:gosec // two's complement
			break
		}
		micros := v.UnixMicro() - epochMicros
		a.data = big.AppendUint64(big.AppendUint32(a.data, 8), uint64(micros)) //nolint:gosec // two's complement
	case uuid.UUID:
		a.data = append(big.AppendUint32(a.data, uint32(len(v))), v[:]...)
	default: // lists are in the form that a cast reads
		at := len(a.data)
		a.data = appendInner(append(a.data, 0, 0, 0, 0), value)
		big.PutUint32(a.data[at:], uint32(len(a.data)-at-4)) //nolint:gosec // of a record
	}
}

// Bytes completes the array, which must have an entry.
func (a *BinaryArray) Bytes() []byte {
	big := binary.BigEndian
	big.PutUint32(a.data, 1)                      // dimension
	big.PutUint32(a.data[4:], 1)                  // may have nulls
	big.PutUint32(a.data[8:], a.element)          //
	big.PutUint32(a.data[12:], uint32(a.entries)) //nolint:gosec // rows of a statement
	big.PutUint32(a.data[16:], 1)                 // number of the first
	return a.data
}

func floorDiv(a, b int64) int64 {
	if q := a / b; a%b >= 0 {
		return q
	}
	return a/b - 1
}

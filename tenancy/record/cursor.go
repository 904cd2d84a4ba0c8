package record

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A cursor is the place behind one record of a sorted list: the record's sort values and id. The page after it costs the same
// wherever it is, and neither skips nor repeats a record that stays where it was.
type cursor struct {
	offset int64    // how many records came before, as far as the reader saw
	values [][]byte // of each sort, as PostgreSQL sent them; nil is empty
	row    uuid.UUID
	long   map[int]longValue // by sort: values that did not travel; see Engine.resolve
}

const (
	cursorVersion = 1
	maxCursor     = 16 << 10 // bytes before encoding

	// A value that is longer does not travel whole, so that a cursor fits into an address: it has less than 6 KB for ten sorts.
	maxCursorValue  = 512
	maxCursorPrefix = 256
)

// How a cursor holds a value.
const (
	cursorNull  = 0
	cursorWhole = 1 // its length and its bytes
	cursorLong  = 2 // its checksum, and as cursorWhole the beginning of a text
)

// orderSum names what a cursor belongs to: the table and the sorts. A cursor of another order is refused.
func orderSum(t *schema.Table, sorts []Sort) uint32 {
	sum := crc32.NewIEEE()
	_, _ = sum.Write(t.ID[:])
	for _, s := range sorts {
		_, _ = sum.Write(s.Field.ID[:])
		_, _ = sum.Write([]byte(s.Field.Type))
		if s.Desc {
			_, _ = sum.Write([]byte{1})
		}
	}
	return sum.Sum32()
}

// encode returns the opaque text of a cursor.
func (c *cursor) encode(t *schema.Table, sorts []Sort) string {
	out := []byte{cursorVersion}
	out = binary.BigEndian.AppendUint32(out, orderSum(t, sorts))
	out = binary.AppendUvarint(out, uint64(c.offset)) //nolint:gosec // not negative
	for i, value := range c.values {
		switch {
		case value == nil:
			out = append(out, cursorNull)
			continue
		case len(value) <= maxCursorValue:
			out = append(out, cursorWhole)
		default:
			long := shorten(sorts[i].Field, value)
			out = append(out, cursorLong)
			out = append(out, long.sum[:]...)
			value = long.prefix
		}
		out = binary.AppendUvarint(out, uint64(len(value)))
		out = append(out, value...)
	}
	out = append(out, c.row[:]...)
	return base64.RawURLEncoding.EncodeToString(out)
}

// parseCursor reads what encode wrote for the same table and sorts.
func parseCursor(t *schema.Table, sorts []Sort, text string) (*cursor, error) {
	bad := func() (*cursor, error) {
		return nil, problem.Invalid("cursor", "is not a cursor of this table with these sorts; begin again without one")
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < 1+4+1+16 || len(raw) > maxCursor || raw[0] != cursorVersion ||
		binary.BigEndian.Uint32(raw[1:]) != orderSum(t, sorts) {
		return bad()
	}
	raw = raw[5:]
	offset, n := binary.Uvarint(raw)
	if n <= 0 || offset > math.MaxInt64/2 {
		return bad()
	}
	raw = raw[n:]
	c := &cursor{offset: int64(offset)}
	for _, s := range sorts {
		if len(raw) == 0 || raw[0] > cursorLong {
			return bad()
		}
		how := raw[0]
		raw = raw[1:]
		var long longValue
		switch how {
		case cursorNull:
			c.values = append(c.values, nil)
			continue
		case cursorLong:
			if len(raw) < len(long.sum) {
				return bad()
			}
			raw = raw[copy(long.sum[:], raw):]
		}
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) { //nolint:gosec // n is at most the length
			return bad()
		}
		value := raw[n : n+int(size)] //nolint:gosec // bounded by len
		if how == cursorLong {
			if long.prefix = value; !isText(s.Field) && size > 0 || !cleanText(value) {
				return bad()
			}
			if c.long == nil {
				c.long = map[int]longValue{}
			}
			c.long[len(c.values)] = long
		} else if _, ok := sortValue(s.Field, value); !ok {
			return bad()
		}
		c.values = append(c.values, value)
		raw = raw[n+int(size):] //nolint:gosec // bounded by len
	}
	if len(raw) != 16 {
		return bad()
	}
	c.row = uuid.UUID(raw)
	return c, nil
}

// cleanText reports whether PostgreSQL takes the bytes for text.
func cleanText(raw []byte) bool { return utf8.Valid(raw) && !bytes.ContainsRune(raw, 0) }

// sortValue turns a value as PostgreSQL sent it into an argument. It reports false for bytes that are no such value.
func sortValue(f *schema.Field, raw []byte) (any, bool) {
	switch f.Type.Info().Shape {
	case schema.ShapeText, schema.ShapeChoice:
		return string(raw), cleanText(raw)
	case schema.ShapeNumber:
		if len(raw) != 8 {
			return nil, false
		}
		bits := binary.BigEndian.Uint64(raw)
		if f.Type.Info().Column == "bigint" {
			return int64(bits), true //nolint:gosec // two's complement
		}
		return math.Float64frombits(bits), true
	case schema.ShapeBool:
		return len(raw) == 1 && raw[0] == 1, len(raw) == 1
	case schema.ShapeDate:
		if len(raw) != 4 {
			return nil, false
		}
		days := int64(int32(binary.BigEndian.Uint32(raw)))                                                        //nolint:gosec // two's complement
		return time.Unix((days+epochDays)*86400, 0).UTC(), days >= -epochDays-719162 && days <= 2932896-epochDays // the years 1 to 9999
	case schema.ShapeMoment:
		if len(raw) != 8 {
			return nil, false
		}
		micros := int64(binary.BigEndian.Uint64(raw)) //nolint:gosec // two's complement
		const most = 8_000 * 366 * 86400 * 1_000_000
		return time.UnixMicro(micros + epochMicros).UTC(), micros > -most && micros < most
	case schema.ShapeUser:
		if len(raw) == 16 && f.Type.Info().System != "" {
			return uuid.UUID(raw), true
		}
		var people []uuid.UUID
		ok := f.Type.Info().System == "" && uuids(raw, func(u uuid.UUID) { people = append(people, u) })
		return people, ok
	case schema.ShapeChoices:
		names := []string{}
		ok := entries(raw, func(name []byte) bool {
			names = append(names, string(name))
			return cleanText(name)
		})
		return names, ok
	case schema.ShapeLink, schema.ShapeAttachment, schema.ShapeJSON, schema.ShapeNone:
	}
	return nil, false
}

// after returns the conditions of the records behind the cursor. Put together, in this order, the lists that they select are the
// rest of the list: an index serves each of them, as it would not serve their disjunction.
func (q *query) after(c *cursor, sorts []Sort) []string {
	row := q.arg(c.row)
	if len(sorts) == 0 {
		return []string{"t.id > " + row}
	}
	placeholders := make([]string, len(sorts))
	for i, s := range sorts {
		if c.values[i] == nil {
			continue
		}
		value, _ := sortValue(s.Field, c.values[i])
		placeholders[i] = q.arg(value)
	}
	var rest func(i int) string
	rest = func(i int) string {
		if i == len(sorts) {
			return "t.id > " + row
		}
		expression := sortExpression(sorts[i].Field)
		if c.values[i] == nil {
			return "(" + expression + " is null and " + rest(i+1) + ")"
		}
		sign := " > "
		if sorts[i].Desc {
			sign = " < "
		}
		return "(" + expression + sign + placeholders[i] + " or " + expression + " is null or (" +
			expression + " = " + placeholders[i] + " and " + rest(i+1) + "))"
	}
	first := sortExpression(sorts[0].Field)
	if c.values[0] == nil {
		return []string{rest(0)}
	}
	bound, strict := " >= ", " > "
	if sorts[0].Desc {
		bound, strict = " <= ", " < "
	}
	conditions := []string{
		first + bound + placeholders[0] + " and (" + first + strict + placeholders[0] + " or " + rest(1) + ")",
	}
	if sorts[0].Field.Type.Info().Shape != schema.ShapeBool && sorts[0].Field.Type.Info().System == "" {
		conditions = append(conditions, first+" is null")
	}
	return slices.Clip(conditions)
}

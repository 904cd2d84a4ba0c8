package query

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Cursor is the position after one record of a sorted list: the record's sort values and id. The page
// after it costs the same wherever it is, and neither skips nor repeats a record that stays where it
// was.
type Cursor struct {
	offset int64    // how many records came before, as far as the reader saw
	values [][]byte // of each sort, as PostgreSQL sent them; nil is empty
	row    uuid.UUID
	long   map[int]longValue // by sort: values that did not travel; see Plan.ResolveCursor
	moment changelog.Moment  // of a list of the past; 0 for the present
}

const (
	cursorVersion     = 1
	pastCursorVersion = 2        // the same, after the moment of the list
	maxCursor         = 16 << 10 // bytes before encoding

	// A longer value does not travel whole, so that a cursor fits into an address: it has less than 6
	// KB for ten sorts.
	maxCursorValue  = 512
	maxCursorPrefix = 256
)

// How a cursor encodes a value.
const (
	cursorNull  = 0
	cursorWhole = 1 // its length and its bytes
	cursorLong  = 2 // its checksum, and as cursorWhole the beginning of a text
)

// orderSum identifies what a cursor belongs to: the table, the sorts, and the order of the values
// before the cursor. A cursor of another order is refused.
func (c *Cursor) orderSum(t *schema.Table, sorts []Sort) uint32 {
	sum := crc32.NewIEEE()
	_, _ = sum.Write(t.ID[:])
	for i, s := range sorts {
		_, _ = sum.Write(s.Field.ID[:])
		_, _ = sum.Write([]byte(s.Field.Type()))
		const column = `"f"` // a field may be read from one column now, and from another later
		if order := s.Field.Kind.Order(s.passed(c.values[i]), column); order != column {
			_, _ = sum.Write([]byte(order))
		}
		if s.Desc {
			_, _ = sum.Write([]byte{1})
		}
	}
	return sum.Sum32()
}

// passed is the field of a sort with only the options that a list has passed at a value, because
// further options may be added and moved after it. If that is unknown, it has all of them.
func (s Sort) passed(value []byte) *field.Field {
	f := s.Field.Field
	if len(value) > maxCursorValue {
		return &f
	}
	var places []int32
	switch key, _ := f.Kind.SortKey(value); key := key.(type) {
	case int32:
		places = []int32{key}
	case []int32:
		places = key
	}
	options := f.OrderedOptions()
	switch n := int32(len(options)); { //nolint:gosec // at most field.MaxOptions
	case len(places) == 0 || slices.Min(places) < 0 || slices.Max(places) >= n:
	case s.Desc:
		return f.WithOrderedOptions(options[slices.Min(places):])
	default:
		return f.WithOrderedOptions(options[:slices.Max(places)+1])
	}
	return &f
}

// CursorBehind returns the opaque text of the cursor after a record of the plan's list: the record's
// position, id and sort values.
func (p *Plan) CursorBehind(offset int64, row uuid.UUID, values [][]byte) string {
	c := Cursor{offset: offset, values: values, row: row, moment: p.moment}
	return c.encode(p.Table, p.Sorts)
}

// encode returns the opaque text of a cursor.
func (c *Cursor) encode(t *schema.Table, sorts []Sort) string {
	out := []byte{cursorVersion}
	if c.moment != 0 {
		out = binary.BigEndian.AppendUint64([]byte{pastCursorVersion},
			uint64(c.moment)) //nolint:gosec // two's complement
	}
	out = binary.BigEndian.AppendUint32(out, c.orderSum(t, sorts))
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

// CursorMoment returns the moment of the list that a cursor belongs to; 0 for a list of the present.
func CursorMoment(text string) changelog.Moment {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < 9 || raw[0] != pastCursorVersion {
		return 0
	}
	return changelog.Moment(binary.BigEndian.Uint64(raw[1:])) //nolint:gosec // two's complement
}

// parseCursor reads what encode wrote for the same table, sorts and moment.
func parseCursor(t *schema.Table, sorts []Sort, moment changelog.Moment, text string) (*Cursor, error) {
	bad := func() (*Cursor, error) {
		of := ""
		if moment != 0 {
			of = " and this asOf"
		}
		return nil, problem.Invalid("cursor", "is not a cursor of this table with these sorts%s; begin again without "+
			"one", of)
	}
	if CursorMoment(text) != moment {
		return bad()
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil && moment != 0 {
		raw = append([]byte{cursorVersion}, raw[9:]...)
	}
	if err != nil || len(raw) < 1+4+1+16 || len(raw) > maxCursor || raw[0] != cursorVersion {
		return bad()
	}
	sum := binary.BigEndian.Uint32(raw[1:])
	raw = raw[5:]
	offset, n := binary.Uvarint(raw)
	if n <= 0 || offset > math.MaxInt64/2 {
		return bad()
	}
	raw = raw[n:]
	c := &Cursor{offset: int64(offset), moment: moment}
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
			if long.prefix = value; !s.Field.Info().Unbounded && size > 0 || !field.IsText(value) {
				return bad()
			}
			if c.long == nil {
				c.long = map[int]longValue{}
			}
			c.long[len(c.values)] = long
		} else if _, ok := s.Field.Kind.SortKey(value); !ok {
			return bad()
		}
		c.values = append(c.values, value)
		raw = raw[n+int(size):] //nolint:gosec // bounded by len
	}
	if len(raw) != 16 || sum != c.orderSum(t, sorts) {
		return bad()
	}
	c.row = uuid.UUID(raw)
	return c, nil
}

// after returns the conditions of the records after the cursor. The lists that they select, in this
// order, are the rest of the list. An index serves each of them, and would not serve their disjunction.
func (c *Compiler) after(place *Cursor, sorts []Sort) []string {
	row := c.Add(place.row)
	if len(sorts) == 0 {
		return []string{"t.id > " + row}
	}
	placeholders := make([]string, len(sorts))
	for i, s := range sorts {
		if place.values[i] == nil {
			continue
		}
		value, _ := s.Field.Kind.SortKey(place.values[i])
		placeholders[i] = c.Add(value)
	}
	var rest func(i int) string
	rest = func(i int) string {
		if i == len(sorts) {
			return "t.id > " + row
		}
		expression := sortExpression(sorts[i].Field)
		if place.values[i] == nil {
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
	if place.values[0] == nil {
		return []string{rest(0)}
	}
	bound, strict := " >= ", " > "
	if sorts[0].Desc {
		bound, strict = " <= ", " < "
	}
	conditions := []string{
		first + bound + placeholders[0] + " and (" + first + strict + placeholders[0] + " or " + rest(1) + ")",
	}
	if !sorts[0].Field.Info().NeverNull {
		conditions = append(conditions, first+" is null")
	}
	return slices.Clip(conditions)
}

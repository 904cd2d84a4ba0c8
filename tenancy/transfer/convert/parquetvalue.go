package convert

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetLeaf writes single values as text.
type parquetLeaf struct {
	text func(v parquet.Value) string
	// isNumber says that the text is a JSON number, and whole that it may have more digits than a field keeps.
	isNumber, whole bool
	isText          bool // the values are bytes that should be UTF-8
}

// newParquetLeaf reads the type of single values.
func newParquetLeaf(t parquet.Type) (leaf *parquetLeaf, form string) {
	leaf = &parquetLeaf{}
	if logical := t.LogicalType(); logical != nil {
		if form = leaf.annotated(t, logical); form != "" {
			return leaf, form
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		leaf.text = func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }
		return leaf, checkboxForm
	case parquet.Int32, parquet.Int64:
		leaf.text, leaf.isNumber, leaf.whole = signed, true, true
		return leaf, numberForm
	case parquet.Int96:
		leaf.text = func(v parquet.Value) string { return int96Time(v).Format(time.RFC3339Nano) }
		return leaf, timeForm
	case parquet.Float:
		leaf.text = func(v parquet.Value) string { return floating(float64(v.Float()), 32) }
		leaf.isNumber = true
		return leaf, numberForm
	case parquet.Double:
		leaf.text = func(v parquet.Value) string { return floating(v.Double(), 64) }
		leaf.isNumber = true
		return leaf, numberForm
	case parquet.ByteArray, parquet.FixedLenByteArray:
		leaf.text, leaf.isText = func(v parquet.Value) string { return string(v.ByteArray()) }, true
		return leaf, textForm
	}
	panic(fmt.Sprintf("a column of the unknown type %s", t))
}

// annotated sets how values of a logical type are written, and returns the form of their field; "" if the physical type
// says all.
func (l *parquetLeaf) annotated(t parquet.Type, logical *format.LogicalType) string {
	switch of := logical.Value.(type) {
	case *format.DecimalType:
		l.text, l.isNumber, l.whole = func(v parquet.Value) string { return decimal(v, int(of.Scale)) }, true, true
		return numberForm
	case *format.IntType:
		if of.IsSigned || t.Kind() != parquet.Int32 && t.Kind() != parquet.Int64 {
			return ""
		}
		l.text, l.isNumber, l.whole = func(v parquet.Value) string {
			if v.Kind() == parquet.Int32 {
				return strconv.FormatUint(uint64(v.Uint32()), 10)
			}
			return strconv.FormatUint(v.Uint64(), 10)
		}, true, true
		return numberForm
	case *format.DateType:
		l.text = func(v parquet.Value) string {
			return time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly)
		}
		return dateForm
	case *format.TimestampType:
		layout := "2006-01-02T15:04:05.999999999"
		if of.IsAdjustedToUTC {
			layout = time.RFC3339Nano
		}
		unit := unitOf(of.Unit)
		l.text = func(v parquet.Value) string { return inUnits(v.Int64(), unit).Format(layout) }
		return timeForm
	case *format.TimeType:
		unit := unitOf(of.Unit)
		l.text = func(v parquet.Value) string {
			n := int64(0)
			if v.Kind() == parquet.Int32 {
				n = int64(v.Int32())
			} else {
				n = v.Int64()
			}
			return inUnits(n, unit).Format("15:04:05.999999999")
		}
		return durationForm
	case *format.JsonType:
		l.text, l.isText = func(v parquet.Value) string { return string(v.ByteArray()) }, true
		return jsonForm
	case *format.UUIDType:
		l.text = func(v parquet.Value) string {
			one, err := uuid.FromBytes(v.ByteArray())
			if err != nil {
				return hex.EncodeToString(v.ByteArray())
			}
			return one.String()
		}
		return textForm
	}
	return ""
}

// text writes a single value, and counts what is not written as it is.
func (c *parquetColumn) text(leaf *parquetLeaf, value any) string {
	v, ok := value.(parquet.Value)
	if !ok {
		return ""
	}
	text := leaf.text(v)
	switch {
	case leaf.isText && !utf8.ValidString(text):
		c.binary++
		return hex.EncodeToString([]byte(text))
	case leaf.isNumber && text == "":
		c.noNumbers++
	case leaf.whole && len(text) > 15 && !isExact(text):
		c.inexact = true
	}
	return text
}

// isExact reports whether a field of numbers keeps every digit.
func isExact(digits string) bool {
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return false
	}
	exact, ok := new(big.Rat).SetString(digits)
	if !ok {
		return false
	}
	short, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
	return ok && short.Cmp(exact) == 0
}

// json writes a value that is nested.
func (c *parquetColumn) json(n *parquetNode, value any) string {
	var out strings.Builder
	c.writeJSON(&out, n, value)
	return out.String()
}

func (c *parquetColumn) writeJSON(out *strings.Builder, n *parquetNode, value any) {
	switch v := value.(type) {
	case nil:
		out.WriteString("null")
	case parquet.Value:
		text := c.text(n.leaf, v)
		switch {
		case n.leaf.isNumber && text == "":
			out.WriteString("null")
		case n.leaf.isNumber, n.form == checkboxForm, n.form == jsonForm && json.Valid([]byte(text)):
			out.WriteString(text)
		default:
			out.WriteString(quoted(text))
		}
	case []any:
		c.writeList(out, n, v)
	case []entry:
		out.WriteByte('{')
		for i, one := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(quoted(one.name) + ":")
			c.writeJSON(out, n.members[i], one.value)
		}
		out.WriteByte('}')
	}
}

// writeList writes a list, or a map as an object.
func (c *parquetColumn) writeList(out *strings.Builder, n *parquetNode, list []any) {
	if n.entry != nil {
		out.WriteByte('{')
		for i, one := range list {
			pair, _ := one.([]entry)
			if i > 0 {
				out.WriteByte(',')
			}
			key := c.json(n.entry.members[0], pair[0].value)
			if !strings.HasPrefix(key, `"`) {
				key = quoted(key)
			}
			out.WriteString(key + ":")
			c.writeJSON(out, n.entry.members[1], pair[1].value)
		}
		out.WriteByte('}')
		return
	}
	of := n.element
	if of == nil { // a repeated group
		of = n
	}
	out.WriteByte('[')
	for i, one := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		c.writeJSON(out, of, one)
	}
	out.WriteByte(']')
}

func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(encoded)
}

func signed(v parquet.Value) string {
	if v.Kind() == parquet.Int32 {
		return strconv.FormatInt(int64(v.Int32()), 10)
	}
	return strconv.FormatInt(v.Int64(), 10)
}

// floating writes a number; "" for one that is infinite or none.
func floating(x float64, bits int) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, bits)
	}
	return strconv.FormatFloat(x, 'f', -1, bits)
}

// decimal writes a number of which the last digits, as many as scale, are behind the point.
func decimal(v parquet.Value, scale int) string {
	unscaled := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		unscaled.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		unscaled.SetInt64(v.Int64())
	default:
		raw := v.ByteArray()
		unscaled.SetBytes(raw)
		if len(raw) > 0 && raw[0]&0x80 != 0 { // two's complement
			unscaled.Sub(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(len(raw))*8))
		}
	}
	digits := unscaled.String()
	if scale <= 0 {
		return digits + strings.Repeat("0", min(-scale, 400))
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if scale > 400 { // no writer has so many
		scale = 400
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	return sign + strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
}

func unitOf(unit format.TimeUnit) time.Duration {
	if unit.Value == nil {
		return time.Nanosecond
	}
	return unit.Value.Duration()
}

// inUnits is the moment so many units after the beginning of 1970.
func inUnits(n int64, unit time.Duration) time.Time {
	perSecond := int64(time.Second / unit)
	return time.Unix(n/perSecond, n%perSecond*int64(unit)).UTC()
}

// int96Time reads a moment as older programs write it: nanoseconds of a day, and the Julian number of the day.
func int96Time(v parquet.Value) time.Time {
	parts := v.Int96()
	nanoseconds := binary.LittleEndian.Uint64(binary.LittleEndian.AppendUint32(
		binary.LittleEndian.AppendUint32(nil, parts[0]), parts[1]))
	const epoch = 2_440_588                                                    // the Julian day of 1 January 1970
	return time.Unix((int64(parts[2])-epoch)*86_400, int64(nanoseconds)).UTC() //nolint:gosec // of one day
}

package field

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// The appenders write one value as JSON into the buffer of the response, from PostgreSQL's binary
// format if the value has one.

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Text from PostgreSQL is valid UTF-8.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		start = i + 1
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// AppendNumber appends x as ECMAScript would write it.
func AppendNumber(dst []byte, x float64) []byte {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.AppendInt(dst, int64(x), 10)
	}
	if abs := math.Abs(x); abs < 1e-6 || abs >= 1e21 {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// PostgreSQL counts days and microseconds from the first of January 2000.
const (
	epochDays   = 10957
	epochMicros = epochDays * 86400 * 1_000_000
)

func appendDate(dst []byte, days int32) []byte {
	dst = append(dst, '"')
	dst = appendCivil(dst, int64(days)+epochDays)
	return append(dst, '"')
}

// appendCivil appends days since 1970 as YYYY-MM-DD.
func appendCivil(dst []byte, days int64) []byte {
	y, m, d := civil(days)
	return append(dst, byte('0'+y/1000%10), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10), '-',
		byte('0'+m/10), byte('0'+m%10), '-', byte('0'+d/10), byte('0'+d%10)) //nolint:gosec // digits
}

// civil turns days since 1970-01-01 into a date of the Gregorian calendar, for years 1 to 9999 (H.
// Hinnant's algorithm, "chrono-Compatible Low-Level Date Algorithms").
func civil(days int64) (year, month, day int) {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy - (153*mp+2)/5 + 1)
	month = int(mp + 3)
	if mp >= 10 {
		month = int(mp - 9)
	}
	year = int(yoe + era*400)
	if month <= 2 {
		year++
	}
	return year, month, day
}

// AppendTimestamp appends microseconds since 2000 as RFC 3339 in UTC, with three digits of a second, or
// with six unless the last three are zero.
func AppendTimestamp(dst []byte, micros int64) []byte {
	micros += epochMicros
	days, rest := micros/86_400_000_000, micros%86_400_000_000
	if rest < 0 {
		days, rest = days-1, rest+86_400_000_000
	}
	dst = append(dst, '"')
	dst = appendCivil(dst, days)
	dst = append(dst, 'T')
	seconds, fraction := rest/1_000_000, rest%1_000_000
	hour, minute, second := seconds/3600, seconds/60%60, seconds%60
	dst = append(dst, byte('0'+hour/10), byte('0'+hour%10), ':', byte('0'+minute/10), byte('0'+minute%10), ':',
		byte('0'+second/10), byte('0'+second%10), '.',
		byte('0'+fraction/100_000), byte('0'+fraction/10_000%10), byte('0'+fraction/1000%10))
	if low := fraction % 1000; low != 0 {
		dst = append(dst, byte('0'+low/100), byte('0'+low/10%10), byte('0'+low%10))
	}
	return append(dst, 'Z', '"')
}

func appendUser(dst []byte, raw []byte) []byte {
	dst = append(dst, '"')
	dst = append(dst, id.Format(id.User, uuid.UUID(raw))...)
	return append(dst, '"')
}

// uuids calls yield for each element of a one-dimensional uuid[] in binary format. It returns false for
// other bytes.
func uuids(raw []byte, yield func(u uuid.UUID)) bool {
	return entries(raw, func(entry []byte) bool {
		if len(entry) != 16 {
			return false
		}
		yield(uuid.UUID(entry))
		return true
	})
}

// entries calls yield for each element of a one-dimensional array in binary format, until yield returns
// false. It returns false for bytes that are no such array, and for an array with a null.
func entries(raw []byte, yield func(entry []byte) bool) bool {
	// ndim, flags, element type; then length and lower bound; then length and bytes of each
	// element.
	if len(raw) < 12 {
		return false
	}
	if binary.BigEndian.Uint32(raw) == 0 {
		return true
	}
	if binary.BigEndian.Uint32(raw) != 1 || len(raw) < 20 {
		return false
	}
	count := int(binary.BigEndian.Uint32(raw[12:]))
	raw = raw[20:]
	for range count {
		if len(raw) < 4 {
			return false
		}
		size := uint64(binary.BigEndian.Uint32(raw))
		if raw = raw[4:]; size > uint64(len(raw)) || !yield(raw[:size]) {
			return false
		}
		raw = raw[size:]
	}
	return true
}

// appendList writes a uuid[] as an array; an empty one is null, as every value that is not set.
func appendList(dst, raw []byte, write func(dst []byte, u uuid.UUID) []byte) []byte {
	start := len(dst)
	uuids(raw, func(u uuid.UUID) {
		if len(dst) == start {
			dst = append(dst, '[')
		} else {
			dst = append(dst, ',')
		}
		dst = write(dst, u)
	})
	if len(dst) == start {
		return append(dst, "null"...)
	}
	return append(dst, ']')
}

// asIs writes a value that is JSON already.
func asIs(dst, raw []byte) []byte { return append(dst, raw...) }

// IsText reports whether PostgreSQL accepts the bytes as text.
func IsText(raw []byte) bool { return utf8.Valid(raw) && !bytes.ContainsRune(raw, 0) }

package field

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A column of values is sent as one array in PostgreSQL's text form, which is cheap to write and to
// read; entries that are themselves arrays or JSON are text in it and are cast where they are used
// (Info.Array).

// An Array is the text of a PostgreSQL array under construction.
type Array struct {
	text     []byte
	expected int // entries; 0: not known
	added    int
}

// sampled is after how many entries an array expects the others to be as long.
const sampled = 64

// NewArray returns an array for so many entries.
func NewArray(entries int) *Array { return &Array{expected: entries} }

// Add appends an entry: a Value for a column, a uuid.UUID or a bool.
func (a *Array) Add(value any) {
	switch {
	case len(a.text) == 0:
		a.text = append(make([]byte, 0, 2048), '{')
	case a.added == sampled && a.expected > sampled:
		a.text = append(slices.Grow(a.text, len(a.text)*(a.expected-sampled)/sampled*9/8), ',')
	default:
		a.text = append(a.text, ',')
	}
	a.added++
	a.text = AppendEntry(a.text, value)
}

// String is the array's text.
func (a *Array) String() string {
	if len(a.text) == 0 {
		return "{}"
	}
	return string(append(a.text, '}'))
}

// Literal writes a text as a literal of SQL. A text with a backslash is written so that
// standard_conforming_strings does not matter.
func Literal(text string) string {
	text = strings.ReplaceAll(text, "'", "''")
	if strings.Contains(text, `\`) {
		return "E'" + strings.ReplaceAll(text, `\`, `\\`) + "'"
	}
	return "'" + text + "'"
}

// AppendEntry appends an entry of an array's text.
func AppendEntry(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "NULL"...)
	case string:
		return appendQuoted(dst, v)
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(dst, v)
	case time.Time:
		dst = append(dst, '"')
		dst = appendTime(dst, v)
		return append(dst, '"')
	case uuid.UUID:
		return append(dst, v.String()...)
	case []string, []uuid.UUID:
		return appendQuoted(dst, string(appendInner(nil, v)))
	}
	panic("field: a value of a type that no column stores") // decoders return only the types above
}

// appendInner writes the text of a list: of an array within another one.
func appendInner(dst []byte, value any) []byte {
	dst = append(dst, '{')
	switch v := value.(type) {
	case []string:
		for i, s := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendQuoted(dst, s)
		}
	case []uuid.UUID:
		for i, u := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, u.String()...)
		}
	default:
		panic("field: a value of a type that no column stores") // decoders return only the types above
	}
	return append(dst, '}')
}

// appendTime writes a time in a form that PostgreSQL reads for both date and timestamptz.
func appendTime(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, "2006-01-02 15:04:05.999999Z07:00")
}

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\')
			start = i
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// SizeOf is the size of a value that Decode returned, in bytes; Kind.Size is the same in SQL.
func SizeOf(value Value) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []string:
		n := 0
		for _, s := range v {
			n += len(s) + 1
		}
		return n
	case []uuid.UUID:
		return sizeOfUser * len(v)
	}
	return 0 // a few bytes
}

// sizeOfUser is the approximate size of a user's id in JSON, in bytes.
const sizeOfUser = 32

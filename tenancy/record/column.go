package record

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A column of values is sent as one array in PostgreSQL's text form, which is cheap to write here and to read there; entries that are
// themselves arrays or JSON are text in it and are cast where they are used.

// arrayType is the type of the array in which many values of a field travel, and the cast of one entry of it.
func arrayType(f *schema.Field) (array, cast string) {
	switch f.Type.Info().Column {
	case "text":
		return "text[]", ""
	case "double precision", "boolean", "date", "timestamptz", "bigint":
		return f.Type.Info().Column + "[]", ""
	}
	return "text[]", "::" + f.Type.Info().Column
}

// singleCast is the cast of one value that is sent alone.
func singleCast(f *schema.Field) string {
	if f.Type.Info().Column == "jsonb" {
		return "::text::jsonb"
	}
	return "::" + f.Type.Info().Column
}

// An array is an array literal under construction.
type array struct{ text []byte }

func (a *array) add(value any) {
	if len(a.text) == 0 {
		a.text = append(make([]byte, 0, 2048), '{')
	} else {
		a.text = append(a.text, ',')
	}
	a.text = appendEntry(a.text, value)
}

// String is the literal.
func (a *array) String() string {
	if len(a.text) == 0 {
		return "{}"
	}
	return string(append(a.text, '}'))
}

func appendEntry(dst []byte, value any) []byte {
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
	case []string:
		inner := []byte{'{'}
		for i, s := range v {
			if i > 0 {
				inner = append(inner, ',')
			}
			inner = appendQuoted(inner, s)
		}
		return appendQuoted(dst, string(append(inner, '}')))
	case []uuid.UUID:
		inner := []byte{'{'}
		for i, u := range v {
			if i > 0 {
				inner = append(inner, ',')
			}
			inner = append(inner, u.String()...)
		}
		return appendQuoted(dst, string(append(inner, '}')))
	}
	panic("record: a value of a type that no column stores") // decoders return the types above alone
}

// appendTime writes a time as PostgreSQL reads it for date and timestamptz alike.
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

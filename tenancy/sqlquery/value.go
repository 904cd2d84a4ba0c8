package sqlquery

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A shape is how values of a type are written as JSON.
type shape byte

const (
	asText shape = iota
	asNumber
	asBoolean
	asJSON
	asTimestamp
	asTimestamptz
)

type resultType struct {
	name  string
	shape shape
}

// resultTypes are the types whose names results give. Values of other types are their texts.
var resultTypes = map[uint32]resultType{
	pgtype.BoolOID: {
		"boolean",
		asBoolean,
	},
	pgtype.Int2OID:        {"integer", asNumber},
	pgtype.Int4OID:        {"integer", asNumber},
	pgtype.Int8OID:        {"bigint", asNumber},
	pgtype.Float4OID:      {"double precision", asNumber},
	pgtype.Float8OID:      {"double precision", asNumber},
	pgtype.NumericOID:     {"numeric", asNumber},
	pgtype.TextOID:        {"text", asText},
	pgtype.VarcharOID:     {"text", asText},
	pgtype.DateOID:        {"date", asText},
	pgtype.TimestampOID:   {"timestamp", asTimestamp},
	pgtype.TimestamptzOID: {"timestamptz", asTimestamptz},
	pgtype.TimeOID:        {"time", asText},
	pgtype.IntervalOID:    {"interval", asText},
	pgtype.UUIDOID:        {"uuid", asText},
	pgtype.JSONBOID:       {"jsonb", asJSON},
	pgtype.JSONOID:        {"jsonb", asJSON},
}

// elements are the types of the elements of arrays.
var elements = map[uint32]uint32{
	pgtype.TextArrayOID:        pgtype.TextOID,
	pgtype.Int4ArrayOID:        pgtype.Int4OID,
	pgtype.Int8ArrayOID:        pgtype.Int8OID,
	pgtype.Float8ArrayOID:      pgtype.Float8OID,
	pgtype.NumericArrayOID:     pgtype.NumericOID,
	pgtype.BoolArrayOID:        pgtype.BoolOID,
	pgtype.DateArrayOID:        pgtype.DateOID,
	pgtype.TimestamptzArrayOID: pgtype.TimestamptzOID,
	pgtype.TimestampArrayOID:   pgtype.TimestampOID,
	pgtype.UUIDArrayOID:        pgtype.UUIDOID,
	pgtype.VarcharArrayOID:     pgtype.TextOID,
	pgtype.JSONBArrayOID:       pgtype.JSONBOID,
}

func columnsOf(fields []pgconn.FieldDescription) []Column {
	columns := make([]Column, len(fields))
	for i, f := range fields {
		columns[i] = Column{f.Name, typeName(f.DataTypeOID)}
	}
	return columns
}

func typeName(oid uint32) string {
	if known, ok := resultTypes[oid]; ok {
		return known.name
	}
	if element, ok := elements[oid]; ok {
		return resultTypes[element].name + "[]"
	}
	return "text"
}

// appendRow writes a row as a JSON array.
func appendRow(dst []byte, columns []pgconn.FieldDescription, values [][]byte) []byte {
	dst = append(dst, '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, columns[i].DataTypeOID, value)
	}
	return append(dst, ']')
}

func appendValue(dst []byte, oid uint32, value []byte) []byte {
	if value == nil {
		return append(dst, "null"...)
	}
	if element, ok := elements[oid]; ok {
		return appendArray(dst, element, value)
	}
	switch resultTypes[oid].shape {
	case asNumber:
		if bytes.ContainsAny(value, "IN") { // Infinity and NaN are no JSON
			break
		}
		return append(dst, value...)
	case asBoolean:
		if string(value) == "t" {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case asJSON:
		if json.Valid(value) {
			return append(dst, value...)
		}
	case asTimestamp, asTimestamptz:
		return field.AppendString(dst, instant(string(value)))
	case asText:
	}
	return field.AppendString(dst, value)
}

// instant writes PostgreSQL's "2026-01-02 03:04:05+00", which is always in UTC here, as RFC 3339.
func instant(text string) string {
	text = strings.Replace(text, " ", "T", 1)
	if zoned, ok := strings.CutSuffix(text, "+00"); ok {
		return zoned + "Z"
	}
	return text
}

// appendArray writes an array of one dimension as a list, and other arrays as their texts.
func appendArray(dst []byte, element uint32, value []byte) []byte {
	var entries pgtype.Array[*string]
	if err := pgtype.NewMap().Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, value, &entries); err != nil ||
		len(entries.Dims) > 1 {
		return field.AppendString(dst, value)
	}
	dst = append(dst, '[')
	for i, entry := range entries.Elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		if entry == nil {
			dst = append(dst, "null"...)
			continue
		}
		dst = appendValue(dst, element, []byte(*entry))
	}
	return append(dst, ']')
}

// AppendJSON writes {columns, rows, truncated, cost, milliseconds}.
func (r *Result) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"columns":[`...)
	for i, c := range r.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = field.AppendString(append(dst, `{"name":`...), c.Name)
		dst = field.AppendString(append(dst, `,"type":`...), c.Type)
		dst = append(dst, '}')
	}
	dst = append(append(append(dst, `],"rows":[`...), bytes.Join(r.Rows, []byte{','})...), `],"truncated":`...)
	dst = strconv.AppendBool(dst, r.Truncated)
	dst = strconv.AppendFloat(append(dst, `,"cost":`...), r.Cost, 'f', 2, 64)
	dst = strconv.AppendInt(append(dst, `,"milliseconds":`...), r.Took.Milliseconds(), 10)
	return append(dst, '}')
}

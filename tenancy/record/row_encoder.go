package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A rowEncoder is how the records of one table, at one version, are selected and written as JSON: the columns in the order of
// the fields, each with its key and its encoder. It is never changed.
type rowEncoder struct {
	serial  uint64 // its own, in this process
	table   *schema.Table
	columns string // the select list: id, created_at, then one for each of cells, of the record table under the alias t
	cells   []cell

	// The statements that read the row with an id, and the rows with some of several ids; and with each the version of the schema, as the
	// last column.
	one, several string
}

type cell struct {
	field *schema.Field
	key   []byte // `"Name":`, with a comma before it but for the first
	// write appends the value; raw is in the format in which pgx asks for the column's type, and never nil.
	write func(dst, raw []byte) []byte
	empty string // what an SQL null is
}

type encoderKey struct {
	table  uuid.UUID
	linker Linker
}

// encoderOf returns the encoder of all of a table's fields. It is kept beside the snapshot, which an encoder holds on to: kept for longer, it
// would keep schemas in memory that were replaced.
func (e *Engine) encoderOf(s *schema.Snapshot, t *schema.Table) *rowEncoder {
	if e.passing {
		return newRowEncoder(s, t, t.Fields, e.linker)
	}
	kept := s.Derived(func() any { return &sync.Map{} }).(*sync.Map)
	key := encoderKey{t.ID, e.linker}
	if l, ok := kept.Load(key); ok {
		return l.(*rowEncoder)
	}
	l := newRowEncoder(s, t, t.Fields, e.linker)
	kept.Store(key, l)
	return l
}

func newRowEncoder(s *schema.Snapshot, t *schema.Table, fields []*schema.Field, linker Linker) *rowEncoder {
	l := &rowEncoder{serial: serials.Add(1), table: t}
	columns := []string{"t.id", "t.created_at"}
	for _, f := range fields {
		selected, write := output(s, f)
		if write == nil {
			continue
		}
		if f.Type == schema.Attachment && linker != nil {
			write = linked(linker, t.Org)
		}
		key := []byte{}
		if len(l.cells) > 0 {
			key = append(key, ',')
		}
		c := cell{field: f, key: append(appendString(key, f.Name), ':'), write: write, empty: "null"}
		if f.Type.Info().Shape == schema.ShapeBool {
			c.empty = "false"
		}
		l.cells = append(l.cells, c)
		columns = append(columns, selected)
	}
	l.columns = strings.Join(columns, ", ")
	from := "select " + l.columns + ", " + t.Ref().VersionNow() + " from " + t.Relation() + " t where t.id = "
	l.one, l.several = from+"$1", from+"any($1)"
	return l
}

// output is the one place that says how a field's values leave the database: the expression that is selected, and how what it
// yields becomes JSON. A field without values has no encoder.
func output(s *schema.Snapshot, f *schema.Field) (selected string, write func(dst, raw []byte) []byte) {
	column := "t." + f.Column()
	switch f.Type.Info().Shape {
	case schema.ShapeText, schema.ShapeChoice:
		return column, appendString[[]byte]
	case schema.ShapeNumber:
		if f.Type.Info().Column == "bigint" {
			return column, func(dst, raw []byte) []byte {
				return appendNumber(dst, float64(int64(binary.BigEndian.Uint64(raw)))) //nolint:gosec // two's complement
			}
		}
		return column, func(dst, raw []byte) []byte {
			return appendNumber(dst, math.Float64frombits(binary.BigEndian.Uint64(raw)))
		}
	case schema.ShapeBool:
		return column, func(dst, raw []byte) []byte {
			if raw[0] == 0 {
				return append(dst, "false"...)
			}
			return append(dst, "true"...)
		}
	case schema.ShapeDate:
		return column, func(dst, raw []byte) []byte {
			return appendDate(dst, int32(binary.BigEndian.Uint32(raw))) //nolint:gosec // two's complement
		}
	case schema.ShapeMoment:
		return column, func(dst, raw []byte) []byte {
			return appendMoment(dst, int64(binary.BigEndian.Uint64(raw))) //nolint:gosec // two's complement
		}
	case schema.ShapeChoices:
		return "array_to_json(" + column + ")::text", func(dst, raw []byte) []byte { return append(dst, raw...) }
	case schema.ShapeJSON:
		return column + "::text", appendJSON
	case schema.ShapeAttachment:
		return column + "::text", func(dst, raw []byte) []byte { return append(dst, raw...) }
	case schema.ShapeUser:
		if f.Type.Info().System != "" {
			return column, appendUser
		}
		return column, userList(severalUsers(f))
	case schema.ShapeLink:
		linked := s.Table(f.Link.LinkedTable)
		if linked == nil {
			return "", nil
		}
		return linkedRows(f), recordList(linked.Number)
	case schema.ShapeNone:
	}
	return "", nil
}

// linkedRows selects the linked rows of t in their order.
func linkedRows(f *schema.Field) string {
	return fmt.Sprintf("array(select l.%[1]s from %[2]s l where l.%[3]s = t.id order by l.pos_%[3]s, l.%[1]s)",
		f.Link.Other, f.Link.Relation(f.Table.Org), f.Link.Own)
}

func userList(several bool) func(dst, raw []byte) []byte {
	return func(dst, raw []byte) []byte {
		if !several {
			var first *uuid.UUID
			uuids(raw, func(u uuid.UUID) {
				if first == nil {
					first = &u
				}
			})
			if first == nil {
				return append(dst, "null"...)
			}
			return appendUser(dst, first[:])
		}
		return appendList(dst, raw, func(dst []byte, u uuid.UUID) []byte { return appendUser(dst, u[:]) })
	}
}

func recordList(table int32) func(dst, raw []byte) []byte {
	return func(dst, raw []byte) []byte {
		return appendList(dst, raw, func(dst []byte, u uuid.UUID) []byte {
			dst = id.AppendRecord(append(dst, '"'), table, u)
			return append(dst, '"')
		})
	}
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

// append writes one record from the raw values of a row, which begin with id and created_at.
func (l *rowEncoder) append(dst []byte, raw [][]byte) []byte {
	dst = append(dst, `{"id":"`...)
	dst = id.AppendRecord(dst, l.table.Number, uuid.UUID(raw[0]))
	dst = append(dst, `","createdTime":`...)
	dst = appendMoment(dst, int64(binary.BigEndian.Uint64(raw[1]))) //nolint:gosec // two's complement
	dst = append(dst, `,"fields":{`...)
	for i := range l.cells {
		c := &l.cells[i]
		dst = append(dst, c.key...)
		if value := raw[i+2]; value != nil {
			dst = c.write(dst, value)
		} else {
			dst = append(dst, c.empty...)
		}
	}
	return append(dst, "}}"...)
}

// binaryOnly refuses rows whose values do not come in the formats that the encoders read. pgx chooses the format by the
// column's type, so this is a matter of the program and not of the data.
func (l *rowEncoder) binaryOnly(rows pgx.Rows, skip int) error {
	for i, d := range rows.FieldDescriptions()[skip:] { // only once a row is there
		text := d.DataTypeOID == 25 // text is the same in both formats
		if d.Format != pgx.BinaryFormatCode && !text {
			return fmt.Errorf("column %d of table %d came in text format", i, l.table.Number)
		}
	}
	return nil
}

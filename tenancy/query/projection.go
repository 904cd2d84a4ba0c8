package query

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Projection is how the records of one table, at one version, are selected and written as JSON: the
// columns in the order of the fields, each with its key and its encoder. It is immutable.
type Projection struct {
	Serial uint64 // its own, in this process
	Table  *schema.Table

	// ByID reads the record with an id, and ByIDs those with one of several. Their last column is the
	// version of the schema.
	ByID, ByIDs string

	columns string // id, created_at, version, then those of cells
	width   int    // the number of these columns
	rows    []int  // positions of columns that are rows of values; the values follow the columns before the first row
	cells   []cell
}

type cell struct {
	at  int    // its position among the columns, or among the values of rows
	key []byte // `"Name":`, with a comma before it but for the first
	// write appends the value; raw is in the format in which pgx asks for the column's type, and
	// never nil.
	write field.Encoder
	empty string // JSON of an SQL null
}

// serials number the projections of this process, so that a key of a cache refers to no projection, and
// so to no schema.
var serials atomic.Uint64

// NewProjection returns the projection of fields of a table. files writes the addresses of files;
// nil leaves them out.
func NewProjection(t *schema.Table, fields []*schema.Field, files field.FileLinks) *Projection {
	p := &Projection{Serial: serials.Add(1), Table: t}
	columns := []string{"t.id", "t.created_at", "t.version"}
	linked, groups := together(fields)
	cellOf := map[*field.Linked]int{}
	shared, row := schema.Together(t, fields)
	var sharedCells []int
	for _, f := range fields {
		write := f.Kind.Encoder(&f.Field, files)
		if write == nil {
			continue
		}
		key := []byte{}
		if len(p.cells) > 0 {
			key = append(key, ',')
		}
		p.cells = append(p.cells, cell{
			at:    len(columns),
			key:   append(field.AppendString(key, f.Name), ':'),
			write: write,
			empty: f.Info().EmptyJSON(),
		})
		switch l := linked[f]; {
		case l != nil:
			cellOf[l] = len(p.cells) - 1
		case slices.Contains(shared, f):
			sharedCells = append(sharedCells, len(p.cells)-1)
		default:
			columns = append(columns, f.Kind.Select(&f.Field))
		}
	}
	values := len(columns)
	for _, group := range groups {
		p.rows = append(p.rows, len(columns))
		columns = append(columns, field.Together(group))
		for _, l := range group {
			p.cells[cellOf[l]].at = values
			values++
		}
	}
	if row != "" {
		p.rows = append(p.rows, len(columns))
		columns = append(columns, row)
		for _, at := range sharedCells {
			p.cells[at].at = values
			values++
		}
	}
	p.columns, p.width = strings.Join(columns, ", "), len(columns)
	from := "select " + p.columns + ", " + t.Ref().VersionNow() + " from " + t.Relation() + " t where t.id = "
	p.ByID, p.ByIDs = from+"$1", from+"any($1)"
	return p
}

// Columns is the select list, for the record table under the alias t.
func (p *Projection) Columns() string { return p.columns }

// Append writes one record from the raw values of a row, which begin with id, created_at and version.
func (p *Projection) Append(dst []byte, raw [][]byte) []byte {
	dst = append(dst, `{"id":"`...)
	dst = id.AppendRecord(dst, p.Table.Number, uuid.UUID(raw[0]))
	dst = append(dst, `","createdTime":`...)
	dst = field.AppendTimestamp(dst, int64(binary.BigEndian.Uint64(raw[1]))) //nolint:gosec // two's complement
	dst = append(dst, `,"version":`...)
	dst = strconv.AppendUint(dst, binary.BigEndian.Uint64(raw[2]), 10)
	dst = append(dst, `,"fields":{`...)
	if len(p.rows) > 0 {
		var most [32][]byte
		values := append(most[:0], raw[:p.rows[0]]...)
		for _, at := range p.rows {
			values, _ = field.AppendColumns(values, raw[at])
		}
		raw = values
	}
	for i := range p.cells {
		c := &p.cells[i]
		dst = append(dst, c.key...)
		if value := raw[c.at]; value != nil {
			dst = c.write(dst, value)
		} else {
			dst = append(dst, c.empty...)
		}
	}
	return append(dst, "}}"...)
}

// CheckFormats refuses rows whose values are not in the formats that the encoders read. pgx chooses the
// format by the column's type, so this depends on the program and not on the data.
func (p *Projection) CheckFormats(rows pgx.Rows, skip int) error {
	for i, d := range rows.FieldDescriptions()[skip:] { // only once there is a row
		text := d.DataTypeOID == 25 // text is the same in both formats
		if d.Format != pgx.BinaryFormatCode && !text {
			return fmt.Errorf("column %d of table %d came in text format", i, p.Table.Number)
		}
	}
	return nil
}

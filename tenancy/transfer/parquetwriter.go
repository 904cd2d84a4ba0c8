package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// parquetGroup is how much of a table is in memory until a row group is written, in bytes.
const parquetGroup = 8 << 20

// A parquetWriter writes one table as Parquet: numbers, dates, times and checkboxes as such, and lists as lists. The
// numbers of a field with digits behind the point are decimals. The schema comes before the values, so a table in which
// some of them have more digits is written once more, with these fields as floating-point numbers.
type parquetWriter struct {
	spool  *os.File
	out    *parquet.GenericWriter[any]
	all    *Report
	table  *schema.Table
	report *TableReport

	columns []parquetColumn
	rows    []parquet.Row
	waiting int                // bytes, until a row group is written
	loose   map[uuid.UUID]bool // fields whose numbers do not fit a decimal
	misfit  bool               // one was found
	failed  int                // errors of computed fields
}

func newParquetWriter(spool *os.File, all *Report) *parquetWriter {
	return &parquetWriter{spool: spool, all: all, loose: map[uuid.UUID]bool{}}
}

// A parquetColumn is a column of the file.
type parquetColumn struct {
	parquet.Node

	field *schema.Field
	scale int // of a decimal
	// value reads a value that is not null; false if the column cannot hold it.
	value  func(c *parquetColumn, raw []byte) (parquet.Value, bool)
	isList bool
}

// Name is the column's name in the file.
func (c *parquetColumn) Name() string { return c.field.Name }

// Value is for Go values, of which none is written.
func (c *parquetColumn) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// orderedGroup is a group whose members keep their order, which the library's sorts by name.
type orderedGroup struct {
	parquet.Group

	fields []parquet.Field
}

// Fields are the members.
func (g orderedGroup) Fields() []parquet.Field { return g.fields }

// GoType is of no use, because no Go values are written.
func (orderedGroup) GoType() reflect.Type { return reflect.TypeFor[struct{}]() }

func (w *parquetWriter) begin(t *schema.Table, report *TableReport) error {
	w.table, w.report, w.out, w.failed = t, report, nil, 0
	return nil
}

// open begins the file, when its fields are known.
func (w *parquetWriter) open(fields []*schema.Field) {
	group := orderedGroup{}
	w.columns = make([]parquetColumn, len(fields))
	for i, f := range fields {
		w.columns[i] = w.columnOf(f)
		group.fields = append(group.fields, &w.columns[i])
	}
	w.out = parquet.NewGenericWriter[any](w.spool, parquet.NewSchema(w.table.Name, group),
		parquet.Compression(&parquet.Zstd), parquet.CreatedBy("Rowhouse", "", ""),
		parquet.MaxRowsPerRowGroup(math.MaxInt64))
}

// columnOf says how the values of a field are written.
func (w *parquetWriter) columnOf(f *schema.Field) parquetColumn {
	c := parquetColumn{field: f}
	info := f.Info()
	kind := info.Column
	if f.Computed != nil {
		kind = f.Config.ResultType
	}
	text := parquet.Encoded(parquet.String(), &parquet.Plain)
	switch {
	case f.Link != nil, strings.HasSuffix(kind, "[]"), strings.HasPrefix(kind, "list of "), isFiles(f):
		c.Node, c.isList = parquet.Optional(parquet.List(text)), true
		return c
	case kind == "boolean":
		c.Node, c.value = parquet.Leaf(parquet.BooleanType), parquetTruth
	case kind == "date":
		c.Node, c.value = parquet.Date(), parquetDay
	case kind == "timestamptz" || kind == "datetime" || isTime(f):
		c.Node, c.value = parquet.Timestamp(parquet.Microsecond), parquetMoment
	case kind == "double precision":
		c.number(w.loose[f.ID])
	case kind == "number":
		c.Node, c.value = parquet.Leaf(parquet.DoubleType), parquetNumber
	case info.Type == schema.JSON:
		c.Node, c.value = parquet.JSON(), parquetJSON
	default:
		if len(f.Config.Options) > 0 {
			text = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		}
		c.Node = text // by its text
	}
	c.Node = parquet.Optional(c.Node)
	return c
}

// isTime reports whether a field has moments in a column of the record itself.
func isTime(f *schema.Field) bool {
	kind, ok := f.Kind.(*field.TimeLike)
	return ok && !kind.IsDate()
}

func isFiles(f *schema.Field) bool {
	_, filed := f.Kind.(field.Filed)
	return filed
}

// number says how numbers that people write are written. loose says that some do not fit a decimal.
func (c *parquetColumn) number(loose bool) {
	digits := c.field.Config.Precision
	if digits == nil && c.field.Type() == schema.Currency {
		digits = new(int)
		*digits = 2
	}
	if c.field.Info().Counted || c.field.Type() == "rating" {
		digits = new(int)
	}
	switch {
	case digits == nil || loose:
		c.Node, c.value = parquet.Leaf(parquet.DoubleType), parquetNumber
	case *digits == 0:
		c.Node, c.value = parquet.Int(64), parquetDecimal
	default:
		c.scale = *digits
		c.Node, c.value = parquet.Decimal(c.scale, 18, parquet.Int64Type), parquetDecimal
	}
}

func (w *parquetWriter) plain() bool { return false }

func (w *parquetWriter) write(p *record.ExportPage) error {
	if w.out == nil {
		w.open(p.Fields())
	}
	w.rows = w.rows[:0]
	for i := range p.Records {
		row := make(parquet.Row, 0, len(w.columns))
		for at := range w.columns {
			row = w.cell(row, p, i, at)
		}
		w.rows = append(w.rows, row)
		w.waiting += len(p.Records[i])
	}
	if _, err := w.out.WriteRows(w.rows); err != nil {
		return fmt.Errorf("writing an export: %w", err)
	}
	if w.waiting < parquetGroup {
		return nil
	}
	w.waiting = 0
	if err := w.out.Flush(); err != nil {
		return fmt.Errorf("writing an export: %w", err)
	}
	return nil
}

// cell appends the value of a record in a column.
func (w *parquetWriter) cell(row parquet.Row, p *record.ExportPage, i, at int) parquet.Row {
	c := &w.columns[at]
	raw := p.Value(i, at)
	kind := jsonvalue.Kind(raw)
	if kind == jsonvalue.Object && c.field.Computed != nil {
		w.failed++
		kind = jsonvalue.Null
	}
	if len(raw) == 0 || kind == jsonvalue.Null {
		return append(row, parquet.NullValue().Level(0, 0, at))
	}
	switch {
	case c.isList:
		entries := p.Entries(i, at)
		if len(entries) == 0 {
			return append(row, parquet.NullValue().Level(0, 1, at))
		}
		for n, one := range entries {
			row = append(row, parquet.ByteArrayValue([]byte(one)).Level(min(n, 1), 2, at))
		}
		return row
	case c.value == nil:
		text, _ := p.Text(i, at)
		return append(row, parquet.ByteArrayValue([]byte(text)).Level(0, 1, at))
	}
	value, fits := c.value(c, raw)
	if !fits {
		w.loose[c.field.ID], w.misfit = true, true
		return append(row, parquet.NullValue().Level(0, 0, at))
	}
	return append(row, value.Level(0, 1, at))
}

func parquetTruth(_ *parquetColumn, raw []byte) (parquet.Value, bool) {
	return parquet.BooleanValue(raw[0] == 't'), true
}

func parquetJSON(_ *parquetColumn, raw []byte) (parquet.Value, bool) {
	return parquet.ByteArrayValue(bytes.Clone(raw)), true
}

func parquetNumber(_ *parquetColumn, raw []byte) (parquet.Value, bool) {
	x, err := strconv.ParseFloat(string(raw), 64)
	return parquet.DoubleValue(x), err == nil
}

// parquetDecimal reads a number without what is behind the last digit of the column.
func parquetDecimal(c *parquetColumn, raw []byte) (parquet.Value, bool) {
	whole, fraction, _ := strings.Cut(string(raw), ".")
	if len(fraction) > c.scale {
		return parquet.Value{}, false
	}
	digits := whole + fraction + strings.Repeat("0", c.scale-len(fraction))
	if len(strings.TrimPrefix(digits, "-")) > 18 {
		return parquet.Value{}, false
	}
	n, err := strconv.ParseInt(digits, 10, 64) // not of an exponent
	return parquet.Int64Value(n), err == nil
}

func parquetDay(_ *parquetColumn, raw []byte) (parquet.Value, bool) {
	text, err := jsonvalue.Unquote(raw)
	if err != nil {
		return parquet.Value{}, false
	}
	day, err := time.Parse(time.DateOnly, text)
	return parquet.Int32Value(int32(day.Unix() / 86_400)), err == nil //nolint:gosec // of the years 1 to 9999
}

func parquetMoment(_ *parquetColumn, raw []byte) (parquet.Value, bool) {
	text, err := jsonvalue.Unquote(raw)
	if err != nil {
		return parquet.Value{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return parquet.Int64Value(at.UnixMicro()), err == nil
}

func (w *parquetWriter) end() error {
	if w.out == nil { // there was no page
		return errors.New("a table without a page of records")
	}
	return nil
}

// again reports whether the file must be written once more, and makes it empty for that.
func (w *parquetWriter) again() (bool, error) {
	if !w.misfit {
		return false, nil
	}
	w.misfit, w.waiting = false, 0
	_, err := w.spool.Seek(0, io.SeekStart)
	if err = errors.Join(err, w.spool.Truncate(0)); err != nil {
		return false, fmt.Errorf("beginning an export again: %w", err)
	}
	return true, nil
}

func (w *parquetWriter) close() error {
	if w.failed > 0 {
		w.all.note("%s of computed fields left empty.", were(w.failed, "error"))
	}
	if err := w.out.Close(); err != nil {
		return fmt.Errorf("ending an export: %w", err)
	}
	return nil
}

func (w *parquetWriter) discard() {}

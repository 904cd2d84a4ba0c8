package convert

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// parquetRows is how many rows are read at once.
const parquetRows = 64

// convertParquet writes the rows of a Parquet file as CSV. The schema says the types of the columns. Lists of single
// values are names with commas between them, and what is nested is JSON.
func convertParquet(from, to *os.File) *Result {
	info, err := from.Stat()
	if err != nil {
		return &Result{Problem: "cannot be read: " + err.Error()}
	}
	file, err := parquet.OpenFile(from, info.Size(), &parquet.FileConfig{
		SkipPageIndex: true, SkipBloomFilters: true, ReadBufferSize: 64 << 10, ReadMode: parquet.ReadModeSync,
	})
	if err != nil {
		return &Result{Problem: "is no Parquet file that can be read: " + err.Error()}
	}
	root := file.Root()
	switch n := len(root.Columns()); {
	case n == 0:
		return &Result{Problem: "is a Parquet file without a column"}
	case n > MaxColumns:
		return &Result{Problem: fmt.Sprintf("has %d columns, and a table has at most %d fields; leave some out", n,
			MaxColumns)}
	}
	p := &parquetFile{out: newTable(to)}
	for i, c := range root.Columns() {
		p.columns = append(p.columns, newParquetColumn(c))
		p.names = append(p.names, strings.TrimSpace(c.Name()))
		if p.names[i] == "" {
			p.names[i] = fmt.Sprintf("Column %d", i+1)
		}
	}
	if err := p.convert(file); err != nil {
		return &Result{Problem: "is a Parquet file that cannot be read: " + err.Error()}
	}
	return p.result()
}

// A parquetFile is a Parquet file that is being read.
type parquetFile struct {
	out     *table
	names   []string
	columns []*parquetColumn
	leaves  [][]parquet.Value // of the present row, by their places in the file
}

func (p *parquetFile) convert(file *parquet.File) error {
	if err := p.out.write(slices.Clone(p.names)); err != nil {
		return err
	}
	p.leaves = make([][]parquet.Value, len(file.Schema().Columns()))
	for _, group := range file.RowGroups() {
		if err := p.convertGroup(group.Rows()); err != nil {
			return err
		}
	}
	return p.out.out.Flush() //nolint:wrapcheck // the caller says of what
}

func (p *parquetFile) convertGroup(rows parquet.Rows) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	buffer, cells := make([]parquet.Row, parquetRows), make([]string, len(p.columns))
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			clear(p.leaves)
			row.Range(func(leaf int, values []parquet.Value) bool {
				p.leaves[leaf] = values
				return true
			})
			for i, c := range p.columns {
				if cells[i], err = c.cell(p.leaves); err != nil {
					return fmt.Errorf("column %q: %w", p.names[i], err)
				}
			}
			if err := p.out.write(cells); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err //nolint:wrapcheck // the caller says of what
		case n == 0:
			return io.ErrNoProgress
		}
	}
}

// result is what the schema and the values say of the columns.
func (p *parquetFile) result() *Result {
	out := &Result{}
	for i, c := range p.columns {
		out.Columns = append(out.Columns, c.found())
		if n := c.noNumbers; n > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf(
				"Values of %q that are infinite or no number were left empty: %d.", p.names[i], n))
		}
		if c.binary > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("Bytes of %q that are no text came as hexadecimal digits: %d.",
				p.names[i], c.binary))
		}
	}
	return out
}

// A parquetColumn is a column at the top of the schema.
type parquetColumn struct {
	node *parquetNode
	form string // the type of its field, "list" for a list of single values

	options   []string // of a list, up to one more than a field has
	long      bool     // an option is longer than a name
	inexact   bool     // a number has more digits than a field keeps
	noNumbers int
	binary    int
}

func newParquetColumn(c *parquet.Column) *parquetColumn {
	node := newParquetNode(c)
	out := &parquetColumn{node: node, form: node.form}
	switch {
	case node.element != nil && node.element.leaf != nil:
		out.form = listForm
	case node.leaf == nil:
		out.form = jsonForm
	}
	return out
}

// What fields columns are for.
const (
	textForm     = "text"
	numberForm   = "number"
	checkboxForm = "checkbox"
	dateForm     = "date"
	timeForm     = "datetime"
	durationForm = "duration"
	jsonForm     = "json"
	listForm     = "list"
)

// cell writes the value of the present row.
func (c *parquetColumn) cell(leaves [][]parquet.Value) (string, error) {
	value, err := c.node.read(leaves, 0, 0)
	if err != nil {
		return "", err
	}
	text := ""
	switch {
	case value == nil:
		return "", nil
	case c.form == listForm:
		list, _ := value.([]any)
		parts := make([]string, 0, len(list))
		for _, one := range list {
			if part := c.text(c.node.element.leaf, one); part != "" {
				parts = append(parts, part)
				c.addOption(part)
			}
		}
		text = field.JoinNames(parts)
	case c.node.leaf == nil:
		text = c.json(c.node, value)
	default:
		text = c.text(c.node.leaf, value)
	}
	if len(text) > maxCell {
		return "", fmt.Errorf("a value has more than %d MB", maxCell>>20)
	}
	return text, nil
}

func (c *parquetColumn) addOption(name string) {
	if len(c.options) > maxListOptions || slices.Contains(c.options, name) {
		return
	}
	c.options, c.long = append(c.options, name), c.long || len(name) > maxOption
}

// Options are proposed for lists with at most so many values of at most so many bytes.
const (
	maxListOptions = 100
	maxOption      = 100
)

// found is what the column says of its field.
func (c *parquetColumn) found() Column {
	switch {
	case c.form == listForm && c.node.element.form == textForm && len(c.options) > 0 && !c.long &&
		len(c.options) <= maxListOptions:
		return Column{Type: "multi_select", Options: c.options}
	case c.form == listForm, c.form == numberForm && c.inexact:
		return Column{Type: textForm}
	}
	return Column{Type: c.form}
}

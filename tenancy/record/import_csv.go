package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An importText is a CSV text that was read.
type importText struct {
	columns []*schema.Field // nil for a column without a field
	read    []*field.Column // what the columns decide
	styles  []field.Style   // of the columns
	rows    []importRow
	skipped int      // rows before the header
	ignored []string // names of fields that are not written although they have a column, and columns without a name
	// Of a windowed import: how many rows the text has, and the offset of the first one behind the window, or 0.
	total, next int
}

// An importRow is a row of the text.
type importRow struct {
	line    int   // in which it begins
	lines   []int // in which each of its cells begins; nil: all in one
	broken  bool  // its cells are not those of the fields
	cells   []string
	fields  jsonvalue.ParsedObject
	unnamed bool           // fields lack a value that names nothing
	items   []problem.Item // what is wrong with it: paths are "" or a dot and the name of a field
}

// readable is the row without the cells that are known to be wrong.
func (r *importRow) readable() jsonvalue.ParsedObject {
	if len(r.items) == 0 {
		return r.fields
	}
	var members []jsonvalue.Member
	for _, m := range r.fields.Members() {
		if !slices.ContainsFunc(r.items, func(i problem.Item) bool { return i.Path == "."+m.Name }) {
			members = append(members, m)
		}
	}
	return jsonvalue.NewParsedObject(members, r.fields.Size())
}

const lineWord = "csv line "

func linePath(line int) string { return lineWord + strconv.Itoa(line) }

// placePath is the path of a position in the text, for an error.
func placePath(line, column int, name string) string {
	path := linePath(line)
	if column > 0 {
		path += ", column " + strconv.Itoa(column)
	}
	if name != "" {
		path += " (" + name + ")"
	}
	return path
}

// refusal is a mistake of a row with its position in the text.
func (t *importText) refusal(row *importRow, item problem.Item) Refusal {
	out := Refusal{Line: row.line, Message: item.Message}
	name, ok := strings.CutPrefix(item.Path, ".")
	if !ok {
		return out
	}
	out.Field = name
	i := slices.IndexFunc(t.columns, func(f *schema.Field) bool { return f != nil && f.Name == name })
	if i < 0 { // a field that has no column
		return out
	}
	out.Column = i + 1
	if row.lines != nil {
		out.Line = row.lines[i]
	}
	return out
}

// place replaces the paths of a write's error by positions in the text, because the write only knows
// lines and fields.
func (t *importText) place(err error) error {
	var wrong *problem.Error
	if !errors.As(err, &wrong) {
		return err
	}
	for i, item := range wrong.Items {
		rest, ok := strings.CutPrefix(item.Path, lineWord)
		number, name, named := strings.Cut(rest, ".")
		line, notNumber := strconv.Atoi(number)
		if !ok || !named || notNumber != nil {
			continue
		}
		row := slices.IndexFunc(t.rows, func(r importRow) bool { return r.line == line })
		if row < 0 {
			continue
		}
		r := t.refusal(&t.rows[row], problem.Item{Path: "." + name})
		wrong.Items[i].Path = placePath(r.Line, r.Column, r.Field)
	}
	return err
}

// refuseTwins refuses rows that have the key of an earlier row.
func (t *importText) refuseTwins(twins map[string]string, fields []*schema.Field) {
	for i := range t.rows {
		if first, ok := twins[linePath(t.rows[i].line)]; ok {
			t.rows[i].items = append(t.rows[i].items, problem.Item{
				Path: "." + fields[0].Name, Message: "has the same " + fieldList(fields) + " as " + first,
			})
		}
	}
}

// readCSV reads the rows of a text.
func readCSV(t *schema.Table, in *Import) (*importText, error) {
	out := &importText{}
	text, err := out.open(t, in)
	if err != nil {
		return nil, err
	}
	var cells [][]string
	out.read = make([]*field.Column, len(out.columns))
	for i := range out.read {
		out.read[i] = &field.Column{}
	}
	count := 0
	lines := min(strings.Count(in.CSV, "\n")+1, MaxImport)
	out.rows, cells = make([]importRow, 0, lines), make([][]string, 0, lines)
	for row, err := range text.Rows() {
		if err != nil {
			return nil, unreadable(err)
		}
		for i := range row.Cells {
			row.Cells[i] = delimited.Unguard(row.Cells[i])
		}
		if count++; in.Windowed && (count <= in.Offset || len(out.rows) == MaxImport) {
			out.readStyle(row.Cells)
			if count > in.Offset && out.next == 0 {
				out.next = count - 1
			}
			continue
		}
		if len(out.rows) == MaxImport {
			return nil, problem.Invalid("csv", "has more than %d rows; import it in parts, or send the file to the "+
				"address of create_upload and give its id as file", MaxImport)
		}
		out.rows = append(out.rows, importRow{line: row.Line, lines: row.Lines, cells: row.Cells})
		cells = append(cells, row.Cells)
	}
	if in.Windowed {
		if out.total = count; in.Offset > 0 && in.Offset >= count {
			return nil, problem.Invalid("offset", "must be less than %d, the number of rows of the file", count)
		}
	}
	out.refuseUneven(cells)
	out.findStyles(in, cells)
	for i := range out.rows {
		if !out.rows[i].broken {
			out.rows[i].fields = out.membersOf(cells[i])
		}
	}
	return out, nil
}

// open detects the format of the text and the fields of its columns.
func (t *importText) open(table *schema.Table, in *Import) (*delimited.Text, error) {
	if err := knownEncoding(in.Encoding); err != nil {
		return nil, err
	}
	if in.Columns != nil { // a part of a text that was read before
		text, err := delimited.Continue([]byte(in.CSV), in.Encoding, in.Delimiter, in.Line)
		if err != nil {
			return nil, unreadable(err)
		}
		t.columns, err = columnFields(table, in.Columns)
		return text, err
	}
	text, err := delimited.Read([]byte(in.CSV), delimited.Options{
		Encoding: in.Encoding, Delimiter: in.Delimiter,
		IsHeader: func(cells []string) bool { return namesFields(table, cells) },
	})
	switch {
	case errors.Is(err, delimited.ErrEmpty):
		return nil, problem.Invalid("csv", "has no first line with the names of fields")
	case err != nil:
		return nil, unreadable(err)
	}
	t.skipped = text.Skipped
	t.columns, err = headerFields(table, &text.HeaderRow)
	return text, err
}

// findStyles decides how the columns write numbers and dates.
func (t *importText) findStyles(in *Import, cells [][]string) {
	for n := range cells {
		if !in.Styled && !t.rows[n].broken {
			t.readStyle(cells[n])
		}
	}
	t.styles = field.Styles(t.read, in.Style)
	for i := range in.Columns {
		if given := in.Columns[i].Style; given.Decimal != "" {
			t.styles[i].Decimal = given.Decimal
		}
		if given := in.Columns[i].Style; given.Order != "" {
			t.styles[i].Order = given.Order
		}
	}
}

// readStyle takes from the cells of a row how the columns write numbers and dates.
func (t *importText) readStyle(cells []string) {
	for i, cell := range cells[:min(len(cells), len(t.columns))] {
		if t.columns[i] != nil {
			t.read[i].Add(cell)
		}
	}
}

// readings say how the ambiguous columns were read.
func (t *importText) readings() []string {
	var out []string
	for i, f := range t.columns {
		if f == nil {
			continue
		}
		numbers, _, _ := t.read[i].Numbers()
		dates, _, _ := t.read[i].Dates()
		_, isNumber := f.Kind.(*field.NumberLike)
		_, isTime := f.Kind.(*field.TimeLike)
		switch style := t.styles[i]; {
		case isNumber && numbers != field.Either && style.Decimal != "":
			out = append(out, f.Name+": decimal sign "+strconv.Quote(style.Decimal))
		case isTime && dates != field.Either && style.Order == field.DayFirst:
			out = append(out, f.Name+": day before month")
		case isTime && dates != field.Either && style.Order == field.MonthFirst:
			out = append(out, f.Name+": month before day")
		}
	}
	return out
}

// unreadable says where a text stops being CSV. What follows cannot be split into rows.
func unreadable(err error) error {
	var fault *delimited.SyntaxError
	if !errors.As(err, &fault) {
		return problem.Invalid("csv", "is not CSV: %s", err)
	}
	line := fault.Line
	if !fault.Open {
		line = fault.At
	}
	return problem.Invalid(linePath(line), "is not CSV: %s", fault)
}

// FieldOfColumn finds the field with the name of a column.
func FieldOfColumn(t *schema.Table, name string) *schema.Field {
	if f := t.FieldByName(name); f != nil {
		return f
	}
	for _, form := range []func(string) string{naming.Key, naming.Fold} {
		var found []*schema.Field
		for _, f := range t.Fields {
			if form(f.Name) == form(name) {
				found = append(found, f)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	return nil
}

func columnName(cell string) string {
	return strings.TrimSpace(delimited.Unguard(strings.TrimSpace(cell)))
}

// namesFields reports whether cells are the names of fields, with some of a column without a name.
func namesFields(t *schema.Table, cells []string) bool {
	found := false
	for _, cell := range cells {
		name := columnName(cell)
		if name == "" {
			continue
		}
		if FieldOfColumn(t, name) == nil {
			return false
		}
		found = true
	}
	return found
}

// headerFields finds the fields that a header names. A column without a name has none.
func headerFields(t *schema.Table, header *delimited.Row) ([]*schema.Field, error) {
	columns := make([]*schema.Field, len(header.Cells))
	var items []problem.Item
	for i, cell := range header.Cells {
		name := columnName(cell)
		if name == "" {
			continue
		}
		f := FieldOfColumn(t, name)
		switch {
		case f == nil:
			names := t.FieldNames()
			items = append(items, problem.Item{Path: placePath(header.Line, i+1, ""), Message: fmt.Sprintf(
				"%s is not a field of %q%s; its fields are %s", field.Quote(name), t.Name,
				problem.DidYouMean(name, names), problem.List(names))})
		case slices.Contains(columns, f):
			items = append(items, problem.Item{
				Path: placePath(header.Line, i+1, f.Name), Message: fmt.Sprintf("names %q twice", f.Name),
			})
		}
		columns[i] = f
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items[:min(len(items), maxItems)])
	}
	for len(columns) > 0 && columns[len(columns)-1] == nil { // delimiters behind the last name
		columns = columns[:len(columns)-1]
	}
	return columns, nil
}

// columnFields finds the fields of columns that are given by name.
func columnFields(t *schema.Table, given []ImportColumn) ([]*schema.Field, error) {
	columns := make([]*schema.Field, len(given))
	for i := range given {
		name := given[i].Field
		if name == "" {
			continue
		}
		path := fmt.Sprintf("columns[%d].field", i)
		f := t.FieldByID(name)
		if f == nil {
			f = FieldOfColumn(t, name)
		}
		switch {
		case f == nil:
			names := t.FieldNames()
			return nil, problem.Invalid(path, "%s is not a field of %q%s; its fields are %s", field.Quote(name), t.Name,
				problem.DidYouMean(name, names), problem.List(names))
		case slices.Contains(columns, f):
			return nil, problem.Invalid(path, "names %q twice", f.Name)
		}
		columns[i] = f
	}
	return columns, nil
}

// membersOf are the non-empty cells of a row as values of their fields, without fields that are not
// written.
func (t *importText) membersOf(cells []string) jsonvalue.ParsedObject {
	members := make([]jsonvalue.Member, 0, len(cells))
	size := 0
	for _, cell := range cells {
		size += len(cell) + len(`""`)
	}
	values := make([]byte, 0, size) // of all members, unless cells have signs to escape
	size = 0
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		f := t.columns[i]
		if f == nil {
			t.ignore("column " + strconv.Itoa(i+1))
			continue
		}
		if !isWritten(f, cell) {
			t.ignore(f.Name)
			continue
		}
		size += len(cell)
		from := len(values)
		values = appendCell(values, f, cell)
		members = append(members, jsonvalue.Member{Name: f.Name, Value: values[from:len(values):len(values)]})
	}
	return jsonvalue.NewParsedObject(members, size)
}

func (t *importText) ignore(name string) {
	if !slices.Contains(t.ignored, name) {
		t.ignored = append(t.ignored, name)
	}
}

// styleOf is how the column of a field is read.
func (t *importText) styleOf(f *schema.Field) field.Style {
	if i := slices.Index(t.columns, f); i >= 0 && i < len(t.styles) {
		return t.styles[i]
	}
	return field.Style{}
}

// isWritten reports whether a cell can be written: some fields are written only by the service, and an
// export has only the names of files.
func isWritten(f *schema.Field, cell string) bool {
	if f.Info().ReadOnly {
		return false
	}
	if _, filed := f.Kind.(field.Filed); !filed {
		return true
	}
	for part := range strings.SplitSeq(cell, ",") {
		if id.KindOf(strings.TrimSpace(part)) != id.Attachment {
			return false
		}
	}
	return true
}

// appendCell appends a cell as a value: for a field of files, a comma-separated list.
func appendCell(dst []byte, f *schema.Field, cell string) []byte {
	_, filed := f.Kind.(field.Filed)
	if !filed || !strings.ContainsAny(cell, ",[") {
		return field.AppendString(dst, cell)
	}
	var list []string
	if json.Unmarshal([]byte(cell), &list) != nil {
		list = field.SplitNames(cell, func(string) bool { return false })
	}
	return field.AppendStrings(dst, list)
}

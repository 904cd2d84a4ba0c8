package record

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An importText is a CSV text that was read.
type importText struct {
	columns []*schema.Field
	rows    []importRow
	ignored []string // names of fields that are not written although they have a column
}

// An importRow is a row of the text.
type importRow struct {
	line   int   // in which it begins
	lines  []int // in which each of its cells begins; nil: all in one
	broken bool  // its cells are not those of the fields
	fields jsonvalue.ParsedObject
	items  []problem.Item // what is wrong with it: paths are "" or a dot and the name of a field
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

// placePath names a place of the text in an error.
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

// refusal says where in the text a mistake of a row is.
func (t *importText) refusal(row *importRow, item problem.Item) Refusal {
	out := Refusal{Line: row.line, Message: item.Message}
	name, ok := strings.CutPrefix(item.Path, ".")
	if !ok {
		return out
	}
	out.Field = name
	i := slices.IndexFunc(t.columns, func(f *schema.Field) bool { return f.Name == name })
	if i < 0 { // a field that has no column
		return out
	}
	out.Column = i + 1
	if row.lines != nil {
		out.Line = row.lines[i]
	}
	return out
}

// place completes the places that an error of a write names: it knows of lines and fields alone.
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

// refuseTwins refuses rows that have the key of a row before them.
func (t *importText) refuseTwins(twins map[string]string, fields []*schema.Field) {
	for i := range t.rows {
		if first, ok := twins[linePath(t.rows[i].line)]; ok {
			t.rows[i].items = append(t.rows[i].items, problem.Item{
				Path: "." + fields[0].Name, Message: "has the same " + fieldList(fields) + " as " + first,
			})
		}
	}
}

// readCSV reads the rows of a text whose first line names fields.
func readCSV(t *schema.Table, text string) (*importText, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = delimiterOf(text)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return nil, problem.Invalid("csv", "has no first line with the names of fields: %v", err)
	}
	out := &importText{}
	if out.columns, err = headerFields(t, header); err != nil {
		return nil, err
	}
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil && !errors.Is(err, csv.ErrFieldCount) {
			return nil, unreadable(err)
		}
		if len(out.rows) == MaxImport {
			return nil, problem.Invalid("csv", "has more than %d rows; import it in parts", MaxImport)
		}
		row := importRow{}
		row.line, _ = reader.FieldPos(0)
		if err != nil {
			row.broken = true
			row.items = []problem.Item{{Message: fmt.Sprintf("has %s, and the first line names %s; a "+
				"cell with a comma or a line break stands in double quotes",
				problem.Count(len(cells), "cell"), problem.Count(len(out.columns), "field"))}}
			out.rows = append(out.rows, row)
			continue
		}
		if last, _ := reader.FieldPos(len(cells) - 1); last != row.line {
			for i := range cells {
				line, _ := reader.FieldPos(i)
				row.lines = append(row.lines, line)
			}
		}
		row.fields = out.membersOf(cells)
		out.rows = append(out.rows, row)
	}
}

// unreadable says where a text ceases to be CSV. What follows cannot be told apart.
func unreadable(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return problem.Invalid("csv", "is not CSV: %v", err)
	}
	path, what := linePath(parse.Line), "has a double quote that does not fit: a cell in double quotes writes each of "+
		"its own twice, and ends before the next comma or line"
	if parse.StartLine != parse.Line {
		path = linePath(parse.StartLine)
		what = fmt.Sprintf("a cell in double quotes does not end where it should; it was read up to line %d",
			parse.Line)
	}
	return problem.Invalid(path, "is not CSV: %s", what)
}

// headerFields finds the fields that the first line names.
func headerFields(t *schema.Table, header []string) ([]*schema.Field, error) {
	var columns []*schema.Field
	var items []problem.Item
	for i, name := range header {
		name = unguard(strings.TrimSpace(name))
		f := t.FieldByName(name)
		if f == nil {
			if i := slices.IndexFunc(t.Fields,
				func(f *schema.Field) bool { return naming.Key(f.Name) == naming.Key(name) }); i >= 0 {
				f = t.Fields[i]
			}
		}
		switch {
		case f == nil:
			names := t.FieldNames()
			items = append(items, problem.Item{Path: placePath(1, i+1, ""), Message: fmt.Sprintf(
				"%s is not a field of %q%s; its fields are %s", field.Quote(name), t.Name,
				problem.DidYouMean(name, names), problem.List(names))})
		case slices.Contains(columns, f):
			items = append(items, problem.Item{
				Path: placePath(1, i+1, f.Name), Message: fmt.Sprintf("names %q twice", f.Name),
			})
		}
		columns = append(columns, f)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items[:min(len(items), maxItems)])
	}
	return columns, nil
}

// membersOf are the cells of a row that are not empty, as values of their fields, without those of fields that are
// not written.
func (t *importText) membersOf(cells []string) jsonvalue.ParsedObject {
	var members []jsonvalue.Member
	size := 0
	for i, cell := range cells {
		f := t.columns[i]
		if cell = unguard(strings.ToValidUTF8(cell, "\ufffd")); cell == "" {
			continue
		}
		if !isWritten(f, cell) {
			if !slices.Contains(t.ignored, f.Name) {
				t.ignored = append(t.ignored, f.Name)
			}
			continue
		}
		size += len(cell)
		members = append(members, jsonvalue.Member{Name: f.Name, Value: cellValue(f, cell)})
	}
	return jsonvalue.NewParsedObject(members, size)
}

// isWritten reports whether a cell can be written: the service writes some fields itself, and an export has only the
// names of files.
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

// cellValue is a cell as a value: of a field that holds several things, a list of what commas separate, or the JSON
// that an export writes where commas would not tell them apart.
func cellValue(f *schema.Field, cell string) []byte {
	_, filed := f.Kind.(field.Filed)
	switch several := filed || f.Type() == schema.User; {
	case f.Type() == schema.JSON && json.Valid([]byte(cell)):
		return []byte(cell)
	case strings.HasPrefix(cell, "[") && (several || f.Type() == schema.MultiSelect):
		var list []string
		if json.Unmarshal([]byte(cell), &list) == nil {
			return []byte(cell)
		}
	case several && strings.Contains(cell, ","):
		value := []byte{'['}
		for part := range strings.SplitSeq(cell, ",") {
			if len(value) > 1 {
				value = append(value, ',')
			}
			value = field.AppendString(value, strings.TrimSpace(part))
		}
		return append(value, ']')
	}
	return field.AppendString(nil, cell)
}

// delimiterOf finds what separates the cells of the first line: a comma, a semicolon or a tab.
func delimiterOf(text string) rune {
	first, _, _ := strings.Cut(text, "\n")
	best, most := ',', strings.Count(first, ",")
	for _, r := range []rune{';', '\t'} {
		if n := strings.Count(first, string(r)); n > most {
			best, most = r, n
		}
	}
	return best
}

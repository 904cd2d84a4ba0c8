package client

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// output is the flag of every command that prints rows.
type output struct {
	Output string `short:"o" enum:"auto,table,json,ndjson,csv" default:"auto" placeholder:"FORM" help:"table, json, ndjson or csv. Default: table at a terminal, and ndjson in a pipe or a file."`
}

const (
	formTable  = "table"
	formJSON   = "json"
	formNDJSON = "ndjson"
	formCSV    = "csv"
)

func (o *output) form(to Streams) string {
	switch {
	case o.Output != "auto" && o.Output != "":
		return o.Output
	case isTerminal(to.Out):
		return formTable
	}
	return formNDJSON
}

// textual reports whether rows are printed as text and not as JSON.
func (o *output) textual(to Streams) bool {
	form := o.form(to)
	return form == formTable || form == formCSV
}

// A sheet prints rows in one of the forms as they come. It keeps the first error of a write, and end returns
// it.
type sheet struct {
	form    string
	columns []string
	one     bool // a table shows the row downwards
	bold    bool

	out   *bufio.Writer
	csv   *csv.Writer
	rows  int
	first [][]string // rows of a table, until the widths of its columns are known
	width []int
	err   error
}

const (
	outputBuffer = 64 << 10
	measured     = 200 // rows of a table from which the widths of its columns follow
	widest       = 40  // characters of a cell in a table
)

func (o *output) sheet(to Streams, columns ...string) *sheet {
	s := &sheet{form: o.form(to), columns: columns, out: bufio.NewWriterSize(to.Out, outputBuffer)}
	s.bold = s.form == formTable && isTerminal(to.Out) && os.Getenv("NO_COLOR") == ""
	if s.form == formCSV {
		s.csv = csv.NewWriter(s.out)
		s.keep(s.csv.Write(columns))
	}
	return s
}

func (s *sheet) keep(err error) {
	if s.err == nil {
		s.err = err
	}
}

// row prints a row, whose values are in the order of the columns.
func (s *sheet) row(values ...any) {
	switch s.form {
	case formJSON, formNDJSON:
		s.raw(s.object(values))
	case formCSV:
		s.keep(s.csv.Write(texts(values)))
	default:
		cells := texts(values)
		if s.width != nil {
			s.line(cells)
			return
		}
		if s.first = append(s.first, cells); len(s.first) == measured {
			s.measure()
		}
	}
	s.rows++
}

// object is a row as a JSON object, with its members in the order of the columns.
func (s *sheet) object(values []any) []byte {
	b := []byte{'{'}
	for i, name := range s.columns {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(name)
		s.keep(err)
		value, err := json.Marshal(values[i])
		s.keep(err)
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}')
}

// raw prints one JSON value, in the forms that are JSON.
func (s *sheet) raw(value []byte) {
	switch {
	case s.form == formNDJSON:
	case s.rows == 0:
		s.write("[\n  ")
	default:
		s.write(",\n  ")
	}
	_, err := s.out.Write(value)
	s.keep(err)
	if s.form == formNDJSON {
		s.write("\n")
	}
	s.rows++
}

func (s *sheet) write(text string) {
	_, err := s.out.WriteString(text)
	s.keep(err)
}

// end prints what is left.
func (s *sheet) end() error {
	switch s.form {
	case formJSON:
		if s.rows == 0 {
			s.write("[")
		} else {
			s.write("\n")
		}
		s.write("]\n")
	case formCSV:
		s.csv.Flush()
		s.keep(s.csv.Error())
	case formTable:
		if s.width == nil {
			s.measure()
		}
	}
	s.flush()
	return s.err
}

// flush prints what is complete, for rows that come slowly.
func (s *sheet) flush() {
	if s.form == formTable && s.width == nil && len(s.first) > 0 {
		s.measure()
	}
	s.keep(s.out.Flush())
}

// measure finds the widths of the columns, and prints the header and the rows so far.
func (s *sheet) measure() {
	s.width = make([]int, len(s.columns))
	if s.one {
		for _, name := range s.columns {
			s.width[0] = max(s.width[0], utf8.RuneCountInString(name))
		}
		for _, row := range s.first {
			for i, text := range row {
				s.write(s.header(pad(s.columns[i], s.width[0])) + "  " + text + "\n")
			}
		}
		return
	}
	for i, name := range s.columns {
		s.width[i] = utf8.RuneCountInString(name)
		for _, row := range s.first {
			s.width[i] = max(s.width[i], min(widest, utf8.RuneCountInString(row[i])))
		}
	}
	var header strings.Builder
	for i, name := range s.columns {
		if i > 0 {
			header.WriteString("  ")
		}
		header.WriteString(pad(name, s.width[i]))
	}
	s.write(s.header(strings.TrimRight(header.String(), " ")) + "\n")
	for _, row := range s.first {
		s.line(row)
	}
	s.first = nil
}

func (s *sheet) header(text string) string {
	if !s.bold {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

func (s *sheet) line(cells []string) {
	var b strings.Builder
	for i, text := range cells {
		if i > 0 {
			b.WriteString("  ")
		}
		if runes := []rune(text); len(runes) > max(s.width[i], widest) {
			text = string(runes[:max(s.width[i], widest)-1]) + "…"
		}
		b.WriteString(pad(text, s.width[i]))
	}
	s.write(strings.TrimRight(b.String(), " ") + "\n")
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func texts(values []any) []string {
	cells := make([]string, len(values))
	for i, value := range values {
		cells[i] = text(value)
	}
	return cells
}

// text is a value as a cell shows it: a list with commas, a file by its name, linked records by their
// titles. Characters that could control a terminal are left out.
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.Map(func(r rune) rune {
			switch {
			case r == '\n' || r == '\t' || r == '\r':
				return ' '
			case unicode.IsControl(r) || r == '\u202D' || r == '\u202E':
				return -1
			}
			return r
		}, v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.RawMessage:
		decoder := json.NewDecoder(bytes.NewReader(v))
		decoder.UseNumber()
		var decoded any
		if decoder.Decode(&decoded) != nil {
			return text(string(v))
		}
		return text(decoded)
	case []string:
		return text(strings.Join(v, ", "))
	case []any:
		parts := make([]string, len(v))
		for i, one := range v {
			parts[i] = text(one)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			return text(name)
		}
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, text(v[key]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(value)
}

// printJSON prints one value, in a person's form at a terminal.
func printJSON(to Streams, value any) error {
	encoder := json.NewEncoder(to.Out)
	encoder.SetEscapeHTML(false)
	if isTerminal(to.Out) {
		encoder.SetIndent("", "  ")
	}
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// A progress shows how far long work is, at a terminal alone.
type progress struct {
	to     io.Writer
	active bool
}

func newProgress(to Streams) *progress { return &progress{to: to.Err, active: isTerminal(to.Err)} }

func (p *progress) show(format string, args ...any) {
	if p.active {
		fmt.Fprintf(p.to, "\r\x1b[K"+format, args...)
	}
}

func (p *progress) end() { p.show("") }

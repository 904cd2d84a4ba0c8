// Package delimited reads and writes CSV and TSV, for imports and exports alike; nothing else in the
// product does. It knows rows and cells, and how a column writes numbers and dates; package field knows
// what a cell means to a field.
//
// The standard library's reader does not return what was written: it drops carriage returns from quoted
// cells, does not end a line at a carriage return, and skips no title lines.
package delimited

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Options say how a text is read. What is not set is detected.
type Options struct {
	Encoding  string // as Encodings names it
	Delimiter byte   // one of Delimiters
	Header    *bool  // whether a row names the columns
	// IsHeader reports whether the cells of a row name known columns. The first of the leading rows for
	// which it does is the header. If it is nil, the shape of the rows decides.
	IsHeader func(cells []string) bool
	// Locale is the language of the person, such as "pl". It decides between single-byte encodings.
	Locale string
}

// Delimiters are the possible separators of cells, in ascending order of preference.
var Delimiters = []byte{'|', ',', ';', '\t'}

// A Text is a text whose format is known.
type Text struct {
	Encoding  string
	Delimiter byte
	Header    []string // the names of the columns; nil if there are none, "" for a column without one
	HeaderRow Row
	Skipped   int // rows with values before the header
	Width     int // of the header, or of the widest row if there is none

	content []byte // in Encoding; UTF-16 is transcoded
	units   func(part []byte) int
	decode  func(cell []byte) string
	body    place
	usual   int // cells of the last row, as most rows have as many
}

// A place is where a row begins.
type place struct {
	at   int // in content
	line int // from 1
	from int // in the bytes of the file
}

// A Row is a row of a text.
type Row struct {
	Line  int   // where it begins, from 1
	Lines []int // where each of its cells begins; nil if all begin on one line
	Cells []string
	// From and To are the row's range in the bytes of the file.
	From, To int
	// Quoted says that a cell is in quotes, which makes a row of a line without values.
	Quoted bool
}

// Blank reports whether a row is only a line without values, as spreadsheets leave behind.
func (r *Row) Blank() bool {
	return !r.Quoted && !slices.ContainsFunc(r.Cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// filled counts the cells with a value.
func (r *Row) filled() int {
	n := 0
	for _, cell := range r.Cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// A SyntaxError says where a text stops being rows.
type SyntaxError struct {
	Line int // where the row begins
	At   int // the line that was reached
	Open bool
}

func (e *SyntaxError) Error() string {
	if e.Open {
		return fmt.Sprintf("a cell in double quotes does not end where it should; it was read up to line %d", e.At)
	}
	return "has text behind the closing double quote of a cell; a cell in double quotes writes each of its own " +
		"twice, " +
		"and ends before the next delimiter or line"
}

// Rows yields the rows after the header, without blank ones. It ends at the first error, whose row has
// only its position.
func (t *Text) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		at := t.body
		for {
			row, next, err := t.row(at)
			if err != nil {
				yield(row, err)
				return
			}
			if row.Cells == nil {
				return
			}
			at, t.usual = next, len(row.Cells)
			if !row.Blank() && !yield(row, nil) {
				return
			}
		}
	}
}

// row reads one row. Its cells are nil at the end of the text.
func (t *Text) row(at place) (Row, place, error) {
	row := Row{Line: at.line, From: at.from}
	rest := t.content[at.at:]
	if len(rest) == 0 {
		return row, at, nil
	}
	line, i := at.line, 0
	var lines []int // from the first cell on that does not begin on the line of the row
	row.Cells = make([]string, 0, max(t.usual, 1))
	for {
		if line != at.line && lines == nil {
			lines = slices.Repeat([]int{at.line}, len(row.Cells))
		}
		if lines != nil {
			lines = append(lines, line)
		}
		cell, n, breaks, quoted, fault := t.cell(rest[i:])
		if fault != nil {
			fault.Line, fault.At = at.line, line+breaks
			return row, at, fault
		}
		row.Cells = append(row.Cells, cell)
		row.Quoted = row.Quoted || quoted
		line += breaks
		i += n
		if i < len(rest) && rest[i] == t.Delimiter {
			i++
			continue
		}
		break
	}
	if line != at.line {
		if lines == nil {
			lines = slices.Repeat([]int{at.line}, len(row.Cells))
		}
		row.Lines = lines
	}
	switch {
	case bytes.HasPrefix(rest[i:], []byte("\r\n")):
		i += 2
	case i < len(rest):
		i++
	}
	next := place{at.at + i, line + 1, at.from + t.units(rest[:i])}
	row.To = next.from
	return row, next, nil
}

// cell reads one cell: n bytes with so many line breaks.
func (t *Text) cell(text []byte) (cell string, n, breaks int, quoted bool, fault *SyntaxError) {
	start := len(text) - len(bytes.TrimLeft(text, " "))
	if start == len(text) || text[start] != '"' {
		for n < len(text) && !t.ends(text[n]) {
			n++
		}
		return t.decode(text[:n]), n, 0, false, nil
	}
	var value []byte
	i := start + 1
	for {
		end := bytes.IndexByte(text[i:], '"')
		if end < 0 {
			return "", 0, countBreaks(text), true, &SyntaxError{Open: true}
		}
		value = append(value, text[i:i+end]...)
		i += end + 1
		if i < len(text) && text[i] == '"' {
			value = append(value, '"')
			i++
			continue
		}
		break
	}
	breaks = countBreaks(text[:i])
	i += len(text[i:]) - len(bytes.TrimLeft(text[i:], " "))
	if i < len(text) && !t.ends(text[i]) {
		return "", 0, breaks, true, &SyntaxError{}
	}
	return t.decode(value), i, breaks, true, nil
}

// ends reports whether a byte ends a cell that is not in quotes.
func (t *Text) ends(b byte) bool { return b == t.Delimiter || b == '\r' || b == '\n' }

func countBreaks(text []byte) int {
	return bytes.Count(text, []byte{'\n'}) + bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
}

package transfer

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a spreadsheet.
const (
	sheetRows      = 1_048_576
	sheetCell      = 32_767 // characters
	sheetName      = 31
	firstSheetYear = 1900
)

// An xlsxWriter writes tables as the sheets of a spreadsheet: numbers, dates and checkboxes as such, and everything
// else as text, which no spreadsheet runs.
type xlsxWriter struct {
	book   *workbook
	all    *Report
	names  []string // of the sheets, in lower case
	report *TableReport

	cut    int // texts that were too long
	asText int // numbers and dates that a spreadsheet would change
}

func newXLSXWriter(spool *os.File, all *Report) (*xlsxWriter, error) {
	book, err := newWorkbook(spool)
	return &xlsxWriter{book: book, all: all}, err
}

// nameOf makes a name of a sheet that the spreadsheet accepts and that no other one has.
func (w *xlsxWriter) nameOf(table string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`[]:*?/\`, r) {
			return '_'
		}
		return r
	}, table)
	if name = strings.Trim(name, "'"); name == "" {
		name = "Sheet"
	}
	base := []rune(name)
	for copies := 1; ; copies++ {
		end := ""
		if copies > 1 {
			end = " " + strconv.Itoa(copies)
		}
		unique := string(base[:min(len(base), sheetName-len(end))]) + end
		if !slices.Contains(w.names, strings.ToLower(unique)) {
			w.names = append(w.names, strings.ToLower(unique))
			return unique
		}
	}
}

func (w *xlsxWriter) begin(t *schema.Table, report *TableReport) error {
	w.report = report
	return w.book.begin(w.nameOf(t.Name))
}

func (w *xlsxWriter) plain() bool { return false }

func (w *xlsxWriter) write(p *record.ExportPage) error {
	fields := p.Fields()
	if w.book.row == 0 {
		w.book.beginRow()
		for at, f := range fields {
			w.text(at, f.Name, true)
		}
		if err := w.book.endRow(); err != nil {
			return err
		}
	}
	for i := range p.Records {
		if w.book.row == sheetRows {
			return problem.Conflict("The table %q has more rows than the %d of a sheet; export it as CSV, or with a "+
				"filter.", w.report.Name, sheetRows-1)
		}
		w.book.beginRow()
		for at, f := range fields {
			w.cell(p, i, at, f)
		}
		if err := w.book.endRow(); err != nil {
			return err
		}
	}
	return nil
}

// cell writes the value of a record.
func (w *xlsxWriter) cell(p *record.ExportPage, i, at int, f *schema.Field) {
	raw := p.Value(i, at)
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Null:
		return
	case jsonvalue.Bool:
		w.book.bool(at, raw[0] == 't')
		return
	case jsonvalue.Number:
		if f.Computed != nil && f.Config.Format != "" {
			break
		}
		if len(raw) <= 15 {
			if f.Type() == "duration" {
				break
			}
			w.book.number(at, raw)
			return
		}
		w.asText++
	case jsonvalue.String:
		kind, isTime := f.Kind.(*field.TimeLike)
		if !isTime || f.Type() != "date" && f.Type() != "datetime" {
			break
		}
		text, _ := jsonvalue.Unquote(raw)
		if day, ok := onSheet(kind, f, text); ok {
			style := momentStyle
			if kind.IsDate() {
				style = dayStyle
			}
			w.book.time(at, style, day)
			return
		}
		w.asText++
	}
	text, written := p.Text(i, at)
	w.text(at, text, written)
}

// onSheet is what a clock in the time zone of a field shows, as UTC, since the times of a spreadsheet have no zone and
// an import reads them in that of the field. A time that the clock shows twice does not come back, and a spreadsheet
// has no time before 1900.
func onSheet(kind *field.TimeLike, f *schema.Field, text string) (time.Time, bool) {
	layout, zone := time.RFC3339, time.UTC
	if kind.IsDate() {
		layout = time.DateOnly
	} else {
		zone = kind.Location(&f.Field)
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		return at, false
	}
	shown := at.In(zone)
	again := func(zone *time.Location) time.Time {
		return time.Date(shown.Year(), shown.Month(), shown.Day(), shown.Hour(), shown.Minute(), shown.Second(),
			shown.Nanosecond(), zone)
	}
	return again(time.UTC), again(zone).Equal(at) && shown.Year() > firstSheetYear && shown.Year() < 10000
}

// text writes a text. Its cell has the type of a text, so that nothing runs it.
func (w *xlsxWriter) text(at int, text string, written bool) {
	if text == "" {
		return
	}
	if written {
		if _, guarded := record.Guard(text); guarded {
			w.report.Guarded++
		}
	}
	if len(text) > sheetCell {
		if units := utf16.Encode([]rune(text)); len(units) > sheetCell {
			w.cut++
			text = strings.TrimRight(string(utf16.Decode(units[:sheetCell])), "\ufffd") // of half a character
		}
	}
	w.book.text(at, text)
}

func (w *xlsxWriter) end() error { return w.book.end() }

func (w *xlsxWriter) close() error {
	if w.cut > 0 {
		w.all.note("%s cut off after %d characters, as much as a cell of a spreadsheet holds; NDJSON has them whole.",
			were(w.cut, "text"), sheetCell)
	}
	if w.asText > 0 {
		w.all.note("%s written as text, because a spreadsheet keeps neither more than 15 digits, nor dates before "+
			"1901, nor which one of two equal hours it is when clocks are set back.", were(w.asText, "value"))
	}
	return w.book.close()
}

func (w *xlsxWriter) discard() {}

func were(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " was"
	}
	return problem.Count(n, thing) + " were"
}

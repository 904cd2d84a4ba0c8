package transfer

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
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
	spool  *os.File
	file   *excelize.File
	all    *Report
	names  []string // of the sheets, in lower case
	report *TableReport
	sheet  *excelize.StreamWriter
	row    int
	cells  []any

	day, moment int // styles
	cut         int // texts that were too long
	asText      int // numbers and dates that a spreadsheet would change
}

func newXLSXWriter(spool *os.File, all *Report) (*xlsxWriter, error) {
	w := &xlsxWriter{spool: spool, file: excelize.NewFile(), all: all}
	var err error
	for _, style := range []struct {
		format string
		to     *int
	}{{"yyyy-mm-dd", &w.day}, {"yyyy-mm-dd hh:mm:ss", &w.moment}} {
		if *style.to, err = w.file.NewStyle(&excelize.Style{CustomNumFmt: &style.format}); err != nil {
			return nil, errors.Join(fmt.Errorf("preparing a spreadsheet: %w", err), w.file.Close())
		}
	}
	return w, nil
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

func (w *xlsxWriter) begin(t *schema.Table, report *TableReport) (err error) {
	name := w.nameOf(t.Name)
	if len(w.names) == 1 {
		err = w.file.SetSheetName("Sheet1", name)
	} else {
		_, err = w.file.NewSheet(name)
	}
	if err == nil {
		w.sheet, err = w.file.NewStreamWriter(name)
	}
	if err != nil {
		return fmt.Errorf("beginning a sheet: %w", err)
	}
	w.report, w.row = report, 0
	return nil
}

func (w *xlsxWriter) plain() bool { return false }

func (w *xlsxWriter) write(p *record.ExportPage) error {
	fields := p.Fields()
	if w.row == 0 {
		w.cells = w.cells[:0]
		for _, f := range fields {
			w.cells = append(w.cells, w.text(f.Name, true))
		}
		if err := w.put(); err != nil {
			return err
		}
	}
	for i := range p.Records {
		w.cells = w.cells[:0]
		for at, f := range fields {
			w.cells = append(w.cells, w.cell(p, i, at, f))
		}
		if err := w.put(); err != nil {
			return err
		}
	}
	return nil
}

// put writes the cells as the next row.
func (w *xlsxWriter) put() error {
	if w.row++; w.row > sheetRows {
		return problem.Conflict("The table %q has more rows than the %d of a sheet; export it as CSV, or with a "+
			"filter.", w.report.Name, sheetRows-1)
	}
	if err := w.sheet.SetRow("A"+strconv.Itoa(w.row), w.cells); err != nil {
		return fmt.Errorf("writing a row: %w", err)
	}
	return nil
}

// cell is the value of a record in a spreadsheet.
func (w *xlsxWriter) cell(p *record.ExportPage, i, at int, f *schema.Field) any {
	raw := p.Value(i, at)
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Null:
		return nil
	case jsonvalue.Bool:
		return raw[0] == 't'
	case jsonvalue.Number:
		if f.Computed != nil && f.Config.Format != "" {
			break
		}
		if number, err := strconv.ParseFloat(string(raw), 64); err == nil && len(raw) <= 15 {
			if f.Type() == "duration" {
				break
			}
			return number
		}
		w.asText++
	case jsonvalue.String:
		if f.Type() != "date" && f.Type() != "datetime" {
			break
		}
		text, _ := jsonvalue.Unquote(raw)
		style, layout := w.day, time.DateOnly
		if f.Type() == "datetime" {
			style, layout = w.moment, time.RFC3339
		}
		if day, err := time.Parse(layout, text); err == nil && day.Year() > firstSheetYear && day.Year() < 10000 {
			return excelize.Cell{StyleID: style, Value: day.UTC()}
		}
		w.asText++
	}
	text, written := p.Text(i, at)
	return w.text(text, written)
}

// text is a text in a spreadsheet. Its cell has the type of a text, so that nothing runs it.
func (w *xlsxWriter) text(text string, written bool) any {
	if written {
		if _, guarded := record.Guard(text); guarded {
			w.report.Guarded++
		}
	}
	if text == "" {
		return nil
	}
	if utf8.RuneCountInString(text) > sheetCell {
		w.cut++
		text = string([]rune(text)[:sheetCell])
	}
	return text
}

func (w *xlsxWriter) end() error {
	if err := w.sheet.Flush(); err != nil {
		return fmt.Errorf("ending a sheet: %w", err)
	}
	return nil
}

func (w *xlsxWriter) close() error {
	if w.cut > 0 {
		w.all.note("%s cut off after %d characters, as much as a cell of a spreadsheet holds; NDJSON has them whole.",
			were(w.cut, "text"), sheetCell)
	}
	if w.asText > 0 {
		w.all.note("%s written as text, because a spreadsheet keeps neither more than 15 digits nor dates before 1901.",
			were(w.asText, "value"))
	}
	_, err := w.file.WriteTo(w.spool)
	if err = errors.Join(err, w.file.Close()); err != nil {
		return fmt.Errorf("writing a spreadsheet: %w", err)
	}
	return nil
}

// discard removes temporary files; it does nothing after close.
func (w *xlsxWriter) discard() { _ = w.file.Close() }

func were(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " was"
	}
	return problem.Count(n, thing) + " were"
}

package convert

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/problem"
)

// Limits of spreadsheets.
const (
	sheetUnzipped = 2 << 30  // of all parts of the file together, in bytes
	sheetPart     = 16 << 20 // of a part, above which it is read from a file
)

// convertSheet writes a sheet of a spreadsheet as CSV: the one with a name, or the first with rows. Values are written
// as they are stored, dates as ISO 8601 writes them, and formulas as their last results. Large parts are unpacked into
// files in dir, which the caller removes.
func convertSheet(from, to *os.File, dir, wanted string) *Result {
	// The library reads a file that it is given by name piece by piece, and any other into memory.
	book, err := excelize.OpenFile(fmt.Sprintf("/proc/self/fd/%d", from.Fd()), excelize.Options{
		UnzipSizeLimit: sheetUnzipped, UnzipXMLSizeLimit: sheetPart, TmpDir: dir,
	})
	if err != nil {
		return &Result{Problem: "is no spreadsheet of the form XLSX that can be read: " + err.Error()}
	}
	defer func() { _ = book.Close() }() // it removes temporary files
	out := &Result{}
	for _, name := range book.GetSheetList() {
		if out.Part != "" || wanted != "" && name != wanted {
			if hasRows(book, name) {
				out.Parts = append(out.Parts, name)
			}
			continue
		}
		written, err := writeSheet(book, name, to)
		if err != nil {
			return &Result{Problem: fmt.Sprintf("the sheet %q cannot be read: %s", name, err)}
		}
		if written {
			out.Part, out.Parts = name, append(out.Parts, name)
		}
	}
	switch {
	case out.Part == "" && wanted != "":
		out.Problem = fmt.Sprintf("has no sheet %q with rows; its sheets are %s", wanted,
			problem.List(book.GetSheetList()))
	case out.Part == "":
		out.Problem = "has no sheet with rows"
	}
	return out
}

func hasRows(book *excelize.File, name string) bool {
	rows, err := book.Rows(name)
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }() // it was only read
	return rows.Next()
}

// writeSheet writes the rows of a sheet, and reports whether there were any.
func writeSheet(book *excelize.File, name string, to io.Writer) (written bool, err error) {
	stored, err := book.Rows(name)
	if err != nil {
		return false, err //nolint:wrapcheck // the caller says of what
	}
	shown, err := book.Rows(name)
	if err != nil {
		return false, errors.Join(err, stored.Close())
	}
	defer func() { err = errors.Join(err, stored.Close(), shown.Close()) }()
	properties, err := book.GetWorkbookProps()
	if err != nil {
		return false, err //nolint:wrapcheck // the caller says of what
	}
	early := properties.Date1904 != nil && *properties.Date1904
	out, width := newTable(to), 0
	for stored.Next() && shown.Next() {
		values, err := stored.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return false, err //nolint:wrapcheck // the caller says of what
		}
		texts, err := shown.Columns()
		if err != nil {
			return false, err //nolint:wrapcheck // the caller says of what
		}
		for i := range values {
			text := ""
			if i < len(texts) {
				text = texts[i]
			}
			values[i] = sheetCellText(values[i], text, early)
			written = written || values[i] != ""
		}
		// A sheet has no cells behind the last one with a value, where a line of CSV says that they are empty.
		// Beyond what a table takes, rows stay short, so that one cell far to the right does not widen a million rows.
		if width = max(width, min(len(values), MaxColumns)); len(values) > 0 && len(values) < width {
			values = append(values, make([]string, width-len(values))...)
		}
		if err := out.write(values); err != nil {
			return false, err
		}
	}
	return written, out.out.Flush()
}

var (
	elapsed = regexp.MustCompile(`^-?\d+:\d\d(:\d\d)?$`)
	symbols = regexp.MustCompile(`[^0-9.eE+-]`)
)

// sheetCellText is a value as CSV. value is as it is stored, and text as the format of the cell shows it, which may be
// rounded, or a date in any order.
func sheetCellText(value, text string, early bool) string {
	if value == text || text == "TRUE" || text == "FALSE" || elapsed.MatchString(text) {
		return text
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return text
	}
	if shown, ok := numberShown(text); ok {
		switch {
		case strings.Contains(text, "%") && near(shown, number*100):
			return strconv.FormatFloat(math.Round(number*1e14)/1e12, 'f', -1, 64) + "%"
		case near(shown, number):
			return value
		}
	}
	moment, err := excelize.ExcelDateToTime(number, early)
	if err != nil {
		return text
	}
	moment = moment.Round(time.Second)
	if number == math.Trunc(number) {
		return moment.Format(time.DateOnly)
	}
	return moment.Format(time.DateTime)
}

// numberShown reads a number that a format shows, with its sign, its symbol and its groups.
func numberShown(text string) (float64, bool) {
	negative := strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")")
	bare := symbols.ReplaceAllString(strings.ReplaceAll(text, ",", ""), "")
	if strings.LastIndexAny(bare, "+-") > 0 && !strings.ContainsAny(bare, "eE") {
		return 0, false // a date
	}
	number, err := strconv.ParseFloat(bare, 64)
	if negative {
		number = -number
	}
	return number, err == nil
}

// near reports whether a number is another one that was rounded.
func near(shown, stored float64) bool {
	return math.Abs(shown-stored) <= math.Max(1, math.Abs(stored)*0.01)
}

package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/sys/unix"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/problem"
)

// Limits of the reader of spreadsheets.
const (
	sheetTime      = 5 * time.Minute
	sheetMemory    = 1 << 30   // of its process, in bytes
	sheetUnzipped  = 2 << 30   // of all parts of the file together
	sheetPart      = 16 << 20  // of a part, above which it is read from a file
	sheetTextLimit = maxSource // of the CSV
)

// A Sheet is what the reader of a spreadsheet says of it.
type Sheet struct {
	Name    string   `json:"name"`              // of the sheet that was read
	All     []string `json:"all,omitempty"`     // with rows, in their order
	Problem string   `json:"problem,omitempty"` // why it was not read
}

// fromSheet makes CSV of a sheet of a spreadsheet.
func (s *Store) fromSheet(ctx context.Context, src *source, wanted string) error {
	// Parts of the spreadsheet are unpacked into files. A reader that is ended leaves them behind.
	dir, err := os.MkdirTemp("", "rowhouse-sheet-")
	if err != nil {
		return fmt.Errorf("making a directory for a spreadsheet: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing in it is needed
	var sheet Sheet
	err = src.replace(func(out *os.File) error {
		if s.Reader == nil {
			sheet = ConvertSheet(src.spool, out, dir, wanted)
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, sheetTime)
		defer cancel()
		var said, complaints bytes.Buffer
		args := append(append([]string{}, s.Reader[1:]...), wanted)
		reader := exec.CommandContext(ctx, s.Reader[0], args...) //nolint:gosec // this program itself
		reader.ExtraFiles, reader.Stdout, reader.Stderr = []*os.File{src.spool, out}, &said, &complaints
		reader.Env = []string{"GOMEMLIMIT=" + strconv.Itoa(sheetMemory*3/4), "TMPDIR=" + dir}
		if err := reader.Run(); err != nil || json.Unmarshal(said.Bytes(), &sheet) != nil {
			if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return ctx.Err()
			}
			return problem.Invalid("file", "is a spreadsheet that takes more than %d MB of memory or %s to read, "+
				"or is damaged; save it as CSV", sheetMemory>>20, sheetTime)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case sheet.Problem != "":
		return problem.Invalid("file", "%s", sheet.Problem)
	}
	src.sheet = sheet
	if others := slices.DeleteFunc(slices.Clone(sheet.All), func(name string) bool {
		return name == sheet.Name
	}); len(others) > 0 {
		src.notes = append(src.notes, fmt.Sprintf("The sheet %q was read. Other sheets with rows: %s; each is an "+
			"import of its own.", sheet.Name, problem.List(others)))
	}
	return nil
}

// RunSheetReader is the process that reads a spreadsheet: file 3 is the spreadsheet and file 4 its CSV, and what it
// says of it goes to out. It bounds its own memory first.
func RunSheetReader(out io.Writer, wanted string) error {
	limit := unix.Rlimit{Cur: sheetMemory, Max: sheetMemory}
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("bounding the memory: %w", err)
	}
	from, to := os.NewFile(3, "spreadsheet"), os.NewFile(4, "csv")
	sheet := ConvertSheet(from, to, os.TempDir(), wanted)
	return json.NewEncoder(out).Encode(sheet) //nolint:wrapcheck // for the exit status
}

// ConvertSheet writes a sheet of a spreadsheet as CSV: the one with a name, or the first with rows. Values are written
// as they are stored, dates as ISO 8601 writes them, and formulas as their last results. Large parts are unpacked into
// files in dir, which the caller removes.
func ConvertSheet(from, to *os.File, dir, wanted string) Sheet {
	// The library reads a file that it is given by name piece by piece, and any other into memory.
	book, err := excelize.OpenFile(fmt.Sprintf("/proc/self/fd/%d", from.Fd()), excelize.Options{
		UnzipSizeLimit: sheetUnzipped, UnzipXMLSizeLimit: sheetPart, TmpDir: dir,
	})
	if err != nil {
		return Sheet{Problem: "is no spreadsheet of the form XLSX that can be read: " + err.Error()}
	}
	defer func() { _ = book.Close() }() // it removes temporary files
	var out Sheet
	for _, name := range book.GetSheetList() {
		if out.Name != "" || wanted != "" && name != wanted {
			if hasRows(book, name) {
				out.All = append(out.All, name)
			}
			continue
		}
		written, err := convert(book, name, to)
		if err != nil {
			return Sheet{Problem: fmt.Sprintf("the sheet %q cannot be read: %s", name, err)}
		}
		if written {
			out.Name, out.All = name, append(out.All, name)
		}
	}
	switch {
	case out.Name == "" && wanted != "":
		out.Problem = fmt.Sprintf("has no sheet %q with rows; its sheets are %s", wanted,
			problem.List(book.GetSheetList()))
	case out.Name == "":
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

// convert writes the rows of a sheet, and reports whether there were any.
func convert(book *excelize.File, name string, to io.Writer) (written bool, err error) {
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
	out := bufio.NewWriterSize(to, 1<<16)
	var line bytes.Buffer
	size := 0
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
			values[i] = delimited.Guard(sheetCellText(values[i], text, early))
			written = written || values[i] != ""
		}
		delimited.Write(&line, values)
		if size += line.Len(); size > sheetTextLimit {
			return false, errors.New("it has too much text")
		}
		if _, err := out.Write(line.Bytes()); err != nil {
			return false, fmt.Errorf("writing CSV: %w", err)
		}
		line.Reset()
	}
	return written, out.Flush()
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

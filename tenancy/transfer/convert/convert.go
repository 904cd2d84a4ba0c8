// Package convert makes CSV of files of other forms, so that one reader proposes types and finds mistakes. What a form
// says itself of a column's type goes with it. It knows files and no tables, and runs in a process of its own, because
// what a file unpacks to is not known before.
package convert

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/problem"
)

// The forms of files.
const (
	CSV      = "csv"  // or TSV
	Sheet    = "xlsx" // a sheet of a spreadsheet
	JSON     = "json" // or NDJSON
	Parquet  = "parquet"
	VCard    = "vcard"
	Calendar = "icalendar"
	Trello   = "trello" // a board as JSON
	Notion   = "notion" // a table of an export
)

// Limits of a conversion.
const (
	maxTime   = 5 * time.Minute
	maxMemory = 1 << 30 // of its process, in bytes
	// MaxText bounds the CSV, in bytes.
	MaxText = 2 << 30
	// MaxColumns bounds the columns of a file, or the members of all its objects together.
	MaxColumns = 500
	// maxCell bounds a cell of a file that is larger unpacked than packed, in bytes. The importer refuses it by then.
	maxCell = 16 << 20
)

// A Result is what a conversion says of its file.
type Result struct {
	Form string `json:"form"`
	// Name is the title of what was read; "" if the name of the file says it.
	Name string `json:"name,omitempty"`
	// Part is the sheet that was read, and Parts are all with rows in their order.
	Part  string   `json:"part,omitempty"`
	Parts []string `json:"parts,omitempty"`
	// Columns are what the file says of the columns; none if their cells say it.
	Columns []Column `json:"columns,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Problem string   `json:"problem,omitempty"` // why it was not read
}

// A Column is what a file says of one of its columns.
type Column struct {
	// Type is the type of its field; "text" leaves open which type of text it is, and "" every type.
	Type    string   `json:"type,omitempty"`
	Options []string `json:"options,omitempty"`
}

// FormOf is the form of a file that is converted in a process of its own; "" for others. head is its beginning. What
// begins as a spreadsheet may be an export of Notion, and what begins as a board of Trello other JSON.
func FormOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return Sheet
	case bytes.HasPrefix(head, []byte("PAR1")), bytes.HasPrefix(head, []byte("PARE")):
		return Parquet
	case beginsWith(head, "BEGIN:VCARD"):
		return VCard
	case beginsWith(head, "BEGIN:VCALENDAR"):
		return Calendar
	case boardBegins.Match(head):
		return Trello
	}
	return ""
}

// A Converter converts files in processes of its own, whose memory is bounded. Its value is the command that calls
// Serve; an empty one converts within the caller's process, which only tests do.
type Converter []string

// Convert makes CSV of a file. wanted names a part of it, or is "" for the first with rows. Its error is of kind
// invalid if the file cannot be read.
func (c Converter) Convert(ctx context.Context, from, to *os.File, form, wanted string) (*Result, error) {
	// Parts of a file are unpacked into files. A process that is ended leaves them behind.
	dir, err := os.MkdirTemp("", "rowhouse-convert-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for a conversion: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing in it is needed
	result := &Result{}
	if len(c) == 0 {
		result = convert(from, to, form, dir, wanted)
	} else {
		timed, cancel := context.WithTimeout(ctx, maxTime)
		defer cancel()
		var said bytes.Buffer
		args := append(slices.Clone(c[1:]), "--", form, wanted)
		process := exec.CommandContext(timed, c[0], args...) //nolint:gosec // this program itself
		process.ExtraFiles, process.Stdout = []*os.File{from, to}, &said
		process.Env = []string{"GOMEMLIMIT=" + strconv.Itoa(maxMemory*3/4), "TMPDIR=" + dir}
		if err := process.Run(); err != nil || json.Unmarshal(said.Bytes(), result) != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err() //nolint:wrapcheck // of the caller
			}
			return nil, problem.Invalid("file", "is %s that takes more than %d MB of memory or %s to read, or is "+
				"damaged; save it as CSV", titles[form], maxMemory>>20, maxTime)
		}
	}
	if result.Problem != "" {
		return nil, problem.Invalid("file", "%s", result.Problem)
	}
	return result, nil
}

// titles of the forms, for people.
var titles = map[string]string{
	Sheet: "a spreadsheet or an export of Notion", Parquet: "a Parquet file", VCard: "a file of vCards",
	Calendar: "a calendar", Trello: "a board of Trello",
}

// Serve is the process that converts: file 3 is the file and file 4 its CSV, and the result goes to out. It bounds its
// own memory first.
func Serve(out io.Writer, form, wanted string) error {
	limit := unix.Rlimit{Cur: maxMemory, Max: maxMemory}
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("bounding the memory: %w", err)
	}
	from, to := os.NewFile(3, "file"), os.NewFile(4, "csv")
	result := convert(from, to, form, os.TempDir(), wanted)
	return json.NewEncoder(out).Encode(result) //nolint:wrapcheck // for the exit status
}

// convert converts a file. Large parts are unpacked into files in dir, which the caller removes.
func convert(from, to *os.File, form, dir, wanted string) (result *Result) {
	defer func() {
		if fault := recover(); fault != nil { // libraries panic over damaged files
			result = &Result{Problem: fmt.Sprintf("is %s that is damaged: %v", titles[form], fault)}
		}
	}()
	switch form {
	case Sheet:
		if isSheet(from) {
			result = convertSheet(from, to, dir, wanted)
		} else {
			form, result = Notion, convertNotion(from, to, wanted)
		}
	case Parquet:
		result = convertParquet(from, to)
	case VCard:
		result = convertCards(from, to)
	case Calendar:
		result = convertCalendar(from, to)
	case Trello:
		if result = convertBoard(from, to); result == nil { // it is other JSON
			form, result = JSON, &Result{}
		}
	default:
		result = &Result{Problem: fmt.Sprintf("cannot be converted from the form %q", form)}
	}
	result.Form = form
	return result
}

// isSheet reports whether a zip is a spreadsheet.
func isSheet(from *os.File) bool {
	info, err := from.Stat()
	if err != nil {
		return true // its reader says what is wrong
	}
	archive, err := zip.NewReader(from, info.Size())
	return err != nil || slices.ContainsFunc(archive.File, func(f *zip.File) bool {
		return f.Name == "[Content_Types].xml" || strings.HasPrefix(f.Name, "xl/")
	})
}

// errTooMuch refuses a file that unpacks to more than an import takes.
var errTooMuch = errors.New("it has too much text")

// A table is CSV that is being written.
type table struct {
	out  *bufio.Writer
	line bytes.Buffer
	size int
}

func newTable(to io.Writer) *table { return &table{out: bufio.NewWriterSize(to, 1<<16)} }

// write writes a row. It guards its cells where they stand.
func (t *table) write(cells []string) error {
	for i := range cells {
		cells[i] = delimited.Guard(cells[i])
	}
	delimited.Write(&t.line, cells)
	if t.size += t.line.Len(); t.size > MaxText {
		return errTooMuch
	}
	if _, err := t.out.Write(t.line.Bytes()); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	t.line.Reset()
	return nil
}

package convert

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Limits of an export of Notion, which are read into memory.
const (
	notionTable = 128 << 20 // of a table, in bytes
	notionPage  = 1 << 20   // of the text of a page
	notionFiles = 200_000
)

// notionAddress is the address of a page in brackets.
const notionAddress = ` \((?:https?://[^()\s]+|[^()]+\.md)\)`

var (
	// notionID is what Notion adds to the names of files.
	notionID = regexp.MustCompile(` [0-9a-f]{32}$`)
	// notionLinks are names of pages with their addresses, as cells of relations have them.
	notionLinks = regexp.MustCompile("^[^()]+" + notionAddress + "(?:, [^()]+" + notionAddress + ")*$")
	notionLink  = regexp.MustCompile(notionAddress)
)

// A notionExport is a zip of CSV and Markdown.
type notionExport struct {
	tables []notionFile
	pages  map[string]*zip.File // by folder and title
	names  []string             // of the tables
}

type notionFile struct {
	name   string
	folder string // of its pages
	file   *zip.File
}

// convertNotion makes CSV of a table of an export of Notion: the one that is named, or the first. The text of the page
// of each row becomes a column, and relations have names.
func convertNotion(from, to *os.File, wanted string) *Result {
	info, err := from.Stat()
	if err != nil {
		return &Result{Problem: "cannot be read: " + err.Error()}
	}
	archive, err := zip.NewReader(from, info.Size())
	switch {
	case err != nil:
		return &Result{Problem: "is a zip that cannot be read: " + err.Error()}
	case len(archive.File) > notionFiles:
		return &Result{Problem: fmt.Sprintf("is a zip of more than %d files", notionFiles)}
	}
	x := readNotion(archive)
	at := 0
	if wanted != "" {
		at = slices.Index(x.names, wanted)
	}
	switch {
	case len(x.tables) == 0 && slices.ContainsFunc(archive.File, func(f *zip.File) bool {
		return strings.HasSuffix(f.Name, ".zip")
	}):
		return &Result{Problem: "is a zip of zips, as Notion sends a large export; unpack it, and import each of them"}
	case len(x.tables) == 0:
		return &Result{Problem: "is a zip, but neither a spreadsheet nor an export of Notion with a table as CSV"}
	case at < 0:
		return &Result{Problem: fmt.Sprintf("has no table %q; its tables are %s", wanted, problem.List(x.names))}
	}
	out := &Result{Name: x.names[at], Part: x.names[at], Parts: x.names}
	if err := x.write(to, &x.tables[at], out); err != nil {
		return &Result{Problem: fmt.Sprintf("the table %q cannot be read: %s", x.names[at], err)}
	}
	return out
}

// readNotion finds the tables and the pages. A table is there twice: as its first view shows it, and whole, with _all
// at the end of its name.
func readNotion(archive *zip.Reader) *notionExport {
	x := &notionExport{pages: map[string]*zip.File{}}
	there := map[string]bool{}
	for _, f := range archive.File {
		there[f.Name] = true
	}
	for _, f := range archive.File {
		switch extension := path.Ext(f.Name); extension {
		case ".csv":
			name := strings.TrimSuffix(f.Name, extension)
			if there[name+"_all.csv"] {
				continue
			}
			name = strings.TrimSuffix(name, "_all")
			// The folder of the pages has the id in older exports only.
			title := notionID.ReplaceAllString(path.Base(name), "")
			x.tables = append(x.tables, notionFile{name: title, folder: path.Join(path.Dir(name), title), file: f})
		case ".md":
			folder := path.Dir(f.Name)
			folder = path.Join(path.Dir(folder), notionID.ReplaceAllString(path.Base(folder), ""))
			title := notionID.ReplaceAllString(strings.TrimSuffix(path.Base(f.Name), extension), "")
			if _, twice := x.pages[folder+"\x00"+title]; twice {
				x.pages[folder+"\x00"+title] = nil // nobody knows which one a row means
			} else {
				x.pages[folder+"\x00"+title] = f
			}
		}
	}
	slices.SortStableFunc(x.tables, func(a, b notionFile) int { return strings.Compare(a.name, b.name) })
	for i := range x.tables {
		name := x.tables[i].name
		for n := 2; slices.Contains(x.names, name); n++ {
			name = fmt.Sprint(x.tables[i].name, " ", n)
		}
		x.names = append(x.names, name)
	}
	return x
}

// unzipped reads a file of the zip that is not larger than most.
func unzipped(f *zip.File, most int64) ([]byte, error) {
	from, err := f.Open()
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says of what
	}
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err = errors.Join(err, from.Close()); err == nil && int64(len(content)) > most {
		err = fmt.Errorf("it has more than %d MB", most>>20)
	}
	return content, err
}

// pageOf is the text of the page of a row, without the title and the properties, which are cells.
func (x *notionExport) pageOf(t *notionFile, title string) (text string, cut bool) {
	// Signs that names of files do not have are left out of them, and long titles are cut.
	clean := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return ' '
		}
		return r
	}, title)), " ")
	f := x.pages[t.folder+"\x00"+clean]
	if f == nil {
		return "", false
	}
	content, err := unzipped(f, notionPage)
	if err != nil {
		return "", true // it is noted
	}
	text = strings.TrimPrefix(strings.ReplaceAll(string(content), "\r\n", "\n"), delimited.ByteOrderMark)
	if rest, found := strings.CutPrefix(text, "# "); found {
		_, text, _ = strings.Cut(rest, "\n")
		text = strings.TrimLeft(text, "\n")
		// The properties are a paragraph of lines as "Name: value".
		if head, body, _ := strings.Cut(text, "\n\n"); isProperties(head) {
			text = body
		}
	}
	return strings.TrimSpace(text), false
}

var propertyLine = regexp.MustCompile(`^[^:\n]{1,100}: .*$`)

func isProperties(paragraph string) bool {
	for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
		if !propertyLine.MatchString(line) {
			return false
		}
	}
	return true
}

func (x *notionExport) write(to io.Writer, t *notionFile, result *Result) error {
	content, err := unzipped(t.file, notionTable)
	if err != nil {
		return err
	}
	named := true
	read, err := delimited.Read(content, delimited.Options{Encoding: "utf-8", Delimiter: ',', Header: &named})
	if err != nil {
		return err //nolint:wrapcheck // the caller says of what
	}
	if len(read.Header) == 0 {
		return errors.New("it has no names of columns")
	}
	width, out, lost := len(read.Header), newTable(to), 0
	header := slices.Clone(read.Header)
	if len(x.pages) > 0 {
		header = append(header, "Page")
	}
	if err := out.write(slices.Clone(header)); err != nil {
		return err
	}
	for row, err := range read.Rows() {
		if err != nil {
			return err
		}
		cells := make([]string, len(header))
		for i := range min(width, len(row.Cells)) {
			cells[i] = delimited.Unguard(row.Cells[i])
			if notionLinks.MatchString(cells[i]) {
				cells[i] = names(cells[i])
			}
		}
		if len(header) > width {
			text, cut := x.pageOf(t, cells[0])
			if cells[width] = text; cut {
				lost++
			}
		}
		if err := out.write(cells); err != nil {
			return err
		}
	}
	if lost > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("Texts of pages with more than %d MB were left out: %d.",
			notionPage>>20, lost))
	}
	result.Columns = make([]Column, len(header))
	if len(header) > width {
		result.Columns[width] = Column{Type: "long_text"}
	}
	return out.out.Flush() //nolint:wrapcheck // the caller says of what
}

// names are the names of pages without their addresses.
func names(cell string) string {
	var out []string
	for len(cell) > 0 {
		at := notionLink.FindStringIndex(cell)
		if at == nil {
			break
		}
		out = append(out, string(bytes.TrimSpace([]byte(cell[:at[0]]))))
		cell = strings.TrimPrefix(cell[at[1]:], ", ")
	}
	return field.JoinNames(out)
}

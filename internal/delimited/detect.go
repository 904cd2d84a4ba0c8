package delimited

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
)

// sampled is how many rows detection reads.
const sampled = 200

// leading is how many rows may stand before the header.
const leading = 30

// ErrEmpty says that a text has no row with a value.
var ErrEmpty = errors.New("has no row with a value")

// Read detects the format of a text.
//
// The encoding follows from the byte order mark, or else from the text (encodingOf). A first line
// "sep=;" names the delimiter, as spreadsheets write it; otherwise it is the one by which most rows
// have the same number of cells, quotes observed. Titles are rows before the header: the header is the
// first row that IsHeader accepts, or else the first one that is at least half as full as the rows are
// wide, after the first blank line if there is one and the rows before it are narrower.
func Read(content []byte, o Options) (*Text, error) {
	t := &Text{Encoding: strings.ToLower(o.Encoding), Delimiter: o.Delimiter}
	if t.Encoding == "" {
		t.Encoding = encodingOf(content, o.Locale)
	}
	if err := t.open(content); err != nil {
		return nil, err
	}
	if line, found := separatorLine(t.content); found != 0 {
		if t.Delimiter == 0 {
			t.Delimiter = found
		}
		t.body = place{line, 2, t.body.from + t.units(t.content[:line])}
	}
	if t.Delimiter == 0 {
		t.Delimiter = t.findDelimiter()
	}
	return t, t.findHeader(&o)
}

// Continue prepares a part of a text of the same format, which begins with a row at a line. "" is
// UTF-8.
func Continue(content []byte, encoding string, delimiter byte, line int) (*Text, error) {
	t := &Text{Encoding: strings.ToLower(encoding), Delimiter: delimiter}
	if t.Encoding == "" {
		t.Encoding = utf8Name
	}
	err := t.open(content)
	t.body.line = max(line, 1)
	return t, err
}

var separator = regexp.MustCompile(`^(?i:"?sep=(.)"?)[ ;,]*(?:\r\n|\r|\n|$)`)

// separatorLine finds a first line that names the delimiter, and where the next one begins.
func separatorLine(content []byte) (next int, delimiter byte) {
	found := separator.FindSubmatchIndex(content)
	if found == nil || found[3]-found[2] != 1 || bytes.IndexByte(Delimiters, content[found[2]]) < 0 {
		return 0, 0
	}
	return found[1], content[found[2]]
}

// findDelimiter returns the delimiter by which most of the first rows have the same number of cells.
func (t *Text) findDelimiter() byte {
	best, most := byte(','), 0
	for _, t.Delimiter = range Delimiters {
		widths := map[int]int{}
		for _, row := range t.sample(t.body, sampled) {
			if !row.Blank() {
				widths[len(row.Cells)]++
			}
		}
		for width, n := range widths {
			if width > 1 && n >= most {
				best, most = t.Delimiter, n
			}
		}
	}
	return best
}

// sample reads some rows, including blank ones; it ends at the first error.
func (t *Text) sample(at place, most int) []Row {
	var rows []Row
	for len(rows) < most {
		row, next, err := t.row(at)
		if err != nil || row.Cells == nil {
			break
		}
		rows = append(rows, row)
		at = next
	}
	return rows
}

// findHeader finds the row that names the columns, and where the rows after it begin.
func (t *Text) findHeader(o *Options) error {
	rows := t.sample(t.body, sampled)
	first := 0
	for first < len(rows) && rows[first].Blank() {
		first++
	}
	if first == len(rows) {
		_, _, err := t.row(t.body)
		for at := t.body; err == nil; {
			var row Row
			if row, at, err = t.row(at); row.Cells == nil {
				break
			}
		}
		if err != nil {
			return err
		}
		return ErrEmpty
	}
	var header int
	switch known := knownHeader(rows, o.IsHeader); {
	case known >= 0:
		header = known
	default:
		header = behindTitles(rows, first)
	}
	has := o.Header == nil && looksLikeHeader(rows[header:]) || o.Header != nil && *o.Header || o.IsHeader != nil
	if o.Header != nil && !*o.Header {
		header = first
	}
	for i := range rows[:header] {
		if !rows[i].Blank() {
			t.Skipped++
		}
	}
	at := rows[header]
	start := t.body
	for range header {
		_, start, _ = t.row(start)
	}
	t.body = start
	if has {
		_, t.body, _ = t.row(start)
		t.HeaderRow = at
		for _, name := range at.Cells {
			t.Header = append(t.Header, strings.TrimSpace(Unguard(strings.TrimSpace(name))))
		}
		t.Width = len(t.Header)
	}
	return nil
}

// knownHeader finds the first of the leading rows that names columns.
func knownHeader(rows []Row, is func(cells []string) bool) int {
	if is == nil {
		return -1
	}
	for i := range rows[:min(len(rows), leading)] {
		if !rows[i].Blank() && is(rows[i].Cells) {
			return i
		}
	}
	return -1
}

// behindTitles finds the first row after the titles that precede a header.
func behindTitles(rows []Row, first int) int {
	widths, width := map[int]int{}, 0
	for i := range rows {
		if rows[i].Blank() {
			continue
		}
		n := len(rows[i].Cells)
		if widths[n]++; width == 0 || widths[n] > widths[width] || widths[n] == widths[width] && n > width {
			width = n
		}
	}
	if width < 2 {
		return first
	}
	isTitle := func(row *Row) bool { return len(row.Cells) < width && row.filled() < width || row.filled()*2 < width }
	at := first
	for i := first; i < min(len(rows), leading); i++ { // a block of narrower rows ends with a blank line
		if rows[i].Blank() {
			for at = i; at < len(rows) && rows[at].Blank(); {
				at++
			}
			break
		}
		if rows[i].filled() >= width {
			break
		}
	}
	if at >= len(rows) {
		at = first
	}
	for i := at; i < min(len(rows), leading); i++ {
		if !rows[i].Blank() && !isTitle(&rows[i]) {
			return i
		}
	}
	return first
}

var data = regexp.MustCompile(`^(?:[-+(]?[\p{Sc}]? ?\d[\d.,' ]*\)?[%\p{Sc}]?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|` +
	`\d{1,2}:\d\d(:\d\d)?|[^\s@]+@[^\s@]+\.[^\s@]+|(?i:https?://.*))$`)
var year = regexp.MustCompile(`^(19|20)\d\d$`)

// looksLikeHeader reports whether the first row has nothing that is certainly data: a date, an address
// or a number other than a year.
func looksLikeHeader(rows []Row) bool {
	if len(rows) < 2 {
		return false
	}
	for _, cell := range rows[0].Cells {
		if cell = strings.TrimSpace(cell); data.MatchString(cell) && !year.MatchString(cell) {
			return false
		}
	}
	return true
}

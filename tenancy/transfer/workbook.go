package transfer

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A workbook is a spreadsheet (ECMA-376) that is written as a stream: a row is in the file as soon as it is complete. A
// library that keeps the parts of the file until its end takes memory that grows with the rows.
type workbook struct {
	file  *zip.Writer
	sheet io.Writer // the part of the present sheet
	names []string
	buf   []byte // what is not in the part yet
	row   int
}

// The styles of cells, by their places in workbookStyles.
const (
	dayStyle    = 1
	momentStyle = 2
)

const (
	xmlHead    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace  = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	partSpace  = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	officeType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	typePrefix = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	// What has no other type is a sheet, so that the types, which come first, need not know how many there are.
	workbookTypes = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="` + typePrefix + `worksheet+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + typePrefix + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + typePrefix + `styles+xml"/></Types>`
	workbookRoot = xmlHead + `<Relationships ` + partSpace + `><Relationship Id="rId1" Type="` + officeType +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	workbookStyles = xmlHead + `<styleSheet ` + mainSpace + `><numFmts count="2">` +
		`<numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>` +
		`<numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/>` +
		`</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>` +
		`</fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
		`<cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>` +
		`</cellXfs></styleSheet>`
	// partBuffer is how much of a sheet waits to be compressed.
	partBuffer = 64 << 10
)

func newWorkbook(to io.Writer) (*workbook, error) {
	w := &workbook{file: zip.NewWriter(to)}
	w.file.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestSpeed)
	})
	for _, part := range [][2]string{
		{"[Content_Types].xml", workbookTypes}, {"_rels/.rels", workbookRoot}, {"xl/styles.xml", workbookStyles},
	} {
		if err := w.add(part[0], part[1]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// add adds a part that is known as a whole.
func (w *workbook) add(name, content string) error {
	part, err := w.file.Create(name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err != nil {
		return fmt.Errorf("writing a spreadsheet: %w", err)
	}
	return nil
}

// begin begins a sheet with a name that no other one has.
func (w *workbook) begin(name string) (err error) {
	w.names = append(w.names, name)
	w.sheet, err = w.file.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.names)))
	if err != nil {
		return fmt.Errorf("beginning a sheet: %w", err)
	}
	w.row = 0
	w.buf = append(w.buf[:0], xmlHead+`<worksheet `+mainSpace+`><sheetData>`...)
	return nil
}

func (w *workbook) beginRow() {
	w.row++
	w.buf = append(strconv.AppendInt(append(w.buf, `<row r="`...), int64(w.row), 10), `">`...)
}

func (w *workbook) endRow() error {
	if w.buf = append(w.buf, `</row>`...); len(w.buf) < partBuffer {
		return nil
	}
	return w.flush()
}

func (w *workbook) flush() error {
	_, err := w.sheet.Write(w.buf)
	if w.buf = w.buf[:0]; err != nil {
		return fmt.Errorf("writing a sheet: %w", err)
	}
	return nil
}

// end ends the sheet.
func (w *workbook) end() error {
	w.buf = append(w.buf, `</sheetData></worksheet>`...)
	return w.flush()
}

// close ends the file.
func (w *workbook) close() error {
	if len(w.names) == 0 { // a spreadsheet without a sheet is none
		if err := errors.Join(w.begin("Sheet1"), w.end()); err != nil {
			return err
		}
	}
	var book, links strings.Builder
	book.WriteString(xmlHead + `<workbook ` + mainSpace + ` xmlns:r="` + officeType + `"><sheets>`)
	links.WriteString(xmlHead + `<Relationships ` + partSpace + `>`)
	for i, name := range w.names {
		fmt.Fprintf(&book, `<sheet name="%s" sheetId="%d" r:id="rId%[2]d"/>`, appendXML(nil, name), i+1)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`,
			i+1, officeType)
	}
	book.WriteString(`</sheets></workbook>`)
	fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>`,
		len(w.names)+1, officeType)
	err := errors.Join(w.add("xl/workbook.xml", book.String()), w.add("xl/_rels/workbook.xml.rels", links.String()))
	if err == nil {
		err = w.file.Close()
	}
	if err != nil {
		return fmt.Errorf("ending a spreadsheet: %w", err)
	}
	return nil
}

// cell begins a cell of the present row in a column from 0.
func (w *workbook) cell(column int) {
	w.buf = append(w.buf, `<c r="`...)
	var letters [3]byte
	at := len(letters)
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		at--
		letters[at] = 'A' + byte((n-1)%26)
	}
	w.buf = strconv.AppendInt(append(w.buf, letters[at:]...), int64(w.row), 10)
	w.buf = append(w.buf, '"')
}

func (w *workbook) bool(column int, value bool) {
	w.cell(column)
	digit := byte('0')
	if value {
		digit = '1'
	}
	w.buf = append(append(append(w.buf, ` t="b"><v>`...), digit), `</v></c>`...)
}

// number writes a number, given as its digits.
func (w *workbook) number(column int, digits []byte) {
	w.cell(column)
	w.buf = append(append(append(w.buf, `><v>`...), digits...), `</v></c>`...)
}

// time writes a moment after the year 1900, as a spreadsheet counts them: in days.
func (w *workbook) time(column, style int, at time.Time) {
	w.cell(column)
	w.buf = append(strconv.AppendInt(append(w.buf, ` s="`...), int64(style), 10), `"><v>`...)
	days := float64(at.Unix()-spreadsheetEpoch)/86400 + float64(at.Nanosecond())/(86400*1e9)
	w.buf = append(strconv.AppendFloat(w.buf, days, 'f', -1, 64), `</v></c>`...)
}

// spreadsheetEpoch is the day 0 of a spreadsheet, 30 December 1899, in seconds.
const spreadsheetEpoch = -2_209_161_600

// text writes a text, which nothing runs.
func (w *workbook) text(column int, text string) {
	w.cell(column)
	w.buf = append(w.buf, ` t="inlineStr"><is><t xml:space="preserve">`...)
	w.buf = append(appendXML(w.buf, text), `</t></is></c>`...)
}

// escapeLike is what a spreadsheet reads as the escape of a character.
var escapeLike = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// appendXML writes a text. A character that XML does not have is escaped as ECMA-376 says for an ST_Xstring.
func appendXML(dst []byte, text string) []byte {
	if strings.Contains(text, "_x") {
		text = escapeLike.ReplaceAllStringFunc(text, func(s string) string { return "_x005F" + s })
	}
	start := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= ' ' && c != '<' && c != '>' && c != '&' && c != '"' || c == '\n' || c == '\t':
			continue
		case c < ' ' && c != '\r':
			dst = append(dst, text[start:i]...)
			dst = fmt.Appendf(dst, "_x%04X_", c)
		default:
			dst = append(dst, text[start:i]...)
			var escaped bytes.Buffer
			_ = xml.EscapeText(&escaped, []byte{c}) // a buffer takes everything
			dst = append(dst, escaped.Bytes()...)
		}
		start = i + 1
	}
	return append(dst, text[start:]...)
}

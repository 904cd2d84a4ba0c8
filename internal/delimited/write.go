package delimited

import (
	"bytes"
	"strings"
)

// ByteOrderMark begins a text that spreadsheets should read as UTF-8.
const ByteOrderMark = "\ufeff"

// Write writes a row as RFC 4180 defines it. A row without values has quotes, because readers skip
// blank lines.
func Write(to *bytes.Buffer, cells []string) {
	blank := true
	for _, cell := range cells {
		blank = blank && cell == ""
	}
	for i, cell := range cells {
		if i > 0 {
			to.WriteByte(',')
		}
		if cell == "" && (!blank || i > 0) {
			continue
		}
		if cell != "" && !strings.ContainsAny(cell, ",\"\r\n;\t|") && cell == strings.TrimSpace(cell) {
			to.WriteString(cell)
			continue
		}
		to.WriteByte('"')
		to.WriteString(strings.ReplaceAll(cell, `"`, `""`))
		to.WriteByte('"')
	}
	to.WriteString("\r\n")
}

// Characters that begin a formula in a spreadsheet.
const formulaStart = "=+-@\t\r"

// Guard puts an apostrophe in front of a text that a spreadsheet would run as a formula: one that
// begins with =, @, a tab or a carriage return, or with a sign that no number follows. A text that
// already begins with apostrophes before such a beginning gets one more, so that an import can remove
// only the added one.
func Guard(text string) string {
	if len(text) < 2 {
		return text
	}
	switch text[0] {
	case '=', '@', '\t', '\r':
		return "'" + text
	case '+', '-':
		if strings.Trim(text[1:], "0123456789 \t\r\n().,") != "" {
			return "'" + text
		}
	case '\'':
		if isGuarded(text) {
			return "'" + text
		}
	}
	return text
}

func isGuarded(text string) bool {
	rest := strings.TrimLeft(text, "'")
	return len(rest) < len(text) && len(rest) > 1 && strings.Contains(formulaStart, rest[:1])
}

// Unguard removes the apostrophe of Guard.
func Unguard(text string) string {
	if isGuarded(text) {
		return text[1:]
	}
	return text
}

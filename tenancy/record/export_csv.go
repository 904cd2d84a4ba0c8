package record

import (
	"bytes"
	"strings"
)

// writeCSV writes a row as RFC 4180 has it. A row of one empty cell is two quotes, since readers skip empty lines.
func writeCSV(to *bytes.Buffer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			to.WriteByte(',')
		}
		if cell == "" && len(cells) > 1 {
			continue
		}
		if cell != "" && !strings.ContainsAny(cell, ",\"\r\n") && cell == strings.TrimSpace(cell) {
			to.WriteString(cell)
			continue
		}
		to.WriteByte('"')
		to.WriteString(strings.ReplaceAll(cell, `"`, `""`))
		to.WriteByte('"')
	}
	to.WriteString("\r\n")
}

// Characters with which a spreadsheet takes a text for a formula.
const formulaStart = "=+-@\t\r"

// guard puts an apostrophe in front of a text that a spreadsheet would run as a formula: one that begins with =, @, a
// tab or a carriage return, or with a sign and then something else than a number. A text with apostrophes in front of
// such a beginning gets one more, so that an import can tell its own from it. The application exports in the same way
// (web/app/src/csv/write.ts).
func guard(text string) string {
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

// unguard takes away the apostrophe of guard.
func unguard(text string) string {
	if isGuarded(text) {
		return text[1:]
	}
	return text
}

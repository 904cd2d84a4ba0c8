package transfer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/record"
)

// maxRefusals is how many mistakes a report lists.
const maxRefusals = 1000

// A Report says what a job did, and what it left out and why.
type Report struct {
	Tables []TableReport `json:"tables,omitzero"`
	// Notes say what was changed or left out as a whole, such as cells that a spreadsheet would run as a formula.
	Notes []string `json:"notes,omitzero"`
	// Problem says why the job failed.
	Problem string `json:"problem,omitzero"`
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// A TableReport is about one table.
type TableReport struct {
	ID      string `json:"id,omitzero"`
	Name    string `json:"name"`
	Rows    int    `json:"rows" jsonschema:"that an export wrote, or that the file has"`
	Created int    `json:"created,omitzero"`
	Updated int    `json:"updated,omitzero"`
	Refused int    `json:"refused,omitzero" jsonschema:"rows"`
	Emptied int    `json:"emptied,omitzero" jsonschema:"cells that were left empty because they do not fit"`
	Guarded int    `json:"guarded,omitzero" jsonschema:"cells that a spreadsheet would run as a formula; they are text"`
	SHA256  string `json:"sha256,omitzero" jsonschema:"of the table's file in an archive"`
	// Refusals are the first mistakes, and RefusedLines the lines of all refused rows, as "3-8, 11".
	Refusals     []record.Refusal `json:"refusals,omitzero" jsonschema:"the first 1,000"`
	MoreRefusals int              `json:"moreRefusals,omitzero"`
	// Columns say what became of each column of the file.
	Columns []ColumnReport `json:"columns,omitzero"`
}

// A ColumnReport says what became of a column of a file.
type ColumnReport struct {
	Name  string `json:"name"`
	Field string `json:"field,omitzero" jsonschema:"none: it was left out"`
	Type  string `json:"type,omitzero"`
}

// Counts is the report without what it quotes of records or of a file.
func (r *Report) Counts() *Report {
	out := &Report{Notes: r.Notes, Problem: r.Problem}
	for _, t := range r.Tables {
		t.MoreRefusals += len(t.Refusals)
		t.Refusals = nil
		out.Tables = append(out.Tables, t)
	}
	return out
}

// refuse adds mistakes.
func (t *TableReport) refuse(mistakes []record.Refusal, more int) {
	room := max(0, maxRefusals-len(t.Refusals))
	if len(mistakes) > room {
		more += len(mistakes) - room
		mistakes = mistakes[:room]
	}
	for _, mistake := range mistakes {
		mistake.Cells = slices.Clone(mistake.Cells)
		for i := range mistake.Cells {
			mistake.Cells[i] = withoutNUL(mistake.Cells[i])
		}
		t.Refusals = append(t.Refusals, mistake)
	}
	t.MoreRefusals += more
}

// withoutNUL replaces NUL, which the database cannot keep, by its picture.
func withoutNUL(text string) string { return strings.ReplaceAll(text, "\x00", "␀") }

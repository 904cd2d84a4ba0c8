package transfer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// maxRefusals is how many mistakes a report lists.
const maxRefusals = 1000

// A Report says what a job did, and what it left out and why.
type Report struct {
	Tables []TableReport `json:"tables,omitzero"`
	// Notes say what was changed or left out as a whole, such as cells that a spreadsheet would run as a formula.
	Notes []string `json:"notes,omitzero"`
	// LeftOut says what did not come from another service, by table and field.
	LeftOut     []LeftOut `json:"leftOut,omitzero" jsonschema:"the first 1,000"`
	MoreLeftOut int       `json:"moreLeftOut,omitzero"`
	// NotMembers are people of another service who are no members here.
	NotMembers []string `json:"notMembers,omitzero" jsonschema:"the first 200"`
	// Reading is of a dry run.
	Reading    *Reading `json:"reading,omitzero" jsonschema:"how a file is read, of a dry run"`
	plan.Offer          // of a dry run
	// Problem says why the job failed.
	Problem string `json:"problem,omitzero"`
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// noteOnce notes something that may have been noted before.
func (r *Report) noteOnce(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// A TableReport is about one table.
type TableReport struct {
	ID      string `json:"id,omitzero"`
	Name    string `json:"name"`
	Rows    int    `json:"rows" jsonschema:"that an export wrote, or that the file has"`
	Created int    `json:"created,omitzero"`
	Updated int    `json:"updated,omitzero" jsonschema:"not for links alone"`
	Refused int    `json:"refused,omitzero" jsonschema:"rows"`
	Emptied int    `json:"emptied,omitzero" jsonschema:"cells that were left empty because they do not fit"`
	Guarded int    `json:"guarded,omitzero" jsonschema:"cells that a spreadsheet would run as a formula; they are text"`
	// Of an import from another service.
	Unchanged int `json:"unchanged,omitzero" jsonschema:"records that are as the import before brought them"`
	Links     int `json:"links,omitzero"`
	Files     int `json:"files,omitzero"`
	Comments  int `json:"comments,omitzero"`
	Fields    int `json:"fields,omitzero"`
	Formulas  int `json:"formulas,omitzero" jsonschema:"fields that compute"`
	Views     int `json:"views,omitzero"`
	// Gone are records that the source no longer has; they stay here.
	Gone        int      `json:"gone,omitzero"`
	GoneRecords []string `json:"goneRecords,omitzero" jsonschema:"ids; the first 1,000"`
	SHA256      string   `json:"sha256,omitzero" jsonschema:"of the table's file in an archive"`
	// Matches says whether the records that came of an archive are again as it has them.
	Matches *bool `json:"matches,omitzero" jsonschema:"the records that came of an archive are as its manifest says"`
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

// A LeftOut is something that did not come, or not as it was.
type LeftOut struct {
	Table string `json:"table"`
	Field string `json:"field,omitzero"`
	Count int    `json:"count" jsonschema:"cells, files or comments; 1 for a field or a view"`
	Why   string `json:"why"`
	// Formula is the formula of a field that did not come, with the ids of the source.
	Formula string `json:"formula,omitzero"`
}

// maxReasons is how many reasons a report lists for one field.
const maxReasons = 3

// leave adds something that did not come. Reasons beyond the first few of a field are counted with the last.
func (r *Report) leave(one LeftOut) {
	reasons := 0
	for i := range r.LeftOut {
		known := &r.LeftOut[i]
		if known.Table != one.Table || known.Field != one.Field {
			continue
		}
		if reasons++; known.Why == one.Why || reasons == maxReasons && one.Field != "" {
			known.Count += one.Count
			return
		}
	}
	if len(r.LeftOut) >= maxRefusals {
		r.MoreLeftOut++
		return
	}
	r.LeftOut = append(r.LeftOut, one)
}

// clone is a copy that changes alone.
func (r *Report) clone() *Report {
	next := *r
	next.Tables, next.Notes = slices.Clone(r.Tables), slices.Clone(r.Notes)
	next.LeftOut, next.NotMembers = slices.Clone(r.LeftOut), slices.Clone(r.NotMembers)
	return &next
}

// Counts is the report without what it quotes of records or of a file.
func (r *Report) Counts() *Report {
	out := &Report{Notes: r.Notes, Problem: r.Problem, MoreLeftOut: r.MoreLeftOut + len(r.LeftOut)}
	for _, t := range r.Tables {
		t.MoreRefusals += len(t.Refusals)
		t.Refusals, t.GoneRecords = nil, nil
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

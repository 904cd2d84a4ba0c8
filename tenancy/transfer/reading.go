package transfer

import (
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// A Reading says how the file of an import was read: what a person may correct before they begin it.
type Reading struct {
	Form        string              `json:"form" jsonschema:"csv, xlsx, json, parquet, vcard, icalendar, trello or notion; encoding and delimiter are of csv"`
	Sheet       string              `json:"sheet,omitzero" jsonschema:"of a spreadsheet, or table of an export of Notion"`
	Sheets      []string            `json:"sheets,omitzero" jsonschema:"all with rows"`
	Encoding    string              `json:"encoding"`
	Delimiter   string              `json:"delimiter"`
	HasHeader   bool                `json:"hasHeader" jsonschema:"whether a row names the columns"`
	SkippedRows int                 `json:"skippedRows" jsonschema:"with values, before the header"`
	Rows        int                 `json:"rows"`
	Unreadable  int                 `json:"unreadable" jsonschema:"characters that the encoding does not have"`
	Columns     []record.ColumnRead `json:"columns"`
	NewOptions  []string            `json:"newOptions,omitzero" jsonschema:"as 3: Option, by the column from 1"`
}

// readingOf says how a file was read.
func readingOf(src *source, read *record.Preview) *Reading {
	out := &Reading{
		Form: src.form, Encoding: read.Encoding, Delimiter: read.Delimiter, HasHeader: read.HasHeader,
		SkippedRows: read.SkippedRows, Rows: read.Rows, Unreadable: read.Unreadable, Columns: read.Columns,
	}
	out.Sheet, out.Sheets = src.part, src.parts
	if src.encoding != "" {
		out.Encoding = src.encoding
	}
	for i := range out.Columns {
		c := &out.Columns[i]
		c.Name, c.Symbol = withoutNUL(c.Name), withoutNUL(c.Symbol)
		for _, texts := range [][]string{c.Samples, c.Options, c.Numbers.Examples, c.Dates.Examples} {
			for n := range texts {
				texts[n] = withoutNUL(texts[n])
			}
		}
	}
	return out
}

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Limits of a preview.
const (
	// MaxPreview bounds the file of a preview, in bytes.
	MaxPreview = 50 << 20
	// A part of a file has at most so many rows and bytes, unless one row is longer.
	partRows  = 1000
	partBytes = 1 << 20
	// samples is how many values of a column a preview shows.
	samples = 3
)

// DecimalSigns and Delimiters map the API's names to signs.
var (
	DecimalSigns = map[string]string{"point": ".", "comma": ","}
	Delimiters   = map[string]byte{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|'}
)

func nameOf[T comparable](names map[string]T, sign T) string {
	for name, one := range names {
		if one == sign {
			return name
		}
	}
	return ""
}

// A PreviewRequest asks how a file of CSV or TSV is read. What is not set is detected.
type PreviewRequest struct {
	Content   []byte
	Encoding  string
	Delimiter byte
	Header    *bool
	Locale    string // the language of the person, such as "pl"
	// PartRows is how many rows a part has; 0 is partRows.
	PartRows int
}

// A PreviewColumn is the field that a column is for, which may not exist yet. A column without a type
// is for none.
type PreviewColumn struct {
	Type   string
	Config json.RawMessage
	Style  field.Style
}

// A Preview says how a file is read, and what a check of its values finds.
type Preview struct {
	Encoding    string       `json:"encoding"`
	Delimiter   string       `json:"delimiter"`
	HasHeader   bool         `json:"hasHeader"`
	SkippedRows int          `json:"skippedRows"` // with values, before the header
	Rows        int          `json:"rows"`
	Unreadable  int          `json:"unreadable"` // characters that the encoding does not have
	Columns     []ColumnRead `json:"columns"`
	Parts       []FilePart   `json:"parts"`
	// The result of the check.
	Refused      int       `json:"refused"` // rows
	Refusals     []Refusal `json:"refusals,omitzero"`
	MoreRefusals int       `json:"moreRefusals,omitzero"`
	NewOptions   []string  `json:"newOptions,omitzero"` // as "3: Option", by the column from 1

	partRows int
	text     *delimited.Text
}

// A ColumnRead is a column of a file: its name, its first values, the type that fits all of them, and
// how it writes numbers and dates.
type ColumnRead struct {
	Name    string     `json:"name"` // "" for none
	Samples []string   `json:"samples"`
	Type    string     `json:"type"`
	Options []string   `json:"options,omitzero"` // of a select that is proposed, or would be
	Symbol  string     `json:"symbol,omitzero"`  // of the first amount of a currency
	Numbers StyleFound `json:"numbers"`
	Dates   StyleFound `json:"dates"`
	// Link is set if the column's values are names of records.
	Link   *LinkFound `json:"link,omitzero" jsonschema:"the table whose records the values name; of a type link with linkedTableId, if you take it"`
	read   *field.Column
	filled int // cells with a value
}

// isStray reports whether a column is behind the last one with a name, and only few rows have a value there: they have
// more cells than the file has columns.
func (p *Preview) isStray(at int) bool {
	for _, c := range p.Columns[at:] {
		if c.Name != "" || c.filled*10 > p.Rows {
			return false
		}
	}
	return p.HasHeader
}

// Width is the number of columns of the file without stray ones.
func (p *Preview) Width() int {
	width := len(p.Columns)
	for width > 0 && p.isStray(width-1) {
		width--
	}
	return width
}

// Config is the configuration of the proposed type, or nothing.
func (c *ColumnRead) Config() json.RawMessage {
	config := map[string]any{}
	if c.Type == "currency" && c.Symbol != "" {
		config["symbol"] = c.Symbol
	}
	if len(c.Options) > 0 {
		config["options"] = c.Options
	}
	encoded, err := json.Marshal(config)
	if err != nil || len(config) == 0 {
		return nil // names and a symbol are no error
	}
	return encoded
}

// textTypes are what a column of texts may be.
var textTypes = []string{"text", "long_text", "email", "url", "phone", "single_select", "multi_select"}

// Declare takes over what a file itself says of the type of a column, which is "" for nothing. "text" leaves open which
// type of text it is. Numbers and dates of such a file are written in one way.
func (c *ColumnRead) Declare(kind string, options []string) {
	switch {
	case kind == "" || kind == "text" && slices.Contains(textTypes, c.Type):
		return
	case kind == "text":
		c.Options = nil
	default:
		c.Options = options
	}
	c.Type, c.Symbol = kind, ""
	c.Numbers = StyleFound{Found: string(field.Certain), Style: nameOf(DecimalSigns, ".")}
	c.Dates = StyleFound{Found: string(field.Either)}
}

// A StyleFound is what a column decides of its decimal sign, or of its order of day and month.
type StyleFound struct {
	Found string `json:"found"` // certain, either, open or conflict, as package field names them
	// Style is the proposed one: the column's own, or that of the other columns; "" while a person must
	// choose it.
	Style    string   `json:"style,omitzero"`
	Examples []string `json:"examples,omitzero"` // the cells that decide it, or that leave it open
}

// A FilePart is a part of the file that begins and ends with rows: bytes From to To, whose first row is
// at Line.
type FilePart struct {
	From int `json:"from"`
	To   int `json:"to"`
	Line int `json:"line"`
	Rows int `json:"rows"`
}

func knownEncoding(name string) error {
	if name == "" || slices.Contains(delimited.Encodings, strings.ToLower(name)) {
		return nil
	}
	return problem.Invalid("encoding", "%s is not an encoding here; the encodings are %s", field.Quote(name),
		problem.List(delimited.Encodings))
}

// PreviewFile reads a file. It knows no table: links, files and people are not checked.
func PreviewFile(in *PreviewRequest) (*Preview, error) {
	if err := knownEncoding(in.Encoding); err != nil {
		return nil, err
	}
	text, err := delimited.Read(in.Content, delimited.Options{
		Encoding: in.Encoding, Delimiter: in.Delimiter, Header: in.Header, Locale: in.Locale,
	})
	switch {
	case errors.Is(err, delimited.ErrEmpty):
		return nil, problem.Invalid("content", "%s", err)
	case err != nil:
		return nil, unreadable(err)
	}
	p := &Preview{
		Encoding: text.Encoding, Delimiter: nameOf(Delimiters, text.Delimiter), HasHeader: text.Header != nil,
		SkippedRows: text.Skipped, Columns: []ColumnRead{}, Parts: []FilePart{}, partRows: in.PartRows, text: text,
	}
	if p.partRows == 0 {
		p.partRows = partRows
	}
	for _, name := range text.Header {
		p.column(len(p.Columns)).Name = name
	}
	for row, err := range text.Rows() {
		if err != nil {
			return nil, unreadable(err)
		}
		p.add(&row)
	}
	for len(p.Columns) > 0 { // delimiters behind the last value
		last := &p.Columns[len(p.Columns)-1]
		if last.Name != "" || len(last.Samples) > 0 {
			break
		}
		p.Columns = p.Columns[:len(p.Columns)-1]
	}
	p.propose()
	return p, nil
}

func (p *Preview) column(i int) *ColumnRead {
	for len(p.Columns) <= i {
		p.Columns = append(p.Columns, ColumnRead{Samples: []string{}, read: &field.Column{}})
	}
	return &p.Columns[i]
}

func (p *Preview) add(row *delimited.Row) {
	p.Rows++
	last := len(p.Parts) - 1
	if last < 0 || p.Parts[last].Rows == p.partRows || row.To-p.Parts[last].From > partBytes {
		p.Parts = append(p.Parts, FilePart{From: row.From, Line: row.Line})
		last++
	}
	p.Parts[last].To = row.To
	p.Parts[last].Rows++
	for i, cell := range row.Cells {
		if strings.TrimSpace(cell) == "" {
			if i >= len(p.Columns) {
				p.column(i)
			}
			continue
		}
		column := p.column(i)
		column.filled++
		p.Unreadable += strings.Count(cell, string(utf8.RuneError))
		if len(column.Samples) < samples {
			column.Samples = append(column.Samples, shortened(cell))
		}
		column.read.Add(delimited.Unguard(cell))
	}
}

// shortened is the beginning of a value, for display.
func shortened(cell string) string {
	const most = 80
	if utf8.RuneCountInString(cell) <= most {
		return cell
	}
	return string([]rune(cell)[:most]) + "…"
}

// propose proposes types and styles.
func (p *Preview) propose() {
	columns := make([]*field.Column, len(p.Columns))
	for i := range p.Columns {
		columns[i] = p.Columns[i].read
	}
	styles := field.Styles(columns, field.Style{})
	for i := range p.Columns {
		c := &p.Columns[i]
		kind, config := c.read.Propose()
		c.Type, c.Symbol = string(kind), c.read.Symbol()
		c.Options = config.OptionNames()
		found, _, cells := c.read.Numbers()
		c.Numbers = StyleFound{string(found), nameOf(DecimalSigns, styles[i].Decimal), cells}
		dates, _, cells := c.read.Dates()
		style := styles[i].Order
		if style == field.MixedOrder {
			style = ""
		}
		c.Dates = StyleFound{string(dates), string(style), cells}
	}
}

// Check reads every value for the field that it is for, and writes down what does not fit. It returns an error of kind
// invalid for columns that the file does not have, and for types and configurations that there are not.
func (p *Preview) Check(given []PreviewColumn) error {
	if len(given) > len(p.Columns) {
		return problem.Invalid("columns", "has %d entries, and the file has %d columns", len(given), len(p.Columns))
	}
	p.Refused, p.Refusals, p.MoreRefusals, p.NewOptions = 0, nil, 0, nil
	fields := make([]*field.Field, len(given))
	options := make([][]string, len(given))
	for i := range given {
		if given[i].Type == "" {
			continue
		}
		path := fmt.Sprintf("columns[%d].type", i)
		kind, err := field.Parse(path, given[i].Type)
		if err != nil {
			return err
		}
		f := &field.Field{Kind: kind.Kind()}
		if f.Info().Paired || f.Info().People || f.Info().ReadOnly || !f.Info().HasValues() {
			continue
		}
		f.Config, err = field.ParseConfig(fmt.Sprintf("columns[%d].config", i), f.Kind, given[i].Config)
		if err != nil {
			return err //nolint:wrapcheck // it is for the person
		}
		fields[i] = f
	}
	if err := p.checkRows(fields, given, options); err != nil {
		return err
	}
	for i, names := range options {
		for _, name := range names {
			p.NewOptions = append(p.NewOptions, fmt.Sprintf("%d: %s", i+1, name))
		}
	}
	return nil
}

// checkRows refuses the rows that an import of the parts would refuse. It checks a row when the next
// one is known, which may be its continuation.
func (p *Preview) checkRows(fields []*field.Field, given []PreviewColumn, options [][]string) error {
	mayHold := func(column int, text string) bool { return fields[column] == nil || mayBeCell(fields[column], text) }
	var last *delimited.Row
	fault := "" // of the last row
	check := func() {
		switch {
		case last == nil:
		case fault != "":
			p.refuse(Refusal{Line: last.Line, Message: fault})
			p.Refused++
		default:
			p.checkRow(last, fields, given, options)
		}
	}
	for row, err := range p.text.Rows() {
		if err != nil {
			return unreadable(err)
		}
		row.Cells = trimBeyond(row.Cells, len(fields))
		var before [][]string
		if last != nil && !p.beginsPart(row.Line) {
			before = [][]string{last.Cells}
		}
		own := ""
		for at, message := range uneven(before, row.Cells, len(fields), mayHold) {
			if at == 0 {
				own = message
			} else {
				fault = message
			}
		}
		check()
		last, fault = &row, own
	}
	check()
	return nil
}

// beginsPart reports whether the row at a line is the first of a part, which is imported by itself.
func (p *Preview) beginsPart(line int) bool {
	_, found := slices.BinarySearchFunc(p.Parts, line, func(part FilePart, line int) int { return part.Line - line })
	return found
}

// refuse records a mistake.
func (p *Preview) refuse(refusal Refusal) {
	if len(p.Refusals) == maxRefusals {
		p.MoreRefusals++
		return
	}
	p.Refusals = append(p.Refusals, refusal)
}

func (p *Preview) checkRow(row *delimited.Row, fields []*field.Field, given []PreviewColumn, options [][]string) {
	refused := false
	for i, cell := range row.Cells {
		cell = delimited.Unguard(cell)
		if i >= len(fields) || fields[i] == nil || cell == "" {
			continue
		}
		if _, filed := fields[i].Kind.(field.Filed); filed {
			continue
		}
		in := &field.Input{Field: fields[i], Typecast: true, Style: given[i].Style}
		in.NewOption = func(name string) error {
			if !slices.Contains(options[i], name) && len(options[i]) < field.MaxOptions {
				options[i] = append(options[i], name)
			}
			return nil
		}
		value, err := in.Decode(field.AppendString(nil, cell))
		if err == nil && value == nil && fields[i].Config.Required {
			err = errors.New("is required and cannot be empty")
		}
		if err == nil {
			continue
		}
		refused = true
		refusal := Refusal{Line: row.Line, Column: i + 1, Message: err.Error()}
		if row.Lines != nil {
			refusal.Line = row.Lines[i]
		}
		p.refuse(refusal)
	}
	if refused {
		p.Refused++
	}
}

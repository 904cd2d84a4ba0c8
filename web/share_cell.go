package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// A shareCell is a value as the page shows it: text, labels or files.
type shareCell struct {
	Class     string
	Text      string
	Labels    []shareLabel
	Files     []shareFile
	Link      string        // URL of the text, if the value is one
	Formatted template.HTML // instead of Text
}

// plain reports whether the cell is its text.
func (c *shareCell) plain() bool {
	return c.Link == "" && c.Formatted == "" && len(c.Labels) == 0 && len(c.Files) == 0
}

type shareLabel struct{ Text, Tone string }

type shareFile struct{ Name, Address, Thumbnail string }

// A formatter formats values. It has the names of the people and linked records whose ids the
// values contain.
type formatter struct {
	people   map[string]string
	records  map[string]string
	say      *text.Text
	toFormat *int // see formatted
}

// A cellTag is the beginning of the start tag of a column's cells, up to the class, and their end tag.
type cellTag struct{ start, end string }

func cellTags(fields []*schema.Field) []cellTag {
	tags := make([]cellTag, len(fields))
	for i, f := range fields {
		start, end := "<td", "</td>"
		if i == 0 {
			start, end = `<th scope="row"`, "</th>"
		}
		tags[i] = cellTag{start + ` data-column="` + template.HTMLEscapeString(f.Name) + `" class="`, end}
	}
	return tags
}

// row formats a record. A page has thousands of cells that are only text, for which the template would take longer than
// everything else.
func (format formatter) row(fields []*schema.Field, tags []cellTag, r sharedRecord) shareRow {
	var row shareRow
	var markup strings.Builder
	part := func(value *shareCell) {
		//nolint:gosec // every text in it is escaped
		row.Parts = append(row.Parts, sharePart{template.HTML(markup.String()), value})
		markup.Reset()
	}
	for i, f := range fields {
		cell := format.cell(f, r.Fields[f.Name])
		markup.WriteString(tags[i].start + cell.Class + `">`)
		if !cell.plain() {
			part(&cell)
		} else if i == 0 && cell.Text == "" {
			markup.WriteString(template.HTMLEscapeString(format.say.Untitled))
		} else {
			markup.WriteString(template.HTMLEscapeString(cell.Text))
		}
		markup.WriteString(tags[i].end)
	}
	part(nil)
	return row
}

type sharedRecord struct {
	ID     string         `json:"id"`
	Fields map[string]any `json:"fields"`

	tone string // "" for none
}

// decode reads a record, or a group of records. Numbers keep their digits.
func decode(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("reading a record to show it: %w", err)
	}
	return nil
}

// newFormatter reads the names that the shown values need: those of people, and those of linked
// records whose table is shared with this base.
func (s *shareHandler) newFormatter(
	ctx context.Context,
	say *text.Text,
	base *schema.Base,
	o *tableView,
	records []sharedRecord,
) (formatter, error) {
	out := formatter{people: map[string]string{}, records: map[string]string{}, say: say, toFormat: new(int)}
	*out.toFormat = maxPage
	people := false
	for _, f := range o.fields {
		people = people || f.Info().People
		if f.Link == nil {
			continue
		}
		if err := s.linkNames(ctx, base, f, records, out); err != nil {
			return out, err
		}
	}
	if people {
		members, err := s.Members(ctx, base.Org)
		if err != nil {
			return out, fmt.Errorf("reading the names of members: %w", err)
		}
		for _, m := range members {
			out.people[id.Format(id.User, m.Person)] = m.Name
		}
	}
	return out, nil
}

// shownLinks is how many linked records a cell of the page names.
const shownLinks = 20

// cut returns the links that a cell names, and how many more there are.
func cut(links []any) (shown []any, more int) {
	shown = links[:min(len(links), shownLinks)]
	return shown, len(links) - len(shown)
}

// linkNames reads the names of the records to which the shown values of a link field refer.
func (s *shareHandler) linkNames(
	ctx context.Context,
	base *schema.Base,
	f *schema.Field,
	records []sharedRecord,
	out formatter,
) error {
	into := out.records
	at := slices.IndexFunc(base.Tables, func(t *schema.Table) bool { return t.ID == f.Link.LinkedTable })
	if at < 0 {
		return nil
	}
	var linked []string
	for _, r := range records {
		list, _ := r.Fields[f.Name].([]any)
		shown, _ := cut(list)
		for _, one := range shown {
			if public, ok := one.(string); ok {
				if _, known := into[public]; !known {
					into[public] = ""
					linked = append(linked, public)
				}
			}
		}
	}
	table := base.Tables[at]
	titled, err := s.Records.Titled(ctx, base.Org, table.ID, linked)
	if err != nil {
		return fmt.Errorf("reading the names of linked records: %w", err)
	}
	for _, raw := range titled {
		var linked sharedRecord
		if err := decode(raw, &linked); err != nil {
			return err
		}
		primary := table.Primary()
		if value := linked.Fields[primary.Name]; value != nil {
			shown := primary.Kind.Show(&primary.Field, formatter{say: out.say}, value)
			into[linked.ID] = shown.Plain()
		}
	}
	return nil
}

// Person is what a user is called.
func (format formatter) Person(id string) string {
	return cmp.Or(format.people[id], format.say.FormerMember)
}

// Record is what a linked record is called.
func (format formatter) Record(id string) string {
	return cmp.Or(format.records[id], format.say.Untitled)
}

func (format formatter) cell(f *schema.Field, value any) shareCell {
	if value == nil {
		return shareCell{Class: "blank"}
	}
	more := 0
	if links, ok := value.([]any); ok && f.Link != nil {
		value, more = cut(links)
	}
	shown := f.Kind.Show(&f.Field, format, value)
	cell := shareCell{Text: shown.Text, Link: shown.Link}
	for _, label := range shown.Labels {
		cell.Labels = append(cell.Labels, shareLabel{label.Text, tone(f, label.Option)})
	}
	if more > 0 {
		cell.Labels = append(cell.Labels, shareLabel{format.say.More(more), tone(f, -1)})
	}
	for _, file := range shown.Files {
		cell.Files = append(cell.Files, shareFile{cmp.Or(file.Name, format.say.File), file.Address, file.Thumbnail})
	}
	var classes []string
	switch {
	case shown.AlignRight:
		classes = append(classes, "right")
	case shown.NoWrap: // dates and stars
		classes = append(classes, "nowrap")
	}
	if number, ok := value.(json.Number); ok && number[0] == '-' && strings.HasPrefix(f.Config.Negative, "red") {
		classes = append(classes, "below")
	}
	if shown.Markdown {
		cell.Formatted = formatted(shown.Text, format.toFormat)
	}
	if shown.KeepBreaks && cell.Formatted == "" {
		classes = append(classes, "pre")
	}
	if cell.Text == "" && len(cell.Labels) == 0 && len(cell.Files) == 0 {
		classes = append(classes, "blank")
	}
	cell.Class = strings.Join(classes, " ")
	return cell
}

// shareTones are the colours that the pages have, in the order in which options without one take
// them.
var shareTones = []string{"gray", "red", "orange", "yellow", "green", "teal", "blue", "indigo", "purple", "pink"}

// toneFallbacks are the neighbours of the colours that the pages do not have.
var toneFallbacks = map[string]string{
	"amber":  "yellow",
	"lime":   "green",
	"cyan":   "teal",
	"violet": "purple",
	"rose":   "pink",
	"brown":  "orange",
}

// tone is the colour of an option at a place among a field's; -1 is no option.
func tone(f *schema.Field, place int) string {
	if place < 0 {
		return "gray"
	}
	return cmp.Or(toneOf(f.Config.Options[place].Color), shareTones[place%(len(shareTones)-1)+1])
}

// toneOf returns the tone of a colour, or "" if it has none.
func toneOf(color string) string {
	if slices.Contains(shareTones, color) {
		return color
	}
	return toneFallbacks[color]
}

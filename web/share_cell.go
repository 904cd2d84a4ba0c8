package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A shareCell is a value as the page shows it: text, labels or files.
type shareCell struct {
	Column     string
	Text       string
	Labels     []shareLabel
	Files      []shareFile
	Link       string // URL of the text, if the value is one
	AlignRight bool   // numbers
	PreLine    bool   // line breaks are preserved
	NoWrap     bool   // dates and stars do not wrap
}

type shareLabel struct{ Text, Tone string }

type shareFile struct{ Name, Address, Thumbnail string }

// Empty reports whether the cell shows nothing.
func (c shareCell) Empty() bool { return c.Text == "" && len(c.Labels) == 0 && len(c.Files) == 0 }

// A formatter formats values. It has the names of the people and linked records whose ids the
// values contain.
type formatter struct {
	people  map[string]string
	records map[string]string
}

// rows formats records for the page.
func (s *shareHandler) rows(ctx context.Context, base *schema.Base, o *tableView, page record.Page) ([]shareRow, error) {
	records := make([]sharedRecord, len(page.Records))
	for i, raw := range page.Records {
		if err := decodeRecord(raw, &records[i]); err != nil {
			return nil, err
		}
	}
	format, err := s.newFormatter(ctx, base, o, records)
	if err != nil {
		return nil, err
	}
	rows := make([]shareRow, len(records))
	for i, r := range records {
		for _, f := range o.fields {
			cell := format.cell(f, r.Fields[f.Name])
			cell.Column = f.Name
			rows[i].Cells = append(rows[i].Cells, cell)
		}
	}
	return rows, nil
}

type sharedRecord struct {
	ID     string         `json:"id"`
	Fields map[string]any `json:"fields"`
}

func decodeRecord(raw []byte, into *sharedRecord) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // numbers keep all their digits
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decoding a shared record: %w", err)
	}
	return nil
}

// newFormatter reads the names that the values need: of people, and of linked records whose table
// is in the same base.
func (s *shareHandler) newFormatter(ctx context.Context, base *schema.Base, o *tableView, records []sharedRecord) (formatter, error) {
	out := formatter{people: map[string]string{}, records: map[string]string{}}
	people := false
	for _, f := range o.fields {
		switch f.Type.Info().Shape { //nolint:exhaustive // only these shapes contain ids
		case schema.ShapeUser:
			people = true
		case schema.ShapeLink:
			if err := s.linkNames(ctx, base, f, records, out.records); err != nil {
				return out, err
			}
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

// linkNames reads the names of the records that a link field's values refer to. It finds them
// through the inverse link field.
func (s *shareHandler) linkNames(ctx context.Context, base *schema.Base, f *schema.Field, records []sharedRecord, names map[string]string) error {
	var owners []string
	for _, r := range records {
		if list, _ := r.Fields[f.Name].([]any); len(list) > 0 {
			owners = append(owners, r.ID)
		}
	}
	at := slices.IndexFunc(base.Tables, func(t *schema.Table) bool { return f.Link != nil && t.ID == f.Link.LinkedTable })
	if len(owners) == 0 || at < 0 {
		return nil
	}
	table := base.Tables[at]
	filter, err := json.Marshal([]map[string]any{{"fieldId": f.Config.InverseFieldID, "op": "has_any", "value": owners}})
	if err != nil {
		return fmt.Errorf("encoding a filter: %w", err)
	}
	for offset := int64(0); ; {
		page, err := s.Records.List(ctx, record.Actor{Org: base.Org}, table.ID, record.Query{
			Filters: filter, Fields: []string{table.Primary().PublicID()}, Limit: record.MaxPage, Offset: offset,
		})
		if err != nil {
			return fmt.Errorf("reading the names of linked records: %w", err)
		}
		for _, raw := range page.Records {
			var linked sharedRecord
			if err := decodeRecord(raw, &linked); err != nil {
				return err
			}
			names[linked.ID], _ = linked.Fields[table.Primary().Name].(string)
		}
		if !page.HasMore {
			return nil
		}
		offset += int64(len(page.Records)) // a page with long values may be short
	}
}

func (format formatter) cell(f *schema.Field, value any) shareCell {
	if value == nil {
		return shareCell{}
	}
	switch f.Type.Info().Shape {
	case schema.ShapeNumber:
		number, _ := value.(json.Number)
		return shareCell{Text: formatNumber(f, number), AlignRight: f.Type != schema.Rating, NoWrap: true}
	case schema.ShapeBool:
		if value == true {
			return shareCell{Text: "✓"}
		}
		return shareCell{}
	case schema.ShapeDate:
		day, err := time.Parse(time.DateOnly, fmt.Sprint(value))
		if err != nil {
			return shareCell{Text: fmt.Sprint(value)}
		}
		return shareCell{Text: day.Format(dateLayout(f)), NoWrap: true}
	case schema.ShapeMoment:
		return shareCell{Text: formatDateTime(f, fmt.Sprint(value)), NoWrap: true}
	case schema.ShapeChoice, schema.ShapeChoices:
		return shareCell{Labels: labels(value, func(name string) shareLabel { return shareLabel{name, tone(f, name)} })}
	case schema.ShapeUser:
		return shareCell{Labels: labels(value, func(person string) shareLabel {
			return shareLabel{cmp.Or(format.people[person], "Former member"), "gray"}
		})}
	case schema.ShapeLink:
		return shareCell{Labels: labels(value, func(linked string) shareLabel {
			return shareLabel{cmp.Or(format.records[linked], "Untitled record"), "gray"}
		})}
	case schema.ShapeAttachment:
		var files []shareFile
		list, _ := value.([]any)
		for _, item := range list {
			file, _ := item.(map[string]any)
			name, _ := file["name"].(string)
			files = append(files, shareFile{cmp.Or(name, "File"), urlPath(file["url"]), urlPath(file["thumbnailUrl"])})
		}
		return shareCell{Files: files}
	case schema.ShapeJSON:
		text, err := json.Marshal(value)
		if err != nil {
			return shareCell{}
		}
		return shareCell{Text: string(text)}
	case schema.ShapeText, schema.ShapeNone:
	}
	cell := shareCell{Text: fmt.Sprint(value), PreLine: f.Type == schema.LongText}
	if f.Type == schema.URL && (strings.HasPrefix(cell.Text, "https://") || strings.HasPrefix(cell.Text, "http://")) {
		cell.Link = cell.Text
	}
	return cell
}

// urlPath returns the path of a file's URL, so that it works on whichever host name the page was
// requested with.
func urlPath(fileURL any) string {
	text, _ := fileURL.(string)
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// labels makes a label of each name in a value, which is one name or a list of names.
func labels(value any, label func(name string) shareLabel) []shareLabel {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	var out []shareLabel
	for _, item := range list {
		if name, ok := item.(string); ok {
			out = append(out, label(name))
		}
	}
	return out
}

// shareTones are the colours of the pages, in the order in which options without a colour get them.
var shareTones = []string{"gray", "red", "orange", "yellow", "green", "teal", "blue", "indigo", "purple", "pink"}

// toneFallbacks map the colours that the pages lack to similar ones.
var toneFallbacks = map[string]string{"amber": "yellow", "lime": "green", "cyan": "teal", "violet": "purple", "rose": "pink", "brown": "orange"}

func tone(f *schema.Field, name string) string {
	for i, option := range f.Config.Options {
		if option.Name != name {
			continue
		}
		switch {
		case slices.Contains(shareTones, option.Color):
			return option.Color
		case toneFallbacks[option.Color] != "":
			return toneFallbacks[option.Color]
		}
		return shareTones[i%(len(shareTones)-1)+1]
	}
	return "gray"
}

func formatNumber(f *schema.Field, number json.Number) string {
	x, err := number.Float64()
	if err != nil {
		return number.String()
	}
	precision := -1
	if f.Config.Precision != nil {
		precision = *f.Config.Precision
	}
	switch f.Type { //nolint:exhaustive // only these types have a format of their own
	case schema.Currency:
		if precision < 0 {
			precision = 2
		}
		sign := ""
		if x < 0 {
			sign = "-"
		}
		return sign + cmp.Or(f.Config.Symbol, "$") + groupThousands(strconv.FormatFloat(math.Abs(x), 'f', precision, 64))
	case schema.Percent:
		return strconv.FormatFloat(x, 'f', precision, 64) + "%"
	case schema.Rating:
		most := f.Config.Max
		if most == 0 {
			most = 5
		}
		full := min(most, max(0, int(x)))
		return strings.Repeat("★", full) + strings.Repeat("☆", most-full)
	case schema.Duration:
		seconds := int64(math.Round(x))
		text := fmt.Sprintf("%d:%02d", seconds/3600, seconds/60%60)
		if strings.HasPrefix(f.Config.Format, "h:mm:ss") {
			text += fmt.Sprintf(":%02d", seconds%60)
		}
		return text
	}
	if precision < 0 {
		return number.String()
	}
	return strconv.FormatFloat(x, 'f', precision, 64)
}

// groupThousands inserts commas between the thousands of an unsigned decimal number.
func groupThousands(number string) string {
	whole, fraction, hasFraction := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		return whole + "." + fraction
	}
	return whole
}

func dateLayout(f *schema.Field) string {
	switch f.Config.DateFormat {
	case "european":
		return "02/01/2006"
	case "us":
		return "01/02/2006"
	case "friendly":
		return "2 Jan 2006"
	}
	return time.DateOnly
}

func formatDateTime(f *schema.Field, text string) string {
	timestamp, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	zone, err := time.LoadLocation(f.Config.TimeZone)
	if err != nil {
		zone = time.UTC // the name was checked when the field was configured
	}
	layout := dateLayout(f) + " 15:04"
	if f.Config.TimeFormat == "12h" {
		layout = dateLayout(f) + " 03:04 PM"
	}
	return timestamp.In(zone).Format(layout)
}

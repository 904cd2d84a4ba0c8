package web

import (
	"bytes"
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

// A shareCell is a value as a reader sees it: text, or labels with their colours.
type shareCell struct {
	Column     string
	Text       string
	Labels     []shareLabel
	Files      []shareFile
	Link       string // the address of the text, when it is one
	AlignRight bool   // numbers stand to the right
	PreLine    bool   // line breaks are kept
	NoWrap     bool   // never broken: dates and stars
}

type shareLabel struct{ Text, Tone string }

type shareFile struct{ Name, Address, Thumbnail string }

// Empty reports whether there is nothing to show.
func (c shareCell) Empty() bool { return c.Text == "" && len(c.Labels) == 0 && len(c.Files) == 0 }

// formatter is what turns the ids in values into names.
type formatter struct {
	people  map[string]string
	records map[string]string
}

// rows turns records into what the page shows.
func (s *shareHandler) rows(ctx context.Context, base *schema.Base, o *tableView, page record.Page) ([]shareRow, error) {
	records := make([]sharedRecord, len(page.Records))
	for i, raw := range page.Records {
		if err := decodeRecord(raw, &records[i]); err != nil {
			return nil, err
		}
	}
	names, err := s.newFormatter(ctx, base, o, records)
	if err != nil {
		return nil, err
	}
	rows := make([]shareRow, len(records))
	for i, r := range records {
		for _, f := range o.fields {
			cell := names.cell(f, r.Fields[f.Name])
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
	decoder.UseNumber() // numbers keep their digits
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("reading a record to show it: %w", err)
	}
	return nil
}

// newFormatter reads the names that the shown values need: of people, and of linked records whose table is shared with this base.
func (s *shareHandler) newFormatter(ctx context.Context, base *schema.Base, o *tableView, records []sharedRecord) (formatter, error) {
	out := formatter{people: map[string]string{}, records: map[string]string{}}
	people := false
	for _, f := range o.fields {
		switch f.Type.Info().Shape { //nolint:exhaustive // the shapes that hold ids
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

// linkNames reads what the records are called that a link field's values name: those whose other side holds one of the rows.
func (s *shareHandler) linkNames(ctx context.Context, base *schema.Base, f *schema.Field, records []sharedRecord, into map[string]string) error {
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
			into[linked.ID], _ = linked.Fields[table.Primary().Name].(string)
		}
		if !page.HasMore {
			return nil
		}
		offset += int64(len(page.Records)) // a page of long values ends early
	}
}

func (n formatter) cell(f *schema.Field, value any) shareCell {
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
		return shareCell{Labels: labels(value, func(person string) shareLabel { return shareLabel{either(n.people[person], "Former member"), "gray"} })}
	case schema.ShapeLink:
		return shareCell{Labels: labels(value, func(linked string) shareLabel {
			return shareLabel{either(n.records[linked], "Untitled record"), "gray"}
		})}
	case schema.ShapeAttachment:
		var files []shareFile
		list, _ := value.([]any)
		for _, item := range list {
			file, _ := item.(map[string]any)
			name, _ := file["name"].(string)
			files = append(files, shareFile{either(name, "File"), urlPath(file["url"]), urlPath(file["thumbnailUrl"])})
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

// urlPath is the address of a file on the page's own origin, whatever name the service is reached by.
func urlPath(address any) string {
	text, _ := address.(string)
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

func either(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// labels makes a label of each name in a value, which is one name or a list of them.
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

// shareTones are the colours that the pages have, in the order in which options without one take them.
var shareTones = []string{"gray", "red", "orange", "yellow", "green", "teal", "blue", "indigo", "purple", "pink"}

// toneFallbacks are the neighbours of the colours that the pages do not have.
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
	switch f.Type { //nolint:exhaustive // the types that are written in a way of their own
	case schema.Currency:
		if precision < 0 {
			precision = 2
		}
		sign := ""
		if x < 0 {
			sign = "-"
		}
		return sign + either(f.Config.Symbol, "$") + groupThousands(strconv.FormatFloat(math.Abs(x), 'f', precision, 64))
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

// groupThousands puts commas between the thousands of a decimal number without a sign.
func groupThousands(number string) string {
	whole, fraction, pointed := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if pointed {
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
	moment, err := time.Parse(time.RFC3339Nano, text)
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
	return moment.In(zone).Format(layout)
}

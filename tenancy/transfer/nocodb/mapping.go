package nocodb

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A mapping is what a type of column of NocoDB is here.
type mapping struct {
	way    product.Way
	kind   field.Type
	note   string
	config func(c *column) product.Config
	value  product.Value
}

// mappings has each type of column. Add a new type here.
var mappings = map[string]mapping{
	"SingleLineText": {kind: "text", value: product.TextValue},
	"LongText":       {kind: "long_text", value: product.Anything, config: long},
	"Email":          {kind: "email", value: product.TextValue},
	"URL":            {kind: "url", value: product.AddressValue},
	"PhoneNumber":    {kind: "phone", value: product.TextValue},
	"UUID":           {kind: "text", value: product.TextValue},
	"Time":           {kind: "text", value: product.TextValue, note: "is text: there are no times without a day here"},
	"Colour":         {kind: "text", value: product.TextValue},
	"GeoData":        {kind: "text", value: product.TextValue, note: "is text, with the latitude and the longitude"},
	"Geometry":       {kind: "text", value: product.TextValue, note: "is text"},
	"JSON":           {kind: "long_text", value: product.Anything, note: "is the JSON as text"},

	"Number":   {kind: "number", value: product.Same, config: whole},
	"Year":     {kind: "number", value: product.Same, config: whole},
	"Decimal":  {kind: "number", value: product.Same, config: digits},
	"Currency": {kind: "currency", value: product.Same, config: currency},
	"Percent":  {kind: "percent", value: product.Same, config: digits},
	"Rating":   {kind: "rating", value: rating, config: stars},
	"Duration": {kind: "duration", value: product.Same, config: duration},
	"Checkbox": {kind: "checkbox", value: truth},
	"ID": {
		kind: "number", value: product.Same, config: whole,
		note: "is a number field with the numbers of NocoDB, so that they stay; new records get none by themselves",
	},
	"AutoNumber": {
		kind: "number", value: product.Same, config: whole,
		note: "is a number field with the numbers of NocoDB, so that they stay; new records get none by themselves",
	},

	"Date":     {kind: "date", value: product.Same, config: dates},
	"DateTime": {kind: "datetime", value: moment, config: dates},

	"SingleSelect": {kind: "single_select", value: product.Same, config: choices},
	"MultiSelect":  {kind: "multi_select", value: several, config: choices},

	"User": {kind: "user", value: persons, config: people},
	"CreatedBy": {
		kind: "user", value: persons,
		note: "is a user field with the people of NocoDB; of new records it says nothing",
	},

	"LinkToAnotherRecord": {way: product.Linked, kind: "link"},
	"Links":               {way: product.Linked, kind: "link"},
	"Attachment":          {way: product.Files, kind: "attachment"},

	"CreatedTime": {way: product.Kept, kind: "created_time", config: dates},
	"LastModifiedTime": {
		way: product.Kept, kind: "last_modified_time", config: dates,
		note: "begins with the import",
	},
	"LastModifiedBy": {way: product.Kept, kind: "last_modified_by", note: "begins with the import"},

	"Formula": {way: product.Computed, kind: "formula"},
	"Rollup":  {way: product.Computed, kind: "rollup"},
	"Lookup":  {way: product.Computed, kind: "lookup"},

	"Button":  {way: product.Left, note: "Buttons do not come."},
	"Barcode": {way: product.Left, note: "Barcodes do not come: they show another field, which does."},
	"QrCode":  {way: product.Left, note: "QR codes do not come: they show another field, which does."},
}

// unknown is the mapping of types that came later.
var unknown = mapping{
	kind: "long_text", value: product.Anything, note: "is of a type that is not known here, and is text",
}

// isInternal reports whether a column is one that NocoDB makes for itself, which people do not see.
func (c *column) isInternal() bool {
	switch c.Type {
	case "ForeignKey", "Order", "Deleted", "Meta":
		return true
	case "LinkToAnotherRecord", "Links":
		return false // the other side of one that people see
	}
	return bool(c.System)
}

// neutral is a table as imports read it.
func (s *Session) neutral(t *table) product.Table {
	out := product.Table{ID: t.ID, Name: t.Title}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Display {
			out.Primary = c.ID
		}
		if c.isInternal() {
			continue
		}
		f, has := s.field(t, c)
		if has {
			out.Fields = append(out.Fields, f)
		}
	}
	if out.Field(out.Primary) == nil && len(out.Fields) > 0 {
		out.Primary = out.Fields[0].ID
	}
	return out
}

// field is a column as imports read it. The other side of a link that people do not see is none, unless it is the side
// that is read.
func (s *Session) field(t *table, c *column) (f product.Field, has bool) {
	m, known := mappings[c.Type]
	if !known {
		m = unknown
	}
	config := product.Config{}
	if m.config != nil {
		config = m.config(c)
	}
	o := &c.Options
	f = product.Field{
		ID: c.ID, Name: c.Title, Description: c.Description, Column: c.Title, Way: m.way, Type: m.kind, Note: m.note,
		Value: m.value, Config: config.JSON(c.Description), Link: o.Link, Target: o.LookupTarget + o.RollupTarget,
	}
	switch {
	case m.way == product.Linked:
		s.link(t, c, &f)
		return f, !bool(c.System) || !f.Unread && f.Inverse != ""
	case c.Type == "Formula":
		f.Formula = read(o.Formula)
		if o.Error != "" {
			f.Broken = "It is broken at NocoDB: " + o.Error
		}
	case c.Type == "Rollup":
		if f.Rollup, known = rollups[o.RollupFunction]; !known {
			f.Broken = fmt.Sprintf("The function %s of rollups is not here.", o.RollupFunction)
		}
	}
	return f, true
}

// rollups are the functions of rollups with the same meaning here.
var rollups = map[string]product.Rollup{
	"sum": {Function: "SUM"}, "avg": {Function: "AVERAGE"}, "min": {Function: "MIN"}, "max": {Function: "MAX"},
	"count": {Function: "COUNTA"},
}

// link says what a link is of. Of the two sides of one, the side that has the key is read, and of two that have it, the
// first one.
func (s *Session) link(t *table, c *column, f *product.Field) {
	o := &c.Options
	f.LinkedTable = o.RelatedTable
	related := s.tables[o.RelatedTable]
	f.Single = o.Relation == "bt" || o.Relation == "oo"
	if related == nil {
		return
	}
	for i := range related.Columns {
		other := &related.Columns[i]
		if other.ID == c.ID || other.Options.RelatedTable != t.ID || !o.isInverse(&other.Options) {
			continue
		}
		f.Inverse = other.ID
		switch o.Relation {
		case "hm":
			f.Unread = true
		case "oo":
			f.Unread = !bool(c.Meta.BelongsTo)
		case "mm":
			f.Unread = c.ID > other.ID
			if c.System != other.System {
				f.Unread = bool(c.System)
			}
		}
		return
	}
}

// isInverse reports whether another link of the related table is the other side of one.
func (o *options) isInverse(other *options) bool {
	switch o.Relation {
	case "mm":
		return other.Relation == "mm" && other.Junction == o.Junction
	case "bt":
		return other.Relation == "hm" && other.Child == o.Child
	case "hm":
		return other.Relation == "bt" && other.Child == o.Child
	case "oo":
		return other.Relation == "oo" && other.Child == o.Child
	}
	return false
}

var fieldRef = regexp.MustCompile(`^\{\{?([A-Za-z0-9_]+)\}?\}`)

// read reads a formula of NocoDB, which names columns by their ids.
func read(formula string) product.Formula {
	out := product.Formula{Source: formula}
	for rest := formula; rest != ""; {
		if rest[0] == '"' || rest[0] == '\'' {
			end := textEnd(rest)
			out.Write(rest[:end])
			rest = rest[end:]
			continue
		}
		if found := fieldRef.FindStringSubmatch(rest); found != nil {
			out.Name(found[1])
			rest = rest[len(found[0]):]
			continue
		}
		if strings.HasPrefix(rest, "==") {
			out.Write("=")
			rest = rest[2:]
			continue
		}
		out.Write(rest[:1])
		rest = rest[1:]
	}
	return out
}

// textEnd is where the text in quotes ends with which a formula begins.
func textEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

func long(c *column) product.Config {
	if c.Meta.Rich {
		return product.Config{"format": "markdown"}
	}
	return product.Config{}
}

func whole(*column) product.Config { return product.Config{"precision": 0} }

func digits(c *column) product.Config {
	out := product.Config{}
	if c.Meta.Precision != nil {
		out["precision"] = min(max(*c.Meta.Precision, 0), 8)
	}
	return out
}

func currency(c *column) product.Config {
	out := digits(c)
	if code := c.Meta.Currency; code != "" && len(code) <= 16 {
		out["symbol"] = code
		if symbol, known := symbols[code]; known {
			out["symbol"] = symbol
		}
	}
	return out
}

var symbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩", "BRL": "R$", "CHF": "CHF",
}

func stars(c *column) product.Config {
	if c.Meta.Max >= 1 && c.Meta.Max <= 10 {
		return product.Config{"max": c.Meta.Max}
	}
	return product.Config{}
}

// rating is none for no star.
func rating(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	if string(raw) == "0" {
		return json.RawMessage("null"), nil
	}
	return raw, nil
}

func duration(c *column) product.Config {
	formats := []string{"h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS"}
	if at := c.Meta.Duration; at != nil && *at >= 0 && *at < len(formats) {
		return product.Config{"format": formats[*at]}
	}
	return product.Config{}
}

func dates(c *column) product.Config {
	out := product.Config{}
	switch c.Meta.DateFormat {
	case "YYYY-MM-DD":
		out["dateFormat"] = "iso"
	case "DD/MM/YYYY", "DD-MM-YYYY":
		out["dateFormat"] = "european"
	case "MM/DD/YYYY", "MM-DD-YYYY":
		out["dateFormat"] = "us"
	}
	if c.Type != "Date" && c.Meta.TimeFormat != "" {
		out["timeFormat"] = "24h"
		if c.Meta.Is12Hours {
			out["timeFormat"] = "12h"
		}
	}
	return out
}

func moment(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	return product.Written(timeOf(product.Text(raw))), nil
}

// truth is a checkbox, which some databases of NocoDB have as numbers.
func truth(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	var f flag
	err := f.UnmarshalJSON(raw)
	return jsonvalue.Must(bool(f)), err
}

func choices(c *column) product.Config {
	options := make([]field.Option, len(c.Options.Options))
	for i, one := range c.Options.Options {
		options[i] = field.Option{Name: one.Title, Color: product.ColorOf(one.Color)}
	}
	return product.Config{"options": product.Choices(options)}
}

// several are the options of a cell, which stand in one text between commas. None has a comma at NocoDB.
func several(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw, nil // a list
	}
	return jsonvalue.Must(strings.Split(text, ",")), nil
}

func people(c *column) product.Config {
	if c.Meta.Multiple {
		return product.Config{"multiple": true}
	}
	return product.Config{}
}

// persons are the people of a cell; of a field that takes one, the first.
func persons(raw json.RawMessage, known product.People) (json.RawMessage, error) {
	var all []person
	if json.Unmarshal(raw, &all) != nil {
		var one person
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("is no list of people, but %s", jsonvalue.Describe(raw))
		}
		all = []person{one}
	}
	neutral := make([]product.Collaborator, len(all))
	for i, one := range all {
		neutral[i] = product.Collaborator{ID: one.ID, Email: one.Email, Name: one.Name}
	}
	return product.PersonsValue(jsonvalue.Must(neutral), known)
}

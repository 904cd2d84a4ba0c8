package airtable

import (
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A mapping is what a type of field of Airtable is here.
type mapping struct {
	way    product.Way
	kind   field.Type
	note   string
	config func(o *fieldOptions) product.Config
	value  product.Value
}

// mappings has each type of field of the Web API. Add a new type here.
var mappings = map[string]mapping{
	"singleLineText": {kind: "text", value: product.TextValue},
	"multilineText":  {kind: "long_text", value: longText},
	"richText":       {kind: "long_text", value: longText, config: always(product.Config{"format": "markdown"})},
	"aiText":         {kind: "long_text", value: member("value"), note: "is text without what writes it"},
	"email":          {kind: "email", value: product.TextValue},
	"url":            {kind: "url", value: product.AddressValue},
	"phoneNumber":    {kind: "phone", value: product.TextValue},
	"barcode":        {kind: "text", value: member("text"), note: "is the text of the barcodes"},

	"number":   {kind: "number", value: product.Same, config: number},
	"percent":  {kind: "percent", value: hundredfold, config: number},
	"currency": {kind: "currency", value: product.Same, config: currency},
	"rating":   {kind: "rating", value: product.Same, config: rating},
	"duration": {kind: "duration", value: product.Same, config: duration},
	"checkbox": {kind: "checkbox", value: product.Same},
	"autoNumber": {
		kind: "number", value: product.Same, config: always(product.Config{"precision": 0}),
		note: "is a number field with the numbers of Airtable, so that they stay; new records get none by themselves",
	},

	"date":     {kind: "date", value: product.Same, config: dates},
	"dateTime": {kind: "datetime", value: product.Same, config: dates},

	"singleSelect":    {kind: "single_select", value: product.Same, config: choices},
	"multipleSelects": {kind: "multi_select", value: product.Same, config: choices},
	"externalSyncSource": {
		kind: "single_select", value: product.Same, config: choices,
		note: "says where records came from; nothing is synchronized here",
	},

	"singleCollaborator": {kind: "user", value: product.PersonValue},
	"multipleCollaborators": {
		kind: "user", value: product.PersonsValue, config: always(product.Config{"multiple": true}),
	},
	"createdBy": {
		kind: "user", value: product.PersonValue,
		note: "is a user field with the people of Airtable; of new records it says nothing",
	},

	"multipleRecordLinks": {way: product.Linked, kind: "link"},
	"multipleAttachments": {way: product.Files, kind: "attachment"},

	"createdTime": {way: product.Kept, kind: "created_time", config: resultDates},
	"lastModifiedTime": {
		way: product.Kept, kind: "last_modified_time", config: resultDates,
		note: "begins with the import, and is of all fields of a record",
	},
	"lastModifiedBy": {way: product.Kept, kind: "last_modified_by", note: "begins with the import"},

	"formula":              {way: product.Computed, kind: "formula", config: resultNumbers},
	"rollup":               {way: product.Computed, kind: "rollup", config: resultNumbers},
	"multipleLookupValues": {way: product.Computed, kind: "lookup"},
	"lookup":               {way: product.Computed, kind: "lookup"}, // as earlier descriptions name it
	"count":                {way: product.Computed, kind: "count"},

	"button": {way: product.Left, note: "Buttons do not come: what one does is not in the API."},
}

// unknown is the mapping of types that came later.
var unknown = mapping{
	kind: "long_text", value: product.Anything,
	note: "is of a type that is not known here, and is text",
}

func (f *column) mapping() mapping {
	if m, known := mappings[f.Type]; known {
		return m
	}
	return unknown
}

// neutral is a field as imports read it.
func (f *column) neutral() product.Field {
	m, o := f.mapping(), &f.Options
	config := product.Config{}
	if m.config != nil {
		config = m.config(o)
	}
	out := product.Field{
		ID: f.ID, Name: f.Name, Description: f.Description, Way: m.way, Type: m.kind, Note: m.note, Value: m.value,
		Config:      config.JSON(f.Description),
		LinkedTable: o.LinkedTableID, Inverse: o.InverseLinkFieldID, Single: o.PrefersSingle,
		Link: o.RecordLinkFieldID, Target: o.FieldIDInLinkedTable,
	}
	if f.Type == "formula" {
		out.Formula = read(o.Formula)
	}
	if o.Result != nil {
		out.Result = o.Result.Type
	}
	if o.IsValid != nil && !*o.IsValid {
		out.Broken = "It is broken at Airtable."
	}
	return out
}

func (t *table) neutral() product.Table {
	out := product.Table{ID: t.ID, Name: t.Name, Primary: t.PrimaryFieldID}
	for i := range t.Fields {
		out.Fields = append(out.Fields, t.Fields[i].neutral())
	}
	for _, v := range t.Views {
		out.Views = append(out.Views, product.View{ID: v.ID, Name: v.Name, Type: v.Type, Visible: v.VisibleFieldIDs})
	}
	return out
}

func always(c product.Config) func(*fieldOptions) product.Config {
	return func(*fieldOptions) product.Config { return c }
}

func number(o *fieldOptions) product.Config {
	out := product.Config{}
	if o.Precision != nil {
		out["precision"] = min(max(*o.Precision, 0), 8)
	}
	return out
}

func currency(o *fieldOptions) product.Config {
	out := number(o)
	if o.Symbol != "" && len(o.Symbol) <= 16 {
		out["symbol"] = o.Symbol
	}
	return out
}

func rating(o *fieldOptions) product.Config {
	out := product.Config{}
	if o.Max >= 1 && o.Max <= 10 {
		out["max"] = o.Max
	}
	if o.Icon != "" {
		out["icon"] = product.Cut(o.Icon, 64)
	}
	return out
}

func duration(o *fieldOptions) product.Config {
	out := product.Config{}
	switch o.DurationFormat {
	case "h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS":
		out["format"] = o.DurationFormat
	}
	return out
}

func dates(o *fieldOptions) product.Config {
	out := product.Config{}
	switch o.DateFormat.Name {
	case "iso", "local", "friendly", "us", "european":
		out["dateFormat"] = o.DateFormat.Name
	}
	switch o.TimeFormat.Name {
	case "12hour":
		out["timeFormat"] = "12h"
	case "24hour":
		out["timeFormat"] = "24h"
	}
	switch zone := o.TimeZone; {
	case zone == "utc":
		out["timeZone"] = "UTC"
	case strings.Contains(zone, "/") && field.CheckTimeZone(zone) == "":
		out["timeZone"] = zone // client is that of the reader, for which the base's stands here
	}
	return out
}

func resultDates(o *fieldOptions) product.Config {
	if o.Result == nil {
		return product.Config{}
	}
	return dates(&o.Result.Options)
}

// resultNumbers is how the numbers of a computed field are shown.
func resultNumbers(o *fieldOptions) product.Config {
	if o.Result == nil {
		return product.Config{}
	}
	switch o.Result.Type {
	case "number", "percent":
		out := number(&o.Result.Options)
		out["format"] = o.Result.Type
		return out
	case "currency":
		out := currency(&o.Result.Options)
		out["format"] = "currency"
		return out
	case "duration":
		return product.Config{"format": "duration"}
	case "date", "dateTime":
		return dates(&o.Result.Options)
	}
	return product.Config{}
}

func choices(o *fieldOptions) product.Config {
	options := make([]field.Option, len(o.Choices))
	for i, choice := range o.Choices {
		options[i] = field.Option{Name: choice.Name, Color: colorOf(choice.Color)}
	}
	return product.Config{"options": product.Choices(options)}
}

// colorOf is the colour here that is nearest to one of Airtable, such as blueLight2.
func colorOf(name string) string {
	for _, shade := range []string{"Light1", "Light2", "Bright", "Dark1"} {
		if hue, ok := strings.CutSuffix(name, shade); ok {
			return hue // all ten have the same names here
		}
	}
	return ""
}

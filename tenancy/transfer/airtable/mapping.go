package airtable

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A Way is how the values of a type of field come.
type Way int

// The ways.
const (
	Copied   Way = iota // from the cells
	Linked              // as links, once all records are there
	Files               // downloaded
	Computed            // computed here again
	Kept                // by the service, which knows them of the records
	Left                // not at all
)

// A Mapping is what a type of field of Airtable is here.
type Mapping struct {
	Way  Way
	Type field.Type // of a field here; a link, a lookup and their like have more in their config
	// Note is what a reader of the report should know of every field of the type; "" is nothing.
	Note string

	config func(o *FieldOptions) config
	value  func(raw json.RawMessage, people People) (json.RawMessage, error)
}

// config is the config of a field.
type config map[string]any

// mappings has each type of field of the Web API. Add a new type here.
var mappings = map[string]Mapping{
	"singleLineText": {Type: "text", value: text},
	"multilineText":  {Type: "long_text", value: longText},
	"richText":       {Type: "long_text", value: longText, config: always(config{"format": "markdown"})},
	"aiText":         {Type: "long_text", value: member("value"), Note: "is text without what writes it"},
	"email":          {Type: "email", value: text},
	"url":            {Type: "url", value: address},
	"phoneNumber":    {Type: "phone", value: text},
	"barcode":        {Type: "text", value: member("text"), Note: "is the text of the barcodes"},

	"number":   {Type: "number", value: same, config: number},
	"percent":  {Type: "percent", value: hundredfold, config: number},
	"currency": {Type: "currency", value: same, config: currency},
	"rating":   {Type: "rating", value: same, config: rating},
	"duration": {Type: "duration", value: same, config: duration},
	"checkbox": {Type: "checkbox", value: same},
	"autoNumber": {
		Type: "number", value: same, config: always(config{"precision": 0}),
		Note: "is a number field with the numbers of Airtable, so that they stay; new records get none by themselves",
	},

	"date":     {Type: "date", value: same, config: dates},
	"dateTime": {Type: "datetime", value: same, config: dates},

	"singleSelect":    {Type: "single_select", value: same, config: choices},
	"multipleSelects": {Type: "multi_select", value: same, config: choices},
	"externalSyncSource": {
		Type: "single_select", value: same, config: choices,
		Note: "says where records came from; nothing is synchronized here",
	},

	"singleCollaborator":    {Type: "user", value: person},
	"multipleCollaborators": {Type: "user", value: persons, config: always(config{"multiple": true})},
	"createdBy": {
		Type: "user", value: person,
		Note: "is a user field with the people of Airtable; of new records it says nothing",
	},

	"multipleRecordLinks": {Way: Linked, Type: "link"},
	"multipleAttachments": {Way: Files, Type: "attachment"},

	"createdTime": {Way: Kept, Type: "created_time", config: resultDates},
	"lastModifiedTime": {
		Way: Kept, Type: "last_modified_time", config: resultDates,
		Note: "begins with the import, and is of all fields of a record",
	},
	"lastModifiedBy": {Way: Kept, Type: "last_modified_by", Note: "begins with the import"},

	"formula":              {Way: Computed, Type: "formula", config: resultNumbers},
	"rollup":               {Way: Computed, Type: "rollup", config: resultNumbers},
	"multipleLookupValues": {Way: Computed, Type: "lookup"},
	"lookup":               {Way: Computed, Type: "lookup"}, // as earlier descriptions name it
	"count":                {Way: Computed, Type: "count"},

	"button": {Way: Left, Note: "Buttons do not come: what one does is not in the API."},
}

// unknown is the mapping of types that came later.
var unknown = Mapping{
	Type: "long_text", value: anything,
	Note: "is of a type that is not known here, and is text",
}

// MappingOf returns what a field is here.
func MappingOf(f *Field) Mapping {
	if m, known := mappings[f.Type]; known {
		return m
	}
	return unknown
}

// Config is the config of a field here, without ids of other fields.
func (m *Mapping) Config(f *Field) json.RawMessage {
	out := config{}
	if m.config != nil {
		out = m.config(&f.Options)
	}
	if f.Description != "" {
		out["description"] = cut(f.Description, 2000)
	}
	return jsonvalue.Must(out)
}

// cut is the beginning of a text, of at most so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func always(c config) func(*FieldOptions) config {
	return func(*FieldOptions) config {
		out := config{}
		for key, value := range c {
			out[key] = value
		}
		return out
	}
}

func number(o *FieldOptions) config {
	out := config{}
	if o.Precision != nil {
		out["precision"] = min(max(*o.Precision, 0), 8)
	}
	return out
}

func currency(o *FieldOptions) config {
	out := number(o)
	if o.Symbol != "" && len(o.Symbol) <= 16 {
		out["symbol"] = o.Symbol
	}
	return out
}

func rating(o *FieldOptions) config {
	out := config{}
	if o.Max >= 1 && o.Max <= 10 {
		out["max"] = o.Max
	}
	if o.Icon != "" {
		out["icon"] = cut(o.Icon, 64)
	}
	return out
}

func duration(o *FieldOptions) config {
	out := config{}
	switch o.DurationFormat {
	case "h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS":
		out["format"] = o.DurationFormat
	}
	return out
}

func dates(o *FieldOptions) config {
	out := config{}
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

func resultDates(o *FieldOptions) config {
	if o.Result == nil {
		return config{}
	}
	return dates(&o.Result.Options)
}

// resultNumbers is how the numbers of a computed field are shown.
func resultNumbers(o *FieldOptions) config {
	if o.Result == nil {
		return config{}
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
		return config{"format": "duration"}
	case "date", "dateTime":
		return dates(&o.Result.Options)
	}
	return config{}
}

// choices are the options of a select. Two that differ only in spaces are one here.
func choices(o *FieldOptions) config {
	options := []field.Option{}
	seen := map[string]bool{}
	for _, choice := range o.Choices {
		name, err := naming.Clean("", choice.Name)
		if err != nil || seen[name] || len(options) >= field.MaxOptions {
			continue // values of it are refused one by one, or make it
		}
		seen[name] = true
		options = append(options, field.Option{Name: name, Color: ColorOf(choice.Color)})
	}
	return config{"options": options}
}

// ColorOf is the colour here that is nearest to one of Airtable, such as blueLight2.
func ColorOf(name string) string {
	for _, shade := range []string{"Light1", "Light2", "Bright", "Dark1"} {
		if hue, ok := strings.CutSuffix(name, shade); ok {
			return hue // all ten have the same names here
		}
	}
	return ""
}

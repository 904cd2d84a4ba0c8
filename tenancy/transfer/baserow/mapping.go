package baserow

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A column is a field of Baserow. Members of other types are zero.
type column struct {
	ID          int    `json:"id"`
	Name        string `json:"name"`
	Type        string `json:"type"`
	Order       int    `json:"order"`
	Primary     bool   `json:"primary"`
	Description string `json:"description"`

	Rich          bool   `json:"long_text_enable_rich_text"`
	DecimalPlaces int    `json:"number_decimal_places"`
	Prefix        string `json:"number_prefix"`
	Suffix        string `json:"number_suffix"`
	Max           int    `json:"max_value"`
	Style         string `json:"style"`
	DateFormat    string `json:"date_format"`
	IncludeTime   bool   `json:"date_include_time"`
	TimeFormat    string `json:"date_time_format"`
	TimeZone      string `json:"date_force_timezone"`
	Duration      string `json:"duration_format"`
	Options       []struct {
		Value string `json:"value"`
		Color string `json:"color"`
	} `json:"select_options"`

	LinkedTable int   `json:"link_row_table_id"`
	Inverse     int   `json:"link_row_related_field_id"`
	Several     *bool `json:"link_row_multiple_relationships"`

	Formula  string `json:"formula"`
	Error    string `json:"error"`
	Through  int    `json:"through_field_id"`
	Target   int    `json:"target_field_id"`
	Function string `json:"rollup_function"`
}

// A mapping is what a type of field of Baserow is here.
type mapping struct {
	way    product.Way
	kind   field.Type
	note   string
	config func(c *column) product.Config
	value  product.Value
}

// mappings has each type of field. A date with a time, and a number with a symbol or of per cent, are of others.
var mappings = map[string]mapping{
	"text":         {kind: "text", value: product.TextValue},
	"long_text":    {kind: "long_text", value: product.TextValue, config: long},
	"email":        {kind: "email", value: product.TextValue},
	"url":          {kind: "url", value: product.AddressValue},
	"phone_number": {kind: "phone", value: product.TextValue},
	"uuid":         {kind: "text", value: product.TextValue},

	"number":   {kind: "number", value: number, config: digits},
	"rating":   {kind: "rating", value: rating, config: stars},
	"duration": {kind: "duration", value: product.Same, config: duration},
	"boolean":  {kind: "checkbox", value: product.Same},
	"autonumber": {
		kind: "number", value: product.Same, config: digits,
		note: "is a number field with the numbers of Baserow, so that they stay; new records get none by themselves",
	},
	"date": {kind: "date", value: product.Same, config: dates},

	"single_select":   {kind: "single_select", value: option, config: choices},
	"multiple_select": {kind: "multi_select", value: options, config: choices},

	"multiple_collaborators": {
		kind: "text", value: names,
		note: "is text with the names of people: a database token of Baserow does not see their e-mail addresses",
	},
	"created_by": {kind: "text", value: names, note: "is text with the name of the person"},

	"link_row": {way: product.Linked, kind: "link"},
	"file":     {way: product.Files, kind: "attachment"},

	"created_on": {way: product.Kept, kind: "created_time", config: dates},
	"last_modified": {
		way: product.Kept, kind: "last_modified_time", config: dates,
		note: "begins with the import, and is of all fields of a record",
	},
	"last_modified_by": {way: product.Kept, kind: "last_modified_by", note: "begins with the import"},

	"formula": {way: product.Computed, kind: "formula"},
	"rollup":  {way: product.Computed, kind: "rollup"},
	"lookup":  {way: product.Computed, kind: "lookup"},
	"count":   {way: product.Computed, kind: "count"},

	"password": {way: product.Left, note: "Passwords do not come: the API does not give them."},
}

// unknown is the mapping of types that came later.
var unknown = mapping{
	kind: "long_text", value: product.Anything, note: "is of a type that is not known here, and is text",
}

// mapping is what a field is here.
func (c *column) mapping() mapping {
	m, known := mappings[c.Type]
	switch {
	case !known:
		return unknown
	case c.Type == "date" && c.IncludeTime:
		m.kind = "datetime"
	case c.Type == "number" && strings.TrimSpace(c.Prefix+c.Suffix) == "%":
		m.kind = "percent"
	case c.Type == "number" && strings.TrimSpace(c.Prefix+c.Suffix) != "":
		m.kind = "currency"
	}
	return m
}

// rollups are the functions of rollups with the same meaning here.
var rollups = map[string]product.Rollup{
	"sum": {Function: "SUM"}, "avg": {Function: "AVERAGE"}, "min": {Function: "MIN"}, "max": {Function: "MAX"},
	"count": {Function: "COUNTALL"}, "any": {Function: "OR"}, "every": {Function: "AND"},
}

// fieldID names a field of the database, 0 none.
func fieldID(id int) string { return named("field ", id) }

func tableID(id int) string { return named("table ", id) }

func named(kind string, id int) string {
	if id == 0 {
		return ""
	}
	return kind + strconv.Itoa(id)
}

// rowID names a row of a table.
func rowID(table string, row json.RawMessage) string { return table + ":" + string(row) }

// neutral is a table as imports read it, without formulas.
func neutral(t listed, columns []column) product.Table {
	out := product.Table{ID: tableID(t.ID), Name: t.Name, Views: nil}
	slices.SortStableFunc(columns, func(a, b column) int { return a.Order - b.Order })
	for i := range columns {
		c := &columns[i]
		if c.Primary {
			out.Primary = fieldID(c.ID)
		}
		m := c.mapping()
		config := product.Config{}
		if m.config != nil {
			config = m.config(c)
		}
		f := product.Field{
			ID: fieldID(c.ID), Name: c.Name, Description: c.Description, Column: "field_" + strconv.Itoa(c.ID),
			Way: m.way, Type: m.kind, Note: m.note, Value: m.value, Config: config.JSON(c.Description),
			LinkedTable: tableID(c.LinkedTable), Inverse: fieldID(c.Inverse), Single: c.Several != nil && !*c.Several,
			Link: fieldID(c.Through), Target: fieldID(c.Target),
		}
		if c.Error != "" {
			f.Broken = "It is broken at Baserow: " + c.Error
		}
		if c.Type == "rollup" && f.Broken == "" {
			known := false
			if f.Rollup, known = rollups[c.Function]; !known {
				f.Broken = fmt.Sprintf("The function %s of rollups is not here.", c.Function)
			}
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// record is a row as imports read it.
func record(t *product.Table, row map[string]json.RawMessage) *product.Record {
	out := &product.Record{ID: rowID(t.ID, row["id"]), Fields: map[string]json.RawMessage{}}
	for i := range t.Fields {
		f := &t.Fields[i]
		raw := row[f.Column]
		switch string(raw) {
		case "", "null", `""`, "[]":
			continue
		}
		switch f.Way {
		case product.Kept:
			if f.Type == "created_time" {
				out.CreatedTime = product.Text(raw)
			}
			continue
		case product.Linked:
			raw = links(f.LinkedTable, raw)
		case product.Files:
			raw = files(raw)
		case product.Copied, product.Computed, product.Left:
		}
		if raw != nil {
			out.Fields[f.ID] = raw
		}
	}
	return out
}

func links(table string, raw json.RawMessage) json.RawMessage {
	var rows []struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &rows) != nil {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = rowID(table, row.ID)
	}
	return jsonvalue.Must(ids)
}

func files(raw json.RawMessage) json.RawMessage {
	var all []struct {
		URL     string `json:"url"`
		Name    string `json:"name"`
		Visible string `json:"visible_name"`
		Size    int64  `json:"size"`
	}
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	out := make([]product.Attachment, len(all))
	for i, one := range all {
		out[i] = product.Attachment{ID: one.Name, URL: one.URL, Filename: one.Visible, Size: one.Size}
		if one.Visible == "" {
			out[i].Filename = one.Name
		}
	}
	return jsonvalue.Must(out)
}

package baserow

import (
	"encoding/json"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// described are fields as the API describes them, each with a cell as it returns one, and both as they are here.
var described = []struct {
	column, cell  string // members of the field, and a cell
	kind          field.Type
	config, value string
}{
	{`"type":"text"`, `"Ship\u0000yard"`, "text", `{}`, `"Shipyard"`},
	{`"type":"long_text","long_text_enable_rich_text":true`, `"*b*"`, "long_text", `{"format":"markdown"}`, `"*b*"`},
	{`"type":"email"`, `"a@example.com"`, "email", `{}`, `"a@example.com"`},
	{`"type":"url"`, `"example.com"`, "url", `{}`, `"https://example.com"`},
	{`"type":"phone_number"`, `"123"`, "phone", `{}`, `"123"`},
	{`"type":"uuid"`, `"a"`, "text", `{}`, `"a"`},
	{`"type":"number","number_decimal_places":2`, `"1.50"`, "number", `{"precision":2}`, `1.50`},
	{`"type":"number","number_suffix":"%"`, `"12"`, "percent", `{"precision":0}`, `12`},
	{`"type":"number","number_prefix":"€ "`, `"12"`, "currency", `{"precision":0,"symbol":"€"}`, `12`},
	{`"type":"rating","max_value":5,"style":"star"`, `0`, "rating", `{"icon":"star","max":5}`, `null`},
	{`"type":"duration","duration_format":"h:mm:ss.s"`, `90.5`, "duration", `{"format":"h:mm:ss.S"}`, `90.5`},
	{`"type":"duration","duration_format":"d h"`, `90`, "duration", `{}`, `90`},
	{`"type":"boolean"`, `true`, "checkbox", `{}`, `true`},
	{`"type":"autonumber"`, `7`, "number", `{"precision":0}`, `7`},
	{`"type":"date","date_format":"US"`, `"2024-02-03"`, "date", `{"dateFormat":"us"}`, `"2024-02-03"`},
	{
		`"type":"date","date_format":"EU","date_include_time":true,"date_time_format":"12",` +
			`"date_force_timezone":"Europe/Oslo"`,
		`"2024-02-03T04:05:06Z"`, "datetime", `{"dateFormat":"european","timeFormat":"12h","timeZone":"Europe/Oslo"}`,
		`"2024-02-03T04:05:06Z"`,
	},
	{
		`"type":"single_select","select_options":[{"id":1,"value":"A","color":"light-blue"},{"id":2,"value":"A "}]`,
		`{"id":1,"value":"A","color":"light-blue"}`,
		"single_select", `{"options":[{"name":"A","color":"blue"}]}`, `"A"`,
	},
	{`"type":"multiple_select"`, `[{"value":"A"},{"value":"B"}]`, "multi_select", `{"options":[]}`, `["A","B"]`},
	{`"type":"multiple_collaborators"`, `[{"id":1,"name":"Bea"},{"id":2,"name":"Cleo"}]`, "text", `{}`, `"Bea, Cleo"`},
	{`"type":"created_by"`, `{"id":1,"name":"Bea"}`, "text", `{}`, `"Bea"`},
	{`"type":"a_new_type"`, `[1]`, "long_text", `{}`, `"[1]"`},
}

func TestEachTypeOfFieldHasACounterpart(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for _, want := range described {
		var c column
		if err := json.Unmarshal([]byte(`{"id":1,"name":"One",`+want.column+`}`), &c); err != nil {
			t.Fatal(err)
		}
		met[c.Type] = true
		f := neutral(listed{ID: 1}, []column{c}).Fields[0]
		if f.Type != want.kind || string(f.Config) != want.config {
			t.Errorf("%s is %s with %s", want.column, f.Type, f.Config)
		}
		if _, err := field.ParseConfig("config", f.Type.Kind(), f.Config); err != nil {
			t.Errorf("the config of %s: %v", want.column, err)
		}
		value, err := f.Value(json.RawMessage(want.cell), nil)
		if err != nil || string(value) != want.value {
			t.Errorf("%s %s is %s, %v", want.column, want.cell, value, err)
		}
	}
	for name, m := range mappings {
		if !met[name] && m.way == product.Copied {
			t.Errorf("there is no case for %s", name)
		}
	}
}

func TestFormulasNameTheFieldsHere(t *testing.T) {
	t.Parallel()
	ids := map[string]string{"Tons": "f1", "It's": "f2"}
	for formula, want := range map[string]string{
		`round(field('Tons') * 2, 1)`:              `round({f1} * 2, 1)`,
		`concat("field('Tons')", field( "Tons" ))`: `concat("field('Tons')", {f1})`,
		`if(field('It\'s') = 1, 'a', 'b')`:         `if({f2} = 1, 'a', 'b')`,
		`myfield('Tons')`:                          `myfield('Tons')`,
	} {
		f := read(formula, ids)
		if got, err := f.With(func(id string) (string, error) { return id, nil }); err != nil || got != want {
			t.Errorf("%s is %s, %v", formula, got, err)
		}
	}
}

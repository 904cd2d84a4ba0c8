package nocodb

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// described are columns as the API describes them, each with a cell as it returns one, and both as they are here.
var described = map[string]struct {
	more, cell    string // members of the column, and a cell
	config, value string
}{
	"SingleLineText": {``, `"Ship\u0000yard"`, `{}`, `"Shipyard"`},
	"LongText":       {`"meta":{"richMode":true}`, `"**bold**"`, `{"format":"markdown"}`, `"**bold**"`},
	"Email":          {``, `"a@example.com"`, `{}`, `"a@example.com"`},
	"URL":            {``, `"example.com"`, `{}`, `"https://example.com"`},
	"PhoneNumber":    {``, `"123"`, `{}`, `"123"`},
	"UUID":           {``, `"a"`, `{}`, `"a"`},
	"Time":           {``, `"10:30:00"`, `{}`, `"10:30:00"`},
	"Colour":         {``, `"#fff"`, `{}`, `"#fff"`},
	"GeoData":        {``, `"1;2"`, `{}`, `"1;2"`},
	"Geometry":       {``, `"POINT(1 2)"`, `{}`, `"POINT(1 2)"`},
	"JSON":           {``, `{"a":1}`, `{}`, `"{\"a\":1}"`},
	"Number":         {``, `7`, `{"precision":0}`, `7`},
	"Year":           {``, `2024`, `{"precision":0}`, `2024`},
	"Decimal":        {`"meta":{"precision":2}`, `1.25`, `{"precision":2}`, `1.25`},
	"Currency": {
		`"meta":"{\"currency_code\":\"EUR\",\"precision\":2}"`, `9.5`,
		`{"precision":2,"symbol":"€"}`, `9.5`,
	},
	"Percent":    {`"meta":null`, `12.5`, `{}`, `12.5`},
	"Rating":     {`"meta":{"max":5}`, `0`, `{"max":5}`, `null`},
	"Duration":   {`"meta":{"duration":1}`, `5400`, `{"format":"h:mm:ss"}`, `5400`},
	"Checkbox":   {``, `1`, `{}`, `true`},
	"ID":         {``, `3`, `{"precision":0}`, `3`},
	"AutoNumber": {``, `3`, `{"precision":0}`, `3`},
	"Date":       {`"meta":{"date_format":"MM/DD/YYYY"}`, `"2024-02-03"`, `{"dateFormat":"us"}`, `"2024-02-03"`},
	"DateTime": {
		`"meta":{"date_format":"YYYY-MM-DD","time_format":"HH:mm","is12hrFormat":true}`, `"2024-02-03 04:05:06+00:00"`,
		`{"dateFormat":"iso","timeFormat":"12h"}`, `"2024-02-03T04:05:06+00:00"`,
	},
	"SingleSelect": {
		`"colOptions":{"options":[{"title":"A","color":"#cfdffe"},{"title":" A"}]}`, `"A"`,
		`{"options":[{"name":"A","color":"#cfdffe"}]}`, `"A"`,
	},
	"MultiSelect": {``, `"A,B"`, `{"options":[]}`, `["A","B"]`},
	"User": {
		`"meta":{"is_multi":true}`, `[{"email":"bea@example.com"}]`, `{"multiple":true}`, `["usr_bea"]`,
	},
	"CreatedBy":        {``, `{"email":"bea@example.com"}`, `{}`, `["usr_bea"]`},
	"CreatedTime":      {``, ``, `{}`, ``},
	"LastModifiedTime": {``, ``, `{}`, ``},
	"ANewType":         {``, `[1]`, `{}`, `"[1]"`},
}

func TestEachTypeOfColumnHasACounterpart(t *testing.T) {
	t.Parallel()
	people := func(email string) string {
		return map[string]string{"bea@example.com": "usr_bea"}[email]
	}
	for name, m := range mappings {
		if _, ok := described[name]; !ok && m.way == product.Copied {
			t.Errorf("there is no case for %s", name)
		}
	}
	for name, want := range described {
		members := []string{`"id":"c1","title":"` + name + `","uidt":"` + name + `"`}
		if want.more != "" {
			members = append(members, want.more)
		}
		var c column
		if err := json.Unmarshal([]byte("{"+strings.Join(members, ",")+"}"), &c); err != nil {
			t.Fatal(err)
		}
		f, _ := (&Session{}).field(&table{}, &c)
		if string(f.Config) != want.config {
			t.Errorf("%s has the config %s", name, f.Config)
		}
		if _, err := field.ParseConfig("config", f.Type.Kind(), f.Config); err != nil {
			t.Errorf("the config of %s: %v", name, err)
		}
		if want.cell == "" {
			continue
		}
		value, err := f.Value(json.RawMessage(want.cell), people)
		if err != nil || string(value) != want.value {
			t.Errorf("%s %s is %s, %v", name, want.cell, value, err)
		}
	}
}

func TestFormulasNameTheColumnsHere(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]string{
		`{{cabc1}} + 1`:                         `{fld_cabc1} + 1`,
		`IF({{c1}} == "{{c2}}", 'it\'s', {c3})`: `IF({fld_c1} = "{{c2}}", 'it\'s', {fld_c3})`,
	} {
		f := read(formula)
		if got, err := f.With(func(id string) (string, error) { return "fld_" + id, nil }); err != nil || got != want {
			t.Errorf("%s is %s, %v", formula, got, err)
		}
	}
}

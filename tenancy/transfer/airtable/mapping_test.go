package airtable

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// documented are the types of fields of the Web API, each with a field as the API describes it, a cell as it returns
// one, and both as they are here.
var documented = map[string]struct {
	options, cell string
	kind          field.Type
	config, value string
}{
	"singleLineText": {``, `"Ship\u0000yard"`, "text", `{}`, `"Shipyard"`},
	"multilineText": {
		``, `"Ask <airtable:mention id=\"menE1\">@Alex</airtable:mention>\nnow"`, "long_text", `{}`, `"Ask @Alex\nnow"`,
	},
	"richText": {``, `"**bold**\n"`, "long_text", `{"format":"markdown"}`, `"**bold**\n"`},
	"aiText": {
		`{"prompt":["Hi"]}`, `{"state":"generated","isStale":false,"value":"Text"}`,
		"long_text", `{}`, `"Text"`,
	},
	"email":       {``, `"a@example.com"`, "email", `{}`, `"a@example.com"`},
	"url":         {``, `"airtable.com/x:1"`, "url", `{}`, `"https://airtable.com/x:1"`},
	"phoneNumber": {``, `"(415) 555-9876"`, "phone", `{}`, `"(415) 555-9876"`},
	"barcode":     {``, `{"type":"upce","text":"0123"}`, "text", `{}`, `"0123"`},
	"number":      {`{"precision":3}`, `1.125`, "number", `{"precision":3}`, `1.125`},
	"percent":     {`{"precision":1}`, `0.123`, "percent", `{"precision":1}`, `0.123e2`},
	"currency":    {`{"precision":2,"symbol":"€"}`, `9.5`, "currency", `{"precision":2,"symbol":"€"}`, `9.5`},
	"rating":      {`{"max":7,"icon":"heart","color":"redBright"}`, `3`, "rating", `{"icon":"heart","max":7}`, `3`},
	"duration":    {`{"durationFormat":"h:mm:ss"}`, `5400`, "duration", `{"format":"h:mm:ss"}`, `5400`},
	"checkbox":    {`{"color":"greenBright","icon":"check"}`, `true`, "checkbox", `{}`, `true`},
	"date": {
		`{"dateFormat":{"name":"us","format":"M/D/YYYY"}}`, `"2022-09-05"`,
		"date", `{"dateFormat":"us"}`, `"2022-09-05"`,
	},
	"dateTime": {
		`{"timeZone":"Europe/Oslo","dateFormat":{"name":"iso"},"timeFormat":{"name":"12hour","format":"h:mma"}}`,
		`"2022-09-05T07:00:00.000Z"`, "datetime", `{"dateFormat":"iso","timeFormat":"12h","timeZone":"Europe/Oslo"}`,
		`"2022-09-05T07:00:00.000Z"`,
	},
	"singleSelect": {
		`{"choices":[{"id":"sel1","name":" A ","color":"blueLight2"},{"id":"sel2","name":"A"}]}`, `"A"`,
		"single_select", `{"options":[{"name":"A","color":"blue"}]}`, `"A"`,
	},
	"multipleSelects": {
		`{"choices":[{"id":"sel1","name":"A, B","color":"grayDark1"}]}`, `["A, B"]`, "multi_select",
		`{"options":[{"name":"A, B","color":"gray"}]}`, `["A, B"]`,
	},
	"externalSyncSource": {
		`{"choices":[{"name":"CRM"}]}`, `"CRM"`,
		"single_select", `{"options":[{"name":"CRM"}]}`, `"CRM"`,
	},
	"singleCollaborator": {``, `{"id":"usr1","email":"Bea@example.com"}`, "user", `{}`, `"usr_bea"`},
	"multipleCollaborators": {
		``, `[{"id":"usr1","email":"bea@example.com"}]`,
		"user", `{"multiple":true}`, `["usr_bea"]`,
	},
	"createdBy":  {``, `{"id":"usr1","email":"bea@example.com"}`, "user", `{}`, `"usr_bea"`},
	"autoNumber": {``, `17`, "number", `{"precision":0}`, `17`},
	"createdTime": {
		`{"result":{"type":"date","options":{"dateFormat":{"name":"iso"}}}}`, ``,
		"created_time", `{"dateFormat":"iso"}`, ``,
	},
	"lastModifiedTime":    {`{"isValid":true}`, ``, "last_modified_time", `{}`, ``},
	"lastModifiedBy":      {``, ``, "last_modified_by", `{}`, ``},
	"multipleRecordLinks": {`{"linkedTableId":"tbl1"}`, ``, "link", `{}`, ``},
	"multipleAttachments": {`{"isReversed":false}`, ``, "attachment", `{}`, ``},
	"formula": {
		`{"formula":"1","isValid":true,"result":{"type":"currency","options":{"precision":2,"symbol":"$"}}}`, ``,
		"formula", `{"format":"currency","precision":2,"symbol":"$"}`, ``,
	},
	"rollup": {
		`{"result":{"type":"percent","options":{"precision":1}}}`, ``,
		"rollup", `{"format":"percent","precision":1}`, ``,
	},
	"multipleLookupValues": {`{"isValid":true}`, ``, "lookup", `{}`, ``},
	"count":                {`{"isValid":true}`, ``, "count", `{}`, ``},
	"button":               {``, ``, "", `{}`, ``},
	"aNewType":             {``, `{"some":"thing"}`, "long_text", `{}`, `"{\"some\":\"thing\"}"`},
}

func people(email string) string {
	if strings.EqualFold(email, "bea@example.com") {
		return "usr_bea"
	}
	return ""
}

func TestEachTypeOfFieldHasACounterpart(t *testing.T) {
	t.Parallel()
	for name := range mappings {
		if _, ok := documented[name]; !ok && name != "lookup" {
			t.Errorf("there is no case for %s", name)
		}
	}
	for name, want := range documented {
		f := column{ID: "fld1", Name: name, Type: name}
		if want.options != "" {
			if err := json.Unmarshal([]byte(want.options), &f.Options); err != nil {
				t.Fatal(err)
			}
		}
		got := f.neutral()
		if got.Type != want.kind || string(got.Config) != want.config {
			t.Errorf("%s is %s with %s", name, got.Type, got.Config)
		}
		if got.Type != "" {
			if _, err := field.ParseConfig("config", got.Type.Kind(), got.Config); err != nil {
				t.Errorf("the config of %s: %v", name, err)
			}
		}
		if want.cell == "" {
			continue
		}
		value, err := got.Value(json.RawMessage(want.cell), people)
		if err != nil || string(value) != want.value {
			t.Errorf("%s %s is %s, %v", name, want.cell, value, err)
		}
	}
}

func TestPeopleWhoAreNoMembersAreNamed(t *testing.T) {
	t.Parallel()
	f := (&column{Type: "multipleCollaborators"}).neutral()
	value, err := f.Value(json.RawMessage(`[{"email":"bea@example.com"},{"email":"cleo@example.com"}]`), people)
	var stranger *product.Stranger
	if string(value) != `["usr_bea"]` || !errors.As(err, &stranger) || stranger.Person.Email != "cleo@example.com" {
		t.Errorf("the cell is %s, %v", value, err)
	}
}

func TestFormulasNameTheFieldsHere(t *testing.T) {
	t.Parallel()
	idOf := func(id string) (string, error) { return "fld_" + strings.ToLower(id[3:]), nil }
	for formula, want := range map[string]string{
		`{fldAAAAAAAAAAAAAA}+1`:                     `{fld_aaaaaaaaaaaaaa}+1`,
		`"{fldAAAAAAAAAAAAAA}"&{fldAAAAAAAAAAAAAA}`: `"{fldAAAAAAAAAAAAAA}"&{fld_aaaaaaaaaaaaaa}`,
		"1 // it's {fldAAAAAAAAAAAAAA}\n+ {fldBBBBBBBBBBBBBB}": "" +
			"1 // it's {fldAAAAAAAAAAAAAA}\n+ {fld_bbbbbbbbbbbbbb}",
		`/* ' */ {fldBBBBBBBBBBBBBB} & 'it\'s'`:                        `/* ' */ {fld_bbbbbbbbbbbbbb} & 'it\'s'`,
		`last_modified_time({fldAAAAAAAAAAAAAA}, {fldBBBBBBBBBBBBBB})`: `LAST_MODIFIED_TIME()`,
	} {
		read := read(formula)
		if got, err := read.With(idOf); err != nil || got != want {
			t.Errorf("%s is %s, %v", formula, got, err)
		}
	}
	twice := read(`{fldAAAAAAAAAAAAAA} & "{fldCCCCCCCCCCCCCC}" & {fldAAAAAAAAAAAAAA}`)
	if got := twice.Fields(); !slices.Equal(got, []string{"fldAAAAAAAAAAAAAA"}) {
		t.Errorf("it reads %v", got)
	}
}

func TestARollupIsFoundByItsValues(t *testing.T) {
	t.Parallel()
	made := func(value string, entries ...string) sample {
		one := sample{Value: json.RawMessage(value)}
		for _, entry := range entries {
			one.Entries = append(one.Entries, json.RawMessage(entry))
		}
		return one
	}
	for name, one := range map[string]struct {
		result  string
		samples []sample
		want    string
	}{
		"a sum":             {"number", []sample{made("6", "1", "2", "3"), made("4", "4")}, "SUM(values)"},
		"an average":        {"number", []sample{made("2", "1", "2", "3")}, "AVERAGE(values)"},
		"a greatest number": {"currency", []sample{made("3", "1", "2", "3"), made("5", "5", "4")}, "MAX(values)"},
		"a last day":        {"date", []sample{made(`"2024-02-01"`, `"2024-01-01"`, `"2024-02-01"`)}, "MAX(values)"},
		"a list": {
			"singleLineText", []sample{made(`"a; b; a"`, `"a"`, `"b"`, `"a"`)}, `ARRAYJOIN(values, "; ")`,
		},
		"a list of each": {
			"singleLineText", []sample{made(`["a","b"]`, `"a"`, `"b"`, `"a"`)}, "ARRAYUNIQUE(values)",
		},
		"any": {
			"checkbox",
			[]sample{made("true", "true"), {Entries: []json.RawMessage{nil, []byte("true")}, Value: []byte("true")}},
			"OR(values)",
		},
		"nothing known": {"number", nil, "SUM(values)"},
		"a formula":     {"number", []sample{made("7", "1", "2", "3")}, ""},
	} {
		got := ""
		if found := guess(one.result, one.samples); len(found) > 0 {
			got = found[0].String()
		}
		if got != one.want {
			t.Errorf("%s is %s, and not %s", name, got, one.want)
		}
	}
}

func TestErrorsOfTheAPIAreReadInAllForms(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":"NOT_FOUND"}`: "Airtable answered 404 NOT_FOUND",
		`{"error":{"type":"AUTHENTICATION_REQUIRED","message":"Missing"}}`: "" +
			"Airtable answered 404 AUTHENTICATION_REQUIRED: Missing",
		`{"errors":[{"error":"RATE_LIMIT_REACHED","message":"Slow"}]}`: "" +
			"Airtable answered 404 RATE_LIMIT_REACHED: Slow",
		`<html>`: "Airtable answered 404 ",
	} {
		refusal := readError(404, []byte(body))
		refusal.Product, refusal.Status = "Airtable", 404
		if got := refusal.Error(); got != want {
			t.Errorf("%s is %q", body, got)
		}
	}
}

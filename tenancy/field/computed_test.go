package field_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A computed number is shown as a value of the type that config.format names.
func TestComputedNumbersAreShownInTheirFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ config, value, want string }{
		{`{"resultType":"number"}`, `1234.5`, "1234.5"},
		{`{"resultType":"number","precision":2}`, `1234.5`, "1234.50"},
		{`{"resultType":"number","format":"number","precision":0}`, `1234.5`, "1234"},
		{`{"resultType":"number","format":"currency"}`, `-1234.5`, "-$1,234.50"},
		{`{"resultType":"number","format":"currency","symbol":"€","precision":0}`, `1234`, "€1,234"},
		{`{"resultType":"number","format":"percent"}`, `0.07`, "7%"},
		{`{"resultType":"number","format":"percent","precision":1}`, `0.3333333333333333`, "33.3%"},
		{`{"resultType":"number","format":"percent"}`, `1e300`, "1" + strings.Repeat("0", 302) + "%"},
		{`{"resultType":"number","format":"duration"}`, `5401`, "1:30:01"},
		{`{"resultType":"number","format":"duration"}`, `-61`, "-0:01:01"},
		{`{"resultType":"list of number","format":"percent"}`, `[0.5,null,1]`, "50%, 100%"},
		{`{"resultType":"text","format":"percent"}`, `"a"`, "a"},
		{`{"resultType":"number","format":"currency"}`, `{"error":"division_by_zero"}`, "#ERROR"},
	} {
		var config field.Config
		if err := json.Unmarshal([]byte(c.config), &config); err != nil {
			t.Fatal(err)
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(c.value))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		f := &field.Field{Kind: field.Of("formula", &config), Config: config}
		shown := f.Kind.Show(f, nil, value)
		if got := shown.Plain(); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.value, c.config, got, c.want)
		}
	}
}

func TestAFormatOfComputedNumbersIsOneOfFour(t *testing.T) {
	t.Parallel()
	for _, kind := range []field.Type{"formula", "rollup"} {
		_, err := field.ParseConfig("config", kind.Kind(), []byte(`{"format":"currency","symbol":"kr"}`))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		_, err = field.ParseConfig("config", kind.Kind(), []byte(`{"format":"money"}`))
		if err == nil || !strings.Contains(err.Error(), "number, currency, percent, duration") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	_, err := field.ParseConfig("config", field.Type("lookup").Kind(), []byte(`{"format":"currency"}`))
	if err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("a lookup is shown as the field that it reads: %v", err)
	}
}

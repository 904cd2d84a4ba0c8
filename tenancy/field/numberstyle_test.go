package field_test

import (
	"encoding/json"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A number is shown in the style of its field, and as it is stored where the field says nothing.
func TestNumbersAreShownInTheStyleOfTheirField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind                field.Type
		config, value, want string
	}{
		{"number", `{}`, "-1234.5", "-1234.5"},
		{"number", `{"thousands":true,"precision":2}`, "1234567.5", "1,234,567.50"},
		{"number", `{"negative":"parentheses"}`, "-1234.5", "(1234.5)"},
		{"number", `{"negative":"red"}`, "-5", "-5"},
		{"percent", `{"negative":"red_parentheses","thousands":true}`, "-1234.5", "(1,234.5%)"},
		{"currency", `{"symbol":"€"}`, "-1234.5", "-€1,234.50"},
		{"currency", `{"symbol":"€","thousands":false,"negative":"parentheses"}`, "-1234.5", "(€1234.50)"},
		{"formula", `{"resultType":"number","thousands":true,"negative":"parentheses"}`, "-1234.5", "(1,234.5)"},
		{"formula", `{"resultType":"number","format":"currency","thousands":false}`, "-1234", "-$1234.00"},
	} {
		var config field.Config
		if err := json.Unmarshal([]byte(c.config), &config); err != nil {
			t.Fatal(err)
		}
		f := &field.Field{Kind: field.Of(c.kind, &config), Config: config}
		if shown := f.Kind.Show(f, nil, json.Number(c.value)); shown.Text != c.want {
			t.Errorf("%s of a %s with %s is shown as %q, not %q", c.value, c.kind, c.config, shown.Text, c.want)
		}
	}
}

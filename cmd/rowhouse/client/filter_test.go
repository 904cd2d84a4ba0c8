package client

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFilterIsTranslated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Kind = "Tug" and Tons > 90`: `[{"fieldId":"Kind","op":"eq","value":"Tug"},` +
			`{"fieldId":"Tons","op":"gt","value":90}]`,
		`Tons<=-1.5`: `[{"fieldId":"Tons","op":"lte","value":-1.5}]`,
		`A = 1 or B = 2 and C = 3`: `[{"or":[{"fieldId":"A","op":"eq","value":1},` +
			`{"and":[{"fieldId":"B","op":"eq","value":2},{"fieldId":"C","op":"eq","value":3}]}]}]`,
		`(A = 1 or B = true) AND {Last visit} < -30 days`: `[{"or":[{"fieldId":"A","op":"eq","value":1},` +
			`{"fieldId":"B","op":"eq","value":true}]},` +
			`{"fieldId":"Last visit","op":"lt","value":{"offset":-30,"unit":"day"}}]`,
		`Due is within 2 weeks and Due != today`: `[{"fieldId":"Due","op":"is_within",` +
			`"value":{"offset":2,"unit":"week"}},{"fieldId":"Due","op":"neq","value":"today"}]`,
		`Name not contains 'x' and Name starts_with "S"`: `[{"fieldId":"Name","op":"not_contains","value":"x"},` +
			`{"fieldId":"Name","op":"starts_with","value":"S"}]`,
		`Kind not in ("Tug", "Ferry") and Tons between 1 and 5`: `[{"fieldId":"Kind","op":"not_in",` +
			`"value":["Tug","Ferry"]},{"fieldId":"Tons","op":"between","value":[1,5]}]`,
		`{Company.Country} IS NOT EMPTY`: `[{"fieldId":"Company.Country","op":"is_not_empty"}]`,
		`Flags has any ("NO")`:           `[{"fieldId":"Flags","op":"has_any","value":["NO"]}]`,
	} {
		f, err := parseFilter(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := json.Marshal(f.filters); err != nil || string(got) != want {
			t.Errorf("%s: %s %v", text, got, err)
		}
	}
}

// A mistake is marked under its letters, and the message says what would be right.
func TestFilterMistakesAreMarked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`Kind = Tug`:          {`       ^^^`, `quotes: "Tug"`},
		`Kind = "Tug" Tons`:   {`             ^^^^`, "expected and, or"},
		`Tons > 1 && Tons`:    {`         ^^`, "write and"},
		`(Tons > 1`:           {`^`, "does not end"},
		`Tons contins 3`:      {`     ^^^^^^^`, `did you mean "contains"`},
		`Tons >`:              {`      ^`, "expected a value"},
		`Kind in "Tug"`:       {`        ^^^^^`, "expected a list"},
		`Kind = “Tug”`:        {`       ^`, "straight quotes"},
		`not Kind = "Tug"`:    {`^^^`, "not contains"},
		`Tons = {Tons}`:       {`       ^^^^^^`, "not with another field"},
		"ÅÄ = 1 or\nKind = X": {`       ^`, `quotes: "X"`},
	} {
		_, err := parseFilter(text)
		if err == nil {
			t.Errorf("%s was accepted", text)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		marked := strings.TrimPrefix(lines[len(lines)-1], "  ")
		if marked != want[0] || !strings.Contains(err.Error(), want[1]) {
			t.Errorf("%s: %s", text, err)
		}
		if Status(err) != StatusUsage {
			t.Errorf("%s has the status %d", text, Status(err))
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, text := range []string{
		`Kind = "Tug" and (Tons > 90 or {A b} in ("x", 1))`, "a\nb = é", `-`, `{`, "\ufeff(", "a <\t",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if parsed, err := parseFilter(text); err == nil && len(parsed.filters) == 0 {
			t.Errorf("%q is a filter without conditions", text)
		}
	})
}

package text_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/web/text"
)

// TestEveryLanguageSaysEverything finds a text that a language lacks, or that was left in English.
func TestEveryLanguageSaysEverything(t *testing.T) {
	t.Parallel()
	var compare func(t *testing.T, name string, english, other reflect.Value)
	compare = func(t *testing.T, name string, english, other reflect.Value) {
		t.Helper()
		switch english.Kind() {
		case reflect.Struct:
			for i := range english.NumField() {
				compare(t, name+"."+english.Type().Field(i).Name, english.Field(i), other.Field(i))
			}
		case reflect.Array:
			for i := range english.Len() {
				compare(t, name, english.Index(i), other.Index(i))
			}
		case reflect.Func:
			if other.IsNil() {
				t.Errorf("%s is missing", name)
			}
		default:
			if other.String() == "" || len(other.String()) > 12 && other.String() == english.String() {
				t.Errorf("%s is %q", name, other)
			}
		}
	}
	for _, other := range text.All[1:] {
		t.Run(other.Tag, func(t *testing.T) {
			t.Parallel()
			compare(t, other.Tag, reflect.ValueOf(text.English), reflect.ValueOf(*other))
			for _, f := range []func(*text.Text) func(string) string{
				func(t *text.Text) func(string) string { return t.Share.Show },
				func(t *text.Text) func(string) string { return t.Print.Sum },
				func(t *text.Text) func(string) string { return t.Form.FileKind },
				func(t *text.Text) func(string) string { return func(fn string) string { return t.Of(fn, "Cost") } },
			} {
				for _, name := range []string{
					"grid", "gallery", "kanban", "calendar", "timeline", "chart", "count", "distinct", "sum", "avg",
					"median", "min", "max", "image/*", "application/pdf", "video/*", "audio/*",
				} {
					if (f(&text.English)(name) == "") != (f(other)(name) == "") {
						t.Errorf("%q is %q, and %q in English", name, f(other)(name), f(&text.English)(name))
					}
				}
			}
		})
	}
}

func TestForTakesTheFirstLanguageThatThereIs(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]string{
		"": "en", "de": "de", "de-AT,en;q=0.5": "de", "fr-CA": "fr", "es, fr;q=0.8, en;q=0.9": "en", "es,it": "en",
		"pt;q=1, de;q=0.2": "de", "*": "en", "bogus;;q": "en",
	} {
		if got := text.For(accepted).Tag; got != want {
			t.Errorf("%q is %s, not %s", accepted, got, want)
		}
	}
}

func TestEveryRoleAndQuestionHasAWord(t *testing.T) {
	t.Parallel()
	for _, other := range text.All[1:] {
		for _, role := range []string{"owner", "editor", "viewer", "guest"} { // an admin is one everywhere
			if said := other.Account.Invited("Ada", "Acme", role); strings.Contains(said, role) {
				t.Errorf("%s: %s", other.Tag, said)
			}
		}
		for _, ask := range []field.Ask{field.AskNumber, field.AskDate, field.AskFiles, field.AskText} {
			if other.Form.Wrong(ask) == "" {
				t.Errorf("%s says nothing of a wrong %s", other.Tag, ask)
			}
		}
	}
}

func TestTranslate(t *testing.T) {
	t.Parallel()
	got, ok := text.German.Translate(text.English.Share.Gone)
	if !ok || got != text.German.Share.Gone {
		t.Errorf("the translation is %q, %t", got, ok)
	}
	for english, want := range map[string]string{
		"must be at most 100 characters long":      "Höchstens 100 Zeichen sind möglich.",
		"must be at most 2 files":                  "Höchstens 2 Dateien sind möglich.",
		"must be a whole number from 1 to 5":       "Wählen Sie eine ganze Zahl von 1 bis 5.",
		"There is no page at /a.":                  "Unter /a gibt es keine Seite.",
		"is easy to guess: it is a row of keys; …": text.German.Refused.Guessable,
	} {
		if got, ok := text.German.Translate(english); !ok || got != want {
			t.Errorf("%q is %q, %t", english, got, ok)
		}
		if got, ok := text.English.Translate(english); ok || got != english {
			t.Errorf("%q is %q in English", english, got)
		}
	}
	if got, ok := text.German.Translate("must be even"); ok || got != "must be even" {
		t.Errorf("what has no translation is %q, %t", got, ok)
	}
}

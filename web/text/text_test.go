package text_test

import (
	"reflect"
	"testing"

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

func TestTranslate(t *testing.T) {
	t.Parallel()
	got, ok := text.German.Translate(text.English.Share.Gone)
	if !ok || got != text.German.Share.Gone {
		t.Errorf("the translation is %q, %t", got, ok)
	}
	if got, ok := text.German.Translate("must be even"); ok || got != "must be even" {
		t.Errorf("what has no translation is %q, %t", got, ok)
	}
}

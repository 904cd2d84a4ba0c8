package formula

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

// localeText has a line for each language, with the words and the rules of its dates, which are those
// of Moment.js, in the places that the migration formula clock says:
//
//	1   months, 13 short ones
//	25  days of the week from Sunday, 32 short, 83 of two letters
//	39  the parts of a day in A, 40 in a: from which time on, and what it is called
//	41  what L, LL, LLL, LLLL, LT and LTS stand for; 100 l, ll, lll and llll
//	47  months behind a day, 59 short ones; 71 short months between hyphens
//	90  what follows a number that orders days, months, quarters, days of a year, days of a week, weeks
//	96  the first day of the week, 97 the day of January that is always in its first week, with that day added
//	98  the digits, 99 the comma, if they are others
//	104 which formats have a month behind a day, where the rule is not the usual one
//
//go:embed locale.txt
var localeText string

// locales are the words by language.
var locales = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(localeText) {
		key, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
		all[key] = words
	}
	return all
}()

// sameLocales are other names of languages.
var sameLocales = map[string]string{"no": "nb", "nn": "nb", "us": "en", "iw": "he"}

// localeKey is the language of a name such as de-CH, whose region makes no difference here.
func localeKey(name string) string {
	key, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "-")
	if same := sameLocales[key]; same != "" {
		return same
	}
	return key
}

func localeNames() []string { return slices.Sorted(maps.Keys(locales)) }

// words are the words of a language in the form of gate.formula_write, which has the English ones
// itself.
func words(locale string) string {
	if locale == "en" || locales[locale] == "" {
		return "null"
	}
	return "string_to_array(" + literalText(locales[locale]) + ", '|')"
}

package oauth

import (
	"strings"
	"unicode"
)

// combinableScripts are sets of scripts that may be combined in one word: the "highly restrictive"
// level of Unicode Technical Standard 39 section 5.2.
var combinableScripts = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"},
}

// scriptOf returns the Unicode script of a letter, or "" for digits, punctuation and marks, which
// combine with every script.
func scriptOf(r rune) string {
	if r < 0x80 {
		if unicode.IsLetter(r) {
			return "Latin"
		}
		return ""
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			if name == "Common" || name == "Inherited" {
				return ""
			}
			return name
		}
	}
	return ""
}

// mixesScripts reports whether a word of the text has letters of scripts that are not combinable,
// such as Latin and Cyrillic.
func mixesScripts(text string) bool {
	for _, word := range words(text) {
		found := map[string]bool{}
		for _, r := range word {
			if script := scriptOf(r); script != "" {
				found[script] = true
			}
		}
		if len(found) > 1 && !areCombinable(found) {
			return true
		}
	}
	return false
}

func areCombinable(found map[string]bool) bool {
	for _, set := range combinableScripts {
		inside := 0
		for _, name := range set {
			if found[name] {
				inside++
			}
		}
		if inside == len(found) {
			return true
		}
	}
	return false
}

// lookalikes are non-Latin letters that look like Latin ones in many typefaces.
const lookalikes = "аАВсСеЕНіІјЈКМоОрРѕЅТхХуУүҮһԁԛԝӏӀГЬ" + // Cyrillic
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχϲϳ" + // Greek
	"օսոհցքՏՕԼᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ" // Armenian and Cherokee

// lookalikeScript returns the script of a non-Latin word that consists only of lookalikes, or "".
func lookalikeScript(text string) string {
	for _, word := range words(text) {
		script, all := "", true
		for _, r := range word {
			if !unicode.IsLetter(r) {
				continue
			}
			if !strings.ContainsRune(lookalikes, r) {
				all = false
				break
			}
			script = scriptOf(r)
		}
		if all && script != "" {
			return script
		}
	}
	return ""
}

// words splits a text at characters other than letters, marks and digits.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) })
}

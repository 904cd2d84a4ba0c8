package oauth

import (
	"strings"
	"unicode"
)

// combinableScripts are sets of scripts that one word may use at once: the "highly restrictive" level of Unicode Technical
// Standard 39, section 5.2.
var combinableScripts = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"},
}

// scriptOf names the script of a letter; "" is for digits, punctuation and marks, which go with every script.
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

// mixesScripts reports whether a word of the text has letters of scripts that are not written together, as a Latin word
// does in which one letter is Cyrillic.
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

// lookalikes are the letters beyond Latin that many typefaces draw as a Latin letter.
const lookalikes = "аАВсСеЕНіІјЈКМоОрРѕЅТхХуУүҮһԁԛԝӏӀГЬ" + // Cyrillic
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχϲϳ" + // Greek
	"օսոհցքՏՕԼᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ" // Armenian and Cherokee

// lookalikeScript returns the script of a word that is not Latin and that could be read as a Latin word from its first letter
// to its last, or "".
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

// words splits a text at what is neither a letter nor a mark of one.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) })
}

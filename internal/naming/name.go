// Package naming decides which names and e-mail addresses are valid, and when two of them are the
// same.
package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
)

// MaxLength is the maximum length of a name, in characters.
const MaxLength = 255

// Clean returns a name in Unicode's composed form (NFC) without surrounding space. It returns an
// error at path if the name has no visible character, is longer than MaxLength, or contains control
// characters or overrides of the direction of text, which can make one name look like another.
func Clean(path, name string) (string, error) {
	name = norm.NFC.String(strings.TrimSpace(name))
	switch {
	case name == "":
		return "", problem.Invalid(path, "must not be empty")
	case !utf8.ValidString(name):
		return "", problem.Invalid(path, "must be valid UTF-8")
	case utf8.RuneCountInString(name) > MaxLength:
		return "", problem.Invalid(path, "must be at most %d characters long", MaxLength)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", problem.Invalid(path, "must not contain control characters")
	case strings.ContainsAny(name, "\u202D\u202E"):
		return "", problem.Invalid(path, "must not contain the characters U+202D and U+202E")
	case !strings.ContainsFunc(name, isVisible):
		return "", problem.Invalid(path, "must contain a visible character")
	}
	return name, nil
}

func isVisible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// Key is the form in which names are compared. Two names with equal keys are the same name,
// whatever their case and composition. Key folds as gate.fold does in the database.
func Key(name string) string {
	name = strings.ToLower(norm.NFC.String(name))
	if isASCII(name) {
		return name
	}
	return strings.NewReplacer("ς", "σ", "i\u0307", "i").Replace(name)
}

// SearchKey is the key of a text without accents, as gate.search_fold computes it for Latin and Greek
// letters: a search matches where the key of the word is.
func SearchKey(text string) string {
	key := Key(text)
	if isASCII(key) {
		return key
	}
	return unmarked.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(key)))
}

// unmarked are letters with a mark that Unicode does not decompose.
var unmarked = strings.NewReplacer("ø", "o", "æ", "ae", "œ", "oe", "ß", "ss", "ł", "l", "đ", "d", "ð", "d", "þ", "th",
	"ħ", "h", "ı", "i", "ŧ", "t", "ŋ", "n", "ĸ", "q", "ĳ", "ij", "ŀ", "l", "ŉ", "'n", "ſ", "s")

// Forms returns the forms in which a text may have been composed: as given, NFC and NFD, without
// duplicates.
func Forms(text string) []string {
	forms := []string{text}
	if isASCII(text) {
		return forms
	}
	for _, form := range []string{norm.NFC.String(text), norm.NFD.String(text)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

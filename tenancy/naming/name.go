package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
)

// MaxName is the longest name of any noun, in characters.
const MaxLength = 255

// CleanName returns a name in Unicode's composed form (NFC), with the space around it cut off. It refuses, naming path, a name that is empty, longer than
// MaxName, or holds control characters.
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
	}
	return name, nil
}

// NameKey is the one form in which names are compared: two names with the same key are the same name to everybody, whatever the case of their
// letters and however these are composed. It folds as gate.fold does in the database, so that a name is also found by what it is compared as.
func Key(name string) string {
	name = strings.ToLower(norm.NFC.String(name))
	if isASCII(name) {
		return name
	}
	return strings.NewReplacer("ς", "σ", "i\u0307", "i").Replace(name)
}

// Forms returns the ways in which a text may have been composed: as it is, composed (NFC) and decomposed (NFD), each once.
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

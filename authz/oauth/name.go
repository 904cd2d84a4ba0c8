package oauth

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizeName makes a client name safe to display: one line, in Unicode form NFKC (𝐑𝐨𝐰 becomes
// Row), without control, invisible or bidirectional formatting characters, and with at most
// maxCombiningMarks marks on a letter.
func normalizeName(name string) string {
	marks := 0
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			marks = 0
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point),
			r == blankBraille, r == utf8.RuneError:
			return -1
		case unicode.IsMark(r):
			if marks++; marks > maxCombiningMarks {
				return -1
			}
		default:
			marks = 0
		}
		return r
	}, norm.NFKC.String(strings.ToValidUTF8(name, "")))
	return strings.Join(strings.Fields(name), " ")
}

const (
	maxCombiningMarks = 4        // per letter
	blankBraille      = '\u2800' // rendered as a space
)

// checkName returns an error that says why a normalized name is not acceptable, or nil.
func checkName(name string) error {
	if len(name) > maxClientName {
		return fmt.Errorf("must have at most %d bytes", maxClientName)
	}
	if mixesScripts(name) {
		return errors.New("must not mix scripts within a word, because it could be read as another name")
	}
	return nil
}

// nameWarning returns a warning about confusable letters in a name, or "". Such names are legal,
// because a word that looks Latin may be a genuine word of another script.
func nameWarning(name string) string {
	if mixesScripts(name) {
		return "Its name mixes letters of several scripts, and may be read as another name."
	}
	if script := lookalikeScript(name); script != "" {
		return "Its name is written in " + script + " letters that look like Latin ones."
	}
	return ""
}

// truncateName shortens a name to 60 characters.
func truncateName(name string) string {
	const maxRunes = 60
	if utf8.RuneCountInString(name) <= maxRunes {
		return name
	}
	return string([]rune(name)[:maxRunes-1]) + "…"
}

// isStorableText reports whether PostgreSQL can store a string: it must be UTF-8 without NUL.
func isStorableText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

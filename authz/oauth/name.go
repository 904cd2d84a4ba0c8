package oauth

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizeName makes a name that a client gave itself safe to show among this server's own words: one line, in the usual form of each
// letter (𝐑𝐨𝐰 is Row), without control, invisible or direction-changing characters and without towers of marks, which could make
// it read as something else than it is.
func normalizeName(name string) string {
	marks := 0
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			marks = 0
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point),
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
	maxCombiningMarks = 4        // on one letter
	blankBraille      = '\u2800' // a symbol, drawn as nothing
)

// checkName says what is wrong with a name after normalizeName, or nil.
func checkName(name string) error {
	if len(name) > maxClientName {
		return fmt.Errorf("must have at most %d bytes", maxClientName)
	}
	if mixesScripts(name) {
		return errors.New("must not mix scripts within a word, because it could be read as another name")
	}
	return nil
}

// nameWarning says what people should know of the letters of a name, or "". A word that only looks Latin may be an honest one.
func nameWarning(name string) string {
	if mixesScripts(name) {
		return "Its name mixes letters of several scripts, and may be read as another name."
	}
	if script := lookalikeScript(name); script != "" {
		return "Its name is written in " + script + " letters that look like Latin ones."
	}
	return ""
}

// truncateName cuts a name to what fits a heading.
func truncateName(name string) string {
	const most = 60
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}

// isStorableText reports whether PostgreSQL could store a string: it is UTF-8 and holds no NUL.
func isStorableText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

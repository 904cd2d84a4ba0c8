package oauth

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainName makes a name that a client gave itself safe to show among this server's own words: one line, without control,
// invisible or direction-changing characters, which could make it read as something else than it is.
func plainName(name string) string {
	if !utf8.ValidString(name) {
		name = strings.ToValidUTF8(name, "")
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}

// shortName cuts a name to what fits a heading.
func shortName(name string) string {
	const most = 60
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}

// isText reports whether PostgreSQL could store a string: it is UTF-8 and holds no NUL.
func isText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

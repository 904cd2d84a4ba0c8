package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxMailName bounds a name in a mail, in characters.
const maxMailName = 60

// mailSafeName makes a name that one person chose safe to show in a mail to another: on one line,
// of at most maxMailName characters, and without text that mail programs turn into links. They
// detect links by dots, slashes, colons and at-signs between other characters, so a space follows
// each of these. Use it for every name of a person or organization in a mail.
func mailSafeName(name string) string {
	var b strings.Builder
	last := ' '
	for _, c := range norm.NFKC.String(strings.ToValidUTF8(name, "")) {
		switch {
		case unicode.IsSpace(c):
			c = ' '
		case unicode.In(c, unicode.C), unicode.In(c, unicode.Variation_Selector):
			// Control and invisible characters, such as bidi marks.
			continue
		}
		if c == ' ' && last == ' ' {
			continue
		}
		if c != ' ' && isLinkCharacter(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
		last = c
	}
	text := strings.TrimSpace(b.String())
	if utf8.RuneCountInString(text) > maxMailName {
		text = strings.TrimSpace(string([]rune(text)[:maxMailName-1])) + "…"
	}
	if text == "" {
		return "(no name)"
	}
	return text
}

// isLinkCharacter reports whether a character is a delimiter in URLs and addresses, or looks like
// one. IDNA treats the ideographic full stop as a dot (RFC 3490 section 3.1).
func isLinkCharacter(c rune) bool {
	switch c {
	case '.', '。', '/', '\\', ':', '@', '⁄', '∕', '․':
		return true
	}
	return false
}

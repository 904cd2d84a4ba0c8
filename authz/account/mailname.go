package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxMailName is how many characters of a name a mail shows.
const maxMailName = 60

// mailSafeName returns a name that somebody chose as a mail to somebody else may show it: on one line, of bounded length,
// and with nothing in it that a mail program makes a link of. Programs find links by dots, slashes, colons and
// at-signs between other characters, so a space goes after each of these. Name no person or organization in a mail
// without it.
func mailSafeName(name string) string {
	var b strings.Builder
	last := ' '
	for _, c := range norm.NFKC.String(strings.ToValidUTF8(name, "")) {
		switch {
		case unicode.IsSpace(c):
			c = ' '
		case unicode.In(c, unicode.C), unicode.In(c, unicode.Variation_Selector): // controls, and what is not seen, such as bidi marks
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

// isLinkCharacter reports a character that is part of addresses. IDNA takes the ideographic full stop for a dot (RFC 3490,
// section 3.1).
func isLinkCharacter(c rune) bool {
	switch c {
	case '.', '。', '/', '\\', ':', '@', '⁄', '∕', '․':
		return true
	}
	return false
}

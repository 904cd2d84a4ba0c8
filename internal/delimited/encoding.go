package delimited

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Encodings are the possible encodings of a text, by their WHATWG names. In all except UTF-16 a
// delimiter, a quote and a line break are one byte that is a part of no other character, so that rows
// are found in the bytes of the file.
var Encodings = []string{
	utf8Name, "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255",
	"windows-1256", "iso-8859-2", "iso-8859-15", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
	littleName, bigName,
}

const utf8Name, littleName, bigName = "utf-8", "utf-16le", "utf-16be"

// regional is the encoding that spreadsheets on Windows write, by language.
var regional = map[string]string{
	"cs": "windows-1250", "hr": "windows-1250", "hu": "windows-1250", "pl": "windows-1250", "ro": "windows-1250",
	"sk": "windows-1250", "sl": "windows-1250", "be": "windows-1251", "bg": "windows-1251", "mk": "windows-1251",
	"ru": "windows-1251", "sr": "windows-1251", "uk": "windows-1251", "el": "windows-1253", "tr": "windows-1254",
	"he": "windows-1255", "ar": "windows-1256", "fa": "windows-1256", "ja": "shift_jis", "ko": "euc-kr",
	"zh": "gb18030", "zh-TW": "big5", "zh-HK": "big5",
}

var marks = []struct {
	mark string
	name string
}{{"\xef\xbb\xbf", utf8Name}, {"\xff\xfe", littleName}, {"\xfe\xff", bigName}}

// encodingOf detects the encoding of a content: the byte order mark's, UTF-16 if every other byte is
// zero, UTF-8 if all of it is valid, and otherwise the usual one for the person's language, which is
// Windows-1252 for most.
func encodingOf(content []byte, locale string) string {
	for _, m := range marks {
		if bytes.HasPrefix(content, []byte(m.mark)) {
			return m.name
		}
	}
	sample := content[:min(len(content), 2000)]
	zeros := [2]int{}
	for i, b := range sample {
		if b == 0 {
			zeros[i%2]++
		}
	}
	language, _, _ := strings.Cut(locale, "-")
	usual := regional[locale]
	if usual == "" {
		usual = regional[language]
	}
	switch {
	case zeros[1] > len(sample)/5:
		return littleName
	case zeros[0] > len(sample)/5:
		return bigName
	case utf8.Valid(content):
		return utf8Name
	case usual != "" && decodes(content, usual):
		return usual
	}
	return "windows-1252"
}

func decodes(content []byte, name string) bool {
	e, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	out, err := e.NewDecoder().Bytes(content)
	return err == nil && !bytes.ContainsRune(out, utf8.RuneError)
}

// open prepares a content for reading in an encoding.
func (t *Text) open(content []byte) error {
	t.body = place{line: 1}
	for _, m := range marks {
		if m.name == t.Encoding && bytes.HasPrefix(content, []byte(m.mark)) {
			content = content[len(m.mark):]
			t.body.from = len(m.mark)
		}
	}
	t.content, t.units = content, func(part []byte) int { return len(part) }
	switch t.Encoding {
	case utf8Name:
		t.decode = func(cell []byte) string { return strings.ToValidUTF8(string(cell), "\ufffd") }
	case littleName, bigName:
		order := unicode.LittleEndian
		if t.Encoding == bigName {
			order = unicode.BigEndian
		}
		var err error
		if t.content, err = unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(content); err != nil {
			return fmt.Errorf("reading UTF-16: %w", err)
		}
		t.decode = func(cell []byte) string { return string(cell) }
		t.units = utf16Bytes
	default:
		if !slices.Contains(Encodings, t.Encoding) {
			return fmt.Errorf("%q is not an encoding", t.Encoding)
		}
		e, err := htmlindex.Get(t.Encoding)
		if err != nil {
			return fmt.Errorf("%q is not an encoding: %w", t.Encoding, err)
		}
		t.decode = func(cell []byte) string { return decodeWith(e, cell) }
	}
	return nil
}

func decodeWith(e encoding.Encoding, cell []byte) string {
	if !slices.ContainsFunc(cell, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return string(cell)
	}
	out, err := e.NewDecoder().Bytes(cell)
	if err != nil {
		return strings.ToValidUTF8(string(cell), "\ufffd")
	}
	return string(out)
}

// utf16Bytes is the length in UTF-16 of a text in UTF-8.
func utf16Bytes(part []byte) int {
	n := 0
	for _, r := range string(part) {
		n += 2
		if r > 0xffff {
			n += 2
		}
	}
	return n
}

package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The scanner walks JSON text that is known to be well-formed: valid checks it once, and then members and elements are cut
// out without decoding them. Values keep their bytes, so that a number is read as it was written.

// maxDepth is how deep JSON may be nested anywhere in a request.
const maxDepth = 64

var (
	errNotJSON  = errors.New("is not valid JSON")
	errNotUTF8  = errors.New("is not valid UTF-8")
	errTooDeep  = errors.New("is nested more than 64 levels deep")
	errNUL      = errors.New("must not contain the NUL character")
	errHalfPair = errors.New("contains half of a UTF-16 surrogate pair")
)

// valid reports why raw may not be walked, or nil.
func valid(raw []byte) error {
	if !utf8.Valid(raw) {
		return errNotUTF8
	}
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return errTooDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !json.Valid(raw) {
		return errNotJSON
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipSpace(raw []byte, i int) int {
	for i < len(raw) && isSpace(raw[i]) {
		i++
	}
	return i
}

// skipValue returns the index behind the value that begins at i.
func skipValue(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		for i++; raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		depth, inString := 0, false
		for ; ; i++ {
			switch c := raw[i]; {
			case inString && c == '\\':
				i++
			case c == '"':
				inString = !inString
			case inString:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	default:
		for i < len(raw) && raw[i] != ',' && raw[i] != '}' && raw[i] != ']' && !isSpace(raw[i]) {
			i++
		}
		return i
	}
}

// kind names what a value is: 'o'bject, 'a'rray, 's'tring, 'n'umber, 'b'oolean or '0' for null.
func kind(raw []byte) byte {
	if len(raw) == 0 {
		return '0'
	}
	switch raw[0] {
	case '{':
		return 'o'
	case '[':
		return 'a'
	case '"':
		return 's'
	case 't', 'f':
		return 'b'
	case 'n':
		return '0'
	}
	return 'n'
}

// kindName is kind in words, for messages.
func kindName(raw []byte) string {
	switch kind(raw) {
	case 'o':
		return "an object"
	case 'a':
		return "an array"
	case 's':
		return "a string"
	case 'n':
		return "a number"
	case 'b':
		return "a boolean"
	}
	return "null"
}

// members calls yield for each member of the object raw, with its key decoded, until yield returns false.
func members(raw []byte, yield func(key string, value []byte) bool) error {
	i := skipSpace(raw, skipSpace(raw, 0)+1)
	for raw[i] != '}' {
		end := skipValue(raw, i)
		key, err := unquote(raw[i:end])
		if err != nil {
			return err
		}
		i = skipSpace(raw, skipSpace(raw, end)+1) // behind the colon
		end = skipValue(raw, i)
		if !yield(key, raw[i:end]) {
			return nil
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return nil
}

// elements calls yield for each element of the array raw until yield returns false.
func elements(raw []byte, yield func(i int, value []byte) bool) {
	i := skipSpace(raw, skipSpace(raw, 0)+1)
	for n := 0; raw[i] != ']'; n++ {
		end := skipValue(raw, i)
		if !yield(n, raw[i:end]) {
			return
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
}

// trim cuts the space around a value.
func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// unquote decodes a JSON string. It refuses what PostgreSQL cannot store, NUL and half surrogate pairs, which the standard
// decoder lets through or replaces.
func unquote(raw []byte) (string, error) {
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body), nil
	}
	var out strings.Builder
	out.Grow(len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			out.WriteByte(body[i])
			continue
		}
		i++
		switch body[i] {
		case 'b':
			out.WriteByte('\b')
		case 'f':
			out.WriteByte('\f')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 't':
			out.WriteByte('\t')
		case 'u':
			r := hex4(body[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				if len(body) < i+7 || body[i+1] != '\\' || body[i+2] != 'u' {
					return "", errHalfPair
				}
				r = utf16.DecodeRune(r, hex4(body[i+3:]))
				if r == utf8.RuneError {
					return "", errHalfPair
				}
				i += 6
			}
			if r == 0 {
				return "", errNUL
			}
			out.WriteRune(r)
		default:
			out.WriteByte(body[i])
		}
	}
	return out.String(), nil
}

func hex4(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		r <<= 4
		switch {
		case c <= '9':
			r |= rune(c - '0')
		case c <= 'F':
			r |= rune(c-'A') + 10
		default:
			r |= rune(c-'a') + 10
		}
	}
	return r
}

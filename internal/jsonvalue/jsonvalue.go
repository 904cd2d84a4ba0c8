// Package jsonvalue reads JSON values in place: it finds the kind of a value, and yields the members of
// an object and the elements of an array as parts of the text, without decoding them. A number
// therefore keeps the digits that were written.
//
// Check reports whether a text is well-formed JSON, which every other function expects. The package
// knows nothing of tables and fields.
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth bounds the nesting of objects and arrays in a request. It is the only such limit.
const MaxDepth = 32

// The errors of Check and Unquote.
var (
	ErrSyntax    = errors.New("is not valid JSON")
	ErrUTF8      = errors.New("is not valid UTF-8")
	ErrDepth     = fmt.Errorf("is nested more than %d deep", MaxDepth)
	ErrNUL       = errors.New("must not contain the NUL character")
	ErrSurrogate = errors.New("contains half of a UTF-16 surrogate pair")
)

// The kinds of a value.
const (
	Object byte = 'o'
	Array  byte = 'a'
	String byte = 's'
	Number byte = 'n'
	Bool   byte = 'b'
	Null   byte = '0'
)

// Check reports why raw may not be read, or nil.
func Check(raw []byte) error {
	if !utf8.Valid(raw) {
		return ErrUTF8
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
			if depth++; depth > MaxDepth {
				return ErrDepth
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !json.Valid(raw) {
		return ErrSyntax
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

// SkipValue returns the index after the value that begins at i.
func SkipValue(raw []byte, i int) int {
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

// Kind returns the kind of a value. An empty text is null.
func Kind(raw []byte) byte {
	if len(raw) == 0 {
		return Null
	}
	switch raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Describe names the kind of a value in a message.
func Describe(raw []byte) string {
	switch Kind(raw) {
	case Object:
		return "an object"
	case Array:
		return "an array"
	case String:
		return "a string"
	case Number:
		return "a number"
	case Bool:
		return "a boolean"
	}
	return "null"
}

// Members calls yield for each member of the object raw, with its key decoded, until yield returns
// false.
func Members(raw []byte, yield func(key string, value []byte) bool) error {
	i := skipSpace(raw, skipSpace(raw, 0)+1)
	for raw[i] != '}' {
		end := SkipValue(raw, i)
		key, err := Unquote(raw[i:end])
		if err != nil {
			return err
		}
		i = skipSpace(raw, skipSpace(raw, end)+1) // after the colon
		end = SkipValue(raw, i)
		if !yield(key, raw[i:end]) {
			return nil
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return nil
}

// Elements calls yield for each element of the array raw until yield returns false.
func Elements(raw []byte, yield func(i int, value []byte) bool) {
	i := skipSpace(raw, skipSpace(raw, 0)+1)
	for n := 0; raw[i] != ']'; n++ {
		end := SkipValue(raw, i)
		if !yield(n, raw[i:end]) {
			return
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
}

// Trim cuts the space around a value.
func Trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// Unquote decodes a JSON string. It refuses what PostgreSQL cannot store, NUL and halves of
// surrogate pairs, which the standard decoder lets through or replaces.
func Unquote(raw []byte) (string, error) {
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
					return "", ErrSurrogate
				}
				r = utf16.DecodeRune(r, hex4(body[i+3:]))
				if r == utf8.RuneError {
					return "", ErrSurrogate
				}
				i += 6
			}
			if r == 0 {
				return "", ErrNUL
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

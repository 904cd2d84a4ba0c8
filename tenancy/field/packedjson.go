package field

import (
	"bytes"
	"strconv"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// PostgreSQL's jsonb writes every digit of a number: five bytes of 1e308 come back as 309. A JSON value
// with such numbers is therefore stored as text, in an object with one reserved key, so that it keeps
// its bytes and its size. Values that were stored as plain jsonb before are written with exponents when
// they are read.

// packedKey is the reserved key: a private use character, which no search finds by chance.
const packedKey = "\ue000"

// packedHead and packedTail surround the text as jsonb writes them.
var (
	packedHead = []byte(`{"` + packedKey + `": `)
	packedTail = []byte(`}`)
)

// packJSON returns the stored form of a valid JSON value.
func packJSON(raw []byte) string {
	expands := false
	jsonvalue.Numbers(raw, func(number []byte) {
		expands = expands || jsonvalue.JSONBNumberSize(number) != len(number) || len(number) > longNumber
	})
	if !expands && (jsonvalue.Kind(raw) != jsonvalue.Object || !namesPackedKey(raw)) {
		return string(raw)
	}
	out := append(make([]byte, 0, len(raw)+len(raw)/8+16), packedHead...)
	return string(append(AppendString(out, raw), packedTail...))
}

// longNumber is how many characters of a number jsonb accepts for sure.
const longNumber = 300

// namesPackedKey reports whether an object could be mistaken for a packed value.
func namesPackedKey(raw []byte) bool {
	return bytes.Contains(raw, []byte(packedKey)) || bytes.Contains(bytes.ToLower(raw), []byte(`\ue000`))
}

// appendJSON writes a stored JSON value; raw is its text as jsonb writes it.
func appendJSON(dst, raw []byte) []byte {
	if text, ok := bytes.CutPrefix(raw, packedHead); ok && text[0] == '"' {
		if end := jsonvalue.SkipValue(text, 0); string(text[end:]) == string(packedTail) {
			if value, err := jsonvalue.Unquote(text[:end]); err == nil {
				return append(dst, value...)
			}
		}
	}
	if !bytes.Contains(raw, manyZeros) {
		return append(dst, raw...)
	}
	done := 0
	jsonvalue.Numbers(raw, func(number []byte) {
		at := cap(raw) - cap(number) // number is a part of raw
		if short := shorter(number); len(short) < len(number) {
			dst = append(append(dst, raw[done:at]...), short...)
			done = at + len(number)
		}
	})
	return append(dst, raw[done:]...)
}

var manyZeros = bytes.Repeat([]byte("0"), 24)

// shorter writes a number with an exponent if it has many zeros at one end.
func shorter(number []byte) []byte {
	if !bytes.Contains(number, manyZeros) {
		return number
	}
	digits, sign := bytes.CutPrefix(number, []byte("-"))
	out := []byte{}
	if sign {
		out = append(out, '-')
	}
	whole, fraction, _ := bytes.Cut(digits, []byte("."))
	if len(fraction) == 0 {
		kept := bytes.TrimRight(whole, "0")
		if len(kept) == 0 || len(fraction) != 0 {
			return number
		}
		return strconv.AppendInt(append(append(out, kept...), 'e'), int64(len(whole)-len(kept)), 10)
	}
	kept := bytes.TrimLeft(fraction, "0")
	if string(whole) != "0" || len(kept) == 0 {
		return number
	}
	return strconv.AppendInt(append(append(out, kept...), "e-"...), int64(len(fraction)), 10)
}

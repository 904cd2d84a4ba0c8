package jsonb

import (
	"bytes"
	"strconv"
)

// JSONNumbers calls visit for each number in raw, which is valid JSON. What it is given is a part of raw.
func Numbers(raw []byte, visit func(number []byte)) {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			i++
		case c == '-' || c >= '0' && c <= '9':
			start := i
			for i < len(raw) && bytes.IndexByte([]byte("+-.eE0123456789"), raw[i]) >= 0 {
				i++
			}
			visit(raw[start:i])
		default:
			i++
		}
	}
}

// JSONBSize is how many bytes PostgreSQL's jsonb writes for raw, which is valid JSON, give or take white space: jsonb writes out every digit of
// a number, so that five bytes of 1e308 come back as 309.
func Size(raw []byte) int {
	size := len(raw)
	Numbers(raw, func(number []byte) { size += NumberSize(number) - len(number) })
	return size
}

// JSONBNumberSize is JSONBSize for one number. It differs from the number's own length whenever jsonb writes the number otherwise.
func NumberSize(number []byte) int {
	at := bytes.IndexAny(number, "eE")
	if at < 0 {
		if number[0] == '-' && len(bytes.Trim(number, "-0.")) == 0 {
			return len(number) - 1 // there is no negative zero
		}
		return len(number)
	}
	exponent, err := strconv.Atoi(string(bytes.TrimPrefix(number[at+1:], []byte("+"))))
	if err != nil {
		return 1 << 20
	}
	return at + 1 + max(exponent, -exponent)
}

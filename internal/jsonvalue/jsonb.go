package jsonvalue

import (
	"bytes"
	"strconv"
)

// Numbers calls visit for each number in raw, which is valid JSON. The argument is a part of raw.
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

// JSONBSize is the number of bytes that PostgreSQL's jsonb writes for raw, which is valid JSON, except
// for white space. jsonb writes every digit of a number, so five bytes of 1e308 become 309.
func JSONBSize(raw []byte) int {
	size := len(raw)
	Numbers(raw, func(number []byte) { size += JSONBNumberSize(number) - len(number) })
	return size
}

// JSONBNumberSize is JSONBSize for one number. It differs from the number's length if and only if jsonb
// writes the number differently.
func JSONBNumberSize(number []byte) int {
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

package mcp

import "unicode/utf8"

// The default and the maximum of the tokens of a result, as tokens estimates them. Clients accept
// the maximum.
const (
	defaultTokens = 10_000
	maxTokens     = 25_000
)

// tokens estimates how many tokens of a language model a text has. It never underestimates the
// tokenizers in use (a test compares it with o200k and cl100k), so it assumes text without known
// words, such as ids: five lowercase letters are three tokens, four uppercase letters are three,
// three digits are one, and every punctuation mark is one. Prose has about half as many.
func tokens[T ~string | ~[]byte](text T) int {
	const (
		other = iota
		lower
		upper
		digit
		space
	)
	count, class, run := 0, other, 0
	end := func() {
		switch class {
		case lower:
			count += (3*run + 4) / 5
		case upper:
			count += (3*run + 3) / 4
		case digit:
			count += (run + 2) / 3
		case space:
			count++
		}
		class, run = other, 0
	}
	begin := func(next int) {
		if class != next {
			if class == space && run == 1 && (next == lower || next == upper) {
				class = other // a single space is part of the following word
			}
			end()
			class = next
		}
		run++
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z':
			begin(lower)
		case c >= 'A' && c <= 'Z':
			begin(upper)
		case c >= '0' && c <= '9':
			begin(digit)
		case c == ' ':
			begin(space)
		case c < utf8.RuneSelf:
			end()
			count++
		default:
			end()
			size := runeSize(c)
			i += size
			switch c {
			case 0xd0, 0xd1: // Cyrillic
				count++
			default: // rare characters have as many tokens as bytes
				count += size
			}
			continue
		}
		i++
	}
	end()
	return count
}

// runeSize returns the length in bytes of a non-ASCII character that begins with c.
func runeSize(c byte) int {
	switch {
	case c >= 0xf0:
		return 4
	case c >= 0xe0:
		return 3
	}
	return 2
}

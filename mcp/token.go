package mcp

import "unicode/utf8"

// maxTokens is the most tokens of a result, which is what clients let through, by the estimate of tokens.
const maxTokens = 25_000

// tokens estimates how many tokens a text is for a language model. It must never be under what the tokenizers in use count
// (o200k and cl100k are measured in the test), so it takes every text for one without known words, such as ids: five small letters
// are three tokens, four capitals are three, three digits are one, and so is every mark. Prose has about half as many tokens.
func tokens[T ~string | ~[]byte](text T) int {
	const (
		other = iota
		small
		capital
		digit
		space
	)
	count, class, run := 0, other, 0
	end := func() {
		switch class {
		case small:
			count += (3*run + 4) / 5
		case capital:
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
			if class == space && run == 1 && (next == small || next == capital) {
				class = other // one space belongs to the word behind it
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
			begin(small)
		case c >= 'A' && c <= 'Z':
			begin(capital)
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
			default: // the rare ones are as many tokens as bytes
				count += size
			}
			continue
		}
		i++
	}
	end()
	return count
}

// runeSize is the length in bytes of a character that begins with c, which is not ASCII.
func runeSize(c byte) int {
	switch {
	case c >= 0xf0:
		return 4
	case c >= 0xe0:
		return 3
	}
	return 2
}

package field

import "strings"

// The form of a list of names in one text, as in cells of CSV, typecast and conversions: the names with
// commas between them, and in double quotes those that contain a comma, a quote or space at an end.

// JoinNames writes a list of names that SplitNames reads.
func JoinNames(names []string) string {
	var out strings.Builder
	for i, name := range names {
		if i > 0 {
			out.WriteString(", ")
		}
		if strings.ContainsAny(name, "\",\r\n") || name != strings.TrimSpace(name) || strings.HasPrefix(name, "[") {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		out.WriteString(name)
	}
	return out.String()
}

// AppendStrings writes a list of strings as JSON.
func AppendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// A namePart is a part of a list between two commas.
type namePart struct {
	name       string
	start, end int // in the text
	quoted     bool
}

// SplitNames reads a list of names. A known name with commas is taken whole, also without quotes, the
// longest one first. Empty names are left out, and a quote without an end is a letter.
func SplitNames(text string, known func(name string) bool) []string {
	if whole := strings.TrimSpace(text); known(whole) {
		return []string{whole}
	}
	var parts []namePart
	for at := 0; at <= len(text); {
		part, next := cutName(text, at)
		parts = append(parts, part)
		at = next
	}
	var names []string
	for i := 0; i < len(parts); i++ {
		if !parts[i].quoted {
			for last := len(parts) - 1; last > i; last-- {
				if joined := strings.TrimSpace(text[parts[i].start:parts[last].end]); known(joined) {
					parts[i].name, parts[last].name = "", joined
					i = last
					break
				}
			}
		}
		if parts[i].name != "" {
			names = append(names, parts[i].name)
		}
	}
	return names
}

// Parts lists what a text may name: itself, its parts, and up to maxJoined consecutive parts.
func Parts(text string) []string {
	const maxJoined = 4
	var parts []namePart
	for at := 0; at <= len(text); {
		part, next := cutName(text, at)
		parts = append(parts, part)
		at = next
	}
	out := []string{strings.TrimSpace(text)}
	for i := range parts {
		out = append(out, parts[i].name)
		for last := i + 1; last < min(len(parts), i+maxJoined); last++ {
			out = append(out, strings.TrimSpace(text[parts[i].start:parts[last].end]))
		}
	}
	return out
}

// cutName reads the name that begins at a position, and returns the position of the next one, or the
// end of the text.
func cutName(text string, at int) (part namePart, next int) {
	rest := text[at:]
	start := at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	if start < len(text) && text[start] == '"' {
		for end := start + 1; end < len(text); end++ {
			if text[end] != '"' {
				continue
			}
			if end+1 < len(text) && text[end+1] == '"' {
				end++
				continue
			}
			behind := strings.TrimLeft(text[end+1:], " \t\r\n")
			if behind != "" && behind[0] != ',' {
				break // a letter of the name
			}
			name := strings.ReplaceAll(text[start+1:end], `""`, `"`)
			return namePart{name, start, end + 1, true}, len(text) - len(behind) + 1
		}
	}
	end := strings.IndexByte(rest, ',')
	if end < 0 {
		end = len(rest)
	}
	return namePart{strings.TrimSpace(rest[:end]), at, at + end, false}, at + end + 1
}

package airtable

import (
	"fmt"
	"regexp"
	"strings"
)

// A Translation is a formula as it is written here.
type Translation struct {
	Formula string
	Notes   []string // what it means that the original does not
}

var (
	fieldRef = regexp.MustCompile(`^\{(fld[A-Za-z0-9]{14,})\}`)
	modified = regexp.MustCompile(`(?i)^LAST_MODIFIED_TIME\s*\(`)
)

// Translate writes a formula of Airtable, which names fields by their ids, with the ids here. It returns an error that
// says what is missing if a field has none. Names of functions are the same.
func Translate(formula string, idOf func(field string) (id string, err error)) (Translation, error) {
	var out Translation
	var b strings.Builder
	for rest := formula; rest != ""; {
		if verbatim := leadingComment(rest) + leadingText(rest); verbatim != "" {
			b.WriteString(verbatim)
			rest = rest[len(verbatim):]
			continue
		}
		if found := fieldRef.FindStringSubmatch(rest); found != nil {
			id, err := idOf(found[1])
			if err != nil {
				return out, err
			}
			b.WriteString("{" + id + "}")
			rest = rest[len(found[0]):]
			continue
		}
		if found := modified.FindString(rest); found != "" && !endsInWord(b.String()) {
			arguments := upToParenthesis(rest[len(found):])
			b.WriteString("LAST_MODIFIED_TIME(")
			if strings.TrimSpace(arguments) != "" {
				out.Notes = append(out.Notes,
					"LAST_MODIFIED_TIME takes no fields here and is of the whole record")
			}
			rest = rest[len(found)+len(arguments):]
			continue
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	out.Formula = b.String()
	return out, nil
}

// References lists the fields that a formula names, each once.
func References(formula string) []string {
	var found []string
	seen := map[string]bool{}
	_, err := Translate(formula, func(field string) (string, error) {
		if !seen[field] {
			seen[field] = true
			found = append(found, field)
		}
		return field, nil
	})
	if err != nil {
		panic(fmt.Sprintf("airtable: %v", err)) // only the function above fails
	}
	return found
}

// leadingComment is the comment with which a formula begins, or "".
func leadingComment(s string) string {
	for begin, end := range map[string]string{"//": "\n", "/*": "*/"} {
		if !strings.HasPrefix(s, begin) {
			continue
		}
		if at := strings.Index(s[2:], end); at >= 0 {
			return s[:2+at+len(end)]
		}
		return s
	}
	return ""
}

// leadingText is the text in quotes with which a formula begins, or "".
func leadingText(s string) string {
	quote := s[0]
	if quote != '"' && quote != '\'' {
		return ""
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return s[:i+1]
		}
	}
	return s
}

// upToParenthesis is what stands before the parenthesis that closes.
func upToParenthesis(s string) string {
	depth := 0
	for i := 0; i < len(s); {
		if verbatim := leadingComment(s[i:]) + leadingText(s[i:]); verbatim != "" {
			i += len(verbatim)
			continue
		}
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return s[:i]
			}
			depth--
		}
		i++
	}
	return s
}

// endsInWord reports whether a text ends in a part of a name.
func endsInWord(s string) bool {
	if s == "" {
		return false
	}
	c := s[len(s)-1]
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

package airtable

import (
	"regexp"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

var (
	fieldRef = regexp.MustCompile(`^\{(fld[A-Za-z0-9]{14,})\}`)
	modified = regexp.MustCompile(`(?i)^LAST_MODIFIED_TIME\s*\(`)
)

// read reads a formula of Airtable, which names fields by their ids. Names of functions are the same here.
func read(formula string) product.Formula {
	out := product.Formula{Source: formula}
	word := false // what is before ends in a part of a name
	write := func(text string) {
		out.Write(text)
		word = endsInWord(text)
	}
	for rest := formula; rest != ""; {
		if verbatim := leadingComment(rest) + leadingText(rest); verbatim != "" {
			write(verbatim)
			rest = rest[len(verbatim):]
			continue
		}
		if found := fieldRef.FindStringSubmatch(rest); found != nil {
			out.Name(found[1])
			word, rest = false, rest[len(found[0]):]
			continue
		}
		if found := modified.FindString(rest); found != "" && !word {
			arguments := upToParenthesis(rest[len(found):])
			write("LAST_MODIFIED_TIME(")
			if strings.TrimSpace(arguments) != "" {
				out.Notes = append(out.Notes,
					"LAST_MODIFIED_TIME takes no fields here and is of the whole record")
			}
			rest = rest[len(found)+len(arguments):]
			continue
		}
		write(rest[:1])
		rest = rest[1:]
	}
	return out
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

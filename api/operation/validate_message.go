package operation

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/problem"
)

// syntaxError describes a JSON syntax error.
func (v *validator) syntaxError(path string, err error) error {
	where := path
	if where == "" {
		where = "the input"
	}
	text := err.Error()
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return problem.Invalid(path, "contains the same name twice (%s)", strings.TrimPrefix(text, "jsontext: "))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return problem.Invalid(path, "The JSON ends unexpectedly, in %s.", where)
	case strings.Contains(text, "invalid UTF-8"):
		return problem.Invalid(path, "The JSON is not valid UTF-8, in %s.", where)
	}
	return problem.Invalid(path, "This is not valid JSON, in %s at byte %d: %s.",
		where, v.dec.InputOffset(), strings.TrimPrefix(text, "jsontext: "))
}

func kindName(kind jsontext.Kind) string {
	switch kind { //nolint:exhaustive // other kinds do not begin a value
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return ""
}

func describeKind(kind jsontext.Kind) string {
	switch kind { //nolint:exhaustive // kindName has refused the other kinds
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '0':
		return "a number"
	case '"':
		return "a string"
	case '{':
		return "an object"
	}
	return "an array"
}

func describeTypes(s *jsonschema.Schema, types []string) string {
	parts := make([]string, 0, len(types))
	for _, name := range types {
		switch name {
		case "integer":
			parts = append(parts, describeRange(s))
		case "number":
			parts = append(parts, "a number")
		case "boolean":
			parts = append(parts, "true or false")
		case "string":
			parts = append(parts, "a string")
		case "null":
			parts = append(parts, "null")
		case "object":
			parts = append(parts, "an object")
		case "array":
			parts = append(parts, "an array")
		}
	}
	return strings.Join(parts, " or ")
}

func describeRange(s *jsonschema.Schema) string {
	text := "a number"
	if s.Type == "integer" {
		text = "a whole number"
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return text + " from " + plainNumber(*s.Minimum) + " to " + plainNumber(*s.Maximum)
	case s.Minimum != nil:
		return text + " of at least " + plainNumber(*s.Minimum)
	case s.Maximum != nil:
		return text + " of at most " + plainNumber(*s.Maximum)
	}
	return text
}

// plainNumber writes a number without an exponent.
func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func truncate(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

package operation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/problem"
)

const (
	maxDepth = 32 // nesting levels of an input
	maxItems = 20 // problems reported in one error
)

// validate reads an input once, token by token, against the operation's schema, and returns the
// value of the target parameter. It reports every problem with its path and the valid values. It
// also refuses what JSON libraries accept: duplicate names, invalid UTF-8, NUL, numbers outside a
// double's range, and deep nesting.
func (o *Operation) validate(raw []byte) (target string, err error) {
	if value, ok := o.single.read(raw); ok {
		v := &validator{}
		v.validateString(o.Input.Properties[o.target], o.target, value)
		return value, v.err()
	}
	v := &validator{dec: jsontext.NewDecoder(bytes.NewBuffer(raw)), target: o.target} // the decoder does not copy a Buffer
	if err := v.validateValue(o.Input, "", true); err != nil {
		return "", err
	}
	if _, err := v.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return "", problem.Invalid("", "The JSON must be one object, with nothing after it.")
	}
	return v.targetValue, v.err()
}

type validator struct {
	dec         *jsontext.Decoder
	items       []problem.Item
	target      string // the top-level member to return
	targetValue string
}

func (v *validator) report(path, format string, args ...any) {
	if len(v.items) < maxItems {
		v.items = append(v.items, problem.Item{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

func (v *validator) err() error {
	if len(v.items) > 0 {
		return problem.InvalidItems(v.items)
	}
	return nil
}

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
	return problem.Invalid(path, "This is not valid JSON, in %s at byte %d: %s.", where, v.dec.InputOffset(), strings.TrimPrefix(text, "jsontext: "))
}

// validateValue validates one value. Only a syntax error ends the validation; any other problem is
// collected and the value is skipped.
func (v *validator) validateValue(s *jsonschema.Schema, path string, required bool) error {
	if v.dec.StackDepth() > maxDepth {
		return problem.Invalid(path, "is nested more than %d deep", maxDepth)
	}
	kind := v.dec.PeekKind()
	want := s.Types
	if s.Type != "" {
		want = []string{s.Type}
	}
	if len(s.AnyOf) > 0 || len(want) == 0 && s.Properties == nil {
		return v.skipValue(path)
	}
	got := kindName(kind)
	if got == "" {
		_, err := v.dec.ReadToken()
		return v.syntaxError(path, err)
	}
	matches := slices.Contains(want, got) || got == "number" && slices.Contains(want, "integer")
	switch {
	case !matches && got == "null" && !required:
		return v.skipValue(path)
	case !matches:
		v.report(path, "must be %s, not %s", describeTypes(s, want), describeKind(kind))
		return v.skipValue(path)
	}
	switch got {
	case "object":
		return v.validateObject(s, path)
	case "array":
		return v.validateArray(s, path)
	}
	token, err := v.dec.ReadToken()
	if err != nil {
		return v.syntaxError(path, err)
	}
	switch got {
	case "string":
		v.validateString(s, path, token.String())
	case "number":
		v.validateNumber(s, path, token.String(), slices.Contains(want, "number"))
	}
	return nil
}

func (v *validator) validateObject(s *jsonschema.Schema, path string) error {
	if _, err := v.dec.ReadToken(); err != nil {
		return v.syntaxError(path, err)
	}
	given := make([]string, 0, 8)
	for v.dec.PeekKind() != '}' {
		token, err := v.dec.ReadToken()
		if err != nil {
			return v.syntaxError(path, err)
		}
		name := token.String()
		if strings.ContainsRune(name, 0) {
			v.report(path, "contains a name with a NUL character")
		}
		property := s.Properties[name]
		switch {
		case property != nil:
			at := joinPath(path, name)
			given = append(given, name)
			if path == "" && name == v.target && v.dec.PeekKind() == '"' {
				token, err := v.dec.ReadToken()
				if err != nil {
					return v.syntaxError(at, err)
				}
				v.targetValue = token.String()
				v.validateString(property, at, v.targetValue)
				continue
			}
			if err := v.validateValue(property, at, slices.Contains(s.Required, name)); err != nil {
				return err
			}
		case s.AdditionalProperties == nil: // usually a record's cell
			if err := v.skip(func() string { return joinPath(path, name) }); err != nil {
				return err
			}
		case s.AdditionalProperties.Not == nil:
			if err := v.validateValue(s.AdditionalProperties, joinPath(path, name), true); err != nil {
				return err
			}
		default:
			at := joinPath(path, name)
			names := slices.Sorted(maps.Keys(s.Properties))
			v.report(at, "is unknown%s; the valid names are %s", problem.DidYouMean(name, names), problem.List(names))
			if err := v.skipValue(at); err != nil {
				return err
			}
		}
	}
	if _, err := v.dec.ReadToken(); err != nil {
		return v.syntaxError(path, err)
	}
	for _, name := range s.Required {
		if !slices.Contains(given, name) {
			v.report(joinPath(path, name), "is required")
		}
	}
	return nil
}

func (v *validator) validateArray(s *jsonschema.Schema, path string) error {
	if _, err := v.dec.ReadToken(); err != nil {
		return v.syntaxError(path, err)
	}
	n := 0
	for ; v.dec.PeekKind() != ']'; n++ {
		at := path + "[" + strconv.Itoa(n) + "]"
		if s.Items == nil {
			if err := v.skipValue(at); err != nil {
				return err
			}
			continue
		}
		if err := v.validateValue(s.Items, at, true); err != nil {
			return err
		}
	}
	if _, err := v.dec.ReadToken(); err != nil {
		return v.syntaxError(path, err)
	}
	switch {
	case s.MaxItems != nil && n > *s.MaxItems:
		v.report(path, "must have at most %d elements, not %d", *s.MaxItems, n)
	case s.MinItems != nil && n < *s.MinItems:
		v.report(path, "must have at least %d elements, not %d", *s.MinItems, n)
	}
	return nil
}

func (v *validator) validateString(s *jsonschema.Schema, path, text string) {
	switch length := utf8.RuneCountInString(text); {
	case strings.ContainsRune(text, 0):
		v.report(path, "must not contain a NUL character")
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(text)):
		names := make([]string, len(s.Enum))
		for i, name := range s.Enum {
			names[i] = fmt.Sprint(name)
		}
		v.report(path, "%q is not valid%s; the valid values are %s", truncate(text), problem.DidYouMean(text, names), problem.List(names))
	case s.MinLength != nil && length < *s.MinLength:
		v.report(path, "must not be empty")
	case s.MaxLength != nil && length > *s.MaxLength:
		v.report(path, "must be at most %d characters long, not %d", *s.MaxLength, length)
	}
}

func (v *validator) validateNumber(s *jsonschema.Schema, path, text string, fraction bool) {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsInf(f, 0) || exceedsStorage(f, text):
		v.report(path, "%s is beyond the range of numbers", truncate(text))
	case !fraction && (strings.ContainsAny(text, ".eE") || math.Abs(f) > 1<<53): // 1.0 and 1e5 do not count as integers
		v.report(path, "must be a whole number, not %s", truncate(text))
	case s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum:
		v.report(path, "must be %s, not %s", describeRange(s), truncate(text))
	}
}

// PostgreSQL stores about 16,000 digits after the decimal point.
const (
	maxNumberLength = 10_000 // characters
	minExponent     = -6_000
)

// exceedsStorage reports whether a number is so long, or so close to zero without being zero, that
// the database cannot store it.
func exceedsStorage(f float64, text string) bool {
	if len(text) > maxNumberLength {
		return true
	}
	at := strings.IndexAny(text, "eE")
	if f != 0 || at < 0 || !strings.ContainsAny(text[:at], "123456789") {
		return false
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err != nil || exponent < minExponent
}

// skipValue skips a value of any type, and still reports NUL characters, numbers out of range and
// deep nesting.
func (v *validator) skipValue(path string) error { return v.skip(func() string { return path }) }

// skip is skipValue with a path that is built only when a problem is reported.
func (v *validator) skip(path func() string) error {
	base := v.dec.StackDepth()
	for {
		token, err := v.dec.ReadToken()
		if err != nil {
			return v.syntaxError(path(), err)
		}
		switch token.Kind() { //nolint:exhaustive // the other kinds are always valid
		case '0':
			if f, err := token.Float(); err != nil || exceedsStorage(f, token.String()) {
				v.report(v.pointer(path()), "%s is beyond the range of numbers", truncate(token.String()))
			}
		case '"':
			if text := token.String(); strings.IndexByte(text, 0) >= 0 {
				v.report(v.pointer(path()), "must not contain a NUL character")
			}
		case '{', '[':
			if v.dec.StackDepth() > maxDepth {
				return problem.Invalid(path(), "is nested more than %d deep", maxDepth)
			}
		}
		if v.dec.StackDepth() <= base {
			return nil
		}
	}
}

// pointer returns the decoder's position as a path, or fallback at the top level.
func (v *validator) pointer(fallback string) string {
	path := ""
	for token := range v.dec.StackPointer().Tokens() {
		if _, err := strconv.Atoi(token); err == nil && path != "" {
			path += "[" + token + "]"
			continue
		}
		path = joinPath(path, token)
	}
	if path == "" {
		return fallback
	}
	return path
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func truncate(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
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
	noun := "a number"
	if s.Type == "integer" {
		noun = "a whole number"
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("%s from %v to %v", noun, *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf("%s of at least %v", noun, *s.Minimum)
	case s.Maximum != nil:
		return fmt.Sprintf("%s of at most %v", noun, *s.Maximum)
	}
	return noun
}

package operation

import (
	"bytes"
	"cmp"
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

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

const maxItems = 20 // problems reported in one error

// An input is the result of validation.
type input struct {
	target   string // the value of the operation's target parameter
	envelope []byte // the input, with each record's fields replaced by their index in objects
	objects  []jsonvalue.ParsedObject
}

// validate reads an input once, token by token, against the operation's schema. It reports every
// problem with its path and the valid values. It also refuses what JSON libraries accept: duplicate
// names, invalid UTF-8, NUL, numbers outside a double's range, and deep nesting. It keeps the
// fields of records that it reads, so that nothing parses them again.
func (o *Operation) validate(raw []byte) (*input, error) {
	schemas := o.schemas()
	if value, ok := schemas.single.read(raw); ok {
		v := &validator{}
		v.validateString(schemas.input.Properties[o.target], o.target, value)
		return &input{target: value, envelope: raw}, v.err()
	}
	// The decoder does not copy a Buffer.
	v := &validator{
		dec: jsontext.NewDecoder(bytes.NewBuffer(raw)), raw: raw, target: o.target, values: schemas.values,
		beyond: o.Beyond,
	}
	if err := v.validateValue(schemas.input, "", true); err != nil {
		return nil, err
	}
	if _, err := v.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, problem.Invalid("", "The JSON must be one object, with nothing after it.")
	}
	v.found.envelope = raw
	if v.copied > 0 {
		v.found.envelope = append(v.envelope, raw[v.copied:]...)
	}
	return &v.found, v.err()
}

type validator struct {
	dec    *jsontext.Decoder
	raw    []byte
	items  []problem.Item
	target string // the top-level member to return
	values map[*jsonschema.Schema]bool
	beyond string // as in Def
	found  input

	envelope []byte
	copied   int // how much of raw is in the envelope
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

// validateValue validates one value. Only a syntax error ends the validation; any other problem is
// collected and the value is skipped.
func (v *validator) validateValue(s *jsonschema.Schema, path string, required bool) error {
	if v.dec.StackDepth() > jsonvalue.MaxDepth {
		return problem.Invalid(path, "is nested more than %d deep", jsonvalue.MaxDepth)
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
	fits := slices.Contains(want, got) || got == "number" && slices.Contains(want, "integer")
	switch {
	case !fits && got == "null" && !required:
		return v.skipValue(path)
	case !fits:
		v.report(path, "must be %s, not %s", describeTypes(s, want), describeKind(kind))
		return v.skipValue(path)
	}
	switch {
	case got == "object" && v.values[s]:
		return v.readFields(path)
	case got == "object":
		return v.validateObject(s, path)
	case got == "array":
		return v.validateArray(s, path)
	}
	before := v.dec.InputOffset()
	token, err := v.dec.ReadToken()
	if err != nil {
		return v.syntaxError(path, err)
	}
	switch got {
	case "string":
		text := token.String()
		if meant := meantValue(s, text); meant != text {
			v.replace(before, meant)
			text = meant
		}
		v.validateString(s, path, text)
	case "number":
		v.validateNumber(s, path, token.String(), slices.Contains(want, "number"))
	}
	return nil
}

// meantValue returns the value of an enumeration that a text certainly means, or the text itself.
func meantValue(s *jsonschema.Schema, text string) string {
	if len(s.Enum) == 0 || slices.Contains(s.Enum, any(text)) {
		return text
	}
	return cmp.Or(naming.Meant(text, enumNames(s)), text)
}

func enumNames(s *jsonschema.Schema) []string {
	names := make([]string, len(s.Enum))
	for i, name := range s.Enum {
		names[i] = fmt.Sprint(name)
	}
	return names
}

// replace writes another text into the envelope in place of the string that was read last, which begins after before.
func (v *validator) replace(before int64, text string) {
	end := int(v.dec.InputOffset())
	start := int(before) + bytes.IndexByte(v.raw[before:end], '"')
	v.envelope = append(v.envelope, v.raw[v.copied:start]...)
	v.envelope = append(v.envelope, strconv.Quote(text)...) // a name of the API, which is plain
	v.copied = end
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
				v.found.target = token.String()
				v.validateString(property, at, v.found.target)
				continue
			}
			if err := v.validateValue(property, at, slices.Contains(s.Required, name)); err != nil {
				return err
			}
		case s.AdditionalProperties == nil:
			if err := v.skipMember(path, name); err != nil {
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

// readFields reads the fields of a record, whose values may be of any type, and keeps them.
func (v *validator) readFields(path string) error {
	start, err := v.beginObject(path)
	if err != nil {
		return err
	}
	var like []jsonvalue.Member // of the record before, whose fields are most likely the same
	if n := len(v.found.objects); n > 0 {
		like = v.found.objects[n-1].Members()
	}
	members := make([]jsonvalue.Member, 0, max(len(like), 8))
	for v.dec.PeekKind() != '}' {
		before := v.dec.InputOffset()
		token, err := v.dec.ReadToken()
		if err != nil {
			return v.syntaxError(path, err)
		}
		name := ""
		if text := v.raw[before:v.dec.InputOffset()]; len(members) < len(like) &&
			isQuoted(text, like[len(members)].Name) {
			name = like[len(members)].Name
		} else {
			name = token.String()
		}
		if strings.IndexByte(name, 0) >= 0 {
			v.report(path, "contains a name with a NUL character")
		}
		behind := v.dec.InputOffset()
		if err := v.skipMember(path, name); err != nil {
			return err
		}
		value := bytes.TrimLeft(v.raw[behind:v.dec.InputOffset()], ": \t\r\n")
		members = append(members, jsonvalue.Member{Name: name, Value: value})
	}
	if _, err := v.dec.ReadToken(); err != nil {
		return v.syntaxError(path, err)
	}
	end := int(v.dec.InputOffset())
	v.envelope = strconv.AppendInt(append(v.envelope, v.raw[v.copied:start]...), int64(len(v.found.objects)), 10)
	v.copied = end
	v.found.objects = append(v.found.objects, jsonvalue.NewParsedObject(members, end-start))
	return nil
}

// isQuoted reports whether text ends with s in quotes and without escapes.
func isQuoted(text []byte, s string) bool {
	at := bytes.IndexByte(text, '"')
	return len(text) == at+len(s)+2 && string(text[at+1:len(text)-1]) == s && strings.IndexByte(s, '\\') < 0
}

// beginObject reads the first token of an object and returns its offset.
func (v *validator) beginObject(path string) (int, error) {
	if _, err := v.dec.ReadToken(); err != nil {
		return 0, v.syntaxError(path, err)
	}
	return int(v.dec.InputOffset()) - 1, nil
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
		more := ""
		if v.beyond != "" && (path == "records" || path == "ids") {
			more = "; " + v.beyond
		}
		v.report(path, "must have at most %d elements, not %d%s", *s.MaxItems, n, more)
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
		names := enumNames(s)
		v.report(path, "%q is not valid%s; the valid values are %s",
			truncate(text), problem.DidYouMean(text, names), problem.List(names))
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
		more := ""
		if v.beyond != "" && path == "limit" {
			more = "; " + v.beyond
		}
		v.report(path, "must be %s, not %s%s", describeRange(s), truncate(text), more)
	}
}

// PostgreSQL stores about 16,000 digits after the decimal point.
const (
	longestNumber    = 10_000 // characters
	smallestExponent = -6_000
)

// exceedsStorage reports whether a number is so long, or so close to zero without being zero, that
// the database cannot store it.
func exceedsStorage(f float64, text string) bool {
	if len(text) > longestNumber {
		return true
	}
	at := strings.IndexAny(text, "eE")
	if f != 0 || at < 0 || !strings.ContainsAny(text[:at], "123456789") {
		return false
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err != nil || exponent < smallestExponent
}

// skipValue skips a value of any type, and still reports NUL characters, numbers out of range and
// deep nesting.
func (v *validator) skipValue(path string) error { return v.skipMember(path, "") }

// skipMember is skipValue for a named member of path. It joins the two only to report a problem.
func (v *validator) skipMember(path, name string) error {
	base := v.dec.StackDepth()
	for {
		before := v.dec.InputOffset()
		token, err := v.dec.ReadToken()
		if err != nil {
			return v.syntaxError(joinPath(path, name), err)
		}
		switch text := v.raw[before:v.dec.InputOffset()]; token.Kind() { //nolint:exhaustive // other kinds are valid
		case '0':
			if isPlainNumber(text) {
				break
			}
			if f, err := token.Float(); err != nil || exceedsStorage(f, token.String()) {
				v.report(v.pointer(joinPath(path, name)), "%s is beyond the range of numbers", truncate(token.String()))
			}
		case '"':
			if bytes.Contains(text, escapedNUL) && strings.IndexByte(token.String(), 0) >= 0 {
				v.report(v.pointer(joinPath(path, name)), "must not contain a NUL character")
			}
		case '{', '[':
			if v.dec.StackDepth() > jsonvalue.MaxDepth {
				return problem.Invalid(joinPath(path, name), "is nested more than %d deep", jsonvalue.MaxDepth)
			}
		}
		if v.dec.StackDepth() <= base {
			return nil
		}
	}
}

// escapedNUL is the only way to write a NUL character in JSON. After another backslash it is plain
// text.
var escapedNUL = []byte(`\u0000`)

// isPlainNumber reports whether a number is certainly in range: it has no exponent and few digits.
func isPlainNumber(text []byte) bool { return len(text) < 300 && !bytes.ContainsAny(text, "eE") }

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
	switch {
	case path == "":
		return name
	case name == "":
		return path
	}
	return path + "." + name
}

package mcp

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// arguments are the arguments of a call in the order in which the client sent them. Only deviations
// in how clients write them are corrected here; the operation validates them.
type arguments struct {
	members []argument
}

type argument struct {
	name  string
	value jsontext.Value
}

// A coercer reads arguments in the form that a tool's schema expects.
type coercer struct {
	inside map[string][]string // as in operation.Agent
}

// readArguments parses the arguments of a call. What a client wrote in another form than the schema has, and can mean
// one thing alone, is read as that (coerce). An empty string counts as no argument unless the argument is required. A
// tool without parameters ignores its arguments, because some clients send filler.
func readArguments(t *tool, raw []byte) (*arguments, error) {
	s := t.input
	var r coercer
	if t.operation != nil {
		r.inside = t.operation.Agent.Inside
	}
	value := jsontext.Value(raw)
	if value.Kind() == '"' {
		value = parseJSONText(value)
	}
	if len(raw) == 0 || value.Kind() == 'n' || len(s.Properties) == 0 {
		return &arguments{}, nil
	}
	if value.Kind() != '{' {
		return nil, problem.Invalid("", "The arguments must be one JSON object.")
	}
	a, err := r.members(s, value, true)
	if err != nil {
		return nil, problem.Invalid("", "The arguments are not a JSON object: %s", err.Error())
	}
	a.members = slices.DeleteFunc(a.members, func(m argument) bool {
		return string(m.value) == `""` && !slices.Contains(s.Required, m.name)
	})
	return a, nil
}

// members reads the members of an object. One whose name the schema does not have, and which certainly means one that
// it has, gets that name; and one that belongs inside another is moved there.
func (r *coercer) members(s *jsonschema.Schema, object jsontext.Value, top bool) (*arguments, error) {
	a := &arguments{}
	if err := eachMember(object, func(name string, member jsontext.Value) {
		a.members = append(a.members, argument{name, member})
	}); err != nil {
		return nil, err
	}
	for i := range a.members {
		if m := &a.members[i]; s.Properties[m.name] == nil && !isOwnArgument(m.name) && !r.isInside(s, m.name, top) {
			if meant := meantArgument(s, m.name, top); meant != "" && !a.has(meant) {
				m.name = meant
			}
		}
	}
	for outer, names := range r.inside {
		if s.Properties[outer] != nil && (!top || names != nil) {
			a.moveInside(s, outer, names)
		}
	}
	for i := range a.members {
		a.members[i].value = r.coerce(s.Properties[a.members[i].name], a.members[i].value)
	}
	return a, nil
}

// isInside reports whether an unknown member is one of another member.
func (r *coercer) isInside(s *jsonschema.Schema, name string, top bool) bool {
	for outer, names := range r.inside {
		if s.Properties[outer] != nil && (names == nil && !top || slices.Contains(names, name)) {
			return true
		}
	}
	return false
}

// isOwnArgument reports whether tools have an argument in addition to the input of their operation.
func isOwnArgument(name string) bool {
	switch name {
	case confirmName, idempotencyKeyName, changeSetName, maxTokensName:
		return true
	}
	return false
}

// meantArgument returns the property that an unknown name certainly means, or "". id is the only id that is required.
func meantArgument(s *jsonschema.Schema, name string, top bool) string {
	if meant := naming.MeantKey(name, slices.Sorted(maps.Keys(s.Properties))); meant != "" || !top || name != "id" {
		return meant
	}
	found := ""
	for _, required := range s.Required {
		if strings.HasSuffix(required, "Id") {
			if found != "" {
				return ""
			}
			found = required
		}
	}
	return found
}

// moveInside moves members that the schema does not have into the object outer, if their names are among those given,
// of which nil is any, and outer has no member of that name.
func (a *arguments) moveInside(s *jsonschema.Schema, outer string, names []string) {
	inner := &arguments{}
	if value := a.value(outer); len(value) > 0 {
		var err error
		if inner, err = parseArguments(value); err != nil {
			return
		}
	}
	before := len(inner.members)
	a.members = slices.DeleteFunc(a.members, func(m argument) bool {
		if s.Properties[m.name] != nil || isOwnArgument(m.name) || inner.has(m.name) ||
			names != nil && naming.MeantKey(m.name, names) == "" {
			return false
		}
		inner.members = append(inner.members, m)
		return true
	})
	switch {
	case len(inner.members) == before:
	case a.has(outer):
		a.set(outer, inner.encode())
	default:
		a.members = append(a.members, argument{outer, inner.encode()})
	}
}

// coerce returns a value in the form that the schema expects, at any depth: an object, array, number or boolean in
// place of its text; a text in place of a number or boolean; a list of one in place of its element; and 1 in place of
// 1.0. What could mean several things stays as it is.
func (r *coercer) coerce(s *jsonschema.Schema, value jsontext.Value) jsontext.Value {
	if s == nil || allowsAnyType(s) && value.Kind() != '"' {
		return value
	}
	value = coerceScalar(s, value)
	if allowsType(s, "array") && s.Items != nil {
		if element := r.coerceElement(s.Items, value); element != nil {
			return slices.Concat([]byte{'['}, element, []byte{']'})
		}
	}
	if value.Kind() == '"' {
		if allowsType(s, "string") && !allowsAnyType(s) {
			return value
		}
		inner := parseJSONText(value)
		kind := inner.Kind()
		if kind != '{' && kind != '[' ||
			!allowsAnyType(s) && !allowsType(s, map[jsontext.Kind]string{'{': "object", '[': "array"}[kind]) {
			return value
		}
		value = inner
	}
	switch {
	case value.Kind() == '[' && s.Items != nil && (allowsType(s.Items, "object") || allowsType(s.Items, "array")):
		var out jsontext.Value
		var elements []jsontext.Value
		if json.Unmarshal(value, &elements) != nil {
			return value
		}
		out = append(out, '[')
		for i, element := range elements {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, r.coerce(s.Items, element)...)
		}
		return append(out, ']')
	case value.Kind() == '{' && len(s.Properties) > 0:
		if a, err := r.members(s, value, false); err == nil {
			return a.encode()
		}
	}
	return value
}

// coerceScalar is coerce for a text, a number and a boolean.
func coerceScalar(s *jsonschema.Schema, value jsontext.Value) jsontext.Value {
	kind := value.Kind()
	switch {
	case kind == '"' && !allowsType(s, "string"):
		var text string
		if json.Unmarshal(value, &text) != nil {
			return value
		}
		inner := jsontext.Value(strings.TrimSpace(text))
		switch inner.Kind() { //nolint:exhaustive // others are no scalars
		case '0':
			if inner.IsValid() && allowsNumber(s) {
				return wholeNumber(s, inner)
			}
		case 't', 'f':
			if inner.IsValid() && allowsType(s, "boolean") {
				return inner
			}
		}
	case kind == '0' && allowsNumber(s):
		return wholeNumber(s, value)
	case (kind == '0' || kind == 't' || kind == 'f') && allowsType(s, "string") && len(s.Enum) == 0 &&
		!allowsType(s, "boolean") && !allowsNumber(s):
		return quote(string(value))
	}
	return value
}

// coerceElement returns the element that stands in place of a list of it, or nil if the value is another.
func (r *coercer) coerceElement(items *jsonschema.Schema, value jsontext.Value) jsontext.Value {
	switch value.Kind() {
	case '"':
		if kind := parseJSONText(value).Kind(); kind == '[' || !allowsType(items, "string") && kind != '{' {
			return nil
		}
	case '{':
		if !allowsType(items, "object") {
			return nil
		}
	case '0', 't', 'f':
	default:
		return nil
	}
	return r.coerce(items, value)
}

func allowsNumber(s *jsonschema.Schema) bool {
	return allowsType(s, "number") || allowsType(s, "integer")
}

// wholeNumber writes a number without zeros behind its point, where the schema has a whole number.
func wholeNumber(s *jsonschema.Schema, value jsontext.Value) jsontext.Value {
	if whole, zeros, found := strings.Cut(string(value), "."); found && allowsType(s, "integer") &&
		strings.Trim(zeros, "0") == "" {
		return jsontext.Value(whole)
	}
	return value
}

func allowsType(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}

func allowsAnyType(s *jsonschema.Schema) bool {
	return s.Type == "" && len(s.Types) == 0 && s.Properties == nil && len(s.AnyOf) == 0 && len(s.OneOf) == 0
}

// parseJSONText returns the object or array that a JSON string contains, or the string itself if it
// contains neither.
func parseJSONText(value jsontext.Value) jsontext.Value {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return value
	}
	inner := jsontext.Value(strings.TrimSpace(text))
	if kind := inner.Kind(); kind != '{' && kind != '[' || !inner.IsValid() {
		return value
	}
	return inner
}

func eachMember(object jsontext.Value, visit func(name string, value jsontext.Value)) error {
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		visit(name, value.Clone())
	}
	return nil
}

// stringValue returns the argument if it is a string.
func (a *arguments) stringValue(name string) (string, bool) {
	for i := range a.members {
		if a.members[i].name == name && a.members[i].value.Kind() == '"' {
			var text string
			err := json.Unmarshal(a.members[i].value, &text)
			return text, err == nil
		}
	}
	return "", false
}

// value returns the argument, or nil if it is absent.
func (a *arguments) value(name string) jsontext.Value {
	for i := range a.members {
		if a.members[i].name == name {
			return a.members[i].value
		}
	}
	return nil
}

func (a *arguments) set(name string, value jsontext.Value) {
	for i := range a.members {
		if a.members[i].name == name {
			a.members[i].value = value
			return
		}
	}
}

func (a *arguments) has(name string) bool {
	return slices.ContainsFunc(a.members, func(m argument) bool { return m.name == name })
}

// remove removes the argument and reports whether it was present.
func (a *arguments) remove(name string) bool {
	before := len(a.members)
	a.members = slices.DeleteFunc(a.members, func(m argument) bool { return m.name == name })
	return len(a.members) < before
}

// intValue returns the argument if it is an integer, else 0.
func (a *arguments) intValue(name string) int {
	for _, m := range a.members {
		if m.name == name {
			n, _ := strconv.Atoi(string(m.value)) // 0 on failure
			return n
		}
	}
	return 0
}

// addNote adds a note to a result.
func (a *arguments) addNote(format string, args ...any) {
	a.members = append(a.members, argument{noteName, quote(fmt.Sprintf(format, args...))})
}

// takeTrue removes an argument and reports whether it was true. It does not accept a text, because
// the argument stands for a person's approval.
func (a *arguments) takeTrue(name string) bool {
	i := slices.IndexFunc(a.members, func(m argument) bool { return m.name == name })
	if i < 0 {
		return false
	}
	value := a.members[i].value
	a.members = slices.Delete(a.members, i, i+1)
	return string(value) == "true"
}

// parseArguments parses an object.
func parseArguments(object []byte) (*arguments, error) {
	a := &arguments{}
	if jsontext.Value(object).Kind() != '{' {
		return nil, problem.Invalid("", "must be an object")
	}
	return a, eachMember(object, func(name string, value jsontext.Value) {
		a.members = append(a.members, argument{name, value})
	})
}

// list encodes only the values.
func (a *arguments) list() jsontext.Value {
	out := jsontext.Value{'['}
	for i, m := range a.members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.value...)
	}
	return append(out, ']')
}

// encode returns the arguments as a JSON object.
func (a *arguments) encode() []byte {
	out := []byte{'{'}
	for i, m := range a.members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quote(m.name)...)
		out = append(out, ':')
		out = append(out, m.value...)
	}
	return append(out, '}')
}

func quote(text string) jsontext.Value {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return jsontext.Value(`""`) // invalid UTF-8, which was rejected when the message was parsed
	}
	return quoted
}

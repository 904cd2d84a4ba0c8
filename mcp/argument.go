package mcp

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/problem"
)

// arguments are those of a call, in the order in which the client gave them. What is wrong with them is said by the operation;
// here only what clients write differently from what they mean is put right.
type arguments struct {
	members []argument
}

type argument struct {
	name  string
	value jsontext.Value
}

// readArguments reads the arguments of a call. Objects and arrays that a client wrote as text are taken as what they say; a tool
// without parameters ignores what it is given, because some clients send filler.
func readArguments(s *jsonschema.Schema, raw []byte) (*arguments, error) {
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
	a := &arguments{}
	err := eachMember(value, func(name string, member jsontext.Value) {
		a.members = append(a.members, argument{name, coerce(s.Properties[name], member)})
	})
	if err != nil {
		return nil, problem.Invalid("", "The arguments are not a JSON object: %s", err.Error())
	}
	return a, nil
}

// coerce returns what a value written for a schema coerce: an object or array instead of its text, at any depth.
func coerce(s *jsonschema.Schema, value jsontext.Value) jsontext.Value {
	if s == nil {
		return value
	}
	if value.Kind() == '"' {
		if allowsType(s, "string") && !allowsAnyType(s) {
			return value
		}
		inner := parseJSONText(value)
		kind := inner.Kind()
		if kind != '{' && kind != '[' || !allowsAnyType(s) && !allowsType(s, map[jsontext.Kind]string{'{': "object", '[': "array"}[kind]) {
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
			out = append(out, coerce(s.Items, element)...)
		}
		return append(out, ']')
	case value.Kind() == '{' && hasNestedValues(s):
		a := &arguments{}
		if eachMember(value, func(name string, member jsontext.Value) {
			a.members = append(a.members, argument{name, coerce(s.Properties[name], member)})
		}) != nil {
			return value
		}
		return a.encode()
	}
	return value
}

func allowsType(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}

func allowsAnyType(s *jsonschema.Schema) bool {
	return s.Type == "" && len(s.Types) == 0 && s.Properties == nil && len(s.AnyOf) == 0 && len(s.OneOf) == 0
}

// nests reports whether a property of an object may itself be an object or array.
func hasNestedValues(s *jsonschema.Schema) bool {
	for _, property := range s.Properties {
		if allowsType(property, "object") || allowsType(property, "array") || allowsAnyType(property) {
			return true
		}
	}
	return false
}

// unquoted returns the JSON that a JSON string holds, or the string itself when it holds none.
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

// text returns the argument when it is a string.
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

// value returns the argument, or nil.
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

// drop removes the argument, and reports whether it was there.
func (a *arguments) remove(name string) bool {
	before := len(a.members)
	a.members = slices.DeleteFunc(a.members, func(m argument) bool { return m.name == name })
	return len(a.members) < before
}

// number returns the argument when it is a whole number, else 0.
func (a *arguments) intValue(name string) int {
	for _, m := range a.members {
		if m.name == name {
			n, _ := strconv.Atoi(string(m.value)) // 0 when it is none
			return n
		}
	}
	return 0
}

// note adds a sentence to a result.
func (a *arguments) addNote(format string, args ...any) {
	a.members = append(a.members, argument{noteName, quote(fmt.Sprintf(format, args...))})
}

// takeTrue removes an argument and reports whether it was true, however the client wrote that.
func (a *arguments) takeBool(name string) bool {
	i := slices.IndexFunc(a.members, func(m argument) bool { return m.name == name })
	if i < 0 {
		return false
	}
	value := a.members[i].value
	a.members = slices.Delete(a.members, i, i+1)
	return string(value) == "true" || string(value) == `"true"`
}

// encode writes the arguments as one JSON object.
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
		return jsontext.Value(`""`) // invalid UTF-8, which was refused when the message was read
	}
	return quoted
}

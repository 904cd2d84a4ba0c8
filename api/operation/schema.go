package operation

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// A Described type provides its own schema, because it decodes itself or is recursive and inference
// fails.
type Described interface{ JSONSchema() *jsonschema.Schema }

// inputSchema returns the schema of an input, with names of its parts. The input itself has no
// name, because it is divided into the path, the query and the body of a request.
func inputSchema[T any](name string) *jsonschema.Schema {
	s := inferSchema[T](name)
	normalizeSchema(s, reflect.TypeFor[T](), true)
	nameParts(s, reflect.TypeFor[T]())
	s.Extra = nil
	return s
}

// outputSchema returns the schema of an output, with names of its parts.
func outputSchema[T any](name string) *jsonschema.Schema {
	s := inferSchema[T](name)
	normalizeSchema(s, reflect.TypeFor[T](), false)
	nameParts(s, reflect.TypeFor[T]())
	return s
}

func inferSchema[T any](name string) *jsonschema.Schema {
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[stdjson.RawMessage](): {},
		reflect.TypeFor[jsontext.Value]():     {},
		reflect.TypeFor[[]byte]():             {Type: "string", ContentEncoding: "base64"},
	}
	collectSchemas(reflect.TypeFor[T](), types, map[reflect.Type]bool{})
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(fmt.Sprintf("operation %s: inferring a schema: %v", name, err))
	}
	return s
}

// collectSchemas collects the schemas of the Described types that t contains.
func collectSchemas(t reflect.Type, into map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if _, done := into[t]; done {
		return
	}
	if t.Implements(reflect.TypeFor[Described]()) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		described, _ := reflect.Zero(t).Interface().(Described)
		into[t] = part(nameOf(t), described.JSONSchema())
		return
	}
	switch t.Kind() { //nolint:exhaustive // the other kinds contain no types
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		collectSchemas(t.Elem(), into, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			collectSchemas(t.Field(i).Type, into, seen)
		}
	}
}

// normalizeSchema removes null from types that are nullable only because Go slices, maps and
// pointers can be nil, and applies the bounds in struct tags. In an output, a pointer without
// omitzero may be null.
func normalizeSchema(s *jsonschema.Schema, t reflect.Type, input bool) {
	if s == nil {
		return
	}
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	described := t.Implements(reflect.TypeFor[Described]())
	inferred := pointer || !described // null, if the types include it
	if inferred && (input || !pointer) {
		withoutNull(s)
	}
	if described {
		return
	}
	switch t.Kind() { //nolint:exhaustive // the other kinds contain no types
	case reflect.Slice, reflect.Array:
		normalizeSchema(s.Items, t.Elem(), input)
	case reflect.Map:
		normalizeSchema(s.AdditionalProperties, t.Elem(), input)
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			property := s.Properties[name]
			if property == nil {
				continue
			}
			normalizeSchema(property, field.Type, input)
			if strings.Contains(options, "omit") {
				withoutNull(property) // it is left out instead
			}
			applyBounds(property, field.Tag)
		}
	}
}

// withoutNull removes null from the two types that a nullable value has.
func withoutNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

// valuesIn finds the parts of the schema of an input's type that are Values.
func valuesIn(s *jsonschema.Schema, t reflect.Type) map[*jsonschema.Schema]bool {
	found := map[*jsonschema.Schema]bool{}
	var walk func(s *jsonschema.Schema, t reflect.Type)
	walk = func(s *jsonschema.Schema, t reflect.Type) {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch {
		case s == nil:
		case t == reflect.TypeFor[Values]():
			found[s] = true
		case t.Kind() == reflect.Slice:
			walk(s.Items, t.Elem())
		case t.Kind() == reflect.Struct:
			for _, field := range reflect.VisibleFields(t) {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				walk(s.Properties[name], field.Type)
			}
		}
	}
	walk(s, t)
	return found
}

func applyBounds(s *jsonschema.Schema, tag reflect.StructTag) {
	intTag := func(name string) *int {
		text, ok := tag.Lookup(name)
		if !ok {
			return nil
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			panic("operation: the tag " + name + " must be an integer, not " + text)
		}
		return &n
	}
	floatTag := func(name string) *float64 {
		if n := intTag(name); n != nil {
			f := float64(*n)
			return &f
		}
		return nil
	}
	s.Minimum, s.Maximum = floatTag("min"), floatTag("max")
	s.MinLength, s.MaxLength = intTag("minLength"), intTag("maxLength")
	s.MinItems, s.MaxItems = intTag("minItems"), intTag("maxItems")
	if names, ok := tag.Lookup("enum"); ok {
		enum := s
		if s.Items != nil {
			enum = s.Items
		}
		for name := range strings.SplitSeq(names, ",") {
			enum.Enum = append(enum.Enum, name)
		}
	}
	if value, ok := tag.Lookup("default"); ok {
		s.Default = stdjson.RawMessage(value)
	}
}

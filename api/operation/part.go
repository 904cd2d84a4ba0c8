package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

// The OpenAPI document names the parts of schemas, so that generated clients have one type for a
// record, wherever it occurs. A part is named like its Go type. A schema keeps the names of its
// parts in keywords of its own, until plain removes them: tools have schemas without references.
const (
	partName  = "x-part"       // the name of the schema
	partText  = "x-part-text"  // its description, wherever it is used
	partForms = "x-part-forms" // the alternative schemas, of which a value has one
)

// partNames are the names of parts that differ from their Go types.
var partNames = map[reflect.Type]string{
	reflect.TypeFor[FieldConfig]():       "FieldConfigIn",
	reflect.TypeFor[Functions]():         "Aggregates",
	reflect.TypeFor[Identity]():          "Me",
	reflect.TypeFor[field.Catalogue]():   "FieldTypeCatalogue",
	reflect.TypeFor[field.Config]():      "FieldConfig",
	reflect.TypeFor[field.Description](): "FieldTypeDescription",
	reflect.TypeFor[field.Option]():      "SelectOption",
	reflect.TypeFor[formula.Problem]():   "FormulaProblem",
	reflect.TypeFor[plan.Sample]():       "PlanSample",
	reflect.TypeFor[problem.Document]():  "Problem",
	reflect.TypeFor[problem.Item]():      "ProblemItem",
	reflect.TypeFor[record.Preview]():    "ImportPreview",
	reflect.TypeFor[record.Refusal]():    "ImportRefusal",
	reflect.TypeFor[revert.Author]():     "RevertAuthor",
	reflect.TypeFor[revert.Conflict]():   "RevertConflict",
	reflect.TypeFor[revert.LeftOut]():    "RevertLeftOut",
	reflect.TypeFor[revert.Object]():     "RevertObject",
	reflect.TypeFor[revert.Plan]():       "RevertPlan",
	reflect.TypeFor[revert.TablePlan]():  "RevertTable",
}

// nameOf returns the name of a type as a part, or "".
func nameOf(t reflect.Type) string {
	if name, ok := partNames[t]; ok {
		return name
	}
	if t.Name() == "" || t == reflect.TypeFor[time.Time]() {
		return ""
	}
	name := []rune(t.Name())
	name[0] = unicode.ToUpper(name[0])
	return string(name)
}

// part names a schema.
func part(name string, s *jsonschema.Schema) *jsonschema.Schema {
	if name != "" && s.Extra[partForms] == nil {
		s.Extra = map[string]any{partName: name, partText: s.Description}
	}
	return s
}

// nameParts names the parts of a schema that was inferred from a type. A Described type has named
// its own.
func nameParts(s *jsonschema.Schema, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s == nil || t.Implements(reflect.TypeFor[Described]()) {
		return
	}
	switch t.Kind() { //nolint:exhaustive // the other kinds contain no types
	case reflect.Slice, reflect.Array:
		nameParts(s.Items, t.Elem())
	case reflect.Map:
		nameParts(s.AdditionalProperties, t.Elem())
	case reflect.Struct:
		if s.Properties == nil {
			return
		}
		for _, field := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			nameParts(s.Properties[name], field.Type)
		}
		if name := nameOf(t); name != "" {
			s.Extra = map[string]any{partName: name, partText: ""} // each use has its own description
		}
	}
}

// IsAny reports whether a schema accepts every value.
func IsAny(s *jsonschema.Schema) bool {
	return s.Type == "" && len(s.Types) == 0 && len(s.AnyOf) == 0 && len(s.AllOf) == 0 && len(s.OneOf) == 0 &&
		s.Properties == nil && s.Ref == "" && s.Not == nil && len(s.Enum) == 0
}

// plain copies a schema without the names of its parts.
func plain(s *jsonschema.Schema) *jsonschema.Schema {
	out := s.CloneSchemas()
	eachPart(out, func(s *jsonschema.Schema) { s.Extra = nil })
	return out
}

func eachPart(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	visit(s)
	for _, property := range s.Properties {
		eachPart(property, visit)
	}
	for _, one := range slices.Concat(s.AnyOf, s.AllOf, []*jsonschema.Schema{s.Items, s.AdditionalProperties}) {
		eachPart(one, visit)
	}
}

// Components are the named parts of schemas, by their names.
type Components map[string]*jsonschema.Schema

// Refer returns a schema with references instead of its named parts, which it adds to the
// components. It panics if two different parts have the same name. Components are open objects,
// because a response may get further members.
func (c Components) Refer(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if forms, ok := s.Extra[partForms].([]*jsonschema.Schema); ok {
		out := &jsonschema.Schema{Description: s.Description}
		for _, form := range forms {
			out.AnyOf = append(out.AnyOf, c.Refer(form))
		}
		return out
	}
	out := *s
	out.Extra = nil
	if IsAny(s) {
		// An empty schema would be written as true, which few client generators know; and
		// validators of OpenAPI 3.0 accept null only where it is listed.
		out.AnyOf = []*jsonschema.Schema{{Description: "any JSON value"}, {Type: "null"}}
	}
	out.Items = c.Refer(s.Items)
	if s.AdditionalProperties != nil && !IsAny(s.AdditionalProperties) {
		out.AdditionalProperties = c.Refer(s.AdditionalProperties)
	}
	if s.Properties != nil {
		out.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
		for name, property := range s.Properties {
			out.Properties[name] = c.Refer(property)
		}
	}
	out.AllOf = nil
	for _, one := range s.AllOf {
		out.AllOf = append(out.AllOf, c.Refer(one))
	}
	name, _ := s.Extra[partName].(string)
	if name == "" {
		return &out
	}
	reference := &jsonschema.Schema{ // with the bounds of this use
		Ref: "#/components/schemas/" + name, MinItems: s.MinItems, MaxItems: s.MaxItems, Default: s.Default,
	}
	out.MinItems, out.MaxItems, out.Default = nil, nil, nil
	if slices.Contains(out.Types, "null") {
		out.Types = slices.DeleteFunc(slices.Clone(out.Types), func(kind string) bool { return kind == "null" })
		if len(out.Types) == 1 {
			out.Type, out.Types = out.Types[0], nil
		}
		reference = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{reference, {Type: "null"}}}
	}
	out.Description, _ = s.Extra[partText].(string)
	if s.Description != out.Description {
		reference.Description = s.Description
	}
	if out.AdditionalProperties != nil && out.AdditionalProperties.Not != nil {
		out.AdditionalProperties = nil
	}
	c.add(name, &out)
	return reference
}

func (c Components) add(name string, s *jsonschema.Schema) {
	known := c[name]
	if known == nil {
		c[name] = s
		return
	}
	one, err := json.Marshal(known)
	other, otherErr := json.Marshal(s)
	if err != nil || otherErr != nil || !bytes.Equal(one, other) {
		panic(fmt.Sprintf("operation: two schemas are called %s: %s and %s", name, one, other))
	}
}

// Problem describes the document of an error.
func Problem() *jsonschema.Schema {
	s := outputSchema[problem.Document]("problem")
	s.Properties["current"] = &jsonschema.Schema{Type: "object", Description: s.Properties["current"].Description}
	return s
}

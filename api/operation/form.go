package operation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// The ways in which an answer writes records and their ids.
const (
	formatRows = "rows"
	idsShort   = "short"
	idsNone    = "none"
)

// PageForm says how a page of records is written. Without it, each record is an object {id,
// createdTime, version, fields}, with its full id.
type PageForm struct {
	Format  string   `json:"format,omitzero" enum:"records,rows" jsonschema:"rows: names once, in columns, links and files by name; default records"`
	IDs     string   `json:"ids,omitzero" enum:"full,short,none" jsonschema:"default full, or short in rows; none is for rows alone"`
	Include []string `json:"include,omitzero" enum:"createdTime,version" maxItems:"2" jsonschema:"columns of rows"`
}

// check returns an error of kind invalid for members that cannot be combined.
func (f *PageForm) check() error {
	if f.Format == formatRows {
		return nil
	}
	if f.IDs == idsNone {
		return problem.Invalid("ids", "may be none only with format rows; records are known by their ids")
	}
	if len(f.Include) > 0 {
		return problem.Invalid("include", "is for format rows; records have createdTime and version")
	}
	return nil
}

// id writes the id of a record.
func (f *PageForm) id(public string) string {
	if f.IDs == idsShort || f.IDs == "" && f.Format == formatRows {
		return id.Short(public)
	}
	return public
}

// GroupForm says how groups are written. Without it, each group is an object {key, results}.
type GroupForm struct {
	Format string `json:"format,omitzero" enum:"records,rows" jsonschema:"rows: names once, in columns; default records"`
}

// WriteForm says what a write returns. Without it, the result has the records as they are now.
type WriteForm struct {
	Return string `json:"return,omitzero" enum:"records,ids,none" jsonschema:"what the answer has of the records, none: how many; default records"`
	IDs    string `json:"ids,omitzero" enum:"full,short" jsonschema:"default full"`
}

// An answerForm is a form of a result: its name as a part, and the members that only this form has.
type answerForm struct {
	name    string
	members []string
}

// eitherForm says that an object has the members of one of several forms.
func eitherForm(s *jsonschema.Schema, forms ...answerForm) *jsonschema.Schema {
	var parts []*jsonschema.Schema
	for _, form := range forms {
		one := *s
		one.AnyOf, one.Properties = nil, maps.Clone(s.Properties)
		for _, other := range forms {
			for _, name := range other.members {
				if !slices.Contains(form.members, name) {
					delete(one.Properties, name)
				}
			}
		}
		one.Required = slices.Concat(s.Required, form.members)
		parts = append(parts, part(form.name, &one))
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: form.members})
	}
	s.Extra = map[string]any{partForms: parts}
	return s
}

// eitherOf describes an object of one of two forms. A member that has one name in both may have
// either form.
func eitherOf(one, other *jsonschema.Schema) *jsonschema.Schema {
	s := *one
	s.Extra = map[string]any{partForms: []*jsonschema.Schema{one, other}}
	s.Properties, s.Required = maps.Clone(one.Properties), nil
	s.PropertyOrder = nil
	for name, property := range other.Properties {
		mine := s.Properties[name]
		switch {
		case mine == nil:
			s.Properties[name] = property
		case mine.Type == "array" && property.Type == "array" && mine.Items.Type == "object" &&
			property.Items.Type == "object":
			list := *mine
			list.Items = eitherOf(mine.Items, property.Items)
			s.Properties[name] = &list
		default:
			s.Properties[name] = eitherType(mine, property)
		}
	}
	for _, name := range one.Required {
		if slices.Contains(other.Required, name) {
			s.Required = append(s.Required, name)
		}
	}
	s.AnyOf = []*jsonschema.Schema{{Required: one.Required}, {Required: other.Required}}
	return &s
}

// eitherType describes a value of one of two types: it merges what each says of an object, an array
// or a text.
func eitherType(one, other *jsonschema.Schema) *jsonschema.Schema {
	s := *one
	s.Extra, s.Type, s.Types = nil, "", typesOf(one)
	for _, name := range typesOf(other) {
		if !slices.Contains(s.Types, name) {
			s.Types = append(s.Types, name)
		}
	}
	if s.Items == nil {
		s.Items = other.Items
	}
	if s.Properties == nil && s.AdditionalProperties == nil {
		s.AdditionalProperties = other.AdditionalProperties
	}
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	return &s
}

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return slices.Clone(s.Types)
}

// appendValue appends the JSON of a result.
func appendValue(dst []byte, value any) []byte {
	encoded, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("operation: encoding an answer: %v", err)) // its type belongs to this package
	}
	return append(dst, encoded...)
}

// rowSchemas are the members of a result in rows.
func rowSchemas() map[string]*jsonschema.Schema {
	return map[string]*jsonschema.Schema{
		"columns": {
			Type: "array", Items: &jsonschema.Schema{Type: "string"},
			Description: "with format rows: fields; those of a record itself are _id, _version, _createdTime",
		},
		"rows": {
			Type: "array", Items: &jsonschema.Schema{Type: "array"},
			Description: "with format rows: the values of each record, in the order of columns",
		},
	}
}

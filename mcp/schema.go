package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
)

// The schemas of a tool are the operation's, cut to what an agent has use for: all tools together must leave room in its context.
// Inputs are still checked against the operation's own.

// confirmName is the argument that tools have which may have to be confirmed.
const confirmName = "confirm"

// noteName is the member that a result has which was cut to fit.
const noteName = "note"

// inputSchema is the operation's, with what is particular to tools.
func inputSchema(op *operation.Operation) *jsonschema.Schema {
	s := brief(op.Input)
	for name, property := range s.Properties {
		if _, ok := named[name]; ok && property.Description == "" {
			property.Description = "id or name"
		}
	}
	if op.Grave != nil {
		s.Properties[confirmName] = &jsonschema.Schema{Type: "boolean", Description: "true, once the person has agreed to the loss"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), confirmName)
	}
	return s
}

// brief leaves out of an input what an error says in good time, as the length of texts, and writes small objects that may be
// absent as a sentence.
func brief(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	short := *s
	short.MinLength, short.MaxLength = nil, nil
	short.Items = brief(s.Items)
	if s.Properties == nil {
		return &short
	}
	short.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name, property := range s.Properties {
		if property.Properties != nil && !slices.Contains(s.Required, name) {
			short.Properties[name] = &jsonschema.Schema{Type: "object", Description: sketch(property)}
			continue
		}
		short.Properties[name] = brief(property)
	}
	return &short
}

// sketch writes the members of an object as {kind: emoji or image, value, color?}.
func sketch(s *jsonschema.Schema) string {
	var members []string
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		member := name
		if !slices.Contains(s.Required, name) {
			member += "?"
		}
		if len(property.Enum) > 0 {
			var names []string
			for _, value := range property.Enum {
				names = append(names, fmt.Sprint(value))
			}
			member += ": " + strings.Join(names, " or ")
		}
		members = append(members, member)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// outputSchema says of an output which members there are and of what type. Of the elements of a list it names those that all have,
// not what is inside them, and of details that may be absent only that they are objects. Objects stay open, because a result that
// was cut says so in a note, and because a member added later must not make a client refuse it. Nothing is required, because
// clients hold the problem of a failed call against the same schema.
func outputSchema(s *jsonschema.Schema) *jsonschema.Schema { return outline(s, false) }

func outline(s *jsonschema.Schema, element bool) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	bare := &jsonschema.Schema{Type: s.Type, Types: s.Types}
	if s.Items != nil && !element {
		bare.Items = outline(s.Items, true)
	}
	if s.Properties == nil {
		return bare
	}
	bare.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name, property := range s.Properties {
		always := slices.Contains(s.Required, name)
		switch {
		case !always && element:
		case !always && property.Properties != nil:
			bare.Properties[name] = &jsonschema.Schema{Type: property.Type, Types: property.Types}
		default:
			bare.Properties[name] = outline(property, element)
		}
	}
	return bare
}

func encode(s *jsonschema.Schema) json.RawMessage {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding a schema: %v", err)) // it depends on nothing but the catalogue
	}
	return encoded
}

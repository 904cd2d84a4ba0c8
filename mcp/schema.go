package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The schemas of a tool are the operation's, cut to what an agent has use for: all tools together must leave room in its context.
// Inputs are still checked against the operation's own.

// confirmName is the argument that tools have which may have to be confirmed.
const confirmName = "confirm"

// noteName is the member that a result has which was cut to fit.
const noteName = "note"

// inputSchema is the operation's, with what is particular to tools.
func inputSchema(op *operation.Operation) *jsonschema.Schema {
	s := summarizeInput(op.Input)
	for name, property := range s.Properties {
		if _, ok := namedParameters[name]; ok && property.Description == "" && isEntryPoint(op) {
			property.Description = "id or name"
		}
	}
	for place, other := range descriptionOverrides {
		if property := schemaAt(s, op.Name, place); property != nil {
			property.Description = other
		}
	}
	if property := schemaAt(s, op.Name, "create_field type"); property != nil {
		property.Enum = slices.DeleteFunc(slices.Clone(property.Enum), applicationOnly)
	}
	if property := schemaAt(s, op.Name, "create_table fields type"); property != nil {
		property.Enum = nil // the list stands in create_field
	}
	if !op.ReadOnly {
		s.Properties[idempotencyKeyName] = &jsonschema.Schema{Type: "string"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), idempotencyKeyName)
	}
	if op.NeedsConfirmation != nil {
		s.Properties[confirmName] = &jsonschema.Schema{Type: "boolean", Description: "true once the person agreed"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), confirmName)
	}
	return s
}

// applicationOnly reports whether a type is always refused to the credentials that agents have.
func applicationOnly(name any) bool {
	text, _ := name.(string)
	return schema.Type(text).Info().ApplicationOnly
}

// begins reports whether agents begin with a tool: there it is said that names do as well as ids, which holds for every tool and stands
// in the instructions.
func isEntryPoint(op *operation.Operation) bool {
	return op.Scope == authz.DataRead || op.Scope == authz.DataWrite || strings.HasPrefix(op.Name, "describe_")
}

// saidElsewhere are arguments, by tool and path, that another tool explains or the tool's own description.
var descriptionOverrides = map[string]string{
	"aggregate_records filters":  "as in query_records",
	"create_table fields config": "as in create_field",
	"create_table fields type":   "as in create_field",
	"create_base orgId":          "",
	"create_base workspaceId":    "",
}

// at returns the schema at a place that belongs to a tool, or nil.
func schemaAt(s *jsonschema.Schema, tool, place string) *jsonschema.Schema {
	path := strings.Fields(place)
	if path[0] != tool {
		return nil
	}
	for _, name := range path[1:] {
		if s.Items != nil {
			s = s.Items
		}
		s = s.Properties[name]
	}
	return s
}

// brief leaves out of an input what an error says in good time, as the length of texts, and writes small objects that may be
// absent as a sentence.
func summarizeInput(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	short := *s
	short.MinLength, short.MaxLength = nil, nil
	short.Items = summarizeInput(s.Items)
	if s.Properties == nil {
		return &short
	}
	short.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name, property := range s.Properties {
		if property.Properties != nil && !slices.Contains(s.Required, name) {
			short.Properties[name] = &jsonschema.Schema{Type: "object", Description: describeMembers(property)}
			continue
		}
		short.Properties[name] = summarizeInput(property)
	}
	return &short
}

// sketch writes the members of an object as {kind: emoji or image, value, color?}.
func describeMembers(s *jsonschema.Schema) string {
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
// with the types of simple ones and not what is inside the others, and of details that may be absent only that they are objects. Objects stay open, because a result that
// was cut says so in a note, and because a member added later must not make a client refuse it. Nothing is required, because
// clients hold the problem of a failed call against the same schema.
func outputSchema(s *jsonschema.Schema) *jsonschema.Schema { return outline(s, false) }

func outline(s *jsonschema.Schema, element bool) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	bare := &jsonschema.Schema{Type: s.Type, Types: s.Types}
	if element && s.Properties != nil {
		bare.Type, bare.Types = "", nil // its members say so
	}
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
		case element && isScalar(property):
			bare.Properties[name] = &jsonschema.Schema{Type: property.Type, Types: property.Types}
		case !always && property.Properties != nil:
			bare.Properties[name] = &jsonschema.Schema{Type: property.Type, Types: property.Types}
		default:
			bare.Properties[name] = outline(property, element)
		}
	}
	return bare
}

// simple reports a text, a number or a truth value, or one of these that may be null.
func isScalar(s *jsonschema.Schema) bool {
	is := func(name string) bool { return name != "object" && name != "array" }
	return s.Properties == nil && s.Items == nil && (s.Type != "" && is(s.Type) || len(s.Types) > 0 && !slices.ContainsFunc(s.Types, func(name string) bool { return !is(name) }))
}

func encode(s *jsonschema.Schema) json.RawMessage {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding a schema: %v", err)) // it depends on nothing but the catalogue
	}
	return encoded
}

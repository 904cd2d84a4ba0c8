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

// A tool's schemas are the operation's, reduced to what an agent needs, because the schemas of all
// tools must fit into its context. Inputs are still validated against the operation's own schema.

// confirmName is the argument of tools that may need confirmation.
const confirmName = "confirm"

// noteName is the member of a result that tells the agent what was truncated.
const noteName = "note"

// inputSchema returns the tool's input schema.
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
		property.Enum = nil // create_field has the list
	}
	if !op.ReadOnly {
		s.Properties[idempotencyKeyName] = &jsonschema.Schema{Type: "string"}
		s.Properties[changeSetName] = &jsonschema.Schema{Type: "string"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), idempotencyKeyName, changeSetName)
	}
	if op.NeedsConfirmation != nil {
		s.Properties[confirmName] = &jsonschema.Schema{Type: "boolean", Description: "true if the person has agreed"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), confirmName)
	}
	return s
}

// applicationOnly reports whether a field type can be created only in the application, which agents
// cannot use.
func applicationOnly(name any) bool {
	text, _ := name.(string)
	return schema.Type(text).Info().ApplicationOnly
}

// isEntryPoint reports whether agents usually start with a tool. Only these tools repeat that names
// may be used in place of ids, which holds for every tool and is part of the instructions.
func isEntryPoint(op *operation.Operation) bool {
	return op.Scope == authz.DataRead || op.Scope == authz.DataWrite || strings.HasPrefix(op.Name, "describe_")
}

// descriptionOverrides replace the descriptions of arguments, by tool and path, that another tool
// or the tool's own description explains.
var descriptionOverrides = map[string]string{
	"aggregate_records filters":  "as in query_records",
	"create_table fields config": "as in create_field",
	"create_table fields type":   "as in create_field",
	"create_base orgId":          "",
	"create_base workspaceId":    "",
}

// schemaAt returns the schema at a path of the given tool, or nil if the path belongs to another
// tool.
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

// summarizeInput removes from an input schema what an error would say in time, such as the length
// of strings, and describes small optional objects in a sentence.
func summarizeInput(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	summary := *s
	summary.MinLength, summary.MaxLength = nil, nil
	summary.Items = summarizeInput(s.Items)
	if s.Properties == nil {
		return &summary
	}
	summary.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name, property := range s.Properties {
		if property.Properties != nil && !slices.Contains(s.Required, name) {
			summary.Properties[name] = &jsonschema.Schema{Type: "object", Description: describeMembers(property)}
			continue
		}
		summary.Properties[name] = summarizeInput(property)
	}
	return &summary
}

// describeMembers describes the members of an object, such as {kind: emoji or image, value,
// color?}.
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

// outputSchema returns the members of an output and their types. Elements of lists and optional
// objects have no members: an agent sees them in the first answer, and the room is for more tools.
// Objects stay open, because a truncated result has a note and because adding a member must not
// break clients. Nothing is required, because clients validate the problem of a failed call against
// the same schema.
func outputSchema(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	summary := typeOf(s)
	if s.Items != nil {
		summary.Items = typeOf(s.Items)
	}
	if s.Properties == nil {
		return summary
	}
	summary.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name, property := range s.Properties {
		if property.Properties != nil && !slices.Contains(s.Required, name) {
			summary.Properties[name] = typeOf(property)
			continue
		}
		summary.Properties[name] = outputSchema(property)
	}
	return summary
}

func typeOf(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: s.Type, Types: s.Types}
}

func encode(s *jsonschema.Schema) json.RawMessage {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding a schema: %v", err)) // it depends only on the catalogue
	}
	return encoded
}

package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
)

// A tool's schemas are the operation's, reduced to what an agent needs, because the schemas of all
// tools must fit into its context. Inputs are still validated against the operation's own schema.

// confirmName is the argument of tools that may need confirmation.
const confirmName = "confirm"

// noteName is the member of a result in which the agent reads what was truncated.
const noteName = "note"

// inputSchema returns the tool's input schema.
func inputSchema(op *operation.Operation) *jsonschema.Schema {
	s := summarizeInput(op.Input())
	for _, name := range []string{"plan", "apply"} { // the tools with these arguments describe them
		if property := s.Properties[name]; property != nil {
			property.Description = ""
		}
	}
	for path, shown := range op.Agent.Arguments {
		showArgument(s, op.Name, path, shown)
	}
	if listsMaxTokens(op) {
		addArgument(s, maxTokensName, "integer")
	}
	if !op.ReadOnly && !op.Idempotent { // others accept it too, but do not need it: a retry does nothing more
		addArgument(s, idempotencyKeyName, "string")
	}
	if inChangeLog(op) {
		addArgument(s, changeSetName, "string")
	}
	if op.Agent.Confirm.Needed != nil {
		addArgument(s, confirmName, "boolean")
	}
	return s
}

// inChangeLog reports whether the change sets of a base contain what a tool changes. Other tools
// take a change set too, which then appears only in the audit log.
func inChangeLog(op *operation.Operation) bool {
	return (op.Scope == authz.DataWrite || op.Scope == authz.SchemaWrite) && !op.Unlogged
}

// addArgument adds an optional argument that is not part of the operation's input.
func addArgument(s *jsonschema.Schema, name, kind string) {
	s.Properties[name] = &jsonschema.Schema{Type: kind}
	s.PropertyOrder = append(slices.Clone(s.PropertyOrder), name)
}

// showArgument shows the argument at a path as the operation says. It panics if the tool has none
// there.
func showArgument(s *jsonschema.Schema, tool, path string, shown operation.Argument) {
	property := s
	for name := range strings.SplitSeq(path, ".") {
		if property.Items != nil {
			property = property.Items
		}
		if property = property.Properties[name]; property == nil {
			panic(fmt.Sprintf("mcp: %s has no argument %s", tool, path))
		}
	}
	if shown.Hidden {
		delete(s.Properties, path)
		s.PropertyOrder = slices.DeleteFunc(slices.Clone(s.PropertyOrder),
			func(name string) bool { return name == path })
		return
	}
	property.Description = shown.Text
	if shown.Values != nil {
		property.Enum = shown.Values
	}
}

// summarizeInput removes from an input schema what an error would say in time, such as the length
// of strings and lists, and describes small optional objects in a sentence.
func summarizeInput(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	summary := *s
	summary.Default, summary.MinLength, summary.MaxLength, summary.MinItems, summary.MaxItems = nil, nil, nil, nil, nil
	summary.Minimum, summary.Maximum, summary.Pattern = nil, nil, ""
	if s.Items != nil {
		items := *summarizeInput(s.Items)
		items.AdditionalProperties = nil // the tool's schema excludes other members
		summary.Items = &items
	}
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

// outputSchema returns the schema of an operation's output, and of the note of a shortened result.
// Models do not get it; clients that run code do. Objects stay open, because adding a member must
// not break clients.
func outputSchema(s *jsonschema.Schema) *jsonschema.Schema {
	out := typed(s)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	if out.Properties[noteName] == nil {
		out.Properties[noteName] = &jsonschema.Schema{Type: "string", Description: "what was left out"}
	}
	return out
}

// anyTypes are the types of a value that may be anything. Some clients refuse a schema without a
// type.
var anyTypes = []string{"string", "number", "boolean", "object", "array", "null"}

// typed copies a schema and adds types where anything is allowed.
func typed(s *jsonschema.Schema) *jsonschema.Schema {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	for name, property := range out.Properties {
		out.Properties[name] = typed(property)
	}
	if s.Items != nil {
		out.Items = typed(s.Items)
	}
	if operation.IsAny(s) {
		out.Types = anyTypes
	}
	return &out
}

func encode(s *jsonschema.Schema) json.RawMessage {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding a schema: %v", err)) // it depends only on the catalogue
	}
	return encoded
}

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
	for _, name := range []string{"plan", "apply"} { // update_records_where says what they are
		if property := s.Properties[name]; property != nil {
			property.Description = ""
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
	if hidden := hiddenArguments[op.Name]; hidden != nil {
		for _, name := range hidden {
			delete(s.Properties, name)
		}
		s.PropertyOrder = slices.DeleteFunc(slices.Clone(s.PropertyOrder),
			func(name string) bool { return slices.Contains(hidden, name) })
	}
	names, properties := formArguments(op)
	maps.Copy(s.Properties, properties)
	s.PropertyOrder = append(slices.Clone(s.PropertyOrder), names...)
	if !op.ReadOnly && !op.Idempotent { // others take it too, and need none: a retry does nothing more
		s.Properties[idempotencyKeyName] = &jsonschema.Schema{Type: "string"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), idempotencyKeyName)
	}
	if inChangeLog(op) {
		s.Properties[changeSetName] = &jsonschema.Schema{Type: "string"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), changeSetName)
	}
	if op.NeedsConfirmation != nil {
		s.Properties[confirmName] = &jsonschema.Schema{Type: "boolean"}
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), confirmName)
	}
	return s
}

// inChangeLog reports whether list_change_sets tells of what a tool changes. Others take a change set too, which only
// the audit log then names.
func inChangeLog(op *operation.Operation) bool {
	return (op.Scope == authz.DataWrite || op.Scope == authz.SchemaWrite) && !slices.Contains(unlogged, op.Name)
}

var unlogged = []string{
	"create_workspace", "update_workspace", "delete_workspace", "set_public_share", "disable_public_share",
	"create_attachment", "create_comment",
}

// hiddenArguments are taken and not listed, by tool: maxTokens stands for maxBytes, and cursor for offset; few
// calls need the others, and a number can be written with a point.
var hiddenArguments = map[string][]string{
	"query_records":   {"offset", "include"},
	"search_records":  {"offset", "include"},
	"create_records":  {"ids"},
	"update_records":  {"ids"},
	"export_records":  {maxBytesName, "asOf", "limit", "search"},
	"import_records":  {"decimal"},
	"read_attachment": {"limit"},
}

// applicationOnly reports whether a field type can be created only in the application, which agents
// cannot use.
func applicationOnly(name any) bool {
	text, _ := name.(string)
	return schema.Type(text).Info().ApplicationOnly
}

// descriptionOverrides replace the descriptions of arguments, by tool and path, that another tool
// or the tool's own description explains.
var descriptionOverrides = map[string]string{
	"aggregate_records asOf":    "",
	"aggregate_records format":  "",
	"create_field config":       "",
	"create_field position":     "0: the primary field",
	"create_records return":     "",
	"query_records format":      "",
	"query_records ids":         "",
	"search_records format":     "",
	"search_records ids":        "",
	"update_records return":     "",
	"aggregate_records filters": "as in query_records",
	"aggregate_records groupBy": "fields, links, Company.Country, or day, week, month, quarter or year, as " +
		"in month(Closed)",
	"aggregate_records having":     "[{by, op, value}], by a result; op eq neq gt gte lt lte between",
	"aggregate_records orderBy":    "[{by, dir}], by a result or a groupBy",
	"check_formula fieldId":        "which gets it",
	"create_base orgId":            "",
	"create_base workspaceId":      "",
	"create_records fields":        "",
	"create_records typecast":      "convert values, add select options",
	"create_records upsertOn":      "",
	"create_table fields config":   "as in create_field",
	"create_table fields type":     "as in create_field",
	"create_view access":           "personal: for its creator and admins; locked: only admins change it",
	"create_workspace color":       "a name such as blue, or #rrggbb",
	"create_workspace orgId":       "",
	"delete_records_where filters": "as in query_records",
	"update_records_where filters": "as in query_records",
	"update_records_where fields":  "",
	"update_records_where set":     "",
	"query_sql sql":                "",
	"update_records_where apply":   "planToken, with the same arguments",
	"import_records dateOrder":     "",
	"import_records skipRefused":   "",
	"import_records upsertOn":      "as in create_records",
	"describe_base detail":         "names: without configuration but links and filters",
	"describe_base tableIds":       "",
	"export_records fields":        "",
	"export_records filters":       "",
	"export_records sorts":         "",
	"export_records view":          "",
	"fetch id":                     "",
	"get_record asOf":              "",
	"list_audit_events until":      "",
	"list_change_sets until":       "",
	"query_records asOf":           "",
	"query_records fields":         "",
	"query_records sorts":          "[{fieldId, dir}], dir asc or desc",
	"query_records search":         "",
	"query_records view":           "",
	"restore items":                "from list_trash; records of one table",
	"revert_changes since":         "",
	"revert_changes dryRun":        "",
	"search_records asOf":          "",
	"update_base workspaceId":      "",
	"update_field config": "keys to change; null resets one. Give all options; {name, previousName} " +
		"renames one",
	"update_field discard":  "allow it; a view with a broken filter shows nothing",
	"update_field type":     "values are converted",
	"update_field width":    "",
	"update_record fields":  "",
	"update_table icon":     "as in update_base",
	"update_view access":    "",
	"update_workspace icon": "as in update_base",
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
		items.AdditionalProperties = nil // those of the tool are said not to be
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

// outputSchema returns the schema of an operation's output, and of the note of an answer that was shortened. Models do
// not get it; clients that run code do. Objects stay open, because adding a member must not break clients.
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

// anyTypes are those of a value that may be anything. Some clients refuse a schema without a type.
var anyTypes = []string{"string", "number", "boolean", "object", "array", "null"}

// typed copies a schema, with types for what may be anything.
func typed(s *jsonschema.Schema) *jsonschema.Schema {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	for name, property := range out.Properties {
		out.Properties[name] = typed(property)
	}
	if s.Items != nil {
		out.Items = typed(s.Items)
	}
	if s.Type == "" && len(s.Types) == 0 && len(s.AnyOf) == 0 && len(s.OneOf) == 0 && s.Properties == nil {
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

package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// ListFieldTypes describes the kinds of field. It reads no organization's data.
var ListFieldTypes = New(Def{
	Name: "list_field_types", Method: "GET", Path: "/field-types", Title: "List field types",
	Summary: "The types that a field may have.",
	Description: "Returns, for each type, the JSON Schemas of its values and of its config, its filter operators " +
		"with the operand that each compares with, its aggregate functions, and what else a field of the type can " +
		"do. It is the same for every caller.",
	Scope: authz.None, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{NotATool: "agents have the document rowhouse://docs/field-types, which says the same in fewer words"},
}, func(context.Context, *Call, None) (field.Catalogue, error) { return field.Describe(), nil })

package operation

import (
	"context"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A FormulaValue is what a formula computes for a record.
type FormulaValue struct {
	RecordID string         `json:"recordId"`
	Value    jsontext.Value `json:"value" jsonschema:"as in the fields of the record"`
}

// FormulaChecked is the type, or the mistakes, of a formula in a table.
type FormulaChecked struct {
	Type     string            `json:"type,omitzero" jsonschema:"of the values: number, text, boolean, date, datetime, or list of one of these; absent if there are problems"`
	Volatile bool              `json:"volatile,omitzero" jsonschema:"values depend on the time, or on names that stand elsewhere, and are computed whenever they are read"`
	Problems []formula.Problem `json:"problems" jsonschema:"mistakes in the order of their places; lines and columns begin at 1 and count characters"`
	Values   []FormulaValue    `json:"values" jsonschema:"of the first five records of the table"`
}

// linkedType is a type of fields that compute from linked records.
type linkedType string

// JSONSchema lists the types.
func (linkedType) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: []any{"lookup", "rollup", "count"}}
}

// CheckFormula checks a formula for a table without saving it.
var CheckFormula = New(Def{
	Name: "check_formula", Method: "POST", Path: "/tables/{tableId}/formula/check", Title: "Check formula",
	Summary: "Check a formula without saving it.",
	Description: "Returns the type of its values and those of five records, or its mistakes with their places " +
		"and what may have been meant. Use it before create_field or update_field with a formula.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"fieldId": {Text: "which gets it"}, "type": {Hidden: true}, "config": {Hidden: true}},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Formula string      `json:"formula,omitzero" jsonschema:"as in IF({Price} > 10, \"high\", \"low\")"`
	FieldID string      `json:"fieldId,omitzero" jsonschema:"the field that is to get the formula; absent for a new one"`
	Type    linkedType  `json:"type,omitzero" jsonschema:"with config, checks such a field in place of a formula"`
	Config  FieldConfig `json:"config,omitzero" jsonschema:"as in create_field"`
},
) (FormulaChecked, error) {
	checked, err := c.Records.CheckFormula(ctx, c.Target.Org, c.Target.ID, record.Draft{
		Field: in.FieldID, Formula: in.Formula, Type: schema.Type(in.Type), Config: json.RawMessage(in.Config.Value),
	})
	if err != nil {
		return FormulaChecked{}, err
	}
	out := FormulaChecked{
		Type: checked.Type, Volatile: checked.Volatile, Problems: append([]formula.Problem{}, checked.Problems...),
		Values: make([]FormulaValue, len(checked.Values)),
	}
	for i, value := range checked.Values {
		out.Values[i] = FormulaValue{value.Record, jsontext.Value(value.Value)}
	}
	return out, nil
})

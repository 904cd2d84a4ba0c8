package operation

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/formula"
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

// CheckFormula checks a formula for a table without saving it.
var CheckFormula = New(Def{
	Name: "check_formula", Method: "POST", Path: "/tables/{tableId}/formula/check", Title: "Check formula",
	Summary: "Check a formula without saving it.",
	Description: "Returns the type of its values and those of five records, or its mistakes with their places " +
		"and what may have been meant. Use it before create_field or update_field with a formula.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"fieldId": {Text: "which gets it"}},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Formula string `json:"formula" jsonschema:"as in IF({Price} > 10, \"high\", \"low\")"`
	FieldID string `json:"fieldId,omitzero" jsonschema:"the field that is to get the formula; absent for a new one"`
},
) (FormulaChecked, error) {
	checked, err := c.Records.CheckFormula(ctx, c.Target.Org, c.Target.ID, in.FieldID, in.Formula)
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

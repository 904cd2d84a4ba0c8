package schema

import (
	"encoding/json"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// A StackLimit is how many cards a column of a board should have at most. Nothing refuses more: the board shows it.
type StackLimit struct {
	FieldID string `json:"fieldId"` // by which the board makes its columns
	Value   any    `json:"value"`   // the column's: the name of an option, the id of a person, a boolean, or null
	Limit   int    `json:"limit"`
}

const (
	maxStackLimits = 200
	maxStackLimit  = 100_000
)

// stackLimits checks the limits of a board's columns. A value that no record can have is allowed, as an option that is
// removed leaves its limit behind, which limits nothing.
func stackLimits(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var limits []StackLimit
	if json.Unmarshal(value, &limits) != nil || len(limits) > maxStackLimits {
		return nil, problem.Invalid(path, "must be an array of at most %d limits: {fieldId, value, limit}",
			maxStackLimits)
	}
	type column struct{ field, value any }
	seen := map[column]bool{}
	for i := range limits {
		one := &limits[i]
		f, err := t.FieldRef(path, one.FieldID)
		if err != nil {
			return nil, err
		}
		if !f.Serves("stackFieldId") {
			return nil, problem.Invalid(path, "a board has no columns for %q, which is %s", f.Name, f.Type())
		}
		switch one.Value.(type) {
		case nil, string, bool:
		default:
			return nil, problem.Invalid(path, "the value of a column is the name of an option, the id of a person, "+
				"true, false or null")
		}
		if one.Limit < 1 || one.Limit > maxStackLimit {
			return nil, problem.Invalid(path, "a limit must be a whole number from 1 to %d", maxStackLimit)
		}
		one.FieldID = f.PublicID()
		if seen[column{one.FieldID, one.Value}] {
			return nil, problem.Invalid(path, "limits a column of %q twice", f.Name)
		}
		seen[column{one.FieldID, one.Value}] = true
	}
	return jsonvalue.Must(limits), nil
}

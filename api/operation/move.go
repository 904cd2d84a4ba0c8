package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// RecordsMoved is the result of a move.
type RecordsMoved struct {
	Moved []string `json:"moved" jsonschema:"ids, in their order"`
}

// MoveRecords changes the manual order of a view.
var MoveRecords = New(Def{
	Name: "move_records", Method: "POST", Path: "/views/{viewId}/records/move", Title: "Move records",
	Summary: "Put up to 100 records next to another one in the manual order of a view.",
	Description: "A view that nothing sorts gets a manual order by it, for which the credential needs schema:write " +
		"too: a field of type rank, by which the view is sorted from then on. Records that nobody moved, and new " +
		"ones, come in the order of their creation. Give before or after. Returns the ids of the records. " +
		"revert_changes undoes it.",
	Scope: authz.DataWrite,
}, func(ctx context.Context, c *Call, in struct {
	ViewIn
	IDs    []string `json:"ids" minItems:"1" maxItems:"100" jsonschema:"in the order in which they are to come"`
	Before string   `json:"before,omitzero" jsonschema:"id of the record before which they come"`
	After  string   `json:"after,omitzero" jsonschema:"id of the record behind which they come"`
},
) (RecordsMoved, error) {
	err := c.Records.Move(ctx, c.actor(), c.Target.ID, record.Move{
		IDs: in.IDs, Before: in.Before, After: in.After,
		Begins: func() error { return c.Principal.RequireScope(authz.SchemaWrite) },
	})
	return RecordsMoved{in.IDs}, err
})

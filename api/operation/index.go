package operation

import (
	"context"
	"time"

	"github.com/rowhouse/rowhouse/authz"
)

// Index is an index that the database keeps for a table.
type Index struct {
	Kind   string    `json:"kind" enum:"primary,unique,lookup,search"`
	Reason string    `json:"reason" jsonschema:"what asked for it, with fields by id"`
	Ready  bool      `json:"ready" jsonschema:"false while it is being built"`
	Bytes  int64     `json:"bytes"`
	Since  time.Time `json:"since,omitzero" jsonschema:"when it was built, for lookup and search"`
	UsedAt time.Time `json:"usedAt,omitzero" jsonschema:"when a query it serves was last seen, to the hour"`
}

// IndexList is a list of indexes.
type IndexList struct {
	Indexes []Index `json:"indexes"`
}

// ListIndexes lists a table's indexes.
var ListIndexes = New(Def{
	Name: "list_indexes", Method: "GET", Path: "/tables/{tableId}/indexes", Title: "List indexes",
	Summary:     "The indexes of a table: what exists, why, and since when.",
	Description: "Indexes appear by themselves where a large table is filtered, sorted or searched, and go when they are idle.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ TableIn) (IndexList, error) {
	found, err := c.Records.Indexes(ctx, c.Target.Org, c.Target.ID)
	list := IndexList{Indexes: make([]Index, len(found))}
	for i, one := range found {
		list.Indexes[i] = Index{one.Kind, one.Reason, one.Ready, one.Bytes, one.Since, one.Used}
	}
	return list, err
})

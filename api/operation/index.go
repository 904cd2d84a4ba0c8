package operation

import (
	"context"
	"time"

	"github.com/rowhouse/rowhouse/authz"
)

// Index is a database index of a table.
type Index struct {
	Kind   string    `json:"kind" enum:"primary,unique,lookup,search"`
	Reason string    `json:"reason" jsonschema:"the query pattern or constraint it serves, with fields by id"`
	Ready  bool      `json:"ready" jsonschema:"false while it is being built"`
	Bytes  int64     `json:"bytes"`
	Since  time.Time `json:"since,omitzero" jsonschema:"when it was built, for lookup and search"`
	UsedAt time.Time `json:"usedAt,omitzero" jsonschema:"when a query last needed it, to the hour"`
}

// IndexList is a list of indexes.
type IndexList struct {
	Indexes []Index `json:"indexes"`
}

// ListIndexes lists a table's indexes.
var ListIndexes = New(Def{
	Name: "list_indexes", Method: "GET", Path: "/tables/{tableId}/indexes", Title: "List indexes",
	Summary: "List the database indexes of a table.",
	Description: "They are made when a large table is filtered, sorted or searched, and dropped when unused; " +
		"nobody has to ask for one.",
	Whole: SeesAll,
	Scope: authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ TableIn) (IndexList, error) {
	indexes, err := c.Records.Indexes(ctx, c.Target.Org, c.Target.ID)
	list := IndexList{Indexes: make([]Index, len(indexes))}
	for i, index := range indexes {
		list.Indexes[i] = Index{index.Kind, index.Reason, index.Ready, index.Bytes, index.Since, index.Used}
	}
	return list, err
})

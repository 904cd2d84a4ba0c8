package operation

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/history"
)

// HistoryPaging selects a page of what changed.
type HistoryPaging struct {
	Limit  *int   `json:"limit,omitzero" min:"1" max:"100" default:"100"`
	Cursor string `json:"cursor,omitzero"`
}

func (p *HistoryPaging) limit() int {
	if p.Limit == nil {
		return history.MaxPage
	}
	return *p.Limit
}

// RecordHistory is a page of the changes of a record.
type RecordHistory struct{ history.RecordPage }

// JSONSchema describes what AppendJSON writes.
func (RecordHistory) JSONSchema() *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	object := func(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Required: required, Properties: properties}
	}
	person := object([]string{"id", "name"}, map[string]*jsonschema.Schema{
		"id": text, "name": {Types: []string{"string", "null"}},
	})
	person.Type, person.Types = "", []string{"object", "null"}
	change := object([]string{"field", "from", "to"}, map[string]*jsonschema.Schema{
		"field": object([]string{"id", "name"}, map[string]*jsonschema.Schema{"id": text, "name": text}),
		"from":  {}, "to": {},
	})
	entry := object(
		[]string{"version", "time", "changeSet", "request", "person", "credential", "kind", "changes"},
		map[string]*jsonschema.Schema{
			"version": {Type: "integer"}, "time": text, "changeSet": text, "request": text, "person": person,
			"credential": text,
			"kind": {
				Type: "string", Enum: []any{"created", "updated", "deleted", "linked", "restored"},
			},
			"changes": {Type: "array", Items: change},
			"state":   {Types: []string{"object", "null"}},
		},
	)
	return object([]string{"entries", "complete", "nextCursor"}, map[string]*jsonschema.Schema{
		"entries": {Type: "array", Items: entry}, "complete": {Type: "boolean"},
		"nextCursor": {Types: []string{"string", "null"}},
	})
}

// GetRecordHistory lists the changes of a record.
var GetRecordHistory = New(Def{
	Name: "get_record_history", Method: "GET", Path: "/records/{recordId}/history", Title: "Record history",
	Summary:     "List the changes of a record, newest first.",
	Description: "Says who changed which fields from what to what. Works for deleted records.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	HistoryPaging
	State bool `json:"state,omitzero" jsonschema:"with all fields after each change"`
},
) (RecordHistory, error) {
	page, err := history.OfRecord(ctx, c.DB, c.Records, c.Target.Org, in.RecordID,
		history.RecordRequest{Limit: in.limit(), Cursor: in.Cursor, State: in.State})
	return RecordHistory{page}, err
})

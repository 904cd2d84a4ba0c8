package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// Where says which records are changed.
//
// Filters that let every record through are refused. A view names a set on purpose, so that a view without filters
// stands for all of its records.
type Where struct {
	Filters Filters `json:"filters,omitzero" maxItems:"50"`
	View    string  `json:"view,omitzero"`
	Search  string  `json:"search,omitzero" maxLength:"1000"`
}

func (c *Call) bulk(w Where, p Planned) record.Bulk {
	return record.Bulk{
		Selection: record.Selection{View: w.View, Search: w.Search, Filters: w.Filters.Value},
		Plan:      p.Plan, Apply: p.Apply, Credential: c.Principal.Credential,
	}
}

// UpdateRecordsWhere updates the records that a filter finds.
var UpdateRecordsWhere = New(Def{
	Name: "update_records_where", Method: "PATCH", Path: "/tables/{tableId}/records/where",
	Title:   "Update records by filter",
	Summary: "Set the same fields of every record that the filters find, up to 10,000.",
	Description: "All or none. With plan, the answer says how many records would be changed, shows some before and " +
		"after, and has a planToken for apply: good for ten minutes, once, for this credential, and while " +
		"none of those records has changed. It is one change set, which revert_changes takes back. Filters that let " +
		"every record through are refused; a view stands for its records, even if it has no filters.",
	Scope: authz.DataWrite, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Where
	Fields   Values `json:"fields"`
	Typecast bool   `json:"typecast,omitzero"`
	Planned
},
) (record.BulkResult, error) {
	bulk := c.bulk(in.Where, in.Planned)
	bulk.Fields, bulk.Typecast = c.values(in.Fields), in.Typecast
	return c.Records.ChangeAll(ctx, c.actor(), c.Target.ID, bulk)
})

// DeleteRecordsWhere deletes the records that a filter finds.
var DeleteRecordsWhere = New(Def{
	Name: "delete_records_where", Method: "DELETE", Path: "/tables/{tableId}/records/where",
	Title:   "Delete records by filter",
	Summary: "Delete every record that the filters find, up to 10,000.",
	Description: "All or none, with plan and apply as in update_records_where. It is one change set, which " +
		"revert_changes takes back.",
	Scope: authz.DataWrite, Destructive: true, Idempotent: true, NeedsConfirmation: unlessPlanned,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Where
	Planned
},
) (record.BulkResult, error) {
	bulk := c.bulk(in.Where, in.Planned)
	bulk.Delete = true
	return c.Records.ChangeAll(ctx, c.actor(), c.Target.ID, bulk)
})

// ImportRecords creates or upserts records from CSV.
var ImportRecords = New(Def{
	Name: "import_records", Method: "POST", Path: "/tables/{tableId}/records/import", Title: "Import records",
	Summary: "Create or upsert records from CSV, up to 20,000 rows.",
	Description: "The first line names fields. Values are converted, and options of selects added; empty cells " +
		"leave a field empty, or in an upsert as it is. A cell of a link names records by id or by primary value, " +
		"separated by commas. If rows are refused, nothing is written, unless skipRefused leaves them out. With " +
		"plan, the answer says what would be created, updated and refused, and has a planToken for apply unless the " +
		"import would be refused. It is one change set.",
	Scope: authz.DataWrite,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	CSV         string   `json:"csv" minLength:"1" maxLength:"5242880"`
	UpsertOn    []string `json:"upsertOn,omitzero" jsonschema:"names of the fields to match on"`
	SkipRefused bool     `json:"skipRefused,omitzero" jsonschema:"leave out rows that do not fit"`
	Planned
},
) (record.ImportResult, error) {
	return c.Records.Import(ctx, c.actor(), c.Target.ID, record.Import{
		CSV: in.CSV, UpsertOn: in.UpsertOn, SkipRefused: in.SkipRefused, Plan: in.Plan, Apply: in.Apply,
		Credential: c.Principal.Credential,
	})
})

package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// Where selects the records to change.
//
// Filters that match every record are refused. A view is a deliberate choice, so a view without
// filters selects all of its records.
type Where struct {
	Filters Filters `json:"filters,omitzero" maxItems:"50"`
	View    string  `json:"view,omitzero"`
	Search  string  `json:"search,omitzero"                maxLength:"1000"`
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
	Description: `set computes fields from the record, as {"Price": {"formula": "{Price} * 1.05"}}. ` +
		"All or none. With plan, changes nothing: returns how many would change, some before and after, " +
		"and a planToken; the same call with apply carries it out, within ten minutes, once. Otherwise returns " +
		"the count. revert_changes undoes it.",
	Records:     WritesRecords,
	Scope:       authz.DataWrite,
	Reports:     true,
	Destructive: true,
	Agent: Agent{
		List:       ListCommon,
		AnswerPage: true,
		Arguments: Arguments{
			"filters": {Text: asInQueryRecords}, "fields": {}, "set": {},
			"apply": {Text: "planToken, with the same arguments"},
		},
		Confirm: Confirmation{
			Needed: unlessApplied,
			Above:  100, Counted: true,
			Loss: loseFound("This sets fields in all records of the table %q that the filters find. It can be undone."),
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Where
	Fields   *Values `json:"fields,omitzero"`
	Set      *Values `json:"set,omitzero" jsonschema:"{\"formula\": …} by field name; formulas read the record as it was"`
	Typecast bool    `json:"typecast,omitzero"`
	Planned
},
) (record.BulkResult, error) {
	bulk := c.bulk(in.Where, in.Planned)
	bulk.Typecast = in.Typecast
	if in.Fields != nil {
		bulk.Fields = c.values(*in.Fields)
	}
	if in.Set != nil {
		bulk.Set = c.values(*in.Set)
	}
	return c.Records.ChangeAll(ctx, c.actor(), c.Target.ID, bulk)
})

// DeleteRecordsWhere deletes the records that a filter finds.
var DeleteRecordsWhere = New(Def{
	Name: "delete_records_where", Method: "DELETE", Path: "/tables/{tableId}/records/where",
	Title:   "Delete records by filter",
	Summary: "Delete every record that the filters find, up to 10,000.",
	Description: "All or none, with plan and apply as in update_records_where. Returns the count. revert_changes " +
		"undoes it.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Destructive: true, Idempotent: true,
	Reports: true,
	Agent: Agent{
		List:       ListCommon,
		AnswerPage: true,
		Arguments:  Arguments{"filters": {Text: asInQueryRecords}},
		Confirm: Confirmation{
			Needed: unlessApplied, Counted: true,
			Loss: loseFound("This deletes all records of the table %q that the filters find. It can be undone."),
		},
	},
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

// DeleteSelectedRecords deletes what a person has selected in a view.
var DeleteSelectedRecords = New(Def{
	Name:    "delete_selected_records",
	Method:  "DELETE",
	Path:    "/tables/{tableId}/records/selected",
	Title:   "Delete selected records",
	Summary: "Delete every record that the filters and the search find, but those of except.",
	Description: "Without filters and search it deletes all records of the table. One request deletes up to " +
		"10,000, and more says that there are others: repeat it with the header Change-Set of the first " +
		"answer, and revert_changes takes all of it back at once.",
	Records:     WritesRecords,
	Scope:       authz.DataWrite,
	Destructive: true,
	Idempotent:  true,
	Agent: Agent{
		NotATool: "Agents have delete_records_where, which refuses to delete a whole table by an empty filter.",
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Filters Filters  `json:"filters,omitzero" maxItems:"50"`
	Search  string   `json:"search,omitzero" maxLength:"1000"`
	Except  []string `json:"except,omitzero" maxItems:"1000" jsonschema:"ids of records that stay"`
},
) (SelectedRecordsDeleted, error) {
	result, err := c.Records.ChangeAll(ctx, c.actor(), c.Target.ID, record.Bulk{
		Selection: record.Selection{Search: in.Search, Filters: in.Filters.Value},
		Delete:    true, Part: true, Except: in.Except, Credential: c.Principal.Credential,
	})
	return SelectedRecordsDeleted{Count: result.Count, More: result.More}, err
})

// SelectedRecordsDeleted says how many records a request deleted.
type SelectedRecordsDeleted struct {
	Count int  `json:"count"`
	More  bool `json:"more"  jsonschema:"there are others, which another request deletes"`
}

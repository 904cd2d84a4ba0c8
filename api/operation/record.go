package operation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// Filters are conditions on records as the caller wrote them. Package record parses them.
type Filters struct{ jsontext.Value }

// JSONSchema describes filters well enough to write one. Package record reports what is wrong with
// an invalid filter.
func (Filters) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "object"},
		Description: "conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is " +
			"an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains " +
			"starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none " +
			"is_exactly is_empty is_not_empty",
	}
}

// Sorts are the sort order as the caller wrote it. Package record parses it.
type Sorts struct{ jsontext.Value }

func (Sorts) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:        "array",
		Items:       &jsonschema.Schema{Type: "object"},
		Description: "[{fieldId, dir}], dir asc or desc; empty values last",
	}
}

// Values name the fields of a record, which were parsed when the input was validated; see
// Call.values.
type Values int

// JSONSchema returns the schema of any object.
func (Values) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: "values by field name"}
}

// values returns the fields of a record in the input.
func (c *Call) values(v Values) jsonvalue.ParsedObject { return c.input.objects[v] }

// RecordsDeleted lists the ids of deleted records.
type RecordsDeleted struct {
	Deleted []string `json:"deleted"`
}

// RecordsDeletedOrPlanned is the output of a deletion of records that can be planned.
type RecordsDeletedOrPlanned struct {
	Deleted []string      `json:"deleted" jsonschema:"empty in a plan"`
	Count   int           `json:"count,omitzero" jsonschema:"how many a plan would delete"`
	Sample  []plan.Sample `json:"sample,omitzero"`
	plan.Offer
}

// demandedVersion returns the version that a record must have, or nil for any. If several are
// accepted, it is the current one, if that is among them; it must still be the current one when the
// record is written.
func (c *Call) demandedVersion(ctx context.Context, public string) (*int64, error) {
	switch len(c.ifMatch) {
	case 0:
		return nil, nil //nolint:nilnil // any
	case 1:
		return &c.ifMatch[0], nil
	}
	r, err := c.Records.GetAsOf(ctx, c.actor(), public, "")
	if err != nil {
		return nil, err
	}
	if version, ok := r.Version(); ok && slices.Contains(c.ifMatch, version) {
		return &version, nil
	}
	return &c.ifMatch[0], nil
}

// versioned returns a record and makes its version the version of the result.
func (c *Call) versioned(r record.Record) Record {
	if version, ok := r.Version(); ok {
		c.version = &version
	}
	return Record{r}
}

// actor returns the caller as an actor in the target's organization.
func (c *Call) actor() record.Actor {
	return record.Actor{Org: c.Target.Org, Person: c.Principal.Person, Admin: c.viewer().Admin}
}

// Paging selects a page of a list.
type Paging struct {
	Limit  *int   `json:"limit,omitzero" min:"1" max:"100" default:"100"`
	Offset *int64 `json:"offset,omitzero" min:"0" max:"1000000000" jsonschema:"records to skip; use cursor for deep pages"`
	Cursor string `json:"cursor,omitzero"`
}

func (p *Paging) apply(q *query.Request) {
	q.Limit, q.Cursor = query.MaxPage, p.Cursor
	if p.Limit != nil {
		q.Limit = *p.Limit
	}
	if p.Offset != nil {
		q.Offset = *p.Offset
	}
}

// AtMoment asks for the records of an earlier moment.
type AtMoment struct {
	AsOf string `json:"asOf,omitzero" maxLength:"64" jsonschema:"RFC 3339 time or chs_ id"`
}

// ListRecords lists the records of a table.
var ListRecords = New(Def{
	Name: "query_records", Method: "GET", Path: "/tables/{tableId}/records", Title: "Query records",
	Summary: "Filter, sort and page the records of a table.",
	Description: "Give format rows for more than a few: names once, ids short, links by name. eq on text is " +
		"case-sensitive, contains is not. To count or sum, use aggregate_records. Returns the page, the exact " +
		"total, and a cursor for more.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Beyond: "aggregate_records counts and sums all records in one call, and export_records returns them as CSV",
	Agent: Agent{
		List:       ListCore,
		AnswerPage: true,
		Arguments: Arguments{
			"offset": {Hidden: true}, "include": {Hidden: true}, "format": {}, "ids": {}, "asOf": {}, "fields": {},
			"colorsOf": {Hidden: true},
			"sorts":    {Text: "[{fieldId, dir}], dir asc or desc"}, "search": {}, "view": {},
		},
		Resource: &Resource{
			Path: "tables/{tableId}/records", Query: []string{"view", "limit", "offset"},
			Name: "records", Title: "Records of a table",
			Description: "A page of records; limit up to 100, offset from 0, and a view's id.",
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Paging
	AtMoment
	View    string   `json:"view,omitzero" jsonschema:"view id"`
	Search  string   `json:"search,omitzero" maxLength:"1000" jsonschema:"text in any field, ignoring case and accents"`
	Filters Filters  `json:"filters,omitzero"`
	Sorts   Sorts    `json:"sorts,omitzero"`
	Fields  []string `json:"fields,omitzero" maxItems:"500" jsonschema:"names or ids of the fields to return; default all"`
	// ColorsOf is separate from View, because a list with colours may be of other records than the view shows.
	ColorsOf string `json:"colorsOf,omitzero" jsonschema:"id of a view whose colorRules give the records colours"`
	PageForm
},
) (RecordPage, error) {
	if err := in.check(); err != nil {
		return RecordPage{}, err
	}
	q := query.Request{
		View:    in.View,
		Search:  in.Search,
		Filters: in.Filters.Value,
		Sorts:   in.Sorts.Value,
		Fields:  in.Fields,
		AsOf:    in.AsOf,

		ColorsOf: in.ColorsOf,
	}
	in.apply(&q)
	page, err := c.Records.List(ctx, c.actor(), c.Target.ID, q)
	if err != nil {
		return RecordPage{}, err
	}
	return c.written(ctx, page, &in.PageForm, in.Fields != nil)
})

// SearchRecords finds text in the records of a table.
var SearchRecords = New(Def{
	Name: "search_records", Method: "GET", Path: "/tables/{tableId}/records/search", Title: "Search records",
	Summary: "Find the records of one table that have a text in any field, ignoring case.",
	Description: "query_records combines search with filters and sorts; search looks in all bases, for words in " +
		"any order. Returns a page as query_records does.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:       ListCommon,
		AnswerPage: true,
		Arguments: Arguments{
			"offset": {Hidden: true}, "include": {Hidden: true}, "format": {}, "ids": {}, "asOf": {},
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Paging
	AtMoment
	Q string `json:"q" minLength:"1" maxLength:"1000"`
	PageForm
},
) (RecordPage, error) {
	if err := in.check(); err != nil {
		return RecordPage{}, err
	}
	q := query.Request{Search: in.Q, AsOf: in.AsOf}
	in.apply(&q)
	page, err := c.Records.SearchAsOf(ctx, c.actor(), c.Target.ID, q)
	if err != nil {
		return RecordPage{}, err
	}
	return c.written(ctx, page, &in.PageForm, false)
})

// CreateRecords creates or upserts records.
var CreateRecords = New(Def{
	Name: "create_records", Method: "POST", Path: "/tables/{tableId}/records", Title: "Create records",
	Summary: "Create up to 100 records, or upsert them.",
	Description: "All or none. Give records, or fields for one. With upsertOn, 1 to 3 field names, a record with " +
		"the same values is updated instead. For more than 100, use import_records. Returns the records, or " +
		"with return ids their ids.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Replay: (*Call).replayRecords,
	Beyond: "import_records writes up to 20,000 rows of CSV at once",
	Agent: Agent{
		List: ListCore,
		Arguments: Arguments{
			"ids": {Hidden: true}, "return": {}, "fields": {}, "upsertOn": {},
			"typecast": {Text: "convert values, add select options"},
		},
		Inside: map[string][]string{"fields": nil},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Fields  *Values `json:"fields,omitzero"`
	Records []struct {
		Fields Values `json:"fields"`
	} `json:"records,omitzero" maxItems:"100"`
	UpsertOn []string `json:"upsertOn,omitzero" jsonschema:"names of the fields to match on"`
	Typecast bool     `json:"typecast,omitzero" jsonschema:"convert values of other types, and add select options"`
	WriteForm
},
) (RecordsWritten, error) {
	creation := record.Creation{UpsertOn: in.UpsertOn, Typecast: in.Typecast}
	switch {
	case in.Fields != nil && in.Records != nil:
		return RecordsWritten{}, problem.Invalid("records",
			"conflicts with fields; give fields for one record or records for several")
	case in.Fields != nil:
		creation.Single, creation.Records = true, []jsonvalue.ParsedObject{c.values(*in.Fields)}
	case in.Records == nil:
		return RecordsWritten{}, problem.Invalid("records",
			"is required; give records for several records or fields for one")
	default:
		creation.Records = make([]jsonvalue.ParsedObject, len(in.Records))
		for i := range in.Records {
			creation.Records[i] = c.values(in.Records[i].Fields)
		}
	}
	began := time.Now()
	written, err := c.Records.Create(ctx, c.actor(), c.Target.ID, creation)
	if err == nil {
		if len(in.UpsertOn) > 0 {
			c.noteUnchanged(ctx, began, written.Records...)
		}
		err = c.narrowAll(written.Records, func(i int) jsonvalue.ParsedObject { return creation.Records[i] })
	}
	return RecordsWritten{written, in.WriteForm}, err
})

// UpdateRecords updates several records.
var UpdateRecords = New(Def{
	Name: "update_records", Method: "PATCH", Path: "/tables/{tableId}/records", Title: "Update records",
	Summary: "Update up to 100 records by their ids.",
	Description: "All or none. Merges fields into each; null or an empty string clears one. To set the same " +
		"values in many, use update_records_where. Returns the records, or with return ids their ids.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Idempotent: true, Replay: (*Call).replayRecords,
	Destructive: true,
	Beyond: "update_records_where sets the same values of many, and import_records with upsertOn updates by rows of " +
		"CSV",
	Agent: Agent{
		List:      ListCore,
		Arguments: Arguments{"ids": {Hidden: true}, "return": {}},
		Inside:    map[string][]string{"fields": nil},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Records []struct {
		ID      string `json:"id"`
		Version *int64 `json:"version,omitzero" jsonschema:"only if the record has it"`
		Fields  Values `json:"fields"`
	} `json:"records" maxItems:"100"`
	Typecast bool `json:"typecast,omitzero"`
	WriteForm
},
) (RecordsWritten, error) {
	changes := make([]record.Change, len(in.Records))
	for i, r := range in.Records {
		changes[i] = record.Change{ID: r.ID, Version: r.Version, Fields: c.values(r.Fields)}
	}
	began := time.Now()
	written, err := c.Records.Update(ctx, c.actor(), c.Target.ID, changes, in.Typecast)
	if err == nil {
		c.noteUnchanged(ctx, began, written.Records...)
		err = c.narrowAll(written.Records, func(i int) jsonvalue.ParsedObject { return changes[i].Fields })
	}
	return RecordsWritten{written, in.WriteForm}, err
})

// DeleteRecords deletes several records.
var DeleteRecords = New(Def{
	Name: "delete_records", Method: "DELETE", Path: "/tables/{tableId}/records", Title: "Delete records",
	Summary: "Delete up to 100 records by their ids.",
	Description: "All or none. For all that a filter finds, use delete_records_where. restore brings them back. " +
		"Returns the ids in deleted.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Destructive: true, Idempotent: true,

	Beyond: "delete_records_where deletes what a filter finds",
	Agent: Agent{
		List: ListCore,
		Confirm: Confirmation{
			Needed: func(input []byte) bool { return ListLongerThan(10, "ids")(input) && unlessApplied(input) },
			Loss:   loseRecords,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	IDs []string `json:"ids" minItems:"1" maxItems:"100"`
	Planned
},
) (RecordsDeletedOrPlanned, error) {
	if !in.Plan && in.Apply == "" {
		ids, err := c.Records.Delete(ctx, c.actor(), c.Target.ID, in.IDs)
		return RecordsDeletedOrPlanned{Deleted: ids}, err
	}
	bulk := c.bulk(Where{}, in.Planned)
	bulk.IDs, bulk.Delete = in.IDs, true
	result, err := c.Records.ChangeAll(ctx, c.actor(), c.Target.ID, bulk)
	if in.Plan {
		return RecordsDeletedOrPlanned{[]string{}, result.Count, result.Sample, result.Offer}, err
	}
	return RecordsDeletedOrPlanned{Deleted: in.IDs}, err
})

func loseRecords(_ context.Context, p *Prospect) (string, error) {
	if p.Target.Table == nil {
		return "", nil
	}
	var in struct {
		IDs []string `json:"ids"`
	}
	if err := p.read(&in); err != nil {
		return "", err
	}
	return fmt.Sprintf("This deletes %d records of the table %q, which stay in the trash for a while.",
		len(in.IDs), p.Target.Table.Name), nil
}

// RecordIn identifies a record.
type RecordIn struct {
	RecordID string `json:"recordId"`
}

// RecordAsOfIn identifies a record at a moment.
type RecordAsOfIn struct {
	RecordIn
	AtMoment
}

// GetRecord returns one record.
var GetRecord = New(Def{
	Name: "get_record", Method: "GET", Path: "/records/{recordId}", Title: "Get record",
	Summary: "Get one record with all its fields.",
	Description: "Returns its id, createdTime, version and fields, links as ids; fetch has them by name. " +
		"query_records reads many.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Versioned: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"asOf": {}},
		Resource: &Resource{
			Path: "records/{recordId}", Name: "record", Title: "Record",
			Description: "One record with all its fields.",
		},
	},
}, func(ctx context.Context, c *Call, in RecordAsOfIn) (Record, error) {
	r, err := c.Records.GetAsOf(ctx, c.actor(), in.RecordID, in.AsOf)
	return c.versioned(r), err
})

// UpdateRecord updates one record.
var UpdateRecord = New(Def{
	Name: "update_record", Method: "PATCH", Path: "/records/{recordId}", Title: "Update record",
	Summary: "Update one record.",
	Description: "Merges fields into it; null or an empty string clears one. Returns the record. update_records " +
		"takes up to 100.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Idempotent: true, Versioned: true, Replay: (*Call).replayRecord,
	Destructive: true,
	Agent:       Agent{Arguments: Arguments{"fields": {}}},
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	Fields   Values `json:"fields"`
	Typecast bool   `json:"typecast,omitzero"`
},
) (Record, error) {
	version, err := c.demandedVersion(ctx, in.RecordID)
	if err != nil {
		return Record{}, err
	}
	change := record.Change{ID: in.RecordID, Version: version, Fields: c.values(in.Fields)}
	began := time.Now()
	r, err := c.Records.UpdateIf(ctx, c.actor(), change, in.Typecast)
	if err == nil {
		c.noteUnchanged(ctx, began, r)
		r, err = c.narrow(r, change.Fields)
	}
	return c.versioned(r), err
})

// DeleteRecord deletes one record.
var DeleteRecord = New(Def{
	Name: "delete_record", Method: "DELETE", Path: "/records/{recordId}", Title: "Delete record",
	Summary:     "Delete one record.",
	Description: "restore brings it back. delete_records takes up to 100. Returns the id in deleted.",
	Records:     WritesRecords,
	Scope:       authz.DataWrite, Destructive: true, Idempotent: true, Versioned: true,
}, func(ctx context.Context, c *Call, in RecordIn) (RecordsDeleted, error) {
	version, err := c.demandedVersion(ctx, in.RecordID)
	if err != nil {
		return RecordsDeleted{}, err
	}
	ids, err := c.Records.DeleteIf(ctx, c.actor(), in.RecordID, version)
	return RecordsDeleted{ids}, err
})

package operation

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
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

// values are the fields of a record in the input.
func (c *Call) values(v Values) jsonvalue.ParsedObject { return c.input.objects[v] }

func recordSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Required: []string{"id", "fields"},
		Properties: map[string]*jsonschema.Schema{
			"id": {Type: "string"}, "createdTime": {Type: "string"}, "version": {Type: "integer"},
			"fields": {Type: "object"},
		},
	}
}

func listSchema(required []string, more map[string]*jsonschema.Schema) *jsonschema.Schema {
	more["records"] = &jsonschema.Schema{Type: "array", Items: recordSchema()}
	return &jsonschema.Schema{Type: "object", Required: append([]string{"records"}, required...), Properties: more}
}

// RecordPage is a page of records (spec.md, "Records").
type RecordPage struct{ record.Page }

// JSONSchema describes what AppendJSON writes.
func (RecordPage) JSONSchema() *jsonschema.Schema {
	return listSchema([]string{"total", "offset", "limit", "hasMore"}, map[string]*jsonschema.Schema{
		"total": {Type: "integer"}, "offset": {Type: "integer"}, "limit": {Type: "integer"},
		"hasMore": {Type: "boolean"}, "cursor": {Type: "string"},
	})
}

// Record is one record (spec.md, "Record").
type Record struct{ record.Record }

// JSONSchema describes what AppendJSON writes.
func (Record) JSONSchema() *jsonschema.Schema { return recordSchema() }

// RecordsWritten are the records that a write created or updated.
type RecordsWritten struct{ record.Written }

// JSONSchema describes what AppendJSON writes.
func (RecordsWritten) JSONSchema() *jsonschema.Schema {
	ids := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
	return listSchema(nil, map[string]*jsonschema.Schema{"created": ids, "updated": ids})
}

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

// versioned returns a record, whose version becomes that of the result.
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

// AtMoment asks for the records as they were.
type AtMoment struct {
	AsOf string `json:"asOf,omitzero" maxLength:"64" jsonschema:"RFC 3339 time or chs_ id"`
}

// ListRecords lists the records of a table.
var ListRecords = New(Def{
	Name: "query_records", Method: "GET", Path: "/tables/{tableId}/records", Title: "Query records",
	Summary: "List the records of a table, filtered, sorted and paged.",
	Description: "With the exact total. A view applies its filters and sorts. eq on text is case-sensitive, contains " +
		"is not. aggregate_records counts and sums.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Paging
	AtMoment
	View    string   `json:"view,omitzero" jsonschema:"view id"`
	Search  string   `json:"search,omitzero" maxLength:"1000" jsonschema:"text that any field contains, ignoring case"`
	Filters Filters  `json:"filters,omitzero"`
	Sorts   Sorts    `json:"sorts,omitzero"`
	Fields  []string `json:"fields,omitzero" maxItems:"500" jsonschema:"names or ids of the fields to return; default all"`
},
) (RecordPage, error) {
	q := query.Request{
		View:    in.View,
		Search:  in.Search,
		Filters: in.Filters.Value,
		Sorts:   in.Sorts.Value,
		Fields:  in.Fields,
		AsOf:    in.AsOf,
	}
	in.apply(&q)
	page, err := c.Records.List(ctx, c.actor(), c.Target.ID, q)
	return RecordPage{page}, err
})

// SearchRecords finds text in the records of a table.
var SearchRecords = New(Def{
	Name: "search_records", Method: "GET", Path: "/tables/{tableId}/records/search", Title: "Search records",
	Summary:     "Find the records of a table that contain a text in any field.",
	Description: "Ignores case. query_records combines with filters and sorts.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Paging
	AtMoment
	Q string `json:"q" minLength:"1" maxLength:"1000"`
},
) (RecordPage, error) {
	q := query.Request{Search: in.Q, AsOf: in.AsOf}
	in.apply(&q)
	page, err := c.Records.SearchAsOf(ctx, c.actor(), c.Target.ID, q)
	return RecordPage{page}, err
})

// Functions are the aggregates to compute as the caller wrote them. Package record parses them.
type Functions struct{ jsontext.Value }

// JSONSchema describes aggregates.
func (Functions) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "object"},
		Description: "[{fn, fieldId}], fn count, distinct, sum, avg, min, max, median, percentile (with p: 90) or " +
			"percent_of_total; default the number of records",
	}
}

// Having are conditions on the results of groups as the caller wrote them. Package record parses them.
type Having struct{ jsontext.Value }

// JSONSchema describes conditions on results.
func (Having) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "object"},
		Description: "[{by, op, value}], by a result such as sum(Price), op eq, neq, gt, gte, lt, lte or between",
	}
}

// GroupSort is the order of groups as the caller wrote it. Package record parses it.
type GroupSort struct{ jsontext.Value }

// JSONSchema describes the order of groups.
func (GroupSort) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "object"},
		Description: "[{by, dir}], by a result or a groupBy; default the keys",
	}
}

// RecordGroups are the results of an aggregation.
type RecordGroups struct{ record.Groups }

// JSONSchema describes what AppendJSON writes.
func (RecordGroups) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Required: []string{"groups", "hasMore"},
		Properties: map[string]*jsonschema.Schema{
			"hasMore": {Type: "boolean"},
			"groups": {Type: "array", Items: &jsonschema.Schema{
				Type: "object", Required: []string{"key", "results"},
				Properties: map[string]*jsonschema.Schema{"key": {Type: "object"}, "results": {Type: "object"}},
			}},
		},
	}
}

// AggregateRecords computes counts and sums over the records of a table.
var AggregateRecords = New(Def{
	Name: "aggregate_records", Method: "GET", Path: "/tables/{tableId}/records/aggregate", Title: "Aggregate records",
	Summary: "Compute counts, sums, medians and the like, optionally in groups.",
	Description: "Results are keyed by function, such as sum(Price). A record with several links is in the group of " +
		"each; weeks begin on Monday, and days are those of the field's time zone, else UTC.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	AtMoment
	View       string    `json:"view,omitzero"`
	Search     string    `json:"search,omitzero" maxLength:"1000"`
	Filters    Filters   `json:"filters,omitzero"`
	Aggregates Functions `json:"aggregates,omitzero"`
	GroupBy    []string  `json:"groupBy,omitzero" maxItems:"3" jsonschema:"fields, also links, Company.Country, or day, week, month, quarter or year as in month(Closed)"`
	Having     Having    `json:"having,omitzero"`
	OrderBy    GroupSort `json:"orderBy,omitzero"`
	Limit      int       `json:"limit,omitzero" min:"1" max:"1000" default:"100"`
},
) (RecordGroups, error) {
	groups, err := c.Records.Aggregate(ctx, c.actor(), c.Target.ID, query.Aggregation{
		View: in.View, Search: in.Search, Filters: in.Filters.Value, Functions: in.Aggregates.Value,
		GroupBy: in.GroupBy, Having: in.Having.Value, OrderBy: in.OrderBy.Value, Limit: in.Limit, AsOf: in.AsOf,
	})
	return RecordGroups{groups}, err
})

// CreateRecords creates or upserts records.
var CreateRecords = New(Def{
	Name: "create_records", Method: "POST", Path: "/tables/{tableId}/records", Title: "Create records",
	Summary: "Create up to 100 records, or upsert them.",
	Description: "All or none. Give fields for one record or records for several. With upsertOn, 1 to 3 field names, " +
		"a record with the same values in them is updated instead; created and updated then list ids.",
	Scope: authz.DataWrite,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Fields  *Values `json:"fields,omitzero"`
	Records []struct {
		Fields Values `json:"fields"`
	} `json:"records,omitzero" maxItems:"100"`
	UpsertOn []string `json:"upsertOn,omitzero" jsonschema:"names of the fields to match on"`
	Typecast bool     `json:"typecast,omitzero" jsonschema:"convert values of other types, and add select options"`
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
	written, err := c.Records.Create(ctx, c.actor(), c.Target.ID, creation)
	if err == nil {
		err = c.narrowAll(written.Records, func(i int) jsonvalue.ParsedObject { return creation.Records[i] })
	}
	return RecordsWritten{written}, err
})

// UpdateRecords updates several records.
var UpdateRecords = New(Def{
	Name: "update_records", Method: "PATCH", Path: "/tables/{tableId}/records", Title: "Update records",
	Summary:     "Update up to 100 records.",
	Description: "Merges fields into each record, all or none; null or an empty string clears a field.",
	Scope:       authz.DataWrite, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Records []struct {
		ID      string `json:"id"`
		Version *int64 `json:"version,omitzero" jsonschema:"only if the record has it"`
		Fields  Values `json:"fields"`
	} `json:"records" maxItems:"100"`
	Typecast bool `json:"typecast,omitzero"`
},
) (RecordsWritten, error) {
	changes := make([]record.Change, len(in.Records))
	for i, r := range in.Records {
		changes[i] = record.Change{ID: r.ID, Version: r.Version, Fields: c.values(r.Fields)}
	}
	written, err := c.Records.Update(ctx, c.actor(), c.Target.ID, changes, in.Typecast)
	if err == nil {
		err = c.narrowAll(written.Records, func(i int) jsonvalue.ParsedObject { return changes[i].Fields })
	}
	return RecordsWritten{written}, err
})

// DeleteRecords deletes several records.
var DeleteRecords = New(Def{
	Name: "delete_records", Method: "DELETE", Path: "/tables/{tableId}/records", Title: "Delete records",
	Summary:     "Delete up to 100 records.",
	Description: "Deletes all or none. restore brings them back. plan and apply are as in update_records_where.",
	Scope:       authz.DataWrite, Destructive: true, Idempotent: true,
	NeedsConfirmation: func(input []byte) bool { return ListLongerThan(10, "ids")(input) && unlessPlanned(input) },
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
	Summary:     "Get one record.",
	Description: "Returns all its fields.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true, Versioned: true,
}, func(ctx context.Context, c *Call, in RecordAsOfIn) (Record, error) {
	r, err := c.Records.GetAsOf(ctx, c.actor(), in.RecordID, in.AsOf)
	return c.versioned(r), err
})

// UpdateRecord updates one record.
var UpdateRecord = New(Def{
	Name: "update_record", Method: "PATCH", Path: "/records/{recordId}", Title: "Update record",
	Summary:     "Update one record.",
	Description: "Merges fields into the record; null or an empty string clears a field.",
	Scope:       authz.DataWrite, Idempotent: true, Versioned: true,
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	Fields   Values `json:"fields"`
	Typecast bool   `json:"typecast,omitzero"`
},
) (Record, error) {
	change := record.Change{ID: in.RecordID, Version: c.ifMatch, Fields: c.values(in.Fields)}
	r, err := c.Records.UpdateIf(ctx, c.actor(), change, in.Typecast)
	if err == nil {
		r, err = c.narrow(r, change.Fields)
	}
	return c.versioned(r), err
})

// DeleteRecord deletes one record.
var DeleteRecord = New(Def{
	Name: "delete_record", Method: "DELETE", Path: "/records/{recordId}", Title: "Delete record",
	Summary:     "Delete one record.",
	Description: "restore brings it back. Use delete_records for several.",
	Scope:       authz.DataWrite, Destructive: true, Idempotent: true, Versioned: true,
}, func(ctx context.Context, c *Call, in RecordIn) (RecordsDeleted, error) {
	ids, err := c.Records.DeleteIf(ctx, c.actor(), in.RecordID, c.ifMatch)
	return RecordsDeleted{ids}, err
})

package operation

import (
	"context"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

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

// RecordGroups are the results of an aggregation, as objects or in rows.
type RecordGroups struct {
	record.Groups
	columns, rows []byte // nil for objects
}

// AppendJSON writes the groups as their form says.
func (g RecordGroups) AppendJSON(dst []byte) []byte {
	if g.columns == nil {
		return g.Groups.AppendJSON(dst)
	}
	dst = append(append(dst, `{"columns":`...), g.columns...)
	dst = append(append(dst, `,"rows":`...), g.rows...)
	return append(strconv.AppendBool(append(dst, `,"hasMore":`...), g.HasMore), '}')
}

// JSONSchema describes what AppendJSON writes.
func (RecordGroups) JSONSchema() *jsonschema.Schema {
	properties := rowSchemas()
	properties["hasMore"] = &jsonschema.Schema{Type: "boolean"}
	properties["groups"] = &jsonschema.Schema{Type: "array", Items: part("RecordGroup", &jsonschema.Schema{
		Type: "object", Required: []string{"key", "results"},
		Properties: map[string]*jsonschema.Schema{"key": {Type: "object"}, "results": {Type: "object"}},
	})}
	return eitherForm(&jsonschema.Schema{Type: "object", Required: []string{"hasMore"}, Properties: properties},
		answerForm{"RecordGroups", []string{"groups"}}, answerForm{"GroupRows", []string{"columns", "rows"}})
}

// AggregateRecords computes counts and sums over the records of a table.
var AggregateRecords = New(Def{
	Name: "aggregate_records", Method: "GET", Path: "/tables/{tableId}/records/aggregate", Title: "Aggregate records",
	Summary: "Count, sum and average records, also by group.",
	Description: "Use it instead of adding up records. Results are keyed as in sum(Price). A record " +
		"with several links is in the group of each. Returns groups, or with format rows a table.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:       ListCore,
		AnswerPage: true,
		Arguments: Arguments{
			"asOf": {}, "format": {}, "filters": {Text: asInQueryRecords},
			"groupBy": {
				Text: "fields, links, Company.Country, or day, week, month, quarter or year, as in month(Closed)",
			},
			"having":  {Text: "[{by, op, value}], by a result; op eq neq gt gte lt lte between"},
			"orderBy": {Text: "[{by, dir}], by a result or a groupBy"},
		},
	},
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
	GroupForm
},
) (RecordGroups, error) {
	groups, err := c.Records.Aggregate(ctx, c.actor(), c.Target.ID, query.Aggregation{
		View: in.View, Search: in.Search, Filters: in.Filters.Value, Functions: in.Aggregates.Value,
		GroupBy: in.GroupBy, Having: in.Having.Value, OrderBy: in.OrderBy.Value, Limit: in.Limit, AsOf: in.AsOf,
	})
	if err != nil {
		return RecordGroups{}, err
	}
	return writtenGroups(groups, in.GroupForm)
})

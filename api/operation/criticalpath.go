package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// GetCriticalPath says which records decide when the last one ends.
var GetCriticalPath = New(Def{
	Name: "get_critical_path", Method: "GET", Path: "/tables/{tableId}/records/critical-path",
	Title:   "Get the critical path",
	Summary: "Find the records whose delay would delay the last one.",
	Description: "Of records with a start that depend on each other, at most 10,000. Fields that are not named are " +
		"those of the view, as of a timeline. Returns end, how many records there are, and the records without slack " +
		"by their start; with maxSlack also those with little.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Heavy: true,
	Agent: Agent{Arguments: Arguments{"filters": {Text: asInQueryRecords}}},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	View             string  `json:"view,omitzero"`
	Search           string  `json:"search,omitzero" maxLength:"1000"`
	Filters          Filters `json:"filters,omitzero"`
	StartFieldID     string  `json:"startFieldId,omitzero" jsonschema:"id or name of a field with a date"`
	EndFieldID       string  `json:"endFieldId,omitzero" jsonschema:"id or name of a field with a date; without it a record takes a day"`
	DependsOnFieldID string  `json:"dependsOnFieldId,omitzero" jsonschema:"id or name of a link to the table itself: a record depends on those it links"`
	MaxSlack         int     `json:"maxSlack,omitzero" min:"0" max:"10000" jsonschema:"working days, Monday to Friday"`
},
) (record.Schedule, error) {
	return c.Records.Schedule(ctx, c.actor(), c.Target.ID, &record.ScheduleRequest{
		View: in.View, Search: in.Search, Filters: in.Filters.Value,
		Start: in.StartFieldID, End: in.EndFieldID, DependsOn: in.DependsOnFieldID, MaxSlack: in.MaxSlack,
	})
})

package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/form"
)

// AnswerForm answers a form.
var AnswerForm = New(Def{
	Name: "answer_form", Method: "POST", Path: "/views/{viewId}/answers", Title: "Answer form",
	Summary: "Create a record through a form, as the form asks for it.",
	Description: "Refuses fields that the form does not ask for after these answers, required ones that are empty, " +
		"and a form that is closed; create_records does not look at forms. Returns the record.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Replay: (*Call).replayRecords,
	Agent: Agent{Inside: map[string][]string{"fields": nil}},
}, func(ctx context.Context, c *Call, in struct {
	ViewIn
	Fields   Values `json:"fields"`
	Typecast bool   `json:"typecast,omitzero" jsonschema:"convert values of other types"`
},
) (RecordsWritten, error) {
	snapshot, err := c.Schema.Cached(ctx, c.Target.Org)
	if err != nil {
		return RecordsWritten{}, err
	}
	asks, err := form.Find(snapshot, c.Target.ID)
	if err != nil {
		return RecordsWritten{}, err
	}
	given := c.values(in.Fields)
	written, err := asks.Answer(ctx, c.Records, c.actor(), given, in.Typecast)
	if err == nil {
		err = c.narrowAll(written.Records, func(int) jsonvalue.ParsedObject { return given })
	}
	return RecordsWritten{Written: written}, err
})

package operation

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// RecordsMerged is the result of a merge, or of its plan.
type RecordsMerged struct{ record.Merged }

// JSONSchema describes what AppendJSON writes.
func (RecordsMerged) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Required: []string{"merged", "links", "comments", "record"},
		Properties: map[string]*jsonschema.Schema{
			"dryRun": {Type: "boolean"},
			"merged": {
				Type: "array", Items: &jsonschema.Schema{Type: "string"},
				Description: "ids of the records that went to the trash",
			},
			"links":    {Type: "integer", Description: "links that passed to the kept record"},
			"comments": {Type: "integer", Description: "comments that moved to the kept record"},
			"record":   recordSchema(),
		},
	}
}

// MergeRecords merges several records into one.
var MergeRecords = New(Def{
	Name: "merge_records", Method: "POST", Path: "/tables/{tableId}/records/merge", Title: "Merge records",
	Summary: "Merge up to 20 duplicate records of a table into one, with their links and comments.",
	Description: "A field keeps the value of the kept record or, if that is empty, gets the first of the others in " +
		"their order; fields decides otherwise. Multiple selects, several users, attachments and links to several " +
		"records are united. Links to the others and their comments pass to the kept record, and the others go to " +
		"the trash. With dryRun, changes nothing: returns the stored values and counts that would result. Returns " +
		"the record. revert_changes undoes all of it.",
	Whole: ChangesAll,
	Scope: authz.DataWrite, Destructive: true, Versioned: true, Replay: (*Call).replayMerge,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Keep   string   `json:"keep" jsonschema:"id of the record that stays"`
	Merge  []string `json:"merge" minItems:"1" maxItems:"20" jsonschema:"ids of the others"`
	Fields *Values  `json:"fields,omitzero" jsonschema:"values that decide, by field name"`
	DryRun bool     `json:"dryRun,omitzero" jsonschema:"only say what would result"`
},
) (RecordsMerged, error) {
	version, err := c.demandedVersion(ctx, in.Keep)
	if err != nil {
		return RecordsMerged{}, err
	}
	merge := record.Merge{Keep: in.Keep, Merge: in.Merge, Version: version, DryRun: in.DryRun}
	if in.Fields != nil {
		merge.Fields = c.values(*in.Fields)
	}
	merged, err := c.Records.Merge(ctx, c.actor(), c.Target.ID, merge)
	if err == nil {
		merged.Record, err = c.narrow(merged.Record, merge.Fields)
	}
	if version, ok := merged.Record.Version(); ok {
		c.version = &version
	}
	c.unwritten = in.DryRun
	return RecordsMerged{merged}, err
})

// replayMerge narrows the stored result of a merge, as Def.Replay. The record comes last in it.
func (c *Call) replayMerge(stored []byte) ([]byte, error) {
	if c.Principal.Has(authz.DataRead) {
		return stored, nil
	}
	var given jsonvalue.ParsedObject
	if len(c.input.objects) > 0 {
		given = c.input.objects[0]
	}
	record, err := c.narrow(stored, given)
	return append(record, '}'), err
}

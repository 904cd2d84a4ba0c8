package operation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// ExportIn says which records are exported.
type ExportIn struct {
	TableIn
	View    string   `json:"view,omitzero" jsonschema:"view id"`
	Search  string   `json:"search,omitzero" maxLength:"1000"`
	Filters Filters  `json:"filters,omitzero"`
	Sorts   Sorts    `json:"sorts,omitzero"`
	Fields  []string `json:"fields,omitzero" maxItems:"500" jsonschema:"names or ids; default all"`
	AtMoment
}

func (in *ExportIn) request() query.Request {
	return query.Request{
		View: in.View, Search: in.Search, Filters: in.Filters.Value, Sorts: in.Sorts.Value, Fields: in.Fields,
		AsOf: in.AsOf,
	}
}

// Exported is a part of an export.
type Exported struct {
	CSV     string `json:"csv"`
	Rows    int    `json:"rows" jsonschema:"in csv, without the line of names"`
	Total   int64  `json:"total"`
	HasMore bool   `json:"hasMore"`
	Cursor  string `json:"cursor,omitzero"`
	Guarded int    `json:"guarded,omitzero" jsonschema:"cells with an apostrophe in front, which spreadsheets would run"`
}

// ExportRecords writes records as CSV.
var ExportRecords = New(Def{
	Name: "export_records", Method: "POST", Path: "/tables/{tableId}/records/export", Title: "Export records",
	Summary: "Export the records of a table, a view or a filter as CSV.",
	Description: "import_records takes it. Linked records, people and files are written by name. Returns the " +
		"text, up to 5 MB or maxTokens, and a cursor for more. To look at some records, use query_records.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Heavy: true, AuditsReads: true,
	Reports: true,
	Agent: Agent{
		List: ListCommon,
		Form: AnswerCSV,
		Arguments: Arguments{
			"maxBytes": {Hidden: true}, "asOf": {Hidden: true}, "limit": {Hidden: true}, "search": {Hidden: true},
			"fields": {}, "filters": {}, "sorts": {}, "view": {},
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	ExportIn
	Limit    int    `json:"limit,omitzero" min:"1" max:"100000" jsonschema:"rows"`
	MaxBytes int    `json:"maxBytes,omitzero" min:"1000" max:"5242880" jsonschema:"of the CSV"`
	Cursor   string `json:"cursor,omitzero"`
},
) (Exported, error) {
	request := in.request()
	request.Limit, request.Cursor = in.Limit, in.Cursor
	if in.MaxBytes == 0 {
		in.MaxBytes = record.MaxExport
	}
	var text strings.Builder
	out, err := c.Records.Export(ctx, c.actor(), c.Target.ID, record.Export{Request: request, MaxBytes: in.MaxBytes},
		func(part []byte) error {
			text.Write(part) // never fails
			return nil
		})
	if auditErr := c.auditExport(ctx, out, in.Cursor != "", err); auditErr != nil {
		return Exported{}, auditErr
	}
	return Exported{
		CSV: text.String(), Rows: out.Rows, Total: out.Total, HasMore: out.HasMore, Cursor: out.Cursor,
		Guarded: out.Guarded,
	}, err
})

// auditExport records what an export has returned, even if it did not finish.
func (c *Call) auditExport(ctx context.Context, out record.Exported, continued bool, failure error) error {
	if failure != nil && out.Rows == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTime)
	defer cancel()
	err := c.DB.Batch(ctx, c.Target.Org, func(b *pgx.Batch) {
		audit.Record(ctx, b, c.Target.Org, &audit.Event{
			Action: "export_records", Subject: id.Format(id.Table, c.Target.ID), Detail: map[string]any{
				"rows": out.Rows, "continued": continued, "complete": failure == nil && !out.HasMore,
			},
		})
	})
	if err != nil {
		return fmt.Errorf("recording an export: %w", err)
	}
	return nil
}

// StreamExport writes a whole export as CSV, with the same checks as ExportRecords. It takes as
// long as its reader does; the caller limits that. The context of a write ends when the caller
// loses its rights.
func StreamExport(
	ctx context.Context, deps *Deps, request Request, write func(ctx context.Context, part []byte) error,
) error {
	started := time.Now()
	ctx, call := deps.newCall(ctx, request.Principal)
	err := call.nameless(ctx, ExportRecords.streamTo(ctx, call, request, write))
	err = whoWent(ctx, err)
	ExportRecords.observe(ctx, call, request, time.Since(started), err)
	return err
}

func (o *Operation) streamTo(
	ctx context.Context, call *Call, request Request, write func(ctx context.Context, part []byte) error,
) error {
	if err := o.authorize(ctx, call, request.Raw); err != nil {
		return err
	}
	if err := call.acquireSlot(ctx); err != nil {
		return err
	}
	defer func() { call.releaseSlot() }() // a waiting call may have replaced it
	ctx, release, err := o.watched(ctx, call, request)
	if err != nil {
		return err
	}
	defer release()
	var in ExportIn
	if err := json.Unmarshal(call.input.envelope, &in); err != nil {
		return err //nolint:wrapcheck // it was validated, so the schema and the struct disagree
	}
	ctx = call.bindActor(ctx, request, uuid.Nil, uuid.Nil)
	out, err := call.Records.Export(ctx, call.actor(), call.Target.ID, record.Export{Request: in.request()},
		func(part []byte) error { // the database is idle while the reader reads
			var written error
			if err := call.idle(ctx, func() { written = write(ctx, part) }); err != nil {
				return err
			}
			return written
		})
	return errors.Join(lost(ctx, err), call.auditExport(ctx, out, false, err))
}

package operation

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rowhouse/rowhouse/authz"
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
	Summary: "Export the records of a table, or of a view or a filter, as CSV of up to 5 MB.",
	Description: "The first line of each answer names the fields, and import_records takes it. Linked records are " +
		"written by name, or by id where the name is not theirs alone; files by name, people by id. A text that a " +
		"spreadsheet would run as a formula has an apostrophe in front, which an import takes away. What is cut " +
		"continues with the cursor. GET on the same path streams everything as text/csv.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
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
	return Exported{
		CSV: text.String(), Rows: out.Rows, Total: out.Total, HasMore: out.HasMore, Cursor: out.Cursor,
		Guarded: out.Guarded,
	}, err
})

// StreamExport writes all that an export has to w as CSV, with the same checks as ExportRecords. It takes as long as
// its reader does; the caller limits that.
func StreamExport(
	ctx context.Context, deps *Deps, principal *authz.Principal, requestID string, raw []byte, w io.Writer,
) error {
	started := time.Now()
	call := &Call{Deps: deps, Principal: principal}
	request := Request{Principal: principal, Raw: raw, ID: requestID}
	err := ExportRecords.streamTo(ctx, call, request, w)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		err = callerGoneError(err)
	}
	ExportRecords.observe(ctx, call, request, time.Since(started), err)
	return err
}

func (o *Operation) streamTo(ctx context.Context, call *Call, request Request, w io.Writer) error {
	if err := o.authorize(ctx, call, request.Raw); err != nil {
		return err
	}
	if err := call.acquireSlot(ctx); err != nil {
		return err
	}
	defer func() { call.releaseSlot() }() // of a waiting call it may be another one
	var in ExportIn
	if err := json.Unmarshal(call.input.envelope, &in); err != nil {
		return err //nolint:wrapcheck // it was validated, so the schema and the struct disagree
	}
	_, err := call.Records.Export(ctx, call.actor(), call.Target.ID, record.Export{Request: in.request()},
		func(part []byte) error { // the database is idle while the reader takes its time
			var written error
			if err := call.idle(ctx, func() { _, written = w.Write(part) }); err != nil {
				return err
			}
			return written
		})
	return err
}

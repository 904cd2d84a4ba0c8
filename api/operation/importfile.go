package operation

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// ColumnStyle says how a column writes what a single value leaves ambiguous.
type ColumnStyle struct {
	Decimal   string `json:"decimal,omitzero" enum:"point,comma" jsonschema:"sign, where the columns leave it open"`
	DateOrder string `json:"dateOrder,omitzero" enum:"DMY,MDY" jsonschema:"where the columns leave it open"`
}

func (s ColumnStyle) style() field.Style {
	return field.Style{Decimal: record.DecimalSigns[s.Decimal], Order: field.DateOrder(s.DateOrder)}
}

// FileForm says how a file is read. The import detects what is left out.
type FileForm struct {
	Encoding  string `json:"encoding,omitzero" maxLength:"20" jsonschema:"as utf-8 or windows-1252"`
	Delimiter string `json:"delimiter,omitzero" enum:"comma,semicolon,tab,pipe"`
}

// PreviewIn asks for a preview.
type PreviewIn struct {
	FileForm
	Header  *bool  `json:"header,omitzero" jsonschema:"whether a row names the columns"`
	Locale  string `json:"locale,omitzero" jsonschema:"language of the person, as pl" maxLength:"40"`
	Columns []struct {
		Type   string         `json:"type,omitzero" maxLength:"40"`
		Config jsontext.Value `json:"config,omitzero"`
		ColumnStyle
	} `json:"columns,omitzero" jsonschema:"fields to check values for; one without a type is skipped" maxItems:"500"`
}

func (in *PreviewIn) request(content []byte) *record.PreviewRequest {
	request := &record.PreviewRequest{
		Content:   content,
		Encoding:  in.Encoding,
		Delimiter: record.Delimiters[in.Delimiter],
		Header:    in.Header,
		Locale:    in.Locale,
	}
	for _, c := range in.Columns {
		request.Columns = append(request.Columns,
			record.PreviewColumn{Type: c.Type, Config: []byte(c.Config), Style: c.style()})
	}
	return request
}

// PreviewImport says how a CSV or TSV file is read. It reads no organization's data.
var PreviewImport = New(Def{
	Name:    "preview_import",
	Method:  "POST",
	Path:    "/imports/preview",
	Title:   "Preview an import",
	Summary: "Say how a file of CSV or TSV is read, and propose a type for each column.",
	Description: "Finds the encoding, the delimiter, the row that names the columns, and how each column writes " +
		"numbers " +
		"and dates. With columns, checks every value for a field of that type. POST files over 3 MB to /imports/file.",
	Scope:        authz.None,
	ReadOnly:     true,
	Idempotent:   true,
	BaseFiltered: true,
	Heavy:        true,
	Agent:        Agent{NotATool: "import_records with plan says how a text is read, and what is refused"},
}, func(ctx context.Context, c *Call, in struct {
	PreviewIn
	Content string `json:"content" minLength:"1" maxLength:"4500000" jsonschema:"base64"`
},
) (record.Preview, error) {
	content, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		return record.Preview{}, problem.Invalid("content", "is not base64 (RFC 4648, section 4)")
	}
	return c.preview(ctx, in.request(content))
})

// previews limits how many files are read at once, each of which takes a processor.
var previews = semaphore.NewWeighted(2)

func (c *Call) preview(ctx context.Context, in *record.PreviewRequest) (record.Preview, error) {
	if err := previews.Acquire(ctx, 1); err != nil {
		return record.Preview{}, problem.Unavailable(err)
	}
	defer previews.Release(1)
	preview, err := record.PreviewFile(in)
	if err != nil {
		return record.Preview{}, err
	}
	return *preview, nil
}

// PreviewFile is PreviewImport for content that arrives next to the other members of its input,
// with the same checks.
func PreviewFile(
	ctx context.Context, deps *Deps, principal *authz.Principal, requestID string, raw []byte,
	receive func() ([]byte, error),
) ([]byte, error) {
	started := time.Now()
	ctx, call := deps.newCall(ctx, principal)
	request := Request{Principal: principal, Raw: raw, ID: requestID}
	out, err := PreviewImport.previewStream(ctx, call, raw, receive)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		err = callerGoneError(err)
	}
	PreviewImport.observe(ctx, call, request, time.Since(started), err)
	return out, err
}

func (o *Operation) previewStream(
	ctx context.Context, call *Call, raw []byte, receive func() ([]byte, error),
) ([]byte, error) {
	if err := o.authorize(ctx, call, raw); err != nil {
		return nil, err
	}
	var in PreviewIn
	if err := json.Unmarshal(call.input.envelope, &in); err != nil {
		return nil, err //nolint:wrapcheck // it was validated, so the schema and the struct disagree
	}
	content, err := receive()
	if err != nil {
		return nil, err
	}
	if err := o.admit(ctx, call); err != nil {
		return nil, err
	}
	defer func() { call.releaseSlot() }()
	preview, err := call.preview(ctx, in.request(content))
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(preview)
	if err != nil {
		return nil, fmt.Errorf("encoding a preview: %w", err)
	}
	return encoded, nil
}

// ImportFile writes a part of a file.
var ImportFile = New(Def{
	Name:    "import_file",
	Method:  "POST",
	Path:    "/tables/{tableId}/records/import/file",
	Title:   "Import a part of a file",
	Summary: "Create records from a part of a file, as preview_import divides it.",
	Description: "Rows that do not fit are left out and listed with their cells; the others are written, all or " +
		"none, and " +
		"their ids are returned. " +
		"The parts of a file in one change set are one import.",
	Records: WritesRecords,
	Scope:   authz.DataWrite,
	Agent:   Agent{NotATool: "import_records takes the text of a file"},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	FileForm
	Content string `json:"content" minLength:"1" maxLength:"4500000" jsonschema:"base64"`
	Line    int    `json:"line" min:"1" jsonschema:"of the first row in the file"`
	Columns []struct {
		Field string `json:"field,omitzero" maxLength:"200" jsonschema:"name or id; none skips the column"`
		ColumnStyle
	} `json:"columns" minItems:"1" maxItems:"500"`
},
) (record.ImportResult, error) {
	content, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		return record.ImportResult{}, problem.Invalid("content", "is not base64 (RFC 4648, section 4)")
	}
	request := record.Import{
		CSV: string(
			content,
		),
		Encoding:    in.Encoding,
		Delimiter:   record.Delimiters[in.Delimiter],
		Line:        in.Line,
		SkipRefused: true,
		Detailed:    true,
		Columns:     []record.ImportColumn{},
		Credential:  c.Principal.Credential,
	}
	for _, column := range in.Columns {
		request.Columns = append(request.Columns, record.ImportColumn{Field: column.Field, Style: column.style()})
	}
	return c.Records.Import(ctx, c.actor(), c.Target.ID, request)
})

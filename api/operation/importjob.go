package operation

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// ColumnStyle says how a column writes what a single value leaves ambiguous.
type ColumnStyle struct {
	Decimal   string `json:"decimal,omitzero" enum:"point,comma" jsonschema:"sign, where the columns leave it open"`
	DateOrder string `json:"dateOrder,omitzero" enum:"DMY,MDY" jsonschema:"where the columns leave it open"`
}

func (s ColumnStyle) style() field.Style {
	return field.Style{Decimal: record.DecimalSigns[s.Decimal], Order: field.DateOrder(s.DateOrder)}
}

// FileToImport is a file of a job, and how it is read.
type FileToImport struct {
	File    string `json:"file,omitzero" maxLength:"100" jsonschema:"id of an upload of yours for the table or the base"`
	Content string `json:"content,omitzero" maxLength:"4500000" jsonschema:"base64, instead of file"`
	Sheet   string `json:"sheet,omitzero" maxLength:"200" jsonschema:"of a spreadsheet, or table of an export of Notion; default the first with rows"`

	// What is left out of these is found in the file.
	Encoding  string `json:"encoding,omitzero" maxLength:"20" jsonschema:"as utf-8 or windows-1252"`
	Delimiter string `json:"delimiter,omitzero" enum:"comma,semicolon,tab,pipe"`
	Header    *bool  `json:"header,omitzero" jsonschema:"whether a row names the columns"`
	Locale    string `json:"locale,omitzero" jsonschema:"language of the person, as pl" maxLength:"40"`
	DryRun    bool   `json:"dryRun,omitzero" jsonschema:"only report how the file is read and what would happen"`
	Apply     string `json:"apply,omitzero" maxLength:"200" jsonschema:"planToken of the report of a dry run with the same arguments and file: do exactly that, or say what has changed"`
}

// request is the request of the job.
func (in *FileToImport) request(onBad string) (*transfer.Import, error) {
	if onBad == "" {
		onBad = transfer.Refuse
	}
	out := &transfer.Import{
		Sheet: in.Sheet, Encoding: in.Encoding, Delimiter: record.Delimiters[in.Delimiter], Header: in.Header,
		Locale: in.Locale, OnBad: onBad, DryRun: in.DryRun,
	}
	switch {
	case in.File == "" && in.Content == "":
		return nil, problem.Invalid("file", "is required, or content")
	case in.File != "" && in.Content != "":
		return nil, problem.Invalid("file", "cannot be given together with content")
	case in.File != "":
		file, err := id.Parse(id.Attachment, in.File)
		if err != nil {
			return nil, problem.NotFound("file", in.File)
		}
		out.File = file
	}
	return out, nil
}

// beginImport stores the content of a request, if it has one, and begins the job.
func (c *Call) beginImport(
	ctx context.Context, kind transfer.Kind, in *FileToImport, request *transfer.Import,
) (Job, error) {
	if in.Content != "" {
		content, err := base64.StdEncoding.DecodeString(in.Content)
		if err != nil {
			return Job{}, problem.Invalid("content", "is not base64 (RFC 4648, section 4)")
		}
		name := request.Name
		if name == "" {
			name = "import"
		}
		// It is no upload, which would be an event of its own.
		file, err := c.Files.Keep(ctx, c.Target.Org, c.Principal.Person, c.Target.ID,
			strings.NewReplacer("/", "_", `\`, "_").Replace(name), "application/octet-stream", bytes.NewReader(content))
		if err != nil {
			return Job{}, err
		}
		request.File = file.ID
	}
	set := id.New()
	if request.DryRun {
		set = uuid.Nil
	}
	if in.Apply != "" {
		about := &transfer.Job{
			Org: c.Target.Org, Kind: kind, Person: c.Principal.Person, Base: c.Target.Base,
			Caller: transfer.Caller{Credential: c.Principal.Credential},
		}
		if kind == transfer.ImportTable {
			about.Table = c.Target.ID
		}
		var err error
		if ctx, err = c.Jobs.AcceptPlan(ctx, about, request, in.Apply); err != nil {
			return Job{}, err
		}
	}
	return c.begin(ctx, kind, request, set)
}

// ImportTable begins an import into a table.
var ImportTable = New(Def{
	Name: "import_table", Method: "POST", Path: "/tables/{tableId}/imports", Title: "Import a file into a table",
	Summary: "Begin a job that creates or upserts records from a file of any size.",
	Description: "CSV, TSV, XLSX, NDJSON, JSON, Parquet, vCard or iCalendar, also with gzip or zstd, a board of " +
		"Trello as JSON, or an export of Notion. Give content, or file: the id of POST " +
		"/tables/{tableId}/imports/uploads or of create_upload. Columns go to " +
		"the fields of their names, unless columns says otherwise; a type makes a new field, which needs " +
		"schema:write and a creator. A dry run proposes types, and links to tables that " +
		"columns name. Rows that do not fit are left out; get_job has them as a file, and the report. " +
		"Returns the job; one of a dry run is not listed. For up to 20,000 rows at once, use import_records.",
	Records: WritesRecords, Scope: authz.DataWrite, Destructive: true, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	FileToImport
	Columns []struct {
		Field  string         `json:"field,omitzero" maxLength:"200" jsonschema:"name or id; default that of the column's name"`
		Name   string         `json:"name,omitzero" maxLength:"200" jsonschema:"of a new field; default the column's"`
		Type   string         `json:"type,omitzero" maxLength:"40" jsonschema:"of a new field"`
		Config jsontext.Value `json:"config,omitzero" jsonschema:"of a new field"`
		Skip   bool           `json:"skip,omitzero"`
		ColumnStyle
	} `json:"columns,omitzero" maxItems:"500" jsonschema:"by position"`
	UpsertOn []string `json:"upsertOn,omitzero" jsonschema:"names of the fields to match on"`
	OnBad    string   `json:"onBad,omitzero" enum:"refuse,empty" jsonschema:"a value that does not fit: leave out its row, or its cell; default refuse"`
},
) (Job, error) {
	request, err := in.request(in.OnBad)
	if err != nil {
		return Job{}, err
	}
	request.UpsertOn = in.UpsertOn
	for i, column := range in.Columns {
		if column.Type != "" {
			if err := c.mayAddField(fmt.Sprintf("columns[%d].type", i), column.Type); err != nil {
				return Job{}, err
			}
		}
		request.Columns = append(request.Columns, transfer.ImportColumn{
			Skip: column.Skip, Field: column.Field, Name: column.Name, Type: column.Type,
			Config: json.RawMessage(column.Config), Style: column.style(),
		})
	}
	return c.beginImport(ctx, transfer.ImportTable, &in.FileToImport, request)
})

// mayAddField refuses those who may not make a field of a type with an import.
func (c *Call) mayAddField(path, kind string) error {
	if err := c.Principal.RequireScope(authz.SchemaWrite); err != nil {
		return err
	}
	if !c.Target.Role.AtLeast(schema.BaseCreator) {
		return problem.Forbidden("A new field needs the role %s in the base; yours is %s. Leave its column out.",
			schema.BaseCreator, c.Target.Role).WithCode(problem.CodeInsufficientRole)
	}
	t, err := schema.ParseType(path, kind)
	if err != nil {
		return err
	}
	return c.mayMakeOf(path, t)
}

// mayMakeOf refuses types of fields that an import does not make for the caller.
func (c *Call) mayMakeOf(path string, t schema.Type) error {
	if t.Info().ApplicationOnly && (!t.Info().Paired || c.Principal.Kind != authz.Session) {
		return c.applicationOnly(path, t)
	}
	return nil
}

// ImportBase begins an import into a new table.
var ImportBase = New(Def{
	Name: "import_base", Method: "POST", Path: "/bases/{baseId}/imports", Title: "Import a file into a new table",
	Summary: "Begin a job that makes a table of a file of any size.",
	Description: "CSV, TSV, XLSX, NDJSON, JSON, Parquet, vCard or iCalendar, also with gzip or zstd, a board of " +
		"Trello as JSON, or an export of Notion, a table of it at a time. Give content, or file: the id of POST " +
		"/bases/{baseId}/uploads. The type of each column is proposed from the whole file, unless columns names one. " +
		"Returns the job; get_job has its report, and rows that were left out as a file. A dry run is not listed.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	FileToImport
	Name    string `json:"name,omitzero" maxLength:"200" jsonschema:"of the table; default that of the sheet that was asked for, or of the file"`
	Columns []struct {
		Name   string         `json:"name,omitzero" maxLength:"200" jsonschema:"of the field; default the column's"`
		Type   string         `json:"type,omitzero" maxLength:"40" jsonschema:"default the proposed one"`
		Config jsontext.Value `json:"config,omitzero"`
		Skip   bool           `json:"skip,omitzero"`
		ColumnStyle
	} `json:"columns,omitzero" maxItems:"500" jsonschema:"by position"`
	OnBad string `json:"onBad,omitzero" enum:"refuse,empty,text" jsonschema:"a value that does not fit: leave out its row, or its cell, or make its column text; default refuse"`
},
) (Job, error) {
	if err := c.Principal.RequireScope(authz.DataWrite); err != nil {
		return Job{}, err
	}
	request, err := in.request(in.OnBad)
	if err != nil {
		return Job{}, err
	}
	request.Name = in.Name
	for i, column := range in.Columns {
		if column.Type != "" {
			path := fmt.Sprintf("columns[%d].type", i)
			t, err := schema.ParseType(path, column.Type)
			if err != nil {
				return Job{}, err
			}
			if err := c.mayMakeOf(path, t); err != nil {
				return Job{}, err
			}
		}
		request.Columns = append(request.Columns, transfer.ImportColumn{
			Skip: column.Skip, Name: column.Name, Type: column.Type, Config: json.RawMessage(column.Config),
			Style: column.style(),
		})
	}
	return c.beginImport(ctx, transfer.ImportBase, &in.FileToImport, request)
})

// UploadForImport stores a file for an import into a new table, which arrives as a stream. Its checks are those of
// ImportBase. See Upload.
func UploadForImport(
	ctx context.Context, deps *Deps, request Request, base string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	return uploadFor(ctx, deps, ImportBase, request, "baseId", base, in, content)
}

// UploadForTableImport is UploadForImport for an import into a table that is there, with the checks of ImportTable.
func UploadForTableImport(
	ctx context.Context, deps *Deps, request Request, table string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	return uploadFor(ctx, deps, ImportTable, request, "tableId", table, in, content)
}

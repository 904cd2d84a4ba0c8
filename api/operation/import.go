package operation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// ImportRecords creates or upserts records from CSV.
var ImportRecords = New(Def{
	Name: "import_records", Method: "POST", Path: "/tables/{tableId}/records/import", Title: "Import records",
	Summary: "Create or upsert records from CSV, up to 20,000 rows a call.",
	Description: "The first line names fields. Give csv, or file: the id of create_upload, which sends a large file " +
		"past you. Values are converted and options of selects added; a link names " +
		"records by id or primary value. If a row is refused, nothing is written, unless skipRefused leaves it " +
		"out. With plan, says first what would happen. Returns counts, the lines that were refused and why, and of a " +
		"longer file nextOffset, the offset of the next call.",
	Records:     WritesRecords,
	Scope:       authz.DataWrite,
	Reports:     true,
	Destructive: true,
	Agent: Agent{
		List:       ListCommon,
		AnswerPage: true,
		Arguments: Arguments{
			"decimal": {Hidden: true}, "dateOrder": {}, "skipRefused": {}, "upsertOn": {Text: asInCreateRecords},
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	CSV         string   `json:"csv,omitzero" minLength:"1" maxLength:"5242880"`
	File        string   `json:"file,omitzero" maxLength:"100" jsonschema:"id of an upload of yours, instead of csv"`
	Offset      int      `json:"offset,omitzero" min:"0" max:"10000000" jsonschema:"rows of file to pass over"`
	UpsertOn    []string `json:"upsertOn,omitzero" jsonschema:"names of the fields to match on"`
	SkipRefused bool     `json:"skipRefused,omitzero" jsonschema:"leave out rows that do not fit"`
	ColumnStyle
	Planned
},
) (Imported, error) {
	request := record.Import{
		CSV: in.CSV, UpsertOn: in.UpsertOn, SkipRefused: in.SkipRefused, Plan: in.Plan, Apply: in.Apply,
		Style: in.style(), Credential: c.Principal.Credential,
	}
	switch {
	case in.CSV == "" && in.File == "":
		return Imported{}, problem.Invalid("csv",
			"is required, or file: the id of a file that was sent to the address of create_upload")
	case in.CSV != "" && in.File != "":
		return Imported{}, problem.Invalid("file", "cannot be given together with csv")
	case in.File == "" && in.Offset > 0:
		return Imported{}, problem.Invalid("offset", "goes with file; csv has at most %d rows",
			record.MaxImport)
	case in.File != "":
		release, err := c.readUpload(ctx, in.File, &request.CSV)
		if err != nil {
			return Imported{}, err
		}
		defer release()
		request.Windowed, request.Offset = true, in.Offset
	}
	out, err := c.Records.Import(ctx, c.actor(), c.Target.ID, request)
	if err != nil {
		return Imported{}, err
	}
	return Imported{out, c.storeRefused(ctx, out.RefusedRows)}, nil
})

// Imported says what an import has done.
type Imported struct {
	record.ImportResult
	RefusedFile *File `json:"refusedFile,omitzero" jsonschema:"CSV of all refused rows, for a day, if refusals leaves some out"`
}

// storeRefused stores rows that an import refused as a file of its table, which is kept for a day.
// The other rows have been written, so a file that cannot be stored is no error: the result has the
// lines of all refused rows.
func (c *Call) storeRefused(ctx context.Context, rows [][]string) *File {
	if len(rows) == 0 || c.Files.CheckConfigured() != nil {
		return nil
	}
	var text bytes.Buffer
	for _, cells := range rows {
		for i := range cells {
			cells[i] = delimited.Guard(cells[i])
		}
		delimited.Write(&text, cells)
	}
	file, err := c.storeFile(context.WithoutCancel(ctx), attachment.Upload{
		Name: "refused.csv", Size: int64(text.Len()), Content: &text,
	})
	if err != nil {
		if c.Log != nil {
			c.Log.WarnContext(ctx, "the refused rows of an import were not stored", slog.Any("error", err))
		}
		return nil
	}
	return &file
}

// fileImports bounds how many imports have a file, of up to record.MaxPreview bytes, in memory: two of this process,
// and one of each organization, so that none holds both. Others wait, one of each organization for the process.
var fileImports = filePlaces{
	process: semaphore.NewWeighted(2),
	organizations: limit.NewBulkhead(limit.BulkheadOptions{
		Max: 1, Wait: 10 * time.Minute, // the deadline of the operation comes first
	}),
}

type filePlaces struct {
	process       *semaphore.Weighted
	organizations *limit.Bulkhead
}

// enter waits for a place and returns a function that gives it back.
func (p *filePlaces) enter(ctx context.Context, org uuid.UUID) (leave func(), err error) {
	next, err := p.organizations.Enter(ctx, org.String())
	if err != nil {
		if ctx.Err() != nil {
			err = problem.Unavailable(err)
		}
		return nil, err
	}
	if err := p.process.Acquire(ctx, 1); err != nil {
		next()
		return nil, problem.Unavailable(err)
	}
	return func() { p.process.Release(1); next() }, nil
}

// readUpload reads a file that the caller uploaded for the target. It refuses files of others:
// errors may quote a file, and a caller who may write need not be allowed to read.
func (c *Call) readUpload(ctx context.Context, public string, text *string) (release func(), err error) {
	file, err := id.Parse(id.Attachment, public)
	if err != nil {
		return nil, problem.NotFound("file", public)
	}
	stored, content, err := c.Files.Uploaded(ctx, c.Target.Org, c.Target.ID, c.Principal.Person, file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }() // it was only read
	if stored.Size > record.MaxPreview {
		return nil, &problem.Error{Kind: problem.KindTooLarge, Message: fmt.Sprintf(
			"The file has more than %d MB; divide it.", record.MaxPreview>>20)}
	}
	release, err = fileImports.enter(ctx, c.Target.Org)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(content, stored.Size))
	switch {
	case err != nil:
		release()
		return nil, fmt.Errorf("reading an uploaded file: %w", err)
	case len(raw) == 0:
		release()
		return nil, problem.Invalid("file", "is empty")
	}
	*text = string(raw)
	return release, nil
}

package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Format is the form of an exported file.
type Format string

// The formats. Archive is of a base only, and CSV, NDJSON and Parquet of a table only.
const (
	CSV     Format = "csv"
	XLSX    Format = "xlsx"
	NDJSON  Format = "ndjson"
	Parquet Format = "parquet"
	Archive Format = "archive"
)

// mediaTypes and extensions of the formats.
var (
	mediaTypes = map[Format]string{
		CSV: "text/csv", NDJSON: "application/x-ndjson", Archive: "application/zip",
		Parquet: "application/vnd.apache.parquet",
		XLSX:    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}
	extensions = map[Format]string{
		CSV: ".csv", NDJSON: ".ndjson", Archive: ".zip", XLSX: ".xlsx", Parquet: ".parquet",
	}
)

// An Export is the request of a job that exports.
type Export struct {
	Format  Format          `json:"format"`
	View    string          `json:"view,omitempty"`
	Search  string          `json:"search,omitempty"`
	Filters json.RawMessage `json:"filters,omitempty"`
	Sorts   json.RawMessage `json:"sorts,omitempty"`
	Fields  []string        `json:"fields,omitempty"`
	// Mark begins a CSV file with a byte order mark, without which spreadsheets do not read UTF-8.
	Mark bool `json:"mark,omitempty"`
}

// Query is the list of records that is exported from a table.
func (e *Export) Query() query.Request {
	return query.Request{
		View: e.View, Search: e.Search, Filters: e.Filters, Sorts: e.Sorts, Fields: e.Fields,
	}
}

// CheckExport returns the errors of an export of a table that can be known before it begins.
func (s *Store) CheckExport(ctx context.Context, actor record.Actor, table uuid.UUID, in *Export) error {
	request := in.Query()
	request.Limit = 1
	_, err := s.Records.List(ctx, actor, table, request)
	return err //nolint:wrapcheck // it is for the caller
}

// A sheetWriter writes the records of tables into one file. A table begins with its first page.
type sheetWriter interface {
	// begin begins a table. plain says that its pages need only records.
	begin(t *schema.Table, report *TableReport) error
	plain() bool
	write(p *record.ExportPage) error
	end() error   // the table
	close() error // the file
	discard()     // what a file that is not closed has left behind
}

// A rewriter is a sheetWriter that may find out only at the end how the file should have begun.
type rewriter interface {
	again() (bool, error) // whether all tables must be written once more
}

// noteEvery is how often the progress of an export is written down.
const noteEvery = time.Second

// exportTable exports the records of a table.
func (s *Store) exportTable(ctx context.Context, j *Job) error {
	var in Export
	if err := json.Unmarshal(j.Request, &in); err != nil {
		return fmt.Errorf("reading the request of a job: %w", err)
	}
	return s.export(ctx, j, in.Format, func(sn *schema.Snapshot) (string, []*schema.Table, error) {
		t := sn.Table(j.Table)
		if t == nil {
			return "", nil, problem.NotFound("table", id.Format(id.Table, j.Table))
		}
		return t.Name, []*schema.Table{t}, nil
	}, &in)
}

// exportBase exports all tables of a base that the person sees.
func (s *Store) exportBase(ctx context.Context, j *Job) error {
	var in Export
	if err := json.Unmarshal(j.Request, &in); err != nil {
		return fmt.Errorf("reading the request of a job: %w", err)
	}
	if in.Format == Archive {
		return s.exportArchive(ctx, j)
	}
	return s.export(ctx, j, in.Format, func(sn *schema.Snapshot) (string, []*schema.Table, error) {
		b := sn.Base(j.Base)
		if b == nil {
			return "", nil, problem.NotFound("base", id.Format(id.Base, j.Base))
		}
		return b.Name, b.Tables, nil
	}, &Export{Format: in.Format})
}

// export writes tables into a file, all as they are at one moment, and ends the job. A run that was interrupted leaves
// nothing, and the next one begins again.
func (s *Store) export(
	ctx context.Context, j *Job, format Format,
	choose func(sn *schema.Snapshot) (name string, tables []*schema.Table, err error), in *Export,
) (err error) {
	ctx, actor, err := s.asPerson(ctx, j, schema.BaseViewer, nil)
	if err != nil {
		return err
	}
	snapshot, err := s.Schema.Cached(ctx, j.Org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	name, tables, err := choose(snapshot)
	if err != nil {
		return err
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	j.Report = &Report{}
	w, err := s.writerOf(format, spool, in, j)
	if err != nil {
		return err
	}
	defer w.discard()
	err = s.DB.Snapshot(ctx, j.Org, func(ctx context.Context) error {
		err := s.writeTables(ctx, j, actor, tables, in, w)
		if one, ok := w.(rewriter); ok && err == nil {
			again := false
			if again, err = one.again(); again && err == nil {
				err = s.writeTables(ctx, j, actor, tables, in, w)
			}
		}
		return err
	})
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return err
	}
	for i := range j.Report.Tables {
		if n := j.Report.Tables[i].Guarded; n > 0 {
			j.Report.note("%s of %q: a spreadsheet would run what is in them as a formula, so they are marked as text.",
				problem.Count(n, "cell"), j.Report.Tables[i].Name)
		}
	}
	return s.finishWith(ctx, j, spool, fileName(name, extensions[format]), mediaTypes[format])
}

// finishWith ends a job whose result is a file.
func (s *Store) finishWith(ctx context.Context, j *Job, spool *os.File, name, mediaType string) error {
	file, err := s.keep(ctx, j, spool, name, mediaType)
	if err != nil {
		return err
	}
	return s.finish(ctx, j, &file)
}

// keep stores a file that a job has made, for a day.
func (s *Store) keep(ctx context.Context, j *Job, spool *os.File, name, mediaType string) (uuid.UUID, error) {
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return uuid.Nil, fmt.Errorf("going back in an export: %w", err)
	}
	about := j.Table
	if about == uuid.Nil {
		about = j.Base
	}
	file, err := s.Files.Keep(ctx, j.Org, j.Person, about, name, mediaType, spool)
	return file.ID, err //nolint:wrapcheck // it is for the person
}

// writeTables writes tables one after the other, and notes now and then how far it is.
func (s *Store) writeTables(
	ctx context.Context, j *Job, actor record.Actor, tables []*schema.Table, in *Export, w sheetWriter,
) error {
	done, total, noted := int64(0), int64(0), time.Now()
	j.Report.Tables = make([]TableReport, 0, len(tables)) // writers keep pointers into it
	for _, t := range tables {
		j.Report.Tables = append(j.Report.Tables, TableReport{ID: t.PublicID(), Name: t.Name})
		report := &j.Report.Tables[len(j.Report.Tables)-1]
		if err := w.begin(t, report); err != nil {
			return err
		}
		before, first := total, true
		err := s.Records.Pages(ctx, actor, t.ID, in.Query(), w.plain(), func(p *record.ExportPage) error {
			if first {
				total, first = before+p.Total, false
			}
			if err := w.write(p); err != nil {
				return err
			}
			report.Rows += len(p.Records)
			done += int64(len(p.Records))
			if time.Since(noted) < noteEvery {
				return nil
			}
			noted = time.Now()
			return s.note(ctx, j, done, total)
		})
		if err == nil {
			err = w.end()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writerOf returns the writer of a format.
func (s *Store) writerOf(
	format Format, spool *os.File, in *Export, j *Job,
) (sheetWriter, error) {
	switch format {
	case CSV:
		return newCSVWriter(spool, in.Mark)
	case NDJSON:
		return &ndjsonWriter{spool: spool}, nil
	case XLSX:
		return newXLSXWriter(spool, j.Report)
	case Parquet:
		return newParquetWriter(spool, j.Report), nil
	case Archive: // has a way of its own
	}
	return nil, fmt.Errorf("a job of the unknown format %q", format)
}

// newSpool returns an unlinked temporary file, which does not outlive the process.
func newSpool() (*os.File, error) {
	spool, err := os.CreateTemp("", "rowhouse-job-")
	if err != nil {
		return nil, fmt.Errorf("creating a temporary file: %w", err)
	}
	if err := os.Remove(spool.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("unlinking a temporary file: %w", err), spool.Close())
	}
	return spool, nil
}

// fileName makes a file name of the name of a table or a base.
func fileName(name, extension string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, ". ")
	if name == "" {
		name = "export"
	}
	if runes := []rune(name); len(runes) > 100 {
		name = string(runes[:100])
	}
	return name + extension
}

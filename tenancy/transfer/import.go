package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What becomes of a value that its field does not take.
const (
	Refuse = "refuse" // its row is left out
	Empty  = "empty"  // its cell is left empty
	Text   = "text"   // in a new table, its column becomes text
)

// stepRows is how many rows a step writes in one transaction: few, so that nobody waits long for one, and enough that
// what a step costs apart from them does not count. A part of a file is bounded in bytes, too.
const stepRows = 4000

// An Import is the request of a job that imports.
type Import struct {
	File uuid.UUID `json:"file"`
	// Name is that of the new table; "" takes the sheet's that was asked for, or the file's.
	Name      string         `json:"name,omitempty"`
	Sheet     string         `json:"sheet,omitempty"` // of a spreadsheet; "" is the first with rows
	Encoding  string         `json:"encoding,omitempty"`
	Delimiter byte           `json:"delimiter,omitempty"`
	Header    *bool          `json:"header,omitempty"`
	Locale    string         `json:"locale,omitempty"`
	Columns   []ImportColumn `json:"columns,omitempty"` // by position; those that are left out are as proposed
	UpsertOn  []string       `json:"upsertOn,omitempty"`
	OnBad     string         `json:"onBad"`
	DryRun    bool           `json:"dryRun,omitempty"` // report what would happen, and write nothing
	Applied   *AppliedPlan   `json:"applied,omitempty"`
}

// An ImportColumn is what a column of the file is for.
type ImportColumn struct {
	Skip   bool            `json:"skip,omitempty"`
	Field  string          `json:"field,omitempty"` // of the table: its name or id
	Name   string          `json:"name,omitempty"`  // of a new field
	Type   string          `json:"type,omitempty"`  // of a new field; needed in a table that is there
	Config json.RawMessage `json:"config,omitempty"`
	Style  field.Style     `json:"style,omitzero"`
}

// importProgress is what a step of an import needs of those before.
type importProgress struct {
	Columns []record.ImportColumn `json:"columns,omitempty"`
	New     []newField            `json:"new,omitempty"` // of a table that is there, still to be made
	Part    int                   `json:"part"`          // the next one
	// Refused are rows that were left out, each with its reason as the last cell, as far as they are kept for a file.
	Refused [][]string `json:"refused,omitempty"`
}

// A newField is a field that an import makes.
type newField struct {
	Name   string          `json:"name"`
	Type   schema.Type     `json:"type"`
	Config json.RawMessage `json:"config,omitempty"`
}

// importFile imports the file of a job: the first step decides what the columns are for, and makes the table if it is
// new, and each other step writes a part of the rows.
func (s *Store) importFile(ctx context.Context, j *Job) (err error) {
	var in Import
	if err := json.Unmarshal(j.Request, &in); err != nil {
		return fmt.Errorf("reading the request of a job: %w", err)
	}
	src, err := s.openSource(ctx, j, &in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	read, err := src.read(&in)
	if err != nil {
		return err
	}
	if in.DryRun {
		return s.dryRun(ctx, j, &in, src, read)
	}
	if j.step == 0 {
		if err := s.beginImport(ctx, j, &in, src, read); err != nil {
			return err
		}
	}
	var ahead *record.Reading
	for {
		more, err := s.importPart(ctx, j, &in, src, read, &ahead)
		if err != nil || !more {
			return err
		}
	}
}

// dryRun reports what an import would do, and changes nothing.
func (s *Store) dryRun(
	ctx context.Context, j *Job, in *Import, src *source, read *record.Preview,
) error {
	ctx, _, err := s.asImporter(ctx, j)
	if err != nil {
		return err
	}
	report, columns, specs, err := s.planColumns(ctx, j, in, src, read)
	if err != nil {
		return err
	}
	if len(in.Columns) == 0 {
		if err := s.proposeLinks(ctx, j, read, columns); err != nil {
			return err
		}
	}
	report.Reading = readingOf(src, read)
	if err := read.Check(specs); err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	table := &report.Tables[0]
	table.Refused = read.Refused
	table.refuse(read.Refusals, read.MoreRefusals)
	for _, option := range read.NewOptions {
		report.Reading.NewOptions = append(report.Reading.NewOptions, withoutNUL(option))
	}
	report.note("Nothing was written: this was a dry run. Names of linked records and people were not looked up.")
	if report.Offer, err = s.offer(ctx, j, in, src, read.Rows); err != nil {
		return err
	}
	j.Report = report
	return s.finish(ctx, j, nil)
}

// asImporter is asPerson for somebody who may write the job's table, or make one.
func (s *Store) asImporter(ctx context.Context, j *Job) (context.Context, record.Actor, error) {
	if j.Kind == ImportBase && j.step == 0 {
		return s.asPerson(ctx, j, schema.BaseCreator, nil)
	}
	return s.asPerson(ctx, j, schema.BaseEditor, func(sn *schema.Snapshot) bool {
		t := sn.Table(j.Table)
		if t == nil {
			return false
		}
		rights, own := t.Rights()
		return own && rights.Any()
	})
}

// beginImport does the first step of an import.
func (s *Store) beginImport(
	ctx context.Context, j *Job, in *Import, src *source, read *record.Preview,
) error {
	ctx, _, err := s.asImporter(ctx, j)
	if err != nil {
		return err
	}
	if in.Applied != nil {
		if err := s.checkPlan(ctx, j, in, src, read.Rows); err != nil {
			return err
		}
	}
	report, columns, specs, err := s.planColumns(ctx, j, in, src, read)
	if err != nil {
		return err
	}
	next := importProgress{Columns: columns}
	if j.Kind == ImportTable {
		for i := range columns {
			if isNew(in.Columns, i) {
				next.New = append(next.New, newField{columns[i].Field, schema.Type(specs[i].Type), specs[i].Config})
			}
		}
		if len(next.New) > 0 {
			if _, _, err := s.asPerson(ctx, j, schema.BaseCreator, nil); err != nil {
				return err
			}
		}
		err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) { s.queueImportStep(b, j, &next, report, read) })
		if err != nil {
			return fmt.Errorf("beginning an import: %w", err)
		}
		j.step, j.Report = j.step+1, report
		return s.keepImport(j, &next, read)
	}
	if in.OnBad == Text {
		if err := textInstead(read, specs, report); err != nil {
			return err
		}
	}
	var fields []catalog.FieldSpec
	for i := range specs {
		one := newField{columns[i].Field, schema.Type(specs[i].Type), specs[i].Config}
		switch one.Type {
		case "":
		case schema.LinkType: // it changes two tables, so it is made after this one
			next.New = append(next.New, one)
		default:
			fields = append(fields, catalog.FieldSpec{Name: one.Name, Type: one.Type, Config: one.Config})
		}
	}
	name, err := s.freeName(ctx, j, in.Name, src.name)
	if err != nil {
		return err
	}
	actor := db.ActorOf(ctx)
	report.Tables[0].Name = name
	actor.Step = func(b *pgx.Batch) {
		s.queueImportStep(b, j, &next, report, read)
		// The transaction has made the table, and no other one of the base has the name, unless it is in the trash.
		b.Queue(`update rowhouse.job set table_id = (select id from rowhouse.data_table
				where org_id = $1 and base_id = $3 and name = $4 order by id desc limit 1)
			where org_id = $1 and id = $2`, j.Org, j.ID, j.Base, name)
	}
	made, err := s.Schema.CreateTable(db.WithActor(ctx, actor), j.Org, j.Base, name, fields)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	report.Tables[0].ID, report.Tables[0].Name = made.PublicID(), made.Name
	j.Table, j.step, j.Report = made.ID, j.step+1, report
	return s.keepImport(j, &next, read)
}

// keepImport takes over the progress of a step that is done.
func (s *Store) keepImport(j *Job, next *importProgress, read *record.Preview) (err error) {
	if j.progress, err = json.Marshal(next); err != nil {
		return fmt.Errorf("encoding the progress of a job: %w", err)
	}
	s.announce(j, next.rows(read), int64(read.Rows))
	return nil
}

// rows is how many rows of the file are done.
func (at *importProgress) rows(read *record.Preview) int64 {
	done := 0
	for i := range min(at.Part, len(read.Parts)) {
		done += read.Parts[i].Rows
	}
	return int64(done)
}

// queueImportStep queues the note of a step of an import.
func (s *Store) queueImportStep(b *pgx.Batch, j *Job, next *importProgress, report *Report, read *record.Preview) {
	progress, err := json.Marshal(next)
	if err != nil {
		progress = nil // the statement fails
	}
	encoded, err := json.Marshal(report)
	if err != nil {
		encoded = nil
	}
	s.queueStep(b, j, "progress = $5, report = $6, done = $7, total = $8", progress, encoded, next.rows(read),
		read.Rows)
}

// partOf is the import of a part of a file.
func (at *importProgress) partOf(in *Import, src *source, read *record.Preview, n int) record.Import {
	part := read.Parts[n]
	return record.Import{
		CSV: string(src.content[part.From:part.To]), Encoding: read.Encoding,
		Delimiter: record.Delimiters[read.Delimiter],
		Columns:   at.Columns, Styled: true, Line: part.Line, UpsertOn: in.UpsertOn, SkipRefused: true, Detailed: true,
		EmptyUnfit: in.OnBad == Empty,
	}
}

// importPart does the next step of an import, and reports whether there was one. After the last it ends the job. ahead
// is the part as it was read before, or nil, and then the part after it.
func (s *Store) importPart(
	ctx context.Context, j *Job, in *Import, src *source, read *record.Preview, ahead **record.Reading,
) (more bool, err error) {
	var at importProgress
	if err := json.Unmarshal(j.progress, &at); err != nil {
		return false, fmt.Errorf("reading the progress of a job: %w", err)
	}
	if err := context.Cause(ctx); err != nil {
		return false, err //nolint:wrapcheck // errStopped, or that of the context
	}
	switch {
	case len(at.New) > 0:
		return true, s.makeField(ctx, j, read, &at)
	case at.Part >= len(read.Parts):
		return false, s.finishImport(ctx, j, src, read, &at)
	}
	ctx, actor, err := s.asImporter(ctx, j)
	if err != nil {
		return false, err
	}
	j.Report.Tables[0].ID = id.Format(id.Table, j.Table)
	next := importProgress{Columns: at.Columns, Part: at.Part + 1, Refused: at.Refused}
	var report *Report
	noted := false
	part := at.partOf(in, src, read, at.Part)
	part.Ahead, *ahead = *ahead, nil
	if next.Part < len(read.Parts) {
		*ahead = s.Records.ReadAhead(ctx, actor, j.Table, at.partOf(in, src, read, next.Part))
	}
	part.Step = func(b *pgx.Batch, out *record.ImportResult) {
		report, noted = j.Report.with(out), true
		next.refuse(at.Refused, out)
		s.queueImportStep(b, j, &next, report, read)
	}
	out, err := s.Records.Import(ctx, actor, j.Table, part)
	if err != nil {
		return false, err //nolint:wrapcheck // it is for the person
	}
	if !noted { // nothing was written
		report = j.Report.with(&out)
		next.refuse(at.Refused, &out)
		err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) { s.queueImportStep(b, j, &next, report, read) })
		if err != nil {
			return false, fmt.Errorf("noting a step: %w", err)
		}
	}
	j.step, j.Report = j.step+1, report
	return true, s.keepImport(j, &next, read)
}

// makeField makes the next of the new fields of a table that is there.
func (s *Store) makeField(ctx context.Context, j *Job, read *record.Preview, at *importProgress) error {
	ctx, _, err := s.asPerson(ctx, j, schema.BaseCreator, nil)
	if err != nil {
		return err
	}
	next := *at
	next.New = at.New[1:]
	actor := db.ActorOf(ctx)
	actor.Step = func(b *pgx.Batch) { s.queueImportStep(b, j, &next, j.Report, read) }
	f := at.New[0]
	_, err = s.Schema.CreateField(db.WithActor(ctx, actor), j.Org, j.Table, catalog.FieldSpec{
		Name: f.Name, Type: f.Type, Config: f.Config,
	})
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	j.step++
	return s.keepImport(j, &next, read)
}

// maxRefusedText bounds the cells of refused rows that are kept for a file, in bytes.
const maxRefusedText = 256 << 10

// refuse adds the rows that a part has left out to those before it.
func (at *importProgress) refuse(before [][]string, out *record.ImportResult) {
	at.Refused = slices.Clone(before)
	size := 0
	for _, row := range before {
		size += len(strings.Join(row, ""))
	}
	for i := range out.Refusals {
		one := &out.Refusals[i]
		if one.Cells == nil { // another mistake of the same row, or a cell that was left empty
			continue
		}
		row := make([]string, 0, len(one.Cells)+1)
		for _, cell := range one.Cells {
			row = append(row, withoutNUL(cell))
		}
		reason := one.Message
		if one.Field != "" {
			reason = one.Field + ": " + reason
		}
		row = append(row, reason)
		if size += len(strings.Join(row, "")); size > maxRefusedText {
			return
		}
		at.Refused = append(at.Refused, row)
	}
}

// finishImport ends an import with a file of the rows that it left out, to be corrected and imported.
func (s *Store) finishImport(
	ctx context.Context, j *Job, src *source, read *record.Preview, at *importProgress,
) error {
	if len(at.Refused) == 0 {
		return s.finish(ctx, j, nil)
	}
	var text bytes.Buffer
	write := func(cells []string, last string) {
		line := make([]string, len(read.Columns), len(read.Columns)+1)
		copy(line, cells)
		for i := range line {
			line[i] = delimited.Guard(line[i])
		}
		delimited.Write(&text, append(line, delimited.Guard(last)))
	}
	names := make([]string, len(read.Columns))
	for i := range names {
		names[i] = read.Columns[i].Name
	}
	write(names, "Reason")
	for _, row := range at.Refused {
		write(row[:len(row)-1], row[len(row)-1])
	}
	if n := j.Report.Tables[0].Refused; n > len(at.Refused) {
		j.Report.note("The file of rows that were left out has the first %d of %d.", len(at.Refused), n)
	}
	name := unpackedName(src.name)
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	file, err := s.Files.Keep(ctx, j.Org, j.Person, j.Table, fileName(name+" - refused", extensions[CSV]),
		mediaTypes[CSV], bytes.NewReader(text.Bytes()))
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	return s.finish(ctx, j, &file.ID)
}

// with is the report after another part.
func (r *Report) with(out *record.ImportResult) *Report {
	next := *r
	next.Tables = slices.Clone(r.Tables)
	t := &next.Tables[0]
	t.Refusals = slices.Clone(t.Refusals)
	t.Created, t.Updated, t.Refused, t.Emptied = t.Created+out.Created, t.Updated+out.Updated, t.Refused+out.Refused,
		t.Emptied+out.Emptied
	t.refuse(out.Refusals, out.MoreRefusals)
	return &next
}

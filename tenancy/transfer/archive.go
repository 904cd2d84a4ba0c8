package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// exportArchive writes the base of a job into an archive, and ends the job.
func (s *Store) exportArchive(ctx context.Context, j *Job) (err error) {
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	j.Report = &Report{}
	base, err := s.archive(ctx, j, spool, true, nil)
	if err != nil {
		return err
	}
	j.Report.note("The history, what is in the trash, personal views, permissions, shared links, keys and webhooks " +
		"are not in the archive.")
	return s.finishWith(ctx, j, spool, fileName(base, extensions[Archive]), mediaTypes[Archive])
}

// archive writes an archive of the base of a job as its person sees it at one moment, and returns the name of the base.
// only, unless nil, is the one table that is written.
func (s *Store) archive(ctx context.Context, j *Job, spool *os.File, records bool, only *uuid.UUID) (string, error) {
	ctx, actor, err := s.asPerson(ctx, j, schema.BaseViewer, nil)
	if err != nil {
		return "", err
	}
	snapshot, err := s.Schema.Cached(ctx, j.Org)
	if err != nil {
		return "", fmt.Errorf("reading the schema: %w", err)
	}
	base := snapshot.Base(j.Base)
	if base == nil {
		return "", problem.NotFound("base", id.Format(id.Base, j.Base))
	}
	out := &archiving{
		Store: s, j: j, actor: actor, snapshot: snapshot, noted: time.Now(), people: map[uuid.UUID]bool{},
		files: map[string][]uuid.UUID{},
	}
	tables := base.Tables
	if only != nil {
		tables = slices.DeleteFunc(slices.Clone(tables), func(t *schema.Table) bool { return t.ID != *only })
	}
	err = s.DB.Snapshot(ctx, j.Org, func(ctx context.Context) error {
		return out.write(ctx, spool, base, tables, records, only == nil)
	})
	if err != nil {
		return "", err
	}
	return base.Name, out.finish(ctx, records)
}

// archiving is the writing of an archive. What it keeps in memory are the ids of people and files, and the manifest.
type archiving struct {
	*Store

	j        *Job
	actor    record.Actor
	snapshot *schema.Snapshot
	to       *archive.Writer
	base     archive.Base
	people   map[uuid.UUID]bool
	members  []archive.Person
	files    map[string][]uuid.UUID // in the records of tables, by their public ids

	done, total int64
	noted       time.Time
}

// write writes the structure and the records. It is called in a snapshot of the database.
func (a *archiving) write(
	ctx context.Context, spool io.Writer, base *schema.Base, tables []*schema.Table, records, dashboards bool,
) error {
	if err := a.describe(ctx, base, tables, dashboards); err != nil {
		return err
	}
	var err error
	if a.to, err = archive.NewWriter(spool, &a.base, !records); err != nil {
		return err //nolint:wrapcheck // it says what
	}
	a.j.Report.Tables = make([]TableReport, len(tables))
	for i, t := range tables {
		report := &a.j.Report.Tables[i]
		*report = TableReport{ID: t.PublicID(), Name: t.Name, Fields: len(t.Fields), Views: len(a.base.Tables[i].Views)}
		if records {
			if err := a.records(ctx, t, &a.base.Tables[i], report); err != nil {
				return err
			}
			if a.j.Kind == DuplicateBase || a.j.Kind == DuplicateTable { // a copy begins without what was said
				continue
			}
			if err := a.comments(ctx, t, &a.base.Tables[i], report); err != nil {
				return err
			}
		}
	}
	return a.findMembers(ctx)
}

// describe makes the structure of the base of what the person sees.
func (a *archiving) describe(
	ctx context.Context, base *schema.Base, tables []*schema.Table, dashboards bool,
) error {
	a.base = archive.Base{Name: base.Name, TimeZone: base.TimeZone, Icon: iconOf(base.Icon), Tables: []archive.Table{}}
	personal := 0
	for _, t := range tables {
		out := archive.Table{
			ID: t.PublicID(), Number: t.Number, Name: t.Name, Icon: iconOf(t.Icon), Fields: []archive.Field{},
		}
		for _, f := range t.Fields {
			config := jsonvalue.Must(f.Config)
			a.mention(config)
			out.Fields = append(out.Fields, archive.Field{
				ID: f.PublicID(), Name: f.Name, Type: string(f.Type()), Primary: f.IsPrimary, Hidden: f.Hidden,
				Width: f.Width, Config: config,
			})
		}
		for _, v := range t.Views {
			if v.Access == schema.Personal || v.Concealed {
				personal++
				continue
			}
			config := jsonvalue.Must(v.Config)
			a.mention(config)
			out.Views = append(out.Views, archive.View{
				ID: v.PublicID(), Name: v.Name, Type: string(v.Type), Access: string(v.Access), Config: config,
			})
		}
		if t.Primary() == nil { // it is hidden, and nobody can name the records
			return problem.Conflict("The primary field of the table %q is hidden from you, so it cannot be exported "+
				"to an archive.", t.Name)
		}
		a.base.Tables = append(a.base.Tables, out)
	}
	if a.snapshot.IsPartial(base.ID) {
		a.j.Report.note("What you do not see of the base is not in the archive: some of its tables, fields or records.")
	}
	if personal > 0 {
		a.j.Report.note("%s left out: personal ones, and those whose filters name fields that you do not see.",
			problem.Count(personal, "view"))
	}
	if !dashboards {
		return nil
	}
	sees := func(view string) bool {
		return slices.ContainsFunc(a.base.Tables, func(t archive.Table) bool {
			return slices.ContainsFunc(t.Views, func(v archive.View) bool { return v.ID == view })
		})
	}
	found, err := dashboard.New(a.DB).List(ctx, a.j.Org, base.ID, sees)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	for _, d := range found {
		a.base.Dashboards = append(a.base.Dashboards, archive.Dashboard{Name: d.Name, Tiles: jsonvalue.Must(d.Tiles)})
	}
	return nil
}

func iconOf(icon *schema.Icon) json.RawMessage {
	if icon == nil {
		return nil
	}
	return jsonvalue.Must(icon)
}

// mention notes the people whom a config names.
func (a *archiving) mention(config json.RawMessage) {
	for _, person := range (&archive.Renaming{}).Strangers(config) {
		a.people[person] = true
	}
}

// records writes the records of a table.
func (a *archiving) records(ctx context.Context, t *schema.Table, out *archive.Table, report *TableReport) error {
	to, err := a.to.Records(out)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	lines := &archiveLines{authors: !t.Partial(), people: a.people, withoutFiles: a.j.withoutFiles}
	before := a.total
	err = a.Records.WrittenPages(ctx, a.actor, t.ID, func(p *record.WrittenPage) error {
		if p.Version != t.Version {
			return problem.Conflict("The fields of the table %q were changed during the export; begin again.", t.Name).
				WithCode(problem.CodeSchemaChanged)
		}
		a.total = before + p.Total
		text, err := lines.page(t, p)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return fmt.Errorf("writing records into an archive: %w", err)
		}
		report.Rows += len(p.Records)
		a.done += int64(len(p.Records))
		if time.Since(a.noted) < noteEvery {
			return nil
		}
		a.noted = time.Now()
		return a.note(ctx, a.j, a.done, a.total)
	})
	if err != nil {
		return err
	}
	report.SHA256, report.Links = a.to.EndRecords(out, report.Rows), lines.links
	if !lines.authors {
		a.j.Report.note("Who made and changed the records of %q is not in the archive, because fields of the table "+
			"are hidden from you.", t.Name)
	}
	slices.SortFunc(lines.files, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	a.files[out.ID] = slices.Compact(lines.files)
	return nil
}

// findMembers finds the names and addresses of people, as far as the person of the job sees them. Nobody is shown an
// archive that a copy is made of.
func (a *archiving) findMembers(ctx context.Context) error {
	if a.j.Caller.Memberless && a.j.Kind == ExportBase {
		a.j.Report.note("Names and e-mail addresses of people are not in the archive, because the credential may not " +
			"read who is a member.")
		return nil
	}
	member, err := a.Schema.Member(ctx, a.j.Org, a.j.Person)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	ids := make([]uuid.UUID, 0, len(a.people))
	for person := range a.people {
		ids = append(ids, person)
	}
	err = a.DB.Batch(ctx, a.j.Org, func(b *pgx.Batch) {
		b.Queue(`select p.id, p.email, coalesce(p.name, ''), m.role from rowhouse.member m
			join rowhouse.person p on p.id = m.person_id where m.org_id = $1 and m.person_id = any ($2) order by p.id`,
			a.j.Org, ids).Query(func(rows pgx.Rows) error {
			var person uuid.UUID
			var email, name string
			var role organization.Role
			_, err := pgx.ForEachRow(rows, []any{&person, &email, &name, &role}, func() error {
				if member.Role == organization.Guest && person != a.j.Person &&
					!a.snapshot.Share(schema.Subject{Person: person, Role: role}) {
					return nil
				}
				a.members = append(a.members, archive.Person{ID: id.Format(id.User, person), Email: email, Name: name})
				return nil
			})
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("reading the people of an archive: %w", err)
	}
	return nil
}

// finish writes the files and ends the archive. Files do not change, so that they need no snapshot, which would stay
// open while they are copied.
func (a *archiving) finish(ctx context.Context, records bool) error {
	for i := range a.base.Tables {
		t := &a.base.Tables[i]
		for _, file := range a.files[t.ID] {
			if err := context.Cause(ctx); err != nil {
				return err //nolint:wrapcheck // errStopped, or that of the context
			}
			came, err := a.file(ctx, t, file)
			if err != nil {
				return err
			}
			if came {
				a.j.Report.Tables[i].Files++
			} else {
				a.j.Report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The content of a file is gone."})
			}
		}
	}
	if !records {
		a.j.Report.note("Records were left out.")
	}
	return a.to.Close(a.members) //nolint:wrapcheck // it says what
}

func (a *archiving) file(ctx context.Context, t *archive.Table, file uuid.UUID) (came bool, err error) {
	stored, content, err := a.Files.Content(ctx, a.j.Org, file, false)
	if problem.KindOf(err) == problem.KindNotFound {
		return false, nil
	}
	if err != nil {
		return false, err //nolint:wrapcheck // it says what
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	return true, a.to.File( //nolint:wrapcheck // it says what
		archive.Entry{Path: archive.FilePath(file), TableID: t.ID, Name: stored.Name}, content)
}

// archiveLines writes records as lines of an archive.
type archiveLines struct {
	authors bool               // say who made and changed records
	rename  *archive.Renaming  // nil: the ids stay
	people  map[uuid.UUID]bool // whom the records name; nil: nobody asks
	files   []uuid.UUID        // in the records, perhaps several times
	links   int

	withoutFiles bool // attachments are left out

	text []byte
}

// page returns the lines of a page, which are valid until the next one.
func (l *archiveLines) page(t *schema.Table, p *record.WrittenPage) ([]byte, error) {
	l.text = l.text[:0]
	number := t.Number
	if l.rename != nil {
		number = l.rename.Number(number)
	}
	for i := range p.Records {
		r := &p.Records[i]
		row := r.Row
		if l.rename != nil {
			row = l.rename.ID(row)
		}
		l.text = append(id.AppendRecord(append(l.text, `{"id":"`...), number, row), '"')
		l.time("createdTime", r.CreatedAt)
		if l.authors {
			l.person("createdBy", r.CreatedBy)
			l.time("updatedTime", r.UpdatedAt)
			l.person("updatedBy", r.UpdatedBy)
		}
		l.text = append(l.text, `,"fields":{`...)
		first := true
		for at, f := range p.Fields {
			value, err := l.value(f, r.Values[at])
			if err != nil {
				return nil, fmt.Errorf("reading a value of %q: %w", f.Name, err)
			}
			if value == nil {
				continue
			}
			if !first {
				l.text = append(l.text, ',')
			}
			first = false
			l.text = append(append(append(l.text, jsonvalue.Must(f.Name)...), ':'), value...)
		}
		l.text = append(l.text, '}', '}', '\n')
	}
	return l.text, nil
}

func (l *archiveLines) time(key string, at time.Time) {
	l.text = append(append(l.text, `,"`...), key...)
	l.text = append(at.UTC().AppendFormat(append(l.text, `":"`...), time.RFC3339Nano), '"')
}

func (l *archiveLines) person(key string, person uuid.UUID) {
	if person == uuid.Nil {
		return
	}
	if l.people != nil {
		l.people[person] = true
	}
	if l.rename != nil {
		known := false
		if person, known = l.rename.Person(person); !known {
			return
		}
	}
	l.text = append(append(l.text, `,"`...), key...)
	l.text = append(append(append(l.text, `":"`...), id.Format(id.User, person)...), '"')
}

// value is a value as it stands in an archive; nil for none.
func (l *archiveLines) value(f *schema.Field, raw json.RawMessage) (json.RawMessage, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null" || string(raw) == "[]" && f.Link != nil:
		return nil, nil
	case f.Link != nil:
		l.links += strings.Count(string(raw), `"rec_`)
	case f.Info().People:
		for _, person := range (&archive.Renaming{}).Strangers(raw) {
			if l.people != nil {
				l.people[person] = true
			}
		}
	case isFiled(f) && l.withoutFiles:
		return nil, nil
	case isFiled(f):
		return l.filed(raw)
	default:
		return raw, nil
	}
	if l.rename != nil {
		raw = l.rename.JSON(raw)
	}
	return raw, nil
}

// An archivedFile is a file in a value: what of it people can choose.
type archivedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (l *archiveLines) filed(raw json.RawMessage) (json.RawMessage, error) {
	var cell []archivedFile
	if err := json.Unmarshal(raw, &cell); err != nil || len(cell) == 0 {
		return nil, err //nolint:wrapcheck // page does
	}
	for i := range cell {
		file, err := id.Parse(id.Attachment, cell[i].ID)
		if err != nil {
			return nil, err //nolint:wrapcheck // page does
		}
		l.files = append(l.files, file)
		if l.rename != nil {
			cell[i].ID = id.Format(id.Attachment, l.rename.ID(file))
		}
	}
	return jsonvalue.Must(cell), nil
}

func isFiled(f *schema.Field) bool {
	_, is := f.Kind.(field.Filed)
	return is
}

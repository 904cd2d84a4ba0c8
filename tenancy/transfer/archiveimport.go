package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// An ArchiveImport is the request of a job that makes a base, or a table, of an archive: of one that was uploaded, or
// of one that the job makes of what it copies.
type ArchiveImport struct {
	Workspace uuid.UUID `json:"workspace,omitzero"` // for the new base
	File      uuid.UUID `json:"file,omitzero"`      // that the person has uploaded for the workspace
	// Name is that of the new base or table; "" is that in the archive.
	Name string `json:"name,omitempty"`

	// Of a copy: what is copied, and whether its records are.
	Base           uuid.UUID `json:"base,omitzero"`
	Table          uuid.UUID `json:"table,omitzero"` // zero: the whole base
	WithoutRecords bool      `json:"withoutRecords,omitempty"`
}

// An archivePhase is a part of the work of an import. It is stored, so it must not change.
type archivePhase string

// The phases, in their order. Nothing is written before the archive is known to be whole. Records come before links,
// since they link to each other, and who has changed them comes after those, since links change records.
const (
	archiveRead       archivePhase = ""
	archiveStructure  archivePhase = "structure"
	archiveFiles      archivePhase = "files"
	archiveRecords    archivePhase = "records"
	archiveLinks      archivePhase = "links"
	archiveAuthors    archivePhase = "authors"
	archiveComments   archivePhase = "comments"
	archiveNumbers    archivePhase = "numbers"
	archiveDashboards archivePhase = "dashboards"
	archiveCompared   archivePhase = "compared"
	archiveEnd        archivePhase = "end"
)

// archiveProgress is what a step of an import needs of those before.
type archiveProgress struct {
	Phase   archivePhase `json:"phase,omitempty"`
	File    uuid.UUID    `json:"file,omitzero"`     // the archive of a copy, or of a backup before its encryption
	Numbers []int32      `json:"numbers,omitempty"` // of the new tables, in the order of the archive
	Table   int          `json:"table,omitempty"`   // whose records are written, by its place in the archive
	Line    int          `json:"line,omitempty"`    // the next one, from 0
	Left    []uuid.UUID  `json:"left,omitempty"`    // files of the archive that were refused
	Done    int64        `json:"done,omitempty"`
	Total   int64        `json:"total,omitempty"`

	// Of a backup: what was written into the bucket, and the base in which it is tested.
	Uploaded *uploadedBackup `json:"uploaded,omitempty"`
	Scratch  uuid.UUID       `json:"scratch,omitzero"`
}

func (p archiveProgress) counts() (done, total int64) { return p.Done, p.Total }

// archiveRun is a run of an import.
type archiveRun struct {
	stepping[archiveProgress]

	in     ArchiveImport
	from   *archive.Archive
	rename *archive.Renaming // once the tables have numbers
	people map[uuid.UUID]uuid.UUID
}

type archiveStep = jobStep[archiveProgress]

// importArchive makes a base or a table of an archive.
func (s *Store) importArchive(ctx context.Context, j *Job) (err error) {
	steps, err := steppingOf[archiveProgress](s, j)
	if err != nil {
		return err
	}
	r := &archiveRun{stepping: steps}
	if err := json.Unmarshal(j.Request, &r.in); err != nil {
		return fmt.Errorf("reading the request of a job: %w", err)
	}
	defer func() { j.Report = r.report }()
	if r.isCopy() && r.progress.File == uuid.Nil {
		if err := r.makeArchive(ctx); err != nil {
			return err
		}
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	size, err := r.fetch(ctx, spool)
	if err != nil {
		return err
	}
	if r.from, err = archive.Open(spool, size); err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	return r.run(ctx)
}

// isBackup reports whether the base is made to test a backup.
func (r *archiveRun) isBackup() bool { return r.j.Kind == BackupBase }

// made is the base that is made, or into which a table is copied.
func (r *archiveRun) made() uuid.UUID {
	if r.isBackup() {
		return r.progress.Scratch
	}
	return r.j.Base
}

func (r *archiveRun) isCopy() bool { return r.in.Base != uuid.Nil }

// makeArchive writes what is copied into an archive, so that the copy is of one moment, whoever goes on with it.
func (r *archiveRun) makeArchive(ctx context.Context) (err error) {
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	var only *uuid.UUID
	if r.in.Table != uuid.Nil {
		only = &r.in.Table
	}
	r.j.Report = &Report{}
	if _, err := r.archive(ctx, r.j, spool, !r.in.WithoutRecords, only); err != nil {
		return err
	}
	file, err := r.keep(ctx, r.j, spool, "copy.zip", mediaTypes[Archive])
	if err != nil {
		return err
	}
	next := r.next()
	next.progress.File = file
	for _, note := range r.j.Report.Notes {
		next.report.noteOnce(note)
	}
	return r.commit(ctx, next, nil)
}

// fetch copies the archive to where any part of it can be read.
func (r *archiveRun) fetch(ctx context.Context, spool io.Writer) (size int64, err error) {
	var content attachment.Content
	if r.isCopy() {
		_, content, err = r.Files.Content(ctx, r.j.Org, r.progress.File, false)
	} else {
		_, content, err = r.Files.Uploaded(ctx, r.j.Org, r.in.Workspace, r.j.Person, r.in.File)
	}
	if err != nil {
		return 0, err //nolint:wrapcheck // it is for the person
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	if size, err = io.Copy(spool, content); err != nil {
		return 0, problem.Unavailable(fmt.Errorf("reading an archive: %w", err))
	}
	return size, nil
}

// incomplete stands in the report from the first step to the last one.
const incomplete = "The import has not come to its end, so not all is here. Delete what came, and import again."

func (r *archiveRun) run(ctx context.Context) error {
	if err := r.runPhases(ctx); err != nil {
		return err
	}
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	r.report.Notes = slices.DeleteFunc(r.report.Notes, func(note string) bool { return note == incomplete })
	r.j.Report = r.report
	return r.finish(ctx, r.j, nil)
}

// runPhases goes on from the phase that the last step was in.
func (r *archiveRun) runPhases(ctx context.Context) error {
	if err := r.findPeople(ctx); err != nil {
		return err
	}
	r.setRenaming()
	for _, phase := range []struct {
		name archivePhase
		do   func(ctx context.Context) error
		next archivePhase
	}{
		{archiveRead, r.verify, archiveStructure},
		{archiveStructure, r.build, archiveFiles}, // its step notes the next phase
		{archiveFiles, r.bringFiles, archiveRecords},
		{archiveRecords, r.bringRecords, archiveLinks},
		{archiveLinks, r.bringLinks, archiveAuthors},
		{archiveAuthors, r.bringAuthors, archiveComments},
		{archiveComments, r.bringComments, archiveNumbers},
		{archiveNumbers, r.countOn, archiveDashboards},
		{archiveDashboards, r.bringDashboards, archiveCompared},
		{archiveCompared, r.compare, archiveEnd},
	} {
		if r.progress.Phase != phase.name {
			continue
		}
		if err := phase.do(ctx); err != nil {
			return err
		}
		if r.progress.Phase != phase.name {
			continue
		}
		next := r.next()
		next.progress.Phase, next.progress.Table, next.progress.Line = phase.next, 0, 0
		if err := r.commit(ctx, next, nil); err != nil {
			return err
		}
	}
	return nil
}

// verify compares the archive with its manifest before anything is written. One that the service has made is compared
// while it is read.
func (r *archiveRun) verify(ctx context.Context) error {
	if _, _, err := r.begin(ctx); err != nil || r.isCopy() {
		return err
	}
	return r.from.Verify(ctx) //nolint:wrapcheck // it is for the person
}

// findPeople finds the members who are the people of the archive, by their e-mail addresses.
func (r *archiveRun) findPeople(ctx context.Context) error {
	members, err := r.memberIDs(ctx, r.j.Org)
	if err != nil {
		return err
	}
	r.people = map[uuid.UUID]uuid.UUID{}
	for i := range r.from.People {
		p := &r.from.People[i]
		there, err := id.Parse(id.User, p.ID)
		here, failure := id.Parse(id.User, members[strings.ToLower(p.Email)])
		if err == nil && failure == nil {
			r.people[there] = here
		}
	}
	return nil
}

// setRenaming is called again once the new tables have numbers.
func (r *archiveRun) setRenaming() {
	numbers := map[int32]int32{}
	for i, number := range r.progress.Numbers {
		numbers[r.from.Base.Tables[i].Number] = number
	}
	r.rename = archive.NewRenaming(&r.from.Base, r.j.ID, numbers, r.people)
	if r.isBackup() {
		r.rename.KeepPeople()
	}
}

// table is the new table of one of the archive, or an error if it was deleted meanwhile.
func (r *archiveRun) table(s *schema.Snapshot, t *archive.Table) (*schema.Table, error) {
	here := s.Table(r.idOf(t))
	if here == nil {
		return nil, problem.Conflict("The table %q was deleted while it was imported.", t.Name)
	}
	return here, nil
}

// countOn has automatic numbers go on behind those that came.
func (r *archiveRun) countOn(ctx context.Context) error {
	for r.progress.Table < len(r.from.Base.Tables) {
		t := &r.from.Base.Tables[r.progress.Table]
		stepCtx, _, err := r.begin(ctx)
		if err != nil {
			return err
		}
		next := r.next()
		next.progress.Table++
		if !slices.ContainsFunc(t.Fields, func(f archive.Field) bool { return isCounted(f.Type) }) {
			if err := r.commit(stepCtx, next, nil); err != nil {
				return err
			}
			continue
		}
		snapshot, err := r.Schema.Fresh(stepCtx, r.j.Org)
		if err != nil {
			return fmt.Errorf("reading the schema: %w", err)
		}
		here, err := r.table(snapshot, t)
		if err != nil {
			return err
		}
		if err := r.Schema.CountOn(r.within(stepCtx, next, nil), r.j.Org, here.ID); err != nil {
			return err //nolint:wrapcheck // it is for the person
		}
		r.took(next)
	}
	return nil
}

// bringDashboards makes the dashboards that are not there yet.
func (r *archiveRun) bringDashboards(ctx context.Context) error {
	if r.j.Table != uuid.Nil || len(r.from.Base.Dashboards) == 0 {
		return nil
	}
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.Schema.Fresh(ctx, r.j.Org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	sees := func(view string) bool {
		u, err := id.Parse(id.View, view)
		return err == nil && snapshot.View(u) != nil && snapshot.View(u).Table.Base.ID == r.made()
	}
	store := dashboard.New(r.DB)
	known, err := store.List(ctx, r.j.Org, r.made(), sees)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	for i := range r.from.Base.Dashboards {
		d := &r.from.Base.Dashboards[i]
		if slices.ContainsFunc(known, func(k *dashboard.Dashboard) bool { return k.Name == d.Name }) {
			continue
		}
		var tiles []dashboard.Tile
		err := json.Unmarshal(r.rename.JSON(d.Tiles), &tiles)
		if err == nil {
			_, err = store.Create(ctx, r.j.Org, r.made(), d.Name, tiles, sees)
		}
		if err != nil {
			if !isRefusal(err) && problem.KindOf(err) != problem.KindInternal {
				return err
			}
			next := r.next()
			next.report.leave(LeftOut{Table: "Dashboards", Field: d.Name, Count: 1, Why: whyRefused(err)})
			if err := r.commit(ctx, next, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// queueBase queues that the job is about the base that it has made, and about the table if it is one.
func (r *archiveRun) queueBase(b *pgx.Batch, next *archiveStep, base, table uuid.UUID) {
	if r.isBackup() { // it is about the base that is backed up
		next.progress.Scratch = base
		return
	}
	var about *uuid.UUID
	if table != uuid.Nil {
		about = &table
	}
	b.Queue("update rowhouse.job set base_id = $4, table_id = $5 where org_id = $1 and id = $2 and lease = $3",
		r.j.Org, r.j.ID, r.j.lease, base, about)
}

// whole is the schema as it is now, also of what the person does not see.
func (r *archiveRun) whole(ctx context.Context) (*schema.Snapshot, error) {
	snapshot, err := r.Schema.Fresh(catalog.WithoutCaller(ctx), r.j.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return snapshot, nil
}

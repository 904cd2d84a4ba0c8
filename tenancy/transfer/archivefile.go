package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// bringFiles stores the files of the archive for the records that will have them. A file has its new id from the
// archive, so that one that has come is known.
func (r *archiveRun) bringFiles(ctx context.Context) error {
	for i := range r.from.Base.Tables {
		t := &r.from.Base.Tables[i]
		files := map[uuid.UUID]*archive.Entry{}
		var ids []uuid.UUID
		for n := range r.from.Manifest.Entries {
			e := &r.from.Manifest.Entries[n]
			if there, isFile := e.File(); isFile && e.TableID == t.ID {
				ids = append(ids, r.rename.ID(there))
				files[ids[len(ids)-1]] = e
			}
		}
		if len(ids) == 0 {
			continue
		}
		if err := r.bringTableFiles(ctx, t, ids, files); err != nil {
			return err
		}
	}
	return nil
}

func (r *archiveRun) bringTableFiles(
	ctx context.Context, t *archive.Table, ids []uuid.UUID, files map[uuid.UUID]*archive.Entry,
) error {
	snapshot, err := r.whole(ctx)
	if err != nil {
		return err
	}
	here, err := r.table(snapshot, t)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, 500) {
		known, err := r.Files.States(ctx, r.j.Org, some)
		if err != nil {
			return err //nolint:wrapcheck // it says what
		}
		for _, file := range some {
			stepCtx, _, err := r.begin(ctx)
			if err != nil {
				return err
			}
			there := r.rename.ID(file)
			switch ready, begun := known[file]; {
			case ready || slices.Contains(r.progress.Left, there):
				continue
			case begun: // by a worker that was killed
				if err := r.Files.Discard(stepCtx, r.j.Org, file); err != nil {
					return err //nolint:wrapcheck // it says what
				}
			}
			if err := r.bringFile(stepCtx, t, here.ID, file, files[file]); err != nil {
				return err
			}
		}
	}
	next := r.next()
	report := next.table(t.Name, here.ID)
	report.Files = 0
	for _, file := range ids {
		if !slices.Contains(r.progress.Left, r.rename.ID(file)) {
			report.Files++
		}
	}
	return r.commit(ctx, next, nil)
}

// bringFile stores a file. One that is refused here is listed.
func (r *archiveRun) bringFile(
	ctx context.Context, t *archive.Table, table, file uuid.UUID, e *archive.Entry,
) (err error) {
	content, err := r.from.Content(e)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	_, failure := r.Files.Receive(ctx, r.j.Org, r.j.Person, table, attachment.Upload{
		ID: file, Name: e.Name, Size: e.Bytes, Content: content, Subject: id.Format(id.Table, table),
	})
	switch kind := problem.KindOf(failure); {
	case failure == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx) //nolint:wrapcheck // errStopped, or that of the context
	case kind != problem.KindInvalid && kind != problem.KindTooLarge || isCutOff(failure):
		return fmt.Errorf("storing a file of an archive: %w", failure)
	}
	next := r.next()
	next.progress.Left = append(slices.Clone(next.progress.Left), r.rename.ID(file))
	next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: e.Name + ": " + whyRefused(failure)})
	return r.commit(ctx, next, nil)
}

package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// compare writes the records that came as an archive would have them, with the ids of the archive, and compares their
// counts and hashes with its manifest.
func (r *archiveRun) compare(ctx context.Context) error {
	stepCtx, actor, err := r.begin(ctx)
	if err != nil {
		return err
	}
	next := r.next()
	records, comments, files, differing := 0, 0, 0, 0
	err = r.DB.Snapshot(stepCtx, r.j.Org, func(ctx context.Context) error {
		for i := range r.from.Base.Tables {
			t := &r.from.Base.Tables[i]
			e := r.from.Records(t)
			if e == nil {
				continue
			}
			count, hash, err := r.hashOf(ctx, actor, t)
			if err != nil {
				return err
			}
			is := count == *e.Records && hash == e.SHA256
			report := next.table(t.Name, r.idOf(t))
			if e := r.from.Comments(t); e != nil {
				said, hash, err := r.hashOfComments(ctx, t)
				if err != nil {
					return err
				}
				comments += said
				is = is && said == e.Comments && hash == e.SHA256
			}
			report.Matches, report.SHA256 = &is, hash
			if records, files = records+count, files+report.Files; !is {
				differing++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case r.from.Manifest.WithoutRecords:
	case differing == 0 && len(r.progress.Left) == 0:
		what := problem.Count(records, "record")
		if comments > 0 {
			what += ", " + problem.Count(comments, "comment")
		}
		if files > 0 {
			what += " and " + problem.Count(files, "file")
		}
		next.report.noteOnce("All is here as the manifest of the archive says: " + what + ".")
	default:
		next.report.noteOnce(fmt.Sprintf("The records of %s are not as the manifest of the archive says; what did not "+
			"come is listed.", problem.Count(differing, "table")))
	}
	return r.commit(stepCtx, next, nil)
}

// hashOf counts the records of a new table, and hashes them as the archive has them.
func (r *archiveRun) hashOf(ctx context.Context, actor record.Actor, t *archive.Table) (int, string, error) {
	here, err := r.cachedTable(ctx, t)
	if err != nil {
		return 0, "", err
	}
	authors, err := r.saysAuthors(t)
	if err != nil {
		return 0, "", err
	}
	lines := &archiveLines{authors: authors, rename: r.rename.Inverse()}
	digest, count := sha256.New(), 0
	err = r.Records.WrittenPages(ctx, actor, here.ID, func(p *record.WrittenPage) error {
		text, err := lines.page(here, p)
		digest.Write(text) // never fails
		count += len(p.Records)
		return err
	})
	return count, hex.EncodeToString(digest.Sum(nil)), err
}

// cachedTable is the new table of one of the archive, as the person of the job sees it.
func (r *archiveRun) cachedTable(ctx context.Context, t *archive.Table) (*schema.Table, error) {
	snapshot, err := r.Schema.Cached(ctx, r.j.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return r.table(snapshot, t)
}

// saysAuthors reports whether an archive says who has made and changed the records of a table.
func (r *archiveRun) saysAuthors(t *archive.Table) (says bool, err error) {
	err = r.from.EachRecord(t, 0, func(_ int, in *archive.Record) error {
		says = !in.UpdatedAt.IsZero()
		return errFirst
	})
	if err == errFirst { //nolint:errorlint // it is never wrapped
		err = nil
	}
	return says, err //nolint:wrapcheck // it is for the person
}

// errFirst ends the reading of records behind the first one.
var errFirst = errors.New("one record is enough")

// idOf is the id of the new table of one of the archive.
func (r *archiveRun) idOf(t *archive.Table) uuid.UUID {
	there, err := id.Parse(id.Table, t.ID)
	if err != nil {
		return uuid.Nil // Open has checked it
	}
	return r.rename.ID(there)
}

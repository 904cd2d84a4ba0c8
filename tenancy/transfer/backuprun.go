package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// A backup is written as an archive into the bucket, read back from there, and restored into a scratch base with the
// phases of an import (archiveimport.go), the last of which compares what came with the manifest. An archive that is
// encrypted cannot be read back, because only its recipient has the key: what is restored then is the archive as it was
// before the encryption, and the object is compared with what was written by its SHA-256.

// uploadedBackup is what the step that has written an archive notes.
type uploadedBackup struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// scratch is the store whose schemas have scratch bases.
func (s *Store) scratch() *Store {
	with := &Store{Options: s.Options, leaseTime: s.leaseTime}
	with.Schema, with.Records, with.Comments = s.Scratch.Schema(), s.Scratch, comment.New(s.DB, s.Scratch)
	return with
}

// backUp works on the backup of a base.
func (s *Store) backUp(ctx context.Context, j *Job) (err error) {
	ctx = catalog.WithoutCaller(ctx)
	setting, err := s.BackupSetting(ctx, j.Org)
	if problem.KindOf(err) == problem.KindNotFound {
		return problem.Conflict("Backups were switched off.")
	}
	if err != nil {
		return err
	}
	steps, err := steppingOf[archiveProgress](s.scratch(), j)
	if err != nil {
		return err
	}
	run := &backupRun{archiveRun: archiveRun{stepping: steps}, setting: setting}
	defer func() { j.Report = run.report }()
	if run.backup, err = s.backup(ctx, j); err != nil {
		return err
	}
	if run.backup.Store != setting.Store() {
		return problem.Conflict("The destination was changed while the backup ran.")
	}
	if run.to, err = s.Buckets.Open(&setting.Destination); err != nil {
		return err //nolint:wrapcheck // it is for the people
	}
	if run.progress.Uploaded == nil {
		if err := run.upload(ctx); err != nil {
			return err
		}
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	size, err := run.readBack(ctx, spool)
	if err != nil {
		return err
	}
	if run.from, err = archive.Open(spool, size); err != nil {
		return err //nolint:wrapcheck // it is for the people
	}
	snapshot, err := run.whole(ctx)
	if err != nil {
		return err
	}
	of := snapshot.Base(j.Base)
	if of == nil {
		return problem.NotFound("base", id.Format(id.Base, j.Base))
	}
	run.in.Workspace = of.Workspace
	if err := run.runPhases(ctx); err != nil {
		return err
	}
	return run.end(ctx)
}

// backup reads the row of the backup that a job makes.
func (s *Store) backup(ctx context.Context, j *Job) (*Backup, error) {
	var found Backup
	err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue("select "+backupColumns+fromBackups+"where b.org_id = $1 and b.id = $2", j.Org, j.ID).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Backup])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading a backup: %w", err)
	}
	return &found, nil
}

// backupRun is a run of a backup.
type backupRun struct {
	archiveRun

	setting *BackupSetting
	backup  *Backup
	to      *bucket.Bucket
}

// upload writes the archive of the base into the bucket. A run that was interrupted leaves at most an object that the
// next one replaces.
func (r *backupRun) upload(ctx context.Context) (err error) {
	ctx, _, err = r.begin(ctx)
	if err != nil {
		return err
	}
	plain, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	r.j.Report, r.j.withoutFiles = &Report{}, !r.setting.Attachments
	if _, err := r.archive(ctx, r.j, plain, true, nil); err != nil {
		return err
	}
	next := r.next()
	content := plain
	if r.backup.Encrypted {
		if next.progress.File, err = r.keep(ctx, r.j, plain, "backup.zip", mediaTypes[Archive]); err != nil {
			return err
		}
		sealed, err := newSpool()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sealed.Close()) }()
		if err := encrypt(sealed, plain, r.setting.Recipient); err != nil {
			return err
		}
		content = sealed
	}
	digest := sha256.New()
	size, err := copyFrom(content, digest)
	if err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("going back in a backup: %w", err)
	}
	if err := r.to.Put(ctx, r.backup.Object, content, size); err != nil {
		return err //nolint:wrapcheck // it is for the people
	}
	next.progress.Uploaded = &uploadedBackup{size, hex.EncodeToString(digest.Sum(nil))}
	return r.commit(ctx, next, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.backup set uploaded = true, bytes = $3, sha256 = $4 where org_id = $1 and id = $2`,
			r.j.Org, r.j.ID, size, next.progress.Uploaded.SHA256)
	})
}

// copyFrom copies a file from its beginning.
func copyFrom(file *os.File, to io.Writer) (int64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("going back in a backup: %w", err)
	}
	size, err := io.Copy(to, file)
	if err != nil {
		return 0, fmt.Errorf("reading a backup: %w", err)
	}
	return size, nil
}

// encrypt encrypts a file for a recipient of age.
func encrypt(to io.Writer, from *os.File, text string) error {
	known, err := recipient(text)
	if err != nil {
		return err
	}
	sealing, err := age.Encrypt(to, known)
	if err != nil {
		return fmt.Errorf("encrypting a backup: %w", err)
	}
	if _, err := copyFrom(from, sealing); err != nil {
		return err
	}
	if err := sealing.Close(); err != nil {
		return fmt.Errorf("encrypting a backup: %w", err)
	}
	return nil
}

// readBack reads the object, compares it with what was written, and leaves the archive in the spool.
func (r *backupRun) readBack(ctx context.Context, spool *os.File) (size int64, err error) {
	var to io.Writer = spool
	if r.backup.Encrypted {
		to = io.Discard
	}
	digest, wrote := sha256.New(), r.progress.Uploaded
	size, err = r.to.Get(ctx, r.backup.Object, io.MultiWriter(to, digest))
	if err != nil {
		return 0, err //nolint:wrapcheck // it is for the people
	}
	if found := sum(digest); size != wrote.Size || found != wrote.SHA256 {
		return 0, problem.Conflict("What the bucket returned is not what was written to it: %d bytes with the SHA-256 "+
			"%s instead of %d with %s.", size, found, wrote.Size, wrote.SHA256)
	}
	if r.backup.Encrypted {
		return r.readKept(ctx, spool)
	}
	return size, nil
}

// readKept copies the archive as it was before its encryption.
func (r *backupRun) readKept(ctx context.Context, spool io.Writer) (size int64, err error) {
	_, content, err := r.Files.Content(ctx, r.j.Org, r.progress.File, false)
	if err != nil {
		return 0, err //nolint:wrapcheck // it says what
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	if size, err = io.Copy(spool, content); err != nil {
		return 0, problem.Unavailable(fmt.Errorf("reading an archive: %w", err))
	}
	return size, nil
}

func sum(digest hash.Hash) string { return hex.EncodeToString(digest.Sum(nil)) }

// differences says what of the archive was not restored as it is; "" if all was.
func differences(report *Report) string {
	var all []string
	for i := range report.Tables {
		t := &report.Tables[i]
		if t.Matches != nil && !*t.Matches {
			all = append(all, fmt.Sprintf("The records of %q are not as the manifest says: %s came, with the SHA-256 "+
				"%s.", t.Name, problem.Count(t.Created, "record"), t.SHA256))
		}
	}
	for i := range report.LeftOut {
		one := &report.LeftOut[i]
		text := one.Table
		if one.Field != "" {
			text += ", " + one.Field
		}
		all = append(all, fmt.Sprintf("%s (%d): %s", text, one.Count, one.Why))
	}
	const most = 20
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("And %d more.", len(all)-most+report.MoreLeftOut))
	}
	return strings.Join(all, "\n")
}

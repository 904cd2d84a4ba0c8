package attachment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// An Upload is a file to be stored.
type Upload struct {
	ID   uuid.UUID // of the file that it makes; zero chooses one
	Name string
	// Subject is the public id of what the file is for, for the audit log; "" is the table.
	Subject string
	// Import says that the file is for an import: it may be larger, and of any type.
	Import bool
	// Types are media types of which it must be, in addition to those of the limits; empty accepts what they do.
	Types []string
	// Waiting bounds the bytes of the files that nobody known has uploaded for the table and that are in no record yet,
	// together with this one; 0 bounds nothing.
	Waiting int64
	// Size is the announced size in bytes; -1 when unknown.
	Size    int64
	Content io.Reader
	// Turn waits until an image may be decoded, which takes a processor for up to some seconds, and returns what ends
	// the turn. Nil does not wait.
	Turn func(ctx context.Context) (end func(), err error)
}

// TooLarge returns the error for a file beyond a size limit.
func TooLarge(limit int64) error {
	return &problem.Error{
		Kind: problem.KindTooLarge, Code: problem.CodeFileTooLarge,
		Message: fmt.Sprintf("The file is larger than %s, which is the maximum.", megabytes(limit)),
	}
}

// bytes is the largest size of an upload.
func (l *Limits) bytes(in *Upload) int64 {
	if in.Import {
		return l.Import
	}
	return l.File
}

func megabytes(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// CheckConfigured returns an error of kind conflict if every upload is rejected.
func (s *Store) CheckConfigured() error {
	if s.blobs != nil {
		return nil
	}
	return &problem.Error{
		Kind: problem.KindConflict, Code: problem.CodeFilesNotConfigured,
		Message: "This Rowhouse has no file store; its operator sets one with ATTACHMENT_URL.",
	}
}

// Receive stores an upload for a table and returns the file. The file is kept for a day, and after
// it was put into a record, for as long as a record references it. A file whose announced size is
// too large is rejected before it is read. It returns errors of kind invalid, conflict, too_large,
// rate_limited and unavailable. Nothing is kept of a failed upload.
func (s *Store) Receive(ctx context.Context, org, person, table uuid.UUID, in Upload) (File, error) {
	f := File{ID: in.ID, Table: table}
	if f.ID == uuid.Nil {
		f.ID = id.New()
	}
	var err error
	if f.Name, err = field.CleanFileName("name", in.Name); err != nil {
		return File{}, err
	}
	if err := s.CheckConfigured(); err != nil {
		return File{}, err
	}
	if limit := s.limits.bytes(&in); in.Size > limit {
		return File{}, TooLarge(limit)
	}
	size := in.Size
	if size < 0 {
		size = s.limits.bytes(&in)
	}
	as := 1
	if size > s.limits.File {
		as = largeUpload
	}
	leave, err := s.enter(org, as)
	if err != nil {
		return File{}, err
	}
	defer leave()
	if err := s.reserve(ctx, org, person, &f, size, in.Waiting); err != nil {
		return File{}, err
	}
	if err := s.storeContent(ctx, org, &f, in); err != nil {
		s.abandon(ctx, org, f.ID)
		return File{}, err
	}
	return f, nil
}

// reserve inserts the row of a file of at most so many bytes before its content is read, if the organization's quota
// allows it.
func (s *Store) reserve(ctx context.Context, org, person uuid.UUID, f *File, size, waiting int64) error {
	author := &person
	if person == uuid.Nil {
		author = nil
	}
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		if s.limits.Organization > 0 {
			b.Queue("select pg_advisory_xact_lock($1, hashtext($2))", db.LockQuota, org.String())
			b.Queue(`select gate.assert((select coalesce(sum(size), 0) from rowhouse.attachment
				where org_id = $1) + $2 <= $3, '`+db.StateQuotaExceeded+"')",
				org, size, s.limits.Organization)
		}
		if waiting > 0 {
			b.Queue(`select gate.assert((select coalesce(sum(size), 0) from rowhouse.attachment where org_id = $1
				and table_id = $2 and created_by is null and kept_at is null) + $3 <= $4, '`+db.StateFilesWaiting+"')",
				org, f.Table, size, waiting)
		}
		b.Queue(`insert into rowhouse.attachment (org_id, id, table_id, name, size, state, created_by)
			values ($1, $2, $3, $4, $5, 'arriving', $6)`,
			org, f.ID, f.Table, f.Name, size, author)
	})
	if pgerror.Is(err, db.StateQuotaExceeded) {
		return &problem.Error{
			Kind: problem.KindTooLarge, Code: problem.CodeNoRoomForFiles,
			Message: fmt.Sprintf("The organization's files may take %s together, and there is no room left for this "+
				"one. Files that are no longer in a record are removed after a day.",
				megabytes(s.limits.Organization)),
		}
	}
	if pgerror.Is(err, db.StateFilesWaiting) {
		return &problem.Error{
			Kind: problem.KindRateLimited, Code: problem.CodeTooManyUploads, RetryAfter: time.Minute,
			Message: "Too many files have arrived for answers that were not sent. Try again later.",
		}
	}
	if pgerror.Is(err, pgerrcode.UniqueViolation) {
		return problem.Conflict("A file was sent to this address already, and an address takes one; ask for another.").
			WithCode(problem.CodeUploadUsed)
	}
	if err != nil {
		return fmt.Errorf("reserving space for a file: %w", err)
	}
	return nil
}

// storeContent spools the content into an unlinked temporary file, which does not outlive the
// process, examines it, and stores it.
func (s *Store) storeContent(ctx context.Context, org uuid.UUID, f *File, in Upload) error {
	spool, err := os.CreateTemp("", "rowhouse-upload-")
	if err != nil {
		return errUnavailable(fmt.Errorf("creating a temporary file: %w", err))
	}
	defer func() { _ = spool.Close() }()
	if err := os.Remove(spool.Name()); err != nil {
		return errUnavailable(fmt.Errorf("unlinking a temporary file: %w", err))
	}
	digest := sha256.New()
	if f.Size, err = s.spoolContent(spool, digest, in); err != nil {
		return err
	}
	if f.Type, err = detectType(spool, f.Name); err != nil {
		return errUnavailable(err)
	}
	if own := (&Limits{Types: in.Types}); !own.allows(f.Type) {
		return problem.Invalid("name", "%q contains %s, which is not asked for; asked for are %s",
			f.Name, f.Type, problem.List(in.Types)).WithCode(problem.CodeFileTypeRefused)
	}
	if !in.Import && !s.limits.allows(f.Type) {
		return problem.Invalid("name", "%q contains %s, which is not accepted here; accepted are %s",
			f.Name, f.Type, problem.List(s.limits.Types)).WithCode(problem.CodeFileTypeRefused)
	}
	if err := s.thumbnail(ctx, org, f, spool, in.Turn); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return errUnavailable(fmt.Errorf("going back in an upload: %w", err))
	}
	if err := s.blobs.Put(ctx, key(org, f.ID, false), spool, f.Size); err != nil {
		return errUnavailable(fmt.Errorf("storing a file: %w", err))
	}
	var width, height *int
	if f.HasThumbnail() {
		width, height = &f.Width, &f.Height
	}
	err = s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`with done as (update rowhouse.attachment
				set size = $3, type = $4, sha256 = $5, width = $6, height = $7, state = 'ready'
				where org_id = $1 and id = $2 and state = 'arriving' returning id)
			select gate.assert(exists (select from done), '`+db.StateUploadExpired+`')`,
			org, f.ID, f.Size, f.Type, digest.Sum(nil), width, height)
		audit.Record(ctx, b, org, &audit.Event{
			Action: "create_attachment", Subject: cmp.Or(in.Subject, id.Format(id.Table, f.Table)),
			Detail: map[string]any{"attachment": f.PublicID(), "size": f.Size, "type": f.Type},
		})
	})
	if err != nil {
		return fmt.Errorf("completing a file: %w", err)
	}
	return nil
}

// spoolContent copies the content, up to the size limit, and returns its size.
func (s *Store) spoolContent(spool io.Writer, digest hash.Hash, in Upload) (int64, error) {
	limit := s.limits.bytes(&in)
	written, err := io.Copy(io.MultiWriter(spool, digest), io.LimitReader(&senderReader{in.Content}, limit+1))
	var senderErr *senderError
	switch {
	case errors.As(err, &senderErr):
		return 0, (&problem.Error{
			Kind: problem.KindInvalid, Code: problem.CodeUploadCutOff,
			Message: "The content ended before its announced length, or arrived too slowly; send the file again.",
		}).Because(err)
	case err != nil:
		return 0, errUnavailable(fmt.Errorf("writing an upload: %w", err))
	case written > limit:
		return 0, TooLarge(limit)
	case in.Size >= 0 && written != in.Size:
		return 0, &problem.Error{
			Kind: problem.KindInvalid, Code: problem.CodeUploadCutOff,
			Message: fmt.Sprintf("%d bytes arrived, and %d were announced; send the file again.", written, in.Size),
		}
	}
	return written, nil
}

// A senderReader marks errors of the sender, to distinguish them from errors of the disk.
type senderReader struct{ io.Reader }

type senderError struct{ error }

func (e *senderError) Unwrap() error { return e.error }

func (a *senderReader) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &senderError{err}
	}
	return n, err
}

// abandon removes a failed upload, even if the request was canceled. If it fails, the Sweeper
// removes the file later.
func (s *Store) abandon(ctx context.Context, org, file uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		// The state is ready if the response of the last statement was lost. The client does not
		// know the file then.
		b.Queue("update rowhouse.attachment set state = 'leaving' where org_id = $1 and id = $2 and kept_at is null",
			org, file)
	})
	if err == nil {
		_ = remove(ctx, s.db, s.blobs, org, file)
	}
}

// remove removes the content of a file in state leaving, and then its row.
func remove(ctx context.Context, database *db.DB, blobs Blobs, org, file uuid.UUID) error {
	if err := errors.Join(
		blobs.Delete(ctx, key(org, file, true)), blobs.Delete(ctx, key(org, file, false)),
	); err != nil {
		return fmt.Errorf("removing the content of a file: %w", err)
	}
	err := database.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.attachment where org_id = $1 and id = $2 and state = 'leaving'", org, file)
	})
	if err != nil {
		return fmt.Errorf("deleting the row of a file: %w", err)
	}
	return nil
}

// byExtension refines detected media types by file extension. All of these types are served as
// downloads, never inline.
var byExtension = map[string]map[string]string{
	"text/plain": {
		".csv": "text/csv", ".tsv": "text/tab-separated-values", ".md": "text/markdown", ".json": "application/json",
		".yaml": "application/yaml", ".yml": "application/yaml", ".ics": "text/calendar",
	},
}

// detectType detects the media type from the content, and refines it by the name.
func detectType(content io.ReadSeeker, name string) (string, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("going back in an upload: %w", err)
	}
	found, err := mimetype.DetectReader(content)
	if err != nil {
		return "", fmt.Errorf("detecting the type of an upload: %w", err)
	}
	bare, _, _ := strings.Cut(found.String(), ";")
	if finer := byExtension[bare][strings.ToLower(path.Ext(name))]; finer != "" {
		return finer, nil
	}
	if !utf8.ValidString(bare) || bare == "" {
		return "application/octet-stream", nil
	}
	return bare, nil
}

// States says which of some files are stored; those whose upload has begun and not ended are false, and others are
// missing.
func (s *Store) States(ctx context.Context, org uuid.UUID, files []uuid.UUID) (map[uuid.UUID]bool, error) {
	ready := map[uuid.UUID]bool{}
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select id, state = 'ready' from rowhouse.attachment where org_id = $1 and id = any ($2)", org, files).
			Query(func(rows pgx.Rows) error {
				var file uuid.UUID
				var is bool
				_, err := pgx.ForEachRow(rows, []any{&file, &is}, func() error {
					ready[file] = is
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for files: %w", err)
	}
	return ready, nil
}

// Discard removes a file whose upload has not ended, and never will, so that its id can be used again.
func (s *Store) Discard(ctx context.Context, org, file uuid.UUID) error {
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.attachment set state = 'leaving' where org_id = $1 and id = $2 and state = 'arriving'",
			org, file)
	})
	if err != nil {
		return fmt.Errorf("giving up an upload: %w", err)
	}
	return remove(ctx, s.db, s.blobs, org, file)
}

// RemoveOf removes all files that were stored for some tables, at once and whatever refers to them. It is for tables
// that nobody has seen.
func (s *Store) RemoveOf(ctx context.Context, org uuid.UUID, tables []uuid.UUID) error {
	return s.removeWhere(ctx, org, "table_id = any ($2)", tables)
}

// Remove removes a file that Keep has stored, before its day is over.
func (s *Store) Remove(ctx context.Context, org, file uuid.UUID) error {
	return s.removeWhere(ctx, org, "id = any ($2)", []uuid.UUID{file})
}

func (s *Store) removeWhere(ctx context.Context, org uuid.UUID, which string, ids []uuid.UUID) error {
	var files []uuid.UUID
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.attachment set state = 'leaving' where org_id = $1 and "+which+" returning id",
			org, ids).
			Query(func(rows pgx.Rows) (err error) {
				files, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("removing files: %w", err)
	}
	for _, file := range files {
		if err := remove(ctx, s.db, s.blobs, org, file); err != nil {
			return err
		}
	}
	return nil
}

package attachment

import (
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
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

// An Upload is a file that arrives.
type Upload struct {
	Name string
	// Size is what was announced, in bytes; -1 when nothing was.
	Size    int64
	Content io.Reader
}

// stateNoRoom is the SQLSTATE of a reservation for which there is no room.
const stateNoRoom = "RH012"

// organizationLock is the class of the advisory locks under which reservations of one organization are made.
const organizationLock = 20739

// TooLarge is the error for a file of more bytes than are taken.
func (s *Store) TooLarge() error {
	return &problem.Error{
		Kind: problem.KindTooLarge, Code: "file_too_large",
		Message: fmt.Sprintf("The file is larger than %s, which is the most that is taken.", megabytes(s.limits.File)),
	}
}

func megabytes(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Receive takes a file in for a table and returns it. It stays for a day; once it is put into a record, for as long as it is in one.
// What is too large is refused before it is read when its size was announced, and cut off otherwise. It returns errors of kind
// invalid, too_large, rate_limited and unavailable. Nothing of a file that failed is kept.
func (s *Store) Receive(ctx context.Context, org, person, table uuid.UUID, in Upload) (File, error) {
	f := File{ID: id.New(), Table: table}
	var err error
	if f.Name, err = field.CleanFileName("name", in.Name); err != nil {
		return File{}, err
	}
	if s.blobs == nil {
		return File{}, &problem.Error{
			Kind: problem.KindConflict, Code: "files_not_configured",
			Message: "This Rowhouse has no store of files; whoever runs it sets one with ATTACHMENT_URL.",
		}
	}
	if in.Size > s.limits.File {
		return File{}, s.TooLarge()
	}
	leave, err := s.enter(org)
	if err != nil {
		return File{}, err
	}
	defer leave()
	if err := s.reserve(ctx, org, person, &f, in.Size); err != nil {
		return File{}, err
	}
	if err := s.take(ctx, org, &f, in); err != nil {
		s.abandon(ctx, org, f.ID)
		return File{}, err
	}
	return f, nil
}

// reserve makes the row of a file before its content arrives, when there is room for it.
func (s *Store) reserve(ctx context.Context, org, person uuid.UUID, f *File, size int64) error {
	if size < 0 {
		size = s.limits.File
	}
	author := &person
	if person == uuid.Nil {
		author = nil
	}
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		if s.limits.Organization > 0 {
			b.Queue("select pg_advisory_xact_lock($1, hashtext($2))", organizationLock, org.String())
			b.Queue("select gate.demand((select coalesce(sum(size), 0) from rowhouse.attachment where org_id = $1) + $2 <= $3, '"+stateNoRoom+"')",
				org, size, s.limits.Organization)
		}
		b.Queue("insert into rowhouse.attachment (org_id, id, table_id, name, size, state, created_by) values ($1, $2, $3, $4, $5, 'arriving', $6)",
			org, f.ID, f.Table, f.Name, size, author)
	})
	if pgerror.Is(err, stateNoRoom) {
		return &problem.Error{
			Kind: problem.KindTooLarge, Code: "no_room_for_files",
			Message: fmt.Sprintf("The organization's files may take %s together, and there is no room left for this one. Files that are in no record any more go after a day.",
				megabytes(s.limits.Organization)),
		}
	}
	if err != nil {
		return fmt.Errorf("making room for a file: %w", err)
	}
	return nil
}

// take reads the content into a file that has no name, so that nothing of it outlives the process, looks at it, and keeps it.
func (s *Store) take(ctx context.Context, org uuid.UUID, f *File, in Upload) error {
	spool, err := os.CreateTemp("", "rowhouse-upload-")
	if err != nil {
		return away(fmt.Errorf("making room for an upload: %w", err))
	}
	defer func() { _ = spool.Close() }()
	if err := os.Remove(spool.Name()); err != nil {
		return away(fmt.Errorf("unnaming an upload: %w", err))
	}
	digest := sha256.New()
	if f.Size, err = s.read(spool, digest, in); err != nil {
		return err
	}
	if f.Type, err = typeOf(spool, f.Name); err != nil {
		return away(err)
	}
	if !s.limits.takes(f.Type) {
		return problem.Invalid("name", "%q holds %s, which is not taken here; taken are %s", f.Name, f.Type, problem.List(s.limits.Types)).WithCode("file_type_refused")
	}
	if err := s.thumbnail(ctx, org, f, spool); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return away(fmt.Errorf("going back in an upload: %w", err))
	}
	if err := s.blobs.Put(ctx, key(org, f.ID, false), spool, f.Size); err != nil {
		return away(fmt.Errorf("keeping a file: %w", err))
	}
	var width, height *int
	if f.HasThumbnail() {
		width, height = &f.Width, &f.Height
	}
	err = s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`with done as (update rowhouse.attachment set size = $3, type = $4, sha256 = $5, width = $6, height = $7, state = 'ready'
				where org_id = $1 and id = $2 and state = 'arriving' returning id)
			select gate.demand(exists (select from done), 'RH011')`, org, f.ID, f.Size, f.Type, digest.Sum(nil), width, height)
		audit.Record(s.db, b, org, &audit.Event{
			Action: "create_attachment", Subject: id.Format(id.Table, f.Table),
			Detail: map[string]any{"attachment": f.PublicID(), "size": f.Size, "type": f.Type},
		})
	})
	if err != nil {
		return fmt.Errorf("noting a file: %w", err)
	}
	return nil
}

// read copies the content, and no more than may be.
func (s *Store) read(spool io.Writer, digest hash.Hash, in Upload) (int64, error) {
	written, err := io.Copy(io.MultiWriter(spool, digest), io.LimitReader(&arrival{in.Content}, s.limits.File+1))
	var lost *lostError
	switch {
	case errors.As(err, &lost):
		return 0, (&problem.Error{
			Kind: problem.KindInvalid, Code: "upload_cut_off",
			Message: "The content ended before its announced length, or came too slowly; send the file again.",
		}).Because(err)
	case err != nil:
		return 0, away(fmt.Errorf("writing an upload: %w", err))
	case written > s.limits.File:
		return 0, s.TooLarge()
	case in.Size >= 0 && written != in.Size:
		return 0, &problem.Error{
			Kind: problem.KindInvalid, Code: "upload_cut_off",
			Message: fmt.Sprintf("%d bytes came, and %d were announced; send the file again.", written, in.Size),
		}
	}
	return written, nil
}

// An arrival marks the failures of the sender, to be told from those of the disk.
type arrival struct{ io.Reader }

type lostError struct{ error }

func (e *lostError) Unwrap() error { return e.error }

func (a *arrival) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &lostError{err}
	}
	return n, err
}

// abandon forgets an upload that failed, also when its sender is gone. What it cannot do, the sweep does.
func (s *Store) abandon(ctx context.Context, org, file uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		// It is ready when the answer of the last statement was lost; then it is an upload that nobody knows of.
		b.Queue("update rowhouse.attachment set state = 'leaving' where org_id = $1 and id = $2 and kept_at is null", org, file)
	})
	if err == nil {
		_ = remove(ctx, s.db, s.blobs, org, file)
	}
}

// remove removes the content of a file that is leaving, and then its row.
func remove(ctx context.Context, database *db.DB, blobs Blobs, org, file uuid.UUID) error {
	if err := errors.Join(blobs.Delete(ctx, key(org, file, true)), blobs.Delete(ctx, key(org, file, false))); err != nil {
		return fmt.Errorf("removing the content of a file: %w", err)
	}
	err := database.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.attachment where org_id = $1 and id = $2 and state = 'leaving'", org, file)
	})
	if err != nil {
		return fmt.Errorf("forgetting a file: %w", err)
	}
	return nil
}

// Types that a name tells apart where the content does not: all of them are handed out to be stored, never to be shown.
var byExtension = map[string]map[string]string{
	"text/plain": {
		".csv": "text/csv", ".tsv": "text/tab-separated-values", ".md": "text/markdown", ".json": "application/json",
		".yaml": "application/yaml", ".yml": "application/yaml", ".ics": "text/calendar",
	},
}

// typeOf finds the media type of content in the content itself.
func typeOf(content io.ReadSeeker, name string) (string, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("going back in an upload: %w", err)
	}
	found, err := mimetype.DetectReader(content)
	if err != nil {
		return "", fmt.Errorf("looking into an upload: %w", err)
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

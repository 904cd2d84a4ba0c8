// Package attachment manages the files in records: their metadata, their content in a blob store,
// limits, signed links to the content, and the removal of unreferenced files.
//
// A file is uploaded for a table and then put into cells of that table by its id. The row of a file is
// inserted before the first byte of its content is stored and deleted after the last one, so no content
// is orphaned. The package knows nothing of HTTP, of permissions, or of how records are stored: package
// record puts files into cells and gives the Sweeper the files that are referenced.
package attachment

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A File is the metadata of one upload. It is immutable.
type File struct {
	ID     uuid.UUID
	Table  uuid.UUID // for which it was uploaded
	Name   string
	Size   int64  // in bytes
	Type   string // media type, detected from the content
	Width  int    // in pixels, after applying the Exif orientation; 0 for a file without a thumbnail
	Height int
}

// PublicID returns the identifier of the file, as in att_….
func (f *File) PublicID() string { return id.Format(id.Attachment, f.ID) }

// HasThumbnail reports whether the file has a thumbnail.
func (f *File) HasThumbnail() bool { return f.Width > 0 }

// Limits bound what may be stored.
type Limits struct {
	File         int64    // bytes of one file
	Import       int64    // bytes of a file that an import reads, which is kept for a day; New makes it a GiB or more
	Organization int64    // bytes of all files of an organization; 0 means unlimited
	Types        []string // accepted media types, as in image/* or application/pdf; empty accepts all
}

// minImport is what an import may read at least, in bytes.
const minImport = 1 << 30

// allows reports whether a media type is accepted.
func (l *Limits) allows(mediaType string) bool {
	bare, _, _ := strings.Cut(mediaType, ";")
	for _, pattern := range l.Types {
		if kind, all := strings.CutSuffix(pattern, "/*"); all && strings.HasPrefix(bare, kind+"/") || pattern == bare ||
			pattern == "*/*" {
			return true
		}
	}
	return len(l.Types) == 0
}

// Check returns the first malformed pattern of Types, or "".
func (l *Limits) Check() string {
	for _, pattern := range l.Types {
		if kind, rest, ok := strings.Cut(pattern, "/"); !ok || kind == "" || rest == "" ||
			strings.ContainsAny(pattern, " ;,") {
			return pattern
		}
	}
	return ""
}

// A Store stores and returns files. It is safe for concurrent use by any number of processes on one
// database.
type Store struct {
	db     *db.DB
	blobs  Blobs // nil: every upload is rejected
	limits Limits
	*uploadLimiter
}

// New returns a store with its content in blobs. When blobs is nil, every upload is rejected.
func New(tenantDB *db.DB, blobs Blobs, limits Limits) *Store {
	limits.Import = max(limits.Import, limits.File, minImport)
	return &Store{db: tenantDB, blobs: blobs, limits: limits, uploadLimiter: newUploadLimiter()}
}

// Limits returns the limits of this store.
func (s *Store) Limits() Limits { return s.limits }

// columns of rowhouse.attachment in the order of scan.
const columns = "id, table_id, name, size, type, coalesce(width, 0), coalesce(height, 0)"

func scan(row pgx.Row) (File, error) {
	var f File
	err := row.Scan(&f.ID, &f.Table, &f.Name, &f.Size, &f.Type, &f.Width, &f.Height)
	return f, err
}

// Find returns the files among ids that were uploaded for the table and are ready to be put into
// its cells.
func Find(ctx context.Context, tenantDB *db.DB, org, table uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]File, error) {
	found := make(map[uuid.UUID]File, len(ids))
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+" from rowhouse.attachment where org_id = $1 and table_id = $2 and id = any ($3) "+
			"and state = 'ready'", org, table, ids).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					f, err := scan(rows)
					if err != nil {
						return err
					}
					found[f.ID] = f
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for files: %w", err)
	}
	return found, nil
}

// Retain queues a statement that locks distinct files and marks them as referenced, so that a
// concurrent sweep does not remove them. Queue it with every write that puts files into cells. If
// one of the files no longer exists, the transaction fails with the SQLSTATE gone.
func Retain(b *pgx.Batch, org, table uuid.UUID, ids []uuid.UUID, gone string) {
	b.Queue(`with mine as (select id from rowhouse.attachment
				where org_id = $1 and table_id = $2 and id = any ($3) and state = 'ready' order by id for update),
			held as (update rowhouse.attachment a set kept_at = clock_timestamp(), unused_since = null
				from mine where a.org_id = $1 and a.id = mine.id returning a.id)
		select gate.assert((select count(*) from held) = $4, $5)`, org, table, ids, len(ids), gone)
}

// Uploaded returns a file that a person uploaded for a table, and its content. It returns the errors of Content.
func (s *Store) Uploaded(ctx context.Context, org, table, person, file uuid.UUID) (File, Content, error) {
	mine := false
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select exists (select from rowhouse.attachment
			where org_id = $1 and id = $2 and table_id = $3 and created_by = $4)`, org, file, table, person).
			QueryRow(func(row pgx.Row) error { return row.Scan(&mine) })
	})
	switch {
	case err != nil:
		return File{}, nil, fmt.Errorf("looking for an upload: %w", err)
	case !mine:
		return File{}, nil, problem.NotFound("file", id.Format(id.Attachment, file))
	}
	return s.Content(ctx, org, file, false)
}

// Content returns a file of the organization and its content, or the content of its thumbnail. It returns
// an error of kind not_found when the organization has no such file, and of kind unavailable when
// the blob store fails. The caller closes the content.
func (s *Store) Content(ctx context.Context, org, file uuid.UUID, thumbnail bool) (File, Content, error) {
	var f File
	found := false
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(
			"select "+columns+" from rowhouse.attachment where org_id = $1 and id = $2 and state = 'ready'", org, file,
		).Query(func(rows pgx.Rows) (err error) {
			for rows.Next() {
				found = true
				if f, err = scan(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return f, nil, fmt.Errorf("looking for a file: %w", err)
	}
	if !found || s.blobs == nil || thumbnail && !f.HasThumbnail() {
		return f, nil, problem.NotFound("file", id.Format(id.Attachment, file))
	}
	content, err := s.blobs.Open(ctx, key(org, file, thumbnail))
	if err != nil {
		return f, nil, errUnavailable(fmt.Errorf("opening a file: %w", err))
	}
	return f, content, nil
}

// key returns the blob key of a file's content. It contains no user text.
func key(org, file uuid.UUID, thumbnail bool) string {
	name := org.String() + "/" + file.String()
	if thumbnail {
		name += ".thumbnail"
	}
	return name
}

// errUnavailable wraps a failure of the blob store.
func errUnavailable(cause error) error {
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeFilesUnavailable, RetryAfter: 2 * time.Second,
		Message: "The file store is not available at this moment; try again shortly.",
	}).Because(cause)
}

// Package attachment owns the files in records: what is known of each file, its content in a store of files, the bounds of
// both, the addresses under which content is read, and the removal of what no record holds any more.
//
// A file is uploaded for a table and then put into cells of that table by its id. A row tells of a file from before its first
// byte is kept until after its last one is removed, so nothing is forgotten half-way. The package knows nothing of HTTP, of who may
// do what, or of how records are stored: package record puts files into cells and tells the Sweeper which ones are there.
package attachment

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// A File is what is known of the content of one upload. It is never changed.
type File struct {
	ID     uuid.UUID
	Table  uuid.UUID // that it was uploaded for
	Name   string
	Size   int64  // in bytes
	Type   string // media type, found in the content
	Width  int    // of an image with a thumbnail, in pixels as it is shown; 0 for every other file
	Height int
}

// PublicID is the file's identifier outside.
func (f *File) PublicID() string { return id.Format(id.Attachment, f.ID) }

// HasThumbnail reports whether there is a small image of the file.
func (f *File) HasThumbnail() bool { return f.Width > 0 }

// Limits bound what may be kept.
type Limits struct {
	File         int64    // bytes of one file
	Organization int64    // bytes of all files of an organization; 0 for no bound
	Types        []string // media types that are taken, as in image/* or application/pdf; empty takes all
}

// allows reports whether a media type is among those that are taken.
func (l *Limits) allows(mediaType string) bool {
	bare, _, _ := strings.Cut(mediaType, ";")
	for _, pattern := range l.Types {
		if kind, all := strings.CutSuffix(pattern, "/*"); all && strings.HasPrefix(bare, kind+"/") || pattern == bare || pattern == "*/*" {
			return true
		}
	}
	return len(l.Types) == 0
}

// Check returns the first pattern of Types that is none, or "".
func (l *Limits) Check() string {
	for _, pattern := range l.Types {
		if kind, rest, ok := strings.Cut(pattern, "/"); !ok || kind == "" || rest == "" || strings.ContainsAny(pattern, " ;,") {
			return pattern
		}
	}
	return ""
}

// A Store takes files in and hands them out. It is safe for concurrent use, by any number of processes on one database.
type Store struct {
	db     *db.DB
	blobs  Blobs // nil: no file is taken in
	limits Limits
	*uploadLimiter
}

// New returns a store that keeps content in blobs, which may be nil: then every upload is refused.
func New(tenantDB *db.DB, blobs Blobs, limits Limits) *Store {
	return &Store{db: tenantDB, blobs: blobs, limits: limits, uploadLimiter: newUploadLimiter()}
}

// Through returns the same store over other doors to its database, such as those that sign with an actor (db.DB.WithActor).
func (s *Store) Through(tenantDB *db.DB) *Store {
	bound := *s
	bound.db = tenantDB
	return &bound
}

// Limits are the bounds of this store.
func (s *Store) Limits() Limits { return s.limits }

// columns of rowhouse.attachment in the order in which scan reads them.
const columns = "id, table_id, name, size, type, coalesce(width, 0), coalesce(height, 0)"

func scan(row pgx.Row) (File, error) {
	var f File
	err := row.Scan(&f.ID, &f.Table, &f.Name, &f.Size, &f.Type, &f.Width, &f.Height)
	return f, err
}

// Find returns those of the files that the organization has for a table and that can be put into its cells.
func Find(ctx context.Context, tenantDB *db.DB, org, table uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]File, error) {
	found := make(map[uuid.UUID]File, len(ids))
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+" from rowhouse.attachment where org_id = $1 and table_id = $2 and id = any ($3) and state = 'ready'", org, table, ids).
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

// Retain adds to a write of cells what it owes to the files in them, which must be different ones: they stay, also when the sweep
// is about to remove them. With one that is gone the transaction ends with the given SQLSTATE.
func Retain(b *pgx.Batch, org, table uuid.UUID, ids []uuid.UUID, gone string) {
	b.Queue(`with mine as (select id from rowhouse.attachment
				where org_id = $1 and table_id = $2 and id = any ($3) and state = 'ready' order by id for update),
			held as (update rowhouse.attachment a set kept_at = clock_timestamp(), unused_since = null
				from mine where a.org_id = $1 and a.id = mine.id returning a.id)
		select gate.demand((select count(*) from held) = $4, $5)`, org, table, ids, len(ids), gone)
}

// Content returns a file of the organization and its content, or its thumbnail. It returns an error of kind not_found when the
// organization has no such file. The content must be closed.
func (s *Store) Content(ctx context.Context, org, file uuid.UUID, thumbnail bool) (File, Content, error) {
	var f File
	found := false
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+" from rowhouse.attachment where org_id = $1 and id = $2 and state = 'ready'", org, file).
			Query(func(rows pgx.Rows) (err error) {
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

// key is the name of a file's content in a store of files. It holds no user text.
func key(org, file uuid.UUID, thumbnail bool) string {
	name := org.String() + "/" + file.String()
	if thumbnail {
		name += ".thumbnail"
	}
	return name
}

// errUnavailable is the failure of the store of files.
func errUnavailable(cause error) error {
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: "files_unavailable", RetryAfter: 2 * time.Second,
		Message: "The store of files is not available at this moment; try again shortly.",
	}).Because(cause)
}

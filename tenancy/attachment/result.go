package attachment

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
)

// Keep stores a file that the service has made for a person, about a table or a base, for a day. The limits of a file
// do not apply, because nobody sent it; the quota of the organization does. name is a valid file name, and mediaType
// its media type. It returns errors of kind conflict, too_large and unavailable, and nothing is kept then.
func (s *Store) Keep(
	ctx context.Context, org, person, about uuid.UUID, name, mediaType string, content Source,
) (File, error) {
	if err := s.CheckConfigured(); err != nil {
		return File{}, err
	}
	digest := sha256.New()
	size, err := io.Copy(digest, content)
	if err == nil {
		_, err = content.Seek(0, io.SeekStart)
	}
	if err != nil {
		return File{}, errUnavailable(fmt.Errorf("reading a result: %w", err))
	}
	f := File{ID: id.New(), Table: about, Name: name, Size: size, Type: mediaType}
	if err := s.reserve(ctx, org, person, &f, size, 0); err != nil {
		return File{}, err
	}
	err = s.blobs.Put(ctx, key(org, f.ID, false), content, size)
	if err != nil {
		err = errUnavailable(fmt.Errorf("storing a result: %w", err))
	} else {
		err = s.db.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue(`update rowhouse.attachment set type = $3, sha256 = $4, state = 'ready'
				where org_id = $1 and id = $2 and state = 'arriving'`, org, f.ID, mediaType, digest.Sum(nil))
		})
	}
	if err != nil {
		s.abandon(ctx, org, f.ID)
		return File{}, err
	}
	return f, nil
}

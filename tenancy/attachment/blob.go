package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Blobs keep content under keys: one or two path segments of letters, digits, dots and hyphens. Every implementation passes the
// same suite, package blobtest.
type Blobs interface {
	// Put keeps size bytes of content under a key. What it fails to keep whole is not there at all. Content that is there
	// already is replaced.
	Put(ctx context.Context, key string, content Source, size int64) error
	// Open returns what is kept under a key, or ErrNoBlob. It must be closed.
	Open(ctx context.Context, key string) (Content, error)
	// Delete removes what is kept under a key; nothing is fine too.
	Delete(ctx context.Context, key string) error
	// RemovePartial removes what uploads that were cut off have left.
	RemovePartial(ctx context.Context) error
}

// A Source is content that can be read more than once.
type Source interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Content is read from any place in it.
type Content interface {
	io.ReadSeekCloser
}

// ErrBlobNotFound is returned for a key under which nothing is kept.
var ErrBlobNotFound = errors.New("there is no content under this key")

// OpenBlobs opens the store of files that an address names: file:///a/folder, which is made when it is not there, or
// s3://KEY:SECRET@host/bucket?region=…, with s3+http for a server without TLS; without a key it takes the credentials of the machine that
// it runs on. No message repeats the address, which holds a secret.
func OpenBlobs(ctx context.Context, address string) (Blobs, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is no URL; characters with a meaning in URLs are percent-encoded in keys and secrets")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") {
			return nil, errors.New("the folder is named from the root, with three slashes: file:///var/lib/rowhouse/files")
		}
		return NewDisk(u.Path)
	case "s3", "s3+http":
		return newS3(ctx, u)
	}
	return nil, fmt.Errorf("its scheme must be file, s3 or s3+http, not %q", u.Scheme)
}

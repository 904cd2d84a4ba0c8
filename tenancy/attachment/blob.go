package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Blobs stores content under keys: one or two path segments of letters, digits, dots and hyphens.
// Every implementation passes the conformance tests in package blobtest.
type Blobs interface {
	// Put stores size bytes of content under a key, replacing any existing content. It is atomic:
	// after an error, nothing is stored.
	Put(ctx context.Context, key string, content Source, size int64) error
	// Open returns the content of a key, or ErrBlobNotFound. The caller closes it.
	Open(ctx context.Context, key string) (Content, error)
	// Delete removes the content of a key. A missing key is not an error.
	Delete(ctx context.Context, key string) error
	// RemovePartial removes the remains of interrupted uploads.
	RemovePartial(ctx context.Context) error
}

// A Source is content that can be read several times.
type Source interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Content is seekable content.
type Content interface {
	io.ReadSeekCloser
}

// ErrBlobNotFound is returned for a key without content.
var ErrBlobNotFound = errors.New("there is no content under this key")

// OpenBlobs opens the blob store at a URL: file:///a/folder, which is created if necessary, or
// s3://KEY:SECRET@host/bucket?region=…, with s3+http for a server without TLS. Without a key, S3
// uses the credentials of the machine. Errors do not contain the URL, because it contains a secret.
func OpenBlobs(ctx context.Context, address string) (Blobs, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is not a valid URL; percent-encode special characters in keys and secrets")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") {
			return nil, errors.New(
				"the folder must be an absolute path, with three slashes: file:///var/lib/rowhouse/files",
			)
		}
		return NewDisk(u.Path)
	case "s3", "s3+http":
		return newS3(ctx, u)
	}
	return nil, fmt.Errorf("its scheme must be file, s3 or s3+http, not %q", u.Scheme)
}

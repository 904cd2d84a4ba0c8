// Package bucket writes to, reads from and deletes in a bucket of an S3-compatible store that other people chose. It
// connects as package outbound does, and says what the store answered.
//
// The package knows nothing of what the objects are.
package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/problem"
)

// A Destination says where objects go.
type Destination struct {
	Endpoint  string // a URL without a path, such as https://s3.eu-central-1.amazonaws.com
	Region    string // "": the store is asked
	Bucket    string
	Prefix    string // of the names of objects, without a slash at its ends
	AccessKey string
	SecretKey string
}

// Store names the store and the bucket.
func (d *Destination) Store() string { return d.Endpoint + "/" + d.Bucket }

// Object is the name of an object below the prefix.
func (d *Destination) Object(name string) string {
	if d.Prefix == "" {
		return name
	}
	return d.Prefix + "/" + name
}

// partSize is the size of the parts in which an object is sent. 10,000 of them are the largest object.
const partSize = 64 << 20

// retries are the attempts of a request that failed for a reason that may pass.
const retries = 3

// A Bucket is an open bucket.
type Bucket struct {
	client *minio.Client
	name   string
}

// An Opener opens buckets.
type Opener struct {
	// Transport connects to stores.
	Transport http.RoundTripper
	// Check returns an error that says why a URL cannot be an endpoint, or nil.
	Check func(endpoint string) error
}

const (
	longestWait = 2 * time.Minute // for the beginning of an answer, also to the end of an upload
	mostBytes   = 1 << 40         // of an object
)

// NewOpener returns an opener for public addresses, and for networks that the operator allows.
func NewOpener(allowed []netip.Prefix) *Opener {
	client := outbound.NewClient(outbound.Options{
		Allowed: allowed, Timeout: longestWait, MaxBody: mostBytes, KeepAlive: true,
	})
	return &Opener{client.Transport, outbound.NewSender(outbound.Options{Allowed: allowed}).Check}
}

// Open returns the bucket of a destination. It sends nothing.
func (o *Opener) Open(d *Destination) (*Bucket, error) {
	u, err := url.Parse(d.Endpoint)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, problem.Invalid("endpoint", "must be a URL without a path, such as "+
			"https://s3.eu-central-1.amazonaws.com")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(d.AccessKey, d.SecretKey, ""),
		Secure: u.Scheme == "https", Region: d.Region, MaxRetries: retries, Transport: o.Transport,
	})
	if err != nil {
		return nil, problem.Invalid("endpoint", "cannot be used: %s", err)
	}
	return &Bucket{client, d.Bucket}, nil
}

// A Source is content that can be read several times.
type Source interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Put stores an object, in place of the one with this name. Its content is sent in parts, and never as a whole in
// memory.
func (b *Bucket) Put(ctx context.Context, name string, content Source, size int64) error {
	_, err := b.client.PutObject(ctx, b.name, name, content, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: partSize, NumThreads: 1,
	})
	return failed("writing", name, err)
}

// Get copies the content of an object, and returns its size.
func (b *Bucket) Get(ctx context.Context, name string, to io.Writer) (size int64, err error) {
	object, err := b.client.GetObject(ctx, b.name, name, minio.GetObjectOptions{})
	if err != nil {
		return 0, failed("reading", name, err)
	}
	size, err = io.Copy(to, object)
	return size, failed("reading", name, errors.Join(err, object.Close()))
}

// Delete deletes an object. One that is gone is no error.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	return failed("deleting", name, b.client.RemoveObject(ctx, b.name, name, minio.RemoveObjectOptions{}))
}

// Test writes a small object, reads it back and deletes it.
func (b *Bucket) Test(ctx context.Context, d *Destination) error {
	name, content := d.Object("rowhouse-test-"+uuid.NewString()), []byte("Rowhouse tests whether it may write here.\n")
	if err := b.Put(ctx, name, bytes.NewReader(content), int64(len(content))); err != nil {
		return err
	}
	var read bytes.Buffer
	_, err := b.Get(ctx, name, &read)
	if err == nil && !bytes.Equal(read.Bytes(), content) {
		err = problem.Conflict("Reading %q did not return what was written to it.", name)
	}
	if gone := b.Delete(ctx, name); err == nil {
		err = gone
	}
	return err
}

// failed says what the store answered. What may pass is an error of kind unavailable, which a job tries again.
func failed(what, name string, err error) error {
	if err == nil {
		return nil
	}
	if problem.KindOf(err) == problem.KindConflict {
		return err
	}
	var answer minio.ErrorResponse
	if errors.As(err, &answer) && answer.StatusCode != 0 {
		text := fmt.Sprintf("%s %q failed: the store answered %s (HTTP %d): %s", title(what), name, answer.Code,
			answer.StatusCode, strings.TrimSuffix(strings.ToValidUTF8(answer.Message, "�"), "."))
		if answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests {
			return (&problem.Error{Kind: problem.KindUnavailable, Message: text + "."}).Because(err)
		}
		return problem.Conflict("%s.", text).Because(err)
	}
	for _, refused := range []error{outbound.ErrNotAllowed, outbound.ErrPlain, outbound.ErrUnresolved} {
		if errors.Is(err, refused) {
			return problem.Conflict("%s %q failed: %s.", title(what), name, refused).Because(err)
		}
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s %q: %w", what, name, err)
	}
	return (&problem.Error{
		Kind: problem.KindUnavailable, Message: fmt.Sprintf("%s %q failed: %s.", title(what), name, plain(err)),
	}).Because(err)
}

// plain is an error of the transport without the URL, whose query has a signature.
func plain(err error) string {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return strings.TrimSuffix(strings.ToValidUTF8(err.Error(), "�"), ".")
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

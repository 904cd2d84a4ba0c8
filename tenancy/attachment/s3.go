package attachment

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 stores content in a bucket of an S3-compatible store.
type S3 struct {
	client *minio.Client
	bucket string
}

// partSize is larger than nearly all files, which are then uploaded in one request and without a
// copy in memory.
const partSize = 64 << 20

func newS3(ctx context.Context, u *url.URL) (*S3, error) {
	bucket := strings.Trim(u.Path, "/")
	if u.Host == "" || bucket == "" || strings.Contains(bucket, "/") {
		return nil, errors.New(
			"it must name a host and a bucket, as in s3://KEY:SECRET@s3.example.com/bucket?region=eu-west-1",
		)
	}
	for name := range u.Query() {
		if name != "region" {
			return nil, fmt.Errorf("%q is not a parameter; the only one is region", name)
		}
	}
	given := credentials.NewIAM("")
	if u.User != nil {
		secret, _ := u.User.Password()
		given = credentials.NewStaticV4(u.User.Username(), secret, "")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: given, Secure: u.Scheme == "s3", Region: u.Query().Get("region"), MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("preparing the file store: %w", err)
	}
	there, err := client.BucketExists(ctx, bucket)
	if err != nil {
		return nil, fmt.Errorf("looking up the bucket %q: %w", bucket, err)
	}
	if !there {
		return nil, fmt.Errorf("there is no bucket %q, or the key has no access to it", bucket)
	}
	return &S3{client, bucket}, nil
}

// Put implements Blobs. S3 makes an object visible only when it is complete.
func (s *S3) Put(ctx context.Context, key string, content Source, size int64) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, content, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: partSize, NumThreads: 1,
		DisableContentSha256: size == 0, // the library cannot sign an empty body in chunks
	})
	if err != nil {
		return fmt.Errorf("writing an object: %w", err)
	}
	return nil
}

// Open implements Blobs.
func (s *S3) Open(ctx context.Context, key string) (Content, error) {
	object, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("opening an object: %w", err)
	}
	// GetObject sends no request before the first read.
	if _, err := object.Stat(); err != nil {
		gone := minio.ToErrorResponse(err).Code == minio.NoSuchKey
		err = errors.Join(err, object.Close())
		if gone {
			return nil, fmt.Errorf("%w: %w", ErrBlobNotFound, err)
		}
		return nil, fmt.Errorf("opening an object: %w", err)
	}
	return object, nil
}

// Delete implements Blobs.
func (s *S3) Delete(ctx context.Context, key string) error {
	if err := s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("removing an object: %w", err)
	}
	return nil
}

// RemovePartial implements Blobs. It does nothing, because a lifecycle rule of the bucket removes
// incomplete multipart uploads.
func (s *S3) RemovePartial(context.Context) error { return nil }

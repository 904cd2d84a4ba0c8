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

// S3 keeps content in a bucket of a store that speaks S3's protocol.
type S3 struct {
	client *minio.Client
	bucket string
}

// partSize is above the size of nearly all files, which then go in one request and without a second copy in memory.
const partSize = 64 << 20

func newS3(ctx context.Context, u *url.URL) (*S3, error) {
	bucket := strings.Trim(u.Path, "/")
	if u.Host == "" || bucket == "" || strings.Contains(bucket, "/") {
		return nil, errors.New("it names a host and a bucket, as in s3://KEY:SECRET@s3.example.com/bucket?region=eu-west-1")
	}
	for name := range u.Query() {
		if name != "region" {
			return nil, fmt.Errorf("%q is no parameter of it; there is only region", name)
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
		return nil, fmt.Errorf("preparing the store of files: %w", err)
	}
	there, err := client.BucketExists(ctx, bucket)
	if err != nil {
		return nil, fmt.Errorf("asking for the bucket %q: %w", bucket, err)
	}
	if !there {
		return nil, fmt.Errorf("there is no bucket %q, or the key may not use it", bucket)
	}
	return &S3{client, bucket}, nil
}

// Put implements Blobs. An object is there when all of it has arrived.
func (s *S3) Put(ctx context.Context, key string, content Source, size int64) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, content, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: partSize, NumThreads: 1,
		DisableContentSha256: size == 0, // the library signs nothing in parts, without a length
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
	// The library asks for nothing before the first byte is wanted.
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

// RemovePartial implements Blobs. A rule of the bucket's own removes what is left of uploads in parts.
func (s *S3) RemovePartial(context.Context) error { return nil }

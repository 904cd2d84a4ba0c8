package main

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/attachment/blobtest"
)

// s3 starts a server that speaks S3's protocol and returns the address of a bucket in it.
func s3(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return "s3+http://KEY:SE%2FCRET@" + u.Host + "/files?region=us-east-1"
}

func TestFilesInS3Bucket(t *testing.T) {
	t.Parallel()
	blobs, err := attachment.OpenBlobs(t.Context(), s3(t))
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, blobs)
}

func TestInvalidAttachmentURLIsNotRepeated(t *testing.T) {
	t.Parallel()
	good := s3(t)
	for _, address := range []string{
		"ftp://KEY:hidden@host/bucket", "s3://KEY:hidden@host", "s3://KEY:hidden@host/a/b",
		"s3://KEY:hidden@host/bucket?zone=a", "s3://KEY:hid/den@host/bucket", "file://relative/folder",
		strings.Replace(good, "/files", "/others", 1),
	} {
		_, err := attachment.OpenBlobs(t.Context(), address)
		if err == nil {
			t.Errorf("%s is taken", address)
		} else if strings.Contains(err.Error(), "hid") || strings.Contains(err.Error(), "SE/CRET") ||
			strings.Contains(err.Error(), "SE%2FCRET") {
			t.Errorf("the message repeats a secret: %v", err)
		}
	}
}

package attachment_test

import (
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/attachment/blobtest"
)

func TestTheDiskKeepsFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	blobs, err := attachment.OpenBlobs(t.Context(), "file://"+folder)
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, blobs)
	parts, err := os.ReadDir(filepath.Join(folder, "part"))
	if err != nil || len(parts) != 0 {
		t.Errorf("unfinished files are left: %v, %v", parts, err)
	}
}

func TestTidyingRemovesUnfinishedFilesOfADayAgo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	blobs, err := attachment.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "new": time.Hour} {
		path := filepath.Join(folder, "part", name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := blobs.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadDir(filepath.Join(folder, "part"))
	if err != nil || len(parts) != 1 || parts[0].Name() != "new" {
		t.Errorf("left are %v, %v", parts, err)
	}
}

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

func TestABucketKeepsFiles(t *testing.T) {
	t.Parallel()
	blobs, err := attachment.OpenBlobs(t.Context(), s3(t))
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, blobs)
}

func TestAnAddressThatNamesNoStoreIsRefusedWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	good := s3(t)
	for _, address := range []string{
		"ftp://KEY:hidden@host/bucket", "s3://KEY:hidden@host", "s3://KEY:hidden@host/a/b", "s3://KEY:hidden@host/bucket?zone=a",
		"s3://KEY:hid/den@host/bucket", "file://relative/folder", strings.Replace(good, "/files", "/others", 1),
	} {
		_, err := attachment.OpenBlobs(t.Context(), address)
		if err == nil {
			t.Errorf("%s is taken", address)
		} else if strings.Contains(err.Error(), "hid") || strings.Contains(err.Error(), "SE/CRET") || strings.Contains(err.Error(), "SE%2FCRET") {
			t.Errorf("the message repeats a secret: %v", err)
		}
	}
}

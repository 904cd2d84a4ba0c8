package attachment_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/attachment/blobtest"
)

func TestDiskConforms(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	blobs, err := attachment.OpenBlobs(t.Context(), "file://"+folder)
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, blobs)
	parts, err := os.ReadDir(filepath.Join(folder, "part"))
	if err != nil || len(parts) != 0 {
		t.Errorf("unfinished files remain: %v, %v", parts, err)
	}
}

func TestRemovePartialDeletesOldUnfinishedFiles(t *testing.T) {
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
	if err := blobs.RemovePartial(t.Context()); err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadDir(filepath.Join(folder, "part"))
	if err != nil || len(parts) != 1 || parts[0].Name() != "new" {
		t.Errorf("remaining: %v, %v", parts, err)
	}
}

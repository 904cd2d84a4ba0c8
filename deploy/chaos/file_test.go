//go:build chaos

package chaos

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// testFiles uploads 100 files of 1 GB concurrently. Half of them announce their size. None may be
// stored or use memory.
func (e *environment) testFiles(t *testing.T) {
	const size = 1 << 30
	folder := t.TempDir()
	p := e.start(t, "ATTACHMENT_URL=file://"+folder)
	n := e.tenant(t, p)
	before, grownBy := watchMemory(t, p)
	var all sync.WaitGroup
	var announced, silent, early, other atomic.Int64
	for i := range 100 {
		all.Go(func() {
			sent := &silent
			if i%2 == 0 {
				sent = &announced
			}
			request, err := http.NewRequest(http.MethodPost, p.base+"/api/v1/tables/"+n.table+"/uploads?name=large.bin",
				io.LimitReader(&countingReader{sent}, size))
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				request.ContentLength = size
			}
			request.Header.Set("x-api-key", n.key)
			response, err := e.client.Do(request)
			if err != nil {
				return // the service closed the connection during the upload
			}
			defer func() { _ = response.Body.Close() }()
			var problem struct {
				Code string `json:"code"`
			}
			_ = json.NewDecoder(response.Body).Decode(&problem) // a body that is not a problem document matches no case
			switch {
			case response.StatusCode == http.StatusRequestEntityTooLarge && problem.Code == "file_too_large":
				early.Add(1)
			case response.StatusCode == http.StatusTooManyRequests && problem.Code == "too_many_uploads":
			default:
				other.Add(1)
				t.Errorf("an upload of 1 GB got %d %s", response.StatusCode, problem.Code)
			}
		})
	}
	all.Wait()
	grown := grownBy()
	left := 0
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			left++
		}
		return err
	})
	if err != nil || left > 0 || grown > 100 || early.Load() == 0 {
		t.Errorf("%d files are left (%v), memory grew by %.0f MB, %d were refused as too large",
			left, err, grown, early.Load())
	}
	report(t, "100 files of 1 GB", "none stored, %d refused as too large; %.1f MB sent of those with an announced "+
		"size, %.0f MB of the others; resident memory %.0f MB, at most %.0f MB more during the test",
		early.Load(), float64(announced.Load())/1e6, float64(silent.Load())/1e6, before, grown)
	if status, body, err := e.request(
		p, http.MethodPost, "/api/v1/tables/"+n.table+"/attachments", n.key,
		`{"name":"small.txt","content":"aGVsbG8="}`,
	); err != nil || status != http.StatusOK {
		t.Errorf("a small file afterwards: %d %s %v", status, body, err)
	}
}

//go:build drill

package drill

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

// drillFiles sends 100 files of 1 GB at once: half of them say so, the others say nothing. None may be kept, nor cost memory.
func (h *house) drillFiles(t *testing.T) {
	const size = 1 << 30
	folder := t.TempDir()
	p := h.start(t, "ATTACHMENT_URL=file://"+folder)
	n := h.tenant(t, p)
	before, grownBy := watchMemory(t, p)
	var all sync.WaitGroup
	var announced, silent, early, other atomic.Int64
	for i := range 100 {
		all.Go(func() {
			sent := &silent
			if i%2 == 0 {
				sent = &announced
			}
			request, err := http.NewRequest(http.MethodPost, p.base+"/api/v1/tables/"+n.table+"/uploads?name=large.bin", io.LimitReader(&counted{sent}, size))
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				request.ContentLength = size
			}
			request.Header.Set("x-api-key", n.key)
			response, err := h.client.Do(request)
			if err != nil {
				return // cut off while it was sending
			}
			defer func() { _ = response.Body.Close() }()
			var problem struct {
				Code string `json:"code"`
			}
			_ = json.NewDecoder(response.Body).Decode(&problem) // without one it is none of these
			switch {
			case response.StatusCode == http.StatusRequestEntityTooLarge && problem.Code == "file_too_large":
				early.Add(1)
			case response.StatusCode == http.StatusTooManyRequests && problem.Code == "too_many_uploads":
			default:
				other.Add(1)
				t.Errorf("an upload of 1 GB is answered with %d %s", response.StatusCode, problem.Code)
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
		t.Errorf("%d files are left (%v), memory grew by %.0f MB, %d were told that they are too large", left, err, grown, early.Load())
	}
	tell(t, "100 files of 1 GB", "none kept, %d told that it is too large; of those that said their size %.1f MB were sent, of the others %.0f MB; resident memory %.0f MB, at most %.0f MB more meanwhile",
		early.Load(), float64(announced.Load())/1e6, float64(silent.Load())/1e6, before, grown)
	if status, body, err := h.ask(p, http.MethodPost, "/api/v1/tables/"+n.table+"/attachments", n.key, `{"name":"small.txt","content":"aGVsbG8="}`); err != nil || status != http.StatusOK {
		t.Errorf("a small file afterwards: %d %s %v", status, body, err)
	}
}

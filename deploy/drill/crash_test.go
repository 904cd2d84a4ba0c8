//go:build drill

package drill

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const batch = 10

// A writer writes batches, or single records, and keeps the names of those that were acknowledged.
type writer struct {
	single       bool // one record is a batch of its own, and shares its transaction with others that come at once
	mu           sync.Mutex
	acknowledged []string
	sent         atomic.Int64
	refused      map[int]int
	late         time.Duration // the longest answer
}

func batchOf(name string) string {
	records := make([]string, batch)
	for i := range records {
		records[i] = fmt.Sprintf(`{"fields":{"Name":"row %d","Batch":%q,"Number":%d}}`, i, name, i)
	}
	return `{"records":[` + strings.Join(records, ",") + `]}`
}

// singly names batches of single records.
const singly = "single-"

// next is the body of a batch and its name.
func (w *writer) next(label string, i int) (name, body string) {
	name = label + "-" + strconv.Itoa(i)
	if w.single {
		name = singly + name
		return name, fmt.Sprintf(`{"fields":{"Name":"row","Batch":%q,"Number":%d}}`, name, i)
	}
	return name, batchOf(name)
}

// write writes until stop is closed, to the process that current names at each moment.
func (w *writer) write(h *house, n *tenant, label string, current func() *process, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		p := current()
		if p == nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		name, body := w.next(label, i)
		w.sent.Add(1)
		began := time.Now()
		status, _, err := h.ask(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key, body)
		w.mu.Lock()
		w.late = max(w.late, time.Since(began))
		if err == nil && status == http.StatusOK {
			w.acknowledged = append(w.acknowledged, name)
		} else {
			if w.refused == nil {
				w.refused = map[int]int{}
			}
			w.refused[status]++
		}
		w.mu.Unlock()
		if err != nil || status != http.StatusOK {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// audit counts batches that were acknowledged and are gone, and batches that are there in part.
func (w *writer) audit(t *testing.T, h *house, p *process, n *tenant) (lost, half, there int) {
	t.Helper()
	found := map[string]int{}
	for cursor := ""; ; {
		path := "/api/v1/tables/" + n.table + "/records?fields=" + `["Batch"]`
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		status, raw, err := h.ask(p, http.MethodGet, path, n.key, "")
		if err != nil || status != http.StatusOK {
			t.Fatalf("reading back: %d %s %v", status, raw, err)
		}
		var page struct {
			Records []struct {
				Fields struct{ Batch string } `json:"fields"`
			} `json:"records"`
			NextCursor string `json:"cursor"`
			HasMore    bool   `json:"hasMore"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			if strings.HasPrefix(r.Fields.Batch, singly) == w.single {
				found[r.Fields.Batch]++
			}
		}
		if cursor = page.NextCursor; cursor == "" || !page.HasMore {
			break
		}
	}
	whole := batch
	if w.single {
		whole = 1
	}
	for _, count := range found {
		if count != whole {
			half++
		}
	}
	for _, name := range w.acknowledged {
		if found[name] == 0 {
			lost++
		}
	}
	return lost, half, len(found)
}

func (h *house) drillKill(t *testing.T) {
	var current atomic.Pointer[process]
	p := h.start(t)
	n := h.tenant(t, p)
	current.Store(p)
	w, singles := writer{}, writer{single: true}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { w.write(h, n, strconv.Itoa(i), current.Load, stop) })
	}
	for i := range 8 {
		all.Go(func() { singles.write(h, n, strconv.Itoa(i), current.Load, stop) })
	}
	for i := range *kills {
		time.Sleep(time.Duration(100+37*(i%11)) * time.Millisecond)
		current.Store(nil)
		p.kill()
		p = h.start(t)
		current.Store(p)
	}
	time.Sleep(200 * time.Millisecond)
	close(stop)
	all.Wait()
	lost, half, there := w.audit(t, h, p, n)
	if lost+half > 0 || len(w.acknowledged) < *kills {
		t.Errorf("%d acknowledged batches are lost, %d are there in part", lost, half)
	}
	tell(t, "kill -9 under write load", "%d kills, %d batches of %d sent, %d acknowledged, %d there: %d acknowledged lost, %d half batches",
		*kills, w.sent.Load(), batch, len(w.acknowledged), there, lost, half)
	lost, twice, there := singles.audit(t, h, p, n)
	if lost+twice > 0 || len(singles.acknowledged) < *kills {
		t.Errorf("%d acknowledged single records are lost, %d are there twice", lost, twice)
	}
	tell(t, "kill -9 under write load", "beside them %d single records sent, %d acknowledged, %d there: %d acknowledged lost, %d there twice",
		singles.sent.Load(), len(singles.acknowledged), there, lost, twice)
}

func (h *house) drillPostgresStopped(t *testing.T) {
	p := h.start(t)
	n := h.tenant(t, p)
	w, singles := writer{}, writer{single: true}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { w.write(h, n, strconv.Itoa(i), func() *process { return p }, stop) })
		all.Go(func() { singles.write(h, n, strconv.Itoa(i), func() *process { return p }, stop) })
	}
	time.Sleep(2 * time.Second)
	stopPostgresAtOnce(t, h)
	time.Sleep(time.Second)
	began := time.Now()
	wrong, asked := 0, 0
	for time.Since(began) < 3*time.Second {
		status, retry := h.retryAfter(p, n)
		asked++
		if status != http.StatusServiceUnavailable || retry == "" {
			wrong++
			t.Errorf("without PostgreSQL: %d, Retry-After %q", status, retry)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := h.services.Stop(context.Background()); err != nil {
		t.Log(err) // PostgreSQL is gone already
	}
	h.startServices()
	back := time.Now()
	var recovery time.Duration
	for {
		if status, _, err := h.ask(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key, batchOf("after")); err == nil && status == http.StatusOK {
			recovery = time.Since(back)
			break
		}
		if time.Since(back) > 30*time.Second {
			t.Fatal("it did not recover within 30 s")
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Second)
	close(stop)
	all.Wait()
	lost, half, _ := w.audit(t, h, p, n)
	if lost+half > 0 || recovery > 5*time.Second {
		t.Errorf("%d lost, %d half, recovered after %s", lost, half, recovery)
	}
	singlesLost, twice, _ := singles.audit(t, h, p, n)
	if singlesLost+twice > 0 {
		t.Errorf("%d single records lost, %d there twice", singlesLost, twice)
	}
	tell(t, "PostgreSQL stopped at once under write load", "%d of %d requests meanwhile got 503 with Retry-After; served again %d ms after PostgreSQL accepted connections; %d batches acknowledged, %d lost, %d half; %d single records acknowledged, %d lost; the longest answer took %.1f s",
		asked-wrong, asked, recovery.Milliseconds(), len(w.acknowledged), lost, half, len(singles.acknowledged), singlesLost, max(w.late, singles.late).Seconds())
}

func (h *house) retryAfter(p *process, n *tenant) (int, string) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.base+"/api/v1/tables/"+n.table+"/records?limit=1", nil)
	if err != nil {
		return 0, ""
	}
	request.Header.Set("x-api-key", n.key)
	response, err := h.client.Do(request)
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Retry-After")
}

// stopPostgresAtOnce ends PostgreSQL as an immediate shutdown does: without finishing anything.
func stopPostgresAtOnce(t *testing.T, h *house) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.dir, "data", "postgres", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
}

func (h *house) drillTerminate(t *testing.T) {
	p := h.start(t)
	var crowd []*tenant // none of which is near what one organization may have under way
	for range 8 {
		crowd = append(crowd, h.tenant(t, p))
	}
	const rate = 500
	var ok, refused, failed atomic.Int64
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		began := time.Now()
		for sent := 0; ; {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			// What is due is sent, however late the clock of this process ticks.
			for due := int(time.Since(began).Seconds() * rate); sent < due; sent++ {
				n := crowd[sent%len(crowd)]
				all.Go(func() {
					status, raw, err := h.ask(p, http.MethodGet, "/api/v1/tables/"+n.table+"/records?limit=10", n.key, "")
					switch {
					case err == nil && status == http.StatusOK:
						ok.Add(1)
					case err != nil && strings.Contains(err.Error(), "connection refused"):
						refused.Add(1) // it came after the door was closed
					default:
						failed.Add(1)
						t.Logf("%d %s %v", status, raw, err)
					}
				})
			}
		}
	})
	time.Sleep(2 * time.Second) // connections open
	answered, from := ok.Load(), time.Now()
	time.Sleep(4 * time.Second)
	reached := float64(ok.Load()-answered) / time.Since(from).Seconds()
	began := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := <-p.ended
	took := time.Since(began)
	p.ended <- err
	close(stop)
	all.Wait()
	if err != nil || failed.Load() > 0 || took > 30*time.Second || reached < 0.98*rate {
		t.Errorf("ended after %s with %v; %.0f answers a second before; %d failed", took, err, reached, failed.Load())
	}
	tell(t, "SIGTERM under 500 requests/s", "%.0f answers a second before the signal, %d answered, %d failed in flight, %d refused after the listener had closed; ended after %.2f s",
		reached, ok.Load(), failed.Load(), refused.Load(), took.Seconds())
}

//go:build chaos

package chaos

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

// A writer writes batches, or single records, and remembers the names of the acknowledged ones.
type writer struct {
	single       bool // writes one record at a time, which may share a transaction with other writers' records
	mu           sync.Mutex
	acknowledged []string
	sent         atomic.Int64
	refused      map[int]int
	slowest      time.Duration // the longest response time
}

func batchBody(name string) string {
	records := make([]string, batch)
	for i := range records {
		records[i] = fmt.Sprintf(`{"fields":{"Name":"row %d","Batch":%q,"Number":%d}}`, i, name, i)
	}
	return `{"records":[` + strings.Join(records, ",") + `]}`
}

// singlePrefix begins the batch names of single records.
const singlePrefix = "single-"

// next returns the name and the body of a batch.
func (w *writer) next(label string, i int) (name, body string) {
	name = label + "-" + strconv.Itoa(i)
	if w.single {
		name = singlePrefix + name
		return name, fmt.Sprintf(`{"fields":{"Name":"row","Batch":%q,"Number":%d}}`, name, i)
	}
	return name, batchBody(name)
}

// write writes until stop is closed, each time to the process that current returns.
func (w *writer) write(e *environment, n *tenant, label string, current func() *process, stop <-chan struct{}) {
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
		status, _, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key, body)
		w.mu.Lock()
		w.slowest = max(w.slowest, time.Since(began))
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

// count returns how many batches have been acknowledged.
func (w *writer) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.acknowledged)
}

// audit counts acknowledged batches that are lost, and batches that are only partly there.
func (w *writer) audit(t *testing.T, e *environment, p *process, n *tenant) (lost, half, there int) {
	t.Helper()
	found := map[string]int{}
	for cursor := ""; ; {
		path := "/api/v1/tables/" + n.table + "/records?fields=" + `["Batch"]`
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		status, raw, err := e.request(p, http.MethodGet, path, n.key, "")
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
			if strings.HasPrefix(r.Fields.Batch, singlePrefix) == w.single {
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

func (e *environment) testKill(t *testing.T) {
	var current atomic.Pointer[process]
	p := e.start(t)
	n := e.tenant(t, p)
	current.Store(p)
	w, singles := writer{}, writer{single: true}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { w.write(e, n, strconv.Itoa(i), current.Load, stop) })
	}
	for i := range 8 {
		all.Go(func() { singles.write(e, n, strconv.Itoa(i), current.Load, stop) })
	}
	p = e.killRepeatedly(t, &current, func(int) {})
	close(stop)
	all.Wait()
	lost, half, there := w.audit(t, e, p, n)
	if lost+half > 0 || len(w.acknowledged) < *kills {
		t.Errorf("%d acknowledged batches are lost, %d are there in part", lost, half)
	}
	report(t, "kill -9 under write load",
		"%d kills, %d batches of %d sent, %d acknowledged, %d there: %d acknowledged lost, %d half batches", *kills,
		w.sent.Load(), batch, len(w.acknowledged), there, lost, half)
	lost, twice, there := singles.audit(t, e, p, n)
	if lost+twice > 0 || len(singles.acknowledged) < *kills {
		t.Errorf("%d acknowledged single records are lost, %d are there twice", lost, twice)
	}
	report(t, "kill -9 under write load",
		"with them, %d single records sent, %d acknowledged, %d there: %d acknowledged lost, %d there twice",
		singles.sent.Load(), len(singles.acknowledged), there, lost, twice)
}

// killRepeatedly kills the current process and starts the next one, many times, and returns the last.
// between is called each time, when the new process has started.
func (e *environment) killRepeatedly(t *testing.T, current *atomic.Pointer[process], between func(i int)) *process {
	t.Helper()
	for i := range *kills {
		time.Sleep(time.Duration(100+37*(i%11)) * time.Millisecond)
		current.Swap(nil).kill()
		current.Store(e.start(t))
		between(i)
	}
	time.Sleep(200 * time.Millisecond)
	return current.Load()
}

func (e *environment) testPostgresStopped(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	w, singles := writer{}, writer{single: true}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { w.write(e, n, strconv.Itoa(i), func() *process { return p }, stop) })
		all.Go(func() { singles.write(e, n, strconv.Itoa(i), func() *process { return p }, stop) })
	}
	time.Sleep(2 * time.Second)
	killPostgres(t, e)
	time.Sleep(time.Second)
	began := time.Now()
	wrong, asked := 0, 0
	for time.Since(began) < 3*time.Second {
		status, retry := e.retryAfter(p, n)
		asked++
		if status != http.StatusServiceUnavailable || retry == "" {
			wrong++
			t.Errorf("without PostgreSQL: %d, Retry-After %q", status, retry)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := e.services.Stop(context.Background()); err != nil {
		t.Log(err) // PostgreSQL has ended already
	}
	e.startServices()
	back := time.Now()
	var recovery time.Duration
	for {
		if status, _, err := e.request(
			p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key, batchBody("after"),
		); err == nil && status == http.StatusOK {
			recovery = time.Since(back)
			break
		}
		if time.Since(back) > 30*time.Second {
			t.Fatal("the service did not recover within 30 s")
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Second)
	close(stop)
	all.Wait()
	lost, half, _ := w.audit(t, e, p, n)
	if lost+half > 0 || recovery > 5*time.Second {
		t.Errorf("%d lost, %d half, recovered after %s", lost, half, recovery)
	}
	singlesLost, twice, _ := singles.audit(t, e, p, n)
	if singlesLost+twice > 0 {
		t.Errorf("%d single records lost, %d there twice", singlesLost, twice)
	}
	report(t, "PostgreSQL stopped at once under write load",
		"%d of %d requests meanwhile got 503 with Retry-After; served again %d ms after PostgreSQL accepted "+
			"connections; %d batches acknowledged, %d lost, %d half; %d single records acknowledged, %d lost; "+
			"the longest answer took %.1f s",
		asked-wrong, asked, recovery.Milliseconds(), len(w.acknowledged), lost, half, len(singles.acknowledged),
		singlesLost, max(w.slowest, singles.slowest).Seconds())
}

func (e *environment) retryAfter(p *process, n *tenant) (int, string) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet,
		p.base+"/api/v1/tables/"+n.table+"/records?limit=1", nil)
	if err != nil {
		return 0, ""
	}
	request.Header.Set("x-api-key", n.key)
	response, err := e.client.Do(request)
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Retry-After")
}

// killPostgres makes PostgreSQL end immediately, without finishing anything.
func killPostgres(t *testing.T, e *environment) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, "data", "postgres", "postmaster.pid"))
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

func (e *environment) testTerminate(t *testing.T) {
	p := e.start(t)
	var tenants []*tenant // many tenants, so that none reaches its limit of concurrent requests
	for range 8 {
		tenants = append(tenants, e.tenant(t, p))
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
			// Send everything that is due, even if this process woke up late.
			for due := int(time.Since(began).Seconds() * rate); sent < due; sent++ {
				n := tenants[sent%len(tenants)]
				all.Go(func() {
					status, raw, err := e.request(p, http.MethodGet,
						"/api/v1/tables/"+n.table+"/records?limit=10", n.key, "")
					switch {
					case err == nil && status == http.StatusOK:
						ok.Add(1)
					case err != nil && strings.Contains(err.Error(), "connection refused"):
						refused.Add(1) // it arrived after the listener had closed
					default:
						failed.Add(1)
						t.Logf("%d %s %v", status, raw, err)
					}
				})
			}
		}
	})
	time.Sleep(2 * time.Second) // let connections open
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
	report(t, "SIGTERM under 500 requests/s", "%.0f answers a second before the signal, %d answered, %d failed in "+
		"flight, %d refused after the listener had closed; ended after %.2f s",
		reached, ok.Load(), failed.Load(), refused.Load(), took.Seconds())
}

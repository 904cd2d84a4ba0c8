//go:build chaos

package chaos

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz"
)

// latencies measures the response times of a calm tenant: four callers, each with its own key, that
// pause between requests.
func (e *environment) latencies(
	t *testing.T, keys []string, duration time.Duration, ask func(key string) (int, []byte, error),
) []time.Duration {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	var list []time.Duration
	until := time.Now().Add(duration)
	for _, key := range keys {
		all.Go(func() {
			for time.Now().Before(until) {
				began := time.Now()
				status, raw, err := ask(key)
				took := time.Since(began)
				if err != nil || status != http.StatusOK {
					t.Errorf("the calm tenant: %d %s %v", status, raw, err)
					return
				}
				mu.Lock()
				list = append(list, took)
				mu.Unlock()
				time.Sleep(55 * time.Millisecond)
			}
		})
	}
	all.Wait()
	return list
}

// compareNeighbour compares a calm tenant's p99 with and without a disturbance. It alternates
// between both, so that other load on the machine affects them alike. disturb runs until stop is
// closed.
func (e *environment) compareNeighbour(
	t *testing.T,
	title string,
	maxRatio float64,
	p *process,
	calm *tenant,
	disturb func(stop <-chan struct{}),
	what func() string,
) {
	t.Helper()
	e.compareAsking(t, title, maxRatio, calm, func(key string) (int, []byte, error) {
		return e.request(p, http.MethodGet, "/api/v1/tables/"+calm.table+"/records?limit=10", key, "")
	}, disturb, what)
}

// compareAsking is compareNeighbour for requests that the caller chooses.
func (e *environment) compareAsking(
	t *testing.T,
	title string,
	maxRatio float64,
	calm *tenant,
	ask func(key string) (int, []byte, error),
	disturb func(stop <-chan struct{}),
	what func() string,
) {
	t.Helper()
	var keys []string
	for range 4 {
		_, key := e.newKey(calm.owner, authz.AllScopes()...)
		keys = append(keys, key)
	}
	const rounds = 6
	slice := time.Duration(*seconds) * time.Second / rounds
	var without, with []time.Duration
	e.latencies(t, keys, time.Second, ask)
	for range rounds {
		without = append(without, e.latencies(t, keys, slice, ask)...)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			disturb(stop)
			close(stopped)
		}()
		time.Sleep(time.Second)
		with = append(with, e.latencies(t, keys, slice, ask)...)
		close(stop)
		<-stopped
		time.Sleep(500 * time.Millisecond)
	}
	was, is := quantile(without, 0.99), quantile(with, 0.99)
	ratio := float64(is) / float64(was)
	if ratio > maxRatio {
		t.Errorf("p99 grew to %.2f times, at most %.1f is allowed", ratio, maxRatio)
	}
	report(t, title,
		"%s; another tenant's p50 %.1f to %.1f ms, p99 %.1f to %.1f ms, %.2f times (allowed: "+
			"%.1f), %d and %d requests, in %d rounds",
		what(), ms(quantile(without, 0.5)), ms(quantile(with, 0.5)), ms(was), ms(is), ratio, maxRatio, len(without),
		len(with), rounds)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (e *environment) testAbusiveKey(t *testing.T) {
	p := e.start(t, "CREDENTIAL_RATE=20", "ORGANIZATION_RATE=100")
	calm, abuser := e.tenant(t, p), e.tenant(t, p)
	const rate = 400 // 20 times 20 a second
	var ok, limited, other atomic.Int64
	e.compareNeighbour(t, "One key at 20 times its limit", 1.2, p, calm, func(stop <-chan struct{}) {
		var all sync.WaitGroup
		tick := time.NewTicker(time.Second / rate)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				all.Wait()
				return
			case <-tick.C:
			}
			all.Go(func() {
				switch status, _, _ := e.request(
					p, http.MethodGet, "/api/v1/tables/"+abuser.table+"/records?limit=10", abuser.key, "",
				); status {
				case http.StatusOK:
					ok.Add(1)
				case http.StatusTooManyRequests:
					limited.Add(1)
				default:
					other.Add(1)
				}
			})
		}
	}, func() string {
		if limited.Load() == 0 || other.Load() > 0 {
			t.Errorf("%d limited, %d neither answered nor limited", limited.Load(), other.Load())
		}
		return fmt.Sprintf("%d of its requests answered, %d refused with 429", ok.Load(), limited.Load())
	})
}

// testWorstQuery has one organization send queries that read and count its whole table. Each query
// is new, so that no total is cached, and no index helps.
func (e *environment) testWorstQuery(t *testing.T) {
	e.testBusyOrganization(t, "One organization's worst query", func(n int64) (filters, sorts string) {
		return fmt.Sprintf(`[{"fieldId":"Name","op":"contains","value":"o"},{"fieldId":"Name","op":"not_contains",`+
				`"value":"xyzzy %d"}]`, n),
			`[{"fieldId":"Name","dir":"desc"},{"fieldId":"Number","dir":"asc"}]`
	})
}

// testRepeatedQuery has one organization repeat the same cheap query.
func (e *environment) testRepeatedQuery(t *testing.T) {
	e.testBusyOrganization(t, "One organization's repeated query", func(int64) (filters, sorts string) {
		return `[{"fieldId":"Number","op":"gt","value":50000}]`, `[{"fieldId":"Number","dir":"asc"}]`
	})
}

// testBusyOrganization has 16 callers of one organization send queries without a pause, and
// measures a calm tenant at the same time.
func (e *environment) testBusyOrganization(t *testing.T, title string, question func(n int64) (filters, sorts string)) {
	p := e.start(t)
	calm, heavy := e.tenant(t, p), e.tenant(t, p)
	for i := range 300 { // 30,000 rows
		records := make([]string, 100)
		for j := range records {
			records[j] = fmt.Sprintf(
				`{"fields":{"Name":"%d the quick brown fox jumps over the lazy dog %d","Number":%d}}`, i, j,
				(i*7919+j*104729)%100000,
			)
		}
		if status, raw, err := e.request(
			p, http.MethodPost, "/api/v1/tables/"+heavy.table+"/records", heavy.key,
			`{"records":[`+strings.Join(records, ",")+`]}`,
		); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s %v", status, raw, err)
		}
	}
	worst := func(n int64) string {
		filters, sorts := question(n)
		return "/api/v1/tables/" + heavy.table + "/records?filters=" + url.QueryEscape(filters) + "&sorts=" +
			url.QueryEscape(sorts)
	}
	var asked, refused atomic.Int64
	e.compareNeighbour(t, title, 2, p, calm, func(stop <-chan struct{}) {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if status, _, _ := e.request(
						p, http.MethodGet, worst(asked.Add(1)), heavy.key, "",
					); status != http.StatusOK {
						refused.Add(1)
						time.Sleep(50 * time.Millisecond)
					}
				}
			})
		}
		all.Wait()
	}, func() string {
		return fmt.Sprintf("16 callers sent it %d times without a pause, %d refused", asked.Load(), refused.Load())
	})
}

func (e *environment) testSlowConnections(t *testing.T) {
	p := e.start(t)
	calm := e.tenant(t, p)
	var open atomic.Int64
	e.compareNeighbour(t, "1,000 slow connections", 2, p, calm, func(stop <-chan struct{}) {
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond) // not all at the same time
				conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
				if err != nil {
					return
				}
				defer conn.Close()
				open.Add(1)
				text := "POST /api/v1/bases HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nX-Slow: "
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					case <-time.After(time.Second):
					}
					if _, err := io.WriteString(conn, text[i%len(text):i%len(text)+1]); err != nil {
						return // the service closed it, as it should
					}
				}
			})
		}
		all.Wait()
	}, func() string {
		return fmt.Sprintf("%d connections that sent a byte per second, in all rounds", open.Load())
	})
}

func (e *environment) testUploads(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	before, grownBy := watchMemory(t, p)
	var all sync.WaitGroup
	var refused, sent atomic.Int64
	for i := range 100 {
		all.Go(func() {
			const size = 1 << 30
			request, err := http.NewRequest(http.MethodPost, p.base+"/api/v1/tables/"+n.table+"/records",
				io.LimitReader(&countingReader{&sent}, size))
			if err != nil {
				return
			}
			if i%2 == 0 {
				request.ContentLength = size // the others do not announce their size
			}
			request.Header.Set("x-api-key", n.key)
			request.Header.Set("Content-Type", "application/json")
			response, err := e.client.Do(request)
			if err != nil {
				refused.Add(1) // the service closed the connection during the upload
				return
			}
			if response.StatusCode == http.StatusRequestEntityTooLarge {
				refused.Add(1)
			}
			_ = response.Body.Close()
		})
	}
	all.Wait()
	grown := grownBy()
	if refused.Load() != 100 || grown > 100 {
		t.Errorf("%d of 100 refused, memory grew by %.0f MB", refused.Load(), grown)
	}
	report(t, "100 uploads of 1 GB", "%d refused, half of them without an announced length; %.0f MB of 100 GB were "+
		"sent before the refusals; resident memory %.0f MB, at most %.0f MB more during the test",
		refused.Load(), float64(sent.Load())/1e6, before, grown)
}

type countingReader struct{ n *atomic.Int64 }

func (c *countingReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	c.n.Add(int64(len(b)))
	return len(b), nil
}

func residentMB(t *testing.T, p *process) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var total, resident float64
	if _, err := fmt.Sscan(string(text), &total, &resident); err != nil {
		return 0
	}
	return resident * 4096 / 1e6
}

// watchMemory returns the resident memory of a process in MB, and a function that stops watching
// and returns the peak growth.
func watchMemory(t *testing.T, p *process) (before float64, grownBy func() float64) {
	t.Helper()
	before = residentMB(t, p)
	stop, peak := make(chan struct{}), make(chan float64)
	go func() {
		seen := before
		for {
			select {
			case <-stop:
				peak <- seen
				return
			case <-time.After(50 * time.Millisecond):
				seen = max(seen, residentMB(t, p))
			}
		}
	}()
	return before, func() float64 {
		close(stop)
		return <-peak - before
	}
}

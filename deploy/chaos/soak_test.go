//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// A sample is what a process uses at one moment of the soak.
type sample struct{ heap, goroutines, connections float64 }

// testSoak sends a steady mix of all requests and samples the process: live heap after a
// collection, goroutines, connections. It compares the lower quartiles of the first and last third
// of the samples, after a warm-up of a sixth of the time. Requests in progress add to single
// samples, but a leak adds to all of them.
func (e *environment) testSoak(t *testing.T) {
	p := e.start(t, "CREDENTIAL_RATE=50", "ORGANIZATION_RATE=200", "ADDRESS_RATE=5")
	var tenants []*tenant
	for range 8 {
		tenants = append(tenants, e.tenant(t, p))
	}
	apps := e.signUp(t, p.base)
	agent := apps.Connect("/mcp", "mcp:tools schema:read data:read")
	program := apps.Connect("/api/v1", "schema:read data:read")
	var tokens sync.RWMutex // locked for writing while tokens are renewed

	var count, failed atomic.Int64
	check := func(what string, status int, raw []byte, err error) bool {
		count.Add(1)
		if err == nil && status == http.StatusOK && !strings.Contains(string(raw), `"isError":true`) {
			return true
		}
		if failed.Add(1) <= 20 {
			t.Errorf("%s: %d %s %v", what, status, raw, err)
		}
		return false
	}
	errand := func(i int) {
		n := tenants[i%len(tenants)]
		table := "/api/v1/tables/" + n.table
		do := func(method, path, body string) []byte {
			status, raw, err := e.request(p, method, path, n.key, body)
			if !check(method+" "+path, status, raw, err) {
				return nil
			}
			return raw
		}
		bearer := func(a *rowhousetest.App, method, path, body string) {
			tokens.RLock()
			defer tokens.RUnlock()
			status, raw, err := e.requestWith(p, method, path, "", body, map[string]string{
				"Authorization": "Bearer " + a.Access, "Accept": "application/json, text/event-stream",
			})
			check("with a token: "+path, status, raw, err)
		}
		switch (i / len(tenants)) % 16 {
		case 0, 1, 2:
			do(http.MethodGet, table+"/records?limit=20", "")
		case 3:
			do(http.MethodGet, "/api/v1/bases/"+n.base, "")
		case 4:
			do(http.MethodGet, table+"/records?limit=20&filters="+escape(`[{"fieldId":"Number","op":"gt","value":3}]`)+
				"&sorts="+escape(`[{"fieldId":"Name","dir":"asc"}]`), "")
		case 5:
			do(http.MethodGet, table+"/records/search?q=soak", "")
		case 6, 7: // the life cycle of a record
			var made struct{ Records []struct{ ID string } }
			if raw := do(http.MethodPost, table+"/records", `{"fields":{"Name":"soak","Number":7}}`); raw == nil ||
				json.Unmarshal(raw, &made) != nil || len(made.Records) != 1 {
				return
			}
			do(http.MethodPatch, "/api/v1/records/"+made.Records[0].ID, `{"fields":{"Number":8}}`)
			if i%8 > 0 { // some remain
				do(http.MethodDelete, "/api/v1/records/"+made.Records[0].ID, "")
			}
		case 8: // the life cycle of a table
			if i%64 == 0 {
				var made struct{ ID string }
				if raw := do(
					http.MethodPost, "/api/v1/bases/"+n.base+"/tables", fmt.Sprintf(`{"name":"Short-lived %d"}`, i),
				); raw != nil && json.Unmarshal(raw, &made) == nil {
					do(http.MethodDelete, "/api/v1/tables/"+made.ID, "")
				}
			}
		case 9, 10:
			got := e.tool(p, n.key, "query_records", map[string]any{"tableId": n.table, "limit": 20})
			check("query_records", got.status, []byte(got.text), nil)
		case 11:
			got := e.tool(p, n.key, "describe_base", map[string]any{"baseId": n.base})
			check("describe_base", got.status, []byte(got.text), nil)
		case 12:
			bearer(agent, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
		case 13:
			bearer(agent, http.MethodPost, "/mcp",
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_bases","arguments":{}}}`)
		case 14:
			bearer(program, http.MethodGet, "/api/v1/bases", "")
		case 15:
			response, err := apps.Browser.Get(p.base + "/api/v1/me")
			if err != nil {
				check("with a session", 0, nil, err)
				return
			}
			raw, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			check("with a session", response.StatusCode, raw, err)
		}
	}

	stop := make(chan struct{})
	var all sync.WaitGroup
	// Send every kind of request concurrently and repeatedly, so that the pool has opened all its
	// connections and each has prepared its statements. Connections keep both for half an hour.
	for range 60 {
		for i := range 16 * len(tenants) {
			all.Go(func() { errand(i) })
		}
		all.Wait()
		time.Sleep(300 * time.Millisecond) // stay within the rate limits
	}
	e.client.CloseIdleConnections() // or they would end after the first samples
	all.Go(func() {
		tick := time.NewTicker(time.Second / time.Duration(*soakRate))
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
				all.Go(func() { errand(i) })
			}
		}
	})
	all.Go(func() { // access tokens expire after ten minutes
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Minute):
			}
			tokens.Lock()
			for _, a := range []*rowhousetest.App{agent, program} {
				if err := a.Renew(p.base); err != nil {
					failed.Add(1)
					t.Errorf("renewing: %v", err)
				}
			}
			tokens.Unlock()
		}
	})

	began := time.Now()
	time.Sleep(*soak / 6)
	var samples []sample
	for every := max(*soak/120, time.Second); time.Since(began) < *soak; time.Sleep(every) {
		samples = append(samples, e.sample(t, p))
		now := samples[len(samples)-1]
		t.Logf("%s: heap %.2f MB, goroutines %v, connections %v",
			time.Since(began).Round(time.Second), now.heap/1e6, now.goroutines, now.connections)
	}
	close(stop)
	all.Wait()
	e.recordSecret("OAuth", append(agent.Given, program.Given...)...)

	third := len(samples) / 3
	first, last := floor(samples[:third]), floor(samples[len(samples)-third:])
	for what, pair := range map[string][2]float64{
		"heap": {first.heap, last.heap}, "goroutines": {first.goroutines, last.goroutines},
		"connections": {first.connections, last.connections},
	} {
		if pair[1] > pair[0]*1.05 {
			t.Errorf("%s grew from %v to %v", what, pair[0], pair[1])
		}
	}
	report(t, "Soak of "+soak.String(),
		"%d requests, %.0f a second, %d failed; lower quartiles of the first and the last third of %d samples after "+
			"the warm-up: heap %.2f and %.2f MB (%+.1f %%), goroutines %v and %v, connections to PostgreSQL %v and %v",
		count.Load(), float64(count.Load())/time.Since(began).Seconds(), failed.Load(), len(samples), first.heap/1e6,
		last.heap/1e6, 100*(last.heap/first.heap-1), first.goroutines, last.goroutines, first.connections,
		last.connections)
}

// sample collects garbage in the process, and reads what is left. It collects twice, because pooled
// objects, such as a gzip writer of 0.8 MB, go only with the second collection in a row; how many
// are pooled depends only on who called in the moment before.
func (e *environment) sample(t *testing.T, p *process) sample {
	t.Helper()
	for range 2 {
		response, err := e.client.Get(strings.TrimSuffix(p.metrics, "/metrics") + "/debug/pprof/heap?gc=1")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	return sample{
		e.gauge(t, p, "go_memstats_heap_alloc_bytes"), e.gauge(t, p, "go_goroutines"),
		e.gauge(t, p, "rowhouse_database_connections"),
	}
}

func floor(samples []sample) sample {
	quartile := func(of func(sample) float64) float64 {
		list := make([]float64, 0, len(samples))
		for _, l := range samples {
			list = append(list, of(l))
		}
		slices.Sort(list)
		if len(list) == 0 {
			return 0
		}
		return list[len(list)/4]
	}
	return sample{
		quartile(func(l sample) float64 { return l.heap }), quartile(func(l sample) float64 { return l.goroutines }),
		quartile(func(l sample) float64 { return l.connections }),
	}
}

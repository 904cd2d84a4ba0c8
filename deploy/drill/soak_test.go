//go:build drill

package drill

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

// A look is what a process holds at one moment of the soak.
type look struct{ heap, goroutines, connections float64 }

// drillSoak asks at a steady rate for everything that a busy day asks for, and looks into the process while it goes on: what is
// alive right after a collection, goroutines, connections. The lower quartile of the last third of the looks is held against that of
// the first, after a sixth of the time in which caches fill: what is under way at the moment of a look adds to it, what leaks is in all.
func (h *house) drillSoak(t *testing.T) {
	p := h.start(t, "CREDENTIAL_RATE=50", "ORGANIZATION_RATE=200", "ADDRESS_RATE=5")
	var crowd []*tenant
	for range 8 {
		crowd = append(crowd, h.tenant(t, p))
	}
	apps := h.signUp(t, p.base)
	agent := apps.Connect("/mcp", "mcp:tools schema:read data:read")
	program := apps.Connect("/api/v1", "schema:read data:read")
	var tokens sync.RWMutex // held for writing while the tokens change

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
		n := crowd[i%len(crowd)]
		table := "/api/v1/tables/" + n.table
		do := func(method, path, body string) []byte {
			status, raw, err := h.ask(p, method, path, n.key, body)
			if !check(method+" "+path, status, raw, err) {
				return nil
			}
			return raw
		}
		bearer := func(a *rowhousetest.App, method, path, body string) {
			tokens.RLock()
			defer tokens.RUnlock()
			status, raw, err := h.askWith(p, method, path, "", body, map[string]string{
				"Authorization": "Bearer " + a.Access, "Accept": "application/json, text/event-stream",
			})
			check("with a token: "+path, status, raw, err)
		}
		switch (i / len(crowd)) % 16 {
		case 0, 1, 2:
			do(http.MethodGet, table+"/records?limit=20", "")
		case 3:
			do(http.MethodGet, "/api/v1/bases/"+n.base, "")
		case 4:
			do(http.MethodGet, table+"/records?limit=20&filters="+escape(`[{"fieldId":"Number","op":"gt","value":3}]`)+"&sorts="+escape(`[{"fieldId":"Name","dir":"asc"}]`), "")
		case 5:
			do(http.MethodGet, table+"/records/search?q=soak", "")
		case 6, 7: // a record's whole life
			var made struct{ Records []struct{ ID string } }
			if raw := do(http.MethodPost, table+"/records", `{"fields":{"Name":"soak","Number":7}}`); raw == nil || json.Unmarshal(raw, &made) != nil || len(made.Records) != 1 {
				return
			}
			do(http.MethodPatch, "/api/v1/records/"+made.Records[0].ID, `{"fields":{"Number":8}}`)
			if i%8 > 0 { // some stay
				do(http.MethodDelete, "/api/v1/records/"+made.Records[0].ID, "")
			}
		case 8: // a table's whole life
			if i%64 == 0 {
				var made struct{ ID string }
				if raw := do(http.MethodPost, "/api/v1/bases/"+n.base+"/tables", fmt.Sprintf(`{"name":"Short-lived %d"}`, i)); raw != nil && json.Unmarshal(raw, &made) == nil {
					do(http.MethodDelete, "/api/v1/tables/"+made.ID, "")
				}
			}
		case 9, 10:
			got := h.tool(p, n.key, "query_records", map[string]any{"tableId": n.table, "limit": 20})
			check("query_records", got.status, []byte(got.text), nil)
		case 11:
			got := h.tool(p, n.key, "describe_base", map[string]any{"baseId": n.base})
			check("describe_base", got.status, []byte(got.text), nil)
		case 12:
			bearer(agent, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
		case 13:
			bearer(agent, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_bases","arguments":{}}}`)
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
	// Everything that is asked for, all at once and again and again, so that every connection that a busy moment opens is there and has
	// prepared its statements: it keeps them until it ends after half an hour.
	for range 60 {
		for i := range 16 * len(crowd) {
			all.Go(func() { errand(i) })
		}
		all.Wait()
		time.Sleep(300 * time.Millisecond) // within the limits on requests
	}
	h.client.CloseIdleConnections() // or they end after the first looks
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
	all.Go(func() { // access tokens live for ten minutes; these are renewed long before
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
	var looks []look
	for every := max(*soak/120, time.Second); time.Since(began) < *soak; time.Sleep(every) {
		looks = append(looks, h.look(t, p))
		now := looks[len(looks)-1]
		t.Logf("%s: heap %.2f MB, goroutines %v, connections %v", time.Since(began).Round(time.Second), now.heap/1e6, now.goroutines, now.connections)
	}
	close(stop)
	all.Wait()
	h.know("OAuth", append(agent.Given, program.Given...)...)

	third := len(looks) / 3
	first, last := floor(looks[:third]), floor(looks[len(looks)-third:])
	for what, pair := range map[string][2]float64{
		"heap": {first.heap, last.heap}, "goroutines": {first.goroutines, last.goroutines}, "connections": {first.connections, last.connections},
	} {
		if pair[1] > pair[0]*1.05 {
			t.Errorf("%s grew from %v to %v", what, pair[0], pair[1])
		}
	}
	tell(t, "Soak of "+soak.String(), "%d requests, %.0f a second, %d failed; lower quartiles of the first and the last third of %d looks after the warm-up: heap %.2f and %.2f MB (%+.1f %%), goroutines %v and %v, connections to PostgreSQL %v and %v",
		count.Load(), float64(count.Load())/time.Since(began).Seconds(), failed.Load(), len(looks), first.heap/1e6, last.heap/1e6, 100*(last.heap/first.heap-1),
		first.goroutines, last.goroutines, first.connections, last.connections)
}

// look collects garbage in the process, and reads what is left. It collects twice, since what is pooled to be used again, such as the 0.8 MB
// of a gzip writer, goes with the second collection in a row; how much of that is there says only who asked in the moment before.
func (h *house) look(t *testing.T, p *process) look {
	t.Helper()
	for range 2 {
		response, err := h.client.Get(strings.TrimSuffix(p.metrics, "/metrics") + "/debug/pprof/heap?gc=1")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	return look{h.gauge(t, p, "go_memstats_heap_alloc_bytes"), h.gauge(t, p, "go_goroutines"), h.gauge(t, p, "rowhouse_database_connections")}
}

func floor(looks []look) look {
	quartile := func(of func(look) float64) float64 {
		list := make([]float64, 0, len(looks))
		for _, l := range looks {
			list = append(list, of(l))
		}
		slices.Sort(list)
		if len(list) == 0 {
			return 0
		}
		return list[len(list)/4]
	}
	return look{
		quartile(func(l look) float64 { return l.heap }), quartile(func(l look) float64 { return l.goroutines }),
		quartile(func(l look) float64 { return l.connections }),
	}
}

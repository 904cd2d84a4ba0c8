// Package mcp compares the cost of MCP with the cost of REST, for the same operation on the same
// data, and measures what many concurrent clients cost. `make bench` runs it. It asserts nothing;
// docs/decisions says what the figures decided.
package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// A fixture is a table of 100 records with eight fields, served by both surfaces.
type fixture struct {
	server *mcptest.Server
	owner  *apitest.Client
	table  string
	client *http.Client
}

func setup(b *testing.B) *fixture {
	b.Helper()
	s := mcptest.New(b)
	owner := s.REST.Owner(b)
	base := owner.ID("POST", "/bases", `{"name":"Bench"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"T","fields":[{"name":"Name","type":"text"},{"name":"Notes","type":"long_text"},
		{"name":"Amount","type":"number"},{"name":"Price","type":"currency"},
		{"name":"Done","type":"checkbox"},{"name":"Due","type":"date"},
		{"name":"Stage","type":"single_select","config":{"options":["a","b","c"]}},{"name":"Site","type":"url"}]}`)
	var records []string
	for i := range 100 {
		records = append(records, fmt.Sprintf(
			`{"fields":{"Name":"Record %d","Notes":"Some text that is as long as notes are, more or less.",`+
				`"Amount":%d,"Price":%d.5,"Done":true,"Due":"2026-05-%02d","Stage":"b",`+
				`"Site":"https://example.com/%d"}}`,
			i, i, i, i%28+1, i,
		))
	}
	owner.OK("POST", "/tables/"+table+"/records", `{"records":[`+strings.Join(records, ",")+`]}`)
	return &fixture{s, owner, table, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}}
}

// A surface sends the same call over one protocol.
type surface struct {
	name    string
	request func(b *fixture, tool, path string, arguments map[string]any) *http.Request
}

var surfaces = []surface{
	{"rest", func(b *fixture, _, path string, _ map[string]any) *http.Request {
		r, _ := http.NewRequest(http.MethodGet, b.server.REST.URL+api.Prefix+path, nil)
		return r
	}},
	{"mcp-2026-07-28", func(b *fixture, tool, _ string, arguments map[string]any) *http.Request {
		r := call(b, tool, arguments, map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "bench", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		})
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", tool)
		return r
	}},
	{"mcp-2025-11-25", func(b *fixture, tool, _ string, arguments map[string]any) *http.Request {
		r := call(b, tool, arguments, nil)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		return r
	}},
}

func call(b *fixture, tool string, arguments, meta map[string]any) *http.Request {
	params := map[string]any{"name": tool, "arguments": arguments}
	if meta != nil {
		params["_meta"] = meta
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		panic(err)
	}
	r, err := http.NewRequest(http.MethodPost, b.server.URL+"/mcp", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// send sends a request and reads the whole response.
func (b *fixture) send(r *http.Request) error {
	r.Header.Set("x-api-key", b.owner.Key())
	response, err := b.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || bytes.Contains(body, []byte(`"isError":true`))) {
		err = fmt.Errorf("%d %s", response.StatusCode, body)
	}
	return err
}

// measure sends the call through each surface in turn, so that other load on the machine affects
// all of them alike.
func measure(b *testing.B, tool, path string, arguments func(*fixture) map[string]any) {
	bundle := setup(b)
	given := arguments(bundle)
	path = strings.ReplaceAll(path, "$table", bundle.table)
	took := make([][]time.Duration, len(surfaces))
	for b.Loop() {
		for i, d := range surfaces {
			request := d.request(bundle, tool, path, given)
			began := time.Now()
			if err := bundle.send(request); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	median := func(i int) float64 {
		slices.Sort(took[i])
		return float64(took[i][len(took[i])/2].Microseconds())
	}
	for i, d := range surfaces {
		b.ReportMetric(median(i), d.name+"-p50-µs")
		b.ReportMetric(median(i)/median(0), d.name+"-x")
	}
}

func BenchmarkGetMe(b *testing.B) {
	measure(b, "get_me", "/me", func(*fixture) map[string]any { return map[string]any{} })
}

func BenchmarkQueryRecords(b *testing.B) {
	measure(b, "query_records", "/tables/$table/records", func(s *fixture) map[string]any {
		return map[string]any{"tableId": s.table}
	})
}

// BenchmarkThousandClients lets a thousand clients call repeatedly at once. Afterwards the process
// must use no more memory than before.
func BenchmarkThousandClients(b *testing.B) {
	bundle := setup(b)
	const clients, rounds = 1000, 8
	d := surfaces[1]
	var heaps []float64
	var calls atomic.Int64
	began := time.Now()
	for round := 0; round < rounds || b.Loop(); round++ {
		var wait sync.WaitGroup
		for range clients {
			wait.Go(func() {
				for _, r := range []*http.Request{
					d.request(bundle, "get_me", "", map[string]any{}),
					d.request(bundle, "query_records", "", map[string]any{"tableId": bundle.table, "limit": 5}),
				} {
					if err := bundle.send(r); err != nil {
						b.Error(err)
						return
					}
					calls.Add(1)
				}
			})
		}
		wait.Wait()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heaps = append(heaps, float64(m.HeapAlloc)/(1<<20))
	}
	b.ReportMetric(float64(calls.Load())/time.Since(began).Seconds(), "calls/s")
	b.ReportMetric(heaps[0], "MB-first")
	b.ReportMetric(heaps[len(heaps)-1], "MB-last")
}

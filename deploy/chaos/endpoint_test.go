//go:build chaos

package chaos

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
)

// testEndpoints sends the running service requests that the schemas of the catalogue allow or
// nearly allow. OpenAPI and the tools come from the same schemas. Every response must match a
// schema, and none may have a 5xx status.
func (e *environment) testEndpoints(t *testing.T) {
	p := e.start(t)
	f := &fuzz{
		environment: e,
		t:           t,
		p:           p,
		outputs:     map[string]*jsonschema.Resolved{},
		asked:       map[string]*[2]atomic.Int64{},
	}
	for _, op := range operation.Catalogue() {
		f.expect("REST "+op.Name, op.Output())
		if op.Agent.NotATool == "" {
			f.asked["MCP "+op.Name] = &[2]atomic.Int64{}
		}
	}
	f.listTools(e.tenant(t, p).key)
	var all sync.WaitGroup
	const workers = 6
	for worker := range workers {
		all.Go(func() {
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(worker), uint64(*seed)))}
			var w *fixture
			for i := range *calls / workers {
				if i%400 == 0 {
					w = e.fixture(t, p)
					g.ids = w.ids
				}
				f.next(g, w)
			}
		})
	}
	all.Wait()
	panics := e.gauge(t, p, "rowhouse_panics_total")
	if panics > 0 {
		t.Errorf("%v panics", panics)
	}
	notCalled, neverSucceeded := 0, []string{}
	var done, succeeded int64
	for name, count := range f.asked {
		done += count[0].Load()
		succeeded += count[1].Load()
		if count[0].Load() == 0 {
			notCalled++
			t.Errorf("%s was not called", name)
		}
		if count[1].Load() == 0 {
			neverSucceeded = append(neverSucceeded, name)
		}
	}
	slices.Sort(neverSucceeded)
	t.Logf("never succeeded: %v", neverSucceeded)
	report(t, "Fuzz: endpoints and tools", "%d requests generated from the schemas, %d succeeded: %d responses with "+
		"5xx, %d responses that do not match their schema, %v panics; %d endpoints and tools, %d not called, "+
		"%d never succeeded",
		done, succeeded, f.failed.Load(), f.invalid.Load(), panics, len(f.asked), notCalled, len(neverSucceeded))
}

// A fuzz collects what the responses were.
type fuzz struct {
	*environment
	t               *testing.T
	p               *process
	outputs         map[string]*jsonschema.Resolved
	tools           []listedTool
	asked           map[string]*[2]atomic.Int64 // calls and successes, by surface and name
	failed, invalid atomic.Int64
}

type listedTool struct {
	Name         string
	InputSchema  *jsonschema.Schema
	OutputSchema *jsonschema.Schema
}

func (f *fuzz) expect(name string, output *jsonschema.Schema) {
	f.t.Helper()
	resolved, err := output.Resolve(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.outputs[name], f.asked[name] = resolved, &[2]atomic.Int64{}
}

// listTools lists the tools of the service as an agent does.
func (f *fuzz) listTools(key string) {
	f.t.Helper()
	_, raw, err := f.requestWith(f.p, http.MethodPost, "/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		map[string]string{"Accept": "application/json, text/event-stream"})
	var reply struct{ Result struct{ Tools []listedTool } }
	if err == nil {
		err = json.Unmarshal(raw[max(0, strings.Index(string(raw), "{")):], &reply)
	}
	if err != nil || len(reply.Result.Tools) == 0 {
		f.t.Fatalf("listing tools: %s %v", raw, err)
	}
	f.tools = reply.Result.Tools
	for _, tool := range f.tools {
		f.expect("MCP "+tool.Name, tool.OutputSchema)
	}
}

// destructive operations leave little to test afterwards, so they are called rarely.
var destructive = map[string]bool{"delete_org": true, "delete_base": true, "delete_table": true}

func (f *fuzz) next(g *generator, w *fixture) {
	if g.IntN(6) == 0 {
		tool := f.tools[g.IntN(len(f.tools))]
		if !destructive[tool.Name] || g.IntN(10) == 0 {
			f.callTool(g, w, tool)
		}
		return
	}
	catalogue := operation.Catalogue()
	if op := catalogue[g.IntN(len(catalogue))]; !destructive[op.Name] || g.IntN(10) == 0 {
		f.callREST(g, w, op)
	}
}

func (f *fuzz) callTool(g *generator, w *fixture, tool listedTool) {
	arguments, _ := g.value(tool.InputSchema, 0).(map[string]any)
	name := "MCP " + tool.Name
	f.asked[name][0].Add(1)
	got := f.tool(f.p, w.key, tool.Name, arguments)
	switch {
	case got.status == 0 || got.status >= http.StatusInternalServerError:
		f.failed.Add(1)
		f.t.Errorf("tool %s with %v: %d %s", tool.Name, arguments, got.status, got.text)
	case got.status == http.StatusOK:
		f.asked[name][1].Add(1)
		f.valid(name, got.body, got.text)
	case len(got.body) > 0 || got.code != "":
		f.problem(name, got.status, got.body, got.text)
	}
}

func (f *fuzz) callREST(g *generator, w *fixture, op *operation.Operation) {
	name := "REST " + op.Name
	input, _ := g.value(op.Input(), 0).(map[string]any)
	path := op.Path
	for _, parameter := range op.PathParameters() {
		value, _ := input[parameter].(string)
		if value == "" {
			value = w.ids[parameter]
		}
		delete(input, parameter)
		path = strings.ReplaceAll(path, "{"+parameter+"}", url.PathEscape(value))
	}
	body := ""
	if op.Method == http.MethodGet {
		raw, _ := json.Marshal(input)
		path += query(string(raw))
	} else if raw, err := json.Marshal(input); err == nil {
		body = string(raw)
		if g.IntN(6) == 0 {
			body = string(g.corrupt(raw))
		}
	}
	f.asked[name][0].Add(1)
	status, raw, err := f.request(f.p, op.Method, "/api/v1"+path, w.key, body)
	switch {
	case err != nil && strings.Contains(err.Error(), "invalid") ||
		status == http.StatusBadRequest && string(raw) == "400 Bad Request":
		// The client, net/http, refuses to send it.
	case err != nil || status >= http.StatusInternalServerError:
		f.failed.Add(1)
		f.t.Errorf("%s %s %q: %d %s %v", op.Method, path, body, status, raw, err)
	case status == http.StatusOK:
		f.asked[name][1].Add(1)
		f.valid(name, raw, string(raw))
	case status == http.StatusRequestHeaderFieldsTooLarge:
		// A filter that is too long for the HTTP server (docs/rough-edges.md).
	case status == http.StatusNotFound && len(raw) > 0 || status == http.StatusMovedPermanently:
		// A path with dots or slashes that matches no operation.
	default:
		f.problem(name, status, raw, string(raw))
	}
}

// valid checks a response against its schema.
func (f *fuzz) valid(name string, body []byte, text string) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		f.invalid.Add(1)
		f.t.Errorf("%s: not JSON: %s", name, text)
	} else if err := f.outputs[name].Validate(value); err != nil {
		f.invalid.Add(1)
		f.t.Errorf("%s: the response does not match its schema: %v\n%s", name, err, text)
	}
}

func (f *fuzz) problem(name string, status int, body []byte, text string) {
	var problem struct{ Type, Title, Detail, Code, RequestID string }
	if err := json.Unmarshal(body, &problem); err != nil || status < 400 || problem.Title == "" ||
		problem.Detail == "" || problem.Code == "" {
		f.invalid.Add(1)
		f.t.Errorf("%s: the response with %d is not a problem document: %s", name, status, text)
	}
}

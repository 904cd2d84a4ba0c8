//go:build drill

package drill

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

// drillEndpoints drives the running service with what the schemas of the catalogue, which OpenAPI and the tools are made of, allow
// and nearly allow. Every answer must be one that the schemas describe, and none may be of status 5xx, 503 included.
func (h *house) drillEndpoints(t *testing.T) {
	p := h.start(t)
	f := &fuzz{house: h, t: t, p: p, outputs: map[string]*jsonschema.Resolved{}, asked: map[string]*[2]atomic.Int64{}}
	for _, op := range operation.Catalogue() {
		f.expect("REST "+op.Name, op.Output)
		if op.NotATool == "" {
			f.asked["MCP "+op.Name] = &[2]atomic.Int64{}
		}
	}
	f.listTools(h.tenant(t, p).key)
	var all sync.WaitGroup
	const workers = 6
	for worker := range workers {
		all.Go(func() {
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(worker), uint64(*seed)))}
			var w *world
			for i := range *calls / workers {
				if i%400 == 0 {
					w = h.world(t, p)
					g.ids = w.ids
				}
				f.one(g, w)
			}
		})
	}
	all.Wait()
	panics := h.gauge(t, p, "rowhouse_panics_total")
	if panics > 0 {
		t.Errorf("%v panics", panics)
	}
	untouched, fruitless := 0, []string{}
	var done, succeeded int64
	for name, count := range f.asked {
		done += count[0].Load()
		succeeded += count[1].Load()
		if count[0].Load() == 0 {
			untouched++
			t.Errorf("%s was not called", name)
		}
		if count[1].Load() == 0 {
			fruitless = append(fruitless, name)
		}
	}
	slices.Sort(fruitless)
	t.Logf("without a success: %v", fruitless)
	tell(t, "Fuzz: endpoints and tools", "%d requests made from the schemas, %d succeeded: %d answers with 5xx, %d answers that their schema does not allow, %v panics; %d endpoints and tools, %d not called, %d without a success",
		done, succeeded, f.failed.Load(), f.invalid.Load(), panics, len(f.asked), untouched, len(fruitless))
}

// A fuzz holds what is known of the answers.
type fuzz struct {
	*house
	t               *testing.T
	p               *process
	outputs         map[string]*jsonschema.Resolved
	tools           []listedTool
	asked           map[string]*[2]atomic.Int64 // calls and successes by surface and name
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

// listTools asks the service for its tools, as an agent does.
func (f *fuzz) listTools(key string) {
	f.t.Helper()
	_, raw, err := f.askWith(f.p, http.MethodPost, "/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, map[string]string{"Accept": "application/json, text/event-stream"})
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

// final are operations after which little is left to ask for; they are called seldom.
var final = map[string]bool{"delete_org": true, "delete_base": true, "delete_table": true}

func (f *fuzz) one(g *generator, w *world) {
	if g.IntN(6) == 0 {
		tool := f.tools[g.IntN(len(f.tools))]
		if !final[tool.Name] || g.IntN(10) == 0 {
			f.call(g, w, tool)
		}
		return
	}
	catalogue := operation.Catalogue()
	if op := catalogue[g.IntN(len(catalogue))]; !final[op.Name] || g.IntN(10) == 0 {
		f.request(g, w, op)
	}
}

func (f *fuzz) call(g *generator, w *world, tool listedTool) {
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

func (f *fuzz) request(g *generator, w *world, op *operation.Operation) {
	name := "REST " + op.Name
	input, _ := g.value(op.Input, 0).(map[string]any)
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
			body = string(g.broken(raw))
		}
	}
	f.asked[name][0].Add(1)
	status, raw, err := f.ask(f.p, op.Method, "/api/v1"+path, w.key, body)
	switch {
	case err != nil && strings.Contains(err.Error(), "invalid") || status == http.StatusBadRequest && string(raw) == "400 Bad Request": // the client's library refuses to send it
	case err != nil || status >= http.StatusInternalServerError:
		f.failed.Add(1)
		f.t.Errorf("%s %s %q: %d %s %v", op.Method, path, body, status, raw, err)
	case status == http.StatusOK:
		f.asked[name][1].Add(1)
		f.valid(name, raw, string(raw))
	case status == http.StatusRequestHeaderFieldsTooLarge: // a very long filter; the HTTP server refuses it (docs/rough-edges.md)
	case status == http.StatusNotFound && len(raw) > 0 || status == http.StatusMovedPermanently: // a path with dots or slashes in it is no operation's
	default:
		f.problem(name, status, raw, string(raw))
	}
}

// valid holds an answer against its schema.
func (f *fuzz) valid(name string, body []byte, text string) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		f.invalid.Add(1)
		f.t.Errorf("%s: no JSON: %s", name, text)
	} else if err := f.outputs[name].Validate(value); err != nil {
		f.invalid.Add(1)
		f.t.Errorf("%s: its answer is not what its schema says: %v\n%s", name, err, text)
	}
}

func (f *fuzz) problem(name string, status int, body []byte, text string) {
	var problem struct{ Type, Title, Detail, Code, RequestID string }
	if err := json.Unmarshal(body, &problem); err != nil || status < 400 || problem.Title == "" || problem.Detail == "" || problem.Code == "" {
		f.invalid.Add(1)
		f.t.Errorf("%s: %d is no problem: %s", name, status, text)
	}
}

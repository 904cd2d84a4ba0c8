//go:build chaos

package chaos

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A reader may read one base, and receives its changes in one way. It counts what it receives.
type reader struct {
	what     string
	base     *liveBase
	admin    bool
	filtered bool
	uri      string // what an MCP client is subscribed to
	silent   bool   // nothing that it may see changes
	received *atomic.Int64
	own      atomic.Int64 // marks of the base
	ended    chan time.Time
}

// look checks what a reader receives.
func (r *reader) look(t *testing.T, text string) {
	r.received.Add(1)
	for _, found := range mark.FindAllStringSubmatch(text, -1) {
		if found[1] != r.base.mark || found[2] == "p" && !r.admin || found[2] == "n" && r.filtered {
			t.Errorf("%s is told of %s: %s", r.what, found[0], text)
		}
		r.own.Add(1)
	}
}

// stream opens a stream of a base, and looks at its events until it ends.
func (r *reader) stream(t *testing.T, e *environment, p *process, key string) {
	t.Helper()
	r.ended = make(chan time.Time, 1)
	path := p.base + "/api/v1/bases/" + r.base.id + "/live"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", key)
	response, err := (&http.Client{Transport: e.client.Transport}).Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", r.what, response, err)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() && lines.Text() != "event: ready" {
	}
	go func() {
		defer response.Body.Close()
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				r.look(t, text)
			}
			if lines.Text() == "event: end" {
				r.ended <- time.Now()
			}
		}
	}()
}

// listenRequest subscribes an MCP client to a resource.
func listenRequest(uri string) (body string, header map[string]string) {
	body = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":` +
		`{"resourceSubscriptions":["` + uri + `"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	return body, map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
	}
}

// listen subscribes to a resource as an MCP client, and checks what it receives until the stream
// ends.
func (r *reader) listen(t *testing.T, e *environment, p *process, key, uri string) {
	t.Helper()
	r.uri, r.ended = uri, make(chan time.Time, 1)
	body, header := listenRequest(uri)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", key)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := (&http.Client{Transport: e.client.Transport}).Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", r.what, response, err)
	}
	lines := bufio.NewScanner(response.Body)
	acknowledged := false
	for !acknowledged {
		if !lines.Scan() {
			t.Fatalf("%s is not subscribed to %s: %v", r.what, uri, lines.Err())
		}
		acknowledged = strings.Contains(lines.Text(), "notifications/subscriptions/acknowledged")
	}
	go func() {
		defer response.Body.Close()
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				r.update(t, text)
			}
		}
	}()
}

// update checks a message to an MCP client.
func (r *reader) update(t *testing.T, text string) {
	var message struct {
		Method string
		Params struct{ URI string }
		Result json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &message); err != nil {
		t.Errorf("%s: %v in %s", r.what, err, text)
	}
	if message.Result != nil {
		r.ended <- time.Now()
		return
	}
	if r.silent || message.Method != "notifications/resources/updated" || message.Params.URI != r.uri {
		t.Errorf("%s, subscribed to %s, is told %s", r.what, r.uri, text)
	}
	r.look(t, text)
	r.own.Add(1)
}

// A caller is a credential with the bases that it may read.
type caller struct {
	what, key string
	may       []*liveBase
	admin     bool
	schema    bool // it may read schemas too, and be an MCP client
}

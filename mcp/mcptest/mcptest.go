// Package mcptest serves MCP for tests, together with REST over the same services and principals,
// and calls it with the official client.
package mcptest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/problem"
)

// Protocol versions: without sessions, and the newest one that starts with initialize.
const (
	Stateless  = "2026-07-28"
	Initialize = "2025-11-25"
)

// Listed returns the operations that /mcp lists. The others can be called there too.
func Listed() []*operation.Operation {
	return slices.DeleteFunc(operation.Tools(), func(op *operation.Operation) bool {
		return op.Agent.List < operation.ListCommon
	})
}

// A Server is MCP on a test server, and REST on another one with the same principals.
type Server struct {
	*httptest.Server
	REST *apitest.Server
}

// New starts a server. The functions may change its options.
func New(t testing.TB, change ...func(*mcp.Options)) *Server {
	t.Helper()
	return serve(t, apitest.New(t), change)
}

// NewReplica starts another server over the same services, with the same principals.
func NewReplica(t testing.TB, other *Server, change ...func(*mcp.Options)) *Server {
	t.Helper()
	return serve(t, other.REST, change)
}

// AnswerPage replaces the page that clients show next to results.
const AnswerPage = "<!doctype html><title>Answer</title>"

func serve(t testing.TB, rest *apitest.Server, change []func(*mcp.Options)) *Server {
	t.Helper()
	s := &Server{REST: rest}
	s.Server = httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	deps := *s.REST.Deps
	deps.BaseURL = s.URL
	options := mcp.Options{
		Deps: &deps, Operations: s.REST.Operations, Authenticate: s.REST.Authenticate, Live: s.REST.Live,
		Secret: []byte(strings.Repeat("secret", 6)), AnswerPage: AnswerPage,
		Challenge: func(h http.Header, _ *http.Request, err error) {
			value := `Bearer resource_metadata="` + s.URL + `/.well-known/oauth-protected-resource/mcp"`
			if problem.KindOf(err) == problem.KindForbidden {
				value += `, error="insufficient_scope"`
			}
			h.Set("WWW-Authenticate", value)
		},
	}
	for _, f := range change {
		f(&options)
	}
	s.Config.Handler = mcp.New(options)
	return s
}

// A Client is the official client, connected as one principal.
type Client struct {
	*sdk.ClientSession
	t testing.TB
}

// Dial connects a client of a protocol version to a path of the server, such as /mcp or
// /mcp?readonly=1.
func (s *Server) Dial(t testing.TB, as *apitest.Client, era, path string, options *sdk.ClientOptions) *Client {
	t.Helper()
	return Connect(t, s.URL+path, era, HTTPWithKey(as.Key()), nil, options)
}

// Connect connects a client of a protocol version to an endpoint. The HTTP client or the OAuth
// handler supplies the credential.
func Connect(
	t testing.TB,
	endpoint, era string,
	client *http.Client,
	oauth auth.OAuthHandler,
	options *sdk.ClientOptions,
) *Client {
	t.Helper()
	if options == nil {
		options = &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}
	}
	transport := &sdk.StreamableClientTransport{
		Endpoint: endpoint, HTTPClient: client, OAuthHandler: oauth, DisableStandaloneSSE: true, MaxRetries: -1,
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).
		Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatalf("connecting as a client of %s: %v", era, err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != era {
		t.Fatalf("agreed on %s, not on %s", got, era)
	}
	return &Client{ClientSession: session, t: t}
}

// HTTPWithKey returns an HTTP client that sends an API key with every request.
func HTTPWithKey(key string) *http.Client { return &http.Client{Transport: keyTransport{key}} }

type keyTransport struct{ key string }

func (k keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("x-api-key", k.key)
	return http.DefaultTransport.RoundTrip(r)
}

// Call calls a tool, and returns its output and whether it failed.
func (c *Client) Call(tool string, arguments any) (answer map[string]any, failed bool) {
	c.t.Helper()
	text, failed := c.CallText(tool, arguments)
	if err := json.Unmarshal(text, &answer); err != nil {
		c.t.Fatalf("%s: %v in %s", tool, err, text)
	}
	return answer, failed
}

// CallText is Call, with the output as the text in which it came. It checks that the text is the
// structured content byte for byte, except for nesting, that the output schema describes it, and
// that a problem is only text.
func (c *Client) CallText(tool string, arguments any) (answer []byte, failed bool) {
	c.t.Helper()
	if text, ok := arguments.(string); ok {
		arguments = json.RawMessage(text)
	}
	result, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("calling %s with %s: %v", tool, arguments, err)
	}
	return c.read(tool, result), result.IsError
}

func (c *Client) read(tool string, result *sdk.CallToolResult) []byte {
	c.t.Helper()
	if len(result.Content) == 0 {
		c.t.Fatalf("%s returned no content", tool)
	}
	for _, more := range result.Content[1:] {
		if _, ok := more.(*sdk.ResourceLink); !ok {
			c.t.Fatalf("%s returned %d content blocks", tool, len(result.Content))
		}
	}
	text := []byte(result.Content[0].(*sdk.TextContent).Text)
	if result.IsError {
		if result.StructuredContent != nil {
			c.t.Errorf("%s: a problem has structured content: %v", tool, result.StructuredContent)
		}
		return text
	}
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil {
		c.t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(text, &a) != nil || json.Unmarshal(structured, &b) != nil || !jsonschema.Equal(a, b) {
		c.t.Fatalf("%s: the text is not the structured content:\n%s\n%s", tool, text, structured)
	}
	if err := c.schema(tool).Validate(result.StructuredContent); err != nil {
		c.t.Errorf("%s: the output schema does not describe %s: %v", tool, structured, err)
	}
	return text
}

// schema returns the output schema of a tool, from its golden file.
func (c *Client) schema(tool string) *jsonschema.Resolved {
	c.t.Helper()
	if known, ok := schemas.Load(tool); ok {
		return known.(*jsonschema.Resolved)
	}
	_, here, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "testdata", "tool", tool+".json"))
	var listed struct{ OutputSchema jsonschema.Schema }
	if err == nil {
		err = json.Unmarshal(text, &listed)
	}
	var resolved *jsonschema.Resolved
	if err == nil {
		resolved, err = listed.OutputSchema.Resolve(nil)
	}
	if err != nil {
		c.t.Fatalf("%s: the output schema: %v", tool, err)
	}
	schemas.Store(tool, resolved)
	return resolved
}

// schemas are the output schemas that were read, by tool.
var schemas sync.Map

// Tools lists the tools.
func (c *Client) Tools() []*sdk.Tool {
	c.t.Helper()
	listed, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatalf("listing tools: %v", err)
	}
	return listed.Tools
}

// OK calls a tool that must succeed.
func (c *Client) OK(tool string, arguments any) map[string]any {
	c.t.Helper()
	answer, failed := c.Call(tool, arguments)
	if failed {
		c.t.Fatalf("%s with %v: %v", tool, arguments, answer)
	}
	return answer
}

// IDs are the ids of the records that a write returns.
func IDs(answer map[string]any) (ids []any) {
	records, _ := answer["records"].([]any)
	for _, r := range records {
		ids = append(ids, r.(map[string]any)["id"])
	}
	return ids
}

// ID calls a tool that must succeed and returns the id in its output.
func (c *Client) ID(tool string, arguments any) string {
	c.t.Helper()
	made, _ := c.OK(tool, arguments)["id"].(string)
	if made == "" {
		c.t.Fatalf("%s: no id in the output", tool)
	}
	return made
}

// Refused calls a tool that must fail with a problem that contains every one of the words, and
// returns the problem.
func (c *Client) Refused(tool string, arguments any, words ...string) map[string]any {
	c.t.Helper()
	answer, failed := c.Call(tool, arguments)
	if !failed {
		c.t.Fatalf("%s with %v was not refused: %v", tool, arguments, answer)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, word := range words {
		quoted, _ := json.Marshal(word)
		if !strings.Contains(string(text), strings.Trim(string(quoted), `"`)) {
			c.t.Errorf("%s with %v: the problem does not say %q: %s", tool, arguments, word, text)
		}
	}
	return answer
}

// Post sends a body unchanged, with headers that replace the usual ones; an empty value removes a
// header.
func (s *Server) Post(
	t testing.TB,
	as *apitest.Client,
	path, body string,
	header map[string]string,
) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, s.URL+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if as != nil {
		request.Header.Set("x-api-key", as.Key())
	}
	return s.Send(t, request, header)
}

// Send sends a request and reads the response.
func (s *Server) Send(t testing.TB, request *http.Request, header map[string]string) (*http.Response, string) {
	t.Helper()
	for name, value := range header {
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var text strings.Builder
	buffer := make([]byte, 32<<10)
	for {
		n, err := response.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return response, text.String()
		}
	}
}

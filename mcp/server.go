// Package mcp serves the operation catalogue to agents over the Model Context Protocol. Every
// operation is a tool; resources, prompts and the tools search and fetch are added. The transport
// is Streamable HTTP without sessions, so any replica can serve any request. It supports clients of
// revision 2026-07-28 and of the older revisions that start with initialize.
//
// The package owns what is specific to agents: names instead of ids, lenient arguments, results
// that fit into a context window, and confirmation before much is destroyed. The catalogue decides
// what an operation does, who may call it and what its errors say. The package knows nothing of
// REST.
package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

// Path is where the server is mounted.
const Path = "/mcp"

// Version is the server version that clients see.
const Version = "1.0.0"

// Options configure the server.
type Options struct {
	Deps *operation.Deps
	// Authenticate returns the caller, or an error of kind unauthenticated. It accepts only API
	// keys, and access tokens whose audience is this endpoint.
	Authenticate func(r *http.Request) (*authz.Principal, error)
	// Live notifies of changes of resources. Nil disables notifications.
	Live *live.Hub
	// Limit enforces rate limits. Nil enforces none.
	Limit *limit.Guard
	// Challenge adds WWW-Authenticate to responses with status 401 and 403. Nil adds none.
	Challenge func(h http.Header, r *http.Request, err error)
	// Secret authenticates request state that clients send back. It has at least 32 bytes and is
	// the same in every replica.
	Secret []byte
	// Origins are the other web origins that may call, such as https://example.com; "*" allows all.
	// The service's own origin is always allowed.
	Origins []string
	// AnswerPage is the HTML page that clients show next to the results of some tools (page.go). ""
	// means none.
	AnswerPage string
	// Operations are the operations to serve; nil serves operation.Catalogue.
	Operations []*operation.Operation
	// Extend adds to the SDK server, for protocol tests. Nil adds nothing.
	Extend func(*sdk.Server)

	viaSDK           bool          // pass every call to the SDK, for the test that compares both ways
	progressInterval time.Duration // shorter in tests
}

// New returns the handler for Path. It panics on invalid options.
func New(options Options) http.Handler {
	if len(options.Secret) < 32 {
		panic("mcp: Secret must be at least 32 bytes")
	}
	if options.progressInterval == 0 {
		options.progressInterval = progressInterval
	}
	s := newServer(options)
	if options.AnswerPage != "" {
		s.linkAnswerPage()
	}
	self := &sdk.Implementation{Name: "rowhouse", Title: "Rowhouse", Version: Version, WebsiteURL: options.Deps.BaseURL}
	meta, err := json.Marshal(map[string]any{sdk.MetaKeyServerInfo: self})
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding the server's name: %v", err))
	}
	s.meta = meta
	s.sdk = sdk.NewServer(self, &sdk.ServerOptions{
		Instructions: instructions[0].text, // filterTools replaces them by the caller's
		// Lists do not change while a client is connected, and nothing is logged to it.
		Capabilities: &sdk.ServerCapabilities{
			Tools:     &sdk.ToolCapabilities{},
			Resources: &sdk.ResourceCapabilities{},
			Prompts:   &sdk.PromptCapabilities{},
		},
		CompletionHandler: s.complete,
		SetCacheable:      setCacheable,
	})
	for _, t := range s.tools {
		// The SDK would process a tool's input schema on every call. It does not need one:
		// filterTools lists the tools, and the operation validates.
		s.sdk.AddTool(&sdk.Tool{Name: t.listed.Name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			s.toolHandler(t))
	}
	s.addResources()
	if options.AnswerPage != "" {
		s.addAnswerPage()
	}
	s.addPrompts()
	if options.Extend != nil {
		options.Extend(s.sdk)
	}
	s.sdk.AddReceivingMiddleware(s.filterTools)
	transport := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{
			Stateless:                    true,
			DisableLocalhostProtection:   true, // handler checks Host and Origin, also behind a proxy on this machine
			MaxRequestBodyBytes:          maxBody,
			PropagateRequestCancellation: true,
		})
	return problem.WithRequestID(newHandler(s, transport))
}

type server struct {
	Options
	sources     []source // what resources are read from
	sdk         *sdk.Server
	tools       []*tool
	toolIndexes map[string]int // index of each tool in tools
	meta        []byte         // _meta of every result of revision 2026-07-28
}

// newServer returns a server with its tools, before the SDK knows them.
func newServer(options Options) *server {
	if options.Operations == nil {
		options.Operations = operation.Catalogue()
	}
	s := &server{Options: options, toolIndexes: map[string]int{}}
	for _, op := range operation.ToolsOf(options.Operations) {
		s.add(operationTool(op))
		if op.Agent.Resource != nil {
			s.sources = append(s.sources, newSource(op))
		}
	}
	for i := range standalones {
		s.add(standalones[i].tool())
	}
	return s
}

// A caller is the principal of a request, with the tool filter of the request's URL.
type caller struct {
	*authz.Principal
	again   func(ctx context.Context) (*authz.Principal, error) // looks it up again
	at      time.Time                                           // when it was looked up
	filter  toolFilter
	request context.Context // cancelled when the client disconnects; nil outside a request
}

// call returns a call that the caller makes.
func (c *caller) call(ctx context.Context, input []byte) operation.Request {
	return operation.Request{
		Principal:     c.Principal,
		Raw:           input,
		ID:            problem.RequestID(ctx),
		CallerContext: c.request,
		Again:         c.again,
		At:            c.at,
	}
}

type callerKey struct{}

func withCaller(ctx context.Context, c *caller) context.Context {
	ctx = catalog.WithCaller(ctx, c.Principal)
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller of a request that came through handler. Without one, it returns a
// caller without any rights.
func callerOf(ctx context.Context) *caller {
	if c, ok := ctx.Value(callerKey{}).(*caller); ok {
		return c
	}
	return &caller{Principal: &authz.Principal{}}
}

// setCacheable sets how long a client may cache a result. Every result depends on the caller.
func setCacheable(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	c.CacheScope = "private"
	switch req.(type) {
	case *sdk.ReadResourceRequest: // the resource's own TTL; data must not be cached
	default:
		c.TTLMs = 60_000
	}
}

// Package cors decides which pages of other origins may call which surface, and which headers they
// may send and read (the CORS protocol of the Fetch standard). It is the only place that writes
// Access-Control headers. No surface accepts a cookie from another origin.
package cors

import "net/http"

// exposedHeaders are the response headers that scripts may read on every surface, in addition to
// the safelisted ones.
const exposedHeaders = "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, " +
	"WWW-Authenticate, Allow"

// maxAge is how long a browser may cache the answer to a preflight request, in seconds.
const maxAge = "86400"

// A Policy says what pages of other origins may do on one surface.
type Policy struct {
	methods        string
	requestHeaders string
	exposed        string
	// cacheable says that responses may be stored by shared caches. They then carry the header for
	// every caller, because a cache may give the response to one request to another.
	cacheable bool
	// allowed reports whether pages of the origin may call. Nil allows every origin.
	allowed func(origin string) bool
}

// REST lets pages of every origin call the REST API with a key or token of their own.
func REST() *Policy {
	return &Policy{
		methods: "GET, HEAD, POST, PUT, PATCH, DELETE",
		requestHeaders: "Authorization, X-Api-Key, Content-Type, X-Request-Id, Idempotency-Key, " +
			"Change-Set, If-Match",
		exposed: exposedHeaders,
	}
}

// OAuth lets pages of every origin call the endpoints of the authorization server that no cookie
// authenticates, and read its metadata.
func OAuth() *Policy {
	return &Policy{
		methods:        "GET, POST, OPTIONS",
		requestHeaders: "Authorization, Content-Type, MCP-Protocol-Version",
		exposed:        exposedHeaders,
		cacheable:      true,
	}
}

// MCP lets pages of the origins that allowed accepts call the MCP server. The server itself has to
// reject requests of other origins.
func MCP(allowed func(origin string) bool) *Policy {
	return &Policy{
		methods: "POST",
		requestHeaders: "Authorization, X-Api-Key, Content-Type, Accept, X-Request-Id, " +
			"Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-Id",
		exposed: exposedHeaders + ", Mcp-Session-Id",
		allowed: allowed,
	}
}

// Apply sets the response headers that the policy grants to the request's origin. If the request is
// a preflight request, it also responds with status 204 and returns true; the caller then has
// nothing more to do.
func (p *Policy) Apply(w http.ResponseWriter, r *http.Request) (done bool) {
	h, origin := w.Header(), r.Header.Get("Origin")
	if p.allowed != nil {
		h.Add("Vary", "Origin")
	}
	switch {
	case origin == "" && !p.cacheable:
		return false
	case p.allowed == nil:
		h.Set("Access-Control-Allow-Origin", "*")
	case origin == "" || !p.allowed(origin):
		return false
	default:
		h.Set("Access-Control-Allow-Origin", origin)
	}
	h.Set("Access-Control-Expose-Headers", p.exposed)
	if !isPreflight(r) {
		return false
	}
	h.Set("Access-Control-Allow-Methods", p.methods)
	h.Set("Access-Control-Allow-Headers", p.requestHeaders)
	h.Set("Access-Control-Max-Age", maxAge)
	w.WriteHeader(http.StatusNoContent)
	return true
}

// Handler applies the policy to every request and passes all but preflight requests to next.
func (p *Policy) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.Apply(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// isPreflight reports whether a browser sent the request to find out whether a page may send
// another one. Any other OPTIONS request asks for the methods of a resource (RFC 9110 section
// 9.3.7).
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" &&
		r.Header.Get("Access-Control-Request-Method") != ""
}

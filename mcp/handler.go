package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// maxBody is the largest request in bytes: that of REST, and room for the envelope.
const maxBody = 6 << 20

// keepAlive is how long a stream may be silent before a comment is sent: proxies close what is silent for long.
const keepAliveInterval = 15 * time.Second

// A handler stands before the transport. Nothing of a request is looked at before its origin and its credential are right, and no
// tool is reached whose scope an access token lacks.
type handler struct {
	*server
	next      http.Handler
	self      *url.URL
	loopback  bool // the service is reached on this machine only
	keepAlive time.Duration
}

func newHandler(s *server, next http.Handler) *handler {
	self, err := url.Parse(s.Deps.BaseURL)
	if err != nil || self.Host == "" {
		panic(fmt.Sprintf("mcp: BaseURL %q is not a URL", s.Deps.BaseURL))
	}
	return &handler{server: s, next: next, self: self, loopback: isLoopback(self.Hostname()), keepAlive: keepAliveInterval}
}

func (d *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !d.allowsHost(r.Host) {
		problem.Write(w, r, problem.Forbidden("The header Host names %q, and this service is %s. A proxy before it must keep the client's Host.",
			r.Host, d.self.Host).WithCode("foreign_host"))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if !d.allowsOrigin(origin) {
			problem.Write(w, r, problem.Forbidden("Pages of the origin %q may not call this server.", origin).WithCode("foreign_origin"))
			return
		}
		if crossOrigin(w.Header(), r, origin) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	c, err := d.authenticate(w, r)
	if err == nil {
		err = route.CheckPrecondition(r)
	}
	if err != nil {
		d.fail(w, r, err)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		problem.WriteStatus(w, r, http.StatusMethodNotAllowed, "no_such_method", "This server keeps no sessions: send each message with POST.")
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		d.fail(w, r, err)
		return
	}
	messages, fault := parseMessages(body)
	if fault == nil {
		fault = matchHeaders(r.Header, messages)
	}
	if fault == nil {
		fault = unknownMethodError(r.Header.Get("Mcp-Protocol-Version"), messages)
	}
	if fault != nil {
		fault.write(w)
		return
	}
	if c.Kind == authz.OAuth {
		if err := c.RequireScope(d.scopes(messages)...); err != nil {
			d.fail(w, r, err)
			return
		}
	}
	stream := newStream(w, d.keepAlive)
	defer stream.close()
	if call, ok := d.asDirectCall(r.Header, c, messages); ok {
		d.serveDirect(r.Context(), stream, c, call)
		return
	}
	r = r.WithContext(withCaller(r.Context(), c))
	r.Body = io.NopCloser(bytes.NewReader(body))
	d.next.ServeHTTP(stream, r)
}

func (d *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	kind := problem.KindOf(err)
	if d.Challenge != nil && (kind == problem.KindUnauthenticated || kind == problem.KindForbidden) {
		d.Challenge(w.Header(), r, err)
	}
	problem.Write(w, r, err)
}

// identify says who calls.
func (d *handler) authenticate(w http.ResponseWriter, r *http.Request) (*caller, error) {
	principal, err := d.Limit.Admit(w.Header(), r, d.Authenticate)
	if err != nil {
		return nil, err
	}
	if principal == nil || principal.Kind == authz.Session {
		return nil, problem.Unauthenticated("Send an API key in the header x-api-key, or an API key or access token as Authorization: Bearer.")
	}
	if err := principal.RequireScope(authz.MCPTools); err != nil {
		return nil, err
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, problem.Invalid("", "The query string cannot be read.")
	}
	v, err := parseToolFilter(query)
	if err != nil {
		return nil, err
	}
	return &caller{Principal: principal, filter: v, request: r.Context()}, nil
}

// scopes lists every scope that the messages need, at once: a client that asks the person for more asks once.
func (d *handler) scopes(messages []message) []authz.Scope {
	list := []authz.Scope{authz.MCPTools}
	add := func(scopes []authz.Scope) {
		for _, scope := range scopes {
			if scope != authz.None && !slices.Contains(list, scope) {
				list = append(list, scope)
			}
		}
	}
	for _, m := range messages {
		switch m.Method {
		case "tools/call":
			if t := d.tool(m.name()); t != nil {
				add(t.scopes)
			}
		case "resources/read":
			add(resourceScopes(m.name()))
		}
	}
	return list
}

func (d *handler) allowsHost(host string) bool {
	if strings.EqualFold(host, d.self.Host) {
		return true
	}
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	// A service on this machine is called by several names; a page of a foreign name that resolves here is what is refused.
	return d.loopback && isLoopback(strings.Trim(name, "[]"))
}

func (d *handler) allowsOrigin(origin string) bool {
	if slices.Contains(d.Origins, "*") || slices.Contains(d.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Scheme, d.self.Scheme) && strings.EqualFold(u.Host, d.self.Host) {
		return true
	}
	return d.loopback && isLoopback(u.Hostname())
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// crossOrigin lets pages of an admitted origin read the answer, and reports whether the request only asked for that.
func crossOrigin(h http.Header, r *http.Request, origin string) (preflight bool) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Mcp-Session-Id")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "POST")
	h.Set("Access-Control-Allow-Headers", "Authorization, X-Api-Key, Content-Type, Accept, X-Request-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-Id")
	h.Set("Access-Control-Max-Age", "86400")
	return true
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var buffer bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= maxBody {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, &problem.Error{Kind: problem.KindTooLarge, Message: "The message is larger than 6 MB; send fewer records at once."}
		}
		return nil, problem.Invalid("", "The body could not be read.").Because(err)
	}
	return buffer.Bytes(), nil
}

package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rowhouse/rowhouse/api/body"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/cors"
	"github.com/rowhouse/rowhouse/problem"
)

// maxBody is the maximum size of a request, in bytes: the maximum of REST plus the envelope.
const maxBody = 6 << 20

// maxTotalBody is what all large messages of this process may occupy together, in bytes.
const maxTotalBody = 48 << 20

// keepAliveInterval is how long a stream may be idle before a comment is sent, because proxies
// close idle connections.
const keepAliveInterval = 15 * time.Second

// A handler runs before the SDK's transport. It checks the origin, the path and the credential
// before anything else in a request, and does not call a tool whose scope an access token lacks.
type handler struct {
	*server
	next      http.Handler
	cors      *cors.Policy
	self      *url.URL
	loopback  bool // the service's own URL is on this machine
	keepAlive time.Duration
	bodies    *body.Reader
}

func newBodies(guard *limit.Guard) *body.Reader {
	var bulkhead body.Bulkhead
	if guard != nil {
		bulkhead = guard
	}
	return body.New(maxBody, maxTotalBody, "The message is larger than 6 MB; send fewer records at once.", bulkhead)
}

func newHandler(s *server, next http.Handler) *handler {
	self, err := url.Parse(s.Deps.BaseURL)
	if err != nil || self.Host == "" {
		panic(fmt.Sprintf("mcp: BaseURL %q is not a URL", s.Deps.BaseURL))
	}
	h := &handler{
		server:    s,
		next:      next,
		self:      self,
		loopback:  isLoopback(self.Hostname()),
		keepAlive: keepAliveInterval,
		bodies:    newBodies(s.Limit),
	}
	h.cors = cors.MCP(h.allowsOrigin)
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.allowsHost(r.Host) {
		problem.Write(w, r, problem.Forbidden("The header Host is %q, but this service is %s. "+
			"A proxy in front of it must preserve the client's Host header.",
			r.Host, h.self.Host).WithCode(problem.CodeForeignHost))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if !h.allowsOrigin(origin) {
			problem.Write(w, r, problem.Forbidden("Pages of the origin %q may not call this server.", origin).
				WithCode(problem.CodeForeignOrigin))
			return
		}
	}
	if h.cors.Apply(w, r) {
		return
	}
	if _, err := parseAddress(strings.TrimPrefix(r.URL.Path, Path), nil); err != nil {
		problem.Write(w, r, err)
		return
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	c, err := h.authenticate(w, r)
	if err == nil {
		err = route.CheckPrecondition(r)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		problem.WriteStatus(w, r, http.StatusMethodNotAllowed, problem.CodeNoSuchMethod,
			"This server has no sessions; send each message with POST.")
		return
	}
	reservation := h.bodies.NewReservation()
	defer reservation.Release()
	content, err := reservation.Read(w, r, limit.Tenant(c.Principal))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	messages, fault := parseMessages(content)
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
		if err := c.RequireScope(h.scopes(messages)...); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	if params, ok := h.asListen(r.Header, messages); ok {
		reservation.Release() // it may take hours
		if err := h.serveListen(w, r, c, &messages[0], params); err != nil {
			h.fail(w, r, err)
		}
		return
	}
	stream := newStream(w, h.keepAlive)
	defer stream.close()
	if call, ok := h.asDirectCall(r.Header, c, messages); ok {
		h.serveDirect(r.Context(), stream, c, call)
		return
	}
	r = r.WithContext(withCaller(r.Context(), c))
	r.Body = io.NopCloser(bytes.NewReader(content))
	h.next.ServeHTTP(stream, r)
}

func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	kind := problem.KindOf(err)
	if h.Challenge != nil && (kind == problem.KindUnauthenticated || kind == problem.KindForbidden) {
		h.Challenge(w.Header(), r, err)
	}
	problem.Write(w, r, err)
}

// authenticate returns the caller.
func (h *handler) authenticate(w http.ResponseWriter, r *http.Request) (*caller, error) {
	principal, err := h.Limit.Admit(w.Header(), r, h.Authenticate)
	at := time.Now()
	if err != nil {
		return nil, err
	}
	if principal == nil || principal.Kind == authz.Session {
		return nil, problem.Unauthenticated(
			"Send an API key in the header x-api-key, or an API key or access token as Authorization: Bearer.",
		)
	}
	if err := principal.RequireScope(authz.MCPTools); err != nil {
		return nil, err
	}
	filter, err := filterOf(r)
	if err != nil {
		return nil, err
	}
	again := func(ctx context.Context) (*authz.Principal, error) { return h.Authenticate(r.WithContext(ctx)) }
	return &caller{Principal: principal, again: again, at: at, filter: filter, request: r.Context()}, nil
}

// scopes returns every scope that the messages need, so that a client can ask the person for all of
// them at once.
func (h *handler) scopes(messages []message) []authz.Scope {
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
			if t := h.tool(m.name()); t != nil {
				add(t.scopes)
			}
		case "resources/read":
			add(h.resourceScopes(m.name()))
		case listenMethod:
			var params listenParams
			if json.Unmarshal(m.Params, &params) == nil && params.Notifications != nil {
				for _, uri := range params.Notifications.Resources {
					add(h.resourceScopes(uri))
				}
			}
		}
	}
	return list
}

func (h *handler) allowsHost(host string) bool {
	if strings.EqualFold(host, h.self.Host) {
		return true
	}
	name := host
	if hostname, _, err := net.SplitHostPort(host); err == nil {
		name = hostname
	}
	// A service on this machine has several names. A foreign name that resolves to it is a DNS
	// rebinding attack.
	return h.loopback && isLoopback(strings.Trim(name, "[]"))
}

func (h *handler) allowsOrigin(origin string) bool {
	if slices.Contains(h.Origins, "*") || slices.Contains(h.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Scheme, h.self.Scheme) && strings.EqualFold(u.Host, h.self.Host) {
		return true
	}
	return h.loopback && isLoopback(u.Hostname())
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// Package api serves the operation catalogue over REST, below /api/v1. It turns each request into
// one flat JSON object, passes it to the operation, and turns the result or error into an HTTP
// response. It also generates the OpenAPI document. It knows nothing of what an operation does.
package api

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/body"
	"github.com/rowhouse/rowhouse/api/encoding"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/cors"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

// Version is the version of the REST API (docs/reference/rest.md).
const Version = "1.0.0"

// Prefix is the path below which the REST API is served.
const Prefix = "/api/v1"

// Options configure the REST API.
type Options struct {
	Deps *operation.Deps
	// Authenticate returns the caller, or an error of kind unauthenticated.
	Authenticate func(r *http.Request) (*authz.Principal, error)
	// Operations are the operations to serve; nil serves operation.Catalogue.
	Operations []*operation.Operation
	// Live sends changes to watchers of bases.
	Live *live.Hub
	// Limit enforces rate limits. Nil enforces none.
	Limit *limit.Guard
	// Challenge adds WWW-Authenticate to responses with status 401 and 403. Nil adds none.
	Challenge func(h http.Header, r *http.Request, err error)
}

// New returns the handler for every path below Prefix.
func New(options Options) http.Handler {
	if options.Operations == nil {
		options.Operations = operation.Catalogue()
	}
	s := &server{
		Options:       options,
		bodies:        newBodies(options.Limit),
		fileURLPrefix: []byte(options.Deps.BaseURL + "/files/"),
	}
	router := chi.NewRouter()
	router.Use(assignRequestID, cors.REST().Handler, route.RefuseConditional("If-Match"))
	router.NotFound(s.notFound)
	router.MethodNotAllowed(s.methodNotAllowed(router))
	mount := func(method, path string, handler http.HandlerFunc) {
		router.Method(method, Prefix+path, handler)
		if method == http.MethodGet { // the HTTP server omits the body (RFC 9110 section 9.3.2)
			router.Head(Prefix+path, handler)
		}
	}
	document := encoding.NewDocument(
		mustDescribe(options.Operations, options.Deps.BaseURL, options.Deps.Files.Limits()))
	mount(http.MethodGet, "/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document.Body(w.Header(), r)) // the client may have disconnected
	})
	for _, op := range options.Operations {
		mount(op.Method, op.Path, s.handler(op))
	}
	for _, t := range endpoints {
		mount(t.method, t.path, t.handle(s))
	}
	return router
}

type server struct {
	Options
	bodies *body.Reader
	// The prefix of file URLs, which are permissions: a response that contains one is not compressed.
	fileURLPrefix []byte
}

func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	s.writeError(w, r, &problem.Error{
		Kind:    problem.KindNotFound,
		Code:    problem.CodeNoSuchPath,
		Message: "There is nothing at " + r.URL.Path + "; see " + Prefix + "/openapi.json.",
	})
}

// methodNotAllowed responds with the methods that the path supports (RFC 9110 section 15.5.6), or
// with status 404 if there is no such path.
func (s *server) methodNotAllowed(routes chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := route.Allowed(routes, r)
		if len(allowed) == 0 {
			s.notFound(w, r)
			return
		}
		if err := route.MethodNotAllowed(w, r, allowed); err != nil {
			s.writeError(w, r, err)
		}
	}
}

func assignRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		problem.AssignRequestID(w, r)
		next.ServeHTTP(w, r)
	})
}

func (s *server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	kind := problem.KindOf(err)
	if s.Challenge != nil && (kind == problem.KindUnauthenticated || kind == problem.KindForbidden) {
		s.Challenge(w.Header(), r, err)
	}
	WriteProblem(w, r, err)
}

// admit is admitAs for what nobody does as somebody else.
func (s *server) admit(w http.ResponseWriter, r *http.Request) (operation.Request, error) {
	request, err := s.admitAs(w, r)
	if err == nil && request.ViewAs != "" {
		err = problem.Invalid(operation.ViewAsHeader, "cannot be given here; it is for reading a base")
	}
	return request, err
}

// admitAs returns the request of a caller whose credential is valid and within its rate.
func (s *server) admitAs(w http.ResponseWriter, r *http.Request) (operation.Request, error) {
	principal, err := s.Limit.Admit(w.Header(), r, s.Authenticate)
	return operation.Request{
		Principal: principal, ID: problem.AssignedRequestID(w), At: time.Now(),
		ViewAs: r.Header.Get(operation.ViewAsHeader),
		Again:  func(ctx context.Context) (*authz.Principal, error) { return s.Authenticate(r.WithContext(ctx)) },
	}, err
}

func (s *server) handler(op *operation.Operation) http.HandlerFunc {
	binding := bind(op)
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.bodies.Oversized(w, r); err != nil {
			s.writeError(w, r, err)
			return
		}
		request, err := s.admitAs(w, r)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		if request.Principal.RequireScope(op.Scope) != nil {
			r.Body = http.NoBody // Do refuses the call, so its body need not be read
		}
		reservation := s.bodies.NewReservation()
		defer reservation.Release()
		input, err := binding.read(w, r, reservation, limit.Tenant(request.Principal))
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		key, err := idempotencyKey(r)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		set, err := changeSet(r, op)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		supported, demanded := []string(nil), []int64(nil)
		if op.Versioned {
			supported = []string{"If-Match"}
			demanded, err = route.Versions(r)
		}
		if err == nil {
			err = route.CheckPrecondition(r, supported...)
		}
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		request.IfMatch, request.Raw, request.IdempotencyKey, request.ChangeSet = demanded, input, key, set
		request.Deliver = func(result operation.Result) { s.deliver(w, r, op, result) }
		if _, err := op.Do(r.Context(), s.Deps, request); err != nil {
			s.writeError(w, r, err)
		}
	}
}

// Header values that many responses share. They must not be modified.
var (
	typeJSON = []string{"application/json"}
	noStore  = []string{"no-store"}
)

// deliver sends a result immediately, before the call is logged.
func (s *server) deliver(w http.ResponseWriter, r *http.Request, op *operation.Operation, result operation.Result) {
	h := w.Header()
	h["Content-Type"], h["Cache-Control"] = typeJSON, noStore
	if !op.Secret && (len(result.Body) < encoding.MinSize || !bytes.Contains(result.Body, s.fileURLPrefix)) {
		result.Body = encoding.Body(h, r, result.Body)
	}
	h.Set("Content-Length", strconv.Itoa(len(result.Body)))
	if result.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if result.Version != nil {
		h.Set("ETag", route.ETag(*result.Version))
	}
	if result.ChangeSet != "" {
		h.Set("Change-Set", result.ChangeSet)
	}
	if op.Accepted {
		w.WriteHeader(http.StatusAccepted)
	}
	// The client may have disconnected.
	_, _ = w.Write(result.Body)
	_ = http.NewResponseController(w).Flush()
}

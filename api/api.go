// Package api serves the catalogue over REST, below /api/v1: it turns a request into one flat JSON object, hands it to the
// operation, and turns the answer or the error back into HTTP. It also describes the catalogue in OpenAPI. It knows nothing of
// what an operation does.
package api

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/api/encoding"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
)

// Version is the version of the interface (spec.md, "Versioning").
const Version = "1.0.0"

// Prefix is where REST is mounted.
const Prefix = "/api/v1"

// Options say what REST works with.
type Options struct {
	Deps *operation.Deps
	// Authenticate returns who makes the request, or an error of kind unauthenticated.
	Authenticate func(r *http.Request) (*authz.Principal, error)
	// Limit counts requests; nil counts none.
	Limit *limit.Guard
	// Challenge adds WWW-Authenticate to answers with status 401 and 403; nil adds none.
	Challenge func(h http.Header, r *http.Request, err error)
}

// New returns the handler of everything below Prefix.
func New(options Options) http.Handler { return serve(options, operation.Catalogue()) }

// serve is New for any operations.
func serve(options Options, operations []*operation.Operation) http.Handler {
	s := &server{Options: options, bodies: semaphore.NewWeighted(maxTotalBodyBytes), fileURLPrefix: []byte(options.Deps.BaseURL + "/files/")}
	router := chi.NewRouter()
	router.Use(assignRequestID, cors, route.RefuseConditional)
	router.NotFound(s.notFound)
	router.MethodNotAllowed(s.methodNotAllowed(router))
	mount := func(method, path string, handler http.HandlerFunc) {
		router.Method(method, Prefix+path, handler)
		if method == http.MethodGet { // without the body, which the HTTP server leaves out (RFC 9110 section 9.3.2)
			router.Head(Prefix+path, handler)
		}
	}
	document := mustDescribe(options.Deps.BaseURL, options.Deps.Files.Limits())
	mount(http.MethodGet, "/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(encoding.Body(w.Header(), r, document)) // the client may be gone
	})
	for _, op := range operations {
		mount(op.Method, op.Path, s.handler(op))
	}
	for _, t := range fileEndpoints {
		mount(t.method, t.path, t.handle(s))
	}
	return router
}

type server struct {
	Options
	bodies        *semaphore.Weighted // bytes that large bodies may take together
	fileURLPrefix []byte              // how the address of a file begins, which is a permission: answers with one are not compressed
}

func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	s.writeError(w, r, &problem.Error{
		Kind: problem.KindNotFound, Code: "no_such_path", Message: "There is nothing at " + r.URL.Path + "; see " + Prefix + "/openapi.json.",
	})
}

// methodNotAllowed tells which methods a path has (RFC 9110 section 15.5.6), or that there is no such path.
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

// cors lets programs of any origin call with a key or token of their own; cookies are not let through.
func cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") == "" {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, WWW-Authenticate, Allow")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
			h.Set("Access-Control-Allow-Headers", "Authorization, X-Api-Key, Content-Type, X-Request-Id, Idempotency-Key")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
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

func (s *server) handler(op *operation.Operation) http.HandlerFunc {
	binding := bind(op)
	return func(w http.ResponseWriter, r *http.Request) {
		if err := rejectOversizedBody(w, r); err != nil {
			s.writeError(w, r, err)
			return
		}
		principal, err := s.Limit.Admit(w.Header(), r, s.Authenticate)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		room := &bodyBudget{total: s.bodies}
		defer room.release()
		input, err := binding.read(w, r, room)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		key, err := idempotencyKey(r)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		request := operation.Request{
			Principal: principal, Raw: input, ID: problem.AssignedRequestID(w), IdempotencyKey: key,
			Deliver: func(answer operation.Result) { s.deliver(w, r, op, answer) },
		}
		if _, err := op.Do(r.Context(), s.Deps, request); err != nil {
			s.writeError(w, r, err)
		}
	}
}

// The values of headers that are the same in every answer. Nobody changes them.
var (
	typeJSON = []string{"application/json"}
	noStore  = []string{"no-store"}
)

// deliver sends an answer off at once: what is still to be noted of the request is not waited for.
func (s *server) deliver(w http.ResponseWriter, r *http.Request, op *operation.Operation, answer operation.Result) {
	h := w.Header()
	h["Content-Type"], h["Cache-Control"] = typeJSON, noStore
	if !op.Secret && (len(answer.Body) < encoding.MinSize || !bytes.Contains(answer.Body, s.fileURLPrefix)) {
		answer.Body = encoding.Body(h, r, answer.Body)
	}
	h.Set("Content-Length", strconv.Itoa(len(answer.Body)))
	if answer.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	// The client may be gone.
	_, _ = w.Write(answer.Body)
	_ = http.NewResponseController(w).Flush()
}

// Package api serves the catalogue over REST, below /api/v1: it turns a request into one flat JSON object, hands it to the
// operation, and turns the answer or the error back into HTTP. It also describes the catalogue in OpenAPI. It knows nothing of
// what an operation does.
package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/tenancy"
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
func New(options Options) http.Handler {
	s := &server{Options: options, bodies: semaphore.NewWeighted(allBodies)}
	router := chi.NewRouter()
	router.Use(WithRequestID, cors)
	fail := func(err func(r *http.Request) error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, err(r)) }
	}
	router.NotFound(fail(func(r *http.Request) error {
		return &tenancy.Error{Kind: tenancy.KindNotFound, Code: "no_such_path", Message: "There is nothing at " + r.URL.Path + "; see " + Prefix + "/openapi.json."}
	}))
	router.MethodNotAllowed(fail(func(r *http.Request) error {
		return &tenancy.Error{
			Kind: tenancy.KindNotFound, Code: "no_such_method",
			Message: r.Method + " is not possible at " + r.URL.Path + "; see " + Prefix + "/openapi.json.",
		}
	}))
	router.Route(Prefix, func(router chi.Router) {
		document := mustDescribe(options.Deps.BaseURL)
		router.Get("/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(document) // the client may be gone
		})
		for _, op := range operation.Catalogue() {
			router.Method(op.Method, op.Path, s.handler(op))
		}
	})
	return router
}

type server struct {
	Options
	bodies *semaphore.Weighted // bytes that large bodies may take together
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
		h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, WWW-Authenticate")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
			h.Set("Access-Control-Allow-Headers", "Authorization, X-Api-Key, Content-Type, X-Request-Id, Idempotency-Key")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	kind := tenancy.KindOf(err)
	if s.Challenge != nil && (kind == tenancy.KindUnauthenticated || kind == tenancy.KindForbidden) {
		s.Challenge(w.Header(), r, err)
	}
	WriteProblem(w, r, err)
}

func (s *server) handler(op *operation.Operation) http.HandlerFunc {
	binding := bind(op)
	return func(w http.ResponseWriter, r *http.Request) {
		if err := refuseLargeBody(w, r); err != nil {
			s.fail(w, r, err)
			return
		}
		principal, err := s.Limit.Admit(w.Header(), r, s.Authenticate)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		room := &room{all: s.bodies}
		defer room.leave()
		input, err := binding.read(w, r, room)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		key, err := idempotencyKey(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		answer, err := op.Do(r.Context(), s.Deps, operation.Request{Principal: principal, Raw: input, ID: RequestID(r.Context()), Key: key})
		if err != nil {
			s.fail(w, r, err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		if answer.Repeated {
			h.Set("Idempotent-Replayed", "true")
		}
		_, _ = w.Write(answer.Body) // the client may be gone
	}
}

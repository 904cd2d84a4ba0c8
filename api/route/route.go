// Package route provides what HTTP requires of any set of routes: responses for paths that do not
// exist and for methods that a path does not have, HEAD, OPTIONS and conditional requests (RFC
// 9110).
package route

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/problem"
)

// Allowed returns the methods that routes have for the path of a request, including OPTIONS, or nil
// if the path does not exist.
func Allowed(routes chi.Routes, r *http.Request) []string {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	var allowed []string
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		if routes.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return nil
	}
	if allowed[0] == http.MethodGet {
		allowed = slices.Insert(allowed, 1, http.MethodHead)
	}
	return append(allowed, http.MethodOptions)
}

// MethodNotAllowed handles a request whose method the path does not have. It answers OPTIONS with
// the allowed methods and returns an error for other methods (RFC 9110 sections 9.3.7 and 15.5.6).
func MethodNotAllowed(w http.ResponseWriter, r *http.Request, allowed []string) error {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return &problem.Error{
		Kind: problem.KindImpossible, Code: problem.CodeNoSuchMethod,
		Message: r.Method + " is not possible at " + r.URL.Path + ", but " + problem.List(allowed) + ".",
	}
}

// HeadAsGet routes HEAD as GET where routes have no HEAD of their own; the HTTP server drops the
// body (RFC 9110 section 9.3.2). Unlike chi's middleware it consults routes and not the router
// around them.
func HeadAsGet(routes chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if at := chi.RouteContext(r.Context()); r.Method == http.MethodHead && at != nil &&
				!routes.Match(chi.NewRouteContext(), http.MethodHead, r.URL.Path) {
				at.RouteMethod = http.MethodGet
			}
			next.ServeHTTP(w, r)
		})
	}
}

// NoSuchPath is the error for a path that does not exist.
func NoSuchPath(r *http.Request) error {
	return &problem.Error{
		Kind:    problem.KindNotFound,
		Code:    problem.CodeNoSuchPath,
		Message: "There is nothing at " + r.URL.Path + ".",
	}
}

// PlainTextErrors turns errors that a handler writes as plain text, as the standard library's
// router does, into problem documents.
func PlainTextErrors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&plain{ResponseWriter: w, request: r}, r)
	})
}

type plain struct {
	http.ResponseWriter
	request  *http.Request
	began    bool
	replaced bool // the body of next is dropped, because a problem was sent
}

func (p *plain) WriteHeader(status int) {
	if p.began {
		return
	}
	if status >= http.StatusOK {
		p.began = true
	}
	text := strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain")
	if !text || status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	p.replaced = true
	p.Header().Del("Content-Length")
	err := NoSuchPath(p.request)
	if onlyAsked := p.Header().Get("Allow") == http.MethodOptions; status == http.StatusMethodNotAllowed && !onlyAsked {
		if allowed := strings.Split(p.Header().Get("Allow"), ", "); !slices.Contains(allowed, http.MethodOptions) {
			p.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		}
		if err = MethodNotAllowed(
			p.ResponseWriter, p.request, strings.Split(p.Header().Get("Allow"), ", "),
		); err == nil {
			return // OPTIONS
		}
	}
	problem.Write(p.ResponseWriter, p.request, err)
}

func (p *plain) Write(b []byte) (int, error) {
	if !p.began {
		p.WriteHeader(http.StatusOK)
	}
	if p.replaced {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (p *plain) Unwrap() http.ResponseWriter { return p.ResponseWriter }

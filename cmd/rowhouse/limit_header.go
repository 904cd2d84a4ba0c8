package main

import (
	"errors"
	"net/http"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

// maxHeader is how many bytes the request line and the headers of a request may take together.
const maxHeaderBytes = 64 << 10

// boundHeader refuses requests whose line and headers are too large with a problem. The HTTP server itself refuses what is
// several times as large, and can only say so in plain text.
func limitHeaderSize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := len(r.RequestURI)
		for name, values := range r.Header {
			for _, value := range values {
				size += len(name) + len(value) + 4 // ": " and the end of the line
			}
		}
		if size > maxHeaderBytes {
			w.Header().Set("Connection", "close")
			problem.WriteStatus(w, r, http.StatusRequestHeaderFieldsTooLarge, "header_too_large",
				"The address and the headers of the request are larger than 64 KB together; write a shorter filter, or name a view that holds it.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// panicked answers a request whose handler panicked. What went wrong stands in the log under the request's id.
func writePanicProblem(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"Content-Length", "Content-Encoding", "Etag", "Last-Modified"} { // of the answer that was not sent
		w.Header().Del(name)
	}
	problem.Write(w, r, errors.New("panic"))
}

// nothing answers for a path at which there is nothing.
func notFound(w http.ResponseWriter, r *http.Request) { problem.Write(w, r, route.NoSuchPath(r)) }

// readOnly refuses everything but reading.
func allowOnlyReads(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next(w, r)
			return
		}
		if err := route.MethodNotAllowed(w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions}); err != nil {
			problem.Write(w, r, err)
		}
	}
}

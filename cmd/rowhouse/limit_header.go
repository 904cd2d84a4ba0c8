package main

import (
	"errors"
	"net/http"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

// maxHeaderBytes limits the request line and the headers of a request together.
const maxHeaderBytes = 64 << 10

// limitHeaderSize rejects requests whose request line and headers are too large with a problem. The
// HTTP server rejects only what is several times as large, and always as plain text.
func limitHeaderSize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := len(r.RequestURI)
		for name, values := range r.Header {
			for _, value := range values {
				size += len(name) + len(value) + 4 // ": " and the line break
			}
		}
		if size > maxHeaderBytes {
			w.Header().Set("Connection", "close")
			problem.WriteStatus(w, r, http.StatusRequestHeaderFieldsTooLarge, problem.CodeHeaderTooLarge,
				"The URL and the headers of the request are larger than 64 KB together; use a shorter filter, "+
					"or a view that contains it.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// writePanicProblem responds to a request whose handler panicked. The log has the details under the
// request id.
func writePanicProblem(w http.ResponseWriter, r *http.Request) {
	// These are of the response that was not sent.
	for _, name := range []string{"Content-Length", "Content-Encoding", "Etag", "Last-Modified"} {
		w.Header().Del(name)
	}
	problem.Write(w, r, errors.New("panic"))
}

// notFound responds that the path does not exist.
func notFound(w http.ResponseWriter, r *http.Request) { problem.Write(w, r, route.NoSuchPath(r)) }

// allowOnlyReads passes only GET and HEAD to next, and handles the other methods.
func allowOnlyReads(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next(w, r)
			return
		}
		if err := route.MethodNotAllowed(
			w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions},
		); err != nil {
			problem.Write(w, r, err)
		}
	}
}

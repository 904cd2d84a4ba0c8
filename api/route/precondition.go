package route

import (
	"net/http"

	"github.com/rowhouse/rowhouse/problem"
)

// preconditions are the headers that make a write conditional (RFC 9110 section 13.1). Ignoring one
// would perform a write that the client asked not to perform.
var preconditions = []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"}

// CheckPrecondition returns an error of kind precondition for a conditional write, because
// resources have no entity tag or modification date yet. Reads ignore the headers, as RFC 9110
// section 13.2.1 allows.
func CheckPrecondition(r *http.Request) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	for _, name := range preconditions {
		if len(r.Header.Values(name)) > 0 {
			return &problem.Error{
				Kind: problem.KindPrecondition, Code: "precondition_not_supported",
				Message: "The header " + name + " makes this write conditional, and there are no versions to compare " +
					"with yet. Nothing was changed. Send the request without the header to write unconditionally.",
			}
		}
	}
	return nil
}

// RefuseConditional answers conditional writes with an error before they reach next.
func RefuseConditional(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := CheckPrecondition(r); err != nil {
			problem.Write(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

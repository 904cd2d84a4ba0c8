package route

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// preconditions are the headers that make a write conditional (RFC 9110 section 13.1). Ignoring one
// would perform a write that the client asked not to perform.
var preconditions = []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"}

// CheckPrecondition returns an error of kind precondition for a conditional write. Reads ignore the
// headers, as RFC 9110 section 13.2.1 allows. supported are the headers that the write observes.
func CheckPrecondition(r *http.Request, supported ...string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	for _, name := range preconditions {
		if len(r.Header.Values(name)) > 0 && !slices.Contains(supported, name) {
			return &problem.Error{
				Kind: problem.KindPrecondition, Code: "precondition_not_supported",
				Message: "The header " + name + " makes this write conditional, which only changes and deletions of " +
					"a single record support, with If-Match. Nothing was changed. Send the request without the " +
					"header to write unconditionally.",
			}
		}
	}
	return nil
}

// Version returns the version that a request demands of a record with If-Match, or nil without the
// header. "*" demands nothing more than that the record is there.
func Version(r *http.Request) (*int64, error) {
	values := r.Header.Values("If-Match")
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return nil, nil //nolint:nilnil // no version, and no error
	}
	tag, quoted := strings.CutPrefix(values[0], `"`)
	tag, closed := strings.CutSuffix(tag, `"`)
	version, err := strconv.ParseInt(tag, 10, 64)
	if len(values) > 1 || !quoted || !closed || err != nil || version < 0 {
		return nil, problem.Invalid("If-Match", `must be one entity tag as ETag gives it, such as `+
			`"1763880000000000", or *`)
	}
	return &version, nil
}

// ETag is the entity tag of a version.
func ETag(version int64) string { return strconv.Quote(strconv.FormatInt(version, 10)) }

// RefuseConditional answers conditional writes with an error before they reach next, which observes
// the supported headers itself.
func RefuseConditional(supported ...string) func(next http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := CheckPrecondition(r, supported...); err != nil {
				problem.Write(w, r, err)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

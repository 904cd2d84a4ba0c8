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
				Kind: problem.KindPrecondition, Code: problem.CodePreconditionNotSupported,
				Message: "The header " + name + " makes this write conditional, which only changes and deletions of " +
					"a single record support, with If-Match. Nothing was changed. Send the request without the " +
					"header to write unconditionally.",
			}
		}
	}
	return nil
}

// Versions returns the versions of which a request with If-Match demands one (RFC 9110 section
// 13.1.1). It returns none without the header and for "*", which only demands that the record
// exists. Tags that no record has, including weak ones, match no version, which is -1.
func Versions(r *http.Request) ([]int64, error) {
	text := strings.TrimSpace(strings.Join(r.Header.Values("If-Match"), ","))
	if text == "*" || text == "" && len(r.Header.Values("If-Match")) == 0 {
		return nil, nil
	}
	var versions []int64
	for rest := text; ; {
		rest = strings.TrimLeft(rest, ", \t")
		if rest == "" {
			break
		}
		opaque, weak := strings.CutPrefix(rest, "W/")
		opaque, quoted := strings.CutPrefix(opaque, `"`)
		tag, after, closed := strings.Cut(opaque, `"`)
		after = strings.TrimLeft(after, " \t")
		if !quoted || !closed || after != "" && after[0] != ',' {
			versions = nil
			break
		}
		rest = after
		version, err := strconv.ParseInt(tag, 10, 64)
		if err != nil || version < 0 || weak {
			version = -1
		}
		versions = append(versions, version)
	}
	if len(versions) == 0 || len(versions) > maxTags {
		return nil, problem.Invalid("If-Match", `must be 1 to %d entity tags as ETag gives them, such as `+
			`"1763880000000000", or *`, maxTags)
	}
	return versions, nil
}

// maxTags is how many entity tags If-Match may list.
const maxTags = 100

// ETag is the entity tag of a version.
func ETag(version int64) string { return strconv.Quote(strconv.FormatInt(version, 10)) }

// RefuseConditional refuses conditional writes before they reach next, which observes the supported
// headers itself.
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

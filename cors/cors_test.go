package cors_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/cors"
)

const pageOrigin = "https://page.example"

func serve(
	t *testing.T,
	policy *cors.Policy,
	method, origin, requestMethod string,
) (w *httptest.ResponseRecorder, reached bool) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if requestMethod != "" {
		r.Header.Set("Access-Control-Request-Method", requestMethod)
	}
	w = httptest.NewRecorder()
	policy.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })).ServeHTTP(w, r)
	return w, reached
}

func TestAllowedOriginPerSurface(t *testing.T) {
	t.Parallel()
	onlyPage := cors.MCP(func(origin string) bool { return origin == pageOrigin })
	for name, test := range map[string]struct {
		policy       *cors.Policy
		origin, want string
	}{
		"REST, any origin":    {cors.REST(), pageOrigin, "*"},
		"REST, no origin":     {cors.REST(), "", ""},
		"OAuth, any origin":   {cors.OAuth(), pageOrigin, "*"},
		"OAuth, no origin":    {cors.OAuth(), "", "*"},
		"MCP, allowed origin": {onlyPage, pageOrigin, pageOrigin},
		"MCP, other origin":   {onlyPage, "https://other.example", ""},
		"MCP, no origin":      {onlyPage, "", ""},
	} {
		w, reached := serve(t, test.policy, http.MethodGet, test.origin, "")
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != test.want || !reached {
			t.Errorf("%s: Access-Control-Allow-Origin %q, want %q; handler reached: %t", name, got, test.want, reached)
		}
		if w.Header().Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: cookies are allowed", name)
		}
		if varies := w.Header().Get("Vary") == "Origin"; varies != strings.HasPrefix(name, "MCP") {
			t.Errorf("%s: Vary %q", name, w.Header().Get("Vary"))
		}
	}
}

// Pages of other origins may send every header that the REST interface reads.
func TestPagesSendTheHeadersOfREST(t *testing.T) {
	t.Parallel()
	w, _ := serve(t, cors.REST(), http.MethodOptions, pageOrigin, http.MethodPatch)
	allowed := strings.Split(w.Header().Get("Access-Control-Allow-Headers"), ", ")
	for _, name := range []string{"Authorization", "Content-Type", "Idempotency-Key", "Change-Set", "If-Match"} {
		if !slices.Contains(allowed, name) {
			t.Errorf("%s is not among %q", name, allowed)
		}
	}
}

func TestPreflightIsAnsweredWithoutTheHandler(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]*cors.Policy{
		"REST": cors.REST(), "OAuth": cors.OAuth(), "MCP": cors.MCP(func(string) bool { return true }),
	} {
		w, reached := serve(t, policy, http.MethodOptions, pageOrigin, http.MethodPost)
		h := w.Header()
		if reached || w.Code != http.StatusNoContent ||
			!strings.Contains(h.Get("Access-Control-Allow-Methods"), http.MethodPost) ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") ||
			h.Get("Access-Control-Max-Age") == "" {
			t.Errorf("%s: %d %v, handler reached: %t", name, w.Code, h, reached)
		}
		if _, reached := serve(t, policy, http.MethodOptions, pageOrigin, ""); !reached {
			t.Errorf("%s: an OPTIONS request that is not a preflight does not reach the handler", name)
		}
	}
}

package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	s := rowhousetest.Start(t)
	ask := func(method, path string, headers ...string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.BaseURL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
	problem := func(name string, want int, response *http.Response, body string) {
		t.Helper()
		var p struct {
			Status                  int
			Type, Code, RequestID   string
			Title, Detail, Instance string
		}
		if response.StatusCode != want || response.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s %.200s", name, response.StatusCode, response.Header.Get("Content-Type"), body)
			return
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil || p.Status != want || p.Detail == "" || p.RequestID == "" ||
			p.RequestID != response.Header.Get("X-Request-Id") {
			t.Errorf("%s: %v %s", name, err, body)
		}
	}
	for _, path := range []string{
		"/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2", "/api/v2/me", "/mcp/more", "/mcp/sse",
		"/oauth", "/oauth/nothing", "/.well-known", "/.well-known/nothing", "/.well-known/security.txt", "/llms.txt", "/nothing",
		"/account/api/nothing", "/account/api/apps/x/y", "/static/nothing.css", "/assets/gone.js", "/files/nothing",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions} {
			if (path == "/files/nothing" || strings.HasPrefix(path, "/assets") || strings.HasPrefix(path, "/account")) && method != http.MethodGet {
				continue // a path below these is known; sessions are asked for first
			}
			if strings.HasPrefix(path, "/.well-known/") && method == http.MethodOptions {
				continue // asked for by pages of other origins
			}
			response, body := ask(method, path)
			problem(method+" "+path, http.StatusNotFound, response, body)
		}
		if response, body := ask(http.MethodHead, path); response.StatusCode != http.StatusNotFound || body != "" {
			t.Errorf("HEAD %s: %d %q", path, response.StatusCode, body)
		}
	}
	for path, allow := range map[string]string{
		"/api/v1/me": "GET, HEAD, OPTIONS", "/api/v1/orgs": "GET, HEAD, POST, OPTIONS", "/mcp": "POST, OPTIONS", "/mcp/": "POST, OPTIONS",
		"/healthz": "GET, HEAD, OPTIONS", "/oauth/token": "OPTIONS, POST", "/oauth/jwks": "GET, HEAD, OPTIONS",
		"/oauth/authorize": "GET, HEAD, OPTIONS", "/account/api/apps": "DELETE, GET, HEAD, OPTIONS", "/docs": "GET, HEAD, OPTIONS",
		"/settings": "GET, HEAD, OPTIONS", "/static/page.css": "GET, HEAD, OPTIONS", "/sign-in": "GET, HEAD, POST, OPTIONS",
		"/share/shr_nothing": "GET, HEAD, OPTIONS", "/files/nothing": "GET, HEAD, OPTIONS",
	} {
		response, body := ask(http.MethodOptions, path)
		if response.StatusCode != http.StatusNoContent || body != "" {
			t.Errorf("OPTIONS %s: %d %s", path, response.StatusCode, body)
		}
		if cors := strings.HasPrefix(path, "/oauth/token") || path == "/oauth/jwks"; !cors && response.Header.Get("Allow") != allow {
			t.Errorf("OPTIONS %s: Allow %q, not %q", path, response.Header.Get("Allow"), allow)
		}
		if strings.HasPrefix(path, "/mcp") { // asks for the credential first
			continue
		}
		response, body = ask(http.MethodPut, path)
		if response.Header.Get("Allow") != allow {
			t.Errorf("PUT %s: Allow %q, not %q", path, response.Header.Get("Allow"), allow)
		}
		if path == "/sign-in" { // a page for people
			if response.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("PUT %s: %d %s", path, response.StatusCode, body)
			}
			continue
		}
		problem("PUT "+path, http.StatusMethodNotAllowed, response, body)
	}
	for _, path := range []string{"/healthz", "/sign-in", "/static/page.css", "/.well-known/oauth-authorization-server"} {
		if response, body := ask(http.MethodHead, path); response.StatusCode != http.StatusOK || body != "" {
			t.Errorf("HEAD %s: %d %q", path, response.StatusCode, body)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		one, text := ask(method, "/mcp")
		other, same := ask(method, "/mcp/")
		strip := func(r *http.Response, body string) string {
			return strings.ReplaceAll(body, r.Header.Get("X-Request-Id"), "")
		}
		if one.StatusCode != http.StatusUnauthorized || other.StatusCode != one.StatusCode || strip(one, text) != strip(other, same) {
			t.Errorf("%s: /mcp %d %s, /mcp/ %d %s", method, one.StatusCode, text, other.StatusCode, same)
		}
	}
	long, body := ask(http.MethodGet, "/api/v1/bases?x="+strings.Repeat("x", 64<<10))
	problem("a long address", http.StatusRequestHeaderFieldsTooLarge, long, body)
}

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
		return send(t, method, s.BaseURL+path, "", headers...)
	}
	problem := func(name string, want int, response *http.Response, body string) {
		t.Helper()
		wantProblem(t, name, want, response, body)
	}
	for _, path := range []string{
		"/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2", "/api/v2/me", "/mcp/more", "/mcp/sse",
		"/oauth", "/oauth/nothing", "/.well-known", "/.well-known/nothing", "/.well-known/security.txt", "/llms.txt",
		"/nothing", "/account/api/nothing", "/account/api/apps/x/y", "/static/nothing.css", "/assets/gone.js",
		"/files/nothing",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions} {
			if (path == "/files/nothing" || strings.HasPrefix(path, "/assets") ||
				strings.HasPrefix(path, "/account")) && method != http.MethodGet {
				continue // a path below these may exist; the session is checked first
			}
			response, body := ask(method, path)
			problem(method+" "+path, http.StatusNotFound, response, body)
		}
		if response, body := ask(http.MethodHead, path); response.StatusCode != http.StatusNotFound || body != "" {
			t.Errorf("HEAD %s: %d %q", path, response.StatusCode, body)
		}
	}
	for path, allow := range map[string]string{
		"/api/v1/me":         "GET, HEAD, OPTIONS",
		"/api/v1/orgs":       "GET, HEAD, POST, OPTIONS",
		"/mcp":               "POST, OPTIONS",
		"/mcp/":              "POST, OPTIONS",
		"/healthz":           "GET, HEAD, OPTIONS",
		"/oauth/token":       "POST, OPTIONS",
		"/oauth/jwks":        "GET, HEAD, OPTIONS",
		"/oauth/authorize":   "GET, HEAD, OPTIONS",
		"/account/api/apps":  "DELETE, GET, HEAD, OPTIONS",
		"/docs":              "GET, HEAD, OPTIONS",
		"/settings":          "GET, HEAD, OPTIONS",
		"/static/page.css":   "GET, HEAD, OPTIONS",
		"/sign-in":           "GET, HEAD, POST, OPTIONS",
		"/share/shr_nothing": "GET, HEAD, POST, OPTIONS",
		"/files/nothing":     "GET, HEAD, OPTIONS",
	} {
		response, body := ask(http.MethodOptions, path)
		if response.StatusCode != http.StatusNoContent || body != "" {
			t.Errorf("OPTIONS %s: %d %s", path, response.StatusCode, body)
		}
		if response.Header.Get("Allow") != allow {
			t.Errorf("OPTIONS %s: Allow %q, not %q", path, response.Header.Get("Allow"), allow)
		}
		if strings.HasPrefix(path, "/mcp") { // it checks the credential first
			continue
		}
		response, body = ask(http.MethodPut, path)
		if response.Header.Get("Allow") != allow {
			t.Errorf("PUT %s: Allow %q, not %q", path, response.Header.Get("Allow"), allow)
		}
		if path == "/sign-in" { // it responds with a page
			if response.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("PUT %s: %d %s", path, response.StatusCode, body)
			}
			continue
		}
		problem("PUT "+path, http.StatusMethodNotAllowed, response, body)
	}
	for _, path := range []string{
		"/healthz", "/sign-in", "/static/page.css", "/.well-known/oauth-authorization-server",
	} {
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
		if one.StatusCode != http.StatusUnauthorized || other.StatusCode != one.StatusCode ||
			strip(one, text) != strip(other, same) {
			t.Errorf("%s: /mcp %d %s, /mcp/ %d %s", method, one.StatusCode, text, other.StatusCode, same)
		}
	}
}

func TestOversizedHeadersGiveProblemOnEverySurface(t *testing.T) {
	t.Parallel()
	s := rowhousetest.Start(t)
	for _, path := range []string{
		"/api/v1/bases", "/mcp", "/oauth/token", "/oauth/authorize", "/device",
		"/.well-known/oauth-authorization-server",
		"/account/api/keys", "/account/api/apps", "/sign-in", "/static/page.css", "/assets/app.js", "/share/shr_x",
		"/files/x/y", "/healthz", "/docs", "/",
	} {
		response, body := send(t, http.MethodGet, s.BaseURL+path+"?x="+strings.Repeat("x", 64<<10), "")
		wantProblem(t, "long URL "+path, http.StatusRequestHeaderFieldsTooLarge, response, body)
		response, body = send(t, http.MethodGet, s.BaseURL+path, "", "X-Filler", strings.Repeat("x", 64<<10))
		wantProblem(t, "large header "+path, http.StatusRequestHeaderFieldsTooLarge, response, body)
	}
}

func TestOversizedBodiesGive413OnEverySurface(t *testing.T) {
	t.Parallel()
	s := rowhousetest.Start(t)
	owner := rowhousetest.SignUp(t, s.BaseURL, "Ola", "Ola")
	key := owner.Mint("data:read", "data:write", "schema:read", "schema:write", "mcp:tools")
	const form, json = "application/x-www-form-urlencoded", "application/json"
	large := strings.Repeat("x", 7<<20)
	for _, test := range []struct{ path, contentType, want string }{
		{"/api/v1/bases", json, "problem"},
		{"/api/v1/tables/tbl_x/uploads?name=x", "text/plain", "problem"},
		{"/mcp", json, "problem"},
		{"/account/api/keys", json, "problem"},
		{"/oauth/token", form, "oauth"}, // RFC 6749 section 5.2 and RFC 7591 section 3.2.2 define the body
		{"/oauth/revoke", form, "oauth"},
		{"/oauth/introspect", form, "oauth"},
		{"/oauth/device_authorization", form, "oauth"},
		{"/oauth/register", json, "oauth"},
		{"/oauth/consent", form, "page"},
		{"/sign-in", form, "page"},
		{"/sign-up", form, "page"},
		{"/forgot-password", form, "page"},
		{"/reset-password", form, "page"},
	} {
		content := large
		if test.contentType == json {
			content = `{"name":"` + large
		}
		if strings.Contains(test.path, "/uploads") {
			content = strings.Repeat("x", 26<<20)
		}
		response, body := send(t, http.MethodPost, s.BaseURL+test.path, content, "Content-Type", test.contentType,
			"X-Api-Key", keyFor(test.path, key), "Cookie", owner.Cookie(), "Origin", s.BaseURL, "Sec-Fetch-Site",
			"same-origin", "Accept", "application/json, text/event-stream")
		switch test.want {
		case "problem":
			wantProblem(t, test.path, http.StatusRequestEntityTooLarge, response, body)
		case "oauth":
			if response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, `"error"`) ||
				response.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s: %d %v %.300s", test.path, response.StatusCode, response.Header, body)
			}
		default:
			if response.StatusCode != http.StatusRequestEntityTooLarge ||
				!strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") ||
				response.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s: %d %v %.300s", test.path, response.StatusCode, response.Header, body)
			}
		}
	}
}

// keyFor returns the API key for the paths that accept one; the others use the session.
func keyFor(path, key string) string {
	if strings.HasPrefix(path, "/api/") || path == "/mcp" {
		return key
	}
	return ""
}

// send sends a request and returns the response and its body. Empty headers are left out.
func send(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %.80s: %v", method, url, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %.80s: %v", method, url, err)
	}
	return response, string(text)
}

// wantProblem fails unless the response is a complete problem with the status.
func wantProblem(t *testing.T, name string, want int, response *http.Response, body string) {
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

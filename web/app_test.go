package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func testApp() http.Handler {
	return &app{root: fstest.MapFS{
		"index.html":            {Data: []byte("<!doctype html>page")},
		"base.html":             {Data: []byte("<!doctype html>page of a base")},
		"docs.html":             {Data: []byte("<!doctype html>reference")},
		"assets/app-1234.js":    {Data: []byte("plain")},
		"assets/app-1234.js.br": {Data: []byte("brotli")},
		"assets/app-1234.js.gz": {Data: []byte("gzip")},
	}}
}

func request(t *testing.T, handler http.Handler, method, target, encoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	if encoding != "" {
		r.Header.Set("Accept-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, response *http.Response) string {
	t.Helper()
	defer func() { _ = response.Body.Close() }()
	var text strings.Builder
	buffer := make([]byte, 512)
	for {
		n, err := response.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return text.String()
		}
	}
}

func TestAppRoutesServePageWithStrictCSP(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/", "/base/bas_1/tbl_1?view=viw_1", "/settings/keys", "/org/org_1", "/inbox"} {
		response := request(t, testApp(), http.MethodGet, target, "")
		if got := body(t, response); response.StatusCode != http.StatusOK || !strings.Contains(got, "page") {
			t.Errorf("%s: status %d, body %q", target, response.StatusCode, got)
		}
		policy := response.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", target, policy)
		}
		if got := response.Header.Get("Cache-Control"); got != "no-cache" {
			t.Errorf("%s: Cache-Control %q", target, got)
		}
	}
}

func TestBaseRouteServesPreloadingPage(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/base/bas_1":    "page of a base",
		"/":              "<!doctype html>page",
		"/settings/keys": "<!doctype html>page",
	} {
		if got := body(t, request(t, testApp(), http.MethodGet, target, "")); !strings.HasSuffix(got, want) {
			t.Errorf("%s: got %q, want %q", target, got, want)
		}
	}
}

func TestHashedFilesAreImmutableAndCompressed(t *testing.T) {
	t.Parallel()
	for encoding, want := range map[string]string{
		"": "plain", "gzip": "gzip", "gzip, br": "brotli", "br;q=0, gzip;q=0.5": "gzip", "identity": "plain",
	} {
		response := request(t, testApp(), http.MethodGet, "/assets/app-1234.js", encoding)
		if got := body(t, response); got != want {
			t.Errorf("Accept-Encoding %q: got %q, want %q", encoding, got, want)
		}
		if got := response.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("Cache-Control %q", got)
		}
		if got := response.Header.Get("Content-Type"); !strings.Contains(got, "javascript") {
			t.Errorf("Content-Type %q", got)
		}
	}
}

func TestMissingAssetIsNotFoundAndNotCached(t *testing.T) {
	t.Parallel()
	response := request(t, testApp(), http.MethodGet, "/assets/../../app.go", "")
	_ = body(t, response)
	if response.StatusCode == http.StatusOK && strings.Contains(response.Header.Get("Cache-Control"), "immutable") {
		t.Error("a path outside the folder was served")
	}
	response = request(t, testApp(), http.MethodGet, "/assets/gone.js", "")
	_ = body(t, response)
	if response.StatusCode != http.StatusNotFound || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("status %d, Cache-Control %q", response.StatusCode, response.Header.Get("Cache-Control"))
	}
}

func TestAppAllowsOnlyGetAndHead(t *testing.T) {
	t.Parallel()
	response := request(t, testApp(), http.MethodPost, "/base/bas_1", "")
	_ = body(t, response)
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("status %d", response.StatusCode)
	}
}

func TestBinaryWithoutAppSaysHowToBuildIt(t *testing.T) {
	t.Parallel()
	response := request(t, &app{root: fstest.MapFS{}}, http.MethodGet, "/", "")
	if got := body(t, response); response.StatusCode != http.StatusServiceUnavailable ||
		!strings.Contains(got, "make build") {
		t.Errorf("status %d, body %q", response.StatusCode, got)
	}
}

func TestUnknownAppPathIsNotFound(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"/llms.txt", "/nothing", "/base", "/base/bas_1/tbl_1/more", "/org", "/settings/nothing", "/index.html",
		"/wp-login.php",
	} {
		response := request(t, testApp(), http.MethodGet, target, "")
		if got := body(t, response); response.StatusCode != http.StatusNotFound ||
			!strings.Contains(got, `"no_such_path"`) ||
			response.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s for a program: %d %s", target, response.StatusCode, got)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		r.Header.Set("Accept", "text/html,*/*")
		r.Header.Set("Range", "bytes=0-3")
		w := httptest.NewRecorder()
		testApp().ServeHTTP(w, r)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "<!doctype html>page") {
			t.Errorf("%s for a person: %d %s", target, w.Code, w.Body)
		}
		if response := request(t, testApp(), http.MethodPost, target, ""); response.StatusCode != http.StatusNotFound {
			t.Errorf("POST %s: %d", target, response.StatusCode)
		}
	}
	options := request(t, testApp(), http.MethodOptions, "/base/bas_1", "")
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS: %d %q", options.StatusCode, options.Header.Get("Allow"))
	}
}

// The server's list of paths has to match the application's router.
func TestEveryRouterPathIsServed(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("app/src/router.tsx")
	if err != nil {
		t.Fatal(err)
	}
	var parent string
	for _, match := range regexp.MustCompile(`path: "([^"]+)"`).FindAllStringSubmatch(string(source), -1) {
		at := match[1]
		if regexp.MustCompile(`^/(base|org|settings|inbox)\b`).MatchString(at) {
			parent, at = at, ""
		}
		full := strings.TrimSuffix(parent+at, "/")
		if full == "" {
			full = "/"
		}
		full = strings.NewReplacer("$baseId", "bas_1", "$tableId", "tbl_1", "$orgId", "org_1").Replace(full)
		if !appRoute.MatchString(full) {
			t.Errorf("the service does not serve the router's path %s", full)
		}
	}
	if parent == "" {
		t.Error("no path was read")
	}
}

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rowhouse/rowhouse/telemetry"
)

// paths has one path of every surface.
var paths = []string{
	"/api/v1/me", "/mcp", "/oauth/token", "/.well-known/oauth-authorization-server", "/account", "/account/api/keys",
	"/sign-in", "/static/page.css", "/assets/app.js", "/share/shr_x", "/share/shr_x/base", "/files/x/y", "/docs",
	"/base/bas_x", "/healthz", "/nothing",
}

func TestPanicIsProblemWithRequestIDOnEverySurface(t *testing.T) {
	t.Parallel()
	tracer, err := telemetry.NewTracer(t.Context(), telemetry.Tracing{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{metrics: telemetry.NewMetrics("test"), tracer: tracer, log: silent()}
	server := httptest.NewServer(s.withMiddleware("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", "7")
		w.Header().Set("Etag", `"1"`)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		panic("secret detail")
	})))
	t.Cleanup(server.Close)
	for _, path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
			r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Request-Id", "my-own.1")
			response, err := server.Client().Do(r)
			if err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil || response.StatusCode != http.StatusInternalServerError ||
				response.Header.Get("Content-Type") != "application/problem+json" ||
				response.Header.Get("X-Request-Id") != "my-own.1" ||
				response.Header.Get("Etag") != "" || response.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s: %d %v, %v", method, path, response.StatusCode, response.Header, err)
			}
			if method == http.MethodHead {
				continue
			}
			var problem struct{ Code, Detail, RequestID string }
			if err := json.Unmarshal(body, &problem); err != nil || problem.Code != "internal" ||
				problem.RequestID != "my-own.1" {
				t.Errorf("%s %s: %v in %s", method, path, err, body)
			}
		}
	}
}

func TestPanicAfterResponseHasStartedClosesTheConnection(t *testing.T) {
	t.Parallel()
	tracer, err := telemetry.NewTracer(t.Context(), telemetry.Tracing{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{metrics: telemetry.NewMetrics("test"), tracer: tracer, log: silent()}
	server := httptest.NewServer(s.withMiddleware("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half of a"))
		_ = http.NewResponseController(w).Flush()
		panic("secret detail")
	})))
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err == nil {
		t.Errorf("a client takes a truncated response for a complete one: %q", body)
	}
}

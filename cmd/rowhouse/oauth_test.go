package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAuthorizationServerDiscovery(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	s, err := open(t.Context(), &c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	get := func(path, bearer string) *http.Response {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if bearer != "" {
			r.Header.Set("Authorization", "Bearer "+bearer)
		}
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		return w.Result()
	}
	for bearer, errorName := range map[string]string{"": "", "a.b.c": `error="invalid_token"`} {
		response := get("/api/v1/me", bearer)
		challenge := response.Header.Get("WWW-Authenticate")
		if response.StatusCode != http.StatusUnauthorized ||
			!strings.Contains(challenge, c.BaseURL+"/.well-known/oauth-protected-resource/api/v1") ||
			strings.Contains(challenge, "error=") != (errorName != "") || !strings.Contains(challenge, errorName) {
			t.Errorf("%q: %d %s", bearer, response.StatusCode, challenge)
		}
	}
	for _, path := range []string{
		"/.well-known/oauth-protected-resource/api/v1", "/.well-known/oauth-authorization-server", "/oauth/jwks",
	} {
		if response := get(path, ""); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
	if response := get("/account/api/apps", ""); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("connected apps without a session: %d", response.StatusCode)
	}
}

func TestRotateSigningKeyCommand(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	c.DatabaseURL = tenancytest.FreshDatabaseURL(t)
	s, err := open(t.Context(), &c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	keys := func() int {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/oauth/jwks", nil))
		var set struct{ Keys []any }
		if err := json.Unmarshal(w.Body.Bytes(), &set); err != nil {
			t.Fatal(err)
		}
		return len(set.Keys)
	}
	if got := keys(); got != 2 {
		t.Fatalf("%d keys at first", got)
	}
	rotate := signingKeyRotateCommand{serviceConfig: c}
	if err := rotate.Run(t.Context(), streams{io.Discard, io.Discard}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return keys() == 3 })
	rotate.Discard = true
	var said bytes.Buffer
	if err := rotate.Run(t.Context(), streams{io.Discard, &said}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return keys() == 2 })
	for _, part := range []string{"the next one too", "access token", "Refresh tokens stay good", "SECRET_KEY"} {
		if !strings.Contains(said.String(), part) {
			t.Errorf("%q is not said: %s", part, said.String())
		}
	}
}

func TestMCPOriginsSetting(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	c.BaseURL, c.MCPOrigins = "https://rowhouse.example.com", []string{"https://agent.example.com"}
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for origin, status := range map[string]int{
		"https://agent.example.com":    http.StatusNoContent,
		"https://rowhouse.example.com": http.StatusNoContent,
		"http://agent.example.com":     http.StatusForbidden,
		"https://other.example.com":    http.StatusForbidden,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/mcp", nil)
		r.Host = "rowhouse.example.com"
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if allowed := w.Header().Get("Access-Control-Allow-Origin"); w.Code != status ||
			(status == http.StatusNoContent) != (allowed == origin) {
			t.Errorf("%s: %d, allowed %q", origin, w.Code, allowed)
		}
	}
}

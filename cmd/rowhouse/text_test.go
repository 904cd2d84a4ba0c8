package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// What PostgreSQL cannot store, a NUL or bytes that are not UTF-8, must not become an error of the
// server wherever a stranger sends it. The endpoints of OAuth have a test of their own.
func TestMalformedFormsAndPathsAreNotServerErrors(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	s, err := open(t.Context(), &c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	check := func(where string, r *http.Request) {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable { // which a hash that waits too long is
			t.Errorf("%s: %d %.200s", where, w.Code, w.Body.String())
		}
	}
	forms := map[string][]string{
		"/sign-up": {"name", "email", "password", "organization", "next"}, "/sign-in": {"email", "password", "next"},
		"/forgot-password": {"email"}, "/reset-password": {"token", "password"}, "/verify-email": {"token"},
		"/change-email": {"token", "password"}, "/invitation": {"token", "name", "password"},
	}
	for _, value := range []string{"\x00", "a\x00b@example.com", "\xff", "a\xff@example.com"} {
		for path, names := range forms {
			for _, name := range names {
				values := url.Values{
					"name":         {"Ada"},
					"email":        {strings.ToLower(t.Name()) + "@example.com"},
					"password":     {"a password of some length"},
					"organization": {"Ada"},
					"token":        {"x"},
				}
				values.Set(name, value)
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path,
					strings.NewReader(values.Encode()))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				check(path+" "+name, r)
			}
			check(path, httptest.NewRequestWithContext(t.Context(), http.MethodGet,
				path+"?token="+url.QueryEscape(value)+"&next="+url.QueryEscape(value), nil))
		}
		for _, path := range []string{
			"/share/", "/files/", "/files/x/", "/static/", "/api/v1/bases/", "/account/api/keys/", "/base/",
			"/account/api/apps/",
		} {
			check(path, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+url.PathEscape(value), nil))
		}
		for _, header := range []string{
			"Authorization", "x-api-key", "Cookie", "X-Request-Id", "Accept", "Idempotency-Key",
		} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/me", nil)
			r.Header.Set(header, "Bearer "+value)
			check(header, r)
		}
	}
}

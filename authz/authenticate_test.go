package authz_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// verifier knows one secret of the kind that its prefix names.
type verifier struct{ prefix string }

func (v verifier) Verify(_ context.Context, secret string) (*authz.Principal, error) {
	if !strings.HasPrefix(secret, v.prefix) {
		return nil, nil
	}
	if secret != v.prefix+"good" {
		return nil, problem.Unauthenticated("unknown")
	}
	return &authz.Principal{Credential: v.prefix, Person: uuid.New()}, nil
}

type sessions struct{}

func (sessions) VerifySession(r *http.Request) (*authz.Principal, error) {
	cookie, err := r.Cookie("session")
	if err != nil {
		return nil, nil
	}
	if cookie.Value != "good" {
		return nil, problem.Unauthenticated("ended")
	}
	return &authz.Principal{Credential: "session", Person: uuid.New()}, nil
}

func TestGateAcceptsExactlyOneCredential(t *testing.T) {
	t.Parallel()
	const good = "session=good"
	cases := []struct {
		name    string
		method  string
		target  string
		headers map[string]string
		want    string // the credential that is let through, or the kind of the refusal
	}{
		{"nothing", "GET", "/", nil, "unauthenticated"},
		{"a key", "GET", "/", map[string]string{"X-API-Key": "key_good"}, "key_"},
		{"a key as bearer", "GET", "/", map[string]string{"Authorization": "Bearer key_good"}, "key_"},
		{"the scheme in any case", "GET", "/", map[string]string{"Authorization": "bEARER  key_good"}, "key_"},
		{"a token", "POST", "/", map[string]string{"Authorization": "Bearer token_good"}, "token_"},
		{"a wrong key", "GET", "/", map[string]string{"X-API-Key": "key_bad"}, "unauthenticated"},
		{
			"a wrong key does not fall back to the session", "GET", "/",
			map[string]string{"X-API-Key": "key_bad", "Cookie": good},
			"unauthenticated",
		},
		{"an unknown kind", "GET", "/", map[string]string{"X-API-Key": "other"}, "unauthenticated"},
		{
			"both, the same", "GET", "/",
			map[string]string{"X-API-Key": "key_good", "Authorization": "Bearer key_good"},
			"key_",
		},
		{
			"both, different", "GET", "/",
			map[string]string{"X-API-Key": "key_good", "Authorization": "Bearer token_good"},
			"invalid",
		},
		{"an empty key", "GET", "/", map[string]string{"X-API-Key": " ", "Cookie": good}, "unauthenticated"},
		{"another scheme", "GET", "/", map[string]string{"Authorization": "Basic a2V5Og=="}, "unauthenticated"},
		{
			"another scheme beside a key", "GET", "/",
			map[string]string{"X-API-Key": "key_good", "Authorization": "Basic a2V5Og=="},
			"unauthenticated",
		},
		{
			"an empty bearer", "GET", "/",
			map[string]string{"Authorization": "Bearer ", "Cookie": good},
			"unauthenticated",
		},
		{"in the query", "GET", "/?access_token=key_good", nil, "invalid"},
		{
			"in the query beside a good one", "GET", "/?API_KEY=key_good",
			map[string]string{"X-API-Key": "key_good"},
			"invalid",
		},
		{"in the query, escaped", "GET", "/?a%70i_key=key_good", nil, "invalid"},
		{"other parameters", "GET", "/?token=x&q=key", map[string]string{"X-API-Key": "key_good"}, "key_"},
		{"a session", "GET", "/", map[string]string{"Cookie": good}, "session"},
		{
			"a session from the address bar", "GET", "/",
			map[string]string{"Cookie": good, "Sec-Fetch-Site": "none"},
			"session",
		},
		{
			"a session from an own page", "POST", "/",
			map[string]string{"Cookie": good, "Sec-Fetch-Site": "same-origin"},
			"session",
		},
		{
			"a session from an older browser", "POST", "/",
			map[string]string{"Cookie": good, "Origin": "http://example.com"},
			"session",
		},
		{"an ended session", "GET", "/", map[string]string{"Cookie": "session=bad"}, "unauthenticated"},
		{
			"a session from elsewhere", "GET", "/",
			map[string]string{"Cookie": good, "Sec-Fetch-Site": "cross-site"},
			"unauthenticated",
		},
		{
			"a session from a sibling", "POST", "/",
			map[string]string{"Cookie": good, "Sec-Fetch-Site": "same-site"},
			"unauthenticated",
		},
		{
			"a session from elsewhere in an older browser", "DELETE", "/",
			map[string]string{"Cookie": good, "Origin": "https://evil.example"},
			"forbidden",
		},
		{
			"a key from elsewhere", "POST", "/",
			map[string]string{"X-API-Key": "key_good", "Sec-Fetch-Site": "cross-site", "Origin": "https://app.example"},
			"key_",
		},
	}
	gate := authz.Gate{
		Verifiers: []authz.Verifier{verifier{"key_"}, verifier{"token_"}},
		Sessions:  sessions{},
	}
	for _, c := range cases {
		r := httptest.NewRequestWithContext(t.Context(), c.method, "http://example.com"+c.target, nil)
		for name, value := range c.headers {
			r.Header.Set(name, value)
		}
		var got string
		if p, err := gate.Authenticate(r); err != nil {
			got = string(problem.KindOf(err))
		} else {
			got = p.Credential
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

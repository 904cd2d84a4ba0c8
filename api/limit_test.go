package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestRateLimitedCallerGetsRetryAfter(t *testing.T) {
	t.Parallel()
	limiter := limit.New(nil, limit.Options{})
	t.Cleanup(limiter.Close)
	guard := limit.NewGuard(limit.Policy{Credential: limit.Rate{PerSecond: 0.1, Burst: 2}}, limiter,
		limit.NewBulkhead(limit.BulkheadOptions{}), func(r *http.Request) string { return r.RemoteAddr })
	deps := apitest.Deps(t)
	org, owner := tenancytest.Org(t, deps.DB)
	handler := api.New(api.Options{
		Deps:  deps,
		Limit: guard,
		Authenticate: func(*http.Request) (*authz.Principal, error) {
			return apitest.Principal(owner, org, organization.Owner), nil
		},
	})
	var last *httptest.ResponseRecorder
	for i, want := range []int{200, 200, 429} {
		last = httptest.NewRecorder()
		handler.ServeHTTP(last, httptest.NewRequest(http.MethodGet, api.Prefix+"/orgs", nil))
		if last.Code != want {
			t.Fatalf("request %d: %d, want %d: %s", i+1, last.Code, want, last.Body)
		}
		if last.Header().Get("RateLimit-Policy") == "" || last.Header().Get("RateLimit") == "" {
			t.Errorf("request %d: no RateLimit headers in %v", i+1, last.Header())
		}
	}
	if got := last.Header().Get("Retry-After"); got == "" || got == "0" {
		t.Errorf("Retry-After: %q", got)
	}
}

func TestOrganizationRateLimit(t *testing.T) {
	t.Parallel()
	limiter := limit.New(nil, limit.Options{})
	t.Cleanup(limiter.Close)
	s := apitest.New(t)
	s.Deps.Admission = limit.NewGuard(limit.Policy{Organization: limit.Rate{PerSecond: 0.1, Burst: 1}}, limiter,
		limit.NewBulkhead(limit.BulkheadOptions{}), nil)
	busy, calm := s.Owner(t), s.Owner(t)
	busy.OK("GET", "/orgs/"+busy.Org(), "")
	busy.Refused(http.StatusTooManyRequests, "GET", "/orgs/"+busy.Org(), "", "organization")
	calm.OK("GET", "/orgs/"+calm.Org(), "")
}

// An unreadableBody fails the test if it is read.
type unreadableBody struct{ t *testing.T }

func (e unreadableBody) Read([]byte) (int, error) {
	e.t.Error("the body is read")
	return 0, errors.New("must not be read")
}

func TestOversizedBodyIsRejectedBeforeAuthentication(t *testing.T) {
	t.Parallel()
	handler := api.New(api.Options{Deps: apitest.Deps(t), Authenticate: func(*http.Request) (*authz.Principal, error) {
		t.Error("the credential is looked up")
		return nil, problem.Unauthenticated("No.")
	}})
	request := httptest.NewRequest(http.MethodPost, api.Prefix+"/bases", io.NopCloser(unreadableBody{t}))
	request.ContentLength = 1 << 30
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

func TestBodyOfACallerWithoutTheScopeIsNotRead(t *testing.T) {
	t.Parallel()
	deps := apitest.Deps(t)
	org, owner := tenancytest.Org(t, deps.DB)
	handler := api.New(api.Options{Deps: deps, Authenticate: func(*http.Request) (*authz.Principal, error) {
		principal := apitest.Principal(owner, org, organization.Owner)
		principal.Scopes = []authz.Scope{authz.DataRead}
		return principal, nil
	}})
	request := httptest.NewRequest(http.MethodPost, api.Prefix+"/bases", io.NopCloser(unreadableBody{t}))
	request.ContentLength = 1 << 20
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusForbidden {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

func TestLargeBodiesReleaseBudget(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"T","fields":[{"name":"Text","type":"long_text"}]}`)
	large := `{"fields":{"Text":"` + strings.Repeat("x", 90_000) + `"}}`
	post := func(body io.Reader, announced int64) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			c.URL()+api.Prefix+"/tables/"+table+"/records", body)
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = announced
		request.Header.Set("x-api-key", c.Key())
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode
	}
	for i := range 40 { // together they exceed the budget, so each must release it
		announced := int64(len(large))
		if i%2 == 1 {
			announced = -1
		}
		if got := post(strings.NewReader(large), announced); got != http.StatusOK {
			t.Fatalf("request %d: %d", i, got)
		}
	}
	if got := post(io.LimitReader(infiniteSpaces{}, 6<<20), -1); got != http.StatusRequestEntityTooLarge {
		t.Errorf("6 MB without Content-Length: %d", got)
	}
	// The next body may be in the memory of the rejected one.
	if got := post(strings.NewReader(large), -1); got != http.StatusOK {
		t.Errorf("after a rejected body: %d", got)
	}
}

// infiniteSpaces is an endless source of spaces.
type infiniteSpaces struct{}

func (infiniteSpaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

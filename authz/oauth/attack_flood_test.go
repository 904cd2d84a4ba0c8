package oauth

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/rowhouse/rowhouse/authz/limit"
)

// slow returns a rate whose burst is not replenished while a test runs.
func slow(burst int) limit.Rate { return limit.Rate{PerSecond: 1.0 / 600, Burst: burst} }

func (b *bundle) wantRateLimited(a answer) {
	b.t.Helper()
	b.wantError(a, http.StatusTooManyRequests, "temporarily_unavailable")
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 || wait > 600 {
		b.t.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
	}
}

// Fails without checkRate with Rates.Address in rateLimitedForm and in register.
func TestEndpointsOfClientsAreRateLimitedByAddress(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{limiter: limiter(t), rates: Rates{Address: slow(6)}})
	client := b.newClient() // 1
	code := b.code(client)
	withoutClient := b.form("/oauth/token", url.Values{"grant_type": {"authorization_code"}}) // 2: it counts
	b.wantError(withoutClient, http.StatusBadRequest, "invalid_request")
	invalidForm := b.form("/oauth/token?code=x", url.Values{}) // 3: it counts
	b.wantError(invalidForm, http.StatusBadRequest, "invalid_request")
	b.form("/oauth/revoke", url.Values{"client_id": {client}, "token": {"x"}})                      // 4
	introspection := b.form("/oauth/introspect", url.Values{"client_id": {client}, "token": {"x"}}) // 5
	b.wantError(introspection, http.StatusUnauthorized, "invalid_client")
	if a := b.form("/oauth/token", b.redemption(client, code)); a.status != http.StatusOK { // 6
		t.Fatalf("within the limit: %d %s", a.status, a.text)
	}
	for _, path := range []string{"/oauth/token", "/oauth/revoke", "/oauth/introspect"} {
		b.wantRateLimited(b.form(path, url.Values{"client_id": {client}}))
	}
	b.wantRateLimited(b.registerClient(nil))
	if a := b.request(http.MethodGet, "/oauth/jwks", nil); a.status != http.StatusOK {
		t.Errorf("the key set is limited too: %d", a.status)
	}
}

// Fails without checkRate with Rates.Client in rateLimitedForm, and if the limit is checked after
// the code was redeemed.
func TestRateLimitedClientLosesNoCodeAndAffectsNoOtherClient(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{limiter: limiter(t), rates: Rates{Client: slow(3)}})
	busy, calm := b.newClient(), b.newClient()
	code, other := b.code(busy), b.code(calm)
	for range 3 {
		b.wantError(b.refresh(busy, "no token"), http.StatusBadRequest, "invalid_grant")
	}
	b.wantRateLimited(b.form("/oauth/token", b.redemption(busy, code)))
	b.wantRateLimited(b.form("/oauth/token", url.Values{"grant_type": {"refresh_token"}}, basic(busy, "guess")))
	if a := b.form("/oauth/token", b.redemption(calm, other)); a.status != http.StatusOK {
		t.Errorf("another client at the same address: %d %s", a.status, a.text)
	}
	b.s.rates = Rates{}
	if a := b.form("/oauth/token", b.redemption(busy, code)); a.status != http.StatusOK {
		t.Errorf("the rejected request used up the code: %d %s", a.status, a.text)
	}
}

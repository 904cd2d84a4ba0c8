package oauth

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Attacks against codes and refresh tokens. Each test names the check without which it fails.

// Fails without revoke in codeGrant.revokeReplayed.
func TestReplayedCodeRevokesItsTokenFamily(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	a := b.form("/oauth/token", b.redemption(client, code))
	access, refresh := a.str(t, "access_token"), a.str(t, "refresh_token")
	if !b.accepts(access) {
		t.Fatal("the token is rejected before the replay")
	}
	b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
	if b.accepts(access) {
		t.Error("the access token is valid after the replay of its code")
	}
	b.wantError(b.refresh(client, refresh), 400, "invalid_grant")
}

// parallel runs n calls concurrently and returns their results.
func parallel[T any](n int, call func(i int) T) []T {
	results := make([]T, n)
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range n {
		done.Go(func() {
			start.Wait()
			results[i] = call(i)
		})
	}
	start.Done()
	done.Wait()
	return results
}

// Fails without "redeemed_at is null" in grantStore.redeem.
func TestConcurrentRedemptionsOfOneCodeSucceedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for round := range 12 {
		code := b.code(client)
		won := 0
		for _, a := range parallel(32, func(int) answer { return b.form("/oauth/token", b.redemption(client, code)) }) {
			switch {
			case a.status == http.StatusOK:
				won++
				if b.accepts(a.str(t, "access_token")) {
					t.Errorf("round %d: the family is valid although its code was replayed", round)
				}
			case a.status != http.StatusBadRequest || a.str(t, "error") != "invalid_grant":
				t.Fatalf("round %d: %d %s", round, a.status, a.text)
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d redemptions succeeded", round, won)
		}
	}
}

// Fails without code_expires in codeGrant and in grantStore.redeem, both.
func TestCodeExpiresAfterOneMinute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	b.advance(codeLife + time.Second)
	b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
}

// Fails without the retry window in refreshGrant.status, and without revoke in
// refreshGrant.revokeReplayed.
func TestReplayedRefreshTokenRevokesItsFamilyEvenDaysLater(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wait      time.Duration
		rotations int
	}{
		"past the retry window": {retryWindow + time.Second, 1},
		"its successor used":    {0, 2},
		"days later":            {9 * 24 * time.Hour, 1},
		"weeks and generations": {20 * 24 * time.Hour, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			client := b.newClient()
			_, first := b.tokens(client)
			live := first
			var access string
			for range c.rotations {
				a := b.refresh(client, live)
				live, access = a.str(t, "refresh_token"), a.str(t, "access_token")
			}
			b.advance(c.wait)
			b.wantError(b.refresh(client, first), 400, "invalid_grant")
			b.wantError(b.refresh(client, live), 400, "invalid_grant")
			if b.accepts(access) {
				t.Error("the access token is still valid")
			}
		})
	}
}

// Fails without the retried case in refreshGrant.status.
func TestRefreshRetryWithinThirtySecondsReturnsTheSameSuccessor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	_, first := b.tokens(client)
	once, twice := b.refresh(client, first), b.refresh(client, first)
	if once.status != http.StatusOK || twice.status != http.StatusOK ||
		once.str(t, "refresh_token") != twice.str(t, "refresh_token") {
		t.Fatalf("%s and %s", once.text, twice.text)
	}
	b.advance(retryWindow - time.Second)
	if again := b.refresh(client, first); again.str(t, "refresh_token") != once.str(t, "refresh_token") {
		t.Fatal(again.text)
	}
	if a := b.refresh(client, once.str(t, "refresh_token")); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
}

// Fails without the condition on refresh_hash in grantStore.rotate.
func TestConcurrentRefreshesLeaveOneCurrentToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	_, live := b.tokens(client)
	for round := range 20 {
		next := map[string]bool{}
		for _, a := range parallel(16, func(int) answer { return b.refresh(client, live) }) {
			if a.status != http.StatusOK {
				t.Fatalf("round %d: %d %s", round, a.status, a.text)
			}
			next[a.str(t, "refresh_token")] = true
		}
		if len(next) != 1 {
			t.Fatalf("round %d: %d different tokens", round, len(next))
		}
		for token := range next {
			live = token
		}
	}
	if a := b.refresh(client, live); a.status != http.StatusOK {
		t.Fatalf("the remaining token is not valid: %s", a.text)
	}
}

// Fails without "revoked_at is null" in grantStore.rotate and "refresh_hash = null" in
// grantStore.revoke, both.
func TestRevocationDuringRefreshesRevokesEveryToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for round := range 15 {
		_, live := b.tokens(client)
		answers := parallel(8, func(i int) answer {
			if i == 3 {
				return b.form("/oauth/revoke", url.Values{"client_id": {client}, "token": {live}})
			}
			return b.refresh(client, live)
		})
		for i, a := range answers {
			if a.status >= 500 {
				t.Fatalf("round %d: %d %s", round, a.status, a.text)
			}
			if i != 3 && a.status == http.StatusOK {
				if b.accepts(a.str(t, "access_token")) {
					t.Fatalf("round %d: an access token is still valid", round)
				}
				b.wantError(b.refresh(client, a.str(t, "refresh_token")), 400, "invalid_grant")
			}
		}
	}
}

// Fails without refresh_until in refreshGrant and in grantStore.rotate, both; and expires_at in
// grant.isLive and there, both.
func TestRefreshTokenExpiresWhenIdleAndWithItsFamily(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	_, idle := b.tokens(client)
	b.advance(refreshIdle + time.Minute)
	b.wantError(b.refresh(client, idle), 400, "invalid_grant")
	_, live := b.tokens(client)
	for range 4 {
		b.advance(20 * 24 * time.Hour)
		a := b.refresh(client, live)
		if a.status != http.StatusOK {
			t.Fatal(a.text)
		}
		live = a.str(t, "refresh_token")
	}
	b.advance(11 * 24 * time.Hour)
	b.wantError(b.refresh(client, live), 400, "invalid_grant")
}

// Fails without the comparison of redirect_uri in codeGrant.
func TestTokenEndpointRequiresTheRedirectURIOfTheAuthorizationRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	for _, uri := range []string{b.callback + "/", "https://evil.example/callback", strings.ToUpper(b.callback)} {
		form := b.redemption(client, code)
		form.Set("redirect_uri", uri)
		b.wantError(b.form("/oauth/token", form), 400, "invalid_grant")
	}
	if a := b.form("/oauth/token", b.redemption(client, code)); a.status != http.StatusOK {
		t.Fatalf("a request that failed validation used the code up: %s", a.text)
	}
}

// Fails without the check of code_challenge and its method in validate.
func TestPKCEWithS256IsRequired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string]func(url.Values){
		"missing":       func(q url.Values) { q.Del("code_challenge"); q.Del("code_challenge_method") },
		"plain":         func(q url.Values) { q.Set("code_challenge_method", "plain") },
		"no method":     func(q url.Values) { q.Del("code_challenge_method") },
		"unknown":       func(q url.Values) { q.Set("code_challenge_method", "s256") },
		"short":         func(q url.Values) { q.Set("code_challenge", "short") },
		"long":          func(q url.Values) { q.Set("code_challenge", strings.Repeat("a", 44)) },
		"not base64url": func(q url.Values) { q.Set("code_challenge", strings.Repeat("=", 43)) },
	} {
		q := b.authorization(b.newClient())
		change(q)
		to, back := b.authorize(q, "ada").returnLink(t)
		if to != b.callback || back.Get("error") != "invalid_request" || back.Has("code") {
			t.Errorf("%s: sent to %s with %v", name, to, back)
		}
	}
	secret := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_basic"})
	q := b.authorization(secret.str(t, "client_id"))
	q.Del("code_challenge")
	if _, back := b.authorize(q, "ada").returnLink(t); back.Get("error") != "invalid_request" {
		t.Errorf("a confidential client needs no PKCE: %v", back)
	}
}

// Fails without the comparison with CodeChallenge in codeGrant, and without the revocation of the
// code.
func TestWrongCodeVerifierRevokesTheCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	for _, verifier := range []string{"", "short", strings.Repeat("a", 129), strings.Repeat("é", 43)} {
		form := b.redemption(client, code)
		form.Set("code_verifier", verifier)
		b.wantError(b.form("/oauth/token", form), 400, "invalid_request") // malformed: does not revoke the code
	}
	if a := b.form("/oauth/token", b.redemption(client, code)); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	code = b.code(client)
	form := b.redemption(client, code)
	form.Set("code_verifier", strings.Repeat("b", 43))
	b.wantError(b.form("/oauth/token", form), 400, "invalid_grant")
	b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
}

// Fails without the comparisons of Client in codeGrant and refreshGrant.
func TestTokensOfAnotherClientAreRejectedAndRemainUsable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.newClient(), b.newClient()
	code := b.code(ours)
	b.wantError(b.form("/oauth/token", b.redemption(theirs, code)), 400, "invalid_grant")
	a := b.form("/oauth/token", b.redemption(ours, code))
	if a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	refresh := a.str(t, "refresh_token")
	b.wantError(b.refresh(theirs, refresh), 400, "invalid_grant")
	if a = b.refresh(ours, refresh); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	// A replaced token sent by another client must not revoke the family, because a client could
	// then revoke other clients' families.
	b.wantError(b.refresh(theirs, refresh), 400, "invalid_grant")
	if a = b.refresh(ours, a.str(t, "refresh_token")); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
}

// Fails without the MAC check in vault.parseRefresh; anybody who knows the id of a grant could then
// revoke it.
func TestForgedRefreshTokenDoesNotRevokeAFamily(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	_, refresh := b.tokens(client)
	raw, err := base64url.DecodeString(strings.TrimPrefix(refresh, refreshPrefix))
	if err != nil {
		t.Fatal(err)
	}
	raw[30] ^= 1
	b.wantError(b.refresh(client, refreshPrefix+base64url.EncodeToString(raw)), 400, "invalid_grant")
	if a := b.refresh(client, refresh); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
}

// Fails without the loop over granted scopes in narrowScopes.
func TestRefreshMayNarrowScopesButNotWidenThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	_, refresh := b.tokens(client)
	for _, scope := range []string{"mcp:tools schema:write", "members:manage", "data:read unknown:scope"} {
		form := refreshForm(client, refresh)
		form.Set("scope", scope)
		b.wantError(b.form("/oauth/token", form), 400, "invalid_scope")
	}
	form := refreshForm(client, refresh)
	form.Set("scope", "mcp:tools data:read")
	a := b.form("/oauth/token", form)
	if a.str(t, "scope") != "data:read mcp:tools" {
		t.Fatal(a.text)
	}
	principal, err := b.s.ForMCP().Verify(t.Context(), a.str(t, "access_token"))
	if err != nil || len(principal.Scopes) != 2 {
		t.Fatalf("%v %v", principal, err)
	}
	if a = b.refresh(client, a.str(t, "refresh_token")); a.str(t, "scope") != "data:read data:write mcp:tools" {
		t.Fatal("a narrowed refresh removed scopes permanently: " + a.text)
	}
}

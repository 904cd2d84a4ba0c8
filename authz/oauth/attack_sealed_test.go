package oauth

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Attacks against stored codes and against sealed codes, which are issued for remembered consents
// and not stored.

// rememberedCode returns a code of a remembered consent.
func (b *bundle) rememberedCode(client string) string {
	b.t.Helper()
	b.code(client)
	a := b.authorize(b.authorization(client), "ada")
	_, back := a.location(b.t)
	return back.Get("code")
}

func TestSealedCodeIsSingleUseAndAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.rememberedCode(client)
	if _, ok := b.s.vault.openCode(code); !ok {
		t.Fatalf("not a sealed code: %s", code)
	}
	before := tenancytest.Actions(t, b.db, b.org)
	successes := 0
	var access string
	for _, a := range parallel(16, func(int) answer { return b.form("/oauth/token", b.redemption(client, code)) }) {
		switch a.status {
		case http.StatusOK:
			successes++
			access = a.str(t, "access_token")
		case http.StatusBadRequest:
		default:
			t.Errorf("%d %s", a.status, a.text)
		}
	}
	if successes != 1 {
		t.Fatalf("%d of 16 redemptions succeeded", successes)
	}
	if b.accepts(access) {
		t.Error("a replay did not revoke the family")
	}
	after := tenancytest.Actions(t, b.db, b.org)[len(before):]
	if !slices.Equal(after, []string{"approve_grant", "revoke_grant"}) {
		t.Errorf("on record: %v", after)
	}
}

func TestSealedCodeIsBoundToItsConsentLifetimeAndClient(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.rememberedCode(client)
	other := b.newClient()
	b.code(other)
	b.wantError(b.form("/oauth/token", b.redemption(other, code)), 400, "invalid_grant")
	for _, change := range []string{"x", "A"} {
		b.wantError(b.form("/oauth/token", b.redemption(client, code+change)), 400, "invalid_grant")
	}
	b.wantError(b.form("/oauth/token", b.redemption(client, codePrefix+strings.Repeat("A", 9<<10))), 400,
		"invalid_grant")
	if err := b.s.RevokeApps(t.Context(), b.person); err != nil {
		t.Fatal(err)
	}
	b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")

	code = b.rememberedCode(client)
	b.advance(codeLife + time.Second)
	b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
}

// Regression: a wrong verifier with a redeemed code revoked the family.
func TestWrongVerifierOrRedirectURIDoesNotRevokeAFamily(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, code := range map[string]string{"stored": b.code(client), "sealed": b.rememberedCode(client)} {
		a := b.form("/oauth/token", b.redemption(client, code))
		if a.status != http.StatusOK {
			t.Fatalf("%s: %s", name, a.text)
		}
		access := a.str(t, "access_token")
		wrong := b.redemption(client, code)
		wrong.Set("code_verifier", strings.Repeat("w", 43))
		b.wantError(b.form("/oauth/token", wrong), 400, "invalid_grant")
		wrong = b.redemption(client, code)
		wrong.Set("redirect_uri", "https://client.example/other")
		b.wantError(b.form("/oauth/token", wrong), 400, "invalid_grant")
		if !b.accepts(access) {
			t.Errorf("%s: the family was revoked", name)
		}
		b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
		if b.accepts(access) {
			t.Errorf("%s: a valid replay did not revoke the family", name)
		}
	}
}

// Regression: a code revoked by a wrong verifier was listed as a connected app.
func TestBurnedCodeIsNotListedAsConnectedApp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, code := range map[string]string{"stored": b.code(client), "sealed": b.rememberedCode(client)} {
		wrong := b.redemption(client, code)
		wrong.Set("code_verifier", strings.Repeat("w", 43))
		b.wantError(b.form("/oauth/token", wrong), 400, "invalid_grant")
		if apps, err := b.s.Apps(t.Context(), b.person); err != nil || len(apps) != 0 {
			t.Errorf("%s: %v %v", name, apps, err)
		}
		b.wantError(b.form("/oauth/token", b.redemption(client, code)), 400, "invalid_grant")
	}
}

// Regression: it was required (OAuth 2.1 section 4.1.3 no longer requires it).
func TestRedirectURIIsOptionalAtTheTokenEndpoint(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, code := range map[string]string{"stored": b.code(client), "sealed": b.rememberedCode(client)} {
		form := b.redemption(client, code)
		form.Del("redirect_uri")
		if a := b.form("/oauth/token", form); a.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
}

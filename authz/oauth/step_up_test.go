package oauth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// challengeToken returns the challenge for a request with the token to a path of the MCP server.
func (b *bundle) challengeToken(path, access string, err error) string {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, path, nil)
	r.Header.Set("Authorization", "Bearer "+access)
	h := http.Header{}
	b.s.Challenger(b.s.MCPResource())(h, r, err)
	return h.Get("WWW-Authenticate")
}

// Seen to fail with: a challenge of the needed scopes only, and a refresh that ignores the challenge.
func TestChallengedClientAuthorizesAgainForWhatItHasAndNeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	access, refresh := b.tokens(client)
	missing := (&authz.Principal{}).RequireScope(authz.MCPTools, authz.MembersRead)
	if got := b.challengeToken("/mcp", access, missing); !strings.Contains(got,
		`scope="data:read data:write members:read mcp:tools"`) {
		t.Errorf("the challenge is %s", got)
	}
	// Version 1 of the TypeScript SDK refreshes first, and authorizes only if that fails in a way that it does not
	// know.
	b.wantError(b.refresh(client, refresh), http.StatusBadRequest, "interaction_required")
	if !b.accepts(access) {
		t.Error("the access token was revoked by the rejected refresh")
	}
	// Once only: a client that does not step up goes on with what it has.
	a := b.refresh(client, refresh)
	if a.status != http.StatusOK || a.str(t, "scope") != "data:read data:write mcp:tools" {
		t.Fatalf("%d %s", a.status, a.text)
	}

	// A client that steps up at once is not disturbed when it refreshes later.
	b.challengeToken("/mcp", a.str(t, "access_token"), missing)
	b.advance(2 * stepUpWindow)
	if got := b.refresh(client, a.str(t, "refresh_token")); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.text)
	}
}

func TestChallengeToAnUnknownOrMissingTokenRecordsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	missing := (&authz.Principal{}).RequireScope(authz.MCPTools, authz.DataWrite)
	for _, secret := range []string{"rhk_not-a-token", "a.b.c"} {
		if got := b.challengeToken("/mcp", secret, missing); !strings.Contains(got, `scope="data:write mcp:tools"`) &&
			!strings.Contains(got, `scope="mcp:tools data:write"`) {
			t.Errorf("%s: %s", secret, got)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp/", nil)
	h := http.Header{}
	b.s.Challenger(b.s.MCPResource())(h, r, problem.Unauthenticated("Send a token."))
	if got := h.Get("WWW-Authenticate"); !strings.Contains(got, resourceWellKnown+`/mcp/"`) ||
		!strings.Contains(got, `scope="mcp:tools data:read data:write schema:read schema:write"`) {
		t.Errorf("the challenge at /mcp/ is %s", got)
	}
}

// Clients send these to every server. Seen to fail with: openid as an unknown scope, and audience left to fosite.
func TestScopesOfOpenIDConnectAndAudienceAreIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	q := b.authorization(client)
	q.Set("scope", "openid profile email offline_access")
	q.Set("audience", b.base)
	back := b.consent(q, "ada")
	redemption := b.redemption(client, back.Get("code"))
	redemption.Set("audience", b.base)
	a := b.form("/oauth/token", redemption)
	if a.status != http.StatusOK || a.str(t, "scope") != "data:read data:write schema:read schema:write mcp:tools" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	form := refreshForm(client, a.str(t, "refresh_token"))
	form.Set("scope", "openid")
	form.Set("audience", "api://default")
	if a = b.form("/oauth/token", form); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.text)
	}
}

func TestEachMCPAddressHasItsOwnMetadata(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.s.resources.mcpAddress = func(rest string) ([]authz.Scope, bool) {
		return []authz.Scope{authz.MCPTools, authz.DataRead}, rest == "" || rest == "/" || rest == "/core" ||
			rest == "?toolsets=core"
	}
	for _, rest := range []string{"", "/", "/core", "?toolsets=core"} {
		a := b.request(http.MethodGet, resourceWellKnown+"/mcp"+rest, nil)
		if a.status != http.StatusOK || a.str(t, "resource") != b.base+"/mcp"+rest ||
			a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", rest, a.status, a.text)
		}
		client := b.newClient()
		q := b.authorization(client)
		q.Set("resource", b.base+"/mcp"+rest)
		q.Del("scope")
		redemption := b.redemption(client, b.consent(q, "ada").Get("code"))
		redemption.Set("resource", b.base+"/mcp"+rest)
		token := b.form("/oauth/token", redemption)
		if token.status != http.StatusOK || token.str(t, "scope") != "data:read mcp:tools" ||
			!b.accepts(token.str(t, "access_token")) {
			t.Errorf("%s: %d %s", rest, token.status, token.text)
		}
	}
	for _, rest := range []string{"/nothing", "?toolsets=nothing"} {
		if a := b.request(http.MethodGet, resourceWellKnown+"/mcp"+rest, nil); a.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", rest, a.status, a.text)
		}
		q := b.authorization(b.newClient())
		q.Set("resource", b.base+"/mcp"+rest)
		a := b.authorize(q, "ada")
		_, back := a.returnLink(t)
		if back.Get("error") != "invalid_target" {
			t.Errorf("%s: %v", rest, url.Values(back))
		}
	}
}

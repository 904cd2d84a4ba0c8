package oauth

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAuthorizationCodeFlowRefreshAndRevocation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	back := b.consent(b.authorization(client), "ada")
	if back.Get("state") != "a-long-enough-state" || back.Get("iss") != b.base {
		t.Fatalf("the redirect lacks state or iss: %v", back)
	}
	a := b.form("/oauth/token", b.redemption(client, back.Get("code")))
	if a.status != http.StatusOK || a.str(t, "token_type") != "Bearer" || a.json(t)["expires_in"] != 600.0 ||
		a.str(t, "scope") != "data:read data:write mcp:tools" || a.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("redeeming: %d %s", a.status, a.text)
	}
	access, refresh := a.str(t, "access_token"), a.str(t, "refresh_token")
	principal, err := b.s.ForMCP().Verify(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	want := &authz.Principal{
		Kind: authz.OAuth, Credential: principal.Credential, Person: b.person, ClientID: client,
		Scopes: []authz.Scope{authz.DataRead, authz.DataWrite, authz.MCPTools},
		Orgs:   []authz.Membership{{Org: b.org, Role: organization.Owner, Permissions: 1}}, OneOrg: true,
	}
	if diff := cmp.Diff(want, principal); diff != "" {
		t.Fatal(diff)
	}
	if _, err := id.Parse(id.Grant, principal.Credential); err != nil {
		t.Fatal(err)
	}

	a = b.refresh(client, refresh)
	if a.status != http.StatusOK || a.str(t, "refresh_token") == refresh || !b.accepts(a.str(t, "access_token")) {
		t.Fatalf("refreshing: %d %s", a.status, a.text)
	}
	next := a.str(t, "refresh_token")
	if a := b.form("/oauth/revoke", map[string][]string{
		"client_id": {client},
		"token":     {next},
	}); a.status != http.StatusOK {
		t.Fatalf("revoking: %d %s", a.status, a.text)
	}
	if b.accepts(access) {
		t.Fatal("an access token is valid after its family was revoked")
	}
	b.wantError(b.refresh(client, next), 400, "invalid_grant")
	if got := tenancytest.Actions(t, b.db, b.org); !slices.Equal(
		got, []string{"create_org", "approve_grant", "revoke_grant"},
	) {
		t.Errorf("on record: %v", got)
	}
}

func TestDiscoveryMetadataListsTheEndpoints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, resource := range map[string]string{"": "", "/mcp": "/mcp", "/api/v1": "/api/v1"} {
		a := b.request(http.MethodGet, "/.well-known/oauth-protected-resource"+path, nil)
		if a.str(t, "resource") != b.base+resource || a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Fatalf("%s: %s", path, a.text)
		}
		if servers := a.json(t)["authorization_servers"].([]any); len(servers) != 1 || servers[0] != b.base {
			t.Fatalf("%s: %s", path, a.text)
		}
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		a := b.request(http.MethodGet, path, nil)
		metadata := a.json(t)
		for name, want := range map[string]any{
			"issuer":                           b.base,
			"authorization_endpoint":           b.base + "/oauth/authorize",
			"token_endpoint":                   b.base + "/oauth/token",
			"registration_endpoint":            b.base + "/oauth/register",
			"revocation_endpoint":              b.base + "/oauth/revoke",
			"introspection_endpoint":           b.base + "/oauth/introspect",
			"jwks_uri":                         b.base + "/oauth/jwks",
			"code_challenge_methods_supported": []any{"S256"},
			"device_authorization_endpoint":    b.base + "/oauth/device_authorization",
			"grant_types_supported":            []any{"authorization_code", "refresh_token", deviceGrantType},
			"token_endpoint_auth_methods_supported": []any{
				"none", "client_secret_basic", "client_secret_post", "private_key_jwt",
			},
			"scopes_supported": []any{
				"mcp:tools", "data:read", "data:write", "schema:read", "schema:write",
			},
			"authorization_response_iss_parameter_supported": true,
			"client_id_metadata_document_supported":          true,
		} {
			if diff := cmp.Diff(want, metadata[name]); diff != "" {
				t.Errorf("%s %s: %s", path, name, diff)
			}
		}
	}
}

func TestChallengeNamesMetadataAndRequiredScopes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		challenge Challenge
		want      string
	}{
		{
			Challenge{Resource: b.s.MCPResource()},
			`Bearer resource_metadata="` + b.base +
				`/.well-known/oauth-protected-resource/mcp", ` +
				`scope="mcp:tools data:read data:write schema:read schema:write"`,
		},
		{
			Challenge{Resource: b.s.RESTResource(), Error: "invalid_token", Detail: "a \"b\"\n"},
			`Bearer resource_metadata="` + b.base + `/.well-known/oauth-protected-resource/api/v1", ` +
				`error="invalid_token", error_description="a 'b'", ` +
				`scope="data:read data:write schema:read schema:write"`,
		},
		{
			Challenge{
				Resource: b.s.MCPResource(),
				Error:    "insufficient_scope",
				Scopes:   []authz.Scope{authz.MCPTools, authz.DataWrite},
			},
			`Bearer resource_metadata="` + b.base +
				`/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="mcp:tools data:write"`,
		},
	} {
		if got := b.s.Header(c.challenge); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestAuthorizationRedirectsToSignInAndBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	q := b.authorization(b.newClient())
	to, next := b.authorize(q, "").location(t)
	if to != "/sign-in" || next.Get("next") != "/oauth/authorize?"+q.Encode() {
		t.Fatalf("sent to %s with %v", to, next)
	}
	q.Set("prompt", "none")
	to, back := b.authorize(q, "").returnLink(t)
	if to != b.callback || back.Get("error") != "login_required" || back.Get("iss") != b.base {
		t.Fatalf("sent to %s with %v", to, back)
	}
}

func TestResponseHasNoStateWhenTheClientSentNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, state := range []string{"", "short"} {
		q := b.authorization(b.newClient())
		q.Del("state")
		if state != "" {
			q.Set("state", state)
		}
		back := b.consent(q, "ada")
		if back.Get("state") != state || back.Has("state") != (state != "") || back.Get("code") == "" {
			t.Fatalf("sent back with %v", back)
		}
	}
}

func TestPersonCanNarrowTheScopesOfAGrant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	q := b.authorization(b.newClient())
	q.Set("scope", "mcp:tools data:read data:write members:manage")
	page := b.authorize(q, "ada")
	form := page.inputs(t)
	if diff := cmp.Diff([]string{"data:read", "mcp:tools", "data:write"}, form["scope"]); diff != "" {
		t.Fatalf("members:manage must not be ticked at first: %s", diff)
	}
	form["scope"] = []string{"mcp:tools", "data:read", "schema:write"} // the last one was not requested
	form.Set("decision", "allow")
	_, back := b.form("/oauth/consent", form, as("ada")).location(t)
	a := b.form("/oauth/token", b.redemption(q.Get("client_id"), back.Get("code")))
	if a.str(t, "scope") != "data:read mcp:tools" {
		t.Fatalf("granted %s", a.text)
	}
}

func TestDeniedOrEmptyConsentReturnsAccessDenied(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, change := range []map[string][]string{{"decision": {"deny"}}, {"decision": {"allow"}, "scope": nil}, {}} {
		form := b.authorize(b.authorization(b.newClient()), "ada").inputs(t)
		for name, value := range change {
			form[name] = value
		}
		to, back := b.form("/oauth/consent", form, as("ada")).location(t)
		if to != b.callback || back.Get("error") != "access_denied" || back.Get("iss") != b.base ||
			back.Get("state") == "" {
			t.Fatalf("%v: sent to %s with %v", change, to, back)
		}
	}
}

func TestConsentIsRememberedOnlyForTheSameRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.callback = "http://127.0.0.1:4000/cb"
	client := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_basic"}).str(t, "client_id")
	b.code(client)
	asked := func(change func(q map[string][]string), session string) bool {
		q := b.authorization(client)
		change(q)
		return b.authorize(q, session).status == http.StatusOK
	}
	if asked(func(map[string][]string) {}, "ada") {
		t.Error("consent was requested again for the same request")
	}
	if asked(func(q map[string][]string) { q["redirect_uri"] = []string{"http://127.0.0.1:5555/cb"} }, "ada") {
		t.Error("consent was requested again although only the loopback port differs")
	}
	if !asked(func(q map[string][]string) { q["scope"] = []string{"mcp:tools data:read"} }, "ada") {
		t.Error("no consent was requested for other scopes")
	}
	if !asked(func(q map[string][]string) { q["resource"] = []string{b.base + "/api/v1"} }, "ada") {
		t.Error("no consent was requested for another resource")
	}
	if !asked(func(q map[string][]string) { q["prompt"] = []string{"consent"} }, "ada") {
		t.Error("no consent was requested with prompt=consent")
	}
	other := setupWith(t, options{sharing: b})
	other.sessions.signIn("eve", tenancyPerson(t, b))
	if !asked(func(map[string][]string) {}, "eve") {
		t.Error("no consent was requested from another person")
	}
}

func TestGrantCanBeNarrowedToOneOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second, err := organization.Create(t.Context(), b.db, b.person, "Second")
	if err != nil {
		t.Fatal(err)
	}
	for choice, want := range map[string]int{"all": 2, id.Format(id.Org, second.ID): 1} {
		client := b.newClient()
		form := b.authorize(b.authorization(client), "ada").inputs(t)
		if form.Get("org") != id.Format(id.Org, b.org) {
			t.Fatalf("the first organization is not preselected: %v", form)
		}
		form.Set("org", choice)
		form.Set("decision", "allow")
		_, back := b.form("/oauth/consent", form, as("ada")).location(t)
		access := b.form("/oauth/token", b.redemption(client, back.Get("code"))).str(t, "access_token")
		principal, err := b.s.ForMCP().Verify(t.Context(), access)
		if err != nil || len(principal.Orgs) != want {
			t.Fatalf("%s: access to %v, %v", choice, principal, err)
		}
		if want == 1 && principal.Orgs[0].Org != second.ID {
			t.Fatalf("access to %v", principal.Orgs)
		}
	}
	form := b.authorize(b.authorization(b.newClient()), "ada").inputs(t)
	foreign, _ := newOrg(t, b)
	form.Set("org", id.Format(id.Org, foreign))
	form.Set("decision", "allow")
	if a := b.form("/oauth/consent", form, as("ada")); a.status != http.StatusBadRequest ||
		a.header.Get("Location") != "" {
		t.Fatalf("a foreign organization was accepted: %d %s", a.status, a.header.Get("Location"))
	}
}

// A grant that is named by its id has what its access token had, and nothing once it is revoked.
func TestResolveEndsWithTheGrant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	access, _ := b.tokens(b.newClient())
	p, err := b.s.ForMCP().Verify(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.s.Resolve(t.Context(), p.Holder())
	if err != nil || !reflect.DeepEqual(p, again) {
		t.Fatalf("%+v resolves to %+v, %v", p, again, err)
	}
	apps, err := b.s.Apps(t.Context(), b.person)
	if err != nil || len(apps) != 1 {
		t.Fatal(apps, err)
	}
	b.request(http.MethodDelete, "/account/api/apps/"+apps[0].ID, nil, as("ada"))
	if p, err := b.s.Resolve(t.Context(), p.Holder()); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("it resolves to %v, %v", p, err)
	}
}

func TestConnectedAppsAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.newClient(), b.newClient()
	access1, refresh1 := b.tokens(first)
	access2, _ := b.tokens(first)
	access3, _ := b.tokens(second)
	apps, err := b.s.Apps(t.Context(), b.person)
	if err != nil || len(apps) != 2 || apps[0].ClientID != second || apps[1].Name != "Test Client" ||
		apps[0].FirstUsed.IsZero() {
		t.Fatalf("%+v %v", apps, err)
	}
	list := b.request(http.MethodGet, "/account/api/apps", nil, as("ada"))
	if list.status != http.StatusOK || !strings.Contains(list.text, `"clientName":"Test Client"`) {
		t.Fatalf("%d %s", list.status, list.text)
	}
	b.sessions.signIn("eve", tenancyPerson(t, b))
	for _, session := range []string{"eve", "nobody"} {
		if a := b.request(http.MethodDelete, "/account/api/apps/"+apps[1].ID, nil, as(session)); a.status < 400 {
			t.Fatalf("%s revoked another's app: %d", session, a.status)
		}
	}
	if a := b.request(
		http.MethodDelete, "/account/api/apps/"+apps[1].ID, nil, as("ada"), header("Sec-Fetch-Site", "cross-site"),
	); a.status != http.StatusForbidden {
		t.Fatalf("another site revoked an app: %d", a.status)
	}
	if !b.accepts(access1) || !b.accepts(access2) {
		t.Fatal("tokens are invalid before the revocation")
	}
	if a := b.request(
		http.MethodDelete, "/account/api/apps/"+apps[1].ID, nil, as("ada"),
	); a.status != http.StatusNoContent {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if b.accepts(access1) || b.accepts(access2) || !b.accepts(access3) {
		t.Fatal("not exactly the tokens of one app were revoked")
	}
	b.wantError(b.refresh(first, refresh1), 400, "invalid_grant")
	if a := b.authorize(b.authorization(first), "ada"); a.status != http.StatusOK {
		t.Fatal("a revoked app still has its remembered consent")
	}
	if a := b.request(http.MethodDelete, "/account/api/apps", nil, as("ada")); a.status != http.StatusNoContent ||
		b.accepts(access3) {
		t.Fatalf("revoking all: %d %s", a.status, a.text)
	}
}

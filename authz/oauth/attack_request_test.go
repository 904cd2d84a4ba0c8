package oauth

import (
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Attacks against requests: redirects, resources, parameters, headers. Each test names the check
// without which it fails.

// Fails if matchRedirect ignores case, or if withoutPort also strips the ports of https URIs.
func TestOnlyRegisteredRedirectURIsAreAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.registerClient(map[string]any{"redirect_uris": []string{
		"https://client.example/callback", "http://127.0.0.1:8000/cb", "http://localhost/cb", "https://127.0.0.1/tls",
		"com.example.app:/cb",
	}}).str(t, "client_id")
	for _, uri := range []string{
		"https://client.example/callback/", "https://client.example/Callback", "https://client.example/callback?x=1",
		"https://client.example/callback#f", "https://client.example/callback%2f", "https://client.example/%63allback",
		"https://client.example/x/../callback", "https://client.example//callback", "https://CLIENT.example/callback",
		"HTTPS://client.example/callback", "https://client.example:443/callback", "https://client.example./callback",
		"https://user@client.example/callback", "https://client.example@evil.example/callback",
		"https://client.example.evil.example/callback", "https://evil.example/callback",
		"http://client.example/callback", "//client.example/callback", "/callback", "https:client.example/callback",
		"https://client.example\\@evil.example/callback", "https://client.example/callback ",
		"https://client.example/call\nback", "http://127.0.0.1:5555/tls", "http://127.0.0.1/tls",
		"https://127.0.0.1:5555/tls", "https://127.0.0.1:8000/cb", "http://127.0.0.1:8000/cb/",
		"http://127.0.0.2:8000/cb", "http://127.0.0.1.evil.example/cb", "http://localhost.evil.example/cb",
		"http://user@localhost/cb", "http://localhost:99x/cb", "http://LOCALHOST/cb", "http://[::1]:8000/cb",
		"com.example.app:/cb2", "com.example.app://cb", "javascript:alert(1)",
	} {
		q := b.authorization(client)
		q.Set("redirect_uri", uri)
		if a := b.authorize(q, "ada"); a.status != http.StatusBadRequest || a.header.Get("Location") != "" {
			t.Errorf("%q: %d to %s", uri, a.status, a.header.Get("Location"))
		}
	}
	q := b.authorization(client)
	q.Del("redirect_uri")
	if a := b.authorize(q, "ada"); a.status != http.StatusBadRequest || a.header.Get("Location") != "" {
		t.Errorf("no redirect_uri though there are several: %d", a.status)
	}
	for _, uri := range []string{
		"https://client.example/callback", "http://127.0.0.1:5555/cb", "http://127.0.0.1/cb",
		"http://localhost:3000/cb", "com.example.app:/cb",
	} {
		q := b.authorization(client)
		q.Set("redirect_uri", uri)
		if a := b.authorize(q, "ada"); a.status != http.StatusOK {
			t.Errorf("%q: %d %s", uri, a.status, a.text)
		}
	}
}

// Fails without each branch of checkRedirect.
func TestDangerousRedirectURIsCannotBeRegistered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, uri := range []string{
		"", "javascript:alert(1)", "JavaScript://x/%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
		"blob:https://x/y", "about:blank", "http://client.example/callback", "http://10.0.0.1/cb",
		"http://169.254.169.254/cb", "http://127.0.0.1.nip.example/cb", "http://0.0.0.0/cb",
		"http://[::ffff:127.0.0.1]/cb", "https://client.example/cb#fragment", "https://client.example/cb#",
		"https://user:pw@client.example/cb", "https:///cb", "https://", "client.example/cb", "//client.example/cb",
		"view-source:https://x", "intent://x", "urn:ietf:wg:oauth:2.0:oob", "com.example:cb",
		"https://client.example/<script>", "https://client.example/a b", "https://client.example/\u202e",
		"https://x/" + strings.Repeat("a", 3000),
	} {
		a := b.registerClient(map[string]any{"redirect_uris": []string{uri}})
		if a.status != http.StatusBadRequest || a.str(t, "error") != "invalid_redirect_uri" {
			t.Errorf("%.60q: %d %s", uri, a.status, a.text)
		}
	}
	many := make([]string, 11)
	for i := range many {
		many[i] = "https://client.example/" + strings.Repeat("a", i+1)
	}
	b.wantError(b.registerClient(map[string]any{"redirect_uris": many}), 400, "invalid_redirect_uri")
	b.wantError(b.registerClient(map[string]any{"redirect_uris": nil}), 400, "invalid_redirect_uri")
}

// Fails without "iss" in responseURL.
func TestAuthorizationResponsesNameTheIssuer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	if back := b.consent(b.authorization(client), "ada"); back.Get("iss") != b.base || !back.Has("code") {
		t.Errorf("success: %v", back)
	}
	q := b.authorization(client)
	q.Set("scope", "nonsense")
	if _, back := b.authorize(q, "ada").location(t); back.Get("iss") != b.base ||
		back.Get("error") != "invalid_scope" || back.Get("state") == "" {
		t.Errorf("error: %v", back)
	}
}

// Fails without the order in parseAuthorizationRequest (client and redirect URI first).
func TestErrorNeverRedirectsToAnUnregisteredURI(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, change := range map[string]func(url.Values){
		"unknown client": func(q url.Values) { q.Set("client_id", "cli_unknown") },
		"no client":      func(q url.Values) { q.Del("client_id") },
		"two clients":    func(q url.Values) { q.Add("client_id", client) },
		"foreign redirect": func(q url.Values) {
			q.Set("redirect_uri", "https://evil.example/")
			q.Set("scope", "bad")
		},
		"two redirects": func(q url.Values) { q.Add("redirect_uri", "https://evil.example/") },
		"bad everything else": func(q url.Values) {
			q.Set("redirect_uri", "https://evil.example/")
			q.Del("response_type")
			q.Del("code_challenge")
		},
	} {
		for _, session := range []string{"ada", ""} {
			q := b.authorization(client)
			change(q)
			a := b.authorize(q, session)
			if a.status != http.StatusBadRequest || a.header.Get("Location") != "" ||
				strings.Contains(a.text, "evil.example") {
				t.Errorf("%s: %d to %q", name, a.status, a.header.Get("Location"))
			}
			if a.header.Get("X-Frame-Options") != "DENY" ||
				!strings.Contains(a.header.Get("Content-Type"), "text/html") {
				t.Errorf("%s: not the error page: %v", name, a.header)
			}
		}
	}
}

// Fails without each of the checks in validate.
func TestMalformedAuthorizationRequestsReturnSpecificErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, c := range map[string]struct {
		change func(url.Values)
		want   string
	}{
		"no response type": {func(q url.Values) { q.Del("response_type") }, "unsupported_response_type"},
		"token":            {func(q url.Values) { q.Set("response_type", "token") }, "unsupported_response_type"},
		"code token": {
			func(q url.Values) { q.Set("response_type", "code token") }, "unsupported_response_type",
		},
		"response mode":   {func(q url.Values) { q.Set("response_mode", "fragment") }, "invalid_request"},
		"form post":       {func(q url.Values) { q.Set("response_mode", "form_post") }, "invalid_request"},
		"request object":  {func(q url.Values) { q.Set("request", "x") }, "request_not_supported"},
		"request uri":     {func(q url.Values) { q.Set("request_uri", "https://x/") }, "request_not_supported"},
		"unknown scope":   {func(q url.Values) { q.Set("scope", "data:read admin") }, "invalid_scope"},
		"wildcard scope":  {func(q url.Values) { q.Set("scope", "data:*") }, "invalid_scope"},
		"state twice":     {func(q url.Values) { q.Add("state", "again") }, "invalid_request"},
		"scope twice":     {func(q url.Values) { q.Add("scope", "data:read") }, "invalid_request"},
		"challenge twice": {func(q url.Values) { q.Add("code_challenge", challengeOf("x")) }, "invalid_request"},
		"unknown resource": {
			func(q url.Values) { q.Set("resource", "https://other.example/mcp") }, "invalid_target",
		},
		"resource below":      {func(q url.Values) { q.Set("resource", b.base+"/mcp/x") }, "invalid_target"},
		"resource beside":     {func(q url.Values) { q.Set("resource", b.base+"/mcpx") }, "invalid_target"},
		"resource with query": {func(q url.Values) { q.Set("resource", b.base+"/mcp?x=1") }, "invalid_target"},
		"resource fragment":   {func(q url.Values) { q.Set("resource", b.base+"/mcp#x") }, "invalid_target"},
		"empty fragment":      {func(q url.Values) { q.Set("resource", b.base+"/mcp#") }, "invalid_target"},
		"empty query":         {func(q url.Values) { q.Set("resource", b.base+"/mcp?") }, "invalid_target"},
		"resource with a user": {
			func(q url.Values) { q.Set("resource", strings.Replace(b.base, "//", "//u@", 1)+"/mcp") }, "invalid_target",
		},
		"resource not absolute": {func(q url.Values) { q.Set("resource", "/mcp") }, "invalid_target"},
		"resource nonsense":     {func(q url.Values) { q.Set("resource", "::::") }, "invalid_target"},
		"resource twice":        {func(q url.Values) { q.Add("resource", b.base+"/api/v1") }, "invalid_target"},
	} {
		q := b.authorization(client)
		c.change(q)
		to, back := b.authorize(q, "ada").returnLink(t)
		if to != b.callback || back.Get("error") != c.want || back.Has("code") {
			t.Errorf("%s: to %s with %v", name, to, back)
		}
	}
}

// Fails without the comparisons of the resource in codeGrant and refreshGrant.
func TestResourceCannotChangeAfterAuthorization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	for _, resource := range []string{b.base + "/api/v1", "https://other.example/mcp", "nonsense"} {
		form := b.redemption(client, code)
		form.Set("resource", resource)
		b.wantError(b.form("/oauth/token", form), 400, "invalid_target")
	}
	a := b.form("/oauth/token", b.redemption(client, code))
	refresh := a.str(t, "refresh_token")
	form := refreshForm(client, refresh)
	form.Set("resource", b.base+"/api/v1")
	b.wantError(b.form("/oauth/token", form), 400, "invalid_target")
	form.Set("resource", b.base+"/mcp")
	if a = b.form("/oauth/token", form); a.status != http.StatusOK {
		t.Fatalf("a rejected refresh used up the token: %s", a.text)
	}
}

// Fails without requireSingleParams.
func TestRepeatedParametersAreRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	code := b.code(client)
	for name := range b.redemption(client, code) {
		form := b.redemption(client, code)
		form.Add(name, form.Get(name))
		b.wantError(b.form("/oauth/token", form), 400, "invalid_request")
	}
	if a := b.form("/oauth/token", b.redemption(client, code)); a.status != http.StatusOK {
		t.Fatalf("a rejected request used up the code: %s", a.text)
	}
}

// Fails without the checks of RawQuery and Content-Type in postForm, and with r.FormValue, which
// parses multipart forms.
func TestTokenEndpointAcceptsOnlyAFormInTheBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	form := b.redemption(client, b.code(client))
	var body strings.Builder
	parts := multipart.NewWriter(&body)
	for name := range form {
		if err := parts.WriteField(name, form.Get(name)); err != nil {
			t.Fatal(err)
		}
	}
	_ = parts.Close()
	b.wantError(b.request(http.MethodPost, "/oauth/token", strings.NewReader(body.String()),
		header("Content-Type", parts.FormDataContentType())), 400, "invalid_request")
	b.wantError(
		b.request(http.MethodPost, "/oauth/token", strings.NewReader("{}"), header("Content-Type", "application/json")),
		400, "invalid_request",
	)
	b.wantError(b.form("/oauth/token?"+form.Encode(), url.Values{}), 400, "invalid_request")
	code := form.Get("code")
	form.Del("code")
	b.wantError(b.form("/oauth/token?code="+code, form), 400, "invalid_request")
	form.Set("code", code)
	b.wantError(b.form("/oauth/token?client_id="+client, form), 400, "invalid_request")
	if a := b.request(http.MethodGet, "/oauth/token?"+form.Encode(), nil); a.status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", a.status)
	}
	b.wantError(b.form("/oauth/token", url.Values{
		"grant_type": {"authorization_code"},
		"code":       {strings.Repeat("a", maxForm)},
	}), 413, "invalid_request")
	if a := b.form("/oauth/token", form); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
}

// Fails without the switch over grant_type in token.
func TestMalformedTokenRequestsReturnSpecificErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, c := range map[string]struct {
		form   url.Values
		status int
		want   string
	}{
		"nothing":       {url.Values{}, 400, "invalid_request"},
		"no grant type": {url.Values{"client_id": {client}}, 400, "invalid_request"},
		"unknown grant": {
			url.Values{"client_id": {client}, "grant_type": {"password"}}, 400, "unsupported_grant_type",
		},
		"client grant": {
			url.Values{"client_id": {client}, "grant_type": {"client_credentials"}}, 400, "unsupported_grant_type",
		},
		"two grants": {
			url.Values{"client_id": {client}, "grant_type": {"authorization_code refresh_token"}},
			400,
			"unsupported_grant_type",
		},
		"no client": {
			url.Values{"grant_type": {"authorization_code"}, "code": {"x"}, "code_verifier": {testVerifier}},
			400,
			"invalid_request",
		},
		"unknown client": {b.redemption("cli_unknown", "x"), 401, "invalid_client"},
		"no code": {
			url.Values{"client_id": {client}, "grant_type": {"authorization_code"}, "code_verifier": {testVerifier}},
			400, "invalid_request",
		},
		"nonsense code": {b.redemption(client, "nonsense"), 400, "invalid_grant"},
		"no refresh token": {
			url.Values{"client_id": {client}, "grant_type": {"refresh_token"}}, 400, "invalid_request",
		},
		"nonsense refresh": {refreshForm(client, "nonsense"), 400, "invalid_grant"},
		"empty parameters": {url.Values{
			"client_id":     {client},
			"grant_type":    {"authorization_code"},
			"code":          {""},
			"code_verifier": {testVerifier},
		}, 400, "invalid_request"},
		"NUL in a parameter": {refreshForm(client, "x\x00y"), 400, "invalid_request"},
	} {
		a := b.form("/oauth/token", c.form)
		if a.status != c.status || a.str(t, "error") != c.want || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
		if (a.status == 401) != (a.header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s: %d with WWW-Authenticate %q", name, a.status, a.header.Get("WWW-Authenticate"))
		}
	}
}

// Fails with r.Host in place of the configured issuer in staticJSON and responseURL.
func TestForgedHostHeaderIsIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	forge := func(r *http.Request) {
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Host", "evil.example")
		r.Header.Set("X-Forwarded-Proto", "gopher")
		r.Header.Set("Forwarded", "host=evil.example")
	}
	for _, path := range []string{
		"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource",
		"/.well-known/oauth-protected-resource/mcp", "/oauth/jwks",
		"/oauth/authorize?" + b.authorization(client).Encode(), "/oauth/authorize?client_id=x",
	} {
		a := b.request(http.MethodGet, path, nil, forge, as("ada"))
		if strings.Contains(a.text, "evil.example") || strings.Contains(a.header.Get("Location"), "evil.example") {
			t.Errorf("%s repeats the forged host", path)
		}
	}
	q := b.authorization(client)
	q.Set("scope", "bad")
	a := b.request(http.MethodGet, "/oauth/authorize?"+q.Encode(), nil, forge, as("ada"))
	if _, back := a.returnLink(t); back.Get("iss") != b.base {
		t.Errorf("iss is %q", back.Get("iss"))
	}
}

// Fails with StatusTemporaryRedirect in redirect.
func TestRedirectsAre303WithoutReferrer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	form := b.authorize(b.authorization(client), "ada").inputs(t)
	form.Set("decision", "allow")
	bad := b.authorization(client)
	bad.Set("scope", "bad")
	for name, a := range map[string]answer{
		"sign-in": b.authorize(b.authorization(client), ""), "consent": b.form("/oauth/consent", form, as("ada")),
		"remembered": b.authorize(b.authorization(client), "ada"), "error": b.authorize(bad, "ada"),
	} {
		if a.status != http.StatusSeeOther || a.header.Get("Referrer-Policy") != "no-referrer" ||
			a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", name, a.status, a.header)
		}
	}
}

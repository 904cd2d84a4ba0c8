package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v3"
	"github.com/golang-jwt/jwt/v5"

	"github.com/rowhouse/rowhouse/authz/limit"
)

// Attacks against registration and client authentication. Each test names the check without which
// it fails.

// Fails without requireSingleAuthentication, and without the comparison of methods in fosite.
func TestClientMustUseItsRegisteredAuthenticationMethod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := map[string]answer{}
	for _, method := range []string{"none", "client_secret_basic", "client_secret_post"} {
		a := b.registerClient(map[string]any{"token_endpoint_auth_method": method})
		if a.status != http.StatusCreated || (method == "none") != (a.str(t, "client_secret") == "") {
			t.Fatalf("%s: %d %s", method, a.status, a.text)
		}
		made[method] = a
	}
	attempt := func(client string, fields url.Values, change ...func(*http.Request)) answer {
		form := refreshForm(client, "nonsense") // past authentication this is invalid_grant
		for name, values := range fields {
			form[name] = values
		}
		return b.form("/oauth/token", form, change...)
	}
	pub := made["none"].str(t, "client_id")
	bas := made["client_secret_basic"].str(t, "client_id")
	post := made["client_secret_post"].str(t, "client_id")
	basSecret := made["client_secret_basic"].str(t, "client_secret")
	postSecret := made["client_secret_post"].str(t, "client_secret")
	b.wantError(attempt(pub, nil), 400, "invalid_grant")
	b.wantError(attempt(bas, nil, basic(bas, basSecret)), 400, "invalid_grant")
	b.wantError(attempt(bas, url.Values{"client_id": {""}}, basic(bas, basSecret)), 400, "invalid_grant")
	b.wantError(attempt(post, url.Values{"client_secret": {postSecret}}), 400, "invalid_grant")
	for name, a := range map[string]answer{
		"public with a secret":       attempt(pub, url.Values{"client_secret": {"x"}}),
		"public with basic":          attempt(pub, nil, basic(pub, "x")),
		"basic in the body":          attempt(bas, url.Values{"client_secret": {basSecret}}),
		"post in the header":         attempt(post, nil, basic(post, postSecret)),
		"basic without a secret":     attempt(bas, nil),
		"basic with an empty secret": attempt(bas, nil, basic(bas, "")),
		"wrong secret":               attempt(bas, nil, basic(bas, basSecret+"x")),
		"another's secret":           attempt(bas, nil, basic(bas, postSecret)),
		"post without a secret":      attempt(post, nil),
		"an assertion of another kind": attempt(pub, url.Values{
			"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
			"client_assertion":      {"x.y.z"},
		}),
	} {
		if a.status != 401 || a.str(t, "error") != "invalid_client" ||
			!strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Basic ") {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	for name, a := range map[string]answer{
		"two ways":             attempt(bas, url.Values{"client_secret": {basSecret}}, basic(bas, basSecret)),
		"two names":            attempt(pub, nil, basic(bas, basSecret)),
		"bearer":               attempt(pub, nil, header("Authorization", "Bearer x")),
		"secret and assertion": attempt(post, url.Values{"client_secret": {postSecret}, "client_assertion": {"x"}}),
	} {
		if a.status != 400 || a.str(t, "error") != "invalid_request" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
}

type assertion struct {
	key    *ecdsa.PrivateKey
	client string
	change func(jwt.MapClaims)
}

func (a assertion) sign(t *testing.T, b *bundle) url.Values {
	t.Helper()
	claims := jwt.MapClaims{
		"iss": a.client, "sub": a.client, "aud": b.base, "jti": base64url.EncodeToString(random(9)),
		"exp": time.Now().Add(time.Minute).Unix(),
	}
	if a.change != nil {
		a.change(claims)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	token.Header["kid"] = "k"
	text, err := token.SignedString(a.key)
	if err != nil {
		t.Fatal(err)
	}
	form := refreshForm(a.client, "nonsense")
	form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
	form.Set("client_assertion", text)
	return form
}

// Fails without SetClientAssertionJWT's condition, GetTokenURLs, and signingKeys.
func TestClientAuthenticatesWithPrivateKeyJWT(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "k"}}}
	client := b.registerClient(map[string]any{"token_endpoint_auth_method": "private_key_jwt", "jwks": set}).
		str(t, "client_id")
	good := assertion{key: key, client: client}.sign(t, b)
	b.wantError(b.form("/oauth/token", good), 400, "invalid_grant") // past authentication
	if a := b.form("/oauth/token", good); a.str(t, "error") == "invalid_grant" {
		t.Errorf("the same assertion was accepted twice: %s", a.text)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]assertion{
		"another key": {key: other, client: client},
		"another audience": {
			key:    key,
			client: client,
			change: func(c jwt.MapClaims) { c["aud"] = "https://other.example" },
		},
		"another issuer":  {key: key, client: client, change: func(c jwt.MapClaims) { c["iss"] = "x" }},
		"another subject": {key: key, client: client, change: func(c jwt.MapClaims) { c["sub"] = "x" }},
		"expired": {
			key:    key,
			client: client,
			change: func(c jwt.MapClaims) { c["exp"] = time.Now().Add(-time.Hour).Unix() },
		},
		"without expiry":     {key: key, client: client, change: func(c jwt.MapClaims) { delete(c, "exp") }},
		"without identifier": {key: key, client: client, change: func(c jwt.MapClaims) { delete(c, "jti") }},
	} {
		if response := b.form(
			"/oauth/token", a.sign(t, b),
		); response.status != 401 || response.str(t, "error") != "invalid_client" {
			t.Errorf("%s: %d %s", name, response.status, response.text)
		}
	}
	plain := refreshForm(client, "nonsense")
	b.wantError(b.form("/oauth/token", plain), 401, "invalid_client")
	raced := assertion{key: key, client: client}.sign(t, b)
	passed := 0
	for _, a := range parallel(12, func(int) answer { return b.form("/oauth/token", raced) }) {
		if a.str(t, "error") == "invalid_grant" {
			passed++
		}
	}
	if passed != 1 {
		t.Errorf("%d of 12 parallel uses of one assertion passed", passed)
	}
}

// limiter returns a limiter without Redis.
func limiter(t *testing.T) *limit.Limiter {
	t.Helper()
	l := limit.New(nil, limit.Options{})
	t.Cleanup(l.Close)
	return l
}

// Fails without checkRate with Rates.Registration and MaxBytesReader in register, and clientUnused
// in clientStore.register.
func TestRegistrationIsRateLimitedAndUnusedClientsExpire(t *testing.T) {
	t.Parallel()
	rate := limit.Rate{PerSecond: 1.0 / 20, Burst: 30}
	b := setupWith(t, options{limiter: limiter(t), rates: Rates{Registration: rate}})
	client := b.newClient()
	b.wantError(b.registerClient(map[string]any{"x": strings.Repeat("y", maxRegistration)}), 413,
		"invalid_client_metadata")
	for range rate.Burst - 2 {
		b.newClient()
	}
	a := b.registerClient(nil)
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); a.status != http.StatusTooManyRequests || err != nil ||
		wait < 1 || wait > 20 {
		t.Fatalf("%d %v", a.status, a.header)
	}
	if a := b.authorize(b.authorization(client), "ada"); a.status != http.StatusOK {
		t.Fatal("a new client is unknown")
	}
	b.advance(clientUnused + time.Second)
	if a := b.authorize(b.authorization(client), "ada"); a.status != http.StatusBadRequest {
		t.Fatal("an unused client did not expire")
	}
}

func TestUsedClientDoesNotExpire(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)}) // because the sweep deletes what has expired by this test's clock
	client := b.newClient()
	_, live := b.tokens(client)
	b.advance(29 * 24 * time.Hour)
	if err := b.s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := b.refresh(client, live); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
}

// Fails without the branches of checkMetadata and checkKeys.
func TestRegistrationFollowsRFC7591(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.registerClient(map[string]any{
		"grant_types":    []string{"authorization_code", "refresh_token", "implicit", "password"},
		"unknown_member": map[string]any{"a": 1},
		"scope":          "data:read openid offline_access unheard:of",
		"logo_uri":       "http://127.0.0.1/logo",
		"software_id":    "x",
		"client_uri":     "javascript:alert(1)",
	})
	if a.status != http.StatusCreated || a.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	v := a.json(t)
	if grants := v["grant_types"].([]any); len(grants) != 2 || v["scope"] != "data:read openid offline_access" ||
		v["client_uri"] != nil || v["logo_uri"] != nil ||
		v["client_id_issued_at"] == nil || v["token_endpoint_auth_method"] != "none" || v["software_id"] != "x" {
		t.Errorf("%s", a.text)
	}
	a = b.registerClient(map[string]any{"token_endpoint_auth_method": nil})
	if v = a.json(t); v["token_endpoint_auth_method"] != "client_secret_basic" || v["client_secret_expires_at"] != 0.0 {
		t.Errorf("%s", a.text)
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, members := range map[string]map[string]any{
		"method":           {"token_endpoint_auth_method": "client_secret_jwt"},
		"no usable grant":  {"grant_types": []string{"client_credentials"}},
		"response type":    {"response_types": []string{"token"}},
		"key auth, no key": {"token_endpoint_auth_method": "private_key_jwt"},
		"a private key": {"token_endpoint_auth_method": "private_key_jwt", "jwks": jose.JSONWebKeySet{
			Keys: []jose.JSONWebKey{{Key: private, KeyID: "k"}},
		}},
		"keys over http": {
			"token_endpoint_auth_method": "private_key_jwt",
			"jwks_uri":                   "http://client.example/keys",
		},
		"symmetric algorithm": {
			"token_endpoint_auth_method":      "private_key_jwt",
			"jwks_uri":                        "https://client.example/keys",
			"token_endpoint_auth_signing_alg": "HS256",
		},
		"name of wrong type": {"client_name": 7},
	} {
		if a := b.registerClient(members); a.status != 400 || a.str(t, "error") != "invalid_client_metadata" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	for name, body := range map[string]string{"not JSON": "x", "array": "[]", "empty": ""} {
		a := b.request(http.MethodPost, "/oauth/register", strings.NewReader(body),
			header("Content-Type", "application/json"))
		if a.status != 400 {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	if a := b.request(
		http.MethodPost, "/oauth/register", strings.NewReader("{}"), header("Content-Type", "text/plain"),
	); a.status != 400 {
		t.Errorf("text/plain: %d", a.status)
	}
}

// Fails with fosite's hint in toOAuthError.
func TestUnknownClientAndWrongSecretAreIndistinguishable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	known := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_basic"}).str(t, "client_id")
	unknown := "cli_" + strings.Repeat("0", 26)
	basicOnly, postOnly := b.form("/oauth/token", url.Values{
		"grant_type":    {"refresh_token"},
		"refresh_token": {"x"},
		"client_id":     {known},
		"client_secret": {"x"},
	}),
		b.form("/oauth/token", url.Values{
			"grant_type":    {"refresh_token"},
			"refresh_token": {"x"},
			"client_id":     {unknown},
			"client_secret": {"x"},
		})
	if basicOnly.status != postOnly.status || basicOnly.text != postOnly.text {
		t.Errorf("%d %s and %d %s", basicOnly.status, basicOnly.text, postOnly.status, postOnly.text)
	}
	one := b.form("/oauth/token", refreshForm(known, "x"), basic(known, "rhs_wrong"))
	other := b.form("/oauth/token", refreshForm(unknown, "x"), basic(unknown, "rhs_wrong"))
	if one.status != other.status || one.text != other.text {
		t.Errorf("%d %s and %d %s", one.status, one.text, other.status, other.text)
	}
	public := b.newClient()
	_, live := b.tokens(public)
	revoked := b.newClient()
	_, dead := b.tokens(revoked)
	if err := b.s.RevokeApps(t.Context(), b.person); err != nil {
		t.Fatal(err)
	}
	bodies := map[string]bool{}
	for _, token := range []string{dead, live, "rhr_nonsense", "nonsense", strings.Repeat("x", 500)} {
		a := b.refresh(public, token)
		bodies[a.text] = true
		b.wantError(a, 400, "invalid_grant")
	}
	for _, code := range []string{"rhc_nonsense", "nonsense", codePrefix + base64url.EncodeToString(random(48))} {
		a := b.form("/oauth/token", b.redemption(public, code))
		bodies[a.text] = true
	}
	if len(bodies) != 1 {
		t.Errorf("invalid grants are distinguishable: %v", bodies)
	}
}

// Fails without the comparison of Client in handleRevocation.
func TestClientCannotRevokeTheTokenOfAnotherClient(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.newClient(), b.newClient()
	access, refresh := b.tokens(ours)
	for _, token := range []string{access, refresh} {
		b.wantError(b.form("/oauth/revoke", url.Values{"client_id": {theirs}, "token": {token}}), 400, "invalid_grant")
	}
	if !b.accepts(access) {
		t.Fatal("the token was revoked")
	}
	for _, token := range []string{"nonsense", "rhr_nonsense", access, access} {
		hint := url.Values{"client_id": {ours}, "token": {token}, "token_type_hint": {"nonsense"}}
		if a := b.form("/oauth/revoke", hint); a.status != http.StatusOK || a.text != "" {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	if b.accepts(access) {
		t.Fatal("the token was not revoked")
	}
	b.wantError(b.form("/oauth/revoke", url.Values{"client_id": {ours}}), 400, "invalid_request")
	b.wantError(b.form("/oauth/revoke", url.Values{"client_id": {"cli_unknown"}, "token": {access}}), 401,
		"invalid_client")
}

// Fails without IsPublic in handleIntrospection, and without the comparison of Client in
// introspect.
func TestIntrospectionIsLimitedToOwnTokensOfConfidentialClients(t *testing.T) {
	t.Parallel()
	b := setup(t)
	register := func() (string, string) {
		a := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_basic"})
		return a.str(t, "client_id"), a.str(t, "client_secret")
	}
	client, secret := register()
	other, otherSecret := register()
	form := b.redemption(client, b.code(client))
	a := b.form("/oauth/token", form, basic(client, secret))
	access, refresh := a.str(t, "access_token"), a.str(t, "refresh_token")
	ask := func(token, client, secret string) answer {
		return b.form("/oauth/introspect", url.Values{"token": {token}}, basic(client, secret))
	}
	for _, token := range []string{access, refresh} {
		a := ask(token, client, secret)
		if v := a.json(t); v["active"] != true || v["client_id"] != client || v["aud"] != b.base+"/mcp" ||
			v["iss"] != b.base || v["scope"] == "" || v["exp"] == nil {
			t.Errorf("%s", a.text)
		}
		if a := ask(token, other, otherSecret); a.text != `{"active":false}` {
			t.Errorf("another client can introspect the token: %s", a.text)
		}
	}
	for _, token := range []string{"nonsense", form.Get("code"), access + "x", "rhr_x"} {
		if a := ask(token, client, secret); a.text != `{"active":false}` {
			t.Errorf("%s", a.text)
		}
	}
	public := b.newClient()
	b.wantError(b.form("/oauth/introspect", url.Values{"token": {access}, "client_id": {public}}), 401,
		"invalid_client")
	b.wantError(ask(access, client, "wrong"), 401, "invalid_client")
	b.form("/oauth/token", refreshForm(client, refresh), basic(client, secret))
	if a := ask(refresh, client, secret); a.text != `{"active":false}` {
		t.Errorf("a replaced refresh token is active: %s", a.text)
	}
	if !b.accepts(access) {
		t.Error("introspection of a replaced token revoked its family")
	}
	if err := b.s.RevokeApps(t.Context(), b.person); err != nil {
		t.Fatal(err)
	}
	if a := ask(access, client, secret); a.text != `{"active":false}` {
		t.Errorf("a revoked token is active: %s", a.text)
	}
}

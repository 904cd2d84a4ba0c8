package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Attacks against access tokens. Each test names the check without which it fails.

// forge returns a modified copy of an access token, signed with key.
func (b *bundle) forge(
	t *testing.T,
	base string,
	change func(header map[string]any, claims jwt.MapClaims),
	method jwt.SigningMethod,
	key any,
) string {
	t.Helper()
	claims := jwt.MapClaims{}
	parsed, _, err := jwt.NewParser().ParseUnverified(base, claims)
	if err != nil {
		t.Fatal(err)
	}
	token := jwt.NewWithClaims(method, claims)
	for name, value := range parsed.Header {
		token.Header[name] = value
	}
	token.Header["alg"] = method.Alg()
	if change != nil {
		change(token.Header, claims)
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Fails without the checks of typ and crit, WithIssuer, WithExpirationRequired and WithIssuedAt in
// parseAccessToken, the number of audiences in token, and the comparison of the person in Verify.
// (WithValidMethods is redundant, because the type of the key already rejects other methods.)
func TestForgedAccessTokensAreRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good, _ := b.tokens(b.newClient())
	signer, err := b.s.keys.signer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	es := jwt.SigningMethodES256
	if !b.accepts(b.forge(t, good, nil, es, signer.private)) {
		t.Fatal("an unmodified copy of a valid token is rejected")
	}
	attackerKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&signer.private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string, value any) func(map[string]any, jwt.MapClaims) {
		return func(_ map[string]any, c jwt.MapClaims) { c[name] = value }
	}
	head := func(name string, value any) func(map[string]any, jwt.MapClaims) {
		return func(h map[string]any, _ jwt.MapClaims) { h[name] = value }
	}
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"alg none":           b.forge(t, good, nil, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"alg none, signed":   b.forge(t, good, nil, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType) + parts[2],
		"HS256 by public":    b.forge(t, good, nil, jwt.SigningMethodHS256, public),
		"another key":        b.forge(t, good, nil, es, attackerKey),
		"unknown kid":        b.forge(t, good, head("kid", "unknown"), es, signer.private),
		"no kid":             b.forge(t, good, head("kid", nil), es, signer.private),
		"own key in header":  b.forge(t, good, head("jwk", map[string]any{"kty": "EC"}), es, attackerKey),
		"typ JWT":            b.forge(t, good, head("typ", "JWT"), es, signer.private),
		"no typ":             b.forge(t, good, head("typ", nil), es, signer.private),
		"typ of an ID token": b.forge(t, good, head("typ", "id+jwt"), es, signer.private),
		"critical header":    b.forge(t, good, head("crit", []string{"x"}), es, signer.private),
		"another issuer":     b.forge(t, good, set("iss", "https://other.example"), es, signer.private),
		"no issuer":          b.forge(t, good, set("iss", nil), es, signer.private),
		"expired":            b.forge(t, good, set("exp", time.Now().Add(-time.Hour).Unix()), es, signer.private),
		"no expiry": b.forge(
			t, good, func(_ map[string]any, c jwt.MapClaims) { delete(c, "exp") }, es, signer.private,
		),
		"issued later": b.forge(t, good, set("iat", time.Now().Add(time.Hour).Unix()), es, signer.private),
		"two audiences": b.forge(
			t, good, set("aud", []string{b.base + "/mcp", b.base + "/api/v1"}), es, signer.private,
		),
		"longer audience":   b.forge(t, good, set("aud", b.base+"/mcp/"), es, signer.private),
		"shorter audience":  b.forge(t, good, set("aud", b.base), es, signer.private),
		"no audience":       b.forge(t, good, set("aud", nil), es, signer.private),
		"no grant":          b.forge(t, good, set("grant", ""), es, signer.private),
		"unknown grant":     b.forge(t, good, set("grant", id.Format(id.Grant, id.New())), es, signer.private),
		"another person":    b.forge(t, good, set("sub", id.Format(id.User, id.New())), es, signer.private),
		"changed signature": good[:len(good)-4] + "AAAA",
		"changed claims":    parts[0] + "." + parts[1][:len(parts[1])-2] + "." + parts[2],
		"no signature":      parts[0] + "." + parts[1] + ".",
		"padding":           good + "=",
		"huge":              good + strings.Repeat("A", 8000),
	} {
		if b.accepts(token) {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Fails without the comparison with expires in cachedToken.
func TestAccessTokenExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	access, _ := b.tokens(b.newClient())
	for _, c := range []struct {
		later time.Duration
		want  bool
	}{{0, true}, {accessLife - time.Minute, true}, {time.Minute + clockTolerance + time.Second, false}} {
		b.advance(c.later)
		if b.accepts(access) != c.want {
			t.Errorf("accepted: %v, %v later", !c.want, c.later)
		}
	}
}

// Fails without the comparison of the audience in Verify.
func TestAccessTokenIsRejectedAtAnotherResource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	q := b.authorization(client)
	mcp, _ := b.tokens(client)
	q.Set("resource", b.base+"/api/v1")
	form := b.redemption(client, b.consent(q, "ada").Get("code"))
	form.Set("resource", b.base+"/api/v1")
	rest := b.form("/oauth/token", form).str(t, "access_token")
	for name, c := range map[string]struct {
		token    string
		resource string
		want     bool
	}{
		"MCP at MCP": {mcp, b.s.MCPResource(), true}, "MCP at REST": {mcp, b.s.RESTResource(), false},
		"REST at MCP": {rest, b.s.MCPResource(), false}, "REST at REST": {rest, b.s.RESTResource(), true},
	} {
		principal, err := b.s.Verify(t.Context(), c.token, c.resource)
		if (err == nil && principal != nil) != c.want ||
			(err != nil && problem.KindOf(err) != problem.KindUnauthenticated) {
			t.Errorf("%s: %v %v", name, principal, err)
		}
	}
}

// Fails without the prefixes in Verify, which would then return nil, so that a gate would try the
// next verifier.
func TestOtherSecretsAreNotAccessTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_post"})
	client, secret := a.str(t, "client_id"), a.str(t, "client_secret")
	code := b.code(client)
	form := b.redemption(client, code)
	form.Set("client_secret", secret)
	refresh := b.form("/oauth/token", form).str(t, "refresh_token")
	for _, token := range []string{code, refresh, secret} {
		if principal, err := b.s.Verify(t.Context(), token, b.s.MCPResource()); principal != nil ||
			problem.KindOf(err) != problem.KindUnauthenticated {
			t.Errorf("%.4s…: %v %v", token, principal, err)
		}
	}
	for _, foreign := range []string{"rhk_0123456789", "", "session"} {
		if principal, err := b.s.Verify(t.Context(), foreign, b.s.MCPResource()); principal != nil || err != nil {
			t.Errorf("%q: %v %v", foreign, principal, err)
		}
	}
}

// Fails if memberships are read when the grant is created.
func TestRoleChangeAppliesToExistingTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	access, _ := b.tokens(b.newClient())
	change := func(sql string) {
		t.Helper()
		b.cache.InvalidatePerson(t.Context(), b.person)
		if err := b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), sql, b.org, b.person)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		b.cache.InvalidatePerson(t.Context(), b.person)
	}
	role := func() organization.Role {
		t.Helper()
		principal, err := b.s.ForMCP().Verify(t.Context(), access)
		if err != nil {
			t.Fatal(err)
		}
		return principal.Role(b.org)
	}
	if role() != organization.Owner {
		t.Fatal(role())
	}
	change("update rowhouse.member set role = 'viewer' where org_id = $1 and person_id = $2")
	if role() != organization.Viewer {
		t.Fatal(role())
	}
	change("delete from rowhouse.member where org_id = $1 and person_id = $2")
	if role() != "" {
		t.Fatal(role())
	}
}

// Fails without keyOverlap in keyring.load, and the delete with discard in keyring.rotate.
func TestRetiredSigningKeyNoLongerVerifies(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	b := setupWith(t, options{db: db})
	access, _ := b.tokens(b.newClient())
	if err := b.s.RotateKeys(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if !b.accepts(access) {
		t.Fatal("a retiring key does not verify")
	}
	// An attacker has the old key after it was retired.
	signer := b.s.keys.cached()
	if signer == nil {
		t.Fatal("no keys")
	}
	var old *signingKey
	for _, key := range signer.all {
		if key.state == "retiring" {
			old = key
		}
	}
	b.advance(keyOverlap + time.Minute)
	forged := b.forge(
		t, access, func(_ map[string]any, c jwt.MapClaims) { c["exp"] = time.Now().Add(48 * time.Hour).Unix() },
		jwt.SigningMethodES256, old.private,
	)
	if b.accepts(forged) {
		t.Fatal("a retired key verifies")
	}
	client := b.newClient()
	access, refresh := b.tokens(client)
	leaked, err := b.s.keys.snapshot(t.Context(), keyCacheTTL)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.s.RotateKeys(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if b.accepts(access) {
		t.Fatal("a discarded key verifies")
	}
	// The next key was stored with the leaked one, so it must neither become active nor verify.
	// Regression.
	now, err := b.s.keys.snapshot(t.Context(), keyCacheTTL)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range leaked.all {
		forged := b.forge(t, access, func(h map[string]any, _ jwt.MapClaims) { h["kid"] = key.kid },
			jwt.SigningMethodES256, key.private)
		if b.accepts(forged) || now.byKid[key.kid] != nil {
			t.Errorf("the key that was %s still verifies", key.state)
		}
	}
	if len(now.all) != 2 || now.active == nil {
		t.Errorf("%d keys afterwards", len(now.all))
	}
	if a := b.refresh(client, refresh); a.status != http.StatusOK || !b.accepts(a.str(t, "access_token")) {
		t.Errorf("a client cannot refresh: %s", a.text)
	}
	if access, _ = b.tokens(b.newClient()); !b.accepts(access) {
		t.Fatal("the new key does not verify")
	}
}

func newDatabase(t *testing.T) *db.DB {
	t.Helper()
	database, err := db.Open(t.Context(), tenancytest.FreshDatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 16,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return database
}

// Fails with a plain code in code_hash, a plain token in refresh_hash, or an unencrypted key in
// sealed.
func TestDatabaseDumpContainsNoUsableSecret(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)})
	a := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_basic"})
	client, secret := a.str(t, "client_id"), a.str(t, "client_secret")
	form := b.authorize(b.authorization(client), "ada").inputs(t)
	secrets := []string{secret, form.Get("handle")}
	form.Set("decision", "allow")
	_, back := b.form("/oauth/consent", form, as("ada")).location(t)
	tokens := b.form("/oauth/token", b.redemption(client, back.Get("code")), basic(client, secret))
	secrets = append(secrets, back.Get("code"), tokens.str(t, "access_token"), tokens.str(t, "refresh_token"))
	next := b.form("/oauth/token", refreshForm(client, tokens.str(t, "refresh_token")), basic(client, secret))
	secrets = append(secrets, next.str(t, "refresh_token"), testVerifier)
	b.authorize(b.authorization(b.newClient()), "ada")
	signer, err := b.s.keys.signer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	scalar, err := signer.private.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	dump := b.dump(t)
	for i, s := range append(secrets, string(scalar)) {
		raw := []string{s}
		if decoded, err := base64url.DecodeString(s[min(4, len(s)):]); err == nil {
			raw = append(raw, string(decoded))
		}
		for _, form := range raw {
			if strings.Contains(dump, form) || strings.Contains(dump, hexOf(form)) {
				t.Errorf("secret %d is in the dump", i)
			}
		}
	}
	b.form("/oauth/revoke", map[string][]string{"token": {next.str(t, "refresh_token")}}, basic(client, secret))
	b.form("/oauth/token", refreshForm(client, next.str(t, "refresh_token")), basic(client, secret))
	if logged := b.log.String(); logged == "" || containsAny(logged, secrets) {
		t.Errorf("the log is empty or contains a secret (%d bytes)", len(logged))
	}
}

func containsAny(text string, secrets []string) bool {
	for _, s := range secrets {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func hexOf(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(digits[s[i]>>4])
		b.WriteByte(digits[s[i]&15])
	}
	return b.String()
}

// dump returns every row of every table of the authorization server as JSON.
func (b *bundle) dump(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := b.db.SystemTx(t.Context(), func(tx pgx.Tx) error {
		for _, table := range []string{
			"oauth_client", "oauth_grant", "oauth_question", "oauth_consent", "oauth_assertion", "oauth_signing_key",
		} {
			rows, err := tx.Query(t.Context(), "select to_jsonb(x) from rowhouse."+table+" x")
			if err != nil {
				return err
			}
			texts, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
			if err != nil {
				return err
			}
			if len(texts) == 0 && table != "oauth_assertion" {
				t.Errorf("%s is empty: the dump proves nothing", table)
			}
			for _, text := range texts {
				all.Write(text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

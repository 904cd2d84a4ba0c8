package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Attacks through client keys and client assertions.

// jwkOf returns a public key as a JSON Web Key.
func jwkOf(t *testing.T, key crypto.PublicKey) map[string]any {
	t.Helper()
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		point, err := key.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		half := (len(point) - 1) / 2
		return map[string]any{
			"kty": "EC", "crv": key.Curve.Params().Name, "kid": "k",
			"x": base64url.EncodeToString(point[1 : 1+half]), "y": base64url.EncodeToString(point[1+half:]),
		}
	case *rsa.PublicKey:
		return rsaJWK(key.N, big.NewInt(int64(key.E)))
	case ed25519.PublicKey:
		return map[string]any{"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": base64url.EncodeToString(key)}
	}
	t.Fatalf("a key of type %T", key)
	return nil
}

func rsaJWK(n, e *big.Int) map[string]any {
	modulus, exponent := base64url.EncodeToString(n.Bytes()), base64url.EncodeToString(e.Bytes())
	return map[string]any{"kty": "RSA", "kid": "k", "n": modulus, "e": exponent}
}

// oddNumber returns a random odd number of the given number of bits, which passes for an RSA
// modulus.
func oddNumber(bits int) *big.Int {
	raw := random((bits + 7) / 8)
	n := new(big.Int).SetBytes(raw)
	n.Rsh(n, uint(8*len(raw)-bits))
	n.SetBit(n, bits-1, 1)
	return n.SetBit(n, 0, 1)
}

func (b *bundle) keyClient(algorithm string, keys ...any) answer {
	b.t.Helper()
	members := map[string]any{"token_endpoint_auth_method": "private_key_jwt", "jwks": map[string]any{"keys": keys}}
	if algorithm != "" {
		members["token_endpoint_auth_signing_alg"] = algorithm
	}
	return b.registerClient(members)
}

// Fails without validate in checkKeys (a modulus of 368,000 bits with the exponent 2³¹-1 could be
// registered).
func TestClientKeyOutOfBoundsCannotBeRegistered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	usual := big.NewInt(65537)
	good := rsaJWK(oddNumber(2048), usual)
	p521, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	off := jwkOf(t, &p256.PublicKey)
	off["y"] = off["x"]
	private := jwkOf(t, &p256.PublicKey)
	private["d"] = base64url.EncodeToString(random(32))
	elevenKeys := []any{}
	for range 11 {
		elevenKeys = append(elevenKeys, good)
	}
	for name, keys := range map[string][]any{
		"an enormous modulus":  {rsaJWK(oddNumber(368_000), big.NewInt(1<<31-1))},
		"a large modulus":      {rsaJWK(oddNumber(4097), usual)},
		"a small modulus":      {rsaJWK(oddNumber(2047), usual)},
		"an even modulus":      {rsaJWK(new(big.Int).Lsh(big.NewInt(1), 2047), usual)},
		"a large exponent":     {rsaJWK(oddNumber(2048), big.NewInt(1<<31-1))},
		"the exponent 1":       {rsaJWK(oddNumber(2048), big.NewInt(1))},
		"the exponent 3":       {rsaJWK(oddNumber(2048), big.NewInt(3))},
		"another curve":        {jwkOf(t, &p521.PublicKey)},
		"no point of a curve":  {off},
		"a private key":        {private},
		"a shared secret":      {map[string]any{"kty": "oct", "k": base64url.EncodeToString(random(32))}},
		"no key":               {},
		"eleven keys":          elevenKeys,
		"a bad key among good": {good, rsaJWK(oddNumber(8192), usual)},
		"a NUL in the kid":     {map[string]any{"kty": "RSA", "n": good["n"], "e": good["e"], "kid": "\x00"}},
	} {
		a := b.keyClient("RS256", keys...)
		if a.status != http.StatusBadRequest || a.str(t, "error") != "invalid_client_metadata" ||
			!strings.Contains(a.text, "keys") {
			t.Errorf("%s: %d %.200s", name, a.status, a.text)
		}
	}
	for bits := range map[int]bool{2048: true, 3072: true, 4096: true} {
		if a := b.keyClient("RS256", rsaJWK(oddNumber(bits), usual)); a.status != http.StatusCreated {
			t.Errorf("RSA of %d bits: %d %s", bits, a.status, a.text)
		}
	}
}

// Keys may have been stored before they were bounded. Fails without publicKey in verificationKeys.
func TestStoredClientKeyOutOfBoundsVerifiesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.keyClient("RS256", rsaJWK(oddNumber(2048), big.NewInt(65537))).str(t, "client_id")
	private, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"keys": []any{jwkOf(t, &private.PublicKey)}})
	if err != nil {
		t.Fatal(err)
	}
	b.exec("update rowhouse.oauth_client set metadata = jsonb_set(metadata, '{jwks}', $2) where id = $1", client, text)
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodRS256, private, nil)), 401,
		"invalid_client")
}

// signed returns a token request with a client assertion signed by the key.
func signed(
	t *testing.T,
	b *bundle,
	client string,
	method jwt.SigningMethod,
	key crypto.PrivateKey,
	change func(jwt.MapClaims),
) url.Values {
	t.Helper()
	claims := jwt.MapClaims{
		"iss": client, "sub": client, "aud": b.base, "jti": base64url.EncodeToString(random(9)),
		"exp": b.s.now().Add(time.Minute).Unix(),
	}
	if change != nil {
		change(claims)
	}
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = "k"
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	form := refreshForm(client, "nonsense") // past authentication this is invalid_grant
	form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
	form.Set("client_assertion", text)
	return form
}

func newP256(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Regression: Ed25519 was rejected.
func TestEachAcceptedKeyTypeAuthenticates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method jwt.SigningMethod
		key    crypto.Signer
	}{
		{jwt.SigningMethodES256, newP256(t)},
		{jwt.SigningMethodES384, p384},
		{jwt.SigningMethodEdDSA, ed},
		{jwt.SigningMethodRS256, rsaKey},
		{jwt.SigningMethodPS512, rsaKey},
	} {
		a := b.keyClient(c.method.Alg(), jwkOf(t, c.key.Public()))
		if a.status != http.StatusCreated {
			t.Errorf("%s: %d %s", c.method.Alg(), a.status, a.text)
			continue
		}
		b.wantError(b.form("/oauth/token", signed(t, b, a.str(t, "client_id"), c.method, c.key, nil)), 400,
			"invalid_grant")
	}
}

// Fails without each case of checkAssertion, and without the client in the argument of
// SetClientAssertionJWT.
func TestClientAssertionMustBeShortLivedAndForThisServerOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := newP256(t)
	client := b.keyClient("", jwkOf(t, &key.PublicKey)).str(t, "client_id")
	other := b.keyClient("", jwkOf(t, &key.PublicKey)).str(t, "client_id")
	for name, change := range map[string]func(jwt.MapClaims){
		"ten years":           func(c jwt.MapClaims) { c["exp"] = time.Now().AddDate(10, 0, 0).Unix() },
		"two hours":           func(c jwt.MapClaims) { c["exp"] = time.Now().Add(2 * time.Hour).Unix() },
		"an audience beside":  func(c jwt.MapClaims) { c["aud"] = []string{b.base, "https://other.example"} },
		"no audience":         func(c jwt.MapClaims) { delete(c, "aud") },
		"of tomorrow":         func(c jwt.MapClaims) { c["nbf"] = time.Now().Add(30 * time.Minute).Unix() },
		"issued tomorrow":     func(c jwt.MapClaims) { c["iat"] = time.Now().Add(24 * time.Hour).Unix() },
		"an endless jti":      func(c jwt.MapClaims) { c["jti"] = strings.Repeat("j", 1000) },
		"a jti of other type": func(c jwt.MapClaims) { c["jti"] = 5 },
	} {
		if a := b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, change)); a.status != 401 ||
			a.str(t, "error") != "invalid_client" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	for name, audience := range map[string]any{
		"the issuer":         b.base,
		"the token endpoint": b.base + "/oauth/token",
		"a list of one":      []string{b.base},
	} {
		a := b.form("/oauth/token",
			signed(t, b, client, jwt.SigningMethodES256, key, func(c jwt.MapClaims) { c["aud"] = audience }))
		if a.str(t, "error") != "invalid_grant" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	same := func(c jwt.MapClaims) { c["jti"] = "one" }
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, same)), 400, "invalid_grant")
	b.wantError(b.form("/oauth/token", signed(t, b, other, jwt.SigningMethodES256, key, same)), 400, "invalid_grant")
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, same)), 401, "invalid_client")
}

// Regression: the audience was checked after the jti was stored.
func TestRejectedAssertionDoesNotUseUpItsIdentifier(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := newP256(t)
	client := b.keyClient("", jwkOf(t, &key.PublicKey)).str(t, "client_id")
	foreign := func(c jwt.MapClaims) { c["aud"], c["jti"] = "https://other.example", "two" }
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, foreign)), 401,
		"invalid_client")
	b.wantError(b.form(
		"/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, func(c jwt.MapClaims) { c["jti"] = "two" }),
	), 400, "invalid_grant")
}

// A keySite is a web server with key sets.
type keySite struct {
	hits atomic.Int64
	body atomic.Pointer[string]
	*site
}

// newKeySite returns a site that serves body at every path, or responds 500 while body is "".
func newKeySite(t *testing.T, b *bundle) *keySite {
	t.Helper()
	k := &keySite{site: newSite(t)}
	empty := ""
	k.body.Store(&empty)
	k.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		k.hits.Add(1)
		body := *k.body.Load()
		if body == "" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/jwk-set+json")
		_, _ = w.Write([]byte(body))
	})
	b.allowSite(k.site)
	return k
}

func (k *keySite) publish(t *testing.T, keys ...any) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	k.body.Store(&body)
}

func (b *bundle) fetchedKeyClient(k *keySite, algorithm, path string) string {
	b.t.Helper()
	a := b.registerClient(map[string]any{
		"token_endpoint_auth_method":      "private_key_jwt",
		"jwks_uri":                        k.URL + path,
		"token_endpoint_auth_signing_alg": algorithm,
	})
	if a.status != http.StatusCreated {
		b.t.Fatalf("%d %s", a.status, a.text)
	}
	return a.str(b.t, "client_id")
}

// Regression: fetched keys were not bounded.
func TestFetchedClientKeysAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := newKeySite(t, b)
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	k.publish(t, jwkOf(t, &weak.PublicKey))
	client := b.fetchedKeyClient(k, "RS256", "/weak")
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodRS256, weak, nil)), 401, "invalid_client")

	key := newP256(t)
	many := []any{}
	for range 11 {
		many = append(many, jwkOf(t, &key.PublicKey))
	}
	k.publish(t, many...)
	client = b.fetchedKeyClient(k, "ES256", "/many")
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 401, "invalid_client")

	// Unsupported keys are ignored.
	k.publish(t, map[string]any{"kty": "unheard-of"}, jwkOf(t, &key.PublicKey))
	client = b.fetchedKeyClient(k, "ES256", "/good")
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 400, "invalid_grant")
}

// Regression: failed fetches were not cached.
func TestFailedKeyFetchIsCached(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := newKeySite(t, b)
	key := newP256(t)
	client := b.fetchedKeyClient(k, "ES256", "/keys")
	for range 10 {
		b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 401,
			"invalid_client")
	}
	if got := k.hits.Load(); got != 1 {
		t.Errorf("%d fetches for 10 requests", got)
	}
	k.publish(t, jwkOf(t, &key.PublicKey))
	b.advance(2 * time.Minute)
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 400, "invalid_grant")
	// A new key is found soon, and unknown keys do not cause a fetch for each request.
	k.hits.Store(0)
	next := newP256(t)
	k.publish(t, jwkOf(t, &next.PublicKey))
	b.advance(11 * time.Second)
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, next, nil)), 400, "invalid_grant")
	for range 10 {
		b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 401,
			"invalid_client")
	}
	if got := k.hits.Load(); got != 1 {
		t.Errorf("%d fetches after a rotation", got)
	}
}

// Regression: fetches were not limited by address.
func TestKeyFetchesAreRateLimitedByAddress(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{limiter: limiter(t)})
	k := newKeySite(t, b)
	key := newP256(t)
	refused := 0
	for i := range 30 {
		client := b.fetchedKeyClient(k, "ES256", fmt.Sprintf("/keys/%d", i))
		if a := b.form(
			"/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil),
		); a.status == http.StatusTooManyRequests && a.header.Get("Retry-After") != "" {
			refused++
		}
	}
	if got := k.hits.Load(); got > 15 || refused < 15 {
		t.Errorf("%d fetches, %d refused", got, refused)
	}
}

// Regression: concurrent verifications were not bounded.
func TestConcurrentAssertionVerificationsAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := newP256(t)
	client := b.keyClient("", jwkOf(t, &key.PublicKey)).str(t, "client_id")
	if err := b.s.verifySlots.Acquire(t.Context(), maxConcurrentVerifications()); err != nil {
		t.Fatal(err)
	}
	a := b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil))
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" {
		t.Errorf("while all slots are in use: %d %s", a.status, a.text)
	}
	b.s.verifySlots.Release(maxConcurrentVerifications())
	b.wantError(b.form("/oauth/token", signed(t, b, client, jwt.SigningMethodES256, key, nil)), 400, "invalid_grant")
}

// Regression: the stored copy was used for a day.
func TestGoneDocumentIsNoLongerUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	_, refresh := b.tokens(s.id)
	gone := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	s.respond.Store(&gone)
	b.advance(defaultFreshness + time.Minute)
	b.wantError(b.refresh(s.id, refresh), 401, "invalid_client")
	hits := s.hits.Load()
	b.wantError(b.refresh(s.id, refresh), 401, "invalid_client")
	if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusBadRequest {
		t.Errorf("authorize: %d", a.status)
	}
	if s.hits.Load() != hits {
		t.Error("the document was fetched again immediately")
	}
	unavailable := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	})
	s.respond.Store(&unavailable)
	b.advance(2 * time.Minute)
	b.wantError(b.refresh(s.id, refresh), 401, "invalid_client")
	s.serve(`{"client_id":%q,"client_name":"Documented","redirect_uris":["https://client.example/callback"],` +
		`"grant_types":["authorization_code","refresh_token"]}`)
	b.advance(2 * time.Minute)
	if a := b.refresh(s.id, refresh); a.status != http.StatusOK {
		t.Errorf("published again: %d %s", a.status, a.text)
	}
}

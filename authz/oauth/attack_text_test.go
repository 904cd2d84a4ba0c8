package oauth

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Regression: a NUL caused a 500 in client_id of authorize, token and revoke, in Basic credentials,
// in software_id and in a metadata document.
func TestMalformedParametersNeverCauseAServerError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	secret := b.registerClient(map[string]any{"token_endpoint_auth_method": "client_secret_post"})
	token, refresh := b.tokens(client)
	values := []string{
		"\x00", "a\x00b", "\xff", "\xc3\x28", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufffd", "\u202e", "{", "'", "\\",
		"%00", "-1", "9999999999999999999999", "https://x/\x00", "https://\xff.example/c", "cli_\x00", "rhc_\x00",
		"rhr_\xff", "null", "[]", strings.Repeat("a", 5000), "https://x.example/" + strings.Repeat("%00", 20),
	}
	check := func(where string, a answer) {
		if a.status >= 500 {
			t.Errorf("%s: %d %s", where, a.status, a.text)
		}
	}
	names := func(form url.Values, more ...string) []string {
		for name := range form {
			more = append(more, name)
		}
		return more
	}
	authorization := b.authorization(client)
	consent := b.authorize(authorization, "ada").inputs(t)
	consent.Set("decision", "allow")
	posts := map[string]url.Values{
		"/oauth/token": b.redemption(client, "x"), "/oauth/token#refresh": refreshForm(client, refresh),
		"/oauth/token#secret": {
			"grant_type":    {"refresh_token"},
			"client_id":     {secret.str(t, "client_id")},
			"client_secret": {"x"},
			"refresh_token": {"x"},
		},
		"/oauth/revoke": {"client_id": {client}, "token": {"x"}, "token_type_hint": {"access_token"}},
		"/oauth/introspect": {
			"client_id":     {secret.str(t, "client_id")},
			"client_secret": {secret.str(t, "client_secret")},
			"token":         {token},
		},
		"/oauth/consent": consent,
	}
	for _, value := range values {
		for _, name := range names(authorization, "prompt", "response_mode", "request", "request_uri", "nonce", value) {
			for _, session := range []string{"ada", ""} {
				q := b.authorization(client)
				q.Set(name, value)
				check("authorize "+name, b.authorize(q, session))
			}
		}
		for path, form := range posts {
			path, _, _ := strings.Cut(path, "#")
			for _, name := range names(
				form, "client_assertion", "client_assertion_type", "scope", "code_verifier", "unknown", value,
			) {
				changed := url.Values{}
				for n, v := range form {
					changed[n] = v
				}
				changed.Set(name, value)
				if name == "client_assertion" {
					changed.Set("client_assertion_type", assertionType)
				}
				check(path+" "+name, b.form(path, changed, as("ada")))
			}
			check(path+" basic", b.form(
				path, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"x"}, "token": {"x"}},
				basic(value, value),
			))
			check(path+" basic, not escaped",
				b.form(path, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"x"}, "token": {"x"}},
					func(r *http.Request) { r.SetBasicAuth(value, value) }))
		}
		check("DELETE app", b.request(http.MethodDelete, "/account/api/apps/"+url.PathEscape(value), nil, as("ada")))
		check("GET style", b.request(http.MethodGet, "/oauth/style.css?"+url.QueryEscape(value), nil))
	}
	// JSON may contain an escaped NUL, and bytes that are not UTF-8.
	keys, err := json.Marshal(jwkOf(t, &newP256(t).PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	withKid := strings.Replace(string(keys), `"kid":"k"`, `"kid":"\u0000"`, 1)
	for _, member := range []string{
		"client_name", "client_uri", "redirect_uris", "grant_types", "response_types", "scope",
		"token_endpoint_auth_method", "token_endpoint_auth_signing_alg", "jwks", "jwks_uri", "software_id",
		"software_version", "logo_uri", "contacts", "unknown",
	} {
		for _, value := range []string{
			`"\u0000"`, `["\u0000"]`, `"https://x.example/\u0000"`, "\"\xff\"", "[\"\xff\"]",
			`{"keys":[` + withKid + `]}`, `{"\u0000":1}`, `"\ud800"`, "5", "null",
		} {
			for _, method := range []string{"none", "private_key_jwt"} {
				body := `{"client_name":"x","redirect_uris":["https://client.example/cb"],` +
					`"token_endpoint_auth_method":"` + method + `",` +
					`"jwks":{"keys":[` + string(keys) + `]},"` + member + `":` + value + `}`
				check("register "+member+" "+value, b.request(http.MethodPost, "/oauth/register",
					strings.NewReader(body), header("Content-Type", "application/json")))
			}
		}
	}
	s := newSite(t)
	b.allowSite(s)
	for _, member := range []string{
		`"software_id":"\u0000"`, `"software_version":"\u0000"`, `"client_uri":"https://x/\u0000"`,
		"\"software_id\":\"\xff\"",
	} {
		s.serve(`{"client_id":%q,"client_name":"x","redirect_uris":["https://client.example/callback"],` + member + `}`)
		check("document "+member, b.authorize(b.authorization(s.id), "ada"))
		b.advance(2 * failureTTL)
	}
}

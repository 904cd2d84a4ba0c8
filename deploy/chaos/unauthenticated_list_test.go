//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// Limits, as the table names them.
const (
	byAddress   = "`ADDRESS_RATE` of the address; body 5 MB, 32 MB of all"
	byOAuth     = "`OAUTH_RATE` of the address, half of it of a client there; form 64 KB"
	byConsent   = "`OAUTH_RATE` of the address, `CONSENT_RATE` of the person; query 16 KB"
	byForm      = "form 64 KB"
	byConstant  = "constant answer"
	bySignIn    = "60 in 15 min of the address, 10 of address and account; hashes run a few at once"
	bySignUp    = "30 an hour of the address; hashes run a few at once"
	byMail      = "30 mails an hour of the address, 5 of the account; form 64 KB"
	byShare     = "100 records a page; the statement's time limit; half of the processors for all pages"
	byHeaders   = "headers 64 KB"
	byPassword  = "the token first; " + byForm
	byAssertion = byOAuth + "; 10 keys of 4096 bits, half of the processors at once"
)

// unauthenticatedRequests lists every endpoint that requires no credential. A test in cmd/rowhouse
// compares the table in docs/explanation/reliability.md with the routes.
func (e *environment) unauthenticatedRequests(t *testing.T, p *process) []unauthenticatedRequest {
	t.Helper()
	const form, media = "application/x-www-form-urlencoded", "application/json"
	big := strings.Repeat("x", 63<<10)
	rsa := e.registerClient(t, p, map[string]any{
		"client_name":                     "Chaos",
		"redirect_uris":                   []string{"https://client.example/cb"},
		"token_endpoint_auth_method":      "private_key_jwt",
		"token_endpoint_auth_signing_alg": "RS256",
		"jwks":                            largestKeySet(),
	})
	away := e.registerClient(t, p, map[string]any{
		"client_name":                     "Chaos",
		"redirect_uris":                   []string{"https://client.example/cb"},
		"token_endpoint_auth_method":      "private_key_jwt",
		"token_endpoint_auth_signing_alg": "RS256",
		"jwks_uri":                        "https://keys.invalid/jwks",
	})
	public := e.registerClient(t, p, map[string]any{
		"client_name": "Chaos", "redirect_uris": []string{"https://client.example/cb"},
		"token_endpoint_auth_method": "none",
		"grant_types":                []string{"authorization_code", "urn:ietf:params:oauth:grant-type:device_code"},
	})
	known := rowhousetest.SignUp(t, p.base, "Open", "Test")
	n := e.tenant(t, p)
	for range 3 {
		records := make([]string, 100)
		for i := range records {
			records[i] = fmt.Sprintf(`{"fields":{"Name":%q,"Batch":%q,"Number":%d}}`, strings.Repeat("n", 400),
				strings.Repeat("b", 400), i)
		}
		path := "/api/v1/tables/" + n.table + "/records"
		if status, raw, err := e.request(
			p, http.MethodPost, path, n.key, `{"records":[`+strings.Join(records, ",")+`]}`,
		); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s %v", path, status, raw, err)
		}
	}
	var share struct {
		ID string `json:"publicShareId"`
	}
	if status, raw, err := e.request(p, http.MethodPut, "/api/v1/bases/"+n.base+"/share", n.key, `{}`); err != nil ||
		status != http.StatusOK || json.Unmarshal(raw, &share) != nil || share.ID == "" {
		t.Fatalf("sharing: %d %s %v", status, raw, err)
	}
	keys, err := json.Marshal(largestKeySet())
	if err != nil {
		t.Fatal(err)
	}
	metadata := `{"client_name":"` + strings.Repeat("д", 90) + `","redirect_uris":["https://` +
		strings.Repeat("xn--e1afmkfd.", 15) + `example/cb"],` +
		`"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_signing_alg":"RS256","jwks":` +
		string(keys) + `,"contacts":["` + strings.Repeat("c", 50<<10) + `"]}`
	authorization := url.Values{
		"response_type":         {"code"},
		"client_id":             {public},
		"redirect_uri":          {"https://client.example/cb"},
		"code_challenge":        {strings.Repeat("a", 43)},
		"code_challenge_method": {"S256"},
		"state":                 {strings.Repeat("s", 12<<10)},
	}
	jwt := base64url([]byte(`{"alg":"ES256","typ":"at+jwt","kid":"unknown"}`)) + "." +
		base64url([]byte(`{"iss":"`+p.base+`"}`)) + "." + base64url([]byte(strings.Repeat("s", 64)))
	get := func(path string) func(int) *http.Request {
		return func(int) *http.Request { return newRequest(http.MethodGet, p.base+path, "", "") }
	}
	post := func(path string, values url.Values) func(int) *http.Request {
		return func(int) *http.Request { return newRequest(http.MethodPost, p.base+path, form, values.Encode()) }
	}
	with := func(make func(int) *http.Request, name, value string) func(int) *http.Request {
		return func(i int) *http.Request {
			request := make(i)
			request.Header.Set(name, value)
			return request
		}
	}
	token := func(i int, client string) *http.Request {
		return newRequest(http.MethodPost, p.base+"/oauth/token", form, url.Values{
			"grant_type":            {"refresh_token"},
			"refresh_token":         {"x"},
			"client_assertion":      {forgedAssertion(p.base, client)},
			"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		}.Encode())
	}
	return []unauthenticatedRequest{
		{"/healthz", "as it is", "0", byConstant, false, get("/healthz")},
		{"/readyz", "as it is", "0", "one statement", false, get("/readyz")},
		{"/api/v1/openapi.json", "whole", "0", byConstant, false, get("/api/v1/openapi.json")},
		{"/api/v1", "an unknown API key, a new one each time", "0", byAddress, false, func(int) *http.Request {
			request := newRequest(http.MethodPost, p.base+"/api/v1/tables/"+n.table+"/records", media,
				`{"records":[{"fields":{}}]}`)
			request.Header.Set("x-api-key", "rh_"+randomText(48))
			return request
		}},
		{
			"/api/v1", "a forged access token", "0", byAddress, false,
			with(get("/api/v1/me"), "Authorization", "Bearer "+jwt),
		},
		{"/api/v1", "no credential, 4 MB of body", "0", byAddress, false, func(int) *http.Request {
			return newRequest(http.MethodPost, p.base+"/api/v1/tables/"+n.table+"/records", media,
				`"`+strings.Repeat("x", 4<<20)+`"`)
		}},
		{"/mcp", "no credential, 4 MB of body", "0", byAddress, false, func(int) *http.Request {
			return newRequest(http.MethodPost, p.base+"/mcp", media, `"`+strings.Repeat("x", 4<<20)+`"`)
		}},
		{"/mcp", "a forged access token", "0", byAddress, false, with(func(int) *http.Request {
			return newRequest(http.MethodPost, p.base+"/mcp", media, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		}, "Authorization", "Bearer "+jwt)},
		{
			"/.well-known/oauth-authorization-server", "as it is; `/.well-known/openid-configuration` is the same", "0",
			byConstant, false, get("/.well-known/oauth-authorization-server"),
		},
		{
			"/.well-known/oauth-protected-resource", "as it is; with `/mcp` and `/api/v1` behind it too", "0",
			byConstant, false, get("/.well-known/oauth-protected-resource/mcp"),
		},
		{"/oauth/jwks", "as it is", "0", "keys of the last 5 s", false, get("/oauth/jwks")},
		{"/oauth/style.css", "as it is", "0", byConstant, false, get("/oauth/style.css")},
		{
			"/oauth/authorize", "a query of 13 KB, not signed in",
			"0; a document is fetched for people who are signed in", byConsent, false,
			get("/oauth/authorize?" + authorization.Encode()),
		},
		{
			"/oauth/authorize", "a bad scope, not signed in", "0", byConsent, false,
			get("/oauth/authorize?" + authorization.Encode() + "&scope=" + strings.Repeat("s", 3<<10)),
		},
		{
			"/oauth/consent", "a form of 63 KB, not signed in", "0", byConsent, false,
			post("/oauth/consent", url.Values{"handle": {big}}),
		},
		{
			"/device", "a code, not signed in", "0", byConsent, false, get("/device?user_code=BCDF-GHJK"),
		},
		{
			"/oauth/device_authorization", "a new code", "0", byOAuth + "; the row goes after 70 min", false,
			post("/oauth/device_authorization", url.Values{"client_id": {public}}),
		},
		{
			"/oauth/register", "64 KB with ten RSA keys of 4096 bits", "0",
			"`REGISTRATION_RATE` of the address; 64 KB; the row goes after 24 h unused", false,
			func(int) *http.Request {
				return newRequest(http.MethodPost, p.base+"/oauth/register", media, metadata)
			},
		},
		{
			"/oauth/token", "an assertion that ten RSA keys of 4096 bits are tried with", "0", byAssertion, false,
			func(i int) *http.Request { return token(i, rsa) },
		},
		{
			"/oauth/token", "an assertion of a client whose keys are elsewhere",
			"1 a minute for each address of keys, 32 at once, 1 in 10 s after 10 of an address", byAssertion, false,
			func(i int) *http.Request { return token(i, away) },
		},
		{"/oauth/token", "a made-up code of 8 KB", "0", byOAuth, false, post("/oauth/token", url.Values{
			"grant_type": {"authorization_code"}, "client_id": {public}, "code": {"rhc_" + strings.Repeat("A", 8000)},
			"code_verifier": {strings.Repeat("v", 43)},
		})},
		{"/oauth/token", "a form of 63 KB in 30,000 parts", "0", byOAuth, false, func(int) *http.Request {
			return newRequest(http.MethodPost, p.base+"/oauth/token", form, strings.Repeat("&a", 30<<10))
		}},
		{
			"/oauth/revoke", "a forged access token", "0", byOAuth, false,
			post("/oauth/revoke", url.Values{"client_id": {public}, "token": {jwt}}),
		},
		{
			"/oauth/introspect", "a wrong secret", "0", byOAuth, false,
			post("/oauth/introspect", url.Values{"client_id": {public}, "client_secret": {"x"}, "token": {jwt}}),
		},
		{"/sign-up", "the form", "0", byConstant, false, get("/sign-up")},
		{"/sign-up", "a new person, with mail", "1 mail", bySignUp, true, func(int) *http.Request {
			name := "open-" + strings.ToLower(randomText(12)) + "@example.com"
			return newRequest(http.MethodPost, p.base+"/sign-up", form, url.Values{
				"name":         {"Open"},
				"email":        {name},
				"password":     {randomText(20)},
				"organization": {"Open"},
			}.Encode())
		}},
		{
			"/sign-in", "the form, with a long way back", "0", byHeaders, false,
			get("/sign-in?next=/" + strings.Repeat("n", 12<<10)),
		},
		{"/sign-in", "a wrong password", "0", bySignIn, true, func(int) *http.Request {
			return newRequest(http.MethodPost, p.base+"/sign-in", form,
				url.Values{"email": {randomText(10) + "@example.com"}, "password": {randomText(20)}}.Encode())
		}},
		{"/sign-out", "without a session", "0", byForm, false, post("/sign-out", url.Values{})},
		{
			"/forgot-password", "a known address, with mail", "1 mail", byMail, false,
			post("/forgot-password", url.Values{"email": {known.Email}}),
		},
		{
			"/forgot-password", "63 KB of address", "0", byMail, false,
			post("/forgot-password", url.Values{"email": {big}}),
		},
		{
			"/reset-password", "a made-up token and a long password", "0", byPassword, false,
			post("/reset-password", url.Values{"token": {randomText(40)}, "password": {strings.Repeat("p", 60<<10)}}),
		},
		{
			"/verify-email", "a made-up token", "0", byForm, false,
			post("/verify-email", url.Values{"token": {randomText(40)}}),
		},
		{
			"/change-email", "a made-up token", "0", byForm, false,
			post("/change-email", url.Values{"token": {randomText(40)}}),
		},
		{
			"/invitation", "a made-up token and a password", "0", byPassword, false,
			post("/invitation", url.Values{"token": {randomText(40)}, "name": {"Open"}, "password": {randomText(20)}}),
		},
		{
			"/approve", "without a session", "0", "the session is looked up first; " + byForm, false,
			get("/approve/" + big[:400]),
		},
		{
			"/api/v1/uploads", "a made-up address, 4 MB of body", "0",
			"the seal is checked first; one file of the file limit", false, func(int) *http.Request {
				path := "/api/v1/uploads/" + randomText(400)
				return newRequest(http.MethodPut, p.base+path, media, strings.Repeat("x", 4<<20))
			},
		},
		{
			"/api/v1/downloads", "a made-up address", "0", "the seal is checked first", false,
			get("/api/v1/downloads/" + randomText(400)),
		},
		{"/account", "a redirect to the settings in the application", "0", byConstant, false, get("/account/keys")},
		{
			"/account/api", "a made-up session", "0", byForm, false,
			with(get("/account/api/profile"), "Cookie", "session="+randomText(43)+"; __Host-session="+randomText(43)),
		},
		{"/share", "a page of 100 records", "0", byShare, false, get("/share/" + share.ID)},
		{
			"/share", "100 records as JSON", "0", byShare, false,
			get("/share/" + share.ID + "/tables/" + n.table + "/records"),
		},
		{"/share", "a made-up share", "0", byShare, false, func(int) *http.Request {
			return newRequest(http.MethodGet, p.base+"/share/shr_"+randomText(22), "", "")
		}},
		{
			"/files", "a made-up address", "0", "its seal is checked first; 25 MB a file", false,
			get("/files/" + randomText(400) + "/x.png"),
		},
		{"/static", "the largest stylesheet", "0", byConstant, false, get("/static/page.css")},
		{"/dev/mailbox", "not there outside of development", "0", byConstant, false, get("/dev/mailbox")},
		{
			"/", "the application's page; `/base`, `/org` and `/settings` are the same", "0", byConstant, false,
			get("/base/x"),
		},
		{
			"/docs", "the page of the documentation; `/favicon.svg`, `/theme.js` and `/prefetch.js` are files like it",
			"0", byConstant, false, get("/docs"),
		},
		{
			"/help", "the page with the most text, which is stored compressed and expanded", "0", byConstant, false,
			with(get("/help/reference/formulas"), "Accept-Encoding", "identity"),
		},
		{"anything else", "60 KB of path", "0", byHeaders, false, func(int) *http.Request {
			return newRequest(http.MethodGet, p.base+"/"+strings.Repeat("a/", 25<<10)+fmt.Sprint(time.Now().UnixNano()),
				"", "")
		}},
	}
}

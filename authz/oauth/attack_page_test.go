package oauth

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Attacks through pages and redirects.

func punycode(t *testing.T, host string) string {
	t.Helper()
	ascii, err := idna.Punycode.ToASCII(host)
	if err != nil {
		t.Fatal(err)
	}
	return ascii
}

// Fails without checkHost in documentURL and in checkRedirect.
func TestHomographHostIsRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const mixed = "\u0430pple.com" // а is Cyrillic
	for _, host := range []string{
		mixed, "%D0%B0pple.com", punycode(t, mixed), "xn--", "xn--a-ecp.ru", "apple..com", "-apple.com", "apple.com.",
		"app\u2024le.com", "a\u200bpple.com",
	} {
		id := "https://" + host + "/client.json"
		if a := b.authorize(b.authorization(id), "ada"); a.status != http.StatusBadRequest ||
			!strings.Contains(a.text, "host") {
			t.Errorf("a document at %q: %d %s", host, a.status, a.text)
		}
		a := b.registerClient(map[string]any{"redirect_uris": []string{"https://" + host + "/cb"}})
		if a.status != http.StatusBadRequest || a.str(t, "error") != "invalid_redirect_uri" {
			t.Errorf("a redirect to %q: %d %s", host, a.status, a.text)
		}
	}
}

// Hosts that were stored before hosts were checked are shown in ASCII or not at all.
func TestHostIsShownInASCII(t *testing.T) {
	t.Parallel()
	b := setup(t)
	honest := punycode(t, "пример.рф")
	b.callback = "https://" + honest + "/cb"
	page := b.authorize(b.authorization(b.newClient()), "ada")
	if page.status != http.StatusOK || !strings.Contains(page.text, honest) ||
		!strings.Contains(page.text, "An address in another script") {
		t.Errorf("a genuine name in another script: %d %s", page.status, page.text)
	}
	client := &Client{ID: "https://\u0430pple.com/client.json", Kind: kindDocument}
	if got := client.Domain(); got != "xn--pple-43d.com" {
		t.Errorf("a stored document is shown as of %q", got)
	}
	target, err := url.Parse("https://%D0%B0pple.com:8443/cb")
	if err != nil || shownHost(target) != "xn--pple-43d.com:8443" {
		t.Errorf("a stored redirect is shown as %q %v", shownHost(target), err)
	}
	b.callback = "https://client.example/callback"
	stored := b.newClient()
	b.exec(`update rowhouse.oauth_client
		set metadata = jsonb_set(metadata, '{redirect_uris}', '["https://%D0%B0pple.com/cb"]') where id = $1`, stored)
	q := b.authorization(stored)
	q.Set("redirect_uri", "https://%D0%B0pple.com/cb")
	if a := b.authorize(q, "ada"); a.status != http.StatusBadRequest {
		t.Errorf("a redirect that was registered before: %d", a.status)
	}
}

// Fails without mixesScripts in checkName.
func TestClientNameCannotMixScripts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{
		"\u0410pple", "Cl\u0430ude", "Row\u0570ouse", "G\u03bfogle Sheets", "𝐀\u0440\u0440le",
	} {
		b.wantError(b.registerClient(map[string]any{"client_name": name}), 400, "invalid_client_metadata")
	}
	for name, want := range map[string]string{
		"Яндекс Browser":                         "Яндекс Browser",
		"日本語アプリ App":                             "日本語アプリ App",
		"𝐂𝐥𝐚𝐮𝐝𝐞":                                 "Claude",
		"Ｃｌａｕｄｅ":                                 "Claude",
		"Café 3":                                 "Café 3",
		"Re\u3164port\u034f\u2800s":              "Reports",
		"한국어 앱":                                  "한국어 앱",
		"Z" + strings.Repeat("\u0335", 50) + "x": "Z\u0335\u0335\u0335\u0335x",
	} {
		a := b.registerClient(map[string]any{"client_name": name})
		if a.status != http.StatusCreated || a.str(t, "client_name") != want {
			t.Errorf("%q: %d %q", name, a.status, a.str(t, "client_name"))
		}
	}
	// A word that looks Latin may be genuine. It gets a warning.
	page := b.authorize(
		b.authorization(b.registerClient(map[string]any{"client_name": "\u0421\u043e\u0440"}).str(t, "client_id")),
		"ada",
	)
	if !strings.Contains(page.text, "Cyrillic letters that look like Latin") {
		t.Errorf("no warning: %s", page.text)
	}
	if page := b.authorize(
		b.authorization(b.newClient()), "ada",
	); strings.Contains(page.text, "Look at the name twice") {
		t.Error("a Latin name has a warning")
	}
}

// Regression: the document was accepted.
func TestClientMetadataDocumentRequiresAName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	for _, name := range []string{``, `"client_name":"",`, `"client_name":" \u200b ",`, `"client_name":"\u0410pple",`} {
		s.serve(`{"client_id":%q,` + name + `"redirect_uris":["https://client.example/callback"]}`)
		if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d", name, a.status)
		}
		b.advance(2 * failureTTL)
	}
}

// Regression: each request redirected to an address that an attacker had just registered (RFC 9700
// section 4.11.2).
func TestErrorDoesNotRedirectToAnUnapprovedClient(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	for name, c := range map[string]struct {
		change   func(url.Values)
		sessions []string
		want     string
	}{
		"a bad scope": {
			func(q url.Values) { q.Set("scope", "bad") }, []string{"", "ada"}, "invalid_scope",
		},
		"a bad response type": {
			func(q url.Values) { q.Set("response_type", "token") }, []string{"", "ada"}, "unsupported_response_type",
		},
		"silently, not signed in": {func(q url.Values) { q.Set("prompt", "none") }, []string{""}, "login_required"},
		"silently, without a yes": {
			func(q url.Values) { q.Set("prompt", "none") }, []string{"ada"}, "consent_required",
		},
		"a request of many states": {
			func(q url.Values) { q.Add("state", "again") }, []string{"", "ada"}, "invalid_request",
		},
	} {
		for _, session := range c.sessions {
			q := b.authorization(client)
			c.change(q)
			a := b.authorize(q, session)
			to, back := a.returnLink(t)
			if to != b.callback || back.Get("error") != c.want || back.Get("iss") != b.base ||
				!strings.Contains(a.text, "client.example") {
				t.Errorf("%s as %q: %s %v", name, session, to, back)
			}
			if a.header.Get("Referrer-Policy") != "no-referrer" || a.header.Get("X-Frame-Options") != "DENY" {
				t.Errorf("%s: %v", name, a.header)
			}
		}
	}
	q := b.authorization(client)
	q.Set("scope", "Your-account-is-locked-call-555-0100")
	if a := b.authorize(q, "ada"); strings.Contains(strings.SplitN(a.text, `<p class="hint to">`, 2)[0], "555") {
		t.Error("the page repeats what the client sent")
	}
	// A client that the person has authorized gets the error by redirect (RFC 6749 section
	// 4.1.2.1).
	b.tokens(client)
	q = b.authorization(client)
	q.Set("scope", "bad")
	if to, back := b.authorize(q, "ada").location(t); to != b.callback || back.Get("error") != "invalid_scope" {
		t.Errorf("a client of the person's: %s %v", to, back)
	}
	q = b.authorization(client)
	q.Set("prompt", "none")
	q.Set("scope", "schema:read")
	if to, back := b.authorize(q, "ada").location(t); to != b.callback || back.Get("error") != "consent_required" {
		t.Errorf("a client of the person's, silently: %s %v", to, back)
	}
	// For another person, and after a revocation, the client is not authorized.
	b.sessions.signIn("eve", tenancyPerson(t, b))
	b.authorize(q, "eve").returnLink(t)
	b.authorize(q, "").returnLink(t)
	if err := b.s.RevokeApps(t.Context(), b.person); err != nil {
		t.Fatal(err)
	}
	b.authorize(q, "ada").returnLink(t)
}

// The template must not escape a private-use scheme.
func TestReturnLinkWorksForPrivateUseSchemes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.callback = "com.example.app:/cb"
	q := b.authorization(b.newClient())
	q.Set("scope", "bad")
	if to, back := b.authorize(q, "ada").returnLink(t); to != b.callback || back.Get("error") != "invalid_scope" {
		t.Errorf("%s %v", to, back)
	}
}

// Regression: each could be registered, and the response had the parameter twice.
func TestRedirectURICannotContainResponseParameters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, query := range []string{
		"iss=https://evil.example", "code=stolen", "x=1&state=fixed", "error=access_denied", "%69ss=x", "a=1;iss=x",
	} {
		for _, base := range []string{"https://client.example/cb?", "http://127.0.0.1/cb?", "com.example.app:/cb?"} {
			a := b.registerClient(map[string]any{"redirect_uris": []string{base + query}})
			if a.status != http.StatusBadRequest || a.str(t, "error") != "invalid_redirect_uri" {
				t.Errorf("%s%s: %d %s", base, query, a.status, a.text)
			}
		}
	}
	b.callback = "https://client.example/cb?tenant=5"
	back := b.consent(b.authorization(b.newClient()), "ada")
	if back.Get("tenant") != "5" || len(back["code"]) != 1 || len(back["iss"]) != 1 {
		t.Errorf("%v", back)
	}
	b.callback = "https://client.example/callback"
	client := b.newClient()
	b.exec(`update rowhouse.oauth_client set metadata = jsonb_set(metadata, '{redirect_uris}',
		'["https://client.example/cb?iss=x"]') where id = $1`, client)
	q := b.authorization(client)
	q.Set("redirect_uri", "https://client.example/cb?iss=x")
	if a := b.authorize(q, "ada"); a.status != http.StatusBadRequest {
		t.Errorf("registered before: %d", a.status)
	}
}

// Regression: a public client with a native redirect URI was approved again without consent.
func TestPublicNativeClientRequiresConsentEachTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for callback, silent := range map[string]bool{
		"com.example.app:/cb": false, "http://127.0.0.1:4000/cb": false, "http://localhost/cb": false,
		"https://client.example/callback": true,
	} {
		b.callback = callback
		client := b.newClient()
		b.code(client)
		if got := b.authorize(b.authorization(client), "ada").status == http.StatusSeeOther; got != silent {
			t.Errorf("%s: approved again without consent: %v", callback, got)
		}
	}
}

// Regression: every scope was listed, and later only the read scopes, so that no client ever got to
// write.
func TestMetadataListsTheScopesToRequestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := "data:read data:write schema:read schema:write"
	for path, want := range map[string]string{
		resourceWellKnown: "mcp:tools " + data, resourceWellKnown + "/mcp": "mcp:tools " + data,
		resourceWellKnown + "/mcp/": "mcp:tools " + data, resourceWellKnown + "/api/v1": data,
		serverWellKnown: "mcp:tools " + data,
	} {
		var metadata struct {
			Scopes []string `json:"scopes_supported"`
		}
		if err := json.Unmarshal([]byte(b.request(http.MethodGet, path, nil).text), &metadata); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if got := strings.Join(metadata.Scopes, " "); got != want {
			t.Errorf("%s lists %s", path, got)
		}
	}
}

// Regression: each request stored a row, and with a remembered consent a grant and an audit event.
func TestAuthorizationRequestsStoreNoRows(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)})
	client := b.newClient()
	rows := func() (total int) {
		for _, table := range []string{"oauth_question", "oauth_grant", "oauth_consent", "oauth_client"} {
			total += b.count(table)
		}
		return total + len(tenancytest.Actions(t, b.db, b.org))
	}
	before := rows()
	for range 50 {
		if a := b.authorize(b.authorization(client), "ada"); a.status != http.StatusOK {
			t.Fatal(a.text)
		}
	}
	if got := rows(); got != before {
		t.Errorf("50 consent pages stored %d rows", got-before)
	}
	b.tokens(client)
	before = rows()
	for range 50 {
		if a := b.authorize(b.authorization(client), "ada"); a.status != http.StatusSeeOther {
			t.Fatal(a.text)
		}
	}
	if got := rows(); got != before {
		t.Errorf("50 remembered consents stored %d rows", got-before)
	}
}

// Regression: there was no rate limit.
func TestAuthorizationRequestsAreRateLimited(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]Rates{
		"address": {Authorize: limit.Rate{PerSecond: 0.1, Burst: 10}},
		"person":  {Person: limit.Rate{PerSecond: 0.1, Burst: 10}},
	} {
		b := setupWith(t, options{limiter: limiter(t), rates: rates})
		client := b.newClient()
		refused := 0
		for range 20 {
			if a := b.authorize(b.authorization(client), "ada"); a.status == http.StatusTooManyRequests &&
				a.header.Get("Retry-After") != "" {
				refused++
			}
		}
		if refused < 9 {
			t.Errorf("%s: %d of 20 refused", name, refused)
		}
		if a := b.form(
			"/oauth/consent", url.Values{"handle": {"x"}}, as("ada"),
		); a.status != http.StatusTooManyRequests {
			t.Errorf("%s: the response to a form is %d", name, a.status)
		}
		b.sessions.signIn("eve", tenancyPerson(t, b))
		if a := b.authorize(b.authorization(client), "eve"); (a.status == http.StatusOK) != (name == "person") {
			t.Errorf("%s: another person: %d", name, a.status)
		}
	}
}

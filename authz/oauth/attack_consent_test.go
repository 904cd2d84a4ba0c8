package oauth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Attacks against consent. Each test names the check without which it fails.

func (b *bundle) wantFormRejected(t *testing.T, name string, a answer) {
	t.Helper()
	if (a.status != http.StatusBadRequest && a.status != http.StatusForbidden) || a.header.Get("Location") != "" {
		t.Errorf("%s: %d to %q", name, a.status, a.header.Get("Location"))
	}
}

// Fails without the session, the person and the insert in consentStore.consume.
func TestConsentRequiresItsOwnUnusedHandle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	b.sessions.signIn("eve", tenancytest.Person(t, b.db))
	form := b.authorize(b.authorization(client), "ada").inputs(t)
	form.Set("decision", "allow")

	without := url.Values{"decision": {"allow"}, "scope": form["scope"], "org": form["org"]}
	b.wantFormRejected(t, "without a handle", b.form("/oauth/consent", without, as("ada")))
	without.Set("handle", "made-up")
	b.wantFormRejected(t, "with a made-up handle", b.form("/oauth/consent", without, as("ada")))
	b.wantFormRejected(t, "with another person's handle", b.form("/oauth/consent", form, as("eve")))
	b.wantFormRejected(t, "signed out", b.form("/oauth/consent", form))
	if a := b.form("/oauth/consent", form, as("ada")); a.status != http.StatusSeeOther {
		t.Fatalf("a rejected form used up the handle: %d", a.status)
	}
	b.wantFormRejected(t, "with a used handle", b.form("/oauth/consent", form, as("ada")))

	q := b.authorization(b.newClient())
	form = b.authorize(q, "ada").inputs(t)
	form.Set("decision", "allow")
	b.advance(consentFormLife + time.Second)
	b.wantFormRejected(t, "with an old handle", b.form("/oauth/consent", form, as("ada")))
}

// Fails without the session in consentStore.consume.
func TestConsentFormIsInvalidAfterANewSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// An attacker submits the form in a session that was planted before the person signed in.
	b.sessions.signIn("fixed", b.person)
	form := b.authorize(b.authorization(b.newClient()), "fixed").inputs(t)
	form.Set("decision", "allow")
	b.sessions.signIn("after", b.person)
	b.wantFormRejected(t, "from another session of the same person", b.form("/oauth/consent", form, as("after")))
}

// Fails without the person in consentStore.consume.
func TestConsentFormIsInvalidForAnotherAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := b.authorize(b.authorization(b.newClient()), "ada").inputs(t)
	form.Set("decision", "allow")
	form.Set("org", allOrgs)                              // valid for every person
	b.sessions.signIn("ada", tenancytest.Person(t, b.db)) // the same cookie value, another person
	b.wantFormRejected(t, "answered by another account", b.form("/oauth/consent", form, as("ada")))
}

// Fails without CrossOriginProtection in handleConsent.
func TestCrossSiteConsentFormIsRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, change := range []func(*http.Request){
		header("Sec-Fetch-Site", "cross-site"), header("Origin", "https://evil.example"),
	} {
		form := b.authorize(b.authorization(b.newClient()), "ada").inputs(t)
		form.Set("decision", "allow")
		b.wantFormRejected(t, "cross-site", b.form("/oauth/consent", form, as("ada"), change))
	}
}

// Fails without frame-ancestors, and each of the headers, in render.
func TestConsentPageForbidsFramesAndScripts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.authorize(b.authorization(b.newClient()), "ada")
	policy := a.header.Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self' https://client.example",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %q: %s", part, policy)
		}
	}
	for name, want := range map[string]string{
		"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if strings.Contains(a.text, "<script") || strings.Contains(a.text, "style=") ||
		strings.Contains(a.text, " on") && strings.Contains(a.text, "onclick") {
		t.Error("the page has a script or an inline style")
	}
}

// Fails with a host copied into formActionSource unchecked.
func TestRedirectURICannotInjectIntoTheContentSecurityPolicy(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://client.example/cb":       "https://client.example",
		"http://127.0.0.1:8000/cb":        "http://127.0.0.1:8000",
		"http://[::1]:8000/cb":            "http:",
		"com.example.app:/cb":             "com.example.app:",
		"https://a.example;script-src/cb": "https:",
		"https://a,b/cb":                  "https:",
		"https://*/cb":                    "https:",
		"https://a'b/cb":                  "https:",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := formActionSource(u); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// Fails without normalizeName, and with template.HTML in place of string in consentPage.
func TestClientNameIsEscapedAndNormalized(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, want := range map[string]string{
		`<script>alert(1)</script>`:          `&lt;script&gt;alert(1)&lt;/script&gt;`,
		`"><img src=x onerror=alert(1)>`:     `&#34;&gt;&lt;img src=x onerror=alert(1)&gt;`,
		"Claude\u202egnp.exe":                `Claudegnp.exe`,
		"Row\u200bhouse\u2066 \u00adSupport": `Rowhouse Support`,
		"two\nlines\tand\x07 bell":           `two lines and bell`,
		"   ":                                `An application without a name`,
		strings.Repeat("long ", 39):          `…`,
	} {
		client := b.registerClient(map[string]any{"client_name": name}).str(t, "client_id")
		a := b.authorize(b.authorization(client), "ada")
		if !strings.Contains(a.text, want) || strings.Contains(a.text, "<script>alert") ||
			strings.Contains(a.text, "<img src=x") || strings.ContainsAny(a.text, "\u202e\u200b\u2066") {
			t.Errorf("%q: not shown as %q", name, want)
		}
	}
	b.wantError(b.registerClient(map[string]any{"client_name": strings.Repeat("x", 10<<10)}), 400,
		"invalid_client_metadata")
}

// Fails without ClientID in consentSubject.
func TestNewClientIDWithAKnownNameRequiresConsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.code(b.newClient())
	if a := b.authorize(b.authorization(b.newClient()), "ada"); a.status != http.StatusOK ||
		!strings.Contains(a.text, "Unverified") {
		t.Fatalf("not asked: %d", a.status)
	}
}

// Fails without the comparison of Registered in handleConsent.
func TestConsentFormOfAChangedClientIsRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	form := b.authorize(b.authorization(client), "ada").inputs(t)
	form.Set("decision", "allow")
	b.exec(`update rowhouse.oauth_client
		set metadata = jsonb_set(metadata, '{redirect_uris}', '["https://moved.example/cb"]') where id = $1`, client)
	b.wantFormRejected(t, "redirect changed", b.form("/oauth/consent", form, as("ada")))
}

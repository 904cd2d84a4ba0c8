package web_test

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/web"
)

const password = "seven calm houses"

// A site serves the pages over a real database, as one process does.
type site struct {
	*httptest.Server
	*credentialtest.Process
	accounts *account.Service
	keys     *apikey.Service
	mailbox  *mailer.Box
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{Process: credentialtest.Start(t, tenancytest.RedisURL(t)), mailbox: &mailer.Box{}}
	var handler http.Handler
	dispatch := func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }
	s.Server = httptest.NewServer(http.HandlerFunc(dispatch))
	s.keys = apikey.New(apikey.Deps{DB: s.DB, Cache: s.Cache, Log: s.Log})
	jobs := jobtest.Open(t, account.Queues())
	s.accounts = account.New(account.Deps{
		DB: s.DB, Cache: s.Cache, Redis: s.Redis, Jobs: jobs, Mailer: s.mailbox, BaseURL: s.URL, Log: s.Log,
		RevokeCredentials: func(
			ctx context.Context, tx pgx.Tx, person uuid.UUID, what account.RevocationScope,
		) (func(), error) {
			if what == account.UnredeemedCodes {
				return func() {}, nil
			}
			return s.keys.RevokeAll(ctx, tx, person)
		},
		// It gives each browser its own rate limit.
		Address: func(r *http.Request) string { return r.Header.Get("User-Agent") },
	})
	jobtest.Start(t, jobs)
	handler = web.Handler(web.Deps{
		Accounts: s.accounts, Keys: s.keys, BaseURL: s.URL, Home: "/account", Mailbox: s.mailbox.Mail, Log: s.Log,
		Schema: catalog.NewStore(s.DB, catalog.Options{Rights: s.keys}),
	})
	t.Cleanup(func() {
		s.Close()
		s.accounts.Close(context.Background())
		s.keys.Close(context.Background())
	})
	return s
}

// A browser has its own cookies and User-Agent.
type browser struct {
	*site
	client *http.Client
	agent  string
}

func (s *site) newBrowser() *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{s, &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, uuid.NewString()}
}

// A page is a response to a browser.
type page struct {
	status   int
	header   http.Header
	body     string
	location string // of a redirect
}

func (v *browser) send(t *testing.T, method, path, contentType, body string, headers ...string) page {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", v.agent)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := v.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return page{res.StatusCode, res.Header, string(text), res.Header.Get("Location")}
}

func (v *browser) get(t *testing.T, path string) page {
	t.Helper()
	return v.send(t, http.MethodGet, path, "", "")
}

func (v *browser) post(t *testing.T, path string, values ...string) page {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Add(values[i], values[i+1])
	}
	return v.send(t, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
}

// wantPage fails unless the page has the status and contains the texts.
func (p page) wantPage(t *testing.T, status int, texts ...string) page {
	t.Helper()
	if p.status != status {
		t.Fatalf("status %d, want %d (to %q): %s", p.status, status, p.location, p.body)
	}
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(p.body), text) {
			t.Fatalf("no %q in: %s", text, p.body)
		}
	}
	return p
}

// wantRedirect fails unless the response redirects to the path with status 303.
func (p page) wantRedirect(t *testing.T, to string) page {
	t.Helper()
	if p.status != http.StatusSeeOther || p.location != to {
		t.Fatalf("status %d to %q, want %q: %s", p.status, p.location, to, p.body)
	}
	return p
}

func newEmail() string { return uuid.NewString() + "@example.com" }

func (v *browser) signUp(t *testing.T) (email string) {
	t.Helper()
	email = newEmail()
	v.post(t, "/sign-up", "name", "Kari Nordmann", "organization", "Nordmann & Co", "email", email, "password",
		password).wantRedirect(t, "/account")
	return email
}

func (s *site) waitForMail(t *testing.T, to, subject string) (path string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, m := range s.mailbox.Mail() {
			if m.To == to && strings.Contains(m.Subject, subject) {
				return strings.TrimPrefix(regexp.MustCompile(`http://\S+`).FindString(m.Text), s.URL)
			}
		}
	}
	t.Fatalf("no mail with subject %q was sent to %s", subject, to)
	return ""
}

func TestSignUpSignInSignOut(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	v.call(t, "GET", "/profile", "", 401, nil)
	v.get(t, "/sign-up?next=%2Faccount%2Fkeys").wantPage(t, 200, "Create your account",
		`name="next" value="/account/keys"`)
	email := v.signUp(t)
	var profile struct {
		Name, Email   string
		EmailVerified bool
	}
	v.call(t, "GET", "/profile", "", 200, &profile)
	if profile.Name != "Kari Nordmann" || profile.Email != email || profile.EmailVerified {
		t.Errorf("%+v", profile)
	}
	v.get(t, "/sign-in?next=/account/keys").wantRedirect(t, "/account/keys")
	v.post(t, "/sign-out").wantRedirect(t, "/sign-in?after=sign-out")
	v.call(t, "GET", "/profile", "", 401, nil)
	v.post(t, "/sign-in", "email", email, "password", "wrong wrong", "next", "/account/keys").
		wantPage(t, 401, "The e-mail address or the password is wrong.", email, `value="/account/keys"`)
	v.post(t, "/sign-in", "email", email, "password", password, "next", "/account/keys").
		wantRedirect(t, "/account/keys")
}

func TestInvalidFormShowsErrorsAndKeepsInput(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	p := v.post(
		t, "/sign-up", "name", `"><script>alert(1)</script>`, "organization", "", "email", "kari", "password",
		"hush hush",
	).wantPage(t,
		400, "Must not be empty.", "Must be an e-mail address", "Must be at least 10 characters", `value="kari"`,
		`aria-invalid="true"`)
	if strings.Contains(p.body, "hush hush") {
		t.Error("the page contains the password")
	}
	if strings.Contains(p.body, "<script") {
		t.Error("input became markup")
	}
	email := v.signUp(t)
	other := v.newBrowser()
	other.post(t, "/sign-up", "name", "Eve", "organization", "Eve", "email", email, "password", "eight tall fences").
		wantPage(t, 409, "has an account already")
	other.post(t, "/sign-up", "name", strings.Repeat("x", 70_000)).wantPage(t, 413)
	other.send(t, "POST", "/sign-up", "application/x-www-form-urlencoded", "name=%zz").wantPage(t, 400)
}

func TestResubmittedFormIsIdempotent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	email := newEmail()
	visitors := []*browser{s.newBrowser(), s.newBrowser()}
	var group sync.WaitGroup
	for _, v := range visitors {
		group.Go(func() {
			if p := v.post(
				t, "/sign-up", "name", "Ola", "organization", "Ola", "email", email, "password", password,
			); p.location != "/account" {
				t.Errorf("%d %s", p.status, p.body)
			}
		})
	}
	group.Wait()
	for _, v := range visitors {
		v.call(t, "GET", "/profile", "", 200, nil)
	}
}

func TestCrossOriginPostIsForbidden(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	v.signUp(t)
	const form = "application/x-www-form-urlencoded"
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		{"Sec-Fetch-Site", "", "Origin", "null"},
	} {
		for _, path := range []string{
			"/sign-out", "/sign-in", "/sign-up", "/reset-password", "/account/api/keys", "/account/api/password",
		} {
			if p := v.send(t, "POST", path, form, "name=x", headers...); p.status != 403 {
				t.Errorf("%v %s: %d", headers, path, p.status)
			}
		}
	}
	v.call(t, "GET", "/profile", "", 200, nil)
}

func TestNextParameterNeverLeavesSite(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	email := s.newBrowser().signUp(t)
	cases := map[string]string{
		"/account/keys?x=1#y":   "/account/keys?x=1#y",
		"":                      "/account",
		"https://evil.example/": "/account",
		"//evil.example":        "/account",
		`/\evil.example`:        "/account",
		`\/evil.example`:        "/account",
		"/\t/evil.example":      "/account",
		"/\n/evil.example":      "/account",
		" //evil.example":       "/account",
		"javascript:alert(1)":   "/account",
		"/%2F/evil.example":     "/account",
		"evil.example":          "/account",
		"/%":                    "/account",
		"///evil.example":       "/account",
	}
	for next, want := range cases {
		v := s.newBrowser()
		if p := v.post(t, "/sign-in", "email", email, "password", password, "next", next); p.location != want {
			t.Errorf("next=%q leads to %q", next, p.location)
		}
		if p := v.get(t, "/sign-in?next="+url.QueryEscape(next)); p.location != want {
			t.Errorf("signed in, next=%q leads to %q", next, p.location)
		}
	}
}

func TestPasswordResetByMail(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	owner, v := s.newBrowser(), s.newBrowser()
	email := owner.signUp(t)
	known := v.post(t, "/forgot-password", "email", email).wantRedirect(t, "/forgot-password?sent=1")
	unknown := v.post(t, "/forgot-password", "email", newEmail()).wantRedirect(t, "/forgot-password?sent=1")
	if known.body != unknown.body {
		t.Error("the answers differ")
	}
	v.get(t, "/forgot-password?sent=1").wantPage(t, 200, "If there is an account")
	v.post(t, "/forgot-password", "email", "kari").wantPage(t, 400, "Must be an e-mail address")
	link := s.waitForMail(t, email, "Reset")
	v.get(t, link).wantPage(t, 200, email)
	v.get(t, link).wantPage(t, 200, email) // opening the link does not use it up
	token := strings.TrimPrefix(link, "/reset-password?token=")
	v.post(t, "/reset-password", "token", token, "password", "short").wantPage(t, 400, "Must be at least", token)
	v.post(t, "/reset-password", "token", token, "password", "nine calm houses").wantRedirect(t, "/account")
	if !verified(t, v) {
		t.Error("a reset by mail does not verify the address")
	}
	owner.call(t, "GET", "/profile", "", 401, nil)
	v.get(t, link).wantPage(t, 404, "This link does not work any more")
	v.post(t, "/reset-password", "token", token, "password", "ten calm houses").wantPage(t, 404)
}

func TestEmailVerificationByMail(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	email := v.signUp(t)
	link := s.waitForMail(t, email, "Confirm")
	v.get(t, link).wantPage(t, 200, email)
	if verified(t, v) {
		t.Error("verified before the link was used")
	}
	v.post(t, "/verify-email", "token", strings.TrimPrefix(link, "/verify-email?token=")).
		wantRedirect(t, "/verify-email?done=1")
	v.get(t, "/verify-email?done=1").wantPage(t, 200, "is confirmed")
	if !verified(t, v) {
		t.Error("still not verified")
	}
	v.get(t, link).wantPage(t, 404)
	v.get(t, "/dev/mailbox").wantPage(t, 200, "Confirm your e-mail address", `<a href="`+s.URL+link)
}

func (s *site) invitation(t *testing.T, org, by uuid.UUID, email string, role organization.Role) (path string) {
	t.Helper()
	token := uuid.NewString()
	hash := credential.HashOf(token)
	err := s.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			`insert into rowhouse.invitation (org_id, id, email, role, token_hash, invited_by, expires_at)
			values ($1, $2, $3, $4, $5, $6, now() + interval '1 hour')`, org, id.New(), email, role, hash[:], by)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return "/invitation?token=" + token
}

func (s *site) wantRole(t *testing.T, email string, org uuid.UUID, role organization.Role) {
	t.Helper()
	orgs, err := s.keys.Orgs(t.Context(), s.personIDOf(t, email))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(orgs, func(o apikey.Org) bool { return o.ID == org && o.Role == role }) {
		t.Errorf("%s is not %s: %+v", email, role, orgs)
	}
}

func TestInvitationAcceptedByNewAndExistingPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	org, owner := tenancytest.Org(t, s.DB)
	invited, email := s.newBrowser(), newEmail()
	path := s.invitation(t, org, owner, email, organization.Editor)
	invited.get(t, path).wantPage(t, 200, "Join Test Organization", "Test Person invites you", email,
		"Create account and join")
	token := strings.TrimPrefix(path, "/invitation?token=")
	invited.post(t, "/invitation", "token", token, "name", "", "password", password).
		wantPage(t, 400, "Must not be empty", email)
	invited.post(t, "/invitation", "token", token, "name", "Per", "password", password).wantRedirect(t, "/account")
	invited.call(t, "GET", "/profile", "", 200, nil)
	s.wantRole(t, email, org, organization.Editor)
	invited.get(t, path).wantPage(t, 404)

	old, other := s.newBrowser(), s.newBrowser()
	email = old.signUp(t)
	other.signUp(t)
	path = s.invitation(t, org, owner, email, organization.Viewer)
	token = strings.TrimPrefix(path, "/invitation?token=")
	s.newBrowser().get(t, path).wantPage(t, 200, "Sign in to join", "/sign-in?email=")
	other.get(t, path).wantPage(t, 200, "Sign out and continue")
	other.post(t, "/invitation", "token", token).wantPage(t, 403, "This invitation is for "+email)
	other.post(t, "/sign-out", "next", path).wantRedirect(t, path)
	old.get(t, path).wantPage(t, 200, "You are signed in as "+email)
	old.post(t, "/invitation", "token", token).wantRedirect(t, "/account")
	s.wantRole(t, email, org, organization.Viewer)
}

func TestPagesSendSecurityHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.signUp(t)
	for _, path := range []string{
		"/account", "/account/keys", "/forgot-password", "/sign-out", "/dev/mailbox", "/account/nothing",
	} {
		p := v.get(t, path)
		h := p.header
		if h.Get("Content-Security-Policy") != web.PagePolicy || h.Get("X-Frame-Options") != "DENY" ||
			h.Get("Cache-Control") != "no-store" ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, h)
		}
		if strings.Contains(p.body, "<script") || strings.Contains(p.body, "style=") ||
			strings.Contains(p.body, " onclick") {
			t.Errorf("%s: the page contains something that the policy blocks", path)
		}
	}
	// Only a form that continues an authorization may redirect to a client's URL.
	out := s.newBrowser()
	if policy := out.get(
		t, "/sign-in?next=%2Foauth%2Fauthorize%3Fclient_id%3Dx",
	).header.Get("Content-Security-Policy"); strings.Contains(policy, "form-action") {
		t.Error(policy)
	}
	policy := out.get(t, "/sign-in?next=%2Faccount").header.Get("Content-Security-Policy")
	if policy != web.PagePolicy {
		t.Error(policy)
	}
	css := regexp.MustCompile(`href="(/static/page\.css[^"]+)"`).FindStringSubmatch(v.get(t, "/forgot-password").body)
	p := v.get(t, css[1]).wantPage(t, 200, "@media (prefers-color-scheme: dark)", "--accent", "hanken-grotesk")
	if strings.Contains(p.body, "data-theme") || !strings.Contains(p.header.Get("Cache-Control"), "immutable") {
		t.Error("the style sheet is wrong: theme or Cache-Control")
	}
	v.get(t, "/static/font/hanken-grotesk-latin-wght-normal.woff2").wantPage(t, 200)
	v.get(t, "/static/../page.go").wantPage(t, 404)
}

package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// A world is a running service with the person who uses it.
type world struct {
	*caller // with an API key of the owner that carries every scope
	service *rowhousetest.Service
	owner   *person
	secret  string // the key
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{service: rowhousetest.Start(t)}
	w.caller = &caller{
		t:        t,
		contract: readContract(t, w.service.BaseURL),
		baseURL:  w.service.BaseURL,
		http:     &http.Client{},
	}
	w.owner = w.signUp(t)
	w.confirm(t, w.owner)
	w.caller, w.secret = w.owner.caller, w.owner.secret
	return w
}

// A person has signed up and has one organization, a session, and an API key with every scope.
type person struct {
	id, email, password string
	org                 string
	bases               int     // that the organization had at the beginning
	session             *caller // as the application calls: with the session's cookie
	caller              *caller // with the key
	secret              string  // the key
}

var allScopes = []string{
	"data:read", "data:write", "schema:read", "schema:write", "members:read", "members:manage", "mcp:tools",
}

// signUp signs a person up on the sign-up page.
func (w *world) signUp(t *testing.T) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	mark := strings.ToLower(rand.Text()[:10])
	p := &person{email: mark + "@example.com", password: rand.Text()}
	session := *w.caller.in(t)
	session.header, session.http = http.Header{}, &http.Client{Jar: jar}
	p.session = &session
	page := p.open(t, "/sign-up")
	for _, name := range []string{"name", "email", "password", "organization"} {
		if !strings.Contains(page, `name="`+name+`"`) {
			t.Errorf("the page to sign up does not ask for %s", name)
		}
	}
	p.submit(t, "/sign-up", url.Values{
		"name":         {"Kari " + mark},
		"email":        {p.email},
		"password":     {p.password},
		"organization": {"House of " + mark},
	})
	me := p.session.ok("GET", "/me", "")
	if me.get("kind") != "session" {
		t.Fatalf("signing up began no session: %s", me.raw)
	}
	p.id, p.org, p.bases = me.text("id"), me.text("orgs.0.orgId"), len(asList(me.get("bases")))
	p.secret, _ = p.mint(t, "everything", allScopes...)
	p.caller = session.key(p.secret)
	return p
}

// open reads a page as a browser does.
func (p *person) open(t *testing.T, path string) string {
	t.Helper()
	response, err := p.session.http.Get(p.session.baseURL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return read(t, path, response)
}

// submit sends a form as a browser does, and returns the page that it leads to.
func (p *person) submit(t *testing.T, path string, form url.Values) string {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, p.session.baseURL+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", p.session.baseURL)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	// Its target need not exist: the application is not part of every binary.
	client := *p.session.http
	var led string
	client.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		led = next.URL.RequestURI()
		return http.ErrUseLastResponse
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusSeeOther && strings.HasPrefix(led, "/account") {
		return p.open(t, led)
	}
	return read(t, path, response)
}

func read(t *testing.T, path string, response *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 400 {
		t.Fatalf("%s: %d %s", path, response.StatusCode, content)
	}
	return string(content)
}

// mint makes a key as the application does, and returns its value and its id.
func (p *person) mint(t *testing.T, name string, scopes ...string) (secret, id string) {
	t.Helper()
	made := p.account(t, http.MethodPost, "/keys", encode(map[string]any{"name": name, "scopes": scopes}))
	secret, _ = at(made, "value").(string)
	id, _ = at(made, "key.id").(string)
	if !keyForm.MatchString(secret) || id == "" {
		t.Fatalf("the answer holds no key: %v", made)
	}
	return secret, id
}

var keyForm = regexp.MustCompile(`^rhk_[0-9A-Za-z]{36}$`)

// mintAndList creates a key and checks that the list of keys names it without its value.
func (p *person) mintAndList(t *testing.T, name string, scopes ...string) string {
	t.Helper()
	secret, _ := p.mint(t, name, scopes...)
	if list := encode(p.account(t, http.MethodGet, "/keys", "")); strings.Contains(list, secret) ||
		!strings.Contains(list, name) {
		t.Error("the key is shown twice, or is not listed")
	}
	return secret
}

// account calls the endpoints of the account, which accept only a session.
func (p *person) account(t *testing.T, method, path, body string) any {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, p.session.baseURL+"/account/api"+path,
		bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := p.session.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content := read(t, path, response)
	if content == "" {
		return nil
	}
	var decoded any
	if err := json.Unmarshal([]byte(content), &decoded); err != nil {
		t.Fatalf("%s: %v in %s", path, err, content)
	}
	return decoded
}

// confirm follows the link that was mailed to a person who signed up. A person without a confirmed
// address may not invite anybody.
func (w *world) confirm(t *testing.T, p *person) {
	t.Helper()
	mail := w.service.Mail.Await(t, p.email, "/verify-email?token=")
	link, err := url.Parse(regexp.MustCompile(`/verify-email\?token=[^\s>)]+`).FindString(mail))
	if err != nil || link.Path == "" {
		t.Fatalf("the mail holds no link: %s", mail)
	}
	p.submit(t, "/verify-email", url.Values{"token": {link.Query().Get("token")}, "password": {p.password}})
}

// join makes a person a member of an organization of the inviter's: a mail arrives, and the person
// follows its link. The person becomes a viewer of the bases.
func (w *world) join(t *testing.T, inviter, invited *person, role string, bases ...string) {
	t.Helper()
	given := []map[string]any{}
	for _, base := range bases {
		given = append(given, map[string]any{"baseId": base, "role": "viewer"})
	}
	body := encode(map[string]any{"email": invited.email, "role": role, "bases": given})
	inviter.caller.in(t).ok("POST", "/orgs/"+inviter.org+"/invitations", body)
	mail := w.service.Mail.Await(t, invited.email, "/invitation?token=")
	link := regexp.MustCompile(`/invitation\?token=[^\s>)]+`).FindString(mail)
	token, err := url.Parse(link)
	if err != nil || link == "" {
		t.Fatalf("the mail holds no link: %s", mail)
	}
	if page := invited.open(t, link); !strings.Contains(page, invited.email) {
		t.Error("the page of the invitation does not say whom it is for")
	}
	invited.submit(t, "/invitation", url.Values{"token": {token.Query().Get("token")}})
	me := invited.caller.in(t).ok("GET", "/me", "")
	if at(find(me, "orgs", "orgId", inviter.org), "role") != role {
		t.Fatalf("the invitation was accepted, and the person is no %s: %s", role, me.raw)
	}
}

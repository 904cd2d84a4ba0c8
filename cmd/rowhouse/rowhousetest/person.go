package rowhousetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A Person has signed up on the sign-up page and is signed in.
type Person struct {
	BaseURL         string // of the service
	Email, Password string
	Browser         *http.Client // with the session's cookie; it follows no redirect

	t testing.TB
}

// SignUp signs up a person whose first organization has the given name.
func SignUp(t testing.TB, baseURL, name, organization string) *Person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Person{t: t, BaseURL: baseURL, Email: uuid.NewString() + "@example.com", Password: "pw-" + rand.Text()}
	p.Browser = &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, text := p.Submit("/sign-up", url.Values{
		"name":         {name},
		"email":        {p.Email},
		"password":     {p.Password},
		"organization": {organization},
	})
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing up: %d %s", response.StatusCode, text)
	}
	return p
}

// Submit submits a form as a browser does.
func (p *Person) Submit(path string, form url.Values) (*http.Response, string) {
	p.t.Helper()
	return p.Send(http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
}

// Send sends a request as a browser does from a page of the service, and reads the response.
func (p *Person) Send(method, path, media, body string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, p.BaseURL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", media)
		request.Header.Set("Origin", p.BaseURL)
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	response, err := p.Browser.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response, string(raw)
}

// Cookie returns the Cookie header of the person's session.
func (p *Person) Cookie() string {
	p.t.Helper()
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		p.t.Fatal(err)
	}
	var list []string
	for _, cookie := range p.Browser.Jar.Cookies(u) {
		list = append(list, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(list, "; ")
}

// Mint creates an API key as the application does.
func (p *Person) Mint(scopes ...string) string {
	p.t.Helper()
	body, err := json.Marshal(map[string]any{"name": "Test", "scopes": scopes})
	if err != nil {
		p.t.Fatal(err)
	}
	_, text := p.Send(http.MethodPost, "/account/api/keys", "application/json", string(body))
	var made struct{ Value string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Value == "" {
		p.t.Fatalf("making a key: %s", text)
	}
	return made.Value
}

// Me returns the ids of the person and of the first organization, from GET /me.
func (p *Person) Me() (person, org string) {
	p.t.Helper()
	_, text := p.Send(http.MethodGet, "/api/v1/me", "", "")
	var me struct {
		ID   string
		Orgs []struct{ OrgID string }
	}
	if err := json.Unmarshal([]byte(text), &me); err != nil || len(me.Orgs) == 0 {
		p.t.Fatalf("asking who it is: %s", text)
	}
	return me.ID, me.Orgs[0].OrgID
}

var invitationLink = regexp.MustCompile(`/invitation\?token=([\w-]+)`)

var confirmationLink = regexp.MustCompile(`/verify-email\?token=([\w-]+)`)

// Confirm follows the verification link that was mailed to a person. People who have not done so
// cannot invite others.
func (s *Service) Confirm(t testing.TB, p *Person) {
	t.Helper()
	link := confirmationLink.FindStringSubmatch(s.Mail.Await(t, p.Email, "/verify-email?token="))
	if link == nil {
		t.Fatal("the mail holds no link")
	}
	response, text := p.Submit("/verify-email", url.Values{"token": {link[1]}, "password": {p.Password}})
	// 404 means that it was followed before
	if response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusNotFound {
		t.Fatalf("confirming: %d %s", response.StatusCode, text)
	}
}

// Join makes a person a member of the inviter's organization through an invitation mail.
func (s *Service) Join(t testing.TB, inviter, invited *Person, role string) {
	t.Helper()
	s.Confirm(t, inviter)
	_, org := inviter.Me()
	body := fmt.Sprintf(`{"email":%q,"role":%q}`, invited.Email, role)
	if response, text := inviter.Send(
		http.MethodPost, "/api/v1/orgs/"+org+"/invitations", "application/json", body,
	); response.StatusCode != http.StatusOK {
		t.Fatalf("inviting: %s", text)
	}
	link := invitationLink.FindStringSubmatch(s.Mail.Await(t, invited.Email, "/invitation?token="))
	if link == nil {
		t.Fatal("the mail holds no link")
	}
	if response, text := invited.Submit("/invitation", url.Values{
		"token": {link[1]},
	}); response.StatusCode != http.StatusSeeOther {
		t.Fatalf("accepting: %d %s", response.StatusCode, text)
	}
}

// An App is an OAuth client that a person has connected. It records every secret that it receives.
type App struct {
	Client, Secret  string
	Resource        string
	Access, Refresh string
	Given           []string // all codes, verifiers and tokens, those that were used up too

	person *Person
}

// Allow opens an authorization URL as the person's browser does, grants everything that is
// requested, and returns the query of the redirect to the client.
func (p *Person) Allow(address string) url.Values {
	p.t.Helper()
	return p.Redirect(address).Query()
}

// Redirect is Allow with the whole address to which the client is sent back.
func (p *Person) Redirect(address string) *url.URL {
	p.t.Helper()
	response, page := p.Send(http.MethodGet, strings.TrimPrefix(address, p.BaseURL), "", "")
	if response.StatusCode == http.StatusOK {
		form := url.Values{"decision": {"allow"}}
		for _, tag := range input.FindAllString(page, -1) {
			if strings.Contains(tag, `type="radio"`) && !strings.Contains(tag, " checked") {
				continue
			}
			form.Add(nameOf.FindStringSubmatch(tag)[1], valueOf.FindStringSubmatch(tag)[1])
		}
		response, page = p.Submit("/oauth/consent", form)
	}
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Query().Get("code") == "" {
		p.t.Fatalf("no code: %v %s %v", back, page, err)
	}
	return back
}

var (
	input   = regexp.MustCompile(`<input [^>]*>`)
	nameOf  = regexp.MustCompile(`name="([^"]*)"`)
	valueOf = regexp.MustCompile(`value="([^"]*)"`)
)

// Connect runs registration, consent and the token request. resource is a path, such as /mcp.
func (p *Person) Connect(resource, scope string) *App {
	p.t.Helper()
	const callback = "http://127.0.0.1:7777/cb"
	a := &App{person: p, Resource: p.BaseURL + resource}
	verifier := rand.Text() + rand.Text()
	registration := fmt.Sprintf(
		`{"client_name":"A program","redirect_uris":[%q],"token_endpoint_auth_method":"client_secret_post",`+
			`"grant_types":["authorization_code","refresh_token"]}`,
		callback,
	)
	_, text := p.Send(http.MethodPost, "/oauth/register", "application/json", registration)
	var client struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if err := json.Unmarshal([]byte(text), &client); err != nil || client.ID == "" || client.Secret == "" {
		p.t.Fatalf("registering: %s", text)
	}
	a.Client, a.Secret = client.ID, client.Secret
	sum := sha256.Sum256([]byte(verifier))
	code := p.Allow(p.BaseURL + "/oauth/authorize?" + url.Values{
		"response_type":         {"code"},
		"client_id":             {a.Client},
		"redirect_uri":          {callback},
		"state":                 {"some-state"},
		"scope":                 {scope},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"},
		"resource":              {a.Resource},
	}.Encode()).Get("code")
	a.Given = append(a.Given, verifier, code)
	err := a.token(p.BaseURL, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier},
		"resource": {a.Resource},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// Renew exchanges the refresh token for new tokens at a process of the service.
func (a *App) Renew(address string) error {
	return a.token(address, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {a.Refresh}})
}

// Revoke revokes the grant at a process of the service.
func (a *App) Revoke(address string) error {
	status, raw, err := a.post(address+"/oauth/revoke", url.Values{"token": {a.Refresh}})
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("revoking: %d %s", status, raw)
	}
	return err
}

func (a *App) token(address string, form url.Values) error {
	status, raw, err := a.post(address+"/oauth/token", form)
	if err != nil {
		return err
	}
	var tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	if err := json.Unmarshal(raw, &tokens); err != nil || tokens.Access == "" || tokens.Refresh == "" {
		return fmt.Errorf("%s: %d %s", form.Get("grant_type"), status, raw)
	}
	a.Access, a.Refresh = tokens.Access, tokens.Refresh
	a.Given = append(a.Given, a.Access, a.Refresh)
	return nil
}

func (a *App) post(address string, form url.Values) (int, []byte, error) {
	form.Set("client_id", a.Client)
	form.Set("client_secret", a.Secret)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address,
		strings.NewReader(form.Encode()))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := &http.Client{Timeout: time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	return response.StatusCode, raw, err
}

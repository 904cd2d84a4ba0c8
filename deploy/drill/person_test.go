//go:build drill

package drill

import (
	"bytes"
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
)

// A person signed up on the page that is there for it, and is signed in.
type person struct {
	t               *testing.T
	base            string // of the service
	email, password string
	browser         *http.Client
}

func (h *house) signUp(t *testing.T, base string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	mark := strings.ToLower(rand.Text()[:12])
	n := &person{t: t, base: base, email: mark + "@example.com", password: "pw-" + rand.Text()}
	n.browser = &http.Client{
		Jar: jar, Timeout: 30 * time.Second, Transport: h.client.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, text := n.submit("/sign-up", url.Values{"name": {"Kari"}, "email": {n.email}, "password": {n.password}, "organization": {"House of " + mark}})
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing up: %d %s", response.StatusCode, text)
	}
	return n
}

// submit sends a form as a browser does.
func (n *person) submit(path string, form url.Values) (*http.Response, string) {
	n.t.Helper()
	return n.send(http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
}

func (n *person) send(method, path, media, body string) (*http.Response, string) {
	n.t.Helper()
	request, err := http.NewRequest(method, n.base+path, strings.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", media)
		request.Header.Set("Origin", n.base)
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	response, err := n.browser.Do(request)
	if err != nil {
		n.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return response, string(raw)
}

// mint makes an API key as the application does.
func (n *person) mint(scopes ...string) string {
	n.t.Helper()
	body, err := json.Marshal(map[string]any{"name": "Drill", "scopes": scopes})
	if err != nil {
		n.t.Fatal(err)
	}
	_, text := n.send(http.MethodPost, "/account/api/keys", "application/json", string(body))
	var made struct{ Value string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Value == "" {
		n.t.Fatalf("making a key: %s", text)
	}
	return made.Value
}

// An app is a client that the person connected. It keeps every secret that it was given.
type app struct {
	person          *person
	client, secret  string
	resource        string
	code, verifier  string
	access, refresh string
	given           []string // all codes and tokens, those that were used up too
}

var hiddenInput = regexp.MustCompile(`name="(handle|org)" value="([^"]+)"`)

// connect goes through registration, consent and the token endpoint. resource is a path, as /mcp.
func (n *person) connect(resource, scope string) *app {
	n.t.Helper()
	const callback = "http://127.0.0.1:7777/cb"
	a := &app{person: n, resource: n.base + resource, verifier: rand.Text() + rand.Text()}
	registration := fmt.Sprintf(`{"client_name":"A program","redirect_uris":[%q],"token_endpoint_auth_method":"client_secret_post","grant_types":["authorization_code","refresh_token"]}`, callback)
	_, text := n.send(http.MethodPost, "/oauth/register", "application/json", registration)
	var client struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if err := json.Unmarshal([]byte(text), &client); err != nil || client.ID == "" || client.Secret == "" {
		n.t.Fatalf("registering: %s", text)
	}
	a.client, a.secret = client.ID, client.Secret
	sum := sha256.Sum256([]byte(a.verifier))
	_, page := n.send(http.MethodGet, "/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {a.client}, "redirect_uri": {callback}, "state": {"some-state"}, "scope": {scope},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "resource": {a.resource},
	}.Encode(), "", "")
	form := url.Values{"decision": {"allow"}, "scope": strings.Fields(scope)}
	for _, field := range hiddenInput.FindAllStringSubmatch(page, -1) {
		form.Set(field[1], field[2])
	}
	response, text := n.submit("/oauth/consent", form)
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Query().Get("code") == "" {
		n.t.Fatalf("no code: %v %s %v", back, text, err)
	}
	a.code = back.Query().Get("code")
	a.given = append(a.given, a.code)
	if err := a.token(url.Values{"grant_type": {"authorization_code"}, "code": {a.code}, "redirect_uri": {callback}, "code_verifier": {a.verifier}, "resource": {a.resource}}); err != nil {
		n.t.Fatal(err)
	}
	return a
}

// renew exchanges the refresh token.
func (a *app) renew() error {
	return a.token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {a.refresh}})
}

func (a *app) token(form url.Values) error {
	form.Set("client_id", a.client)
	form.Set("client_secret", a.secret)
	response, err := a.person.browser.Post(a.person.base+"/oauth/token", "application/x-www-form-urlencoded", bytes.NewReader([]byte(form.Encode())))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	if err := json.Unmarshal(raw, &tokens); err != nil || tokens.Access == "" || tokens.Refresh == "" {
		return fmt.Errorf("%s: %d %s", form.Get("grant_type"), response.StatusCode, raw)
	}
	a.access, a.refresh = tokens.Access, tokens.Refresh
	a.given = append(a.given, a.access, a.refresh)
	return nil
}

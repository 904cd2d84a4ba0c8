package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

var resetToken = regexp.MustCompile(`/reset-password\?token=([\w-]+)`)

// A person who controls an account creates every kind of credential as fast as possible while its
// owner resets the password with a mailed link. Whatever the order, none of the credentials works
// afterwards.
func TestPasswordResetRevokesEverything(t *testing.T) {
	t.Parallel()
	service := rowhousetest.Start(t)
	const rounds = 14
	made := map[string]int{}
	for round := range rounds {
		h := newHolder(t, service)
		if _, page := h.Submit("/forgot-password", url.Values{
			"email": {h.Email},
		}); strings.Contains(page, "That did not work") {
			t.Fatal(page)
		}
		link := resetToken.FindStringSubmatch(service.Mail.Await(t, h.Email, "/reset-password?token="))
		stop := make(chan struct{})
		var busy sync.WaitGroup
		for _, attack := range []func(){h.mint, h.mint, h.rotate, h.connect, h.signIn} {
			busy.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						attack()
					}
				}
			})
		}
		time.Sleep(time.Duration(20+10*round) * time.Millisecond) // each round hits another moment
		owner := browser(t)
		response, err := owner.PostForm(h.BaseURL+"/reset-password", url.Values{
			"token":    {link[1]},
			"password": {"nine calm houses"},
		})
		if err != nil || response.StatusCode != http.StatusSeeOther {
			t.Fatalf("resetting: %v %v", response, err)
		}
		_ = response.Body.Close()
		time.Sleep(50 * time.Millisecond)
		close(stop)
		busy.Wait()
		for _, c := range h.credentials {
			made[c.kind]++
			if status := c.use(h.BaseURL); status != http.StatusUnauthorized {
				t.Errorf("round %d: a %s from before the reset still works: %d", round, c.kind, status)
			}
		}
	}
	for _, kind := range []string{"key", "rotated key", "access token", "refresh token", "session"} {
		if made[kind] < rounds {
			t.Errorf("only %d of the kind %q were tried: %v", made[kind], kind, made)
		}
	}
	t.Logf("tried: %v", made)
}

// A holder is a person who is signed in to an account and keeps the credentials they create.
type holder struct {
	*rowhousetest.Person

	t   *testing.T
	app *rowhousetest.App

	mu          sync.Mutex
	credentials []credential
	lastKey     string // the id of the newest key
}

type credential struct {
	kind string
	use  func(base string) int // the status of a request with it
}

func newHolder(t *testing.T, service *rowhousetest.Service) *holder {
	t.Helper()
	h := &holder{t: t, Person: rowhousetest.SignUp(t, service.BaseURL, "Eve", "House")}
	h.app = h.Connect("/api/v1", "data:read")
	h.keepToken("access token", h.app.Access)
	h.keepRefresh(h.app.Refresh)
	h.keepSession(h.Browser)
	h.mint()
	h.rotate()
	h.connect()
	return h
}

func (h *holder) keep(kind string, use func(base string) int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.credentials = append(h.credentials, credential{kind, use})
}

func (h *holder) keepHeader(kind, path, name, value string) {
	h.keep(kind, func(base string) int {
		request, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, base+path, http.NoBody)
		if err != nil {
			h.t.Error(err)
			return 0
		}
		request.Header.Set(name, value)
		return h.status(http.DefaultClient.Do(request))
	})
}

func (h *holder) keepToken(kind, token string) {
	h.keepHeader(kind, "/api/v1/me", "Authorization", "Bearer "+token)
}

func (h *holder) keepRefresh(token string) {
	h.keep("refresh token", func(base string) int {
		status := h.status(http.PostForm(base+"/oauth/token", url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {token}, "client_id": {h.app.Client},
			"client_secret": {h.app.Secret},
		}))
		if status == http.StatusBadRequest { // invalid_grant
			return http.StatusUnauthorized
		}
		return status
	})
}

func (h *holder) keepSession(client *http.Client) {
	h.keep("session", func(base string) int { return h.status(client.Get(base + "/account/api/profile")) })
}

func (h *holder) status(response *http.Response, err error) int {
	if err != nil {
		h.t.Error(err)
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// send posts JSON as the application does, and returns the key that it creates.
func (h *holder) send(path, body string) (keyID, value string) {
	_, text := h.Send(http.MethodPost, path, "application/json", body)
	var made struct {
		Key   struct{ ID string }
		Value string
	}
	_ = json.Unmarshal([]byte(text), &made) // a refusal contains neither
	return made.Key.ID, made.Value
}

func (h *holder) mint() {
	if keyID, value := h.send("/account/api/keys", `{"name":"Mine","scopes":["data:read"]}`); value != "" {
		h.keepHeader("key", "/api/v1/me", "x-api-key", value)
		h.mu.Lock()
		h.lastKey = keyID
		h.mu.Unlock()
	}
}

func (h *holder) rotate() {
	h.mu.Lock()
	key := h.lastKey
	h.mu.Unlock()
	if _, value := h.send("/account/api/keys/"+key+"/rotate", `{"overlapSeconds":3600}`); value != "" {
		h.keepHeader("rotated key", "/api/v1/me", "x-api-key", value)
	}
}

var hidden = regexp.MustCompile(`name="handle" value="([^"]*)"`)

// connect authorizes the application again, and redeems the code.
func (h *holder) connect() {
	const callback, verifier = "http://127.0.0.1:7777/cb", "a-verifier-of-forty-three-characters-or-more-0123456789"
	sum := sha256.Sum256([]byte(verifier))
	response, page := h.Send(http.MethodGet, "/oauth/authorize?"+url.Values{
		"response_type":         {"code"},
		"client_id":             {h.app.Client},
		"redirect_uri":          {callback},
		"state":                 {"some-state"},
		"scope":                 {"data:read"},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"},
		"resource":              {h.app.Resource},
	}.Encode(), "", "")
	if handle := hidden.FindStringSubmatch(page); handle != nil {
		response, _ = h.Submit("/oauth/consent", url.Values{
			"decision": {"allow"},
			"handle":   {handle[1]},
			"org":      {"all"},
			"scope":    {"data:read"},
		})
	}
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Query().Get("code") == "" {
		return
	}
	answer, err := http.PostForm(h.BaseURL+"/oauth/token", url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {back.Query().Get("code")},
		"redirect_uri":  {callback},
		"code_verifier": {verifier},
		"client_id":     {h.app.Client},
		"client_secret": {h.app.Secret},
		"resource":      {h.app.Resource},
	})
	if err != nil {
		h.t.Error(err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	var tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	if json.NewDecoder(answer.Body).Decode(&tokens) == nil && tokens.Access != "" {
		h.keepToken("access token", tokens.Access)
		h.keepRefresh(tokens.Refresh)
	}
}

// signIn starts another session with the old password. It waits in between, because few sign-ins
// are let through.
func (h *holder) signIn() {
	client := browser(h.t)
	response, err := client.PostForm(h.BaseURL+"/sign-in", url.Values{"email": {h.Email}, "password": {h.Password}})
	if err != nil {
		h.t.Error(err)
		return
	}
	_ = response.Body.Close()
	if response.StatusCode == http.StatusSeeOther {
		h.keepSession(client)
	}
	time.Sleep(40 * time.Millisecond)
}

// browser keeps cookies and follows no redirect.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(fmt.Errorf("making a browser: %w", err))
	}
	return &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

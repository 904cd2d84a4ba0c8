package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/interoptest"
)

// The whole service, from an authorization request through a person's sign-in and consent to what
// the token gives access to.

const aVerifier = "a-verifier-of-forty-three-characters-or-more-0123456789"

// A visitor is a person with a browser at the whole service.
type visitor struct {
	t        *testing.T
	base     string
	service  *service
	email    string
	password string
	browser  *http.Client
}

// visit serves the whole service and signs somebody up.
func visit(t *testing.T) *visitor {
	t.Helper()
	c := testConfig(t)
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", c.ListenAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return (&visitor{t: t, base: c.BaseURL, service: s}).neighbour()
}

// neighbour signs another person up at the same service, with an organization and a browser of their
// own.
func (v *visitor) neighbour() *visitor {
	v.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		v.t.Fatal(err)
	}
	other := &visitor{
		t:        v.t,
		base:     v.base,
		service:  v.service,
		email:    strings.ToLower(id.New().String()) + "@example.com",
		password: "correct horse battery",
		browser: &http.Client{
			Jar:           jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if _, err := v.service.accounts.SignUp(v.t.Context(), account.Registration{
		Name: "Ada", Email: other.email, Password: other.password, Organization: "Analytical Engines",
		Address: id.New().String(),
	}); err != nil {
		v.t.Fatal(err)
	}
	if response := other.post("/sign-in", url.Values{
		"email":    {other.email},
		"password": {other.password},
	}); response.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("signing in: %d", response.StatusCode)
	}
	return other
}

func (v *visitor) do(method, path string, body io.Reader, headers ...string) *http.Response {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := v.browser.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response
}

func (v *visitor) post(path string, form url.Values) *http.Response {
	v.t.Helper()
	return v.do(http.MethodPost, path, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded", "Origin", v.base)
}

func text(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func (v *visitor) register(name, callback string) string {
	v.t.Helper()
	body, err := json.Marshal(map[string]any{
		"client_name": name, "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"},
	})
	if err != nil {
		v.t.Fatal(err)
	}
	var client struct {
		ID string `json:"client_id"`
	}
	response := text(
		v.do(http.MethodPost, "/oauth/register", bytes.NewReader(body), "Content-Type", "application/json"),
	)
	if err := json.Unmarshal([]byte(response), &client); err != nil || client.ID == "" {
		v.t.Fatalf("registering: %s", response)
	}
	return client.ID
}

func (v *visitor) authorization(client, callback, resource, scope string) string {
	sum := sha256.Sum256([]byte(aVerifier))
	return "/oauth/authorize?" + url.Values{
		"response_type":         {"code"},
		"client_id":             {client},
		"redirect_uri":          {callback},
		"state":                 {"some-state"},
		"scope":                 {scope},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"},
		"resource":              {v.base + resource},
	}.Encode()
}

var hidden = regexp.MustCompile(`name="(handle|org)" value="([^"]+)"`)

// token goes through consent and returns an access token for the resource.
func (v *visitor) token(resource, scope string) string {
	v.t.Helper()
	const callback = "http://127.0.0.1:7777/cb"
	client := v.register("A program", callback)
	page := v.do(http.MethodGet, v.authorization(client, callback, resource, scope), nil)
	form := url.Values{"decision": {"allow"}, "scope": strings.Fields(scope)}
	for _, field := range hidden.FindAllStringSubmatch(text(page), -1) {
		form.Set(field[1], field[2])
	}
	back, err := url.Parse(v.post("/oauth/consent", form).Header.Get("Location"))
	if err != nil || back.Query().Get("code") == "" {
		v.t.Fatalf("no code: %v %v", back, err)
	}
	var answer struct {
		Access string `json:"access_token"`
	}
	response := text(v.post("/oauth/token", url.Values{
		"grant_type":    {"authorization_code"},
		"client_id":     {client},
		"code":          {back.Query().Get("code")},
		"redirect_uri":  {callback},
		"code_verifier": {aVerifier},
		"resource":      {v.base + resource},
	}))
	if err := json.Unmarshal([]byte(response), &answer); err != nil || answer.Access == "" {
		v.t.Fatalf("redeeming: %s", response)
	}
	return answer.Access
}

func (v *visitor) bearer(method, path, token, body string) *http.Response {
	v.t.Helper()
	jar := v.browser.Jar
	v.browser.Jar = nil
	defer func() { v.browser.Jar = jar }()
	return v.do(method, path, strings.NewReader(body), "Authorization", "Bearer "+token, "Content-Type",
		"application/json", "Accept", "application/json, text/event-stream")
}

// Seen to fail with the verifier of the other resource at each resource server.
func TestAccessTokenIsBoundToSurfaceAndOrganization(t *testing.T) {
	t.Parallel()
	ada := visit(t)
	eve := ada.neighbour()
	rest, mcp := ada.token("/api/v1", "schema:read data:read schema:write"), ada.token("/mcp", "mcp:tools schema:read")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_bases","arguments":{}}}`
	stepUp := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_base","arguments":{"name":"x"}}}`
	unknown := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}`
	for name, c := range map[string]struct {
		response *http.Response
		status   int
		body     string
		header   string
	}{
		"REST at REST": {ada.bearer(http.MethodGet, "/api/v1/bases", rest, ""), 200, "bases", ""},
		"MCP at MCP":   {ada.bearer(http.MethodPost, "/mcp", mcp, call), 200, "bases", ""},
		"MCP at REST":  {ada.bearer(http.MethodGet, "/api/v1/bases", mcp, ""), 401, "", `error="invalid_token"`},
		"REST at MCP":  {ada.bearer(http.MethodPost, "/mcp", rest, call), 401, "", `error="invalid_token"`},
		"nothing at MCP": {
			ada.do(http.MethodPost, "/mcp", strings.NewReader(call), "Content-Type", "application/json"), 401, "",
			`resource_metadata=`,
		},
		"step-up":         {ada.bearer(http.MethodPost, "/mcp", mcp, stepUp), 403, "", `error="insufficient_scope"`},
		"an unknown tool": {ada.bearer(http.MethodPost, "/mcp", mcp, unknown), 0, "", ""},
		"in the query":    {ada.do(http.MethodGet, "/api/v1/bases?access_token="+rest, nil), 400, "address", ""},
	} {
		body := text(c.response)
		if (c.status != 0 && c.response.StatusCode != c.status) || !strings.Contains(body, c.body) ||
			!strings.Contains(c.response.Header.Get("WWW-Authenticate"), c.header) {
			t.Errorf("%s: %d %s %s", name, c.response.StatusCode, c.response.Header.Get("WWW-Authenticate"), body)
		}
		if name == "an unknown tool" && c.response.StatusCode == 200 && !strings.Contains(body, "error") {
			t.Errorf("an unknown tool: %s", body)
		}
	}
	var made struct{ Bases []struct{ ID string } }
	if err := json.Unmarshal([]byte(text(ada.bearer(http.MethodGet, "/api/v1/bases", rest, ""))), &made); err != nil ||
		len(made.Bases) == 0 {
		t.Fatalf("no base to try: %v", err)
	}
	foreign := eve.token("/api/v1", "schema:read data:read schema:write")
	for _, path := range []string{
		"/api/v1/bases/" + made.Bases[0].ID, "/api/v1/bases/" + made.Bases[0].ID + "/tables",
	} {
		if own := ada.bearer(http.MethodGet, path, rest, ""); own.StatusCode != http.StatusOK {
			t.Errorf("%s: its own token gets %d", path, own.StatusCode)
		}
		if got := eve.bearer(http.MethodGet, path, foreign, ""); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: a token of another organization gets %d", path, got.StatusCode)
		}
	}
}

func TestConsentPagesInBrowser(t *testing.T) {
	t.Parallel()
	v := visit(t)
	var config net.ListenConfig
	client, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("arrived")) })
	receiver := &http.Server{Handler: arrived, ReadHeaderTimeout: time.Minute}
	go func() { _ = receiver.Serve(client) }()
	defer func() { _ = receiver.Close() }()
	callback := "http://" + client.Addr().String() + "/callback"

	scopes := "mcp:tools schema:read data:read data:write members:manage"
	local := v.register("Notebook Assistant", callback)
	web := v.register("Contoso Reports", "https://reports.example/oauth/callback")
	long := v.register(strings.Repeat("Extraordinarily ", 12), "com.example.reports:/callback")
	input, err := json.Marshal(map[string]any{
		"executable": interoptest.Browser(t), "base": v.base, "email": v.email, "password": v.password,
		"photos": photos(t),
		"flow": map[string]string{
			"authorize": v.base + v.authorization(local, callback, "/mcp", scopes),
			"callback":  callback,
		},
		"pages": map[string]string{
			"consent-loopback": v.base + v.authorization(local, callback, "/mcp", "mcp:tools data:read"),
			"consent-web": v.base + v.authorization(web, "https://reports.example/oauth/callback", "/api/v1",
				"schema:read data:read data:write members:manage"),
			"consent-app": v.base + v.authorization(long, "com.example.reports:/callback", "/mcp", scopes),
			"error":       v.base + v.authorization("cli_unknown", callback, "/mcp", scopes),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "node", "page.mjs")
	command.Dir = interoptest.Dir(t)
	command.Stdin = bytes.NewReader(input)
	var output, failure bytes.Buffer
	command.Stdout, command.Stderr = &output, &failure
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, failure.String())
	}
	var saw struct {
		First, Asked, Landed string
		Findings             []string
	}
	if err := json.Unmarshal(output.Bytes(), &saw); err != nil {
		t.Fatal(err)
	}
	if saw.First != "/sign-in" || !strings.HasPrefix(saw.Asked, "Allow access") ||
		!strings.Contains(saw.Landed, "code=rhc_") || !strings.Contains(saw.Landed, "state=some-state") {
		t.Errorf("%+v", saw)
	}
	for _, finding := range saw.Findings {
		t.Error(finding)
	}
}

// photos is the directory for screenshots of pages, if the person who runs the tests wants them.
func photos(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../screenshots")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

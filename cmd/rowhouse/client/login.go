package client

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/oauth2"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type loginCommand struct {
	Service   string   `arg:"" optional:"" env:"ROWHOUSE_URL" help:"Address of the service, such as https://rowhouse.example.com. Default: that of the profile."`
	Profile   string   `env:"ROWHOUSE_PROFILE" placeholder:"NAME" help:"Name of the sign-in. Default: the current one."`
	Scopes    []string `default:"data:read,data:write,schema:read,schema:write,members:read" placeholder:"SCOPE" help:"What to ask for, comma-separated. Default: ${default}."`
	MCP       bool     `name:"mcp" help:"Sign in for rowhouse mcp, which connects agents. It is a sign-in of its own, and is kept next to the other one."`
	NoKeyring bool     `help:"Keep the sign-in in a file that only you can read, and not in the keyring of the system."`
	Device    bool     `xor:"way" help:"Show a code to type on another device. Default: where no browser can be opened, as over SSH."`
	NoBrowser bool     `xor:"way" help:"Print the address and open no browser. It ends at an address of this machine."`
}

func (loginCommand) Help() string {
	return `The browser shows what rowhouse asks for, and you untick what it should not get. On a machine without a
browser you get a code, which you type on another device.

  rowhouse login https://rowhouse.example.com
  rowhouse login --device
  rowhouse login https://staging.example.com --profile staging
  rowhouse login --mcp`
}

// Run signs in with an authorization code, OAuth 2.1 with PKCE and a redirect to this process (RFC 8252), or with
// a device code (RFC 8628).
func (c *loginCommand) Run(ctx context.Context, to Streams) error {
	list, err := openProfiles()
	if err != nil {
		return err
	}
	name := c.Profile
	if name == "" {
		name = list.Current
	}
	if name == "" {
		name = defaultProfile
	}
	former := list.Profiles[name]
	if c.Service == "" && former != nil {
		c.Service = former.URL
	}
	if c.Service == "" {
		return fail(StatusUsage, "which service? rowhouse login https://rowhouse.example.com")
	}
	address, err := serviceURL(c.Service)
	if err != nil {
		return err
	}
	audience, path := restAudience, "/api/v1"
	if c.MCP {
		audience, path = mcpAudience, "/mcp"
		c.Scopes = append(c.Scopes, "mcp:tools")
	}
	signIn := &signIn{service: address, resource: address + path, scopes: c.Scopes, way: c.way(), to: to}
	signedIn, got, err := signIn.run(ctx, former)
	if err != nil {
		return err
	}
	if former != nil && former.URL == address && former.ClientID == signedIn.ClientID {
		signedIn.Tokens = former.Tokens
	} else if former != nil {
		if err := former.forget(name); err != nil {
			fmt.Fprintln(to.Err, err)
		}
	}
	got.Keyring = !c.NoKeyring && hasKeyring()
	signedIn.Tokens[audience] = got
	list.Profiles[name], list.Current = signedIn, name
	if err := list.save(); err != nil {
		return err
	}
	fmt.Fprintf(to.Err, "Signed in to %s as the profile %s.\n", address, name)
	return nil
}

// A signIn is one run of a flow.
type signIn struct {
	service, resource string
	scopes            []string
	way               way
	to                Streams

	metadata struct {
		Issuer       string `json:"issuer"`
		Authorize    string `json:"authorization_endpoint"`
		Token        string `json:"token_endpoint"`
		Registration string `json:"registration_endpoint"`
		Revocation   string `json:"revocation_endpoint"`
		Device       string `json:"device_authorization_endpoint"`
	}
}

// patience is how long a person has for signing in and consenting.
const patience = 15 * time.Minute

func (s *signIn) run(ctx context.Context, former *profile) (*profile, *token, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.discover(ctx); err != nil {
		return nil, nil, err
	}
	if s.way == byCode && s.metadata.Device == "" {
		s.way = byAddress // a service that is older than this program
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("waiting for the browser: %w", err)
	}
	redirect := "http://" + listener.Addr().String() + callbackPath
	p := &profile{
		URL: s.service, TokenURL: s.metadata.Token, Revoke: s.metadata.Revocation, Device: s.metadata.Device != "",
		Tokens: map[string]*token{},
	}
	if former != nil && former.URL == s.service && former.isRecent() && former.Device == (s.metadata.Device != "") {
		p.ClientID = former.ClientID // its registration allows any port
	}
	if p.ClientID == "" {
		if p.ClientID, err = s.register(ctx, redirect); err != nil {
			return nil, nil, errors.Join(err, listener.Close())
		}
	}
	if s.way == byCode {
		got, err := s.authorizeDevice(ctx, p)
		if err = errors.Join(err, listener.Close()); err != nil {
			return nil, nil, err
		}
		return p, tokenOf(got), nil
	}
	config := oauth2.Config{
		ClientID: p.ClientID, Endpoint: p.endpoint(s.metadata.Authorize), RedirectURL: redirect, Scopes: s.scopes,
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	authorize := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("resource", s.resource))
	code, err := s.wait(ctx, listener, authorize, state)
	if err != nil {
		return nil, nil, err
	}
	got, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier),
		oauth2.SetAuthURLParam("resource", s.resource))
	if err != nil {
		return nil, nil, fail(StatusSignedOut, "the service did not accept the sign-in: %v", err)
	}
	return p, tokenOf(got), nil
}

// discover reads where the authorization server is (RFC 9728 and RFC 8414).
func (s *signIn) discover(ctx context.Context) error {
	u, err := url.Parse(s.resource)
	if err != nil {
		return fmt.Errorf("reading the address: %w", err)
	}
	var resource struct {
		Servers []string `json:"authorization_servers"`
	}
	if err := s.get(ctx, s.service+"/.well-known/oauth-protected-resource"+u.Path, &resource); err != nil {
		return err
	}
	if len(resource.Servers) == 0 {
		return fail(StatusFailure, "%s names no authorization server", s.service)
	}
	server := resource.Servers[0]
	if err := s.get(ctx, server+"/.well-known/oauth-authorization-server", &s.metadata); err != nil {
		return err
	}
	if s.metadata.Issuer != server {
		return fail(StatusFailure, "%s says that it is %s", server, s.metadata.Issuer)
	}
	return nil
}

func (s *signIn) get(ctx context.Context, address string, out any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("asking %s: %w", address, err)
	}
	return s.do(request, http.StatusOK, out)
}

func (s *signIn) do(request *http.Request, status int, out any) error {
	request.Header.Set("User-Agent", userAgent)
	response, err := (&http.Client{Timeout: time.Minute}).Do(request) //nolint:gosec // the person names the service
	if err != nil {
		return &rowhouse.ConnectionError{Err: err}
	}
	defer response.Body.Close()
	if response.StatusCode != status {
		return fail(StatusNotAvailable, "%s answered %s: is it the address of a Rowhouse service?", request.URL,
			response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(out); err != nil {
		return fail(StatusNotAvailable, "%s is not the address of a Rowhouse service: %v", request.URL, err)
	}
	return nil
}

// register makes rowhouse known to the authorization server (RFC 7591).
func (s *signIn) register(ctx context.Context, redirect string) (string, error) {
	body, err := json.Marshal(map[string]any{
		"client_name": "Rowhouse command line", "redirect_uris": []string{redirect},
		"grant_types":    []string{"authorization_code", "refresh_token", deviceGrantType},
		"response_types": []string{"code"}, "token_endpoint_auth_method": "none",
	})
	if err != nil {
		return "", fmt.Errorf("registering: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.metadata.Registration,
		strings.NewReader(string(body)))
	if err != nil {
		return "", fmt.Errorf("registering: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	var client struct {
		ID string `json:"client_id"`
	}
	return client.ID, s.do(request, http.StatusCreated, &client)
}

const callbackPath = "/callback"

// wait opens the browser and returns the code with which it comes back, or which the person pastes.
func (s *signIn) wait(ctx context.Context, listener net.Listener, authorize, state string) (string, error) {
	type result struct {
		code string
		err  error
	}
	results := make(chan result, 2)
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != callbackPath {
				http.NotFound(w, r)
				return
			}
			code, err := s.check(r.URL.Query(), state)
			text := "You are signed in. Go back to the terminal; this page can be closed."
			if err != nil {
				w.WriteHeader(http.StatusBadRequest)
				text = err.Error()
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintln(w, text)
			if !errors.Is(err, errOtherState) {
				results <- result{code, err}
			}
		}),
	}
	go server.Serve(listener) //nolint:errcheck // it ends when the server is closed
	defer func() {
		// The browser gets its page before the process ends.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = server.Shutdown(closing) // the page is a courtesy
	}()
	fmt.Fprintf(s.to.Err, "Sign in at\n\n  %s\n\n", authorize)
	if s.way == byBrowser {
		openBrowser(ctx, authorize)
	}
	if isTerminal(s.to.In) {
		fmt.Fprintln(s.to.Err, "If the browser is on another machine, paste the address at which it ends here:")
		go func() {
			line, err := bufio.NewReader(s.to.In).ReadString('\n')
			pasted, parseErr := url.Parse(strings.TrimSpace(line))
			if err != nil || parseErr != nil {
				return
			}
			code, err := s.check(pasted.Query(), state)
			results <- result{code, err}
		}()
	}
	select {
	case got := <-results:
		return got.code, got.err
	case <-ctx.Done():
		return "", fmt.Errorf("waiting for the browser: %w", ctx.Err())
	}
}

var errOtherState = errors.New("this is the end of another sign-in; begin again with rowhouse login")

// check returns the code of a redirect to this process. iss is checked on success and on error (RFC 9207),
// so that no other server's code is sent to this one.
func (s *signIn) check(query url.Values, state string) (string, error) {
	switch {
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1:
		return "", errOtherState
	case query.Get("iss") != s.metadata.Issuer:
		return "", fail(StatusSignedOut, "the redirect came from another server")
	case query.Get("error") == "access_denied":
		return "", fail(StatusSignedOut, "the sign-in was denied in the browser")
	case query.Get("error") != "":
		return "", fail(StatusSignedOut, "the sign-in failed: %s %s", query.Get("error"),
			query.Get("error_description"))
	case query.Get("code") == "":
		return "", fail(StatusSignedOut, "the redirect has no code")
	}
	return query.Get("code"), nil
}

const linuxOpener = "xdg-open"

// openBrowser opens an address, or does nothing where there is no browser: the address was printed.
func openBrowser(ctx context.Context, address string) {
	name, args := linuxOpener, []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), path, args...)
	if command.Start() == nil {
		go command.Wait() //nolint:errcheck // its failure is the person's to see
	}
}

type logoutCommand struct {
	Profile string `env:"ROWHOUSE_PROFILE" placeholder:"NAME" help:"The sign-in to end. Default: the current one."`
}

// Run revokes the grants and forgets the profile. A service that cannot be reached keeps the grant, which
// the person sees under Connected apps.
func (c *logoutCommand) Run(ctx context.Context, to Streams) error {
	list, err := openProfiles()
	if err != nil {
		return err
	}
	name, found, err := list.find(c.Profile)
	if err != nil {
		return err
	}
	for audience, t := range found.Tokens {
		err := t.open(keyringEntry(found.URL, name, audience))
		if err == nil {
			err = found.revoke(ctx, t.Refresh)
		}
		if err != nil {
			fmt.Fprintf(to.Err, "The sign-in could not be revoked (%v). Revoke it under Connected apps of %s.\n", err,
				found.URL)
		}
	}
	if err := found.forget(name); err != nil {
		fmt.Fprintln(to.Err, err)
	}
	delete(list.Profiles, name)
	if list.Current == name {
		list.Current = ""
		for other := range list.Profiles {
			list.Current = other
		}
	}
	if err := list.save(); err != nil {
		return err
	}
	fmt.Fprintf(to.Err, "Signed out of %s.\n", found.URL)
	return nil
}

func (p *profile) revoke(ctx context.Context, refresh string) error {
	form := url.Values{"token": {refresh}, "client_id": {p.ClientID}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Revoke, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("revoking: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := (&http.Client{Timeout: time.Minute}).Do(request)
	if err != nil {
		return fmt.Errorf("revoking: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("revoking: %s", response.Status)
	}
	return nil
}

type whoamiCommand struct {
	connection `embed:""`
	output     `embed:""`
}

func (c *whoamiCommand) Run(ctx context.Context, to Streams) error {
	session, err := c.session(restAudience)
	if err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	me, err := client.Me(ctx)
	if err != nil {
		return err
	}
	roles := make([]string, len(me.Orgs))
	for i, org := range me.Orgs {
		roles[i] = org.Role + " of " + org.OrgID
	}
	sheet := c.sheet(to, "service", "id", "credential", "scopes", "organizations", "bases")
	sheet.one = true
	sheet.row(session.url, me.ID, string(me.Kind), me.Scopes, roles, len(me.Bases))
	return sheet.end()
}

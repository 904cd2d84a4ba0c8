package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// profiles are the sign-ins of a person on this machine. They are in a file that only its owner can read, but for
// the secrets that are in the keyring of the system.
type profiles struct {
	Current  string              `json:"current"`
	Profiles map[string]*profile `json:"profiles"`

	path string
}

// A profile is a sign-in to one service.
type profile struct {
	URL      string            `json:"url"`
	ClientID string            `json:"clientId"`
	TokenURL string            `json:"tokenUrl"`
	Revoke   string            `json:"revocationUrl,omitempty"`
	Device   bool              `json:"device,omitempty"` // the client is registered for the device grant
	Tokens   map[string]*token `json:"tokens"`           // by audience
}

// registrationLife is how long the registration of a client is relied upon after its last use. The service
// keeps it for twice as long.
const registrationLife = 60 * 24 * time.Hour

// isRecent reports whether the profile was used while its registration is certain to exist.
func (p *profile) isRecent() bool {
	for _, t := range p.Tokens {
		if time.Since(t.Expires) < registrationLife {
			return true
		}
	}
	return false
}

// The audiences of access tokens. A token for one is refused by the other.
const (
	restAudience = "rest"
	mcpAudience  = "mcp"
)

type token struct {
	Access  string    `json:"access,omitempty"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires"`
	Keyring bool      `json:"keyring,omitempty"` // the file lacks Access and Refresh

	fresh bool // not in the keyring yet
}

func tokenOf(got *oauth2.Token) *token {
	return &token{Access: got.AccessToken, Refresh: got.RefreshToken, Expires: got.Expiry, fresh: true}
}

const (
	defaultProfile = "default"
	privateFolder  = 0o700
	privateFile    = 0o600
)

// openProfiles reads the profiles, or returns none before the first sign-in.
func openProfiles() (*profiles, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("finding the folder for the sign-in: %w", err)
	}
	p := &profiles{path: filepath.Join(folder, "rowhouse", "profiles.json"), Profiles: map[string]*profile{}}
	content, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the sign-in: %w", err)
	}
	if err := json.Unmarshal(content, p); err != nil {
		return nil, fmt.Errorf("reading %s (delete it and sign in again): %w", p.path, err)
	}
	return p, nil
}

// sealed is what the file has, after the secrets for the keyring went there.
func (p *profiles) sealed() *profiles {
	out := &profiles{Current: p.Current, Profiles: map[string]*profile{}}
	for name, found := range p.Profiles {
		copied := *found
		copied.Tokens = map[string]*token{}
		for audience, t := range found.Tokens {
			copied.Tokens[audience] = t.seal(keyringEntry(found.URL, name, audience))
		}
		out.Profiles[name] = &copied
	}
	return out
}

// save replaces the file, so that another process reads either the former content or this one.
func (p *profiles) save() error {
	content, err := json.MarshalIndent(p.sealed(), "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the sign-in: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(p.path), privateFolder); err != nil {
		return fmt.Errorf("saving the sign-in: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(p.path), "profiles-*") // which is 0600
	if err != nil {
		return fmt.Errorf("saving the sign-in: %w", err)
	}
	_, err = file.Write(append(content, '\n'))
	if err := errors.Join(err, file.Chmod(privateFile), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("saving the sign-in: %w", err), os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), p.path); err != nil {
		return fmt.Errorf("saving the sign-in: %w", err)
	}
	return nil
}

// find returns the profile with a name, or the current one if it is empty.
func (p *profiles) find(name string) (string, *profile, error) {
	if name == "" {
		name = p.Current
	}
	if found := p.Profiles[name]; found != nil {
		return name, found, nil
	}
	if len(p.Profiles) == 0 {
		return "", nil, fail(StatusSignedOut, "nobody is signed in: rowhouse login URL signs in, and so do "+
			"ROWHOUSE_URL and ROWHOUSE_TOKEN with an API key")
	}
	var names []string
	for one := range p.Profiles {
		names = append(names, one)
	}
	slices.Sort(names)
	return "", nil, fail(StatusSignedOut, "no profile is called %q; there are %s", name, strings.Join(names, ", "))
}

// A session is a credential for a service.
type session struct {
	url   string
	token func(context.Context) (string, error)
}

// session returns the credential of the flags, or that of the profile for an audience.
func (c *connection) session(audience string) (*session, error) {
	if c.Token != "" && c.URL != "" {
		address, err := serviceURL(c.URL)
		return &session{url: address, token: func(context.Context) (string, error) { return c.Token, nil }}, err
	}
	list, err := openProfiles()
	if err != nil {
		return nil, err
	}
	name, found, err := list.find(c.Profile)
	if err != nil {
		return nil, err
	}
	if c.Token != "" {
		return &session{url: found.URL, token: func(context.Context) (string, error) { return c.Token, nil }}, nil
	}
	if c.URL != "" {
		address, err := serviceURL(c.URL)
		if err != nil {
			return nil, err
		}
		if address != found.URL {
			return nil, fail(StatusSignedOut, "the profile %s is of %s, not of %s: sign in there with rowhouse login "+
				"%s", name, found.URL, address, address)
		}
	}
	if found.Tokens[audience] == nil {
		if audience == mcpAudience {
			return nil, fail(StatusSignedOut, "the sign-in is not for agents: rowhouse login --mcp makes one that is")
		}
		return nil, fail(StatusSignedOut, "the profile %s is for agents alone: rowhouse login signs in", name)
	}
	source := &tokenSource{profiles: list, profile: name, audience: audience}
	return &session{url: found.URL, token: source.token}, nil
}

// serviceURL returns the canonical form of the address of a service.
func serviceURL(text string) (string, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" {
		return "", fail(StatusUsage, "%q is not the address of a service; it is written like "+
			"https://rowhouse.example.com", text)
	}
	if u.Scheme == "http" && !isLocal(u) {
		return "", fail(StatusUsage, "%s would send the credential unencrypted; use https", text)
	}
	return u.String(), nil
}

// isLocal reports whether an address is on this machine.
func isLocal(u *url.URL) bool {
	return u.Hostname() == "localhost" || strings.HasPrefix(u.Hostname(), "127.") || u.Hostname() == "::1"
}

// httpClient returns the HTTP client for a service. A response from this machine takes longer to compress than
// to send.
func httpClient(service string) *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	u, err := url.Parse(service)
	if !ok || err != nil || !isLocal(u) {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.DisableCompression = true
	return &http.Client{Transport: transport}
}

// A tokenSource refreshes an access token before it expires, and saves what it got.
type tokenSource struct {
	profiles *profiles
	profile  string
	audience string

	mu sync.Mutex
}

// early is how long before it expires a token is refreshed.
const early = 30 * time.Second

func (s *tokenSource) token(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.profiles.Profiles[s.profile]
	current := p.Tokens[s.audience]
	entry := keyringEntry(p.URL, s.profile, s.audience)
	if err := current.open(entry); err != nil {
		return "", err
	}
	if time.Until(current.Expires) > early {
		return current.Access, nil
	}
	// Another process may have refreshed it.
	if fresh, err := openProfiles(); err == nil && fresh.Profiles[s.profile] != nil &&
		fresh.Profiles[s.profile].Tokens[s.audience] != nil {
		s.profiles = fresh
		p = fresh.Profiles[s.profile]
		current = p.Tokens[s.audience]
		if err := current.open(entry); err != nil {
			return "", err
		}
		if time.Until(current.Expires) > early {
			return current.Access, nil
		}
	}
	config := oauth2.Config{ClientID: p.ClientID, Endpoint: p.endpoint("")}
	got, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: current.Refresh}).Token()
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.ErrorCode != "" {
		return "", fail(StatusSignedOut, "the sign-in to %s has ended (%s): sign in again with rowhouse login", p.URL,
			refused.ErrorCode)
	}
	if err != nil {
		return "", &rowhouse.ConnectionError{Err: fmt.Errorf("refreshing the sign-in: %w", err)}
	}
	p.Tokens[s.audience] = tokenOf(got)
	p.Tokens[s.audience].Keyring = current.Keyring
	return got.AccessToken, s.profiles.save()
}

func (p *profile) endpoint(authorize string) oauth2.Endpoint {
	return oauth2.Endpoint{AuthURL: authorize, TokenURL: p.TokenURL, AuthStyle: oauth2.AuthStyleInParams}
}

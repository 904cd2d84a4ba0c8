package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var testSecret = []byte(tenancytest.Secret)

// A bundle is one process of the service. People are signed in by a cookie with the name of their
// session.
type bundle struct {
	t           *testing.T
	s           *Service
	db          *db.DB
	server      *httptest.Server
	base        string
	log         *logBuffer
	org         uuid.UUID
	person      uuid.UUID
	sessions    *fakeSessions
	clockOffset *atomic.Int64 // offset of the service's clock, in nanoseconds
	cache       *credential.Cache
	callback    string
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// fakeSessions implements Sessions.
type fakeSessions struct {
	t             *testing.T
	db            *db.DB
	mu            sync.Mutex
	live          map[string]*Person
	endBeforeLock bool // every session ends between SignedIn and Hold
}

func (p *fakeSessions) SignedIn(r *http.Request) (*Person, error) {
	cookie, err := r.Cookie("session")
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // not signed in
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live[cookie.Value], nil
}

// Hold is of Sessions.
func (p *fakeSessions) Hold(b *pgx.Batch, person *Person) {
	p.mu.Lock()
	defer p.mu.Unlock()
	session := uuid.MustParse(person.Session)
	if p.endBeforeLock {
		session = uuid.New()
	}
	credential.QueueSessionLock(b, person.ID, session)
}

func (p *fakeSessions) signIn(cookie string, person uuid.UUID) {
	p.t.Helper()
	session, hash := uuid.New(), credential.HashOf(uuid.NewString())
	err := p.db.SystemBatch(p.t.Context(), func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.session (id, person_id, token_hash, user_agent, address, expires_at)
			values ($1, $2, $3, '', '', now() + interval '1 day')`, session, person, hash[:])
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live[cookie] = &Person{ID: person, Name: "Ada", Email: "ada@example.com", Session: session.String()}
}

type options struct {
	db       *db.DB
	redisURL string
	limiter  *limit.Limiter
	rates    Rates
	sharing  *bundle // the bundle of another process of the same service
}

func setup(t *testing.T) *bundle { return setupWith(t, options{}) }

func setupWith(t *testing.T, o options) *bundle {
	t.Helper()
	b := &bundle{t: t, log: &logBuffer{}, clockOffset: &atomic.Int64{}, callback: "https://client.example/callback"}
	if b.db = o.db; b.db == nil {
		b.db = tenancytest.DB(t)
	}
	b.sessions = &fakeSessions{t: t, db: b.db, live: map[string]*Person{}}
	if o.redisURL == "" {
		o.redisURL = tenancytest.RedisURL(t)
	}
	redisOptions, err := credential.ClientOptions(o.redisURL)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	client := redis.NewClient(redisOptions)
	b.cache = credential.New(client, credential.Options{Log: log})
	t.Cleanup(func() { b.cache.Close(); _ = client.Close() })
	b.server = httptest.NewUnstartedServer(nil)
	b.base = "http://" + b.server.Listener.Addr().String()
	if o.sharing != nil {
		b.base, b.sessions, b.org, b.person = o.sharing.base, o.sharing.sessions, o.sharing.org, o.sharing.person
	} else {
		b.org, b.person = tenancytest.Org(t, b.db)
		b.sessions.signIn("ada", b.person)
	}
	b.s, err = New(t.Context(), Config{
		BaseURL: b.base, Secrets: [][]byte{testSecret}, DB: b.db, Cache: b.cache, Sessions: b.sessions,
		Limiter: o.limiter, Rates: o.rates, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.s.now = func() time.Time { return time.Now().Add(time.Duration(b.clockOffset.Load())) }
	b.server.Config.Handler = b.s.Routes()
	b.server.Start()
	t.Cleanup(b.server.Close)
	return b
}

// advance advances the clock of the service.
func (b *bundle) advance(d time.Duration) { b.clockOffset.Add(int64(d)) }

// An answer is a response with its body.
type answer struct {
	status int
	header http.Header
	text   string
}

func (a answer) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.text), &v); err != nil {
		t.Fatalf("not JSON (%d): %s", a.status, a.text)
	}
	return v
}

func (a answer) str(t *testing.T, name string) string {
	t.Helper()
	text, _ := a.json(t)[name].(string)
	return text
}

// location returns the redirect URL without its query, and the query.
func (a answer) location(t *testing.T) (string, url.Values) {
	t.Helper()
	if a.status != http.StatusSeeOther {
		t.Fatalf("want a redirect, got %d: %s", a.status, a.text)
	}
	u, err := url.Parse(a.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	u.RawQuery = ""
	return u.String(), q
}

// returnLink returns the URL, without its query, and the query of the return link on the error
// page. It fails for a redirect.
func (a answer) returnLink(t *testing.T) (string, url.Values) {
	t.Helper()
	if a.header.Get("Location") != "" || a.status < 400 || a.status >= 500 {
		t.Fatalf("want the error page, got %d to %s", a.status, a.header.Get("Location"))
	}
	_, rest, found := strings.Cut(a.text, `<p class="hint to">`)
	if !found {
		t.Fatalf("no return link: %s", a.text)
	}
	u, err := url.Parse(html.UnescapeString(attribute(rest, "href")))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	u.RawQuery = ""
	return u.String(), q
}

var noRedirects = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
}

func (b *bundle) do(r *http.Request) answer {
	b.t.Helper()
	response, err := noRedirects.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

func (b *bundle) request(method, path string, body io.Reader, change ...func(*http.Request)) answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, b.server.URL+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range change {
		c(r)
	}
	return b.do(r)
}

func (b *bundle) form(path string, form url.Values, change ...func(*http.Request)) answer {
	b.t.Helper()
	typed := func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }
	return b.request(http.MethodPost, path, strings.NewReader(form.Encode()),
		append([]func(*http.Request){typed}, change...)...)
}

func as(session string) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "session", Value: session}) }
}

func basic(id, secret string) func(*http.Request) {
	return func(r *http.Request) { r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret)) }
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// registerClient registers a public client with the bundle's callback; members override its
// metadata.
func (b *bundle) registerClient(members map[string]any) answer {
	b.t.Helper()
	metadata := map[string]any{
		"client_name": "Test Client", "redirect_uris": []string{b.callback}, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	}
	for name, value := range members {
		metadata[name] = value
	}
	text, err := json.Marshal(metadata)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.request(http.MethodPost, "/oauth/register", bytes.NewReader(text),
		header("Content-Type", "application/json"))
}

func (b *bundle) newClient() string {
	b.t.Helper()
	a := b.registerClient(nil)
	if a.status != http.StatusCreated {
		b.t.Fatalf("registering: %d %s", a.status, a.text)
	}
	return a.str(b.t, "client_id")
}

const testVerifier = "a-verifier-of-forty-three-characters-or-more-0123456789"

func challengeOf(verifier string) string { return base64url.EncodeToString(hash([]byte(verifier))) }

// authorization returns a valid authorization request of the client.
func (b *bundle) authorization(client string) url.Values {
	return url.Values{
		"response_type":         {"code"},
		"client_id":             {client},
		"redirect_uri":          {b.callback},
		"state":                 {"a-long-enough-state"},
		"code_challenge":        {challengeOf(testVerifier)},
		"code_challenge_method": {"S256"},
		"resource":              {b.base + "/mcp"},
		"scope":                 {"mcp:tools data:read data:write"},
	}
}

func (b *bundle) authorize(q url.Values, session string) answer {
	b.t.Helper()
	change := []func(*http.Request){}
	if session != "" {
		change = append(change, as(session))
	}
	return b.request(http.MethodGet, "/oauth/authorize?"+q.Encode(), nil, change...)
}

// inputs returns the names and values of the consent form.
func (a answer) inputs(t *testing.T) url.Values {
	t.Helper()
	found := url.Values{}
	for _, part := range strings.Split(a.text, "<input ")[1:] {
		tag, _, _ := strings.Cut(part, ">")
		if (strings.Contains(tag, `type="checkbox"`) || strings.Contains(tag, `type="radio"`)) &&
			!strings.Contains(tag, " checked") {
			continue
		}
		found.Add(attribute(tag, "name"), attribute(tag, "value"))
	}
	return found
}

func attribute(tag, name string) string {
	_, rest, _ := strings.Cut(tag, name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// consent authorizes the request in a session and submits the consent form unchanged. It returns
// the query of the redirect.
func (b *bundle) consent(q url.Values, session string) url.Values {
	b.t.Helper()
	page := b.authorize(q, session)
	if page.status == http.StatusSeeOther {
		_, back := page.location(b.t)
		return back
	}
	if page.status != http.StatusOK {
		b.t.Fatalf("no consent page: %d %s", page.status, page.text)
	}
	form := page.inputs(b.t)
	form.Set("decision", "allow")
	_, back := b.form("/oauth/consent", form, as(session)).location(b.t)
	return back
}

func (b *bundle) code(client string) string {
	b.t.Helper()
	back := b.consent(b.authorization(client), "ada")
	if back.Get("code") == "" {
		b.t.Fatalf("no code: %v", back)
	}
	return back.Get("code")
}

func (b *bundle) redemption(client, code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "redirect_uri": {b.callback},
		"code_verifier": {testVerifier}, "resource": {b.base + "/mcp"},
	}
}

func refreshForm(client, token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}}
}

// tokens runs the whole authorization code flow for a client.
func (b *bundle) tokens(client string) (access, refresh string) {
	b.t.Helper()
	a := b.form("/oauth/token", b.redemption(client, b.code(client)))
	if a.status != http.StatusOK {
		b.t.Fatalf("redeeming: %d %s", a.status, a.text)
	}
	return a.str(b.t, "access_token"), a.str(b.t, "refresh_token")
}

func (b *bundle) refresh(client, token string) answer {
	b.t.Helper()
	return b.form("/oauth/token", refreshForm(client, token))
}

func (b *bundle) wantError(a answer, status int, name string) {
	b.t.Helper()
	if a.status != status || a.str(b.t, "error") != name {
		b.t.Fatalf("want %d %s, got %d %s", status, name, a.status, a.text)
	}
}

// accepts reports whether the MCP server accepts the token.
func (b *bundle) accepts(token string) bool {
	b.t.Helper()
	principal, err := b.s.ForMCP().Verify(b.t.Context(), token)
	if err != nil && problem.KindOf(err) != problem.KindUnauthenticated {
		b.t.Fatalf("verifying: %v", err)
	}
	return err == nil && principal != nil
}

// exec runs SQL in a system transaction, for states that only time or an operator can cause.
func (b *bundle) exec(sql string, args ...any) {
	b.t.Helper()
	if err := b.db.SystemTx(b.t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(b.t.Context(), sql, args...)
		return err
	}); err != nil {
		b.t.Fatal(err)
	}
}

func tenancyPerson(t *testing.T, b *bundle) uuid.UUID {
	t.Helper()
	return tenancytest.Person(t, b.db)
}

func newOrg(t *testing.T, b *bundle) (org, owner uuid.UUID) {
	t.Helper()
	return tenancytest.Org(t, b.db)
}

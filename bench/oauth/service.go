package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/oauth"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

const (
	callback = "https://client.example/callback"
	verifier = "a-verifier-of-forty-three-characters-or-more-0123456789"
)

// A service is one process of Rowservice with one person who is always signed in.
type service struct {
	db      *db.DB
	redis   *redis.Client
	cache   *credential.Cache
	keys    *apikey.Service
	oauth   *oauth.Service
	server  *http.Server
	http    *http.Client
	base    string
	person  uuid.UUID
	session uuid.UUID
	apiKey  string
}

// SignedIn implements oauth.Sessions.
func (h *service) SignedIn(*http.Request) (*oauth.Person, error) {
	return &oauth.Person{ID: h.person, Name: "Load", Email: "load@example.com", Session: h.session.String()}, nil
}

// Hold implements oauth.Sessions.
func (h *service) Hold(b *pgx.Batch, person *oauth.Person) {
	credential.QueueSessionLock(b, person.ID, h.session)
}

func build(ctx context.Context, services *local.Services) (_ *service, err error) {
	h := &service{person: id.New(), session: id.New()}
	admin, err := pgx.Connect(ctx, services.AdminURL)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	name := "bench_" + strings.ToLower(rand.Text())
	_, err = admin.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize())
	_ = admin.Close(ctx)
	if err != nil {
		return nil, fmt.Errorf("creating a database: %w", err)
	}
	target, err := url.Parse(services.AdminURL)
	if err != nil {
		return nil, fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + name
	if err := migrations.Provision(ctx, target.String(), "bench", "bench"); err != nil {
		return nil, err
	}
	target.User = url.UserPassword("bench", "bench")
	if err := migrations.Up(ctx, target.String()); err != nil {
		return nil, err
	}
	if h.db, err = db.Open(ctx, target.String(), db.Options{
		MaxConns: 20,
		Secrets:  [][]byte{[]byte(rand.Text())},
	}); err != nil {
		return nil, err
	}
	options, err := credential.ClientOptions(services.RedisURL)
	if err != nil {
		return nil, err
	}
	h.redis = redis.NewClient(options)
	h.cache = credential.New(h.redis, credential.Options{})
	h.keys = apikey.New(apikey.Deps{DB: h.db, Cache: h.cache})
	return h, h.seed(ctx)
}

// seed creates the person, an organization and a key, and starts serving.
func (h *service) seed(ctx context.Context) error {
	err := h.db.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, 'load@example.com', 'Load')",
			h.person)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into rowhouse.session (id, person_id, token_hash, user_agent, address, expires_at)
			values ($1, $2, sha256('load'), '', '', now() + interval '1 day')`, h.session, h.person)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := organization.Create(ctx, h.db, h.person, "Load"); err != nil {
		return err
	}
	if _, h.apiKey, err = h.keys.Create(
		ctx, apikey.Draft{Person: h.person, Name: "Load", Scopes: authz.AllScopes()},
	); err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	h.base = "http://" + listener.Addr().String()
	secret := make([]byte, 32)
	_, _ = rand.Read(secret)
	if h.oauth, err = oauth.New(
		ctx, oauth.Config{BaseURL: h.base, Secrets: [][]byte{secret}, DB: h.db, Cache: h.cache, Sessions: h},
	); err != nil {
		return err
	}
	store := catalog.NewStore(h.db, catalog.Options{})
	gate := &authz.Gate{Verifiers: []authz.Verifier{h.keys, h.oauth.ForREST()}}
	mux := http.NewServeMux()
	mux.Handle("/", h.oauth.Routes())
	mux.Handle(api.Prefix+"/", api.New(api.Options{
		Deps: &operation.Deps{
			DB:      h.db,
			Schema:  store,
			Records: record.New(h.db, store),
			Share:   organization.NewShares(h.db),
			Files:   attachment.New(h.db, nil, attachment.Limits{}),
			BaseURL: h.base,
		},
		Authenticate: gate.Authenticate,
	}))
	h.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = h.server.Serve(listener) }()
	h.http = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{MaxIdleConnsPerHost: 256},
		Timeout:       30 * time.Second,
	}
	return nil
}

func (h *service) close() {
	_ = h.server.Close()
	h.keys.Close(context.Background())
	h.cache.Close()
	_ = h.redis.Close()
	h.db.Close()
}

// A client is registered and has been granted access once for each resource.
type client struct {
	id      string
	refresh string
	rest    string
}

func (h *service) newClient(ctx context.Context) (*client, error) {
	body := `{"client_name":"Load","redirect_uris":["` + callback +
		`"],"token_endpoint_auth_method":"none","grant_types":["authorization_code","refresh_token"]}`
	var made struct {
		ID string `json:"client_id"`
	}
	if err := h.exchange(
		ctx, http.MethodPost, "/oauth/register", "application/json", body, http.StatusCreated, &made,
	); err != nil {
		return nil, err
	}
	c := &client{id: made.ID}
	for _, resource := range []string{"/mcp", "/api/v1"} {
		if err := h.consent(ctx, c, resource); err != nil {
			return nil, err
		}
	}
	var err error
	if _, c.refresh, err = h.flow(ctx, c); err != nil {
		return nil, err
	}
	c.rest, _, err = h.grant(ctx, c, "/api/v1")
	return c, err
}

func (h *service) authorization(c *client, resource string) string {
	sum := sha256.Sum256([]byte(verifier))
	return "/oauth/authorize?" + url.Values{
		"response_type":         {"code"},
		"client_id":             {c.id},
		"redirect_uri":          {callback},
		"state":                 {"some-state"},
		"scope":                 {"schema:read data:read"},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"},
		"resource":              {h.base + resource},
	}.Encode()
}

// consent answers the form once. The server remembers the answer from then on.
func (h *service) consent(ctx context.Context, c *client, resource string) error {
	response, err := h.send(ctx, http.MethodGet, h.authorization(c, resource), "", "")
	if err != nil {
		return err
	}
	page, err := io.ReadAll(response.Body)
	discard(response)
	if err != nil {
		return fmt.Errorf("reading the consent page: %w", err)
	}
	_, rest, _ := strings.Cut(string(page), `name="handle" value="`)
	handle, _, _ := strings.Cut(rest, `"`)
	form := url.Values{"handle": {handle}, "decision": {"allow"}, "org": {"all"}, "scope": {"schema:read", "data:read"}}
	response, err = h.send(ctx, http.MethodPost, "/oauth/consent", "application/x-www-form-urlencoded", form.Encode())
	if err != nil {
		return err
	}
	discard(response)
	if response.StatusCode != http.StatusSeeOther {
		return fmt.Errorf("consenting: %d", response.StatusCode)
	}
	return nil
}

// flow is the measured work: an authorization request that a remembered consent answers, and the
// redemption of its code.
func (h *service) flow(ctx context.Context, c *client) (access, refresh string, err error) {
	return h.grant(ctx, c, "/mcp")
}

type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
}

func (h *service) grant(ctx context.Context, c *client, resource string) (access, refresh string, err error) {
	response, err := h.send(ctx, http.MethodGet, h.authorization(c, resource), "", "")
	if err != nil {
		return "", "", err
	}
	discard(response)
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Query().Get("code") == "" {
		return "", "", fmt.Errorf("no code: %d %v", response.StatusCode, back)
	}
	var t tokens
	err = h.exchange(ctx, http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", url.Values{
		"grant_type":    {"authorization_code"},
		"client_id":     {c.id},
		"code":          {back.Query().Get("code")},
		"redirect_uri":  {callback},
		"code_verifier": {verifier},
		"resource":      {h.base + resource},
	}.Encode(), http.StatusOK, &t)
	return t.Access, t.Refresh, err
}

func (h *service) refresh(ctx context.Context, c *client) error {
	var t tokens
	err := h.exchange(ctx, http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", url.Values{
		"grant_type": {"refresh_token"}, "client_id": {c.id}, "refresh_token": {c.refresh},
	}.Encode(), http.StatusOK, &t)
	if err == nil {
		c.refresh = t.Refresh
	}
	return err
}

func (h *service) call(ctx context.Context, secret string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/api/v1/bases", http.NoBody)
	if err != nil {
		return fmt.Errorf("preparing a call: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	response, err := h.http.Do(request)
	if err != nil {
		return fmt.Errorf("calling: %w", err)
	}
	_, err = io.Copy(io.Discard, response.Body)
	discard(response)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("calling: %d", response.StatusCode)
	}
	return err
}

func (h *service) send(ctx context.Context, method, path, media, body string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, h.base+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("preparing a request: %w", err)
	}
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := h.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("sending a request: %w", err)
	}
	return response, nil
}

func (h *service) exchange(ctx context.Context, method, path, media, body string, want int, into any) error {
	response, err := h.send(ctx, method, path, media, body)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	discard(response)
	if err != nil {
		return fmt.Errorf("reading an answer: %w", err)
	}
	if response.StatusCode != want {
		return fmt.Errorf("%s: %d %s", path, response.StatusCode, text)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return errors.Join(fmt.Errorf("reading the answer of %s", path), err)
	}
	return nil
}

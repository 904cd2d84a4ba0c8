// Package apitest serves the REST API for tests: the real catalogue over real services, with
// principals that tests choose.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/outbound/bucket/buckettest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb/nocodbtest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// A Server is the REST API on a test server.
type Server struct {
	Live *live.Hub

	*httptest.Server
	Deps       *operation.Deps
	Operations []*operation.Operation // that are served

	mu         sync.Mutex
	principals map[string]*authz.Principal
}

// Rights records for which people rights were invalidated.
type Rights struct {
	mu      sync.Mutex
	Persons []uuid.UUID
}

// Invalidate records the people.
func (r *Rights) Invalidate(_ context.Context, people ...uuid.UUID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Persons = append(r.Persons, people...)
	return nil
}

// MaxFile is the maximum file size on a test server, in bytes.
const MaxFile = 2 << 20

// Deps connects the services that operations use to the shared test database.
func Deps(t testing.TB) *operation.Deps {
	t.Helper()
	shared := tenancytest.DB(t)
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	store := catalog.NewStore(shared, catalog.Options{}).Planning(plans)
	blobs, err := attachment.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	links, err := attachment.NewLinks("http://rowhouse.test/files/", [][]byte{[]byte(tenancytest.Secret)})
	if err != nil {
		t.Fatal(err)
	}
	records := record.New(shared, store).Linking(links).Planning(plans)
	kept := history.NewTrash(history.TrashDeps{
		DB: shared, Schema: store, Records: records, Restorer: revert.New(shared, records),
	})
	hooks, err := webhook.NewStore(webhook.Deps{
		DB: shared, Schema: store, Feed: &feed.Reader{DB: shared, Records: records},
		Sender: outbound.NewSender(outbound.Options{}), Secrets: tenancytest.Secrets(),
	})
	if err != nil {
		t.Fatal(err)
	}
	options, err := redis.ParseURL(tenancytest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	present := live.NewPresenceStore(client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		present.Close()
		_ = client.Close()
	})
	files := attachment.New(shared, blobs, attachment.Limits{File: MaxFile})
	comments := comment.New(shared, records)
	tokens, err := transfer.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	source := airtabletest.Start(airtabletest.Plain(30, 0), airtabletest.Options{})
	t.Cleanup(source.Close)
	others := nocodbtest.Start(nocodbtest.Harbour(5)...)
	t.Cleanup(others.Close)
	fetch := outbound.NewFetcher(outbound.Options{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	return &operation.Deps{
		Jobs: transfer.New(transfer.Options{
			Products: map[string]product.Opener{
				"nocodb": nocodb.New(others.URL, product.Options{API: fetch, Files: fetch, Second: time.Millisecond}),
			},
			Airtable: airtable.New(source.URL, product.Options{API: fetch, Files: fetch, Second: time.Millisecond}),
			Tokens:   tokens, Comments: comments, Plans: plans,
			DB: shared, Schema: store, Records: records, Files: files, Jobs: jobtest.Open(t, transfer.Queues()),
			Scratch: record.New(shared, catalog.NewStore(shared, catalog.Options{Scratch: true})).KeepingFormer(),
			Buckets: buckettest.New(t).Opener(),
		}),
		DB:         shared,
		Schema:     store,
		Records:    records,
		Trash:      kept,
		Comments:   comments,
		Share:      organization.NewShares(shared),
		SQL:        sqlquery.NewStore(shared, store),
		Rights:     &Rights{},
		BaseURL:    "http://rowhouse.test",
		Files:      files,
		Links:      links,
		Webhooks:   hooks,
		Dashboards: dashboard.New(shared),
		Presence:   present,
	}
}

// New starts a server that serves the catalogue, and the given operations after it.
func New(t testing.TB, more ...*operation.Operation) *Server {
	t.Helper()
	s := &Server{
		Deps: Deps(t), Operations: append(operation.Catalogue(), more...), principals: map[string]*authz.Principal{},
	}
	keys, err := signed.New(tenancytest.Secrets(), s.resolve)
	if err != nil {
		t.Fatal(err)
	}
	s.Deps.Signed = keys
	log := slog.New(slog.DiscardHandler)
	here := live.Presence{Store: s.Deps.Presence, Tables: operation.TablesOf(s.Deps.Schema)}
	hub := live.New(&feed.Reader{DB: s.Deps.DB, Records: s.Deps.Records}, nil, here, log)
	s.Server = httptest.NewServer(api.New(api.Options{
		Deps: s.Deps, Operations: s.Operations, Authenticate: s.Authenticate, Live: hub,
	}))
	s.Live = hub
	s.Deps.Jobs.Announce = operation.AnnounceJobs(hub.PassJob)
	t.Cleanup(func() {
		hub.Close() // ends the streams, which the server waits for
		s.Close()
	})
	return s
}

// Authenticate returns the principal whose key the request contains.
func (s *Server) Authenticate(r *http.Request) (*authz.Principal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.principals[r.Header.Get("x-api-key")]; p != nil {
		return p, nil
	}
	return nil, problem.Unauthenticated("No valid credential was sent.")
}

// resolve returns the principal of a person's credential, which is looked up by its id.
func (s *Server) resolve(_ context.Context, holder authz.Holder) (*authz.Principal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.principals {
		if p.Person == holder.Person && p.Credential == holder.Credential {
			return p, nil
		}
	}
	return nil, problem.Unauthenticated("The credential has ended.")
}

// Set replaces the principal of a client's credential.
func (s *Server) Set(c *Client, p *authz.Principal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.principals[c.key] = p
}

// Revoke ends the credential of a client.
func (s *Server) Revoke(c *Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.principals, c.key)
}

// A Client calls the server as one principal.
type Client struct {
	t      testing.TB
	server *Server
	key    string
	*authz.Principal
}

// As returns a client that calls as a principal.
func (s *Server) As(t testing.TB, p *authz.Principal) *Client {
	t.Helper()
	key := uuid.NewString()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.principals[key] = p
	return &Client{t, s, key, p}
}

// Owner returns a client that owns a new organization and has every scope.
func (s *Server) Owner(t testing.TB) *Client {
	t.Helper()
	org, owner := tenancytest.Org(t, s.Deps.DB)
	return s.As(t, Principal(owner, org, organization.Owner))
}

// Principal returns a principal with every scope in one organization.
func Principal(person, org uuid.UUID, role organization.Role) *authz.Principal {
	return &authz.Principal{
		Kind: authz.APIKey, Credential: "key_test", Person: person, Scopes: authz.AllScopes(),
		Orgs: []authz.Membership{{Org: org, Role: role}},
	}
}

// Anonymous returns a client without a credential.
func (c *Client) Anonymous(t testing.TB) *Client {
	t.Helper()
	return &Client{t, c.server, "", c.Principal}
}

// Key returns the client's credential, for the header x-api-key.
func (c *Client) Key() string { return c.key }

// URL returns the server's URL.
func (c *Client) URL() string { return c.server.URL }

// Org returns the public id of the principal's first organization.
func (c *Client) Org() string { return id.Format(id.Org, c.Orgs[0].Org) }

// Do sends a request below the prefix. body is JSON, or "". It returns the status, the decoded body
// and the raw body.
func (c *Client) Do(method, path, body string) (int, map[string]any, string) {
	c.t.Helper()
	return c.DoWith(nil, method, path, body)
}

// DoWith is Do with further headers.
func (c *Client) DoWith(headers map[string]string, method, path, body string) (int, map[string]any, string) {
	c.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = bytes.NewReader([]byte(body))
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+api.Prefix+path, reader)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("x-api-key", c.key)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.server.Client().Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var decoded map[string]any
	if err := json.Unmarshal(raw, &decoded); err != nil {
		c.t.Fatalf("%s %s: status %d without JSON: %q", method, path, response.StatusCode, raw)
	}
	return response.StatusCode, decoded, string(raw)
}

// OK sends a request that must get status 200, or 202 for work that goes on, and returns the decoded body.
func (c *Client) OK(method, path, body string) map[string]any {
	c.t.Helper()
	status, decoded, raw := c.Do(method, path, body)
	if status != http.StatusOK && status != http.StatusAccepted {
		c.t.Fatalf("%s %s: %d %s", method, path, status, raw)
	}
	return decoded
}

// ID sends a request that must get status 200 and returns the id in the response.
func (c *Client) ID(method, path, body string) string {
	c.t.Helper()
	got, _ := c.OK(method, path, body)["id"].(string)
	if got == "" {
		c.t.Fatalf("%s %s: no id in the response", method, path)
	}
	return got
}

// Refused sends a request that must get the status, with a complete problem whose text contains
// every one of the words.
func (c *Client) Refused(status int, method, path, body string, words ...string) {
	c.t.Helper()
	got, decoded, raw := c.Do(method, path, body)
	if got != status {
		c.t.Errorf("%s %s %s: want %d, got %d %s", method, path, body, status, got, raw)
		return
	}
	for _, name := range []string{"type", "title", "status", "detail", "code", "requestId"} {
		if _, ok := decoded[name]; !ok {
			c.t.Errorf("%s %s: the problem lacks %s: %s", method, path, name, raw)
		}
	}
	for _, word := range words {
		if !strings.Contains(raw, word) {
			c.t.Errorf("%s %s %s: the problem does not say %q: %s", method, path, body, word, raw)
		}
	}
}

// Query encodes a value as JSON for a query string.
func Query(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return url.QueryEscape(string(encoded))
}

//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// request sends a request. It returns status 0 and an error if there was no response.
func (e *environment) request(p *process, method, path, key, body string) (int, []byte, error) {
	return e.requestWith(p, method, path, key, body, nil)
}

func (e *environment) requestWith(
	p *process,
	method, path, key, body string,
	header map[string]string,
) (int, []byte, error) {
	got, raw, err := e.exchange(p, method, path, key, body, header)
	if err != nil {
		return 0, raw, err
	}
	return got.StatusCode, raw, nil
}

// exchange sends a request and returns the response, whose body has been read.
func (e *environment) exchange(
	p *process,
	method, path, key, body string,
	header map[string]string,
) (*http.Response, []byte, error) {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(context.Background(), method, p.base+path, reader)
	if err != nil {
		return nil, nil, err
	}
	if key != "" {
		request.Header.Set("x-api-key", key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := e.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return response, raw, err
}

// A tenant is an organization with an owner, a key that has every scope, and a base with one table.
type tenant struct {
	org, owner uuid.UUID
	key        string
	keyID      uuid.UUID
	base       string
	table      string
}

func (e *environment) person() uuid.UUID {
	e.t.Helper()
	person := id.New()
	err := e.db.SystemTx(context.Background(), func(tx pgx.Tx) error {
		_, err := tx.Exec(context.Background(), `insert into rowhouse.person (id, email, name, email_verified)
			values ($1, $2, 'Chaos', now())`, person, person.String()+"@example.com")
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return person
}

func (e *environment) newKey(person uuid.UUID, scopes ...authz.Scope) (uuid.UUID, string) {
	e.t.Helper()
	key, secret, err := e.keys.Create(context.Background(), apikey.Draft{Person: person, Name: "Chaos", Scopes: scopes})
	if err != nil {
		e.t.Fatal(err)
	}
	e.recordSecret("API key", secret)
	return key.ID, secret
}

func (e *environment) tenant(t *testing.T, p *process) *tenant {
	t.Helper()
	n := &tenant{owner: e.person()}
	org, err := organization.Create(context.Background(), e.db, n.owner, "Chaos")
	if err != nil {
		t.Fatal(err)
	}
	n.org = org.ID
	n.keyID, n.key = e.newKey(n.owner, authz.AllScopes()...)
	n.base = e.create(t, p, n.key, "/api/v1/bases", `{"name":"Chaos"}`)
	n.table = e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/tables",
		`{"name":"Rows","fields":[{"name":"Name","type":"text"},{"name":"Batch","type":"text"},{"name":"Number",`+
			`"type":"number"}]}`)
	return n
}

// signUpTenant registers a person, whose organization has a key and a base without tables.
func (e *environment) signUpTenant(t *testing.T, p *process) (*tenant, *rowhousetest.Person) {
	t.Helper()
	person := e.signUp(t, p.base)
	n := &tenant{key: person.Mint("data:read", "data:write", "schema:read", "schema:write", "mcp:tools")}
	_, org := person.Me()
	var err error
	if n.org, err = id.Parse(id.Org, org); err != nil {
		t.Fatal(err)
	}
	e.recordSecret("API key", n.key)
	n.base = e.create(t, p, n.key, "/api/v1/bases", `{"name":"Chaos"}`)
	return n, person
}

// create posts a body and returns the id of the created object.
func (e *environment) create(t *testing.T, p *process, key, path, body string) string {
	t.Helper()
	status, raw, err := e.request(p, http.MethodPost, path, key, body)
	var named struct {
		ID string `json:"id"`
	}
	if err == nil && status == http.StatusOK {
		err = json.Unmarshal(raw, &named)
	}
	if err != nil || named.ID == "" {
		t.Fatalf("POST %s: %d %s %v", path, status, raw, err)
	}
	return named.ID
}

// gauge reads a metric that has no labels.
func (e *environment) gauge(t *testing.T, p *process, name string) float64 {
	t.Helper()
	response, err := e.client.Get(p.metrics)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return number
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

//go:build chaos

package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

const (
	login, password = "rowhouse_chaos", "rowhouse_chaos"
	database        = "rowhouse"
	secretKey       = "a secret key for chaos tests, over 32 characters"
)

// An environment is one installation: a PostgreSQL and a Redis of its own, each behind a proxy, and
// the binary.
type environment struct {
	t         *testing.T
	dir       string
	binary    string
	services  *local.Services
	admin     string // the superuser's URL
	direct    string // the service's URL without the proxy
	redisURL  string
	postgres  *toxiproxy.Proxy
	redis     *toxiproxy.Proxy
	db        *db.DB
	keys      *apikey.Service
	redisConn *redis.Client
	client    *http.Client

	mu     sync.Mutex
	issued map[string]string // every secret that this run received, and its kind
}

// recordSecret remembers secrets of one kind. TestChaos/Secrets searches for them.
func (e *environment) recordSecret(what string, secrets ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, secret := range secrets {
		e.issued[secret] = what
	}
}

// signUp registers a person and records their secrets.
func (e *environment) signUp(t *testing.T, base string) *rowhousetest.Person {
	t.Helper()
	person := rowhousetest.SignUp(t, base, "Kari", "Test")
	e.recordSecret("password", person.Password)
	e.recordCookie(person)
	return person
}

func (e *environment) recordCookie(person *rowhousetest.Person) {
	for _, cookie := range strings.Split(person.Cookie(), "; ") {
		name, value, _ := strings.Cut(cookie, "=")
		e.recordSecret("cookie "+name, value)
	}
}

func newEnvironment(t *testing.T) *environment {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".rowhouse", *place))
	if err != nil {
		t.Fatal(err)
	}
	e := &environment{t: t, dir: dir, binary: *binary, issued: map[string]string{}}
	if e.binary == "" {
		e.binary = filepath.Join(dir, "rowhouse")
		buildBinary(t, filepath.Join("..", ".."), e.binary)
	}
	e.startServices()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	e.postgres = e.proxy(server, "postgres", e.admin)
	e.redis = e.proxy(server, "redis", e.redisURL)
	e.provision()
	options, err := credential.ClientOptions(e.redisURL)
	if err != nil {
		t.Fatal(err)
	}
	e.redisConn = redis.NewClient(options)
	log := slog.New(slog.DiscardHandler)
	cache := credential.New(e.redisConn, credential.Options{Log: log})
	e.keys = apikey.New(apikey.Deps{DB: e.db, Cache: cache, Log: log})
	e.client = &http.Client{
		Timeout:   60 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 2048},
	}
	t.Cleanup(func() {
		e.keys.Close(context.Background())
		cache.Close()
		_ = e.redisConn.Close()
		e.db.Close()
		e.postgres.Stop()
		e.redis.Stop()
		if err := e.services.Stop(context.Background()); err != nil {
			t.Log(err)
		}
	})
	return e
}

// buildBinary builds the binary from the source tree in dir, with the versions of its own go.mod.
func buildBinary(t *testing.T, dir, output string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", output, "./cmd/rowhouse")
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", output, err, out)
	}
}

func (e *environment) startServices() {
	e.t.Helper()
	services, err := local.Start(context.Background(), e.dir, local.Options{Durable: true})
	if err != nil {
		e.t.Fatal(err)
	}
	e.services, e.admin, e.redisURL = services, services.AdminURL, services.RedisURL
}

// proxy starts a proxy in front of the service that a URL names.
func (e *environment) proxy(server *toxiproxy.ApiServer, name, upstream string) *toxiproxy.Proxy {
	e.t.Helper()
	u, err := url.Parse(upstream)
	if err != nil {
		e.t.Fatal(err)
	}
	p := toxiproxy.NewProxy(server, name, "127.0.0.1:0", u.Host)
	if err := p.Start(); err != nil {
		e.t.Fatal(err)
	}
	return p
}

// degrade makes a proxy slow (latency, in milliseconds) or silent (timeout 0). restore undoes it.
func (e *environment) degrade(p *toxiproxy.Proxy, kind string, attributes map[string]any) (restore func()) {
	e.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		text, err := json.Marshal(map[string]any{
			"name":       kind + stream,
			"type":       kind,
			"stream":     stream,
			"attributes": attributes,
		})
		if err != nil {
			e.t.Fatal(err)
		}
		if _, err := p.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
			e.t.Fatal(err)
		}
	}
	return func() { p.Toxics.ResetToxics(context.Background()) }
}

// through rewrites a URL to go through a proxy.
func through(t *testing.T, original string, p *toxiproxy.Proxy) string {
	t.Helper()
	u, err := url.Parse(original)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = p.Listen
	return u.String()
}

// provision creates a fresh database.
func (e *environment) provision() {
	e.t.Helper()
	ctx := e.t.Context()
	conn, err := pgx.Connect(ctx, e.admin)
	if err != nil {
		e.t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, sql := range []string{
		"drop database if exists " + database + " with (force)", "create database " + database,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			e.t.Fatal(err)
		}
	}
	u, err := url.Parse(e.admin)
	if err != nil {
		e.t.Fatal(err)
	}
	u.Path = "/" + database
	if err := migrations.Provision(ctx, u.String(), login, password); err != nil {
		e.t.Fatal(err)
	}
	u.User = url.UserPassword(login, password)
	e.direct = u.String()
	if err := migrations.Up(ctx, e.direct); err != nil {
		e.t.Fatal(err)
	}
	if e.db, err = db.Open(ctx, e.direct, db.Options{Secrets: [][]byte{[]byte(secretKey)}, MaxConns: 8}); err != nil {
		e.t.Fatal(err)
	}
}

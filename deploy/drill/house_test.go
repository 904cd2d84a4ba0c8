//go:build drill

// Package drill breaks a running Rowhouse on purpose and counts what is lost: the real binary, with a PostgreSQL and a Redis of
// its own behind proxies that can be slow or silent. `make drill` runs all of it; docs/reliability.md holds the results.
//
// Everything listens on 127.0.0.1 and ends with the test. The numbers of requests are bounded by flags.
package drill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

var (
	report  = flag.String("report", "", "file that the results are added to")
	binary  = flag.String("binary", "", "the rowhouse to drill; built anew when empty")
	kills   = flag.Int("kills", 50, "how often the service is killed")
	inputs  = flag.Int("inputs", 1_000_000, "inputs of the fuzzing of parsers")
	calls   = flag.Int("calls", 60_000, "requests of the fuzzing of endpoints")
	before  = flag.String("before", "", "git revision of the old binary of the rolling upgrade; default the last one without the newest migration")
	seed    = flag.Int("seed", 11, "of the fuzzing of endpoints; another one makes other requests")
	away    = flag.Duration("away", time.Minute, "how long Redis is dead")
	soak    = flag.Duration("soak", 2*time.Minute, "how long the soak lasts; an hour shows more")
	seconds = flag.Int("seconds", 30, "length of each measurement of a latency")

	soakRate = flag.Int("soak-rate", 40, "requests a second of the soak")
	place    = flag.String("place", "drill", "directory below .rowhouse that the installation is kept in; two drills at once need two")
)

const (
	login, password = "rowhouse_drill", "rowhouse_drill"
	database        = "rowhouse"
	secretKey       = "a secret key of a drill, 32 characters and more"
)

// A house is one installation.
type house struct {
	t         *testing.T
	dir       string
	binary    string
	services  *local.Services
	admin     string // superuser's URL
	direct    string // the service's own URL, past the proxies
	redisURL  string
	postgres  *toxiproxy.Proxy
	redis     *toxiproxy.Proxy
	db        *db.DB
	keys      *apikey.Service
	redisConn *redis.Client
	client    *http.Client

	mu     sync.Mutex
	issued map[string]string // every secret that this run was given, and what it is
}

// know remembers a secret, for the drill that looks for them.
func (h *house) know(what string, secrets ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, secret := range secrets {
		h.issued[secret] = what
	}
}

// signUp signs somebody up whose secrets are remembered.
func (h *house) signUp(t *testing.T, base string) *rowhousetest.Person {
	t.Helper()
	person := rowhousetest.SignUp(t, base, "Kari", "House")
	h.know("password", person.Password)
	h.knowCookie(person)
	return person
}

func (h *house) knowCookie(person *rowhousetest.Person) {
	for _, cookie := range strings.Split(person.Cookie(), "; ") {
		name, value, _ := strings.Cut(cookie, "=")
		h.know("cookie "+name, value)
	}
}

func build(t *testing.T) *house {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".rowhouse", *place))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, dir: dir, binary: *binary, issued: map[string]string{}}
	if h.binary == "" {
		h.binary = filepath.Join(dir, "rowhouse")
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", h.binary, "github.com/rowhouse/rowhouse/cmd/rowhouse").CombinedOutput(); err != nil {
			t.Fatalf("building: %v\n%s", err, out)
		}
	}
	h.startServices()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	h.postgres = h.proxy(server, "postgres", h.admin)
	h.redis = h.proxy(server, "redis", h.redisURL)
	h.provision()
	options, err := credential.ClientOptions(h.redisURL)
	if err != nil {
		t.Fatal(err)
	}
	h.redisConn = redis.NewClient(options)
	log := slog.New(slog.DiscardHandler)
	cache := credential.New(h.redisConn, credential.Options{Log: log})
	h.keys = apikey.New(apikey.Deps{DB: h.db, Cache: cache, Log: log})
	h.client = &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 2048}}
	t.Cleanup(func() {
		h.keys.Close(context.Background())
		cache.Close()
		_ = h.redisConn.Close()
		h.db.Close()
		h.postgres.Stop()
		h.redis.Stop()
		if err := h.services.Stop(context.Background()); err != nil {
			t.Log(err)
		}
	})
	return h
}

func (h *house) startServices() {
	h.t.Helper()
	services, err := local.Start(context.Background(), h.dir, local.Options{Durable: true})
	if err != nil {
		h.t.Fatal(err)
	}
	h.services, h.admin, h.redisURL = services, services.AdminURL, services.RedisURL
}

// proxy puts a proxy in front of the service that a URL names.
func (h *house) proxy(server *toxiproxy.ApiServer, name, upstream string) *toxiproxy.Proxy {
	h.t.Helper()
	u, err := url.Parse(upstream)
	if err != nil {
		h.t.Fatal(err)
	}
	p := toxiproxy.NewProxy(server, name, "127.0.0.1:0", u.Host)
	if err := p.Start(); err != nil {
		h.t.Fatal(err)
	}
	return p
}

// poison makes a proxy slow (latency, in milliseconds) or silent (timeout 0), and returns the antidote.
func (h *house) poison(p *toxiproxy.Proxy, kind string, attributes map[string]any) (heal func()) {
	h.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		text, err := json.Marshal(map[string]any{"name": kind + stream, "type": kind, "stream": stream, "attributes": attributes})
		if err != nil {
			h.t.Fatal(err)
		}
		if _, err := p.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
			h.t.Fatal(err)
		}
	}
	return func() { p.Toxics.ResetToxics(context.Background()) }
}

// through is a URL by way of a proxy.
func through(t *testing.T, original string, p *toxiproxy.Proxy) string {
	t.Helper()
	u, err := url.Parse(original)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = p.Listen
	return u.String()
}

// provision makes a fresh database.
func (h *house) provision() {
	h.t.Helper()
	ctx := h.t.Context()
	conn, err := pgx.Connect(ctx, h.admin)
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, sql := range []string{"drop database if exists " + database + " with (force)", "create database " + database} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			h.t.Fatal(err)
		}
	}
	u, err := url.Parse(h.admin)
	if err != nil {
		h.t.Fatal(err)
	}
	u.Path = "/" + database
	if err := migrations.Provision(ctx, u.String(), login, password); err != nil {
		h.t.Fatal(err)
	}
	u.User = url.UserPassword(login, password)
	h.direct = u.String()
	if err := migrations.Up(ctx, h.direct); err != nil {
		h.t.Fatal(err)
	}
	if h.db, err = db.Open(ctx, h.direct, db.Options{MaxConns: 8}); err != nil {
		h.t.Fatal(err)
	}
}

// A process is a running service.
type process struct {
	cmd     *exec.Cmd
	base    string
	listen  string // where it listens
	metrics string
	log     string
	ended   chan error
}

// start starts the service and waits until it is ready. env adds to its configuration.
func (h *house) start(t *testing.T, env ...string) *process {
	t.Helper()
	return h.startBinary(t, h.binary, env...)
}

func (h *house) startBinary(t *testing.T, binary string, env ...string) *process {
	t.Helper()
	p := &process{ended: make(chan error, 1)}
	address, metrics := freeAddress(t), freeAddress(t)
	p.listen, p.base, p.metrics = address, "http://"+address, "http://"+metrics+"/metrics"
	p.log = filepath.Join(h.dir, "service.log")
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(binary, "serve")
	p.cmd.Env = append([]string{
		"DATABASE_URL=" + through(t, h.direct, h.postgres), "REDIS_URL=" + through(t, h.redisURL, h.redis),
		"BASE_URL=" + p.base, "LISTEN_ADDR=" + address, "METRICS_ADDR=" + metrics, "SECRET_KEY=" + secretKey,
		"ATTACHMENT_URL=file://" + filepath.Join(h.dir, "files"),
		"CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0", "OAUTH_RATE=0", "CONSENT_RATE=0", "REGISTRATION_RATE=0",
	}, env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.ended <- p.cmd.Wait()
		_ = log.Close()
	}()
	for range 600 {
		select {
		case err := <-p.ended:
			t.Fatalf("the service ended at its start: %v; see %s", err, p.log)
		default:
		}
		if status, _, _ := h.ask(&process{base: "http://" + address}, http.MethodGet, "/readyz", "", ""); status == http.StatusOK {
			t.Cleanup(p.kill)
			return p
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the service did not get ready; see %s", p.log)
	return nil
}

// kill ends the process as the machine's loss would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	if err, open := <-p.ended; open {
		p.ended <- err
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ask sends a request and returns the status, 0 with an error when there was no answer.
func (h *house) ask(p *process, method, path, key, body string) (int, []byte, error) {
	return h.askWith(p, method, path, key, body, nil)
}

func (h *house) askWith(p *process, method, path, key, body string, header map[string]string) (int, []byte, error) {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(context.Background(), method, p.base+path, reader)
	if err != nil {
		return 0, nil, err
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
	response, err := h.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, raw, err
	}
	return response.StatusCode, raw, nil
}

// A tenant is an organization with its owner, a key with every scope, and a base with a table.
type tenant struct {
	org, owner uuid.UUID
	key        string
	keyID      uuid.UUID
	base       string
	table      string
}

func (h *house) person() uuid.UUID {
	h.t.Helper()
	person := id.New()
	err := h.db.SystemTx(context.Background(), func(tx pgx.Tx) error {
		_, err := tx.Exec(context.Background(), "insert into rowhouse.person (id, email, name, email_verified) values ($1, $2, 'Drill', now())", person, person.String()+"@example.com")
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return person
}

func (h *house) newKey(person uuid.UUID, scopes ...authz.Scope) (uuid.UUID, string) {
	h.t.Helper()
	key, secret, err := h.keys.Create(context.Background(), apikey.Draft{Person: person, Name: "Drill", Scopes: scopes})
	if err != nil {
		h.t.Fatal(err)
	}
	h.know("API key", secret)
	return key.ID, secret
}

func (h *house) tenant(t *testing.T, p *process) *tenant {
	t.Helper()
	n := &tenant{owner: h.person()}
	org, err := organization.Create(context.Background(), h.db, n.owner, "Drill")
	if err != nil {
		t.Fatal(err)
	}
	n.org = org.ID
	n.keyID, n.key = h.newKey(n.owner, authz.AllScopes()...)
	n.base = h.made(t, p, n.key, "/api/v1/bases", `{"name":"Drill"}`)
	n.table = h.made(t, p, n.key, "/api/v1/bases/"+n.base+"/tables",
		`{"name":"Rows","fields":[{"name":"Name","type":"text"},{"name":"Batch","type":"text"},{"name":"Number","type":"number"}]}`)
	return n
}

// made posts and returns the id of what was made.
func (h *house) made(t *testing.T, p *process, key, path, body string) string {
	t.Helper()
	status, raw, err := h.ask(p, http.MethodPost, path, key, body)
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

// gauge reads a metric without labels.
func (h *house) gauge(t *testing.T, p *process, name string) float64 {
	t.Helper()
	response, err := h.client.Get(p.metrics)
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

var results sync.Mutex

// tell adds a line to the results.
func tell(t *testing.T, drill, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf(format, args...)
	verdict := "held"
	if load, err := os.ReadFile("/proc/loadavg"); err == nil && strings.Contains(line, "p99") {
		line += fmt.Sprintf("; load of the machine %s on %d processors", strings.Fields(string(load))[0], runtime.NumCPU())
	}
	if t.Failed() {
		verdict = "FAILED"
	}
	t.Logf("%s: %s", drill, line)
	if *report == "" {
		return
	}
	results.Lock()
	defer results.Unlock()
	file, err := os.OpenFile(*report, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	_, err = fmt.Fprintf(file, "| %s | %s | %s |\n", drill, line, verdict)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Error(err)
	}
}

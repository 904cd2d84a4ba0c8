package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestServeStartsAndStops(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- (&serveCommand{c}).Run(ctx, streams{out: io.Discard, err: io.Discard}) }()
	address := "http://" + c.ListenAddr
	eventually(t, func() bool { return status(address+"/readyz") == http.StatusOK })
	if got := status(address + "/healthz"); got != http.StatusOK {
		t.Errorf("/healthz: %d", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := status(address + "/healthz"); got != 0 {
		t.Errorf("still answers after it has stopped: %d", got)
	}
}

func TestMetricsHaveTheirOwnAddress(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	c.MetricsAddr = freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- (&serveCommand{c}).Run(ctx, streams{out: io.Discard, err: io.Discard}) }()
	eventually(t, func() bool { return status("http://"+c.ListenAddr+"/api/v1/me") == http.StatusUnauthorized })
	response, err := http.Get("http://" + c.MetricsAddr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`rowhouse_http_request_duration_seconds_count{method="GET",status="401",surface="api"} 1`,
		"rowhouse_database_connections ", "go_goroutines",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestShutdownWaitsForRequests(t *testing.T) {
	t.Parallel()
	arrived, stop := make(chan struct{}), make(chan struct{})
	s := &service{log: silent(), health: healthy()}
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-stop
		_, _ = io.WriteString(w, "late")
	})
	listener := listener(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, listener, 0) }()
	body := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			body <- err.Error()
			return
		}
		defer response.Body.Close()
		b, _ := io.ReadAll(response.Body)
		body <- string(b)
	}()
	<-arrived
	cancel()
	eventually(t, s.health.draining.Load)
	close(stop)
	if got := <-body; got != "late" {
		t.Errorf("the answer: %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestReadinessDependsOnDatabaseOnly(t *testing.T) {
	t.Parallel()
	away := func(context.Context) error { return errors.New("away") }
	for name, test := range map[string]struct {
		change func(*health)
		status int
		body   map[string]string
	}{
		"all is well": {func(*health) {}, 200, map[string]string{"status": "ok", "database": "ok", "redis": "ok"}},
		"no Redis": {
			func(h *health) { h.redis = away }, 200,
			map[string]string{"status": "ok", "database": "ok", "redis": "unavailable"},
		},
		"no database": {
			func(h *health) { h.database = away }, 503,
			map[string]string{"status": "unavailable", "database": "unavailable", "redis": "ok"},
		},
		"no worker of Citus": {
			func(h *health) { h.workers = &pacedCheck{check: away} }, 200,
			map[string]string{"status": "degraded", "database": "ok", "redis": "ok", "workers": "unavailable"},
		},
		"stopping": {(*health).drain, 503, map[string]string{"status": "stopping", "database": "ok", "redis": "ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := healthy()
			test.change(h)
			s := &service{log: silent(), health: h}
			s.handler = http.HandlerFunc(h.ready)
			l := listener(t)
			server := &http.Server{Handler: s.handler}
			t.Cleanup(func() { _ = server.Close() })
			go func() { _ = server.Serve(l) }()
			response, err := http.Get("http://" + l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var body map[string]string
			if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != test.status {
				t.Errorf("status %d, want %d", response.StatusCode, test.status)
			}
			for k, want := range test.body {
				if body[k] != want {
					t.Errorf("%s is %q, want %q", k, body[k], want)
				}
			}
		})
	}
}

func TestServeWithoutRedisStarts(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	c.RedisURL = "redis://" + freeAddress(t) + "/0"
	var log bytes.Buffer
	s, err := open(t.Context(), &c, slog.New(slog.NewJSONHandler(&log, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if !strings.Contains(log.String(), "Redis is unreachable") {
		t.Errorf("the warning is missing: %s", log.String())
	}
}

func TestAddressInUseNamesSetting(t *testing.T) {
	t.Parallel()
	taken := listener(t).Addr().String()
	_, err := listen(t.Context(), taken, "--addr")
	if err == nil || !strings.Contains(err.Error(), taken) || !strings.Contains(err.Error(), "--addr") {
		t.Errorf("got %v", err)
	}
}

func TestMigrateCreatesDatabase(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	admin := tenancytest.AdminURL(t)
	target, err := url.Parse(c.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	name := "rowhouse_migrate_" + strings.ToLower(id.New().String()[24:])
	target.Path = "/" + name
	c.DatabaseURL = target.String()
	t.Cleanup(func() { drop(t, admin, name) })

	if err := migrations.CreateDatabase(t.Context(), admin, name); err != nil {
		t.Fatal(err)
	}
	if _, err := open(
		t.Context(), &c, silent(), nil,
	); err == nil || !strings.Contains(err.Error(), "rowhouse migrate") {
		t.Errorf("serving a database without migrations: %v", err)
	}
	for range 2 {
		migrate := migrateCommand{databaseConfig: c.databaseConfig, AdminDatabaseURL: admin}
		if err := migrate.Run(t.Context(), streams{out: io.Discard, err: io.Discard}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
}

func testConfig(t *testing.T) serviceConfig {
	t.Helper()
	c := valid()
	c.DatabaseURL, c.RedisURL, c.SecretKey = tenancytest.DatabaseURL(t), tenancytest.RedisURL(t), tenancytest.Secret
	c.DatabaseMaxConnections, c.ListenAddr = 4, freeAddress(t)
	c.BaseURL = "http://" + c.ListenAddr
	return c
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func healthy() *health {
	well := func(context.Context) error { return nil }
	return &health{database: well, redis: well}
}

func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l := listener(t)
	defer l.Close()
	return l.Addr().String()
}

// status is 0 when nobody answers.
func status(address string) int {
	response, err := http.Get(address)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

func eventually(t *testing.T, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come about")
}

func drop(t *testing.T, admin, name string) {
	t.Helper()
	if err := tenancytest.DropDatabase(context.Background(), admin, name); err != nil {
		t.Log(err)
	}
}

func TestKeyCreateCommand(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	email := strings.ToLower(id.New().String()) + "@example.com"
	proof, err := s.accounts.SignUp(t.Context(), account.Registration{
		Name: "Somebody", Email: email, Password: "correct horse battery", Organization: "Some",
		Address: id.New().String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	create := keyCreateCommand{
		databaseConfig: c.databaseConfig, redisConfig: c.redisConfig,
		Email: email, Scopes: []string{"data:read", "mcp:tools"}, Name: "Script", Expires: time.Hour,
	}
	if err := create.Run(t.Context(), streams{out: &out, err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	p, err := s.keys.Verify(t.Context(), strings.TrimSuffix(out.String(), "\n"))
	if err != nil || p == nil || p.Person != proof.Person || authz.JoinScopes(p.Scopes, " ") != "data:read mcp:tools" {
		t.Errorf("the key is of %+v: %v", p, err)
	}
	create.Email = "nobody-" + email
	if err := create.Run(t.Context(), streams{out: &out, err: io.Discard}); err == nil ||
		!strings.Contains(err.Error(), create.Email) {
		t.Errorf("a key for nobody: %v", err)
	}
	create.Scopes = []string{"data:reed"}
	if err := create.Run(t.Context(), streams{out: &out, err: io.Discard}); err == nil ||
		!strings.Contains(err.Error(), "data:read,") {
		t.Errorf("a key for an unknown scope: %v", err)
	}
}

func TestClientAddressHeader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ header, value, want string }{
		{"", "203.0.113.9", "192.0.2.1:1234"},
		{"X-Real-Ip", "203.0.113.9", "203.0.113.9:0"},
		{"X-Real-Ip", "2001:db8::1", "[2001:db8::1]:0"},
		{"X-Real-Ip", "10.0.0.1, 203.0.113.9", "203.0.113.9:0"},
		{"X-Real-Ip", "nonsense", "192.0.2.1:1234"},
		{"X-Other", "", "192.0.2.1:1234"},
	} {
		var got string
		h := useClientAddressHeader(test.header,
			http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr }))
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "192.0.2.1:1234"
		r.Header.Set("X-Real-Ip", test.value)
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

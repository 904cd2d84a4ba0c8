// Package rowhousetest runs the real binary in tests: it builds it, prepares a database with its
// migrate command, and starts it with its own Redis. It owns these processes. It must never import
// a package of the service: it knows only what a person at a terminal knows.
package rowhousetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
)

const module = "github.com/rowhouse/rowhouse"

var binary string // that the tests run

// Main is the TestMain of packages that run the binary. It builds the binary, unless ROWHOUSE_BINARY
// is the path of one that has just been built, runs the tests and returns their exit status.
func Main(m *testing.M) int {
	if binary = os.Getenv("ROWHOUSE_BINARY"); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "rowhouse")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		binary = filepath.Join(dir, "rowhouse")
		build := exec.Command("go", "build", "-o", binary, module+"/cmd/rowhouse")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "building the binary:", err)
		return 1
	}
	return m.Run()
}

// trackSources opens every directory of the module's sources. go test reuses a cached result unless
// a file that a test opened has changed, and it notices neither what the build reads nor what
// happens before the first test.
func trackSources() error {
	root, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		if root == filepath.Dir(root) {
			return errors.New("the test does not run inside of the module")
		}
		root = filepath.Dir(root)
	}
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "bin") {
			return fs.SkipDir
		}
		if filepath.Dir(path) == filepath.Join(root, "clients", "typescript") && (name == "dist" || name == "build") {
			return fs.SkipDir // a test writes them
		}
		return nil
	})
}

// A Service is a running service with its own database and Redis.
type Service struct {
	BaseURL     string // where people and programs believe it to be
	Address     string // where this process is; the same as BaseURL, but for a Replica
	DatabaseURL string
	RedisURL    string
	Mail        *Mailbox // that the service sends to
	Folder      string   // where it keeps files
	Airtable    *airtabletest.Server

	redis   *process
	process *process // that serves
}

// Start starts a service on an empty database. It ends with the test.
func Start(t testing.TB) *Service {
	t.Helper()
	if err := trackSources(); err != nil {
		t.Fatalf("looking at the sources: %v", err)
	}
	s := &Service{
		Mail: NewMailbox(t), Folder: t.TempDir(),
		Airtable: airtabletest.Start(airtabletest.Plain(30, 2), airtabletest.Options{}),
	}
	t.Cleanup(s.Airtable.Close)
	s.prepareDatabase(t)
	s.startRedis(t)
	return s.Another(t)
}

// Another starts a second process of the same service, with the same database and Redis, at its own
// address.
func (s *Service) Another(t testing.TB) *Service {
	t.Helper()
	other := *s
	other.Address = "http://" + freeAddress(t)
	other.BaseURL = other.Address
	other.serve(t)
	return &other
}

// Replica starts a second process behind the same public address.
func (s *Service) Replica(t testing.TB) *Service {
	t.Helper()
	other := *s
	other.Address = "http://" + freeAddress(t)
	other.serve(t)
	return &other
}

func (s *Service) serve(t testing.TB) {
	t.Helper()
	address := strings.TrimPrefix(s.Address, "http://")
	p := startProcess(t, "rowhouse serve", append(s.environment(), "LISTEN_ADDR="+address, "LOG_LEVEL=warn"),
		binary, "serve")
	s.process = p
	p.waitUntilReady(t, func() bool { return status(s.Address+"/readyz") == http.StatusOK })
}

// Kill ends the service's process at once, as a crash does, and starts another one at the same address.
func (s *Service) Kill(t testing.TB) {
	t.Helper()
	if err := s.process.command.Process.Kill(); err != nil {
		t.Fatalf("killing the service: %v", err)
	}
	<-s.process.ended
	s.serve(t)
}

// Run runs a command of the binary with the service's configuration and returns its standard
// output.
func (s *Service) Run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := s.run(t.Context(), nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *Service) run(ctx context.Context, environment []string, args ...string) (string, error) {
	var out, said bytes.Buffer
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = append(append(baseEnvironment(), s.environment()...), environment...)
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("rowhouse %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return out.String(), nil
}

func (s *Service) environment() []string {
	return []string{
		"DATABASE_URL=" + s.DatabaseURL, "REDIS_URL=" + s.RedisURL, "BASE_URL=" + s.BaseURL,
		"SECRET_KEY=" + strings.Repeat("test", 8), "DATABASE_MAX_CONNECTIONS=12",
		"SMTP_URL=" + s.Mail.URL(), "MAIL_FROM=Rowhouse <no-reply@rowhouse.example>",
		"ATTACHMENT_URL=file://" + s.Folder, "ATTACHMENT_MB=3",
		// Tests send more requests than the limits allow; the limits have their own tests.
		"CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0", "OAUTH_RATE=0", "CONSENT_RATE=0",
		"REGISTRATION_RATE=0",
		// Receivers of webhooks are on this machine.
		"ALLOWED_NETWORKS=127.0.0.1/32",
		"AIRTABLE_URL=" + s.Airtable.URL,
	}
}

// baseEnvironment returns the environment without the configuration of whoever runs the tests.
func baseEnvironment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
}

// StopRedis stops the service's Redis.
func (s *Service) StopRedis(t testing.TB) {
	t.Helper()
	s.redis.stop(t)
}

func (s *Service) prepareDatabase(t testing.TB) {
	t.Helper()
	admin := os.Getenv("TEST_ADMIN_DATABASE_URL")
	if admin == "" {
		t.Fatal("TEST_ADMIN_DATABASE_URL is not set: run the tests with `make test`, or `go run ./deploy/local/with " +
			"-- go test ./...`")
	}
	target, err := url.Parse(admin)
	if err != nil {
		t.Fatalf("reading TEST_ADMIN_DATABASE_URL: %v", err)
	}
	name := "rowhouse_e2e_" + strings.ToLower(rand.Text()[:12])
	// All test databases share this login, because a role belongs to the cluster and would outlive
	// the test.
	target.User, target.Path = url.UserPassword("rowhouse_test", "rowhouse_test"), "/"+name
	s.DatabaseURL = target.String()
	t.Cleanup(func() { drop(t, admin, name) })
	if _, err := s.run(t.Context(), []string{"ADMIN_DATABASE_URL=" + admin}, "migrate"); err != nil {
		t.Fatal(err)
	}
}

func drop(t testing.TB, admin, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		t.Logf("dropping %s: %v", name, err)
		return
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, sql := range []string{
		"set citus.enable_create_database_propagation = on", // Citus drops it on every node
		"drop database if exists " + pgx.Identifier{name}.Sanitize() + " with (force)",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Logf("dropping %s: %v", name, err)
		}
	}
}

func (s *Service) startRedis(t testing.TB) {
	t.Helper()
	address := freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	s.RedisURL = "redis://" + address + "/0"
	s.redis = startProcess(t, "redis-server", baseEnvironment(), "redis-server",
		"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--loglevel", "warning", "--dir",
		t.TempDir())
	s.redis.waitUntilReady(t, func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// A process was started by a test and is stopped when the test ends.
type process struct {
	name    string
	command *exec.Cmd
	output  *log
	ended   chan struct{}
	err     error
	once    sync.Once
}

func startProcess(t testing.TB, name string, environment []string, path string, args ...string) *process {
	t.Helper()
	p := &process{name: name, output: &log{}, ended: make(chan struct{})}
	p.command = exec.Command(path, args...)
	p.command.Env = append(baseEnvironment(), environment...)
	p.command.Stdout, p.command.Stderr = p.output, p.output
	if err := p.command.Start(); err != nil {
		t.Fatalf("starting %s: %v", name, err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.stop(t)
		if t.Failed() {
			t.Logf("%s said: %s", name, p.output)
		}
	})
	return p
}

func (p *process) waitUntilReady(t testing.TB, ready func() bool) {
	t.Helper()
	for range 1500 {
		if ready() {
			return
		}
		select {
		case <-p.ended:
			t.Fatalf("%s ended at its start (%v): %s", p.name, p.err, p.output)
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer: %s", p.name, p.output)
}

func (p *process) stop(t testing.TB) {
	p.once.Do(func() {
		if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Logf("asking %s to end: %v", p.name, err)
		}
		select {
		case <-p.ended:
		case <-time.After(40 * time.Second):
			t.Errorf("%s does not end when asked", p.name)
			_ = p.command.Process.Kill()
			<-p.ended
		}
	})
}

// log collects the output of a process from several goroutines.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// status returns the HTTP status of the address, or 0 if the service does not respond.
func status(address string) int {
	client := &http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(address)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// Command returns a run of the binary as a person at a terminal would start it, with an environment of its
// own: a home without files, and what is given.
func Command(t testing.TB, home string, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, args...)
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
	}, environment...)
	command.Dir = home
	return command
}

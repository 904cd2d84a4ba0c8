package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// metrics is where the service shows its profiles.
const metrics = "127.0.0.1:19099"

// A service is the built binary with a database of its own.
type service struct {
	database string
	host     string
	login    string
	command  *exec.Cmd
	log      *os.File
	ended    chan struct{}
	client   *http.Client
}

// A team is an organization with one base, one table and one record, and a key for each watcher.
type team struct {
	keys         []string
	base, record string
}

func start(ctx context.Context, services *local.Services, binary, dir string) (_ *service, err error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	s := &service{client: &http.Client{Timeout: time.Minute, Transport: transport}, ended: make(chan struct{})}
	admin, err := url.Parse(services.AdminURL)
	if err != nil {
		return nil, fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	admin.Path = "/live_" + strings.ToLower(rand.Text())
	s.database = admin.Path[1:]
	if err := migrations.CreateDatabase(ctx, services.AdminURL, s.database); err != nil {
		return nil, err
	}
	if err := migrations.Provision(ctx, admin.String(), "bench", "bench"); err != nil {
		return nil, err
	}
	admin.User = url.UserPassword("bench", "bench")
	s.login = admin.String()
	if err := migrations.Up(ctx, s.login); err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("looking for a port: %w", err)
	}
	s.host = listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, fmt.Errorf("looking for a port: %w", err)
	}
	if s.log, err = os.Create(filepath.Join(dir, "live.log")); err != nil {
		return nil, fmt.Errorf("making a log: %w", err)
	}
	s.command = exec.Command(binary, "serve") //nolint:noctx // Our own binary; it lives until close.
	s.command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "LISTEN_ADDR=" + s.host, "BASE_URL=http://" + s.host, "DATABASE_URL=" + s.login,
		"REDIS_URL=" + services.RedisURL, "SECRET_KEY=" + secret, "CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0",
		"ADDRESS_RATE=0", "PERSON_STREAMS=0", "ORGANIZATION_STREAMS=0", "METRICS_ADDR=" + metrics,
		"ALLOWED_NETWORKS=127.0.0.1/32",
	}
	s.command.Stdout, s.command.Stderr = s.log, s.log
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the service: %w", err)
	}
	go func() {
		_ = s.command.Wait() // how it ended is in the log
		close(s.ended)
	}()
	for {
		if conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.host); err == nil {
			return s, conn.Close()
		}
		select {
		case <-s.ended:
			return nil, fmt.Errorf("the service ended at its start: see %s", s.log.Name())
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

var secret = rand.Text() + rand.Text()

func (s *service) close() error {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping the service: %w", err)
	}
	<-s.ended
	return s.log.Close()
}

// memory is the resident memory of the service, in bytes.
func (s *service) memory() int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if name, rest, _ := strings.Cut(line, ":"); name == "VmRSS" {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

// processorTime is the processor time of the service so far.
func (s *service) processorTime() time.Duration {
	return processorTime(fmt.Sprintf("/proc/%d", s.command.Process.Pid))
}

// databaseTime is the processor time so far of the PostgreSQL backends that serve the service.
func (s *service) databaseTime() (sum time.Duration) {
	name := []byte(" " + s.database + " ")
	processes, _ := filepath.Glob("/proc/[0-9]*") // its only error is a wrong pattern
	for _, dir := range processes {
		title, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err == nil && bytes.HasPrefix(title, []byte("postgres: ")) && bytes.Contains(title, name) {
			sum += processorTime(dir)
		}
	}
	return sum
}

// processorTime is the processor time of the process that a directory of /proc describes; zero if
// it has ended.
func processorTime(dir string) time.Duration {
	status, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// profile writes a processor profile of the service while changes are made, if the settings ask for
// it.
func (s *service) profile(ctx context.Context, set *settings) <-chan error {
	done := make(chan error, 1)
	if set.profile == "" {
		done <- nil
		return done
	}
	go func() {
		address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", metrics, int(set.length.Seconds()))
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			done <- fmt.Errorf("asking for a profile: %w", err)
			return
		}
		response, err := (&http.Client{Timeout: set.length + time.Minute}).Do(request)
		if err != nil {
			done <- fmt.Errorf("asking for a profile: %w", err)
			return
		}
		text, err := io.ReadAll(response.Body)
		done <- errors.Join(err, response.Body.Close(), os.WriteFile(set.profile, text, 0o600))
	}()
	return done
}

// ask makes a REST call and reads the answer.
func (s *service) ask(ctx context.Context, key, method, path string, body, answer any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding a call: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.host+path, bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("making a call: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(r)
	if err != nil {
		return fmt.Errorf("calling %s: %w", path, err)
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return fmt.Errorf("calling %s: %w", path, err)
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("calling %s: %s: %s", path, response.Status, text)
	}
	return json.Unmarshal(text, answer)
}

// open connects to the database of the service, and to what makes keys there, until done is called.
func (s *service) open(ctx context.Context, redisURL string) (_ *db.DB, _ *apikey.Service, done func(), err error) {
	tenantDB, err := db.Open(ctx, s.login, db.Options{MaxConns: 4, Secrets: [][]byte{[]byte(secret)}})
	if err != nil {
		return nil, nil, nil, err
	}
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		tenantDB.Close()
		return nil, nil, nil, err
	}
	client := redis.NewClient(options)
	cache := credential.New(client, credential.Options{})
	keys := apikey.New(apikey.Deps{DB: tenantDB, Cache: cache})
	return tenantDB, keys, func() {
		keys.Close(ctx)
		cache.Close()
		_ = client.Close()
		tenantDB.Close()
	}, nil
}

// teams makes organizations, each with a number of keys.
func (s *service) teams(ctx context.Context, redisURL string, count, keysOfEach int) ([]*team, error) {
	tenantDB, keys, done, err := s.open(ctx, redisURL)
	if err != nil {
		return nil, err
	}
	defer done()

	teams := make([]*team, count)
	failures := make(chan error, count)
	var group sync.WaitGroup
	places := make(chan struct{}, 4)
	for i := range teams {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			var err error
			if teams[i], err = s.team(ctx, tenantDB, keys, keysOfEach); err != nil {
				failures <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failures:
		return nil, err
	default:
		return teams, nil
	}
}

func (s *service) team(ctx context.Context, tenantDB *db.DB, keys *apikey.Service, count int) (*team, error) {
	t := &team{}
	owner := id.New()
	err := tenantDB.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, $2, 'Load')",
			owner, owner.String()+"@example.com")
		return err
	})
	if err != nil {
		return nil, err
	}
	org, err := organization.Create(ctx, tenantDB, owner, "Load")
	if err != nil {
		return nil, err
	}
	for range count {
		_, key, err := keys.Create(ctx, apikey.Draft{Person: owner, Name: "Load", Scopes: authz.AllScopes()})
		if err != nil {
			return nil, err
		}
		t.keys = append(t.keys, key)
	}
	return t, s.fill(ctx, t, id.Format(id.Org, org.ID))
}

// fill gives a team a base with a table and a record.
func (s *service) fill(ctx context.Context, t *team, org string) error {
	type object map[string]any
	var base, table struct {
		ID string `json:"id"`
	}
	var records struct {
		Records []struct {
			ID string `json:"id"`
		} `json:"records"`
	}
	key := t.keys[0]
	if err := s.ask(ctx, key, "POST", "/api/v1/bases", object{"orgId": org, "name": "Load"}, &base); err != nil {
		return err
	}
	fields := []object{{"name": "Name", "type": "text"}, {"name": "Amount", "type": "number"}}
	made := object{"name": "Load", "fields": fields}
	if err := s.ask(ctx, key, "POST", "/api/v1/bases/"+base.ID+"/tables", made, &table); err != nil {
		return err
	}
	rows := object{"records": []object{{"fields": object{"Name": "", "Amount": 1}}}}
	if err := s.ask(ctx, key, "POST", "/api/v1/tables/"+table.ID+"/records", rows, &records); err != nil {
		return err
	}
	t.base, t.record = base.ID, records.Records[0].ID
	return nil
}

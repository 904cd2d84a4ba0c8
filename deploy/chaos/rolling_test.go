//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// testRollingUpgrade upgrades a service in use. Two processes of the binary before the newest
// migration run behind a load balancer that checks /readyz. The new binary migrates the database,
// and two of its processes replace the old ones. No request may fail and nothing that was acknowledged
// may be lost.
func (e *environment) testRollingUpgrade(t *testing.T) {
	oldBinary, revision := e.buildPrevious(t)
	databaseURL, adminURL := e.recreateDatabase(t, "rowhouse_rolling")
	migrate := func(binary string) {
		command := exec.Command(binary, "migrate")
		command.Env = append(os.Environ(), "DATABASE_URL="+databaseURL, "ADMIN_DATABASE_URL="+adminURL,
			"SECRET_KEY="+secretKey)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("migrating: %v %s", err, out)
		}
	}
	migrate(oldBinary)
	pending, err := migrations.Pending(t.Context(), databaseURL)
	if err != nil || pending < 1 {
		t.Fatalf("the old binary has %d pending migrations: %v", pending, err)
	}
	balancer := newBalancer(t)
	run := func(binary string) *process {
		p := e.startBinary(t, binary, "DATABASE_URL="+databaseURL, "REDIS_URL="+e.redisURL, "BASE_URL="+balancer.URL,
			"SHUTDOWN_DELAY=2s", "METRICS_ADDR=")
		balancer.add(p.listen)
		return p
	}
	old := []*process{run(oldBinary), run(oldBinary)}
	l := e.startWorkload(t, balancer.URL)
	time.Sleep(3 * time.Second)
	began := time.Now()
	migrate(e.binary)
	migrated := time.Since(began)
	if pending, err := migrations.Pending(t.Context(), databaseURL); err != nil || pending != 0 {
		t.Fatalf("%d migrations are pending: %v", pending, err)
	}
	time.Sleep(3 * time.Second) // the old binary runs on the new schema
	for _, p := range old {
		run(e.binary)
		time.Sleep(time.Second) // both versions run
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		ended := <-p.ended
		p.ended <- ended
		if ended != nil {
			t.Errorf("a process of the old binary ended with %v", ended)
		}
		balancer.remove(p.listen)
	}
	time.Sleep(2 * time.Second)
	since := l.writer.count() // from here on, the new binary has written everything
	l.changes.run(4, 3*time.Second, func() *process { return l.service })
	l.end()
	lost, half, there := l.writer.audit(t, e, l.service, l.tenant)
	if l.failed.Load() > 0 || lost+half > 0 || len(l.writer.refused) > 0 {
		t.Errorf("%d failed, %v batches refused, %d acknowledged lost, %d partly there",
			l.failed.Load(), l.writer.refused, lost, half)
	}
	log := l.auditLog(t, e, databaseURL, adminURL, since)
	report(t, "Rolling upgrade", "from %s over %d migration(s) in %.1f s, with %d tables: %d requests over REST and "+
		"MCP with keys, tokens and a session, and %d batches of %d records, %d of them acknowledged and %d there: "+
		"%d errors, %d lost, %d half; afterwards %d more writes of all kinds to records of both binaries (%s): %s",
		revision, pending, migrated.Seconds(), l.tables, l.done.Load(), l.writer.sent.Load(), batch,
		len(l.writer.acknowledged), there, l.failed.Load()+l.writer.sent.Load()-int64(len(l.writer.acknowledged)), lost,
		half, len(l.changes.acknowledged), l.changes.counted(), log)
}

// auditLog compares the log with the records of both binaries.
func (l *workload) auditLog(t *testing.T, e *environment, databaseURL, adminURL string, since int) *logAudit {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	database, err := db.Open(t.Context(), databaseURL, db.Options{Secrets: [][]byte{[]byte(secretKey)}, MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	a := auditLog(t, database, adminURL, strings.TrimPrefix(u.Path, "/"), l.tenant.org)
	a.acknowledged(l.changes.acknowledgements())
	late := map[string]bool{}
	for _, name := range l.writer.acknowledged[since:] {
		late[strconv.Quote(name)] = true
	}
	logged, early := 0, 0 // records of the new binary, and numbered ones of the old
	for key, r := range a.records {
		for name, f := range a.fields[key.table] {
			value := r.cells[name]
			switch {
			case f.Name != "Batch" || len(value) != 1:
			case !late[value[0]] && r.version != 0:
				early++
			case late[value[0]]:
				logged++
				if r.version == 0 {
					a.fault("%s was written by the new binary and has no version", key)
				}
			}
		}
	}
	if logged != len(late)*batch || len(late) == 0 || early == 0 {
		t.Errorf("%d records of %d batches of the new binary, and %d of the old one", logged, len(late), early)
	}
	a.check(t)
	return a
}

// buildPrevious builds the binary of an older revision from the repository's history.
func (e *environment) buildPrevious(t *testing.T) (binary, revision string) {
	t.Helper()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", filepath.Join("..", "..")}, args...)...).Output()
		if err != nil {
			t.Fatalf("git %v: %v (this test needs the repository's history, or -before)", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	revision = *before
	if revision == "" {
		revision = git("log", "--format=%H", "-n", "1", "--", "migrations/*.sql") + "^"
	}
	revision = git("rev-parse", "--short", revision)
	dir := filepath.Join(e.dir, "before")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(e.dir, "before.tar")
	git("archive", "-o", archive, revision)
	binary = filepath.Join(dir, "rowhouse-"+revision)
	if out, err := exec.Command("tar", "-xf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("unpacking %s: %v %s", revision, err, out)
	}
	buildBinary(t, dir, binary)
	return binary, revision
}

// recreateDatabase creates an empty database and returns the service's URL and the superuser's URL.
func (e *environment) recreateDatabase(t *testing.T, name string) (service, admin string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), e.admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "drop database if exists "+name+" with (force)"); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(e.direct)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String(), e.admin
}

// A balancer forwards each request to the next ready process.
type balancer struct {
	*httptest.Server
	mu    sync.Mutex
	all   []string
	ready []string
	next  int
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	b := &balancer{}
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	b.Server = httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1, Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			target := &url.URL{Scheme: "http", Host: b.pick()}
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			http.Error(w, "balancer: "+err.Error(), http.StatusBadGateway)
		},
	})
	stop := make(chan struct{})
	go func() {
		client := &http.Client{Timeout: 2 * time.Second}
		for {
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Millisecond):
				b.look(client)
			}
		}
	}()
	t.Cleanup(func() { close(stop); b.Close() })
	return b
}

func (b *balancer) pick() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ready) == 0 {
		return "127.0.0.1:1"
	}
	b.next++
	return b.ready[b.next%len(b.ready)]
}

func (b *balancer) look(client *http.Client) {
	b.mu.Lock()
	all := slices.Clone(b.all)
	b.mu.Unlock()
	var ready []string
	for _, address := range all {
		response, err := client.Get("http://" + address + "/readyz")
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			ready = append(ready, address)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = ready
}

func (b *balancer) add(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, address)
	b.ready = append(b.ready, address)
}

func (b *balancer) remove(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	gone := func(other string) bool { return other == address }
	b.all, b.ready = slices.DeleteFunc(b.all, gone), slices.DeleteFunc(b.ready, gone)
}

// A workload is what people, programs and agents do during the upgrade.
type workload struct {
	service      *process
	tenant       *tenant
	tables       int
	writer       writer
	changes      *changeLoad
	done, failed atomic.Int64
	end          func()
}

func (e *environment) startWorkload(t *testing.T, base string) *workload {
	t.Helper()
	l := &workload{service: &process{base: base}, tables: 40}
	n, person := e.signUpTenant(t, l.service)
	l.tenant = n
	for i := range l.tables {
		n.table = e.create(t, l.service, n.key, "/api/v1/bases/"+n.base+"/tables",
			fmt.Sprintf(`{"name":"Rows %d","fields":[{"name":"Name","type":"text"},{"name":"Batch","type":"text"},`+
				`{"name":"Number","type":"number"}]}`, i))
	}
	l.changes = e.newChangeLoad(t, l.service, n, person)
	l.changes.seed(t, l.service, 60)
	agent := person.Connect("/mcp", "mcp:tools schema:read data:read")
	program := person.Connect("/api/v1", "schema:read data:read")

	stop := make(chan struct{})
	var all sync.WaitGroup
	l.end = func() {
		close(stop)
		all.Wait()
		e.recordSecret("OAuth", append(agent.Given, program.Given...)...)
	}
	for i := range 3 {
		all.Go(func() { l.writer.write(e, n, fmt.Sprint(i), func() *process { return l.service }, stop) })
	}
	each := func(pause time.Duration, errand func(i int) (int, string, error)) {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(pause):
				}
				status, text, err := errand(i)
				l.done.Add(1)
				if err != nil || status != http.StatusOK {
					l.failed.Add(1)
					t.Errorf("%d %s %v", status, text, err)
				}
			}
		})
	}
	rows := "/api/v1/tables/" + n.table + "/records"
	for _, path := range []string{
		rows + "?limit=20",
		rows + "?filters=" + escape(`[{"fieldId":"Number","op":"gt","value":3}]`) +
			"&sorts=" + escape(`[{"fieldId":"Name","dir":"asc"}]`) + "&limit=20",
		rows + "/search?q=row", "/api/v1/bases/" + n.base, rows + "/aggregate",
	} {
		each(10*time.Millisecond, func(int) (int, string, error) {
			status, raw, err := e.request(l.service, http.MethodGet, path, n.key, "")
			return status, path + " " + string(raw), err
		})
	}
	each(20*time.Millisecond, func(int) (int, string, error) {
		got := e.tool(l.service, n.key, "query_records", map[string]any{"tableId": n.table, "limit": 10})
		return got.status, got.text, nil
	})
	each(200*time.Millisecond, func(i int) (int, string, error) { // changes the schema during the upgrade
		got := e.tool(l.service, n.key, "create_field", map[string]any{
			"tableId": "Rows 0",
			"name":    fmt.Sprintf("Field %d", i),
			"type":    "number",
		})
		return got.status, got.text, nil
	})
	withToken := func(a *rowhousetest.App, method, path, body string) func(int) (int, string, error) {
		return func(i int) (int, string, error) {
			if i%50 == 49 {
				if err := a.Renew(base); err != nil {
					return 0, "renewing", err
				}
			}
			status, raw, err := e.requestWith(l.service, method, path, "", body, map[string]string{
				"Authorization": "Bearer " + a.Access,
				"Accept":        "application/json, text/event-stream",
			})
			return status, string(raw), err
		}
	}
	each(20*time.Millisecond, withToken(agent, http.MethodPost, "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_bases","arguments":{}}}`))
	each(20*time.Millisecond, withToken(program, http.MethodGet, "/api/v1/bases", ""))
	each(50*time.Millisecond, func(int) (int, string, error) {
		response, text := person.Send(http.MethodGet, "/api/v1/me", "", "")
		return response.StatusCode, text, nil
	})
	each(500*time.Millisecond, func(int) (int, string, error) { // somebody signs in on a new browser, and out
		again := *person
		browser := *person.Browser
		jar, err := cookiejar.New(nil)
		browser.Jar, again.Browser = jar, &browser
		if err != nil {
			return 0, "making a browser", err
		}
		response, text := again.Submit("/sign-in", url.Values{"email": {person.Email}, "password": {person.Password}})
		if response.StatusCode != http.StatusSeeOther {
			return response.StatusCode, "/sign-in " + text, nil
		}
		e.recordCookie(&again)
		// A person may have only so many sessions, and another part of the load continues with the
		// first one.
		if response, text = again.Submit("/sign-out", url.Values{}); response.StatusCode != http.StatusSeeOther {
			return response.StatusCode, "/sign-out " + text, nil
		}
		return http.StatusOK, "", nil
	})
	return l
}

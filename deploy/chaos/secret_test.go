//go:build chaos

package chaos

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// patterns match secrets by their form.
var patterns = map[string]*regexp.Regexp{
	"an API key":            regexp.MustCompile(`rhk_[0-9A-Za-z]{36}`),
	"a refresh token":       regexp.MustCompile(`rhr_[0-9A-Za-z_-]{40,}`),
	"an authorization code": regexp.MustCompile(`rhc_[0-9A-Za-z_-]{20,}`),
	"a device code":         regexp.MustCompile(`rhd_[0-9A-Za-z_-]{40,}`),
	"an access token":       regexp.MustCompile(`eyJ[A-Za-z0-9_-]{20,}\.eyJ`),
	"a URL with a password": regexp.MustCompile(`://[^:/@\s"]+:[^@/\s"]+@`),
	"a private key":         regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`),
	"the service's secret":  regexp.MustCompile(regexp.QuoteMeta(secretKey)),
	"the database password": regexp.MustCompile(`password=` + password),
}

// A receiver stores the traces that it receives.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	text strings.Builder
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body := io.Reader(request.Body)
		if request.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(body)
			if err != nil {
				t.Error(err)
				return
			}
			body = unpacked
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if _, err := io.Copy(&r.text, body); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// testSecrets uses every kind of secret the way people and programs do, including by mistake, with
// debug logging and every request traced. Then it searches everything that this part and the
// earlier ones left behind, for each value that this run received and for text that looks like a
// secret.
func (e *environment) testSecrets(t *testing.T) {
	traces, mails := newReceiver(t), rowhousetest.NewMailbox(t)
	p := e.start(t, "LOG_LEVEL=debug", "OTEL_EXPORTER_OTLP_ENDPOINT="+traces.URL, "TRACE_RATIO=1",
		"SMTP_URL="+mails.URL())
	w := e.fixture(t, p)
	for _, c := range allCalls() {
		e.rest(p, w.key, c, w.absentIDs(t))
		e.mcp(p, w.key, c, w.absentIDs(t))
	}
	e.exerciseSecrets(t, p, mails)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil { // which exports the last traces
		t.Fatal(err)
	}
	err := <-p.ended
	p.ended <- err

	places := e.leftovers(t, p)
	places["traces"] = traces.String()
	found := e.findSecrets(places)
	for _, finding := range found {
		t.Error(finding)
	}
	for name, text := range places {
		if len(text) < 1000 {
			t.Errorf("the %s of the run are %d bytes: that cannot be everything", name, len(text))
		}
	}
	kinds := map[string]int{}
	for _, what := range e.issued {
		kinds[what]++
	}

	// Prove that the search works: plant a key in a cell.
	p = e.start(t)
	careless := e.tenant(t, p)
	e.rest(
		p, careless.key,
		call{op: operationByName("create_records"), body: `{"fields":{"Name":"the key is ` + careless.key + `"}}`},
		map[string]string{"tableId": careless.table},
	)
	planted := e.findSecrets(e.leftovers(t, p))
	if len(planted) != 2 { // once by value and once by form
		t.Errorf("for a planted key the search finds %v", planted)
	}
	if status, raw, err := e.request(
		p, http.MethodDelete, "/api/v1/bases/"+careless.base, careless.key, "",
	); err != nil || status != http.StatusOK {
		t.Errorf("%d %s %v", status, raw, err)
	}
	sizes := []string{}
	for name, text := range places {
		sizes = append(sizes, fmt.Sprintf("%s %.1f MB", name, float64(len(text))/1e6))
	}
	slices.Sort(sizes)
	report(t, "Secrets", "%d values that the run received %v, each plain, in hexadecimal, base64 and escaped, "+
		"and %d patterns, over %s: %d found; a planted key is found",
		len(e.issued), kinds, len(patterns), strings.Join(sizes, ", "), len(found))
}

func operationByName(name string) *operation.Operation {
	list := operation.Catalogue()
	return list[slices.IndexFunc(list, func(op *operation.Operation) bool { return op.Name == name })]
}

// exerciseSecrets obtains secrets of every kind and uses them correctly and incorrectly.
func (e *environment) exerciseSecrets(t *testing.T, p *process, mails *rowhousetest.Mailbox) {
	t.Helper()
	person := e.signUp(t, p.base)
	token := func(word, path string) string {
		link := regexp.MustCompile(path + `\?token=([\w-]+)`).FindStringSubmatch(mails.Await(t, person.Email, word))
		if link == nil {
			t.Fatalf("no link in the mail about %s", word)
		}
		e.recordSecret("mailed link", link[1])
		return link[1]
	}
	person.Submit("/verify-email", url.Values{"token": {token("/verify-email?token=", "/verify-email")}})
	key := person.Mint("data:read", "schema:read", "mcp:tools")
	e.recordSecret("API key", key)
	app := person.Connect("/mcp", "mcp:tools schema:read")
	e.recordSecret("client secret", app.Secret)
	for range 3 {
		if err := app.Renew(p.base); err != nil {
			t.Error(err)
		}
	}
	// Secrets in the wrong places: URLs, other fields, invalid JSON, other headers.
	for _, secret := range []string{key, app.Access, app.Refresh, person.Password} {
		text := url.QueryEscape(secret)
		for _, r := range []struct{ method, path, key, body string }{
			{http.MethodGet, "/api/v1/bases?access_token=" + text, "", ""},
			{http.MethodGet, "/api/v1/bases/" + text, key, ""},
			{http.MethodPost, "/api/v1/bases", key, `{"name":"` + secret},
			{http.MethodPost, "/api/v1/bases", key, `{"nmae":"` + secret + `"}`},
			{http.MethodGet, "/" + text, "", ""},
			{http.MethodPost, "/mcp?token=" + text, secret, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		} {
			e.request(p, r.method, r.path, r.key, r.body) //nolint:errcheck // refused
		}
		e.tool(p, key, secret, map[string]any{"baseId": secret})
		e.tool(p, key, "describe_base", map[string]any{"baseId": secret})
		basic := map[string]string{"Authorization": "Basic " + secret, "User-Agent": secret}
		e.requestWith(p, http.MethodGet, "/api/v1/me", "", "", basic) //nolint:errcheck // refused
		// A request id is logged, unless it looks like a credential.
		if secret != person.Password {
			named := map[string]string{"X-Request-Id": secret}
			e.requestWith(p, http.MethodGet, "/api/v1/me", key, "", named) //nolint:errcheck // answered
		}
		person.Submit("/sign-in", url.Values{"email": {secret}, "password": {secret}})
		person.Submit("/oauth/token?refresh_token="+text, url.Values{
			"grant_type": {secret},
			"client_id":  {app.Client},
			"code":       {secret},
		})
		person.Submit("/oauth/revoke", url.Values{"token": {secret}, "client_id": {secret}})
	}
	e.recordCookie(person)
	if err := app.Revoke(p.base); err != nil {
		t.Error(err)
	}
	person.Submit("/sign-in", url.Values{"email": {person.Email}, "password": {person.Password}})
	e.recordCookie(person)
	person.Submit("/forgot-password", url.Values{"email": {person.Email}})
	reset := token("/reset-password?token=", "/reset-password")
	changed := "new-" + person.Password
	e.recordSecret("password", changed)
	if response, text := person.Submit("/reset-password", url.Values{
		"token":    {reset},
		"password": {changed},
	}); response.StatusCode >= http.StatusBadRequest {
		t.Errorf("resetting: %d %s", response.StatusCode, text)
	}
	e.recordSecret("OAuth", app.Given...)
}

// leftovers returns everything that a run leaves behind: all databases, all of Redis, and the logs.
func (e *environment) leftovers(t *testing.T, p *process) map[string]string {
	t.Helper()
	places := map[string]string{"Redis": e.dumpRedis(t)}
	conn, err := pgx.Connect(t.Context(), e.admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), "select datname from pg_database where datname like 'rowhouse%'")
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		u, err := url.Parse(e.admin)
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/" + name
		dump, err := exec.Command(
			"/bin/sh", "-c", `PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -1)" exec pg_dump --dbname "$0"`,
			u.String(),
		).Output()
		if err != nil {
			t.Fatalf("dumping %s: %v", name, err)
		}
		places["databases"] += string(dump)
	}
	log, err := os.ReadFile(p.log)
	if err != nil {
		t.Fatal(err)
	}
	places["log"] = string(log)
	if log, err := os.ReadFile(filepath.Join(e.dir, "postgres.log")); err == nil {
		places["log"] += string(log)
	}
	return places
}

// dumpRedis reads every key according to its type, because a dump file would be compressed.
func (e *environment) dumpRedis(t *testing.T) string {
	t.Helper()
	ctx := t.Context()
	var all strings.Builder
	keys := e.redisConn.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		key := keys.Val()
		var value any
		var err error
		switch kind := e.redisConn.Type(ctx, key).Val(); kind {
		case "none":
			continue // it has expired
		case "string":
			value, err = e.redisConn.Get(ctx, key).Result()
		case "hash":
			value, err = e.redisConn.HGetAll(ctx, key).Result()
		case "list":
			value, err = e.redisConn.LRange(ctx, key, 0, -1).Result()
		case "set":
			value, err = e.redisConn.SMembers(ctx, key).Result()
		case "zset":
			value, err = e.redisConn.ZRange(ctx, key, 0, -1).Result()
		case "stream":
			value, err = e.redisConn.XRange(ctx, key, "-", "+").Result()
		default:
			t.Errorf("Redis holds a %s", kind)
		}
		if err != nil {
			continue // it has expired
		}
		fmt.Fprintln(&all, key, value)
	}
	if err := keys.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// stem is the length of the prefix by which secrets are indexed, so that thousands can be searched
// for in one pass.
const stem = 12

// written is one form of a secret in text.
type written struct{ what, form, text string }

// findSecrets returns one line for each kind of secret in each place.
func (e *environment) findSecrets(places map[string]string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := map[string]bool{}
	forms := map[string][]written{}
	for secret, what := range e.issued {
		for form, text := range map[string]string{
			"plain": secret, "hexadecimal": hex.EncodeToString([]byte(secret)), "escaped": url.QueryEscape(secret),
			"base64": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "="),
		} {
			if len(text) >= stem && (form != "escaped" || text != secret) {
				forms[text[:stem]] = append(forms[text[:stem]], written{what, form, text})
			}
		}
	}
	for place, text := range places {
		for what, pattern := range patterns {
			if match := pattern.FindString(text); match != "" {
				found[fmt.Sprintf("the %s: %s, %.12s…", place, what, match)] = true
			}
		}
		for at := 0; at+stem <= len(text); at++ {
			for _, w := range forms[text[at:at+stem]] {
				if strings.HasPrefix(text[at:], w.text) {
					found[fmt.Sprintf("the %s: the value of a secret (%s), %s: …%s",
						place, w.what, w.form, text[max(0, at-50):at+6])] = true
				}
			}
		}
	}
	var list []string
	for finding := range found {
		list = append(list, finding)
	}
	slices.Sort(list)
	return list
}

//go:build drill

package drill

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

// patterns are secrets by their form.
var patterns = map[string]*regexp.Regexp{
	"an API key":            regexp.MustCompile(`rhk_[0-9A-Za-z]{36}`),
	"a refresh token":       regexp.MustCompile(`rhr_[0-9A-Za-z_-]{40,}`),
	"an authorization code": regexp.MustCompile(`rhc_[0-9A-Za-z_-]{20,}`),
	"an access token":       regexp.MustCompile(`eyJ[A-Za-z0-9_-]{20,}\.eyJ`),
	"a URL with a password": regexp.MustCompile(`://[^:/@\s"]+:[^@/\s"]+@`),
	"a private key":         regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`),
	"the service's secret":  regexp.MustCompile(regexp.QuoteMeta(secretKey)),
	"the database password": regexp.MustCompile(`password=` + password),
}

// A receiver keeps the traces that it is sent, as they are.
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

// drillSecrets does with every kind of secret what people and programs do, mistakes included, with the most talkative log and every
// request traced. Then it looks for each value that this run was given, and for what has the form of a secret, in everything that this
// drill and those before it left behind.
func (h *house) drillSecrets(t *testing.T) {
	traces, mails := newReceiver(t), rowhousetest.NewMailbox(t)
	p := h.start(t, "LOG_LEVEL=debug", "OTEL_EXPORTER_OTLP_ENDPOINT="+traces.URL, "TRACE_RATIO=1", "SMTP_URL="+mails.URL(), "MAIL_FROM=Rowhouse <no-reply@rowhouse.example>")
	w := h.world(t, p)
	for _, c := range callsOf() {
		h.rest(p, w.key, c, w.missing(t))
		h.mcp(p, w.key, c, w.missing(t))
	}
	h.handleSecrets(t, p, mails)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil { // it sends the last traces
		t.Fatal(err)
	}
	err := <-p.ended
	p.ended <- err

	places := h.leftBehind(t, p)
	places["traces"] = traces.String()
	found := h.search(places)
	for _, finding := range found {
		t.Error(finding)
	}
	for name, text := range places {
		if len(text) < 1000 {
			t.Errorf("the %s of the run are %d bytes: that cannot be all", name, len(text))
		}
	}
	kinds := map[string]int{}
	for _, what := range h.issued {
		kinds[what]++
	}

	// It does find what is there: somebody writes a key into a cell.
	p = h.start(t)
	careless := h.tenant(t, p)
	h.rest(p, careless.key, call{op: operationNamed("create_records"), body: `{"fields":{"Name":"the key is ` + careless.key + `"}}`}, map[string]string{"tableId": careless.table})
	planted := h.search(h.leftBehind(t, p))
	if len(planted) != 2 { // by its value and by its form
		t.Errorf("of a planted key it finds %v", planted)
	}
	if status, raw, err := h.ask(p, http.MethodDelete, "/api/v1/bases/"+careless.base, careless.key, ""); err != nil || status != http.StatusOK {
		t.Errorf("%d %s %v", status, raw, err)
	}
	sizes := []string{}
	for name, text := range places {
		sizes = append(sizes, fmt.Sprintf("%s %.1f MB", name, float64(len(text))/1e6))
	}
	slices.Sort(sizes)
	tell(t, "Secrets", "%d values that the run was given %v, each plain, in hexadecimal, base64 and escaped, and %d patterns, over %s: %d found; a key that was planted is found",
		len(h.issued), kinds, len(patterns), strings.Join(sizes, ", "), len(found))
}

func operationNamed(name string) *operation.Operation {
	list := operation.Catalogue()
	return list[slices.IndexFunc(list, func(op *operation.Operation) bool { return op.Name == name })]
}

// handleSecrets gets secrets of every kind, and uses them rightly and wrongly.
func (h *house) handleSecrets(t *testing.T, p *process, mails *rowhousetest.Mailbox) {
	t.Helper()
	person := h.signUp(t, p.base)
	token := func(word, path string) string {
		link := regexp.MustCompile(path + `\?token=([\w-]+)`).FindStringSubmatch(mails.Await(t, person.Email, word))
		if link == nil {
			t.Fatalf("no link in the mail about %s", word)
		}
		h.know("mailed link", link[1])
		return link[1]
	}
	person.Submit("/verify-email", url.Values{"token": {token("/verify-email?token=", "/verify-email")}})
	key := person.Mint("data:read", "schema:read", "mcp:tools")
	h.know("API key", key)
	app := person.Connect("/mcp", "mcp:tools schema:read")
	h.know("client secret", app.Secret)
	for range 3 {
		if err := app.Renew(p.base); err != nil {
			t.Error(err)
		}
	}
	// Secrets where they do not belong: in addresses, in the wrong fields, in bodies that are no JSON, in the wrong headers.
	for _, secret := range []string{key, app.Access, app.Refresh, person.Password} {
		text := url.QueryEscape(secret)
		h.ask(p, http.MethodGet, "/api/v1/bases?access_token="+text, "", "")                                    //nolint:errcheck // refused
		h.ask(p, http.MethodGet, "/api/v1/bases/"+text, key, "")                                                //nolint:errcheck // refused
		h.ask(p, http.MethodPost, "/api/v1/bases", key, `{"name":"`+secret)                                     //nolint:errcheck // refused
		h.ask(p, http.MethodPost, "/api/v1/bases", key, `{"nmae":"`+secret+`"}`)                                //nolint:errcheck // refused
		h.ask(p, http.MethodGet, "/"+text, "", "")                                                              //nolint:errcheck // refused
		h.ask(p, http.MethodPost, "/mcp?token="+text, secret, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`) //nolint:errcheck // refused
		h.tool(p, key, secret, map[string]any{"baseId": secret})
		h.tool(p, key, "describe_base", map[string]any{"baseId": secret})
		h.askWith(p, http.MethodGet, "/api/v1/me", "", "", map[string]string{"Authorization": "Basic " + secret, "User-Agent": secret}) //nolint:errcheck // refused
		if secret != person.Password {                                                                                                  // what a client calls its requests is logged; but not what has the form of a credential
			h.askWith(p, http.MethodGet, "/api/v1/me", key, "", map[string]string{"X-Request-Id": secret}) //nolint:errcheck // answered
		}
		person.Submit("/sign-in", url.Values{"email": {secret}, "password": {secret}})
		person.Submit("/oauth/token?refresh_token="+text, url.Values{"grant_type": {secret}, "client_id": {app.Client}, "code": {secret}})
		person.Submit("/oauth/revoke", url.Values{"token": {secret}, "client_id": {secret}})
	}
	h.knowCookie(person)
	if err := app.Revoke(p.base); err != nil {
		t.Error(err)
	}
	person.Submit("/sign-in", url.Values{"email": {person.Email}, "password": {person.Password}})
	h.knowCookie(person)
	person.Submit("/forgot-password", url.Values{"email": {person.Email}})
	reset := token("/reset-password?token=", "/reset-password")
	changed := "new-" + person.Password
	h.know("password", changed)
	if response, text := person.Submit("/reset-password", url.Values{"token": {reset}, "password": {changed}}); response.StatusCode >= http.StatusBadRequest {
		t.Errorf("resetting: %d %s", response.StatusCode, text)
	}
	h.know("OAuth", app.Given...)
}

// leftBehind is everything that a run keeps: every database, all of Redis, and the log.
func (h *house) leftBehind(t *testing.T, p *process) map[string]string {
	t.Helper()
	places := map[string]string{"Redis": h.wholeRedis(t)}
	conn, err := pgx.Connect(t.Context(), h.admin)
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
		u, err := url.Parse(h.admin)
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/" + name
		dump, err := exec.Command("/bin/sh", "-c", `PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -1)" exec pg_dump --dbname "$0"`, u.String()).Output()
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
	if log, err := os.ReadFile(filepath.Join(h.dir, "postgres.log")); err == nil {
		places["log"] += string(log)
	}
	return places
}

// wholeRedis reads every key by its type: a dump of Redis would be compressed.
func (h *house) wholeRedis(t *testing.T) string {
	t.Helper()
	ctx := t.Context()
	var all strings.Builder
	keys := h.redisConn.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		key := keys.Val()
		var value any
		var err error
		switch kind := h.redisConn.Type(ctx, key).Val(); kind {
		case "none":
			continue // it ended meanwhile
		case "string":
			value, err = h.redisConn.Get(ctx, key).Result()
		case "hash":
			value, err = h.redisConn.HGetAll(ctx, key).Result()
		case "list":
			value, err = h.redisConn.LRange(ctx, key, 0, -1).Result()
		case "set":
			value, err = h.redisConn.SMembers(ctx, key).Result()
		case "zset":
			value, err = h.redisConn.ZRange(ctx, key, 0, -1).Result()
		case "stream":
			value, err = h.redisConn.XRange(ctx, key, "-", "+").Result()
		default:
			t.Errorf("Redis holds a %s", kind)
		}
		if err != nil {
			continue // it ended meanwhile
		}
		fmt.Fprintln(&all, key, value)
	}
	if err := keys.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// stem is how much of a secret is looked up at each place of a text: thousands of values are looked for at once.
const stem = 12

// written is a secret as it might stand somewhere.
type written struct{ what, form, text string }

// search returns a line for each kind of secret in each place.
func (h *house) search(places map[string]string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := map[string]bool{}
	forms := map[string][]written{}
	for secret, what := range h.issued {
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
					found[fmt.Sprintf("the %s: the value of a secret (%s), %s: …%s", place, w.what, w.form, text[max(0, at-50):at+6])] = true
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

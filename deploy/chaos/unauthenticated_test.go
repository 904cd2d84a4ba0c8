//go:build chaos

package chaos

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// maxUnauthenticatedCPU is the processor time that one unauthenticated request may use, apart from
// hashing a password.
const maxUnauthenticatedCPU = 50 * time.Millisecond

// An unauthenticatedRequest is the most expensive known request to an endpoint that requires no
// credential.
type unauthenticatedRequest struct {
	endpoint string
	what     string
	outgoing string // requests that the service sends because of it, at most
	bound    string // what limits the number of such requests
	hashes   bool   // hashes a password, which has its own limit
	make     func(i int) *http.Request
}

// requestCost is the average cost of one request.
type requestCost struct {
	cpu   time.Duration
	bytes float64 // allocated
	rows  float64
	mails float64
	says  string // the statuses that occurred
}

// testUnauthenticated sends the most expensive known request to each endpoint that requires no
// credential, from a new address each time so that no rate limit hides the cost, and prints a table
// of costs.
func (e *environment) testUnauthenticated(t *testing.T) {
	mail := rowhousetest.NewMailbox(t)
	p := e.start(t, "SMTP_URL="+mail.URL(), "CLIENT_ADDRESS_HEADER=X-Client-Address", "LOG_LEVEL=error")
	cases := e.unauthenticatedRequests(t, p)
	var table strings.Builder
	table.WriteString("| endpoint | most expensive known request | processor | allocated | rows | mails | outgoing | " +
		"limit |\n|---|---|---|---|---|---|---|---|\n")
	var maxCPU time.Duration
	hashing := map[string]time.Duration{}
	for _, c := range cases {
		cost := e.measureCost(t, p, mail, c)
		if c.hashes {
			hashing[c.endpoint+", "+c.what] = cost.cpu
		}
		fmt.Fprintf(&table, "| `%s` | %s (%s) | %.1f ms | %.0f KB | %.1f | %.1f | %s | %s |\n",
			c.endpoint, c.what, cost.says,
			float64(cost.cpu.Microseconds())/1000, cost.bytes/1024, cost.rows, cost.mails, c.outgoing, c.bound)
		if !c.hashes {
			maxCPU = max(maxCPU, cost.cpu)
			if cost.cpu > maxUnauthenticatedCPU {
				t.Errorf("%s, %s: %v of a processor", c.endpoint, c.what, cost.cpu)
			}
		}
	}
	// The cheapest request that hashes does little else.
	hash := slices.Min(slices.Collect(maps.Values(hashing)))
	for what, cpu := range hashing {
		if cpu-hash > maxUnauthenticatedCPU {
			t.Errorf("%s: %v of a processor beside a hash of %v", what, cpu-hash, hash)
		}
	}
	path := filepath.Join(e.dir, "open.md")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("also in %s\n%s", path, table.String())
	report(t, "Unauthenticated", "%d requests to endpoints that need no credential, the most expensive that hashes "+
		"no password used %.1f ms of processor time", len(cases), float64(maxCPU.Microseconds())/1000)
}

func (e *environment) measureCost(
	t *testing.T,
	p *process,
	mail *rowhousetest.Mailbox,
	c unauthenticatedRequest,
) requestCost {
	t.Helper()
	n := 40
	if c.hashes {
		n = 16
	}
	seen := map[int]bool{}
	says := ""
	send := func(i int) {
		request := c.make(i)
		request.Header.Set("X-Client-Address", randomAddress())
		client := http.Client{
			Transport:     e.client.Transport,
			Timeout:       time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		response, err := client.Do(request)
		if err != nil {
			if !seen[0] {
				seen[0], says = true, says+" refused"
			}
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if !seen[response.StatusCode] {
			seen[response.StatusCode], says = true, says+" "+strconv.Itoa(response.StatusCode)
		}
		if response.StatusCode >= 500 {
			t.Errorf("%s, %s: %d", c.endpoint, c.what, response.StatusCode)
		}
	}
	for range 6 {
		send(-1) // warm up caches and connections
	}
	// Reading metrics allocates memory too, so it is measured without requests and subtracted.
	idle := e.meter(t, p, mail)
	from := e.meter(t, p, mail)
	overhead := from.bytes - idle.bytes
	cpu := processorTime(t, p.cmd.Process.Pid)
	for i := range n {
		send(i)
	}
	cpu = processorTime(t, p.cmd.Process.Pid) - cpu
	if c.hashes || strings.Contains(c.what, "mail") {
		time.Sleep(time.Second) // mail is sent in the background
	}
	to := e.meter(t, p, mail)
	per := func(amount float64) float64 { return max(0, amount) / float64(n) }
	return requestCost{
		cpu:   cpu / time.Duration(n),
		bytes: per(to.bytes - from.bytes - overhead),
		rows:  per(to.rows - from.rows),
		mails: per(to.mails - from.mails),
		says:  strings.TrimSpace(says),
	}
}

type meter struct{ bytes, rows, mails float64 }

func (e *environment) meter(t *testing.T, p *process, mail *rowhousetest.Mailbox) meter {
	t.Helper()
	return meter{
		bytes: e.gauge(t, p, "go_memstats_alloc_bytes_total"),
		rows:  e.countRows(t),
		mails: float64(mail.Count()),
	}
}

// countRows counts all rows of the database as the superuser.
func (e *environment) countRows(t *testing.T) (total float64) {
	t.Helper()
	ctx := context.Background()
	u, err := url.Parse(e.admin)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + database
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `select format('select count(*) from %I.%I', schemaname, tablename) from pg_tables
		where schemaname not in ('pg_catalog', 'information_schema')`)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range counts {
		var n float64
		if err := conn.QueryRow(ctx, sql).Scan(&n); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		total += n
	}
	return total
}

// processorTime returns the processor time of all threads of a process.
func processorTime(t *testing.T, pid int) (total time.Duration) {
	t.Helper()
	paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no threads of %d: %v", pid, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		used, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		total += time.Duration(used)
	}
	return total
}

func randomAddress() string {
	raw := make([]byte, 3)
	_, _ = rand.Read(raw)
	return fmt.Sprintf("10.%d.%d.%d", raw[0], raw[1], raw[2])
}

func base64url(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func randomText(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw)
	return base64url(raw)[:n]
}

// largestKeySet has as many RSA keys of 4096 bits as a client may have, all with the same id, so
// that an assertion is verified against each. They have no private half, because verification does
// not need one.
func largestKeySet() map[string]any {
	keys := make([]any, 10)
	for i := range keys {
		raw := make([]byte, 512)
		_, _ = rand.Read(raw)
		raw[0], raw[511] = raw[0]|0x80, raw[511]|1
		keys[i] = map[string]any{
			"kty": "RSA",
			"kid": "k",
			"n":   base64url(raw),
			"e":   base64url(big.NewInt(65537).Bytes()),
		}
	}
	return map[string]any{"keys": keys}
}

// forgedAssertion is a well-formed assertion of a client with a signature that no key made.
func forgedAssertion(base, client string) string {
	now := time.Now()
	header, _ := json.Marshal(map[string]any{"alg": "RS256", "kid": "k"})
	claims, _ := json.Marshal(map[string]any{
		"iss": client,
		"sub": client,
		"aud": base,
		"jti": randomText(20),
		"exp": now.Add(time.Minute).Unix(),
	})
	signature := make([]byte, 512)
	_, _ = rand.Read(signature)
	signature[0] = 1
	return base64url(header) + "." + base64url(claims) + "." + base64url(signature)
}

func (e *environment) registerClient(t *testing.T, p *process, metadata map[string]any) string {
	t.Helper()
	body, err := json.Marshal(metadata)
	if err != nil {
		t.Fatal(err)
	}
	status, raw, err := e.request(p, http.MethodPost, "/oauth/register", "", string(body))
	var made struct {
		ID string `json:"client_id"`
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal(raw, &made) != nil {
		t.Fatalf("registering: %d %s %v", status, raw, err)
	}
	return made.ID
}

func newRequest(method, address, media, body string) *http.Request {
	request, err := http.NewRequestWithContext(context.Background(), method, address, bytes.NewReader([]byte(body)))
	if err != nil {
		panic(err) // a mistake in this file
	}
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	return request
}

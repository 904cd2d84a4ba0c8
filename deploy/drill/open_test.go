//go:build drill

package drill

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// mostOpenCPU is the processor time that one request without a credential may cost, unless it hashes a password.
const mostOpenCPU = 50 * time.Millisecond

// An openRequest is the dearest request that is known to an endpoint that needs no credential.
type openRequest struct {
	endpoint string
	what     string
	outgoing string // requests that it makes this service send, at most
	bound    string // what bounds how many there can be
	hashes   bool   // a password, which has a bound of its own
	make     func(i int) *http.Request
}

// openCost is what one such request cost, on average.
type openCost struct {
	cpu   time.Duration
	bytes float64 // allocated
	rows  float64
	mails float64
	says  string // the statuses that were seen
}

// drillOpen asks each endpoint that needs no credential for the dearest thing known, from a new address each time, so
// that no limit hides the cost, and prints a table of what one request costs.
func (h *house) drillOpen(t *testing.T) {
	mail := rowhousetest.NewMailbox(t)
	p := h.start(t, "SMTP_URL="+mail.URL(), "MAIL_FROM=Rowhouse <no-reply@rowhouse.example>", "CLIENT_ADDRESS_HEADER=X-Drill-Address", "LOG_LEVEL=error")
	cases := h.openRequests(t, p)
	var table strings.Builder
	table.WriteString("| endpoint | dearest request known | processor | allocated | rows | mails | outgoing | what bounds it |\n|---|---|---|---|---|---|---|---|\n")
	var dearest time.Duration
	for _, c := range cases {
		cost := h.openCost(t, p, mail, c)
		fmt.Fprintf(&table, "| `%s` | %s (%s) | %.1f ms | %.0f KB | %.1f | %.1f | %s | %s |\n", c.endpoint, c.what, cost.says,
			float64(cost.cpu.Microseconds())/1000, cost.bytes/1024, cost.rows, cost.mails, c.outgoing, c.bound)
		if !c.hashes {
			dearest = max(dearest, cost.cpu)
			if cost.cpu > mostOpenCPU {
				t.Errorf("%s, %s: %v of a processor", c.endpoint, c.what, cost.cpu)
			}
		}
	}
	path := filepath.Join(h.dir, "open.md")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("also in %s\n%s", path, table.String())
	tell(t, "Open", "%d requests to endpoints that need no credential, the dearest without a password's hash %.1f ms of a processor", len(cases), float64(dearest.Microseconds())/1000)
}

func (h *house) openCost(t *testing.T, p *process, mail *rowhousetest.Mailbox, c openRequest) openCost {
	t.Helper()
	n := 40
	if c.hashes {
		n = 16
	}
	seen := map[int]bool{}
	says := ""
	send := func(i int) {
		request := c.make(i)
		request.Header.Set("X-Drill-Address", randomAddress())
		client := http.Client{Transport: h.client.Transport, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
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
		send(-1) // what is made once, and once on each connection
	}
	// The metrics cost allocations too: the same without requests is taken off.
	idle := h.openMeter(t, p, mail)
	from := h.openMeter(t, p, mail)
	overhead := from.bytes - idle.bytes
	cpu := processorTime(t, p.cmd.Process.Pid)
	for i := range n {
		send(i)
	}
	cpu = processorTime(t, p.cmd.Process.Pid) - cpu
	if c.hashes || strings.Contains(c.what, "mail") {
		time.Sleep(time.Second) // mails are sent in the background
	}
	to := h.openMeter(t, p, mail)
	per := func(amount float64) float64 { return max(0, amount) / float64(n) }
	return openCost{
		cpu: cpu / time.Duration(n), bytes: per(to.bytes - from.bytes - overhead), rows: per(to.rows - from.rows), mails: per(to.mails - from.mails),
		says: strings.TrimSpace(says),
	}
}

type openMeter struct{ bytes, rows, mails float64 }

func (h *house) openMeter(t *testing.T, p *process, mail *rowhousetest.Mailbox) openMeter {
	t.Helper()
	return openMeter{bytes: h.gauge(t, p, "go_memstats_alloc_bytes_total"), rows: h.allRows(t), mails: float64(mail.Count())}
}

// allRows counts every row of the database, as its administrator.
func (h *house) allRows(t *testing.T) (total float64) {
	t.Helper()
	ctx := context.Background()
	u, err := url.Parse(h.admin)
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

// processorTime is what all threads of a process have used, to the nanosecond.
func processorTime(t *testing.T, pid int) (total time.Duration) {
	t.Helper()
	paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no threads of %d: %v", pid, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // a thread that ended
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

// strongKeys are as many RSA keys of 4096 bits as a client may have, under one key id: an assertion is tried with each.
// They have no private half, which nobody needs to make a service compute.
func strongKeys() map[string]any {
	keys := make([]any, 10)
	for i := range keys {
		raw := make([]byte, 512)
		_, _ = rand.Read(raw)
		raw[0], raw[511] = raw[0]|0x80, raw[511]|1
		keys[i] = map[string]any{"kty": "RSA", "kid": "k", "n": base64url(raw), "e": base64url(big.NewInt(65537).Bytes())}
	}
	return map[string]any{"keys": keys}
}

// forgedAssertion is well-formed for the client, with a signature of the right length that no key made.
func forgedAssertion(base, client string) string {
	now := time.Now()
	header, _ := json.Marshal(map[string]any{"alg": "RS256", "kid": "k"})
	claims, _ := json.Marshal(map[string]any{"iss": client, "sub": client, "aud": base, "jti": randomText(20), "exp": now.Add(time.Minute).Unix()})
	signature := make([]byte, 512)
	_, _ = rand.Read(signature)
	signature[0] = 1
	return base64url(header) + "." + base64url(claims) + "." + base64url(signature)
}

func (h *house) registered(t *testing.T, p *process, metadata map[string]any) string {
	t.Helper()
	body, err := json.Marshal(metadata)
	if err != nil {
		t.Fatal(err)
	}
	status, raw, err := h.ask(p, http.MethodPost, "/oauth/register", "", string(body))
	var made struct {
		ID string `json:"client_id"`
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal(raw, &made) != nil {
		t.Fatalf("registering: %d %s %v", status, raw, err)
	}
	return made.ID
}

func bodyOf(method, address, media, body string) *http.Request {
	request, err := http.NewRequestWithContext(context.Background(), method, address, bytes.NewReader([]byte(body)))
	if err != nil {
		panic(err) // a mistake in this file
	}
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	return request
}

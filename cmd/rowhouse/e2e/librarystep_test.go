package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// Records come page by page, up to the limit.
func testLibraryList(t *testing.T, w *libraryTest, l *library) {
	for limit, want := range map[int]int{0: 250, 120: 120, 100: 100, 900: 250} {
		got := w.step(t, l, "list", map[string]any{"table": w.listed, "limit": limit}, nil)
		if names := got.strings("names"); !slices.Equal(names, numbered(0, want)) {
			t.Errorf("limit %d: %d records: %s", limit, len(names), got.raw)
		}
	}
}

// A refusal has its code and its places; one of a proxy has the status.
func testLibraryProblem(t *testing.T, w *libraryTest, l *library) {
	got := w.step(t, l, "problem", nil, nil)
	if got.text("code") != "invalid" || got.get("status") != 400.0 ||
		!strings.Contains(got.text("paths.0"), "fields.Nmae") {
		t.Errorf("the problem is read as %s", got.raw)
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>a page</html>", http.StatusForbidden)
	}))
	defer proxy.Close()
	got = w.step(t, l, "proxy", map[string]any{"url": proxy.URL}, nil)
	if got.text("code") != "" || got.get("status") != 403.0 || got.text("message") != "403 Forbidden" {
		t.Errorf("the page of a proxy is read as %s", got.raw)
	}
}

// A write under a version that is not the record's any more writes nothing. It is not sent again after a lost
// response, because it would fail where the first one succeeded.
func testLibraryVersion(t *testing.T, w *libraryTest, l *library) {
	got := w.step(t, l, "version", nil, nil)
	before, _ := got.get("before").(float64)
	now, _ := got.get("now").(float64)
	if got.text("code") != "version_changed" || before == 0 || now <= before {
		t.Errorf("the conflict is read as %s", got.raw)
	}
	record, err := w.client.Record(t.Context(), got.text("id"))
	if err != nil || record.Fields["Name"] != "First" {
		t.Errorf("the record is %v %v", record, err)
	}
	var mu sync.Mutex
	var sent []string
	broken := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent = append(sent, r.Header.Get("If-Match"))
		mu.Unlock()
		panic(http.ErrAbortHandler)
	}))
	defer broken.Close()
	got = w.step(t, l, "condition", map[string]any{"url": broken.URL}, nil)
	if got.get("lost") != true || !slices.Equal(sent, []string{`"7"`}) {
		t.Errorf("a lost response: %s after %q", got.raw, sent)
	}
}

// Writes of one name are one change set.
func testLibraryChangeSet(t *testing.T, w *libraryTest, l *library) {
	sets := w.step(t, l, "changeSet", nil, nil).strings("sets")
	if len(sets) != 3 || sets[0] == "" || sets[0] != sets[1] || sets[2] == sets[0] {
		t.Errorf("the change sets are %q", sets)
	}
}

// A creation whose response was lost, in whole or in part, or that was refused for now, is sent again with the
// same key and the same body.
func testLibraryRepeat(t *testing.T, w *libraryTest, l *library) {
	refuse := func(w http.ResponseWriter, status int, code string) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"type":"about:blank","title":"T","status":%d,"code":%q,"detail":"why","requestId":"req_1"}`,
			status, code)
	}
	var mu sync.Mutex
	var keys, bodies []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(body))
		const written = `{"records":[{"id":"rec_1","fields":{"Name":"Aase"}}],"changeSet":"chs_1"}`
		switch len(keys) {
		case 1:
			panic(http.ErrAbortHandler)
		case 2:
			refuse(w, http.StatusServiceUnavailable, "unavailable")
		case 3:
			refuse(w, http.StatusConflict, "write_conflict")
		case 4:
			w.Header().Set("Content-Length", fmt.Sprint(len(written)))
			fmt.Fprint(w, written[:20])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		default:
			fmt.Fprint(w, written)
		}
	}))
	defer service.Close()
	got := w.step(t, l, "repeat", map[string]any{"url": service.URL}, nil)
	if got.text("id") != "rec_1" || got.text("changeSet") != "chs_1" {
		t.Errorf("read %s", got.raw)
	}
	if len(keys) != 5 || keys[0] == "" || len(slices.Compact(keys)) != 1 || len(slices.Compact(bodies)) != 1 {
		t.Errorf("sent the keys %q with %q", keys, bodies)
	}
}

// The end of an export is waited for, and its file is there.
func testLibraryJob(t *testing.T, w *libraryTest, l *library) {
	got := w.step(t, l, "job", map[string]any{"table": w.listed}, nil)
	if got.text("state") != "done" || got.text("url") == "" {
		t.Fatalf("the job is read as %s", got.raw)
	}
	if file := fetch(t, got.text("url")); strings.Count(file, "\n") != 251 {
		t.Errorf("the file of the export: %s", file)
	}
}

// A stream whose connection is cut goes on behind the last change that came.
func testLibraryWatch(t *testing.T, w *libraryTest, l *library) {
	line := newLine(t, strings.TrimPrefix(w.service.BaseURL, "http://"))
	var now struct{ Cursor string }
	if err := w.client.Send(t.Context(), rowhouse.Request{Path: "/bases/" + l.base + "/changes"}, &now); err != nil {
		t.Fatal(err)
	}
	w.add(t, l.table, "Before the cut")
	got := w.step(t, l, "watch", map[string]any{"url": line.url(), "cursor": now.Cursor, "of": 3}, func(n int) {
		switch n {
		case 1:
			line.cut()
			w.add(t, l.table, "At the cut")
		case 2:
			w.add(t, l.table, "After the cut")
		}
	})
	want := []string{"Before the cut", "At the cut", "After the cut"}
	if names := got.strings("names"); !slices.Equal(names, want) || line.cuts() == 0 {
		t.Errorf("saw %q of %q through %d connections that were cut", names, want, line.cuts())
	}
}

// A line passes connections on, until they are cut.
type line struct {
	listener net.Listener

	mu   sync.Mutex
	open map[net.Conn]bool
	n    int
}

func newLine(t *testing.T, target string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, open: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = listener.Close()
		l.cut()
	})
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", target)
			if err != nil {
				_ = from.Close()
				continue
			}
			l.mu.Lock()
			l.open[from], l.open[to] = true, true
			l.mu.Unlock()
			for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
				go func() {
					_, _ = io.Copy(pair[0], pair[1])
					_ = pair[0].Close()
				}()
			}
		}
	}()
	return l
}

func (l *line) url() string { return "http://" + l.listener.Addr().String() }

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for connection := range l.open {
		_ = connection.Close()
	}
	l.n += len(l.open)
	clear(l.open)
}

func (l *line) cuts() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// A program writes 10,000 records and watches the base, while the service is killed twice. Nothing is lost or
// written twice, and the stream has every change once.
func testLibraryKills(t *testing.T, w *libraryTest, l *library) {
	const records = 10_000
	table := w.create(t, "/bases/"+l.base+"/tables", map[string]any{"name": "Many"})
	before := w.killed(0)
	got := w.step(t, l, "kills", map[string]any{"table": table, "of": records}, func(written int) {
		switch written {
		case records / 5:
			w.killed(before + 1)
		case records * 3 / 5:
			w.killed(before + 2)
		}
	})
	if w.killed(0) < before+2 {
		t.Error("the service was not killed twice")
	}
	if got.get("changes") != float64(records) || got.get("seen") != float64(records) {
		t.Errorf("the stream has %s", got.raw)
	}
	names := map[string]int{}
	for record, err := range w.client.Records(t.Context(), table, rowhouse.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		names[fmt.Sprint(record.Fields["Name"])]++
	}
	if len(names) != records {
		t.Errorf("%d of %d records are there", len(names), records)
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
}

// killed kills the service until that was done n times, and returns how often it was. The libraries write at the
// same time, so that what is killed for one is killed for all.
func (w *libraryTest) killed(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ; w.kills < n; w.kills++ {
		w.service.Kill(w.t)
	}
	return w.kills
}

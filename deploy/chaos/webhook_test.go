//go:build chaos

package chaos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A sentChange is a change as a message or the feed contains it.
type sentChange struct {
	Cursor  string `json:"cursor"`
	Record  string `json:"record"`
	Version int64  `json:"version"`
}

// A hookReceiver is the receiver of a webhook. It refuses every seventh message after recording it,
// like a receiver whose response is lost.
type hookReceiver struct {
	*httptest.Server

	mu         sync.Mutex
	secret     string
	seen       map[string]bool  // cursors of changes
	latest     map[string]int64 // versions of records
	messages   int
	twice      int // changes that came again
	unordered  int // changes that came for the first time after a later one of the same record
	unverified int
	last       time.Time
}

func newHookReceiver(t *testing.T) *hookReceiver {
	t.Helper()
	r := &hookReceiver{seen: map[string]bool{}, latest: map[string]int64{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return // the service was killed while it sent
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if !signed(r.secret, request.Header, body) {
			r.unverified++
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var message struct {
			Data struct {
				Changes []sentChange `json:"changes"`
			} `json:"data"`
		}
		if err := json.Unmarshal(body, &message); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		r.messages++
		r.last = time.Now()
		for _, c := range message.Data.Changes {
			if r.seen[c.Cursor] {
				r.twice++
				continue
			}
			r.seen[c.Cursor] = true
			if c.Version < r.latest[c.Record] {
				r.unordered++
			}
			r.latest[c.Record] = c.Version
		}
		if r.messages%7 == 0 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(r.Close)
	return r
}

// signed reports whether a message has a signature with a secret, as Standard Webhooks 1.0 defines it.
func signed(secret string, header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(header.Get("Webhook-Signature")), []byte(want))
}

// missing returns how many of the changes have not arrived.
func (r *hookReceiver) missing(changes []sentChange) (missing int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		if !r.seen[c.Cursor] {
			missing++
		}
	}
	return missing
}

// changesSince reads the feed of a tenant's base from a cursor to its end.
func (e *environment) changesSince(t *testing.T, p *process, n *tenant, cursor string) []sentChange {
	t.Helper()
	var all []sentChange
	for {
		status, raw, err := e.request(p, http.MethodGet, "/api/v1/bases/"+n.base+"/changes?cursor="+cursor, n.key, "")
		if err != nil || status != http.StatusOK {
			t.Fatalf("reading the changes: %d %s %v", status, raw, err)
		}
		var page struct {
			Changes []sentChange `json:"changes"`
			Cursor  string       `json:"cursor"`
			HasMore bool         `json:"hasMore"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		all, cursor = append(all, page.Changes...), page.Cursor
		if !page.HasMore {
			return all
		}
	}
}

// update changes records again and again until stop is closed.
func (e *environment) update(n *tenant, records []string, current func() *process, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		p := current()
		if p == nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		// A write without a response may or may not have happened; the feed knows.
		status, _, err := e.request(p, http.MethodPatch, "/api/v1/records/"+records[i%len(records)], n.key,
			fmt.Sprintf(`{"fields":{"Number":%d}}`, i))
		if err != nil || status != http.StatusOK {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func (e *environment) testWebhooksSurviveKills(t *testing.T) {
	var current atomic.Pointer[process]
	p := e.start(t)
	n := e.tenant(t, p)
	current.Store(p)
	var records []string
	for range 5 {
		status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key,
			`{"fields":{"Name":"updated"}}`)
		var made struct {
			Records []struct {
				ID string `json:"id"`
			} `json:"records"`
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(raw, &made) != nil || len(made.Records) != 1 {
			t.Fatalf("creating a record: %d %s %v", status, raw, err)
		}
		records = append(records, made.Records[0].ID)
	}
	r := newHookReceiver(t)
	status, raw, err := e.request(p, http.MethodPost, "/api/v1/bases/"+n.base+"/webhooks", n.key,
		fmt.Sprintf(`{"url":%q,"includeValues":true}`, r.URL))
	var hook struct {
		ID     string `json:"id"`
		Secret string `json:"secret"`
		Cursor string `json:"cursor"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(raw, &hook) != nil {
		t.Fatalf("creating a webhook: %d %s %v", status, raw, err)
	}
	e.recordSecret("webhook secret", hook.Secret)
	r.mu.Lock()
	r.secret = hook.Secret
	r.mu.Unlock()

	w, singles := writer{}, writer{single: true}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() { w.write(e, n, "hook"+strconv.Itoa(i), current.Load, stop) })
		all.Go(func() { singles.write(e, n, "hook"+strconv.Itoa(i), current.Load, stop) })
		all.Go(func() { e.update(n, records, current.Load, stop) })
	}
	p = e.killRepeatedly(t, &current, func(int) {})
	close(stop)
	all.Wait()
	ended := time.Now()
	changes := e.changesSince(t, p, n, hook.Cursor)
	for r.missing(changes) > 0 && time.Since(ended) < 3*time.Minute {
		time.Sleep(200 * time.Millisecond)
	}
	lost := r.missing(changes)
	r.mu.Lock()
	defer r.mu.Unlock()
	if lost > 0 || r.unordered > 0 || r.unverified > 0 || len(r.seen) != len(changes) || len(changes) < *kills {
		t.Errorf("%d of %d changes are lost, %d came out of order, %d messages could not be verified, %d arrived",
			lost, len(changes), r.unordered, r.unverified, len(r.seen))
	}
	report(t, "kill -9 while webhooks deliver",
		"%d kills, %d changes committed, %d messages: %d changes lost, %d out of order for a record, "+
			"%d arrived twice; the last arrived %.1f s after the last change",
		*kills, len(changes), r.messages, lost, r.unordered, r.twice, max(0, r.last.Sub(ended).Seconds()))
}

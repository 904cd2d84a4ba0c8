package api_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// send posts with an Idempotency-Key and returns the status, the body without its request id, and
// whether it is a repetition.
func send(t *testing.T, c *apitest.Client, method, path, body, key string) (int, string, bool) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, c.URL()+api.Prefix+path,
		bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", c.Key())
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw), response.Header.Get("Idempotent-Replayed") == "true"
}

func TestIdempotentRequestReplaysResponse(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	key := uuid.NewString()
	status, first, repeated := send(t, c, "POST", "/bases", `{"name":"Once"}`, key)
	if status != 200 || repeated {
		t.Fatalf("%d %s, repeated: %v", status, first, repeated)
	}
	status, again, repeated := send(t, c, "POST", "/bases", `{ "name": "Once" }`, `"`+key+`"`)
	if status != 200 || again != first || !repeated {
		t.Errorf("sent again: %d %s, repeated: %v; the first answer was %s", status, again, repeated, first)
	}
	if n := len(c.OK("GET", "/bases", "")["bases"].([]any)); n != 1 {
		t.Errorf("there are %d bases", n)
	}
	if status, raw, _ := send(
		t, c, "POST", "/bases", `{"name":"Other"}`, key,
	); status != http.StatusUnprocessableEntity ||
		!strings.Contains(raw, "idempotency_key_reused") {
		t.Errorf("another body under the key: %d %s", status, raw)
	}
	// Another process with the same database.
	other := apitest.New(t).As(t, c.Principal)
	if status, again, repeated := send(t, other, "POST", "/bases", `{"name":"Once"}`, key); status != 200 ||
		again != first || !repeated {
		t.Errorf("after a restart: %d %s", status, again)
	}
	// The keys of different people are independent.
	stranger := s.Owner(t)
	if status, raw, repeated := send(t, stranger, "POST", "/bases", `{"name":"Once"}`, key); status != 200 ||
		repeated || raw == first {
		t.Errorf("another person with the same key: %d %s", status, raw)
	}
}

func TestConcurrentDuplicatesRunOnce(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	key := uuid.NewString()
	var all sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 12 {
		all.Go(func() {
			for {
				status, raw, _ := send(t, c, "POST", "/bases", `{"name":"Once"}`, key)
				if status == http.StatusConflict && strings.Contains(raw, "idempotency_in_progress") {
					continue
				}
				mu.Lock()
				answers[raw]++
				mu.Unlock()
				return
			}
		})
	}
	all.Wait()
	if len(answers) != 1 {
		t.Errorf("different answers: %v", answers)
	}
	if n := len(c.OK("GET", "/bases", "")["bases"].([]any)); n != 1 {
		t.Errorf("there are %d bases", n)
	}
}

func TestFailedRequestCanBeRetriedWithItsKey(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Taken"}`)
	key := uuid.NewString()
	if status, raw, _ := send(
		t, c, "POST", "/bases/"+base+"/tables", `{"name":"Taken"}`, key,
	); status != http.StatusConflict {
		t.Fatalf("%d %s", status, raw)
	}
	c.OK("DELETE", "/tables/"+table, "")
	if status, raw, repeated := send(
		t, c, "POST", "/bases/"+base+"/tables", `{"name":"Taken"}`, key,
	); status != 200 || repeated {
		t.Errorf("sent again: %d %s", status, raw)
	}
}

func TestIdempotencyKeyValidationAndAuthorization(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	for _, key := range []string{" ", strings.Repeat("x", 256), "å"} {
		if status, raw, _ := send(t, c, "POST", "/bases", `{"name":"B"}`, key); status != 400 ||
			!strings.Contains(raw, "Idempotency-Key") {
			t.Errorf("key %q: %d %s", key, status, raw)
		}
	}
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	key := uuid.NewString()
	if status, raw, _ := send(t, c, "POST", "/bases/"+base+"/tables", `{"name":"T"}`, key); status != 200 {
		t.Fatalf("%d %s", status, raw)
	}
	weak := *c.Principal
	weak.Orgs = slices.Clone(c.Orgs)
	weak.Orgs[0].Role = organization.Viewer
	if status, raw, _ := send(
		t, s.As(t, &weak), "POST", "/bases/"+base+"/tables", `{"name":"T"}`, key,
	); status != http.StatusForbidden {
		t.Errorf("an answer was repeated to somebody who lost the right: %d %s", status, raw)
	}
}

func TestEveryPostMarksKeyInItsTransaction(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	for _, op := range operation.Catalogue() {
		if op.Method != http.MethodPost || op.ReadOnly {
			continue
		}
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			c, w := newWorld(t, s)
			if slices.Contains(withSpareRecord, op.Name) {
				w.addFile(c)
			}
			if op.Name == "leave_org" {
				guest := *c.Principal
				guest.Orgs = slices.Clone(c.Orgs)
				guest.Person, guest.Orgs[0].Role = w.user(t), organization.Editor
				c = s.As(t, &guest)
			}
			method, path, body := w.request(t, op)
			if status, raw, _ := send(t, c, method, path, body, uuid.NewString()); status/100 != 2 {
				t.Fatalf("%d %s", status, raw)
			}
			if !marked(t, s, c) {
				t.Error("it is not marked: sent again after a crash at the wrong moment, it would be done twice")
			}
		})
	}
}

// A client whose connection is cut repeats its request with the same key, and gets the result of
// the first one or a new one.
func TestACutConnectionDoesNotKeepItsKey(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path, address := "/tables/"+w["tableId"]+"/records", strings.TrimPrefix(c.URL(), "http://")
	cut := func(body, key string, after time.Duration) {
		var dialer net.Dialer
		conn, err := dialer.DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = fmt.Fprintf(conn, "POST %s%s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\nIdempotency-Key: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			api.Prefix, path, address, c.Key(), key, len(body), body)
		time.Sleep(after)
		if err := errors.Join(err, conn.Close()); err != nil {
			t.Error(err)
		}
	}
	var clients sync.WaitGroup
	for client := range 10 {
		clients.Go(func() {
			for i := range 6 {
				name, key := fmt.Sprintf("Client %d, %d", client, i), uuid.NewString()
				body := `{"records":[{"fields":{"Name":"` + name + `"}}]}`
				cut(body, key, time.Duration(i*(client+1))*time.Millisecond)
				status, text := 0, ""
				for range 100 { // the first one may still be at work
					if status, text, _ = send(t, c, "POST", path, body, key); status != http.StatusConflict {
						break
					}
					time.Sleep(200 * time.Millisecond)
				}
				if status != http.StatusOK || !strings.Contains(text, name) {
					t.Errorf("%s: sent again: %d %s", name, status, text)
				}
			}
		})
	}
	clients.Wait()
	filter := apitest.Query([]any{map[string]any{"fieldId": "Name", "op": "contains", "value": "Client"}})
	if got := c.OK("GET", path+"?filters="+filter, "")["total"]; got != float64(60) {
		t.Errorf("60 requests have made %v records", got)
	}
}

// A stored result is reduced to what the credential that asks for it may see.
func TestAReplayShowsWhatItsCredentialMaySee(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	org := c.Orgs[0].Org
	c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Secret","type":"text","config":{"default":"hush"}}`)
	with := func(change func(p *authz.Principal)) *apitest.Client {
		p := apitest.Principal(c.Person, org, organization.Owner)
		change(p)
		return s.As(t, p)
	}
	scoped := func(scopes ...authz.Scope) *apitest.Client {
		return with(func(p *authz.Principal) { p.Scopes = scopes })
	}
	c.OK("POST", "/tables/"+w["tableId"]+"/records", `{"records":[{"fields":{"Name":"Known","Secret":"hush"}}]}`)
	for name, body := range map[string]string{
		"one":    `{"fields":{"Name":"New","Secret":"hush"}}`,
		"some":   `{"records":[{"fields":{"Name":"New"}},{"fields":{"Name":"More"}}]}`,
		"upsert": `{"records":[{"fields":{"Name":"Known"}}],"upsertOn":["Name"]}`,
	} {
		path, key := "/tables/"+w["tableId"]+"/records", uuid.NewString()
		_, first, _ := send(t, c, "POST", path, body, key)
		if !strings.Contains(first, "hush") {
			t.Fatalf("%s: %s", name, first)
		}
		reads := scoped(authz.DataWrite, authz.DataRead)
		if status, again, _ := send(t, reads, "POST", path, body, key); status != 200 || again != first {
			t.Errorf("%s, by one who reads records: %d %s", name, status, again)
		}
		status, again, repeated := send(t, scoped(authz.DataWrite), "POST", path, body, key)
		given := strings.Contains(body, "hush")
		if status != 200 || !repeated || strings.Contains(again, "hush") != given || !strings.Contains(again, `"id"`) {
			t.Errorf("%s, by one who only writes records: %d %s", name, status, again)
		}
	}
	key := uuid.NewString()
	base := `{"name":"Kept"}`
	_, first, _ := send(t, c, "POST", "/bases", base, key)
	if status, again, _ := send(t, c, "POST", "/bases", base, key); status != 200 || again != first {
		t.Errorf("by the same: %d %s", status, again)
	}
	for name, less := range map[string]*apitest.Client{
		"fewer scopes": scoped(authz.SchemaWrite),
		"a lower role": with(func(p *authz.Principal) { p.Orgs[0].Role = organization.Admin }),
	} {
		status, text, _ := send(t, less, "POST", "/bases", base, key)
		if status != http.StatusForbidden || !strings.Contains(text, "idempotency_answer_withheld") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	// A comment belongs to one base, whatever other bases are out of reach.
	comments, said := "/records/"+w["recordId"]+"/comments", `{"text":"Said"}`
	_, first, _ = send(t, c, "POST", comments, said, key)
	narrowed := with(func(p *authz.Principal) {
		base, _ := id.Parse(id.Base, w["baseId"])
		p.Bases = []uuid.UUID{base}
	})
	if status, again, _ := send(t, narrowed, "POST", comments, said, key); status != 200 || again != first {
		t.Errorf("a key of the base: %d %s", status, again)
	}
}

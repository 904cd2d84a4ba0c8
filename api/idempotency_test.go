package api_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
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
			if op.Name == "leave_org" {
				guest := *c.Principal
				guest.Orgs = slices.Clone(c.Orgs)
				guest.Person, guest.Orgs[0].Role = w.user(t), organization.Editor
				c = s.As(t, &guest)
			}
			method, path, body := w.request(t, op)
			if status, raw, _ := send(t, c, method, path, body, uuid.NewString()); status != 200 {
				t.Fatalf("%d %s", status, raw)
			}
			if !marked(t, s, c) {
				t.Error("it is not marked: sent again after a crash at the wrong moment, it would be done twice")
			}
		})
	}
}

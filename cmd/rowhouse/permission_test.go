package main

import (
	"bufio"
	"flag"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var removals = flag.Int("permission.removals", 5, "how often TestStreamsEndWithPermissions takes a role away")

// TestStreamsEndWithPermissions takes from a guest what they see of a base, while they watch it: the role, or a field.
// The stream ends, and requests see no more than is left.
func TestStreamsEndWithPermissions(t *testing.T) {
	t.Parallel()
	w := newLongWorld(t, tenancytest.DatabaseURL(t))
	guest := tenancytest.Person(t, w.db)
	if err := tenancytest.Join(t, w.db, w.org, guest, organization.Guest); err != nil {
		t.Fatal(err)
	}
	key := w.key(guest)
	grant := func(role string) {
		w.ok("PATCH", "/bases/"+w.base+"/access",
			`{"grants":[{"userId":"`+id.Format(id.User, guest)+`","role":"`+role+`"}]}`)
	}
	field := w.ok("POST", "/tables/"+w.big+"/fields", `{"name":"Secret","type":"number"}`)
	var longest time.Duration
	for i := range *removals {
		grant("viewer")
		w.ok("PATCH", "/tables/"+w.big+"/permissions", `{"fields":[{"fieldId":"`+field+`","reset":["read"]}]}`)
		w.await(t, key, http.StatusOK)
		stream, err := http.DefaultClient.Do(w.request("GET", "/api/v1/bases/"+w.base+"/live", key, nil))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stream.Body)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "event: ready") {
			continue
		}
		began := time.Now()
		if i%2 == 0 {
			grant("none")
		} else {
			w.ok("PATCH", "/tables/"+w.big+"/permissions",
				`{"fields":[{"fieldId":"`+field+`","read":{"role":"creator"}}]}`)
		}
		ended := false
		for lines.Scan() {
			ended = ended || strings.Contains(lines.Text(), `"reason":"rights"`)
		}
		longest = max(longest, time.Since(began))
		_ = stream.Body.Close()
		if !ended {
			t.Error("the stream ended for another reason than the rights")
		}
		if i%2 == 0 {
			w.await(t, key, http.StatusNotFound)
		}
	}
	t.Logf("the longest of %d streams went on for %s", *removals, longest)
}

// await waits until the base answers a guest with a status.
func (w *longWorld) await(t *testing.T, key string, status int) {
	t.Helper()
	var got int
	for range 200 {
		response, err := http.DefaultClient.Do(w.request("GET", "/api/v1/bases/"+w.base, key, nil))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got = response.StatusCode; got == status {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the base answers %d, not %d", got, status)
}

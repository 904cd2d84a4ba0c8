package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The section "Authentication", as far as it is about API keys.
func testKeys(t *testing.T, w *world) {
	t.Run("API key | Every request carries the key in either header", func(t *testing.T) {
		c := w.caller.in(t)
		c.with("x-api-key", w.secret).ok("GET", "/me", "")
		c.with("Authorization", "Bearer "+w.secret).ok("GET", "/me", "")
		c.with("Authorization", "bearer "+w.secret).ok("GET", "/me", "")
		c.with("", "").refused(http.StatusUnauthorized, "GET", "/me", "")
		c.with("x-api-key", "").refused(http.StatusUnauthorized, "GET", "/me", "")
		last := w.secret[len(w.secret)-1:]
		wrong := strings.TrimSuffix(w.secret, last) + string("ab"[strings.Count(last, "a")])
		c.key(wrong).refused(http.StatusUnauthorized, "GET", "/me", "")
		if a := c.with("", "").do("GET", "/me?access_token="+w.secret, ""); a.status < 400 ||
			strings.Contains(a.raw, w.secret) {
			t.Errorf("a key in the address: %d %s", a.status, a.raw)
		}
	})
	t.Run("API key | A key is created in the application, its value is displayed once", func(t *testing.T) {
		secret := w.owner.mintAndList(t, "from the application", "data:read", "schema:read")
		got := w.caller.in(t).key(secret).ok("GET", "/me", "")
		if got.get("kind") != "api_key" || len(asList(got.get("scopes"))) != 2 {
			t.Errorf("the key is %s", got.raw)
		}
	})
	t.Run("API key | rowhouse key create", func(t *testing.T) {
		out := w.service.Run(t, "key", "create", "--email", w.owner.email, "--name", "from a terminal", "--scopes",
			"schema:read")
		secret := strings.TrimSpace(out)
		if !keyForm.MatchString(secret) {
			t.Fatalf("the command wrote %q", out)
		}
		if got := w.caller.in(t).key(secret).ok("GET", "/me", ""); got.get("id") != w.owner.id {
			t.Errorf("the key is %s", got.raw)
		}
	})
	t.Run("Scopes | a key does what its scopes name and nothing else", func(t *testing.T) {
		f := w.newFleet(t)
		type call struct{ method, path, body string }
		calls := map[string]call{
			"data:read":      {"GET", f.path("records"), ""},
			"data:write":     {"POST", f.path("records"), `{"fields":{}}`},
			"schema:read":    {"GET", "/bases/" + f.base, ""},
			"schema:write":   {"PATCH", "/bases/" + f.base, `{"name":"Fleet"}`},
			"members:read":   {"GET", "/orgs/" + w.owner.org + "/members", ""},
			"members:manage": {"GET", "/orgs/" + w.owner.org + "/invitations", ""},
		}
		for scope := range calls {
			secret, _ := w.owner.mint(t, "only "+scope, scope)
			c := w.caller.in(t).key(secret)
			for needed, call := range calls {
				if needed == scope {
					c.ok(call.method, call.path, call.body)
				} else {
					c.refused(http.StatusForbidden, call.method, call.path, call.body, needed)
				}
			}
			if got := c.ok("GET", "/me", ""); len(asList(got.get("scopes"))) != 1 || got.get("scopes.0") != scope {
				t.Errorf("GET /me | Scopes granted to the credential: %s", got.raw)
			}
		}
	})
	t.Run("a revoked key is refused within a second in another process", func(t *testing.T) {
		other := w.caller.in(t).at(w.service.Another(t).BaseURL)
		secret, id := w.owner.mint(t, "soon revoked", "schema:read")
		other.key(secret).ok("GET", "/me", "")
		w.caller.in(t).key(secret).ok("GET", "/me", "")
		w.owner.account(t, http.MethodDelete, "/keys/"+id, "")
		w.caller.in(t).key(secret).refused(http.StatusUnauthorized, "GET", "/me", "")
		deadline := time.Now().Add(time.Second)
		for other.key(secret).do("GET", "/me", "").status != http.StatusUnauthorized {
			if time.Now().After(deadline) {
				t.Fatal("the other process still takes it")
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

func TestKeysWorkWhileRedisIsStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known, _ := w.owner.mint(t, "known", "schema:read")
	unused, _ := w.owner.mint(t, "not used before", "schema:read")
	revoked, id := w.owner.mint(t, "revoked", "schema:read")
	w.key(known).ok("GET", "/bases", "")
	w.key(revoked).ok("GET", "/bases", "")

	w.service.StopRedis(t)

	for _, secret := range []string{w.secret, known, unused} {
		w.key(secret).ok("GET", "/bases", "")
	}
	w.ok("POST", "/bases", `{"name":"Without Redis"}`)
	fresh, _ := w.owner.mint(t, "made without Redis", "schema:read")
	w.key(fresh).ok("GET", "/bases", "")
	w.key("rhk_"+strings.Repeat("0", 36)).refused(http.StatusUnauthorized, "GET", "/bases", "")
	w.owner.account(t, http.MethodDelete, "/keys/"+id, "")
	w.key(revoked).refused(http.StatusUnauthorized, "GET", "/bases", "")
}

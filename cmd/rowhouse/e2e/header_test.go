package e2e

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// testHeaders covers what surrounds the bodies: request ids, caching, other origins, idempotency.
func testHeaders(t *testing.T, w *world) {
	ask := func(t *testing.T, method, path, body string, headers ...string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(context.Background(), method, w.baseURL+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		response, err := w.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	t.Run("X-Request-Id goes in and out", func(t *testing.T) {
		if got := ask(
			t, "GET", "/api/v1/me", "", "X-Api-Key", w.secret, "X-Request-Id", "my-own.1",
		).Header.Get("X-Request-Id"); got != "my-own.1" {
			t.Errorf("got %q", got)
		}
		for _, bad := range []string{"", "with space", strings.Repeat("x", 500), `"quoted"`, w.secret, "req_1"} {
			if got := ask(
				t, "GET", "/api/v1/me", "", "X-Request-Id", bad,
			).Header.Get("X-Request-Id"); got == "" || got == bad {
				t.Errorf("%.20q gets %q", bad, got)
			}
		}
		a := w.caller.in(t).key("").do("GET", "/me", "")
		if a.text("requestId") == "" || a.text("requestId") != a.header.Get("X-Request-Id") {
			t.Errorf("the problem says %q, the header %q", a.text("requestId"), a.header.Get("X-Request-Id"))
		}
	})
	t.Run("answers are kept by nobody on the way, and a 401 says how to come in", func(t *testing.T) {
		for _, key := range []string{w.secret, "nothing"} {
			response := ask(t, "GET", "/api/v1/me", "", "X-Api-Key", key)
			if got := response.Header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control: %q", got)
			}
			if challenge := response.Header.Get("WWW-Authenticate"); (response.StatusCode == 401) != (challenge != "") {
				t.Errorf("%d with WWW-Authenticate %q", response.StatusCode, challenge)
			}
		}
	})
	t.Run("programs of other origins may call with a key, and never with a cookie", func(t *testing.T) {
		preflight := ask(t, "OPTIONS", "/api/v1/bases", "", "Origin", "https://elsewhere.example",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-api-key,content-type")
		if preflight.StatusCode != http.StatusNoContent || preflight.Header.Get("Access-Control-Allow-Origin") != "*" ||
			!strings.Contains(strings.ToLower(preflight.Header.Get("Access-Control-Allow-Headers")), "x-api-key") {
			t.Errorf("%d %v", preflight.StatusCode, preflight.Header)
		}
		for _, header := range []http.Header{
			preflight.Header,
			ask(t, "GET", "/api/v1/me", "", "X-Api-Key", w.secret, "Origin", "https://elsewhere.example").Header,
		} {
			if header.Get("Access-Control-Allow-Origin") != "*" ||
				header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%v", header)
			}
		}
		foreign := *w.owner.session.in(t)
		foreign.header = http.Header{"Origin": {"https://elsewhere.example"}, "Sec-Fetch-Site": {"cross-site"}}
		if a := foreign.do("POST", "/bases", `{"name":"Forged"}`); a.status != 401 && a.status != 403 {
			t.Errorf("a page of another site makes a base with the person's session: %d %s", a.status, a.raw)
		}
	})
	t.Run("a request with an Idempotency-Key that is sent again is done once", func(t *testing.T) {
		f := w.newFleet(t)
		once := *f.caller
		once.header = http.Header{"X-Api-Key": {w.secret}, "Idempotency-Key": {"the only one"}}
		first := once.ok("POST", f.path("records"), `{"fields":{"Name":"Once"}}`)
		again := once.ok("POST", f.path("records"), `{"fields":{"Name":"Once"}}`)
		if first.raw != again.raw {
			t.Errorf("first %s, then %s", first.raw, again.raw)
		}
		if total := f.ok("GET", f.path("records"), "").get("total"); total != 6.0 {
			t.Errorf("%v records", total)
		}
	})
	t.Run("HEAD is GET without its body", func(t *testing.T) {
		for path, status := range map[string]int{
			"/me":                                  200,
			"/openapi.json":                        200,
			"/bases/" + random(w.newFleet(t).base): 404,
			"/nothing":                             404,
		} {
			request, err := http.NewRequest(http.MethodHead, w.baseURL+"/api/v1"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Api-Key", w.secret)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil || len(body) > 0 || response.StatusCode != status ||
				response.Header.Get("Content-Type") == "" || response.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s: %d with %d bytes, %v %v", path, response.StatusCode, len(body), response.Header, err)
			}
		}
	})
	t.Run("a method that a path does not have is a 405 problem that names those that it has", func(t *testing.T) {
		f := w.newFleet(t)
		for at, allow := range map[string]string{
			"PUT /me":                              "GET, HEAD, OPTIONS",
			"DELETE /bases":                        "GET, HEAD, POST, OPTIONS",
			"PURGE /me":                            "GET, HEAD, OPTIONS",
			"POST /bases/" + f.base:                "GET, HEAD, PATCH, DELETE, OPTIONS",
			"POST /bases/" + f.base + "/share":     "GET, HEAD, PUT, DELETE, OPTIONS",
			"HEAD /orgs/" + w.owner.org + "/leave": "POST, OPTIONS",
		} {
			method, path, _ := strings.Cut(at, " ")
			if method == http.MethodHead { // its response has no body to check
				method = http.MethodGet
			}
			a := w.caller.in(t).do(method, path, "")
			if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != allow ||
				a.get("code") != "no_such_method" {
				t.Errorf("%s: %d, Allow %q, %s", at, a.status, a.header.Get("Allow"), a.raw)
			}
		}
	})
	t.Run("what is at no path is a 404 problem", func(t *testing.T) {
		w.caller.in(t).refused(404, "GET", "/nothing", "")
		w.caller.in(t).refused(404, "PURGE", "/nothing", "")
		w.caller.in(t).refused(404, "GET", "/bases/", "")
		if a := w.caller.in(t).do("GET", "/bases/"+strings.Repeat("x", 20_000), ""); a.status != 404 ||
			len(a.raw) > 1000 {
			t.Errorf("a very long id: %d with %d bytes", a.status, len(a.raw))
		}
	})
}

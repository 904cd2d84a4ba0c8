package oauth

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Attacks through client ID metadata documents. Each test names the check without which it fails.

// A site is a web server with client metadata documents.
type site struct {
	*httptest.Server
	hits    atomic.Int64
	others  atomic.Int64 // requests for anything but the document
	respond atomic.Pointer[http.HandlerFunc]
	id      string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/client.json" {
			s.others.Add(1)
			return
		}
		s.hits.Add(1)
		(*s.respond.Load())(w, r)
	}))
	t.Cleanup(s.Close)
	s.id = s.URL + "/client.json"
	s.serve(`{"client_id":%q,"client_name":"Documented","redirect_uris":["https://client.example/callback"],
		"grant_types":["authorization_code","refresh_token"],
		"logo_uri":"` + s.URL + `/logo.png","tos_uri":"` + s.URL + `/tos","policy_uri":"` + s.URL + `/policy"}`)
	return s
}

func (s *site) serve(format string, headers ...string) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		if strings.Contains(format, "%q") {
			_, _ = fmt.Fprintf(w, format, s.id)
			return
		}
		_, _ = w.Write([]byte(format))
	})
	s.respond.Store(&handler)
}

// allowSite lets the service fetch from the site on this machine, in addition to public addresses.
func (b *bundle) allowSite(s *site) {
	local := netip.MustParseAddrPort(s.Listener.Addr().String()).Addr()
	trust := s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	b.s.clients.documents.client = newDocumentClient([]netip.Prefix{netip.PrefixFrom(local, local.BitLen())},
		&tls.Config{RootCAs: trust.RootCAs, MinVersion: tls.VersionTLS12})
	b.s.clients.documents.allowAnyPort = true
}

func TestClientWithMetadataDocumentConnects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	if to, _ := b.authorize(b.authorization(s.id), "").location(t); to != "/sign-in" || s.hits.Load() != 0 {
		t.Fatalf("an unauthenticated request caused %d fetches", s.hits.Load())
	}
	page := b.authorize(b.authorization(s.id), "ada")
	if !strings.Contains(page.text, "127.0.0.1") || strings.Contains(page.text, "Unverified") ||
		!strings.Contains(page.text, "Documented") {
		t.Fatalf("%s", page.text)
	}
	_, refresh := b.tokens(s.id)
	if a := b.refresh(s.id, refresh); a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	if s.hits.Load() != 1 {
		t.Errorf("fetched %d times within its freshness", s.hits.Load())
	}
	if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusSeeOther {
		t.Error("consent was requested again for the same request")
	}
	b.advance(defaultFreshness + time.Minute)
	s.serve(`{"client_id":%q,"client_name":"Documented","redirect_uris":["https://moved.example/callback"]}`)
	if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusBadRequest || s.hits.Load() != 2 {
		t.Errorf("a stale document was used: %d", a.status)
	}
	apps, err := b.s.Apps(t.Context(), b.person)
	if err != nil || len(apps) != 1 || apps[0].Domain != "127.0.0.1" {
		t.Errorf("%v %v", apps, err)
	}
}

// Fails with a client that is not of package outbound, and without the port check in get.
func TestDocumentIsNeverFetchedFromAPrivateAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	trust := s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	b.s.clients.documents.client = newDocumentClient(nil,
		&tls.Config{RootCAs: trust.RootCAs, MinVersion: tls.VersionTLS12})
	port := s.Listener.Addr().(*net.TCPAddr).Port
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433", "169.254.169.254",
		"10.0.0.1", "[fe80::1]", "[64:ff9b::7f00:1]",
	} {
		id := fmt.Sprintf("https://%s:%d/client.json", host, port)
		if a := b.authorize(b.authorization(id), "ada"); a.status != http.StatusBadRequest ||
			a.header.Get("Location") != "" {
			t.Errorf("%s: %d", id, a.status)
		}
	}
	b.allowSite(s)
	b.s.clients.documents.allowAnyPort = false
	if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusBadRequest {
		t.Errorf("another port: %d", a.status)
	}
	if s.hits.Load() != 0 {
		t.Fatalf("fetched %d times", s.hits.Load())
	}
}

// Fails with a client that follows redirects, and without each check of client_id, size and
// media type in get and readDocument.
func TestInvalidDocumentIsRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	good := `{"client_id":%q,"client_name":"D","redirect_uris":["https://client.example/callback"]`
	elsewhere := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere.json", http.StatusFound)
	})
	for name, prepare := range map[string]func(){
		"another id": func() {
			s.serve(
				`{"client_id":"https://other.example/client.json","redirect_uris":["https://client.example/callback"]}`,
			)
		},
		"no id":           func() { s.serve(`{"redirect_uris":["https://client.example/callback"]}`) },
		"too large":       func() { s.serve(good + "}" + strings.Repeat(" ", maxDocument)) },
		"not JSON":        func() { s.serve(`<html>`) },
		"a secret":        func() { s.serve(good + `,"client_secret":"x"}`) },
		"secret method":   func() { s.serve(good + `,"token_endpoint_auth_method":"client_secret_post"}`) },
		"bad redirect":    func() { s.serve(`{"client_id":%q,"redirect_uris":["javascript:alert(1)"]}`) },
		"no redirect":     func() { s.serve(`{"client_id":%q}`) },
		"not called JSON": func() { s.serve(good+"}", "Content-Type", "text/html") },
		"a redirect":      func() { s.respond.Store(&elsewhere) },
		"missing": func() {
			missing := http.HandlerFunc(http.NotFound)
			s.respond.Store(&missing)
		},
	} {
		prepare()
		b.advance(2 * time.Minute) // past failureTTL
		if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusBadRequest ||
			a.header.Get("Location") != "" {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if s.others.Load() != 0 {
		t.Errorf("%d requests for other URLs than the document", s.others.Load())
	}
	s.serve(good + "}")
	b.advance(2 * time.Minute)
	if a := b.authorize(b.authorization(s.id), "ada"); a.status != http.StatusOK {
		t.Errorf("a good document after bad ones: %d", a.status)
	}
}

// Fails with an image from the client's domain on the page.
func TestLinksInADocumentAreNeitherFetchedNorShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	page := b.authorize(b.authorization(s.id), "ada")
	if page.status != http.StatusOK || strings.Contains(page.text, "logo.png") || strings.Contains(page.text, "/tos") ||
		s.others.Load() != 0 {
		t.Fatalf("%d, %d other requests", page.status, s.others.Load())
	}
}

// Fails without each line of documentURL.
func TestDocumentURLMustBeCanonical(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := documentURL("https://client.example/c.json?v=1"); err != nil {
		t.Error(err)
	}
	for _, id := range []string{
		"https://client.example", "https://client.example/", "http://client.example/c.json",
		"HTTPS://client.example/c.json", "https://u@client.example/c.json", "https://client.example/c.json#x",
		"https://client.example/c.json#", "https://client.example/a/../c.json", "https://client.example/./c.json",
		"https:///c.json", "https:client.example/c.json", "https://" + strings.Repeat("a", 3000) + "/c.json",
		"https://client.example/%zz",
	} {
		if _, err := documentURL(id); err == nil {
			t.Errorf("%.60s is accepted", id)
		}
		if a := b.authorize(b.authorization(id), "ada"); a.status != http.StatusBadRequest ||
			a.header.Get("Location") != "" {
			t.Errorf("%.60s: %d", id, a.status)
		}
	}
}

// Fails without allow in clientForRequest.
func TestDocumentFetchesAreRateLimited(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{limiter: limiter(t)})
	s := newSite(t)
	b.allowSite(s)
	s.serve("nonsense")
	for range documentRate.Burst + 10 {
		b.authorize(b.authorization(s.id), "ada")
		b.advance(2 * time.Minute) // past failureTTL; the limiter has its own clock
	}
	if s.hits.Load() > int64(documentRate.Burst)+1 || s.hits.Load() < int64(documentRate.Burst) {
		t.Errorf("%d fetches", s.hits.Load())
	}
}

func TestDocumentFreshnessFollowsItsHeaders(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for value, want := range map[string]time.Duration{
		"":                             defaultFreshness,
		"max-age=600":                  10 * time.Minute,
		"public, max-age=7200":         2 * time.Hour,
		"max-age=99999999":             maxFreshness,
		"max-age=0":                    minFreshness,
		"no-store":                     minFreshness,
		"no-cache, max-age=600":        minFreshness,
		"max-age=nonsense":             defaultFreshness,
		"max-age=-5":                   minFreshness,
		"max-age=99999999999999999999": defaultFreshness,
	} {
		if got := freshness(http.Header{"Cache-Control": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	if got := freshness(
		http.Header{"Expires": {now.Add(5 * time.Minute).UTC().Format(http.TimeFormat)}}, now.Truncate(time.Second),
	); got != 5*time.Minute {
		t.Errorf("Expires: %v", got)
	}
}

// While the site of a document is down, its authorized clients keep working for a day.
func TestStaleDocumentServesWhileItsSiteIsDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := newSite(t)
	b.allowSite(s)
	_, live := b.tokens(s.id)
	s.Close()
	b.advance(defaultFreshness + time.Minute)
	a := b.refresh(s.id, live)
	if a.status != http.StatusOK {
		t.Fatal(a.text)
	}
	b.advance(documentStaleIfError)
	b.wantError(b.refresh(s.id, a.str(t, "refresh_token")), 401, "invalid_client")
}

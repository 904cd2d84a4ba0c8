package outbound_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
)

// Fails without each line of IsPublic and specialRanges.
func TestOnlyAddressesOfTheInternetArePublic(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1:248:1893:25c8:1946": true, "1.1.1.1": true,
		"127.0.0.1": false, "127.255.255.254": false, "0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false,
		"172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "100.100.100.200": false, "192.0.0.1": false, "192.0.2.1": false, "198.18.0.1": false,
		"198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "240.0.0.1": false,
		"255.255.255.255": false, "192.88.99.1": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:8.8.8.8": false, "::127.0.0.1": false,
		"::ffff:0:127.0.0.1": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false,
		"fd00:ec2::254": false, "ff02::1": false, "2606:4700::1111%eth0": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2001::1": false,
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": false,
		"2001:db8::1":                          false, "2002:7f00:1::": false, "2002:a9fe:a9fe::1": false,
		"100::1": false, "fec0::1": false, "3fff::1": false, "5f00::1": false,
	} {
		if got := outbound.IsPublic(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}

func TestNetworksAreInCIDRNotation(t *testing.T) {
	t.Parallel()
	networks, err := outbound.ParseNetworks([]string{"10.1.0.0/16", " fd00::/8"})
	if err != nil || len(networks) != 2 {
		t.Errorf("%v %v", networks, err)
	}
	for _, wrong := range []string{"", "10.1.0.1", "10.1.0.1/16", "10.1.0.0-10.2.0.0", "::ffff:10.0.0.0/104", "all"} {
		if _, err := outbound.ParseNetworks([]string{wrong}); err == nil {
			t.Errorf("%q is a network", wrong)
		}
	}
}

// A resolver answers with a list of addresses for each call of one host.
type resolver struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   int
}

func (r *resolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	answers := r.answers[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		r.answers[host] = answers[1:]
	}
	var out []netip.Addr
	for _, text := range answers[0] {
		out = append(out, netip.MustParseAddr(text))
	}
	return out, nil
}

// A target is a server on this machine, which nobody may reach.
type target struct {
	*httptest.Server

	hits atomic.Int64
	port string
	tls  *tls.Config
}

func newTarget(t *testing.T, secure bool, handle http.HandlerFunc) *target {
	t.Helper()
	s := &target{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		if handle != nil {
			handle(w, r)
		}
	})
	if secure {
		s.Server = httptest.NewTLSServer(handler)
		s.tls = &tls.Config{
			RootCAs:    s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
			MinVersion: tls.VersionTLS12,
			ServerName: "example.com",
		}
	} else {
		s.Server = httptest.NewServer(handler)
	}
	t.Cleanup(s.Close)
	_, s.port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return s
}

func get(t *testing.T, client *http.Client, address string) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err == nil {
		t.Cleanup(func() { _ = response.Body.Close() })
	}
	return response, err
}

// local is an allow-list with only this machine's address.
func local() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} }

func TestAddressOfThisMachineIsNeverReached(t *testing.T) {
	t.Parallel()
	secure, plain := newTarget(t, true, nil), newTarget(t, false, nil)
	names := &resolver{answers: map[string][][]string{
		"private.example":   {{"127.0.0.1"}},
		"mapped.example":    {{"::ffff:127.0.0.1"}},
		"both.example":      {{"::1", "127.0.0.1"}},
		"metadata.example":  {{"169.254.169.254"}},
		"nat64.example":     {{"64:ff9b::7f00:1"}},
		"teredo.example":    {{"2001:0:4136:e378:8000:63bf:80ff:fffe"}},
		"6to4.example":      {{"2002:7f00:1::1"}},
		"unique.example":    {{"fd00::1"}},
		"linklocal.example": {{"fe80::1%lo"}},
		"multicast.example": {{"224.0.0.1", "ff02::1"}},
		"localhost":         {{"127.0.0.1"}},
	}}
	client := outbound.NewClient(outbound.Options{TLS: secure.tls, Resolver: names, Timeout: 5 * time.Second})
	hosts := []string{
		"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "0.0.0.0", "[::]", "0",
		"127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0x", "127.0.0.1.", "2130706433.",
		"169.254.169.254", "10.0.0.1", "[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]", "[64:ff9b::7f00:1]",
		"[2002:7f00:1::1]",
	}
	for host := range names.answers {
		hosts = append(hosts, host)
	}
	for _, host := range hosts {
		for _, address := range []string{"https://" + host + ":" + secure.port, "http://" + host + ":" + plain.port} {
			response, err := get(t, client, address)
			if !errors.Is(err, outbound.ErrNotAllowed) {
				t.Errorf("%s: %v %v", address, response, err)
			}
		}
	}
	if n := secure.hits.Load() + plain.hits.Load(); n != 0 {
		t.Fatalf("%d requests arrived", n)
	}
}

func TestNumericHostIsNotResolved(t *testing.T) {
	t.Parallel()
	names := &resolver{}
	client := outbound.NewClient(outbound.Options{Resolver: names})
	for _, host := range []string{"2130706433", "0x7f000001", "0177.0.0.1", "127.1", "example.127"} {
		if _, err := get(t, client, "https://"+host+"/"); !errors.Is(err, outbound.ErrNotAllowed) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if names.asked != 0 {
		t.Errorf("%d names were resolved", names.asked)
	}
}

// The first answer is checked and connected to. A client that resolves again would get the second one.
func TestRebindingIsDefeated(t *testing.T) {
	t.Parallel()
	s := newTarget(t, true, nil)
	names := &resolver{answers: map[string][][]string{
		"rebind.example": {{"127.0.0.1"}, {"127.0.0.2"}}, // the second one is not allowed
		"later.example":  {{"127.0.0.2"}, {"127.0.0.1"}},
	}}
	client := outbound.NewClient(outbound.Options{TLS: s.tls, Resolver: names, Allowed: local()})
	_, err := get(t, client, "https://rebind.example:"+s.port)
	if err != nil || s.hits.Load() != 1 || names.asked != 1 {
		t.Fatalf("%v after %d look-ups", err, names.asked)
	}
	if _, err := get(t, client, "https://rebind.example:"+s.port); !errors.Is(err, outbound.ErrNotAllowed) {
		t.Errorf("rebound: %v", err)
	}
	if _, err := get(t, client, "https://later.example:"+s.port); !errors.Is(err, outbound.ErrNotAllowed) {
		t.Errorf("before it was rebound: %v", err)
	}
	if s.hits.Load() != 1 {
		t.Errorf("%d requests arrived", s.hits.Load())
	}
}

func TestRefusedAddressIsPassedOver(t *testing.T) {
	t.Parallel()
	s := newTarget(t, true, nil)
	names := &resolver{answers: map[string][][]string{"mixed.example": {{"64:ff9b::7f00:1", "10.0.0.1", "127.0.0.1"}}}}
	client := outbound.NewClient(outbound.Options{TLS: s.tls, Resolver: names, Allowed: local()})
	if _, err := get(t, client, "https://mixed.example:"+s.port); err != nil || s.hits.Load() != 1 {
		t.Error(err)
	}
}

func TestAllowedNetworkNeedsNoTLS(t *testing.T) {
	t.Parallel()
	s := newTarget(t, false, nil)
	client := outbound.NewClient(outbound.Options{Allowed: local()})
	if response, err := get(t, client, s.URL); err != nil || response.StatusCode != http.StatusOK {
		t.Error(err)
	}
	names := &resolver{answers: map[string][][]string{"public.example": {{"93.184.216.34"}}}}
	client = outbound.NewClient(outbound.Options{Allowed: local(), Resolver: names})
	for _, address := range []string{"http://public.example/", "http://93.184.216.34/", "ftp://127.0.0.1/"} {
		if _, err := get(t, client, address); !errors.Is(err, outbound.ErrPlain) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, host := range []string{"[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"} {
		if _, err := get(t, client, "http://"+host+":"+s.port); !errors.Is(err, outbound.ErrNotAllowed) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	inner := newTarget(t, false, nil)
	s := newTarget(t, true, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inner.URL, http.StatusTemporaryRedirect)
	})
	client := outbound.NewClient(outbound.Options{TLS: s.tls, Allowed: local()})
	response, err := get(t, client, s.URL)
	if err != nil || response.StatusCode != http.StatusTemporaryRedirect || inner.hits.Load() != 0 {
		t.Errorf("%v, %d requests at the other address", err, inner.hits.Load())
	}
}

func TestTimeAndSizeAreBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := newTarget(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 11))
		case "/exact":
			_, _ = io.WriteString(w, strings.Repeat("x", 10))
		case "/header":
			w.Header().Set("X-Large", strings.Repeat("x", 64<<10))
		case "/slow":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-release // and not when the client leaves, which would end the body
		}
	})
	t.Cleanup(func() { close(release) })
	client := outbound.NewClient(outbound.Options{
		TLS: s.tls, Allowed: local(), MaxBody: 10, Timeout: 2 * time.Second,
	})
	response, err := get(t, client, s.URL+"/exact")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(response.Body); err != nil || len(body) != 10 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	if response, err = get(t, client, s.URL+"/large"); err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(response.Body); !errors.Is(err, outbound.ErrTooLarge) || len(body) != 10 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	if _, err := get(t, client, s.URL+"/header"); err == nil {
		t.Error("a header of 64 KB was read")
	}
	if response, err = get(t, client, s.URL+"/slow"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("a body without end was read")
	}
}

// Not parallel: it sets the environment.
func TestNoProxyIsUsed(t *testing.T) {
	proxy := newTarget(t, false, nil)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	names := &resolver{answers: map[string][][]string{"somewhere.example": {{"10.0.0.1"}}}}
	client := outbound.NewClient(outbound.Options{Allowed: local(), Resolver: names})
	for _, address := range []string{"http://somewhere.example/", "https://somewhere.example/"} {
		if _, err := get(t, client, address); !errors.Is(err, outbound.ErrNotAllowed) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if proxy.hits.Load() != 0 {
		t.Error("the proxy was asked")
	}
}

func TestAddressesThatNoServerCanHaveAreRefused(t *testing.T) {
	t.Parallel()
	sender := outbound.NewSender(outbound.Options{})
	for address, want := range map[string]string{
		"https://example.com:99999/": "port", "https://example.com:0/": "port", "https://a.b..c/": "empty parts",
		"https://example.com:443/": "", "https://example.com/": "",
	} {
		err := sender.Check(address)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

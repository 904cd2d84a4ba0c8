// Package outbound makes the HTTP client for addresses that other people chose: of webhooks, and of
// metadata documents. It prevents server-side request forgery (SSRF): it connects to public addresses
// and to networks that the operator allows, and to nothing else.
package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// A Resolver resolves names, as *net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options configure a client. The zero value reaches only the public internet.
type Options struct {
	// Allowed are networks that may be reached although they are not public, also without TLS.
	Allowed []netip.Prefix
	// Timeout bounds a whole request, with its response; default 15 s.
	Timeout time.Duration
	// MaxBody bounds the body of a response; default 1 MB. Reading more gives ErrTooLarge.
	MaxBody int64
	// KeepAlive reuses connections. The address of a reused connection was checked when it was made.
	KeepAlive bool
	// TLS is the TLS configuration, for tests.
	TLS *tls.Config
	// Resolver resolves names; nil is the system's resolver.
	Resolver Resolver
}

const (
	defaultTimeout = 15 * time.Second
	defaultMaxBody = 1 << 20
	maxHeader      = 32 << 10
	connectTimeout = 3 * time.Second // to one address
	maxTried       = 4               // addresses of a host
	idleTimeout    = 30 * time.Second
	idlePerHost    = 2
	idleInAll      = 200
)

// ErrTooLarge is returned when the body of a response is read beyond its bound.
var ErrTooLarge = errors.New("the answer is too large")

// ErrPlain is returned for a URL without TLS whose host is not in an allowed network.
var ErrPlain = errors.New("the URL must be https")

// ErrUnresolved is returned for a host whose name has no address.
var ErrUnresolved = errors.New("the host could not be resolved")

// NewClient returns a client that checks each address that it connects to after name resolution, and
// connects to the very address that it has checked, which defeats DNS rebinding. It follows no redirect
// and uses no proxy.
func NewClient(o Options) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	d := &dialer{allowed: o.Allowed, resolver: o.Resolver}
	return &http.Client{
		Timeout: o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Transport: &transport{maxBody: o.MaxBody, next: &http.Transport{
			Proxy:                  nil,
			DialContext:            d.dial,
			TLSClientConfig:        o.TLS,
			DisableKeepAlives:      !o.KeepAlive,
			DisableCompression:     true, // the bound is on the bytes that were sent
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    connectTimeout,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: maxHeader,
			IdleConnTimeout:        idleTimeout,
			MaxIdleConns:           idleInAll,
			MaxIdleConnsPerHost:    idlePerHost,
		}},
	}
}

// transport refuses URLs without https, and bounds bodies.
type transport struct {
	next    http.RoundTripper
	maxBody int64
}

type plainKey struct{}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.URL.Scheme {
	case "https":
	case "http":
		r = r.WithContext(context.WithValue(r.Context(), plainKey{}, true))
	default:
		return nil, ErrPlain
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // http.Client wraps it
	}
	response.Body = &boundedBody{response.Body, t.maxBody}
	return response, nil
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

type boundedBody struct {
	io.ReadCloser

	left int64
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n = int(b.left)
		b.left = 0
		return n, ErrTooLarge
	}
	b.left -= int64(n)
	return n, err //nolint:wrapcheck // io.EOF stays what it is
}

type dialer struct {
	allowed  []netip.Prefix
	resolver Resolver
}

// permits reports whether an address may be connected to.
func (d *dialer) permits(addr netip.Addr, plain bool) error {
	if addr.Is4In6() || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		return ErrNotAllowed
	}
	if slices.ContainsFunc(d.allowed, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		return nil
	}
	switch {
	case !IsPublic(addr):
		return ErrNotAllowed
	case plain:
		return ErrPlain
	}
	return nil
}

// addresses returns the addresses of a host, unchecked.
func (d *dialer) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if isNumeric(host) {
		return nil, ErrNotAllowed
	}
	found, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil { // without its text, which names the resolver
		return nil, errors.Join(ErrUnresolved, ctx.Err())
	}
	for i := range found {
		found[i] = found[i].Unmap() // an IPv4 address, and checked as one
	}
	return found, nil
}

// dial connects to the first address of a host that may be connected to and answers.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("parsing the address: %w", err)
	}
	number, err := net.DefaultResolver.LookupPort(ctx, network, port)
	if err != nil {
		return nil, fmt.Errorf("parsing the port: %w", err)
	}
	found, err := d.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	plain, _ := ctx.Value(plainKey{}).(bool)
	failure, tried := ErrNotAllowed, 0
	for _, addr := range found {
		if err := d.permits(addr, plain); err != nil {
			if tried == 0 {
				failure = err
			}
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		//nolint:gosec // LookupPort returns 16 bits
		conn, err := d.connect(ctx, network, netip.AddrPortFrom(addr, uint16(number)), plain)
		if err == nil {
			return conn, nil
		}
		failure = err
	}
	return nil, failure
}

// connect connects to an address that has been checked, and checks the address that the system connects
// to once more.
func (d *dialer) connect(ctx context.Context, network string, to netip.AddrPort, plain bool) (net.Conn, error) {
	dialer := &net.Dialer{
		Timeout: connectTimeout,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("parsing the dialled address: %w", err)
			}
			return d.permits(target.Addr(), plain)
		},
	}
	return dialer.DialContext(ctx, network, to.String()) //nolint:wrapcheck // http.Client wraps it
}

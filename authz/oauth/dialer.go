package oauth

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errNonPublicAddress says that a name led to an address that this server does not call.
var errNonPublicAddress = errors.New("the address is not a public one")

// Ranges that are not of the public internet, or that carry another address inside (IANA special-purpose registries). Loopback,
// private, link-local, multicast and unspecified addresses are told by netip.
var nonPublicRanges = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("5f00::/16"), netip.MustParsePrefix("::/96"), netip.MustParsePrefix("fec0::/10"),
}

// isPublic reports whether an address is one that a document of a stranger may be fetched from.
func isPublic(addr netip.Addr) bool {
	if addr.Is4In6() || addr.Zone() != "" || !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return false
	}
	for _, prefix := range nonPublicRanges {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// newPublicClient is an HTTP client for addresses that strangers name: it judges the very address it connects to, after the name
// was resolved, so a name that resolves anew to something else gains nothing; it follows no redirect, keeps no connection, and
// asks no proxy.
func newPublicClient(allowed func(netip.Addr) bool, trust *tls.Config) *http.Client {
	dialer := &net.Dialer{
		Timeout: 3 * time.Second,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("reading the address to call: %w", err)
			}
			if !allowed(target.Addr()) {
				return errNonPublicAddress
			}
			return nil
		},
	}
	return &http.Client{
		Timeout: documentTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, TLSClientConfig: trust, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 3 * time.Second, ResponseHeaderTimeout: 3 * time.Second, MaxResponseHeaderBytes: 32 << 10,
		},
	}
}

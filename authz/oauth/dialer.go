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

// errNonPublicAddress is returned for a host that resolves to an address that is not public.
var errNonPublicAddress = errors.New("the address is not a public one")

// nonPublicRanges are special-purpose ranges (IANA special-purpose address registries), including
// those that embed another address. Package netip recognizes loopback, private, link-local,
// multicast and unspecified addresses.
var nonPublicRanges = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("5f00::/16"), netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("fec0::/10"),
}

// isPublic reports whether an address is on the public internet, so that untrusted URLs may be
// fetched from it.
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

// newPublicClient returns an HTTP client for untrusted URLs that prevents server-side request
// forgery (SSRF). It checks the address that it connects to after name resolution, which defeats
// DNS rebinding. It follows no redirect, uses no proxy and reuses no connection.
func newPublicClient(allowed func(netip.Addr) bool, trust *tls.Config) *http.Client {
	dialer := &net.Dialer{
		Timeout: 3 * time.Second,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("parsing the dialled address: %w", err)
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
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			TLSClientConfig:        trust,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    3 * time.Second,
			ResponseHeaderTimeout:  3 * time.Second,
			MaxResponseHeaderBytes: 32 << 10,
		},
	}
}

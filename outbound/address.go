package outbound

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// ErrNotAllowed is returned for a host whose addresses are all refused.
var ErrNotAllowed = errors.New("the host has no public address")

// specialRanges are special-purpose ranges (IANA special-purpose address registries), including those
// that embed another address: NAT64, Teredo and 6to4. Package netip recognizes loopback, private,
// link-local, multicast and unspecified addresses, and everything outside of unicast is refused.
var specialRanges = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// unicast is what IANA has given out of IPv6. NAT64, site-local and compatible addresses are outside.
var unicast = netip.MustParsePrefix("2000::/3")

// IsPublic reports whether an address is on the public internet.
func IsPublic(addr netip.Addr) bool {
	if addr.Zone() != "" || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Is6() && !unicast.Contains(addr) {
		return false
	}
	for _, prefix := range specialRanges {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// ParseNetworks reads networks in CIDR notation, such as 10.1.0.0/16.
func ParseNetworks(cidrs []string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, cidr := range cidrs {
		network, err := netip.ParsePrefix(strings.TrimSpace(cidr))
		if err != nil || network.Masked() != network || network.Addr().Is4In6() {
			return nil, fmt.Errorf("%q is not a network in CIDR notation, such as 10.1.0.0/16", cidr)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// isNumeric reports whether a host is a number or ends in one, as the forms of IPv4 addresses do that
// only some programs understand: 127.1, 2130706433, 0x7f000001 and 0177.0.0.1. No name of the internet
// ends in a number (URL standard, "ends in a number").
func isNumeric(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || strings.EqualFold(last, "0x")
}

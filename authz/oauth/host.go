package oauth

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// A host is shown to people as a reason to trust a client, so it must not be confusable with
// another one. It is always shown in ASCII, because other letters can look the same (a Cyrillic а
// in apple.com). An internationalized name is shown as punycode with a warning, and must not mix
// scripts within a label.

// checkHost returns an error that says why a host is not acceptable on a page, or nil. An IP
// address is acceptable.
func checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	if len(host) > 253 {
		return errors.New("must name a host of at most 253 characters")
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "-") != label ||
			strings.ContainsFunc(label, notHostLetter) {
			return errors.New(
				"must write its host in ASCII letters, digits and hyphens (another script as punycode, xn--…)",
			)
		}
		if !isPunycode(label) {
			continue
		}
		name, err := idna.Lookup.ToUnicode(strings.ToLower(label))
		if err != nil || strings.HasPrefix(name, "xn--") {
			return errors.New("must name a host of valid punycode")
		}
		if mixesScripts(name) {
			return errors.New("must not mix scripts within its host")
		}
	}
	return nil
}

func notHostLetter(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

func isPunycode(label string) bool { return len(label) >= 4 && strings.EqualFold(label[:4], "xn--") }

// hasPunycode reports whether a label of a host is punycode, so that people cannot read the actual
// name.
func hasPunycode(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if isPunycode(label) {
			return true
		}
	}
	return false
}

// shownHost returns the host and port of a URL for display: always ASCII, even for URLs that were
// stored before hosts were checked.
func shownHost(u *url.URL) string {
	host := u.Hostname()
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		ascii, err := idna.Punycode.ToASCII(strings.ToLower(host))
		if err != nil || strings.ContainsFunc(ascii, func(r rune) bool { return r >= 0x80 }) {
			return ""
		}
		host = ascii
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	return host
}

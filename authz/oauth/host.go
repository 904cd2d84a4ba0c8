package oauth

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// A host is shown to people as the reason to trust, so it must read as what it is. It is written in ASCII: letters
// beyond it can look the same as others (an а of Cyrillic in apple.com). A name of another script comes as punycode,
// which is shown as it is and marked, and none of its labels may mix scripts.

// checkHost says what is wrong with the host of an address that people are shown, or nil. An IP address is a host too.
func checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	if len(host) > 253 {
		return errors.New("must name a host of at most 253 characters")
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "-") != label || strings.ContainsFunc(label, notHostLetter) {
			return errors.New("must write its host in ASCII letters, digits and hyphens (another script as punycode, xn--…)")
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

// hasPunycode reports whether a host is written in punycode: what people read is not the name that its owner chose.
func hasPunycode(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if isPunycode(label) {
			return true
		}
	}
	return false
}

// shownHost is the host and port of an address as a page may show them: always ASCII, whatever was stored before hosts
// were checked.
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

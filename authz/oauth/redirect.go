package oauth

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// maxRedirect bounds a redirect URI, in bytes.
const maxRedirect = 2048

// dangerousSchemes are schemes that a browser executes or handles itself, so they must not receive
// a code.
var dangerousSchemes = []string{
	"javascript", "data", "vbscript", "file", "filesystem", "blob", "about", "view-source", "mailto", "tel", "sms",
	"ftp", "ftps", "ws", "wss", "gopher", "jar", "intent", "content", "chrome", "chrome-extension", "moz-extension",
	"resource", "res", "mhtml", "urn", "ms-appx", "ms-its", "livescript", "mocha", "feed", "cid", "mid",
}

// checkRedirect returns an error that says why a redirect URI cannot be registered, or nil. The URI
// must use https, http with a loopback address, or a private-use scheme (RFC 8252 section 7),
// without a fragment or user.
func checkRedirect(raw string) error {
	if raw == "" || len(raw) > maxRedirect {
		return fmt.Errorf("must have 1 to %d characters", maxRedirect)
	}
	if strings.ContainsFunc(
		raw, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\\\"<>^`{|}", r) },
	) {
		return fmt.Errorf("must contain only the characters of RFC 3986")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return fmt.Errorf("is not a URI")
	}
	switch {
	case u.Scheme == "":
		return fmt.Errorf("must be absolute")
	case strings.Contains(raw, "#"):
		return fmt.Errorf("must not have a fragment")
	case u.User != nil:
		return fmt.Errorf("must not name a user")
	case u.Scheme == "https":
		if u.Hostname() == "" {
			return fmt.Errorf("must name a host")
		}
		if err := checkHost(u.Hostname()); err != nil {
			return err
		}
	case u.Scheme == "http":
		if !isLoopback(u) {
			return fmt.Errorf("must be https; plain http is for loopback addresses only")
		}
	case slices.Contains(dangerousSchemes, u.Scheme):
		return fmt.Errorf("must not use the scheme %s", u.Scheme)
	case u.Opaque != "":
		return fmt.Errorf("must have a path after the scheme, as in %s:/callback", u.Scheme)
	}
	return checkRedirectQuery(u.RawQuery)
}

// responseParameters are the parameters that this server adds to a redirect URI. A registered URI
// must not contain them, because a client might read the wrong one.
var responseParameters = []string{"code", "state", "iss", "error", "error_description", "error_uri", "response"}

func checkRedirectQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return fmt.Errorf("must have a valid query")
	}
	for _, name := range responseParameters {
		if query.Has(name) {
			return fmt.Errorf("must not have the parameter %s in its query, because the authorization response uses it",
				name)
		}
	}
	return nil
}

// isLoopback reports whether a URI has the scheme http and a loopback host.
func isLoopback(u *url.URL) bool {
	if u.Scheme != "http" {
		return false
	}
	host := u.Hostname()
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == "" && !addr.Is4In6() && addr.IsLoopback()
}

// matchRedirect finds the registered URI that equals the requested one exactly, except that the
// port of a loopback http URI may differ (RFC 8252 section 7.3). An empty request matches the only
// registered URI of a client. It returns the registered URI and the URI to redirect to.
func matchRedirect(registered []string, requested string) (match, target string, ok bool) {
	if requested == "" {
		if len(registered) != 1 {
			return "", "", false
		}
		requested = registered[0]
	}
	if slices.Contains(registered, requested) {
		return requested, requested, true
	}
	bare, ok := withoutPort(requested)
	if !ok {
		return "", "", false
	}
	for _, candidate := range registered {
		if other, ok := withoutPort(candidate); ok && other == bare {
			return candidate, requested, true
		}
	}
	return "", "", false
}

// withoutPort removes the port from a loopback http URI without normalizing it; ok is false for any
// other URI.
func withoutPort(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || !isLoopback(u) || !strings.HasPrefix(raw, "http://") {
		return "", false
	}
	port := u.Port()
	if port == "" {
		return raw, true
	}
	authority := "http://" + u.Host
	if !strings.HasPrefix(raw, authority) {
		return "", false
	}
	return strings.TrimSuffix(authority, ":"+port) + raw[len(authority):], true
}

package oauth

import (
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
)

// resources are the addresses that an access token can be for (RFC 8707). A token is for exactly one of them.
type resources struct {
	mcp  string // default
	rest string
	root string // the service as a whole, as the root metadata document names it; an alias of mcp
}

func resourcesOf(base string) resources {
	return resources{mcp: base + "/mcp", rest: base + "/api/v1", root: base}
}

// MCPResource is the audience of tokens for the MCP server.
func (s *Service) MCPResource() string { return s.resources.mcp }

// RESTResource is the audience of tokens for the REST surface.
func (s *Service) RESTResource() string { return s.resources.rest }

// audience maps a requested resource to the audience of the token. A client that found only the root document asks for the base
// URL and means the MCP server. Scheme and host may be in any case and a trailing slash is forgiven (RFC 8707 leaves the form to
// the server; the MCP specification asks for both); everything else must be equal. "" when it names none of ours.
func (r resources) audience(requested string) string {
	if requested == "" {
		return r.mcp
	}
	u, err := url.Parse(requested)
	if err != nil || strings.Contains(requested, "#") { // RFC 8707 section 2; an empty fragment would be lost below
		return ""
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch strings.TrimSuffix(u.String(), "/") {
	case r.mcp, r.root:
		return r.mcp
	case r.rest:
		return r.rest
	}
	return ""
}

// defaultScopes are what a client gets that asks for none, and what a challenge without a better idea names.
func (r resources) defaultScopes(resource string) []authz.Scope {
	if resource == r.mcp || resource == r.root {
		return []authz.Scope{authz.MCPTools, authz.SchemaRead, authz.DataRead}
	}
	return []authz.Scope{authz.SchemaRead, authz.DataRead}
}

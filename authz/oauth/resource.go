package oauth

import (
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
)

// resources are the resource indicators of the service (RFC 8707). An access token is for exactly
// one of them.
type resources struct {
	mcp  string // default
	rest string
	root string // the whole service, as in the root metadata document; an alias of mcp
}

func resourcesOf(base string) resources {
	return resources{mcp: base + "/mcp", rest: base + "/api/v1", root: base}
}

// MCPResource returns the audience of tokens for the MCP server.
func (s *Service) MCPResource() string { return s.resources.mcp }

// RESTResource returns the audience of tokens for the REST interface.
func (s *Service) RESTResource() string { return s.resources.rest }

// audience maps a requested resource to the audience of the token, or returns "" for an unknown
// one. The base URL means the MCP server, because clients that read only the root document send it.
// Case of scheme and host and a trailing slash are ignored (RFC 8707 leaves the comparison to the
// server; the MCP specification asks for both).
func (r resources) audience(requested string) string {
	if requested == "" {
		return r.mcp
	}
	u, err := url.Parse(requested)
	if err != nil || strings.Contains(requested, "#") { // RFC 8707 section 2; url.Parse drops an empty fragment
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

// defaultScopes returns the scopes for a client that requests none, and for a challenge that names
// none.
func (r resources) defaultScopes(resource string) []authz.Scope {
	if resource == r.mcp || resource == r.root {
		return []authz.Scope{authz.MCPTools, authz.SchemaRead, authz.DataRead}
	}
	return []authz.Scope{authz.SchemaRead, authz.DataRead}
}

package oauth

import (
	"net/url"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
)

// An MCPAddress describes the addresses of the MCP server to the authorization server. rest is what
// follows {BASE_URL}/mcp in a URL: path and query, such as "", "/core" or "?readonly=1". It returns
// the scopes that a client of that address should request initially, and false for a URL that is
// not an address of the MCP server.
type MCPAddress func(rest string) (initial []authz.Scope, ok bool)

// resources are the resource indicators of the service (RFC 8707). An access token is for exactly
// one audience: the MCP server, whichever of its addresses a client uses, or the REST interface.
type resources struct {
	mcp        string // default
	rest       string
	root       string // the whole service, as in the root metadata document; an alias of mcp
	mcpAddress MCPAddress
}

func resourcesOf(base string, address MCPAddress) resources {
	if address == nil {
		address = func(rest string) ([]authz.Scope, bool) {
			return append([]authz.Scope{authz.MCPTools}, dataScopes...), rest == "" || rest == "/"
		}
	}
	return resources{mcp: base + "/mcp", rest: base + "/api/v1", root: base, mcpAddress: address}
}

// dataScopes are what a client of the REST interface should request initially: reading and writing.
// Clients rarely ask for more later, so a client that began with reading could never write. The
// person unticks on the consent page what the client should not get.
var dataScopes = []authz.Scope{authz.DataRead, authz.DataWrite, authz.SchemaRead, authz.SchemaWrite}

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
	canonical, ok := canonicalResource(requested)
	if !ok {
		return ""
	}
	switch strings.TrimSuffix(canonical, "/") {
	case r.root:
		return r.mcp
	case r.rest:
		return r.rest
	}
	if _, ok := r.mcpScopes(canonical); ok {
		return r.mcp
	}
	return ""
}

// canonicalResource returns a resource with scheme and host in lower case, and false for text that
// is not a resource indicator (RFC 8707 section 2).
func canonicalResource(requested string) (string, bool) {
	u, err := url.Parse(requested)
	if err != nil || strings.Contains(requested, "#") { // url.Parse drops an empty fragment
		return "", false
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	return u.String(), true
}

// mcpScopes returns the initial scopes of an address of the MCP server, and false for another
// resource.
func (r resources) mcpScopes(resource string) ([]authz.Scope, bool) {
	rest, found := strings.CutPrefix(resource, r.mcp)
	if !found {
		return nil, false
	}
	return r.mcpAddress(rest)
}

// initialScopes returns the scopes for a client that requests none, and for a challenge that names
// none, in the order in which clients should request them. Members are left to a later challenge.
func (r resources) initialScopes(resource string) []authz.Scope {
	if canonical, ok := canonicalResource(resource); ok {
		if scopes, ok := r.mcpScopes(canonical); ok {
			return scopes
		}
		if strings.TrimSuffix(canonical, "/") == r.rest {
			return slices.Clone(dataScopes)
		}
	}
	scopes, _ := r.mcpAddress("")
	return scopes
}

package oauth

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
)

// serverMetadata is authorization server metadata (RFC 8414), with the members of RFC 8628, of RFC
// 9207 and of client ID metadata documents.
type serverMetadata struct {
	Issuer               string   `json:"issuer"`
	Authorization        string   `json:"authorization_endpoint"`
	Token                string   `json:"token_endpoint"`
	Device               string   `json:"device_authorization_endpoint"`
	Registration         string   `json:"registration_endpoint"`
	Revocation           string   `json:"revocation_endpoint"`
	Introspection        string   `json:"introspection_endpoint"`
	Keys                 string   `json:"jwks_uri"`
	Scopes               []string `json:"scopes_supported"`
	ResponseTypes        []string `json:"response_types_supported"`
	ResponseModes        []string `json:"response_modes_supported"`
	GrantTypes           []string `json:"grant_types_supported"`
	TokenAuth            []string `json:"token_endpoint_auth_methods_supported"`
	TokenAuthAlgs        []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	RevocationAuth       []string `json:"revocation_endpoint_auth_methods_supported"`
	RevocationAuthAlgs   []string `json:"revocation_endpoint_auth_signing_alg_values_supported"`
	IntrospectAuth       []string `json:"introspection_endpoint_auth_methods_supported"`
	IntrospectAuthAlgs   []string `json:"introspection_endpoint_auth_signing_alg_values_supported"`
	ChallengeMethods     []string `json:"code_challenge_methods_supported"`
	IssInResponse        bool     `json:"authorization_response_iss_parameter_supported"`
	ClientDocuments      bool     `json:"client_id_metadata_document_supported"`
	ProtectedResources   []string `json:"protected_resources"`
	ServiceDocumentation string   `json:"service_documentation"`
}

// resourceMetadata is protected resource metadata (RFC 9728).
type resourceMetadata struct {
	Resource      string   `json:"resource"`
	Name          string   `json:"resource_name"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	Methods       []string `json:"bearer_methods_supported"`
	Documentation string   `json:"resource_documentation"`
}

func (s *Service) serverMetadata() serverMetadata {
	at := func(path string) string { return s.issuer + "/oauth/" + path }
	confidential := []string{methodBasic, methodPost, methodJWT}
	return serverMetadata{
		Issuer:        s.issuer,
		Authorization: at("authorize"),
		Token:         at("token"),
		Device:        at("device_authorization"),
		Registration:  at("register"),
		Revocation:    at("revoke"),
		Introspection: at(
			"introspect",
		),
		Keys:                 at("jwks"),
		Scopes:               toNames(s.resources.initialScopes(s.resources.mcp)),
		ResponseTypes:        []string{"code"},
		ResponseModes:        []string{"query"},
		GrantTypes:           grantTypes,
		TokenAuth:            authMethods,
		TokenAuthAlgs:        assertionAlgorithms,
		RevocationAuth:       authMethods,
		RevocationAuthAlgs:   assertionAlgorithms,
		IntrospectAuth:       confidential,
		IntrospectAuthAlgs:   assertionAlgorithms,
		ChallengeMethods:     []string{"S256"},
		IssInResponse:        true,
		ClientDocuments:      true,
		ProtectedResources:   []string{s.resources.mcp, s.resources.rest},
		ServiceDocumentation: s.issuer + "/docs",
	}
}

func (s *Service) resourceMetadata(resource, name string) resourceMetadata {
	return resourceMetadata{
		Resource: resource,
		Name:     name,
		Servers:  []string{s.issuer},
		// The scopes that a client should request initially (MCP scope selection strategy); a challenge
		// names further ones when they are needed.
		Scopes:        toNames(s.resources.initialScopes(resource)),
		Methods:       []string{"header"},
		Documentation: s.issuer + "/docs",
	}
}

// Well-known paths. Clients request resource metadata at the path of the resource first, and then
// at the root.
const (
	resourceWellKnown = "/.well-known/oauth-protected-resource"
	serverWellKnown   = "/.well-known/oauth-authorization-server"
)

// mcpMetadata serves the metadata of each address of the MCP server. A strict client rejects metadata
// whose resource is not exactly the URL that it connects to, query included (RFC 9728 section 3.3).
func (s *Service) mcpMetadata(w http.ResponseWriter, r *http.Request) {
	rest := strings.TrimPrefix(r.URL.Path, resourceWellKnown+"/mcp")
	if r.URL.RawQuery != "" {
		rest += "?" + r.URL.RawQuery
	}
	if _, ok := s.resources.mcpAddress(rest); !ok {
		http.NotFound(w, r)
		return
	}
	staticJSON(s.resourceMetadata(s.resources.mcp+rest, "Rowhouse MCP server"))(w, r)
}

// staticJSON returns a handler for a constant JSON document.
func staticJSON(content any) http.HandlerFunc {
	text, err := json.Marshal(content)
	if err != nil {
		panic("oauth: " + err.Error()) // strings and lists of strings
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(text)
	}
}

// jwk is the public half of a signing key (RFC 7517, RFC 7518 section 6.2.1).
type jwk struct {
	Type      string `json:"kty"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
	ID        string `json:"kid"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	Y         string `json:"y"`
}

// jwks serves the public signing keys, including the next one, so that clients that cache the set
// know a key before it is used.
func (s *Service) jwks(w http.ResponseWriter, r *http.Request) {
	snapshot, err := s.keys.snapshot(r.Context(), keyCacheTTL)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	set := struct {
		Keys []jwk `json:"keys"`
	}{Keys: []jwk{}}
	for _, key := range snapshot.all {
		point, err := key.private.PublicKey.Bytes() // 4 | X | Y (SEC 1 section 2.3.3)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		set.Keys = append(set.Keys, jwk{
			Type: "EC", Use: "sig", Algorithm: "ES256", ID: key.kid, Curve: "P-256",
			X: base64url.EncodeToString(point[1:33]), Y: base64url.EncodeToString(point[33:]),
		})
	}
	writeJSON(w, http.StatusOK, set)
}

// A Challenge is the WWW-Authenticate challenge of a resource server (RFC 6750 section 3, RFC 9728
// section 5.1).
type Challenge struct {
	Resource string        // an address of the MCP server, or RESTResource
	Error    string        // "", "invalid_token" or "insufficient_scope"; "" when no token was sent
	Detail   string        // optional error_description
	Scopes   []authz.Scope // all scopes that the request needs; nil means the initial scopes of the resource
}

// Header returns the value of WWW-Authenticate.
func (s *Service) Header(c Challenge) string {
	scopes := c.Scopes
	if len(scopes) == 0 {
		scopes = s.resources.initialScopes(c.Resource)
	}
	parts := []string{
		`resource_metadata="` + s.issuer + resourceWellKnown + strings.TrimPrefix(c.Resource, s.issuer) + `"`,
	}
	if c.Error != "" {
		parts = append(parts, `error="`+c.Error+`"`)
		if c.Detail != "" {
			parts = append(parts, `error_description="`+sanitizeQuoted(c.Detail)+`"`)
		}
	}
	parts = append(parts, `scope="`+authz.JoinScopes(scopes, " ")+`"`)
	return "Bearer " + strings.Join(parts, ", ")
}

// sanitizeQuoted drops the characters that RFC 6750 section 3 forbids in error_description.
func sanitizeQuoted(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r < ' ' || r > '~' || r == '\\':
			return -1
		}
		return r
	}, text)
}

package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-jose/go-jose/v3" // for fosite's interface only
	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
)

// Client authentication methods of the token endpoint (RFC 7591 section 2).
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
	methodJWT   = "private_key_jwt"
)

var authMethods = []string{methodNone, methodBasic, methodPost, methodJWT}

var assertionAlgorithms = []string{"ES256", "ES384", "EdDSA", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}

const (
	kindRegistered = "registered"
	kindDocument   = "document"
)

// Metadata is client metadata from registration (RFC 7591) or from a client ID metadata document.
// Other members are ignored. Of the URLs in it, this server fetches only jwks_uri, for
// private_key_jwt, and shows none.
type Metadata struct {
	Name          string        `json:"client_name,omitempty"`
	URI           string        `json:"client_uri,omitempty"`
	RedirectURIs  []string      `json:"redirect_uris"`
	GrantTypes    []string      `json:"grant_types,omitempty"`
	ResponseTypes []string      `json:"response_types,omitempty"`
	Scope         string        `json:"scope,omitempty"`
	AuthMethod    string        `json:"token_endpoint_auth_method,omitempty"`
	AuthAlgorithm string        `json:"token_endpoint_auth_signing_alg,omitempty"`
	Keys          *clientKeySet `json:"jwks,omitempty"`
	KeysURI       string        `json:"jwks_uri,omitempty"`
	SoftwareID    string        `json:"software_id,omitempty"`
	SoftwareVer   string        `json:"software_version,omitempty"`
}

// A Client is an OAuth client. It implements fosite.OpenIDConnectClient.
type Client struct {
	ID         string
	Kind       string
	Metadata   Metadata
	secretHash []byte
	expiresAt  time.Time
	freshUntil time.Time
}

var (
	_ fosite.Client              = (*Client)(nil)
	_ fosite.OpenIDConnectClient = (*Client)(nil)
)

// Domain returns the host of the client's metadata document, or "" for a dynamically registered
// client.
func (c *Client) Domain() string {
	if c.Kind != kindDocument {
		return ""
	}
	u, err := url.Parse(c.ID)
	if err != nil {
		return ""
	}
	u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	return shownHost(u)
}

// GetID implements fosite.Client.
func (c *Client) GetID() string { return c.ID }

// GetHashedSecret implements fosite.Client.
func (c *Client) GetHashedSecret() []byte { return c.secretHash }

// GetRedirectURIs implements fosite.Client.
func (c *Client) GetRedirectURIs() []string { return c.Metadata.RedirectURIs }

// GetGrantTypes implements fosite.Client.
func (c *Client) GetGrantTypes() fosite.Arguments { return c.Metadata.GrantTypes }

// GetResponseTypes implements fosite.Client.
func (c *Client) GetResponseTypes() fosite.Arguments { return fosite.Arguments{"code"} }

// GetScopes implements fosite.Client. Every client may request every scope; the person decides.
func (c *Client) GetScopes() fosite.Arguments {
	scopes := fosite.Arguments(slices.Clone(ignoredScopes))
	for _, scope := range authz.AllScopes() {
		scopes = append(scopes, string(scope))
	}
	return scopes
}

// IsPublic implements fosite.Client.
func (c *Client) IsPublic() bool { return c.Metadata.AuthMethod == methodNone }

// GetAudience implements fosite.Client. The resource parameter determines the audience, not fosite.
func (c *Client) GetAudience() fosite.Arguments { return nil }

// GetRequestURIs implements fosite.OpenIDConnectClient.
func (c *Client) GetRequestURIs() []string { return nil }

// GetJSONWebKeys implements fosite.OpenIDConnectClient. It hides the keys from fosite, which does
// not bound their size.
func (c *Client) GetJSONWebKeys() *jose.JSONWebKeySet { return nil }

// GetJSONWebKeysURI implements fosite.OpenIDConnectClient.
func (c *Client) GetJSONWebKeysURI() string { return "" }

// GetRequestObjectSigningAlgorithm implements fosite.OpenIDConnectClient; request objects are not
// supported.
func (c *Client) GetRequestObjectSigningAlgorithm() string { return "" }

// GetTokenEndpointAuthMethod implements fosite.OpenIDConnectClient.
func (c *Client) GetTokenEndpointAuthMethod() string { return c.Metadata.AuthMethod }

// GetTokenEndpointAuthSigningAlgorithm implements fosite.OpenIDConnectClient.
func (c *Client) GetTokenEndpointAuthSigningAlgorithm() string { return c.Metadata.AuthAlgorithm }

// secretHasher hashes client secrets with SHA-256. They are 256 random bits, so a slow hash would
// add no security and would let attackers exhaust the processors.
type secretHasher struct{}

func (secretHasher) Compare(_ context.Context, sum, secret []byte) error {
	if len(sum) == 0 || subtle.ConstantTimeCompare(sum, hash(secret)) != 1 {
		return errors.New("the client secret is wrong")
	}
	return nil
}

func (secretHasher) Hash(_ context.Context, secret []byte) ([]byte, error) { return hash(secret), nil }

// maxClientName bounds client_name, in bytes.
const maxClientName = 200

// checkMetadata fills in defaults, drops unsupported values where RFC 7591 section 2 allows it, and
// rejects other metadata. Its error is one of RFC 7591 section 3.2.2.
func checkMetadata(m *Metadata) error {
	checkGrantTypes(m)
	redirects := slices.Contains(m.GrantTypes, "authorization_code")
	if len(m.RedirectURIs) > 10 || redirects && len(m.RedirectURIs) == 0 {
		return invalidRedirect.WithHintf("redirect_uris must list 1 to 10 URIs.")
	}
	for i, uri := range m.RedirectURIs {
		if err := checkRedirect(uri); err != nil {
			return invalidRedirect.WithHintf("redirect_uris[%d] %s.", i, err.Error())
		}
	}
	if len(m.Name) <= maxClientName { // a longer one is rejected below
		m.Name = normalizeName(m.Name)
	}
	if err := checkName(m.Name); err != nil {
		return invalidMetadata.WithHintf("client_name %s.", err.Error())
	}
	for name, value := range map[string]string{"software_id": m.SoftwareID, "software_version": m.SoftwareVer} {
		if len(value) > maxClientName || strings.ContainsFunc(value, unicode.IsControl) {
			return invalidMetadata.WithHintf("%s must have at most %d bytes, without control characters.",
				name, maxClientName)
		}
	}
	if m.AuthMethod == "" {
		m.AuthMethod = methodBasic
		if m.Keys != nil || m.KeysURI != "" {
			m.AuthMethod = methodJWT
		}
	}
	if !slices.Contains(authMethods, m.AuthMethod) {
		return invalidMetadata.WithHintf("token_endpoint_auth_method must be one of %s.",
			strings.Join(authMethods, ", "))
	}
	if err := checkKeys(m); err != nil {
		return err
	}
	if !redirects && !slices.Contains(m.GrantTypes, deviceGrantType) {
		return invalidMetadata.WithHintf("grant_types must contain authorization_code or %s.", deviceGrantType)
	}
	if redirects && len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code") {
		return invalidMetadata.WithHintf("response_types must contain code.")
	}
	m.ResponseTypes = nil
	if len(m.RedirectURIs) == 0 {
		m.RedirectURIs = []string{} // in the response, a list without elements
	}
	if redirects {
		m.ResponseTypes = []string{"code"}
	}
	m.Scope = knownScopes(m.Scope)
	if m.URI != "" {
		if u, err := url.Parse(m.URI); err != nil || (u.Scheme != "https" && u.Scheme != "http") {
			m.URI = ""
		}
	}
	return nil
}

// grantTypes are the grant types of the token endpoint.
var grantTypes = []string{"authorization_code", "refresh_token", deviceGrantType}

// checkGrantTypes fills in the default of RFC 7591 section 2 and drops unsupported grant types.
func checkGrantTypes(m *Metadata) {
	if len(m.GrantTypes) == 0 {
		m.GrantTypes = []string{"authorization_code"}
	}
	m.GrantTypes = slices.DeleteFunc(m.GrantTypes, func(g string) bool { return !slices.Contains(grantTypes, g) })
}

func checkKeys(m *Metadata) error {
	if m.AuthMethod != methodJWT {
		m.Keys, m.KeysURI, m.AuthAlgorithm = nil, "", ""
		return nil
	}
	if (m.Keys == nil) == (m.KeysURI == "") {
		return invalidMetadata.WithHintf("private_key_jwt needs either jwks or jwks_uri.")
	}
	if m.KeysURI != "" {
		if _, err := documentURL(m.KeysURI); err != nil {
			return invalidMetadata.WithHintf("jwks_uri %s.", err.Error())
		}
	}
	if m.Keys != nil {
		if err := m.Keys.validate(); err != nil {
			return invalidMetadata.WithHintf("jwks.%s.", err.Error())
		}
	}
	if m.AuthAlgorithm == "" {
		m.AuthAlgorithm = "ES256"
		if m.Keys != nil {
			if m.AuthAlgorithm = m.Keys.Keys[0].Algorithm; m.AuthAlgorithm == "" {
				m.AuthAlgorithm = m.Keys.Keys[0].algorithms()[0]
			}
		}
	}
	if !slices.Contains(assertionAlgorithms, m.AuthAlgorithm) {
		return invalidMetadata.WithHintf("token_endpoint_auth_signing_alg must be one of %s.",
			strings.Join(assertionAlgorithms, ", "))
	}
	return nil
}

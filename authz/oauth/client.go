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

	"github.com/go-jose/go-jose/v3" // of fosite's interface alone
	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
)

// Ways in which a client authenticates at the token endpoint (RFC 7591 section 2).
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

// Metadata is what a client says of itself, by registration (RFC 7591) or in its document. What is not listed is ignored. Nothing
// that it links to (logo_uri, tos_uri, …) is ever fetched or shown; only jwks_uri is fetched, when it authenticates by key.
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

// A Client is an application that people let in. It implements what fosite asks of one.
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

// Domain is the host that vouches for the client, or "" for one that registered itself.
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

// GetID is of fosite.Client.
func (c *Client) GetID() string { return c.ID }

// GetHashedSecret is of fosite.Client.
func (c *Client) GetHashedSecret() []byte { return c.secretHash }

// GetRedirectURIs is of fosite.Client.
func (c *Client) GetRedirectURIs() []string { return c.Metadata.RedirectURIs }

// GetGrantTypes is of fosite.Client.
func (c *Client) GetGrantTypes() fosite.Arguments { return c.Metadata.GrantTypes }

// GetResponseTypes is of fosite.Client.
func (c *Client) GetResponseTypes() fosite.Arguments { return fosite.Arguments{"code"} }

// GetScopes is of fosite.Client: every client may ask for every scope, and the person decides.
func (c *Client) GetScopes() fosite.Arguments {
	scopes := fosite.Arguments{offlineAccess}
	for _, scope := range authz.AllScopes() {
		scopes = append(scopes, string(scope))
	}
	return scopes
}

// IsPublic is of fosite.Client.
func (c *Client) IsPublic() bool { return c.Metadata.AuthMethod == methodNone }

// GetAudience is of fosite.Client. The audience is settled by resource, not by fosite.
func (c *Client) GetAudience() fosite.Arguments { return nil }

// GetRequestURIs is of fosite.OpenIDConnectClient.
func (c *Client) GetRequestURIs() []string { return nil }

// GetJSONWebKeys is of fosite.OpenIDConnectClient. fosite is shown no keys: it would compute with a key of any size.
func (c *Client) GetJSONWebKeys() *jose.JSONWebKeySet { return nil }

// GetJSONWebKeysURI is of fosite.OpenIDConnectClient.
func (c *Client) GetJSONWebKeysURI() string { return "" }

// GetRequestObjectSigningAlgorithm is of fosite.OpenIDConnectClient; request objects are not taken.
func (c *Client) GetRequestObjectSigningAlgorithm() string { return "" }

// GetTokenEndpointAuthMethod is of fosite.OpenIDConnectClient.
func (c *Client) GetTokenEndpointAuthMethod() string { return c.Metadata.AuthMethod }

// GetTokenEndpointAuthSigningAlgorithm is of fosite.OpenIDConnectClient.
func (c *Client) GetTokenEndpointAuthSigningAlgorithm() string { return c.Metadata.AuthAlgorithm }

// secretHasher compares client secrets. They are 256 random bits made by this server, so a fast hash is as good as a slow one,
// and a slow one would let anybody keep the processors busy.
type secretHasher struct{}

func (secretHasher) Compare(_ context.Context, sum, secret []byte) error {
	if len(sum) == 0 || subtle.ConstantTimeCompare(sum, hash(secret)) != 1 {
		return errors.New("the client secret is wrong")
	}
	return nil
}

func (secretHasher) Hash(_ context.Context, secret []byte) ([]byte, error) { return hash(secret), nil }

// maxClientName is the longest name a client may give itself, in bytes.
const maxClientName = 200

// checkMetadata fills in defaults, drops what is not supported where RFC 7591 section 2 lets a server do so, and refuses the rest.
// The error is one of RFC 7591 section 3.2.2.
func checkMetadata(m *Metadata) error {
	if len(m.RedirectURIs) == 0 || len(m.RedirectURIs) > 10 {
		return invalidRedirect.WithHintf("redirect_uris must list 1 to 10 URIs.")
	}
	for i, uri := range m.RedirectURIs {
		if err := checkRedirect(uri); err != nil {
			return invalidRedirect.WithHintf("redirect_uris[%d] %s.", i, err.Error())
		}
	}
	if len(m.Name) <= maxClientName { // a longer one is refused as it is
		m.Name = normalizeName(m.Name)
	}
	if err := checkName(m.Name); err != nil {
		return invalidMetadata.WithHintf("client_name %s.", err.Error())
	}
	for name, value := range map[string]string{"software_id": m.SoftwareID, "software_version": m.SoftwareVer} {
		if len(value) > maxClientName || strings.ContainsFunc(value, unicode.IsControl) {
			return invalidMetadata.WithHintf("%s must have at most %d bytes, without control characters.", name, maxClientName)
		}
	}
	if m.AuthMethod == "" {
		m.AuthMethod = methodBasic
		if m.Keys != nil || m.KeysURI != "" {
			m.AuthMethod = methodJWT
		}
	}
	if !slices.Contains(authMethods, m.AuthMethod) {
		return invalidMetadata.WithHintf("token_endpoint_auth_method must be one of %s.", strings.Join(authMethods, ", "))
	}
	if err := checkKeys(m); err != nil {
		return err
	}
	if len(m.GrantTypes) == 0 {
		m.GrantTypes = []string{"authorization_code"}
	}
	m.GrantTypes = slices.DeleteFunc(m.GrantTypes, func(g string) bool { return g != "authorization_code" && g != "refresh_token" })
	if !slices.Contains(m.GrantTypes, "authorization_code") {
		return invalidMetadata.WithHintf("grant_types must contain authorization_code.")
	}
	if len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code") {
		return invalidMetadata.WithHintf("response_types must contain code.")
	}
	m.ResponseTypes = []string{"code"}
	m.Scope = knownScopes(m.Scope)
	if m.URI != "" {
		if u, err := url.Parse(m.URI); err != nil || (u.Scheme != "https" && u.Scheme != "http") {
			m.URI = ""
		}
	}
	return nil
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
		return invalidMetadata.WithHintf("token_endpoint_auth_signing_alg must be one of %s.", strings.Join(assertionAlgorithms, ", "))
	}
	return nil
}

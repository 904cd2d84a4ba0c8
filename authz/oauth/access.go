package oauth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
)

// accessTokenType is the typ header of an access token (RFC 9068 section 2.1). Checking it keeps
// other JWTs signed by the same keys from being accepted as access tokens.
const accessTokenType = "at+jwt"

// accessClaims are the claims of an access token (RFC 9068 section 2.2), and the grant it was
// issued under.
type accessClaims struct {
	jwt.RegisteredClaims
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
	Grant    string `json:"grant"`
	Org      string `json:"org,omitempty"` // set when the grant is narrowed to one organization
}

// An accessToken is the content of a verified access token.
type accessToken struct {
	grant    uuid.UUID
	person   uuid.UUID
	onlyOrg  uuid.NullUUID
	client   string
	audience string
	scopes   []authz.Scope
	issued   time.Time
	expires  time.Time
	id       string
}

// signAccessToken issues an access token under a grant. life is at most accessLife and ends with
// the grant.
func (s *Service) signAccessToken(
	ctx context.Context,
	g *grant,
	scopes []authz.Scope,
) (token string, life time.Duration, err error) {
	key, err := s.keys.signer(ctx)
	if err != nil {
		return "", 0, err
	}
	now := s.now().Truncate(time.Second)
	expires := now.Add(accessLife)
	if g.ExpiresAt.Before(expires) {
		expires = g.ExpiresAt.Truncate(time.Second)
	}
	claims := accessClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    s.issuer,
			Subject:   id.Format(id.User, g.Person),
			Audience:  jwt.ClaimStrings{g.Resource},
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(expires),
			ID:        base64url.EncodeToString(random(12)),
		},
		ClientID: g.Client, Scope: authz.JoinScopes(scopes, " "), Grant: id.Format(id.Grant, g.ID),
	}
	if g.OnlyOrg.Valid {
		claims.Org = id.Format(id.Org, g.OnlyOrg.UUID)
	}
	unsigned := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	unsigned.Header["typ"], unsigned.Header["kid"] = accessTokenType, key.kid
	token, err = unsigned.SignedString(key.private)
	if err != nil {
		return "", 0, fmt.Errorf("signing an access token: %w", err)
	}
	return token, expires.Sub(now), nil
}

var errInvalidAccessToken = errors.New("not an access token of this server")

// maxVerifiedTokens is the size of the cache of verified access tokens, about 5 MB.
const maxVerifiedTokens = 8192

// A verifiedToken is an access token whose signature and claims were verified. They are cached
// because verifying a signature is the most expensive part of the check, and clients send the same
// token many times.
type verifiedToken struct {
	*accessToken
	kid string
}

// cachedToken returns a token that was verified before, if its signing key is still valid and it
// has not expired.
func (s *Service) cachedToken(ctx context.Context, sum [sha256.Size]byte) *accessToken {
	known, ok := s.verified.Get(sum)
	if !ok || !s.now().Before(known.expires.Add(clockTolerance)) {
		return nil
	}
	if key, err := s.keys.verifier(ctx, known.kid); err != nil || key == nil {
		return nil
	}
	return known.accessToken
}

// parseAccessToken verifies the format, signature, issuer and times of an access token, but not its
// audience or whether its grant is live. It returns errInvalidAccessToken for an invalid token, and
// another error when the signing keys could not be loaded.
func (s *Service) parseAccessToken(ctx context.Context, text string) (*accessToken, error) {
	if len(text) > 4096 {
		return nil, errInvalidAccessToken
	}
	sum := sha256.Sum256([]byte(text))
	if known := s.cachedToken(ctx, sum); known != nil {
		return known, nil
	}
	var claims accessClaims
	var keys error
	parsed, err := jwt.ParseWithClaims(text, &claims, func(t *jwt.Token) (any, error) {
		// RFC 9068 section 4; "application/at+jwt" is the long form of the same type.
		if typ, _ := t.Header["typ"].(string); !strings.EqualFold(
			strings.TrimPrefix(strings.ToLower(typ), "application/"), accessTokenType,
		) {
			return nil, errInvalidAccessToken
		}
		if _, critical := t.Header["crit"]; critical {
			return nil, errInvalidAccessToken
		}
		kid, _ := t.Header["kid"].(string)
		key, err := s.keys.verifier(ctx, kid)
		if err != nil {
			keys = err
			return nil, err
		}
		if key == nil {
			return nil, errInvalidAccessToken
		}
		return key, nil
	}, jwt.WithValidMethods([]string{"ES256"}), jwt.WithIssuer(s.issuer), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(clockTolerance), jwt.WithStrictDecoding(), jwt.WithTimeFunc(s.now))
	if keys != nil {
		return nil, fmt.Errorf("verifying an access token: %w", keys)
	}
	if err != nil {
		return nil, errInvalidAccessToken
	}
	token, err := claims.token()
	if err != nil {
		return nil, err
	}
	kid, _ := parsed.Header["kid"].(string)
	s.verified.Add(sum, verifiedToken{token, kid})
	return token, nil
}

func (c *accessClaims) token() (*accessToken, error) {
	person, err := id.Parse(id.User, c.Subject)
	if err != nil || len(c.Audience) != 1 || c.IssuedAt == nil {
		return nil, errInvalidAccessToken
	}
	grant, err := id.Parse(id.Grant, c.Grant)
	if err != nil {
		return nil, errInvalidAccessToken
	}
	token := &accessToken{
		grant:    grant,
		person:   person,
		client:   c.ClientID,
		audience: c.Audience[0],
		scopes:   toScopes(strings.Fields(c.Scope)),
		issued:   c.IssuedAt.Time,
		expires:  c.ExpiresAt.Time,
		id:       c.ID,
	}
	if c.Org != "" {
		if token.onlyOrg.UUID, err = id.Parse(id.Org, c.Org); err != nil {
			return nil, errInvalidAccessToken
		}
		token.onlyOrg.Valid = true
	}
	return token, nil
}

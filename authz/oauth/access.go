package oauth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// accessType is the type of an access token (RFC 9068 section 2.1): no other token that a key might ever sign is taken for one.
const accessType = "at+jwt"

// accessClaims are the claims of an access token (RFC 9068 section 2.2), with the grant that it came of.
type accessClaims struct {
	jwt.RegisteredClaims
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
	Grant    string `json:"grant"`
	Org      string `json:"org,omitempty"` // the one organization that the grant reaches
}

// An accessToken is what a verified access token says.
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

// signAccess makes an access token of a grant.
func (s *Service) signAccess(ctx context.Context, g *grant, scopes []authz.Scope) (token string, life time.Duration, err error) {
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
			Issuer: s.issuer, Subject: id.Format(id.User, g.Person), Audience: jwt.ClaimStrings{g.Resource},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(expires), ID: base64url.EncodeToString(random(12)),
		},
		ClientID: g.Client, Scope: authz.JoinScopes(scopes, " "), Grant: id.Format(id.Grant, g.ID),
	}
	if g.OnlyOrg.Valid {
		claims.Org = id.Format(id.Org, g.OnlyOrg.UUID)
	}
	unsigned := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	unsigned.Header["typ"], unsigned.Header["kid"] = accessType, key.kid
	token, err = unsigned.SignedString(key.private)
	if err != nil {
		return "", 0, fmt.Errorf("signing an access token: %w", err)
	}
	return token, expires.Sub(now), nil
}

var errNotOurToken = errors.New("not an access token of this server")

// readAccess verifies the form, signature, issuer and times of an access token: everything but its audience and whether its
// grant is still live. The error is errNotOurToken for a bad token, and another one when the keys could not be had.
func (s *Service) readAccess(ctx context.Context, text string) (*accessToken, error) {
	if len(text) > 4096 {
		return nil, errNotOurToken
	}
	var claims accessClaims
	var keys error
	_, err := jwt.ParseWithClaims(text, &claims, func(t *jwt.Token) (any, error) {
		// RFC 9068 section 4; "application/at+jwt" is the same type in its long form.
		if typ, _ := t.Header["typ"].(string); !strings.EqualFold(strings.TrimPrefix(strings.ToLower(typ), "application/"), accessType) {
			return nil, errNotOurToken
		}
		if _, critical := t.Header["crit"]; critical {
			return nil, errNotOurToken
		}
		kid, _ := t.Header["kid"].(string)
		key, err := s.keys.verifier(ctx, kid)
		if err != nil {
			keys = err
			return nil, err
		}
		if key == nil {
			return nil, errNotOurToken
		}
		return key, nil
	}, jwt.WithValidMethods([]string{"ES256"}), jwt.WithIssuer(s.issuer), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(clockTolerance), jwt.WithStrictDecoding(), jwt.WithTimeFunc(s.now))
	if keys != nil {
		return nil, fmt.Errorf("verifying an access token: %w", keys)
	}
	if err != nil {
		return nil, errNotOurToken
	}
	return claims.read()
}

func (c *accessClaims) read() (*accessToken, error) {
	person, err := id.Parse(id.User, c.Subject)
	if err != nil || len(c.Audience) != 1 || c.IssuedAt == nil {
		return nil, errNotOurToken
	}
	grant, err := id.Parse(id.Grant, c.Grant)
	if err != nil {
		return nil, errNotOurToken
	}
	token := &accessToken{
		grant: grant, person: person, client: c.ClientID, audience: c.Audience[0], scopes: toScopes(strings.Fields(c.Scope)),
		issued: c.IssuedAt.Time, expires: c.ExpiresAt.Time, id: c.ID,
	}
	if c.Org != "" {
		if token.onlyOrg.UUID, err = id.Parse(id.Org, c.Org); err != nil {
			return nil, errNotOurToken
		}
		token.onlyOrg.Valid = true
	}
	return token, nil
}

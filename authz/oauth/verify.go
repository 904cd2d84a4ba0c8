package oauth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// Verify verifies an access token for a resource and returns its principal: with the scopes of the
// token, and the person's current roles in the organizations of the grant. It returns an error of
// kind unauthenticated for a token that is forged, expired, revoked, or for another resource; of
// kind unavailable when the grant or the keys cannot be looked up; and nil with a nil error for a
// secret that is not an OAuth token.
func (s *Service) Verify(ctx context.Context, secret, resource string) (*authz.Principal, error) {
	if strings.HasPrefix(secret, refreshPrefix) || strings.HasPrefix(secret, codePrefix) ||
		strings.HasPrefix(secret, clientPrefix) {
		return nil, invalidToken("This is not an access token.")
	}
	if strings.Count(secret, ".") != 2 {
		return nil, nil //nolint:nilnil // a secret of another kind, see authz.Verifier
	}
	token, err := s.parseAccessToken(ctx, secret)
	if errors.Is(err, errInvalidAccessToken) {
		return nil, invalidToken("The access token is not valid or has expired.")
	}
	if err != nil {
		return nil, err
	}
	if token.audience != resource {
		return nil, invalidToken("The access token is for %s, not for %s.", token.audience, resource)
	}
	p, err := s.Resolve(ctx, authz.Holder{
		Kind: authz.OAuth, Credential: id.Format(id.Grant, token.grant), Person: token.person, Scopes: token.scopes,
		Org: token.onlyOrg.UUID, ClientID: token.client,
	})
	if err == nil {
		credential.Until(ctx, token.expires.Add(clockTolerance))
	}
	return p, err
}

// Resolve returns the principal of a grant with what an access token had of it, as an authz.Resolver does.
func (s *Service) Resolve(ctx context.Context, holder authz.Holder) (*authz.Principal, error) {
	grantID, err := id.Parse(id.Grant, holder.Credential)
	if err != nil {
		return nil, errRevoked()
	}
	entry, err := s.liveGrant(ctx, grantID)
	if err != nil {
		return nil, err
	}
	if entry == nil || entry.Expired(s.now()) || entry.Person.ID != holder.Person {
		return nil, errRevoked()
	}
	orgs := entry.Person.Orgs
	if holder.Org != uuid.Nil {
		orgs = authz.Only(orgs, holder.Org)
	}
	return &authz.Principal{
		Kind:       authz.OAuth,
		Credential: holder.Credential,
		Person:     holder.Person,
		Scopes:     holder.Scopes,
		Orgs:       orgs,
		ClientID:   holder.ClientID,
		OneOrg:     holder.Org != uuid.Nil,
	}, nil
}

func errRevoked() error { return invalidToken("The access token was revoked.") }

func invalidToken(format string, args ...any) error {
	return problem.Unauthenticated(format, args...).WithCode(problem.CodeInvalidToken)
}

// grantHash returns the key of a grant in the credential cache.
func grantHash(grantID uuid.UUID) credential.Hash {
	return credential.HashOf(id.Format(id.Grant, grantID))
}

// liveGrant returns the cached entry of a grant and its person, or nil when the grant is revoked or
// does not exist.
func (s *Service) liveGrant(ctx context.Context, grantID uuid.UUID) (*credential.Entry[struct{}], error) {
	return credential.Find(ctx, s.cache, credential.Grant, grantHash(grantID),
		func(ctx context.Context) (*credential.Entry[struct{}], error) {
			var entry *credential.Entry[struct{}]
			err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
				b.Queue(`select g.expires_at, `+credential.PersonJSON+` from rowhouse.oauth_grant g
				join rowhouse.person p on p.id = g.person_id
				where g.id = $1 and g.redeemed_at is not null and g.revoked_at is null`, grantID).
					Query(func(rows pgx.Rows) error {
						for rows.Next() {
							entry = &credential.Entry[struct{}]{}
							if err := rows.Scan(&entry.ExpiresAt, &entry.Person); err != nil {
								return fmt.Errorf("reading a grant: %w", err)
							}
						}
						return rows.Err()
					})
			})
			if err != nil {
				return nil, fmt.Errorf("looking up a grant: %w", err)
			}
			return entry, nil
		})
}

// A verifier is Verify for one resource.
type verifier struct {
	s        *Service
	resource string
}

// Verify implements authz.Verifier.
func (v verifier) Verify(ctx context.Context, secret string) (*authz.Principal, error) {
	return v.s.Verify(ctx, secret, v.resource)
}

// ForMCP returns the verifier of access tokens for the MCP server.
func (s *Service) ForMCP() authz.Verifier { return verifier{s, s.resources.mcp} }

// ForREST returns the verifier of access tokens for the REST interface.
func (s *Service) ForREST() authz.Verifier { return verifier{s, s.resources.rest} }

package apikey

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A MemberKey is a key with access to an organization, and the member who owns it.
type MemberKey struct {
	Key

	Owner string // the member's name
	Email string
	Role  organization.Role // of the member
}

// RevocableBy reports whether a member with the role may revoke the key. Admins and owners may, but
// an admin may not revoke a key of an owner, and a key that also gives access to other
// organizations can be revoked only by its owner.
func (k *MemberKey) RevocableBy(role organization.Role) bool {
	return k.Org != nil && role.AtLeast(organization.Admin) && role.AtLeast(k.Role)
}

// ListOrg returns the keys with access to an organization that are neither revoked nor expired,
// newest first: keys narrowed to it, and keys of its members that are not narrowed to an
// organization. The caller has checked that the reader may see them.
func (s *Service) ListOrg(ctx context.Context, org uuid.UUID) ([]MemberKey, error) {
	keys, err := s.memberKeys(ctx, org, nil)
	return keys, wrap(err, "listing the API keys of an organization")
}

// memberKeys reads the keys that ListOrg returns, or only the one with the given id.
func (s *Service) memberKeys(ctx context.Context, org uuid.UUID, key *uuid.UUID) (keys []MemberKey, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select `+columns+`, p.name, p.email, m.role
			from rowhouse.member m
			join rowhouse.person p on p.id = m.person_id
			join rowhouse.api_key k on k.person_id = m.person_id
			where m.org_id = $1 and (k.only_org is null or k.only_org = $1) and k.revoked_at is null
				and (k.expires_at is null or k.expires_at > $2) and ($3::uuid is null or k.id = $3)
			order by k.created_at desc, k.id desc`, org, time.Now(), key).
			Query(func(rows pgx.Rows) (err error) {
				keys, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (MemberKey, error) {
					var k MemberKey
					err := row.Scan(append(k.scanTargets(), &k.Owner, &k.Email, &k.Role)...)
					return k, err
				})
				return err
			})
	})
	return keys, err
}

// RevokeInOrg revokes a member's key that is narrowed to an organization, on behalf of by, an admin
// or owner there. It returns an error of kind not_found for a key that ListOrg does not return, of
// kind forbidden for an owner's key when by is not an owner, and of kind conflict for a key that
// also gives access to other organizations.
func (s *Service) RevokeInOrg(ctx context.Context, by *authz.Principal, org, key uuid.UUID) error {
	keys, err := s.memberKeys(ctx, org, &key)
	if err != nil {
		return wrap(err, "reading the API key of a member")
	}
	switch {
	case len(keys) == 0:
		return problem.NotFound("API key", id.Format(id.Key, key))
	case keys[0].RevocableBy(by.Role(org)):
	case keys[0].Org == nil:
		return problem.Conflict("This API key reaches every organization of %s, so only they can revoke it. "+
			"What it may do here follows their role: change that, or remove them.", keys[0].Owner).
			WithCode(problem.CodeKeyReachesMore)
	default:
		return problem.Forbidden("Only an owner may revoke the API key of an owner.").
			WithCode(problem.CodeInsufficientRole)
	}
	ctx = db.WithActor(ctx, db.Actor{Person: by.Person, Kind: string(by.Kind), Credential: by.Credential})
	return s.revoke(ctx, `id = $1 and only_org = $2`, key, org)
}

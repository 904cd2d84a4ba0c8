package authz

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CredentialKind is the kind of credential that a request carried.
type CredentialKind string

// The kinds of credential.
const (
	APIKey  CredentialKind = "api_key"
	OAuth   CredentialKind = "oauth"
	Session CredentialKind = "session"
)

// Membership is a role in an organization.
type Membership struct {
	Org  uuid.UUID         `json:"org"`
	Role organization.Role `json:"role"`
	// Permissions is the version of the organization's permissions when the role was read (schema.Snapshot).
	Permissions int64 `json:"permissions,omitzero"`
}

// Only returns the membership in one organization, or none.
func Only(orgs []Membership, org uuid.UUID) []Membership {
	for _, m := range orgs {
		if m.Org == org {
			return []Membership{m}
		}
	}
	return nil
}

// A Principal is the caller of a request: a person, acting through a credential that may narrow the
// person's rights. It holds the rights at the time of the request, not at the creation of the
// credential. It is immutable.
type Principal struct {
	Kind       CredentialKind
	Credential string // public id of the API key, grant or session
	Person     uuid.UUID
	Scopes     []Scope
	Orgs       []Membership // the organizations that the credential gives access to
	Bases      []uuid.UUID  // the only bases that the credential gives access to; nil means all
	ClientID   string       // OAuth client id, for Kind OAuth
	OneOrg     bool         // the credential is narrowed to one organization, so Orgs has at most one entry

	// View is the only view that the credential gives access to; zero means no bound. In the organization the
	// credential then is a guest, and PersonRole is what the person is there.
	View       uuid.UUID
	PersonRole organization.Role
}

// BindTo narrows the credential to a view of a base of its only organization.
func (p *Principal) BindTo(view uuid.UUID) {
	p.View = view
	p.Orgs = slices.Clone(p.Orgs)
	for i := range p.Orgs {
		p.PersonRole, p.Orgs[i].Role = p.Orgs[i].Role, organization.Guest
	}
}

// UserID is the public id of the person.
func (p *Principal) UserID() string { return id.Format(id.User, p.Person) }

// Has reports whether the credential carries the scope. Every credential carries None.
func (p *Principal) Has(scope Scope) bool { return scope == None || slices.Contains(p.Scopes, scope) }

// Role returns the person's role in the organization, or "" when the credential gives no access to
// it.
func (p *Principal) Role(org uuid.UUID) organization.Role {
	for _, m := range p.Orgs {
		if m.Org == org {
			return m.Role
		}
	}
	return ""
}

// Subject returns the person as the permissions of an organization see them.
func (p *Principal) Subject(org uuid.UUID) schema.Subject {
	if p.View != uuid.Nil && p.Role(org) != "" {
		return schema.Subject{Person: p.Person, Role: p.PersonRole, View: p.View}
	}
	return schema.Subject{Person: p.Person, Role: p.Role(org)}
}

// PermissionVersion is how new an organization's permissions must be for this principal.
func (p *Principal) PermissionVersion(org uuid.UUID) int64 {
	for _, m := range p.Orgs {
		if m.Org == org {
			return m.Permissions
		}
	}
	return 0
}

// ReachesBase reports whether the credential is not restricted to other bases. It does not check
// the organization.
func (p *Principal) ReachesBase(base uuid.UUID) bool {
	return p.Bases == nil || slices.Contains(p.Bases, base)
}

// RequireScope returns an error of kind forbidden with the code insufficient_scope unless the
// credential carries every one of the scopes. The error lists all required scopes.
func (p *Principal) RequireScope(scopes ...Scope) error {
	for _, scope := range scopes {
		if p.Has(scope) {
			continue
		}
		e := problem.Forbidden("This credential lacks the scope %s; it has %s.", scope, orNone(p.Scopes)).
			WithCode(problem.CodeInsufficientScope)
		for _, needed := range scopes {
			if needed != None {
				e.Scopes = append(e.Scopes, string(needed))
			}
		}
		return e
	}
	return nil
}

func orNone(scopes []Scope) string {
	if len(scopes) == 0 {
		return "none"
	}
	return JoinScopes(scopes, ", ")
}

// RequireRole returns an error unless the person has at least the role in the organization: of kind
// not_found without access to the organization, and of kind forbidden with the code
// insufficient_role for a weaker role.
func (p *Principal) RequireRole(org uuid.UUID, role organization.Role) error {
	have := p.Role(org)
	if have == "" {
		return problem.NotFound("organization", id.Format(id.Org, org))
	}
	if !have.AtLeast(role) {
		return problem.Forbidden("This needs the role %s or above; yours in this organization is %s.", role, have).
			WithCode(problem.CodeInsufficientRole)
	}
	return nil
}

// A Verifier turns the secret of one kind of credential into a principal. It returns an error of
// kind unauthenticated for a secret that is unknown, revoked or expired, and nil with a nil error
// for a secret of another kind. Implementations bound how long they wait for Redis and PostgreSQL.
type Verifier interface {
	Verify(ctx context.Context, secret string) (*Principal, error)
}

package authz

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// CredentialKind says what sort of credential a request carried.
type CredentialKind string

// The sorts of credential.
const (
	APIKey  CredentialKind = "api_key"
	OAuth   CredentialKind = "oauth"
	Session CredentialKind = "session"
)

// Membership is a role in an organization.
type Membership struct {
	Org  uuid.UUID         `json:"org"`
	Role organization.Role `json:"role"`
}

// A Principal is who makes a request: a person, through a credential that may narrow what the person may do. It holds the
// rights of this moment, not of when the credential was made, and is never changed after it was built.
type Principal struct {
	Kind       CredentialKind
	Credential string // public id of the key, grant or session
	Person     uuid.UUID
	Scopes     []Scope
	Orgs       []Membership // those that the credential reaches
	Bases      []uuid.UUID  // those that the credential is narrowed to; nil is all
	ClientID   string       // of the OAuth client, for Kind OAuth
	OneOrg     bool         // the credential is narrowed to one organization, so Orgs holds at most that one
}

// UserID is the public id of the person.
func (p *Principal) UserID() string { return id.Format(id.User, p.Person) }

// Has reports whether the credential carries the scope. Every credential carries None.
func (p *Principal) Has(scope Scope) bool { return scope == None || slices.Contains(p.Scopes, scope) }

// Role is the person's role in the organization, or "" when the credential does not reach it.
func (p *Principal) Role(org uuid.UUID) organization.Role {
	for _, m := range p.Orgs {
		if m.Org == org {
			return m.Role
		}
	}
	return ""
}

// ReachesBase reports whether the credential is not narrowed to other bases.
func (p *Principal) ReachesBase(base uuid.UUID) bool {
	return p.Bases == nil || slices.Contains(p.Bases, base)
}

// RequireScope returns the error that a credential without one of the scopes gets; it names all of them at once.
func (p *Principal) RequireScope(scopes ...Scope) error {
	for _, scope := range scopes {
		if p.Has(scope) {
			continue
		}
		e := problem.Forbidden("This credential lacks the scope %s; it has %s.", scope, orNone(p.Scopes)).WithCode("insufficient_scope")
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

// RequireRole returns the error that a member of the organization with a weaker role gets.
func (p *Principal) RequireRole(org uuid.UUID, role organization.Role) error {
	have := p.Role(org)
	if have == "" {
		return problem.NotFound("organization", id.Format(id.Org, org))
	}
	if !have.AtLeast(role) {
		return problem.Forbidden("This needs the role %s or above; yours in this organization is %s.", role, have).
			WithCode("insufficient_role")
	}
	return nil
}

// A Verifier turns the secret of one kind of credential into a principal. It returns a tenancy error of kind unauthenticated
// for a secret that is unknown, revoked or expired, and nil with a nil error for a secret of another kind. It bounds how long it
// waits for the services that it asks.
type Verifier interface {
	Verify(ctx context.Context, secret string) (*Principal, error)
}

package authz

import (
	"context"

	"github.com/google/uuid"
)

// A Holder names a credential and how a request narrowed it, so that its principal can be looked up later without its
// secret.
type Holder struct {
	Kind       CredentialKind `json:"kind"`
	Credential string         `json:"credential"` // its public id
	Person     uuid.UUID      `json:"person"`
	// Of an access token, which may have less than its grant.
	Scopes   []Scope   `json:"scopes,omitempty"`
	Org      uuid.UUID `json:"org,omitzero"` // the only one; zero means all of the person's
	ClientID string    `json:"client,omitempty"`
}

// Holder returns what the principal is looked up again with.
func (p *Principal) Holder() Holder {
	h := Holder{Kind: p.Kind, Credential: p.Credential, Person: p.Person}
	if p.Kind == OAuth {
		h.Scopes, h.ClientID = p.Scopes, p.ClientID
		if p.OneOrg {
			h.Org = uuid.Max // one of which the person is no member any more
			for _, m := range p.Orgs {
				h.Org = m.Org
			}
		}
	}
	return h
}

// A Resolver turns a holder into a principal with the rights of the present. It returns an error of kind
// unauthenticated for a credential that has ended.
type Resolver func(ctx context.Context, holder Holder) (*Principal, error)

package web

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// What becomes of an organization when the account of a member is deleted.
const (
	orgLeft    = "left"    // others go on with it
	orgDeleted = "deleted" // nobody else is a member
	orgKept    = "kept"    // others are members, and none of them is an owner: the account stays until one is
)

// orgFate is what becomes of one organization.
type orgFate struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Fate string `json:"fate"`

	org  uuid.UUID
	role organization.Role
}

// orgFates says what becomes of the organizations of a person.
func (p *pages) orgFates(ctx context.Context, person uuid.UUID) ([]orgFate, error) {
	orgs, err := p.Keys.Orgs(ctx, person)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what was done
	}
	fates := make([]orgFate, len(orgs))
	for i, org := range orgs {
		members, err := organization.ListMembers(ctx, p.Accounts.DB, org.ID)
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what was done
		}
		owners := 0
		for _, m := range members {
			if m.Role == organization.Owner && m.Person != person {
				owners++
			}
		}
		fate := orgLeft
		switch {
		case len(members) == 1:
			fate = orgDeleted
		case org.Role == organization.Owner && owners == 0:
			fate = orgKept
		}
		fates[i] = orgFate{id.Format(id.Org, org.ID), org.Name, fate, org.ID, org.Role}
	}
	return fates, nil
}

// getDeletion says what becomes of the person's organizations when the account is deleted.
func (p *pages) getDeletion(r *http.Request, session *account.SessionInfo) (any, error) {
	fates, err := p.orgFates(r.Context(), session.Person.ID)
	return map[string]any{"organizations": fates}, err
}

// postDeletion deletes the account.
func (p *pages) postDeletion(r *http.Request, session *account.SessionInfo) (any, error) {
	var in struct {
		Password string `json:"password"`
	}
	if err := decodeJSON(r, &in); err != nil {
		return nil, err
	}
	return nil, p.Accounts.DeleteAccount(r.Context(), session, in.Password, func(ctx context.Context) error {
		return p.leaveAll(ctx, session.Person.ID)
	})
}

// leaveAll takes a person out of all organizations, and deletes those in which nobody else is. It returns an error of
// kind conflict, before anything has changed, where others would be without an owner.
func (p *pages) leaveAll(ctx context.Context, person uuid.UUID) error {
	fates, err := p.orgFates(ctx, person)
	if err != nil {
		return err
	}
	for _, one := range fates {
		if one.Fate == orgKept {
			return problem.Conflict("You are the only owner of %q, and others are members. Make one of them an owner, "+
				"or delete the organization.", one.Name)
		}
	}
	ctx = db.WithActor(ctx, db.Actor{Person: person})
	for _, one := range fates {
		if one.Fate == orgDeleted {
			err = organization.Delete(ctx, p.Accounts.DB, one.org, person)
		} else {
			err = p.Schema.RemoveMember(ctx, one.org, one.role, person, false)
		}
		if err != nil {
			return err //nolint:wrapcheck // it says what was done
		}
	}
	return nil
}

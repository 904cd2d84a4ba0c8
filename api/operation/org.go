package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// OrgIn identifies an organization.
type OrgIn struct {
	OrgID string `json:"orgId"`
}

// Org is an organization, as its members see it.
type Org struct {
	ID   string            `json:"id"`
	Name string            `json:"name"`
	Role organization.Role `json:"role" jsonschema:"your role: owner, admin, editor, viewer or guest"`
}

// OrgList is a list of organizations.
type OrgList struct {
	Orgs []Org `json:"orgs"`
}

// ListOrgs lists the caller's organizations.
var ListOrgs = New(Def{
	Name: "list_orgs", Method: "GET", Path: "/orgs", Title: "List organizations",
	Summary:     "List the organizations that you belong to.",
	Description: "Returns their ids and names and your role in each. get_me has them too, with bases and scopes.",
	Scope:       authz.None, ReadOnly: true, Idempotent: true, BaseFiltered: true,
}, func(ctx context.Context, c *Call, _ None) (OrgList, error) {
	var out OrgList
	reached, err := c.accessibleOrgs(ctx)
	if err != nil {
		return out, err
	}
	out.Orgs, err = c.orgs(ctx, reached)
	return out, err
})

// GetOrg returns one organization.
var GetOrg = New(Def{
	Name: "get_org", Method: "GET", Path: "/orgs/{orgId}", Title: "Get organization",
	Summary:     "Get one organization.",
	Description: "Returns its name and your role in it. list_orgs has all of yours.",
	Scope:       authz.None, ReadOnly: true, Idempotent: true, BaseFiltered: true,
}, func(ctx context.Context, c *Call, in OrgIn) (Org, error) {
	orgs, err := c.orgs(ctx, []authz.Membership{{Org: c.Target.Org, Role: c.Principal.Role(c.Target.Org)}})
	if err != nil {
		return Org{}, err
	}
	if len(orgs) == 0 {
		return Org{}, problem.NotFound("organization", in.OrgID)
	}
	return orgs[0], nil
})

// CreateOrg creates an organization that the caller owns.
var CreateOrg = New(Def{
	Name: "create_org", Method: "POST", Path: "/orgs", Title: "Create organization",
	Summary: "Create an organization, which you own.",
	Description: "Returns its id. It has one workspace; add bases with create_base. You can own 20. To work with " +
		"others in an existing one, an admin there invites you.",
	Scope: authz.MembersManage, Role: organization.Guest,
}, func(ctx context.Context, c *Call, in struct {
	Name string `json:"name" maxLength:"255"`
},
) (Org, error) {
	// A restricted credential could not access the new organization.
	if c.Principal.OneOrg {
		return Org{}, problem.Forbidden("This credential is restricted to one organization and cannot create another.").
			WithCode(problem.CodeNarrowedCredential)
	}
	var created organization.Organization
	err := c.changeRights(ctx, c.Principal.UserID(), func(person uuid.UUID) (err error) {
		created, err = organization.CreateOwned(ctx, c.DB, person, in.Name)
		return err
	})
	if err != nil {
		return Org{}, err
	}
	return Org{ID: id.Format(id.Org, created.ID), Name: created.Name, Role: organization.Owner}, nil
})

func (c *Call) orgs(ctx context.Context, memberships []authz.Membership) ([]Org, error) {
	ids := make([]uuid.UUID, len(memberships))
	for i, m := range memberships {
		ids[i] = m.Org
	}
	rows, err := organization.Get(ctx, c.DB, ids)
	if err != nil {
		return nil, err
	}
	orgs := make([]Org, len(rows))
	for i, org := range rows {
		orgs[i] = Org{ID: id.Format(id.Org, org.ID), Name: org.Name, Role: c.Principal.Role(org.ID)}
	}
	return orgs, nil
}

// UpdateOrg renames an organization.
var UpdateOrg = New(Def{
	Name: "update_org", Method: "PATCH", Path: "/orgs/{orgId}", Title: "Rename organization",
	Summary:     "Rename an organization.",
	Description: "Returns its id. Needs the role owner.",
	Scope:       authz.MembersManage, Role: organization.Owner, Idempotent: true,
	Destructive: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Name string `json:"name" maxLength:"255"`
},
) (Changed, error) {
	return Changed{ID: in.OrgID}, organization.Rename(ctx, c.DB, c.Target.Org, in.Name)
})

// DeleteOrg deletes an organization and everything in it.
var DeleteOrg = New(Def{
	Name:    "delete_org",
	Method:  "DELETE",
	Path:    "/orgs/{orgId}",
	Title:   "Delete organization",
	Summary: "Delete an organization with its workspaces, bases, records and members, for good.",
	Description: "Nothing restores it; to delete one base, use delete_base. Returns the id in deleted. Needs the " +
		"role owner.",
	Scope:       authz.MembersManage,
	Role:        organization.Owner,
	Destructive: true,
	Idempotent:  true,
	Agent: Agent{
		Confirm: Confirmation{
			Needed:     Always,
			Unrecorded: true,
		},
	},
}, func(ctx context.Context, c *Call, in OrgIn) (Deleted, error) {
	members, err := organization.ListMembers(ctx, c.DB, c.Target.Org)
	if err != nil {
		return Deleted{}, err
	}
	for _, m := range members {
		if err := c.Rights.Invalidate(ctx, m.Person); err != nil {
			return Deleted{}, err
		}
	}
	if err := organization.Delete(ctx, c.DB, c.Target.Org); err != nil {
		return Deleted{}, err
	}
	c.Schema.Forget(c.Target.Org)
	for _, m := range members {
		if err := c.Rights.Invalidate(ctx, m.Person); err != nil {
			return Deleted{}, err
		}
	}
	return Deleted{Deleted: in.OrgID}, nil
})

// Changed is the output of an update: the id of what was changed.
type Changed struct {
	ID string `json:"id"`
}

// Deleted is the output of a deletion: the id of what was deleted.
type Deleted struct {
	Deleted string `json:"deleted" jsonschema:"the id of what was deleted"`
}

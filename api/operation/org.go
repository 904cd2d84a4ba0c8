package operation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// OrgIn identifies an organization.
type OrgIn struct {
	OrgID string `json:"orgId"`
}

// Org is an organization, as its members see it.
type Org struct {
	ID   string            `json:"id"`
	Name string            `json:"name"`
	Icon *schema.Icon      `json:"icon,omitzero"`
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
		if org.Icon == nil {
			continue
		}
		if err := json.Unmarshal(org.Icon, &orgs[i].Icon); err != nil {
			return nil, fmt.Errorf("reading the icon of an organization: %w", err)
		}
	}
	return orgs, nil
}

// UpdateOrg changes an organization's name and icon.
var UpdateOrg = New(Def{
	Name: "update_org", Method: "PATCH", Path: "/orgs/{orgId}", Title: "Update organization",
	Summary:     "Change the name or the icon of an organization.",
	Description: "What is not given stays. Returns its id. Needs the role owner.",
	Scope:       authz.MembersManage, Role: organization.Owner, Idempotent: true,
	Destructive: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Name *string      `json:"name,omitzero" maxLength:"255"`
	Icon *schema.Icon `json:"icon,omitzero"`
},
) (Changed, error) {
	if err := in.Icon.Check(); err != nil {
		return Changed{}, err
	}
	var icon json.RawMessage
	if in.Icon != nil {
		icon = jsonvalue.Must(in.Icon)
	}
	return Changed{ID: in.OrgID}, organization.Update(ctx, c.DB, c.Target.Org, in.Name, icon)
})

// Changed is the output of an update: the id of what was changed.
type Changed struct {
	ID string `json:"id"`
}

// Deleted is the output of a deletion: the id of what was deleted.
type Deleted struct {
	Deleted string `json:"deleted" jsonschema:"the id of what was deleted"`
}

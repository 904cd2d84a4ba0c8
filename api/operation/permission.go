package operation

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Grant is what a person or a group has in a base or a workspace.
type Grant struct {
	UserID  string          `json:"userId,omitzero"`
	GroupID string          `json:"groupId,omitzero"`
	Name    string          `json:"name" jsonschema:"of the person or group"`
	Role    schema.BaseRole `json:"role" jsonschema:"viewer, commenter, editor or creator"`
	From    string          `json:"from" jsonschema:"base or workspace: where it was granted"`
}

// PersonAccess is what a person may do in a base.
type PersonAccess struct {
	UserID string          `json:"userId"`
	Name   string          `json:"name"`
	Email  string          `json:"email"`
	Role   schema.BaseRole `json:"role" jsonschema:"viewer, commenter, editor or creator"`
}

// BaseAccess is who has what in a base, and why.
type BaseAccess struct {
	Restricted          bool           `json:"restricted" jsonschema:"a role in the organization gives none in the base"`
	WorkspaceRestricted bool           `json:"workspaceRestricted" jsonschema:"the same, by its workspace"`
	Grants              []Grant        `json:"grants"`
	People              []PersonAccess `json:"people" jsonschema:"everybody who sees the base"`
	You                 PersonAccess   `json:"you"`
}

// GetBaseAccess returns who may do what in a base.
var GetBaseAccess = New(Def{
	Name: "get_base_access", Method: "GET", Path: "/bases/{baseId}/access", Title: "Get base access",
	Summary: "Say who sees a base, with which role, and what was granted to people and groups.",
	Description: "Returns people and grants. An open base gives members what their role in the organization says; a " +
		"restricted one only what is granted. Owners and admins are always creators.",
	Scope: authz.MembersRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in BaseIn) (BaseAccess, error) {
	var out BaseAccess
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return out, err
	}
	b := s.Base(c.Target.ID)
	if b == nil {
		return out, problem.NotFound("base", in.BaseID)
	}
	people, names, err := c.peopleOf(ctx, s)
	if err != nil {
		return out, err
	}
	out.Grants = append(grants(s, b.Access, names, "base"), grants(s, workspaceAccess(s, b), names, "workspace")...)
	out.Restricted = b.Access != nil && b.Access.Restricted
	if a := workspaceAccess(s, b); a != nil {
		out.WorkspaceRestricted = a.Restricted
	}
	out.People = []PersonAccess{}
	for _, m := range people {
		one := PersonAccess{
			id.Format(id.User, m.Person), m.Name, m.Email,
			s.Whole().RoleIn(schema.Subject{Person: m.Person, Role: m.Role}, b),
		}
		if one.Role != schema.NoRole {
			out.People = append(out.People, one)
		}
		if m.Person == c.Principal.Person {
			out.You = one
		}
	}
	return out, nil
})

// workspaceAccess returns the access of a base's workspace.
func workspaceAccess(s *schema.Snapshot, b *schema.Base) *schema.Access {
	if w := s.Workspace(b.Workspace); w != nil {
		return w.Access
	}
	return nil
}

// peopleOf returns the members of the organization, and the names of people and groups.
func (c *Call) peopleOf(
	ctx context.Context, s *schema.Snapshot,
) ([]organization.Member, map[uuid.UUID]string, error) {
	members, err := organization.ListMembers(ctx, c.DB, c.Target.Org)
	if err != nil {
		return nil, nil, err
	}
	names := map[uuid.UUID]string{}
	for _, m := range members {
		names[m.Person] = m.Name
	}
	for _, g := range s.Groups {
		names[g.ID] = g.Name
	}
	return members, names, nil
}

// grants lists the grants of people who are members and of groups that exist.
func grants(s *schema.Snapshot, a *schema.Access, names map[uuid.UUID]string, from string) []Grant {
	out := []Grant{}
	if a == nil {
		return out
	}
	for _, g := range a.Grants {
		one := Grant{Name: names[g.Person], Role: g.Role, From: from}
		if g.Person != uuid.Nil {
			one.UserID = id.Format(id.User, g.Person)
		} else {
			one.Name, one.GroupID = names[g.Group], id.Format(id.Group, g.Group)
		}
		if one.Name != "" {
			out = append(out, one)
		}
	}
	return out
}

// AccessIn changes an access.
type AccessIn struct {
	Restricted *bool `json:"restricted,omitzero" jsonschema:"true: only what is granted counts; false: roles in the organization too"`
	Grants     []struct {
		UserID  string          `json:"userId,omitzero"`
		GroupID string          `json:"groupId,omitzero"`
		Role    schema.BaseRole `json:"role" enum:"none,viewer,commenter,editor,creator" jsonschema:"none takes the grant away"`
	} `json:"grants,omitzero" maxItems:"1000" jsonschema:"each of one person or group; others stay"`
}

func (in AccessIn) patch() (catalog.AccessPatch, error) {
	patch := catalog.AccessPatch{Restricted: in.Restricted}
	for i, g := range in.Grants {
		path := fmt.Sprintf("grants[%d]", i)
		if (g.UserID == "") == (g.GroupID == "") {
			return patch, problem.Invalid(path, "needs userId or groupId, one of both")
		}
		one := schema.Grant{Role: g.Role}
		var err error
		if g.UserID != "" {
			if one.Person, err = id.Parse(id.User, g.UserID); err != nil {
				return patch, problem.Invalid(path+".userId", "%q is not the id of a user", g.UserID)
			}
		} else if one.Group, err = id.Parse(id.Group, g.GroupID); err != nil {
			return patch, problem.Invalid(path+".groupId", "%q is not the id of a group", g.GroupID)
		}
		patch.Grants = append(patch.Grants, one)
	}
	return patch, nil
}

// SetBaseAccess changes who may do what in a base.
var SetBaseAccess = New(Def{
	Name: "set_base_access", Method: "PATCH", Path: "/bases/{baseId}/access", Title: "Set base access",
	Summary: "Give people and groups roles in a base, or restrict it to those who have one.",
	Description: "A person has the strongest of what the base, its workspace and, in an open base, the organization " +
		"give. With plan, losses says who would get what. Returns its id.",
	Scope: authz.SchemaWrite, Idempotent: true, Destructive: true,
	Agent: Agent{Confirm: Confirmation{Needed: unlessApplied, Loss: loseToPermissions}},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	AccessIn
	Planned
},
) (ChangedOrPlanned, error) {
	patch, err := in.patch()
	if err != nil {
		return ChangedOrPlanned{}, err
	}
	return c.changeOrPlan(ctx, in.BaseID, &in.Planned, &in, func(ctx context.Context, s *catalog.Store) error {
		return s.SetBaseAccess(ctx, c.Target.Org, c.Target.ID, patch)
	})
})

// WorkspaceAccess is what was granted in all bases of a workspace.
type WorkspaceAccess struct {
	Restricted bool    `json:"restricted"`
	Grants     []Grant `json:"grants"`
}

// GetWorkspaceAccess returns what was granted in a workspace.
var GetWorkspaceAccess = New(Def{
	Name: "get_workspace_access", Method: "GET", Path: "/workspaces/{workspaceId}/access",
	Title:       "Get workspace access",
	Summary:     "Say what people and groups were granted in all bases of a workspace.",
	Description: "Returns the grants. get_base_access has what follows from them for a base.",
	Scope:       authz.MembersRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in WorkspaceIn) (WorkspaceAccess, error) {
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return WorkspaceAccess{}, err
	}
	w := s.Workspace(c.Target.ID)
	if w == nil {
		return WorkspaceAccess{}, problem.NotFound("workspace", in.WorkspaceID)
	}
	_, names, err := c.peopleOf(ctx, s)
	return WorkspaceAccess{w.Access != nil && w.Access.Restricted, grants(s, w.Access, names, "workspace")}, err
})

// SetWorkspaceAccess changes who may do what in all bases of a workspace.
var SetWorkspaceAccess = New(Def{
	Name: "set_workspace_access", Method: "PATCH", Path: "/workspaces/{workspaceId}/access",
	Title:       "Set workspace access",
	Summary:     "Give people and groups roles in all bases of a workspace, or restrict it to those who have one.",
	Description: "What a base gives is added. With plan, losses says who would get what. Returns its id.",
	Scope:       authz.SchemaWrite, Idempotent: true, Destructive: true,
	Agent: Agent{Confirm: Confirmation{Needed: unlessApplied, Loss: loseToPermissions}},
}, func(ctx context.Context, c *Call, in struct {
	WorkspaceIn
	AccessIn
	Planned
},
) (ChangedOrPlanned, error) {
	patch, err := in.patch()
	if err != nil {
		return ChangedOrPlanned{}, err
	}
	return c.changeOrPlan(ctx, in.WorkspaceID, &in.Planned, &in, func(ctx context.Context, s *catalog.Store) error {
		return s.SetWorkspaceAccess(ctx, c.Target.Org, c.Target.ID, patch)
	})
})

package operation

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Group is a named set of members who get permissions together.
type Group struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Members []string `json:"members" jsonschema:"user ids"`
}

// groupOf returns a group as those see it who see all its members.
func groupOf(g *schema.Group) Group {
	out := Group{ID: g.PublicID(), Name: g.Name, Members: make([]string, len(g.Members))}
	for i, person := range g.Members {
		out.Members[i] = id.Format(id.User, person)
	}
	return out
}

// GroupList is a list of groups.
type GroupList struct {
	Groups []Group `json:"groups"`
}

// ListGroups lists the groups of an organization.
var ListGroups = New(Def{
	Name: "list_groups", Method: "GET", Path: "/orgs/{orgId}/groups", Title: "List groups",
	Summary: "List the groups of an organization with the user ids of their members.",
	Description: "Returns ids and names. set_base_access and set_table_permissions take the ids of groups as " +
		"those of people.",
	Scope: authz.MembersRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ OrgIn) (GroupList, error) {
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return GroupList{}, err
	}
	out := GroupList{Groups: make([]Group, len(s.Groups))}
	for i, g := range s.Groups {
		out.Groups[i] = groupOf(g)
	}
	return out, nil
})

// CreateGroup creates a group.
var CreateGroup = New(Def{
	Name: "create_group", Method: "POST", Path: "/orgs/{orgId}/groups", Title: "Create group",
	Summary:     "Create a group of members, to give them permissions together.",
	Description: "Returns its id and name. It gives nothing until set_base_access or set_table_permissions names it.",
	Scope:       authz.MembersManage,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Name    string   `json:"name" maxLength:"255"`
	Members []string `json:"members,omitzero" maxItems:"5000" jsonschema:"user ids"`
},
) (Named, error) {
	members, err := publicIDs(id.User, "members", in.Members)
	if err != nil {
		return Named{}, err
	}
	group, err := c.Schema.CreateGroup(ctx, c.Target.Org, in.Name, members)
	if err != nil {
		return Named{}, err
	}
	return Named{group.PublicID(), group.Name}, nil
})

// ChangedOrPlanned is the output of a change of permissions, which can be planned.
type ChangedOrPlanned struct {
	ID string `json:"id" jsonschema:"of what was changed; empty in a plan"`
	catalog.Impact
}

// changeOrPlan makes, plans or applies a change of permissions. input is the input of the call, of which p is a part.
func (c *Call) changeOrPlan(
	ctx context.Context, public string, p *Planned, input any, change func(ctx context.Context, s *catalog.Store) error,
) (ChangedOrPlanned, error) {
	planned := *p
	*p = Planned{} // a plan and its application have the rest of the input in common
	impact, err := c.Schema.Perform(ctx, c.Target.Org, planned.request(c, "permissions", input), change)
	if planned.Plan {
		public = ""
	}
	return ChangedOrPlanned{public, impact}, err
}

// GroupIn identifies a group of an organization.
type GroupIn struct {
	OrgIn
	GroupID string `json:"groupId"`
}

func (in GroupIn) group() (uuid.UUID, error) {
	u, err := id.Parse(id.Group, in.GroupID)
	if err != nil {
		return u, problem.NotFound("group", in.GroupID)
	}
	return u, nil
}

// UpdateGroup changes a group.
var UpdateGroup = New(Def{
	Name: "update_group", Method: "PATCH", Path: "/orgs/{orgId}/groups/{groupId}", Title: "Update group",
	Summary: "Change a group's name, or who is in it.",
	Description: "members replaces all; add and remove change some. With plan, losses says who would get what. " +
		"Returns its id.",
	Scope: authz.MembersManage, Idempotent: true, Destructive: true,
	Agent: Agent{Confirm: Confirmation{Needed: unlessApplied, Loss: loseToPermissions}},
}, func(ctx context.Context, c *Call, in struct {
	GroupIn
	Name    *string   `json:"name,omitzero" maxLength:"255"`
	Members *[]string `json:"members,omitzero" maxItems:"5000" jsonschema:"user ids"`
	Add     []string  `json:"add,omitzero" maxItems:"5000" jsonschema:"user ids"`
	Remove  []string  `json:"remove,omitzero" maxItems:"5000" jsonschema:"user ids"`
	Planned
},
) (ChangedOrPlanned, error) {
	group, err := in.group()
	if err != nil {
		return ChangedOrPlanned{}, err
	}
	patch := catalog.GroupPatch{Name: in.Name}
	if in.Members != nil {
		members, err := publicIDs(id.User, "members", *in.Members)
		if err != nil {
			return ChangedOrPlanned{}, err
		}
		patch.Members = &members
	}
	if patch.Add, err = publicIDs(id.User, "add", in.Add); err != nil {
		return ChangedOrPlanned{}, err
	}
	if patch.Remove, err = publicIDs(id.User, "remove", in.Remove); err != nil {
		return ChangedOrPlanned{}, err
	}
	return c.changeOrPlan(ctx, in.GroupID, &in.Planned, &in, func(ctx context.Context, s *catalog.Store) error {
		return s.UpdateGroup(ctx, c.Target.Org, group, patch)
	})
})

// DeleteGroup deletes a group.
var DeleteGroup = New(Def{
	Name: "delete_group", Method: "DELETE", Path: "/orgs/{orgId}/groups/{groupId}", Title: "Delete group",
	Summary: "Delete a group. Its members lose what it gave them.",
	Description: "The members stay in the organization. With plan, losses says who would lose what. Returns the id " +
		"in deleted.",
	Scope: authz.MembersManage, Destructive: true, Idempotent: true,
	Agent: Agent{Confirm: Confirmation{Needed: unlessApplied, Loss: loseToPermissions}},
}, func(ctx context.Context, c *Call, in struct {
	GroupIn
	Planned
},
) (DeletedOrPlanned, error) {
	group, err := in.group()
	if err != nil {
		return DeletedOrPlanned{}, err
	}
	return c.deleteOrPlan(ctx, in.GroupID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteGroup(ctx, c.Target.Org, group)
	})
})

// loseToPermissions says what a change of permissions does.
func loseToPermissions(_ context.Context, p *Prospect) (string, error) {
	place := "the organization"
	if p.Base != nil {
		place = fmt.Sprintf("the base %q", p.Base.Name)
	}
	return fmt.Sprintf("This changes who may see and do what in %s.", place), nil
}

// publicIDs reads a list of public ids.
func publicIDs(kind id.Kind, path string, list []string) ([]uuid.UUID, error) {
	out := make([]uuid.UUID, len(list))
	for i, public := range list {
		u, err := id.Parse(kind, public)
		if err != nil {
			return nil, problem.Invalid(
				fmt.Sprintf("%s[%d]", path, i),
				"%q is not an id that begins with %s_",
				public,
				kind,
			)
		}
		out[i] = u
	}
	return out, nil
}

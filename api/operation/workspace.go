package operation

import (
	"context"
	"slices"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Workspace is a workspace of an organization.
type Workspace struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	Color string       `json:"color"`
	Icon  *schema.Icon `json:"icon,omitzero"`
}

// Named is the output of a creation.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// WorkspaceList is a list of workspaces.
type WorkspaceList struct {
	Workspaces []Workspace `json:"workspaces"`
}

// ListWorkspaces lists an organization's workspaces.
var ListWorkspaces = New(Def{
	Name: "list_workspaces", Method: "GET", Path: "/orgs/{orgId}/workspaces", Title: "List workspaces",
	Summary:     "List the workspaces of an organization.",
	Description: "Workspaces group bases; the first is the default. Returns ids, names and colours.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{List: ListCommon},
}, func(ctx context.Context, c *Call, _ OrgIn) (WorkspaceList, error) {
	var out WorkspaceList
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return out, err
	}
	for _, w := range snapshot.Workspaces {
		if !ReachesWorkspace(c.Principal, snapshot, w) {
			continue
		}
		out.Workspaces = append(out.Workspaces, Workspace{w.PublicID(), w.Name, w.Color, w.Icon})
	}
	return out, nil
})

// ReachesWorkspace reports whether the credential is unrestricted or reaches a base in the
// workspace.
func ReachesWorkspace(p *authz.Principal, s *schema.Snapshot, w *schema.Workspace) bool {
	return p.Bases == nil ||
		slices.ContainsFunc(s.Bases, func(b *schema.Base) bool { return b.Workspace == w.ID && p.ReachesBase(b.ID) })
}

// CreateWorkspace creates a workspace.
var CreateWorkspace = New(Def{
	Name: "create_workspace", Method: "POST", Path: "/workspaces", Title: "Create workspace",
	Summary:     "Create a workspace in an organization, to group bases.",
	Description: "Returns its id, which create_base and update_base take.",
	Scope:       authz.SchemaWrite,
	Unlogged:    true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"color": {Text: "a name such as blue, or #rrggbb"}, "orgId": {}},
	},
}, func(ctx context.Context, c *Call, in struct {
	OrgID string `json:"orgId" jsonschema:"the organization, from get_me or list_orgs"`
	Name  string `json:"name" maxLength:"255"`
	Color string `json:"color,omitzero" jsonschema:"a colour name such as blue, or #rrggbb"`
},
) (Named, error) {
	org, err := id.Parse(id.Org, in.OrgID)
	if err != nil || c.Principal.Role(org) == "" {
		return Named{}, problem.Invalid("orgId", "no organization of yours has the id %q", in.OrgID)
	}
	if err := c.authorizeOrg(org, authz.SchemaWrite); err != nil {
		return Named{}, err
	}
	w, err := c.Schema.CreateWorkspace(ctx, org, in.Name, in.Color)
	if err != nil {
		return Named{}, err
	}
	return Named{w.PublicID(), w.Name}, nil
})

// WorkspaceIn identifies a workspace.
type WorkspaceIn struct {
	WorkspaceID string `json:"workspaceId"`
}

// UpdateWorkspace changes a workspace.
var UpdateWorkspace = New(Def{
	Name: "update_workspace", Method: "PATCH", Path: "/workspaces/{workspaceId}", Title: "Update workspace",
	Summary:     "Change a workspace's name, colour or icon.",
	Description: "What is not given stays. Returns its id.",
	Scope:       authz.SchemaWrite, Idempotent: true,
	Destructive: true,
	Unlogged:    true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"icon": {Text: asInUpdateBase}},
	},
}, func(ctx context.Context, c *Call, in struct {
	WorkspaceIn
	Name  *string      `json:"name,omitzero" maxLength:"255"`
	Color *string      `json:"color,omitzero"`
	Icon  *schema.Icon `json:"icon,omitzero"`
},
) (Changed, error) {
	patch := catalog.Patch{Name: in.Name, Color: in.Color, Icon: in.Icon}
	return Changed{in.WorkspaceID}, c.Schema.UpdateWorkspace(ctx, c.Target.Org, c.Target.ID, patch)
})

// DeleteWorkspace removes an empty workspace.
var DeleteWorkspace = New(Def{
	Name: "delete_workspace", Method: "DELETE", Path: "/workspaces/{workspaceId}", Title: "Delete workspace",
	Summary:     "Delete an empty workspace.",
	Description: "Move or delete its bases first. The default workspace stays. Returns the id in deleted.",
	Scope:       authz.SchemaWrite, Destructive: true, Idempotent: true,
	Unlogged: true,
}, func(ctx context.Context, c *Call, in WorkspaceIn) (Deleted, error) {
	return Deleted{in.WorkspaceID}, c.Schema.DeleteWorkspace(ctx, c.Target.Org, c.Target.ID)
})

package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// BaseSummary is a base in a list.
type BaseSummary struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	WorkspaceID *string      `json:"workspaceId"`
	OrgID       *string      `json:"orgId"`
	Icon        *schema.Icon `json:"icon,omitzero"`
}

// bases lists every base that the credential reaches.
func (c *Call) bases(ctx context.Context) ([]BaseSummary, error) {
	list := []BaseSummary{}
	for _, m := range c.Principal.Orgs {
		snapshot, err := c.Schema.Fresh(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		for _, b := range snapshot.Bases {
			if !c.Principal.ReachesBase(b.ID) {
				continue
			}
			org, workspace := id.Format(id.Org, b.Org), id.Format(id.Workspace, b.Workspace)
			list = append(list, BaseSummary{b.PublicID(), b.Name, &workspace, &org, b.Icon})
		}
	}
	return list, nil
}

// BaseList is a list of bases.
type BaseList struct {
	Bases []BaseSummary `json:"bases"`
}

// ListBases lists every base that the credential reaches.
var ListBases = New(Def{
	Name: "list_bases", Method: "GET", Path: "/bases", Title: "List bases",
	Summary:     "List every base that you can access, of all your organizations.",
	Description: "Returns ids and names. Begin here, then call describe_base for tables and fields.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{
		List:        ListCore,
		WithRecords: true,
	},
}, func(ctx context.Context, c *Call, _ None) (BaseList, error) {
	bases, err := c.bases(ctx)
	return BaseList{bases}, err
})

// CreateBaseIn says where to create a base; see resolvePlacement.
type CreateBaseIn struct {
	Name        string `json:"name" maxLength:"255"`
	WorkspaceID string `json:"workspaceId,omitzero" jsonschema:"the workspace to create it in"`
	OrgID       string `json:"orgId,omitzero" jsonschema:"create it in this organization's default workspace; needed only if you belong to several"`
}

// CreateBase creates an empty base.
var CreateBase = New(Def{
	Name: "create_base", Method: "POST", Path: "/bases", Title: "Create base",
	Summary: "Create an empty base.",
	Description: "Give workspaceId, or orgId for its default workspace; neither if you belong to one " +
		"organization. Returns its id; add tables with create_table.",
	Scope: authz.SchemaWrite,
	Agent: Agent{
		List:      ListCore,
		Arguments: Arguments{"orgId": {}, "workspaceId": {}},
	},
}, func(ctx context.Context, c *Call, in CreateBaseIn) (Named, error) {
	org, workspace, err := c.resolvePlacement(ctx, in)
	if err != nil {
		return Named{}, err
	}
	base, err := c.Schema.CreateBase(ctx, org, workspace, in.Name)
	if err != nil {
		return Named{}, err
	}
	return Named{base.PublicID(), base.Name}, nil
})

// resolvePlacement applies the placement rules. A workspace or organization that the caller may not
// use is an error of the input.
func (c *Call) resolvePlacement(ctx context.Context, in CreateBaseIn) (org, workspace uuid.UUID, err error) {
	switch {
	case in.WorkspaceID != "":
		if org, workspace, err = c.findWorkspace(ctx, in.WorkspaceID); err != nil {
			return org, workspace, err
		}
		if in.OrgID != "" && in.OrgID != id.Format(id.Org, org) {
			return org, workspace, problem.Invalid("orgId",
				"the workspace belongs to another organization; give only one of the two")
		}
	case in.OrgID != "":
		if org, err = id.Parse(id.Org, in.OrgID); err != nil || c.Principal.Role(org) == "" {
			return org, workspace, problem.Invalid("orgId", "no organization of yours has the id %q", in.OrgID)
		}
	case len(c.Principal.Orgs) == 1:
		org = c.Principal.Orgs[0].Org
	case len(c.Principal.Orgs) == 0:
		return org, workspace, problem.Invalid("orgId", "you belong to no organization, and every base needs one")
	default:
		var ids []string
		for _, m := range c.Principal.Orgs {
			ids = append(ids, id.Format(id.Org, m.Org))
		}
		return org, workspace, problem.Invalid("orgId", "is required because you belong to several organizations: %s",
			problem.List(ids))
	}
	if err := c.authorizeOrg(org, authz.SchemaWrite); err != nil {
		return org, workspace, problem.Invalid("orgId", "%s", err.Error()).WithCode(problem.CodeInsufficientRole)
	}
	return org, workspace, nil
}

func (c *Call) findWorkspace(ctx context.Context, public string) (org, workspace uuid.UUID, err error) {
	workspace, err = id.Parse(id.Workspace, public)
	if err == nil {
		for _, m := range c.Principal.Orgs {
			snapshot, err := c.Schema.Fresh(ctx, m.Org)
			if err != nil {
				return org, workspace, err
			}
			if snapshot.Workspace(workspace) != nil {
				return m.Org, workspace, nil
			}
		}
	}
	return org, workspace, problem.Invalid("workspaceId", "no workspace of yours has the id %q", public)
}

// BaseIn identifies a base.
type BaseIn struct {
	BaseID string `json:"baseId"`
}

// Base is a base with all its tables.
type Base struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	TimeZone string          `json:"timeZone" jsonschema:"of the formulas, an IANA name"`
	Role     schema.BaseRole `json:"role"     jsonschema:"yours in the base: viewer, commenter, editor or creator"`
	Limited  bool            `json:"limited,omitzero" jsonschema:"permissions limit what you see or do in the base"`
	Tables   []Table         `json:"tables"`
}

// BaseDescription is a base with its tables, or only their names.
type BaseDescription struct {
	whole *Base
	names *BaseNames
}

// AppendJSON writes the base with the requested detail.
func (d BaseDescription) AppendJSON(dst []byte) []byte {
	if d.names != nil {
		return appendValue(dst, d.names)
	}
	return appendValue(dst, d.whole)
}

// JSONSchema describes what AppendJSON writes.
func (BaseDescription) JSONSchema() *jsonschema.Schema {
	return eitherOf(outputSchema[Base]("describe_base"), outputSchema[BaseNames]("describe_base"))
}

// DescribeBase returns a base's whole schema.
var DescribeBase = New(Def{
	Name: "describe_base", Method: "GET", Path: "/bases/{baseId}", Title: "Describe base",
	Summary: "Get a base with its tables, fields and views.",
	Description: "Call it before you read or write records: other tools take the names and options that it " +
		"returns. detail names is far shorter; tableIds chooses tables.",
	Scope: authz.SchemaRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:        ListCore,
		WithRecords: true, Large: true,
		Arguments: Arguments{"detail": {Text: "names: without configuration but links and filters"}, "tableIds": {}},
		Resource: &Resource{
			Path: "bases/{baseId}/schema", Name: "base-schema", Title: "Schema of a base",
			Description: "All tables of a base with their fields and views.",
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Detail   string   `json:"detail,omitzero" enum:"names,full" jsonschema:"names: what tables, fields and views are called, with types and without ids; default full"`
	TableIDs []string `json:"tableIds,omitzero" maxItems:"100" jsonschema:"only these tables"`
},
) (BaseDescription, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return BaseDescription{}, err
	}
	base := snapshot.Base(c.Target.ID)
	if base == nil {
		return BaseDescription{}, problem.NotFound("base", in.BaseID)
	}
	for i, public := range in.TableIDs {
		if !slices.ContainsFunc(base.Tables, func(t *schema.Table) bool { return t.PublicID() == public }) {
			return BaseDescription{}, problem.Invalid(fmt.Sprintf("tableIds[%d]", i),
				"no table of the base has the id %q", public)
		}
	}
	whole := &Base{
		ID: in.BaseID, Name: base.Name, TimeZone: base.TimeZone, Role: c.Target.Role,
		Limited: c.Target.partial || c.Target.limited,
	}
	names := &BaseNames{Name: base.Name, TimeZone: base.TimeZone, Role: c.Target.Role}
	for _, t := range base.Tables {
		switch {
		case in.TableIDs != nil && !slices.Contains(in.TableIDs, t.PublicID()):
		case in.Detail == "names":
			names.Tables = append(names.Tables, tableNames(t, snapshot, c.viewer()))
		default:
			whole.Tables = append(whole.Tables, tableSchema(t, c.viewer()))
		}
	}
	if in.Detail == "names" {
		return BaseDescription{names: names}, nil
	}
	return BaseDescription{whole: whole}, nil
})

// UpdateBase changes a base's name, icon or workspace.
var UpdateBase = New(Def{
	Name: "update_base", Method: "PATCH", Path: "/bases/{baseId}", Title: "Update base",
	Summary:     "Change a base's name, icon or timeZone, or move it to another workspace.",
	Description: "timeZone decides what today is in filters and formulas. What is not given stays. Returns its id.",
	Scope:       authz.SchemaWrite, Idempotent: true,
	Destructive: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"workspaceId": {}},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Name        *string      `json:"name,omitzero" maxLength:"255"`
	Icon        *schema.Icon `json:"icon,omitzero"`
	WorkspaceID *string      `json:"workspaceId,omitzero" jsonschema:"move the base to this workspace"`
	TimeZone    *string      `json:"timeZone,omitzero"`
},
) (Changed, error) {
	var workspace *uuid.UUID
	if in.WorkspaceID != nil {
		if c.Principal.Bases != nil { // a workspace is outside every base
			return Changed{}, outsideBasesError()
		}
		if err := c.authorizeOrg(c.Target.Org, authz.SchemaWrite); err != nil { // it may give others roles in the base
			return Changed{}, err
		}
		org, u, err := c.findWorkspace(ctx, *in.WorkspaceID)
		if err != nil {
			return Changed{}, err
		}
		if org != c.Target.Org {
			return Changed{}, problem.Invalid("workspaceId", "no workspace of the base's organization has the id %q",
				*in.WorkspaceID)
		}
		workspace = &u
	}
	patch := catalog.Patch{Name: in.Name, Icon: in.Icon, TimeZone: in.TimeZone}
	return Changed{in.BaseID}, c.Schema.UpdateBase(ctx, c.Target.Org, c.Target.ID, patch, workspace)
})

// DeleteBase deletes a base.
var DeleteBase = New(Def{
	Name: "delete_base", Method: "DELETE", Path: "/bases/{baseId}", Title: "Delete base",
	Summary: "Delete a base with all its tables and records.",
	Description: "An admin can restore it from the trash in the application for a while. With plan, says what " +
		"would go. Returns the id in deleted.",
	Scope: authz.SchemaWrite, Destructive: true, Idempotent: true,
	Agent: Agent{
		List: ListCommon,
		Confirm: Confirmation{
			Needed: unlessApplied,
			Loss:   loseBase,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Planned
},
) (DeletedOrPlanned, error) {
	return c.deleteOrPlan(ctx, in.BaseID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteBase(ctx, c.Target.Org, c.Target.ID)
	})
})

func loseBase(_ context.Context, p *Prospect) (string, error) {
	if p.Base == nil {
		return "", nil
	}
	return fmt.Sprintf(
		"This deletes the base %q with its tables (%d) and all their records, which stay in the trash for a while.",
		p.Base.Name, len(p.Base.Tables),
	), nil
}

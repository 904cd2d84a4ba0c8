package operation

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// View is a saved view of a table.
type View struct {
	ID        string                     `json:"id"`
	Name      string                     `json:"name"`
	Type      schema.ViewType            `json:"type"`
	Config    map[string]json.RawMessage `json:"config"`
	Access    schema.ViewAccess          `json:"access,omitzero" jsonschema:"collaborative, personal or locked"`
	CreatedBy string                     `json:"createdBy,omitzero" jsonschema:"user id"`
	Problems  []problem.Item             `json:"problems,omitzero" jsonschema:"what in config no longer matches the fields; if filters do not, the view shows nothing"`
}

func view(v *schema.View) View {
	out := View{
		ID:       v.PublicID(),
		Name:     v.Name,
		Type:     v.Type,
		Config:   v.Config,
		Access:   v.Access,
		Problems: query.ViewProblems(v),
	}
	if v.CreatedBy != uuid.Nil {
		out.CreatedBy = id.Format(id.User, v.CreatedBy)
	}
	return out
}

// viewer returns the caller as a viewer of the target organization's views.
// In a base, its creators are like admins.
func (c *Call) viewer() schema.Viewer {
	v := c.viewerIn(c.Target.Org)
	v.Admin = v.Admin || c.Target.Base != uuid.Nil && c.Target.Role == schema.BaseCreator
	return v
}

func (c *Call) viewerIn(org uuid.UUID) schema.Viewer { return Viewer(c.Principal, org) }

// Viewer returns a principal as a viewer of an organization's views.
func Viewer(p *authz.Principal, org uuid.UUID) schema.Viewer {
	return schema.Viewer{Person: p.Person, Admin: p.Role(org).AtLeast(organization.Admin)}
}

func views(t *schema.Table, viewer schema.Viewer) []View {
	seen := viewer.Views(t)
	list := make([]View, len(seen))
	for i, v := range seen {
		list[i] = view(v)
	}
	return list
}

// ViewList is a list of views.
type ViewList struct {
	Views []View `json:"views"`
}

// ListViews lists a table's views.
var ListViews = New(Def{
	Name: "list_views", Method: "GET", Path: "/tables/{tableId}/views", Title: "List views",
	Summary: "List the views of a table with their configuration.",
	Description: "Returns types and configuration. query_records with view applies the filters and sorts of one; " +
		"describe_table has fields as well.",
	Scope: authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in TableIn) (ViewList, error) {
	var out ViewList
	table, err := c.freshTable(ctx, in.TableID)
	if err != nil {
		return out, err
	}
	out.Views = views(table, c.viewer())
	return out, nil
})

// accessIn is an optional access level of a view.
type accessIn struct {
	Access string `json:"access,omitzero" enum:"collaborative,personal,locked" jsonschema:"personal: only its creator and admins see it; locked: only admins change it"`
}

func (in accessIn) access() (*schema.ViewAccess, error) {
	if in.Access == "" {
		return nil, nil //nolint:nilnil // access was not given
	}
	access, err := schema.ParseViewAccess("access", in.Access)
	return &access, err
}

// CreateView creates a view.
var CreateView = New(Def{
	Name: "create_view", Method: "POST", Path: "/tables/{tableId}/views", Title: "Create view",
	Summary: "Create a view of a table.",
	Description: "type is grid, kanban, calendar, timeline, gallery, chart or form; config is as in update_view. " +
		"personal is for you and admins, locked is changed by admins alone. Returns id, name and type.",
	Scope: authz.SchemaWrite, Role: organization.Editor,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"access": {Text: "personal: for its creator and admins; locked: only admins change it"}},
		Inside:    map[string][]string{"config": schema.ViewKeys()},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Type string `json:"type" enum:"grid,gallery,kanban,calendar,timeline,chart,form"`
	Name string `json:"name,omitzero" maxLength:"255"`
	accessIn
	Config map[string]json.RawMessage `json:"config,omitzero" jsonschema:"as in update_view"`
},
) (FieldNamed, error) {
	t, err := schema.ParseViewType("type", in.Type)
	if err != nil {
		return FieldNamed{}, err
	}
	spec := catalog.ViewSpec{Type: t, Name: in.Name, Config: in.Config, Check: query.CheckView, By: c.viewer()}
	if access, err := in.access(); err != nil {
		return FieldNamed{}, err
	} else if access != nil {
		spec.Access = *access
	}
	made, err := c.Schema.CreateView(ctx, c.Target.Org, c.Target.ID, spec)
	if err != nil {
		return FieldNamed{}, err
	}
	return FieldNamed{Named{made.PublicID(), made.Name}, string(made.Type)}, nil
})

// ViewIn identifies a view.
type ViewIn struct {
	ViewID string `json:"viewId"`
}

// GetView returns one view.
var GetView = New(Def{
	Name: "get_view", Method: "GET", Path: "/views/{viewId}", Title: "Get view",
	Summary:     "Get one view.",
	Description: "Returns its type and configuration. list_views has all of a table.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in ViewIn) (View, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return View{}, err
	}
	v := snapshot.View(c.Target.ID)
	if v == nil || !c.viewer().Sees(v) {
		return View{}, problem.NotFound("view", in.ViewID)
	}
	return view(v), nil
})

// UpdateView changes a view.
var UpdateView = New(Def{
	Name: "update_view", Method: "PATCH", Path: "/views/{viewId}", Title: "Update view",
	Summary: "Change a view's name or configuration.",
	Description: "config sets the given keys and keeps the others: filters and sorts as in query_records, " +
		"groupBy (at most 3 fields), aggregates ({fieldId: function}), colorFieldId, colorRules " +
		"([{filters, color}], the first that a record meets), hiddenFields, fieldOrder, rowHeight, columnWidths, " +
		"coverFieldId, stackFieldId, stackLimits ([{fieldId, value, limit}]), startFieldId, endFieldId, laneFieldId, " +
		"dependsOnFieldId, timeScale, calendarScale (month, week or day), form texts, " +
		"chart ({kind, value: {fn, fieldId}, groupBy and seriesBy: {fieldId, span}, stacked, " +
		"sort: {by, dir}, limit}). " +
		"unset removes keys. Returns its id.",
	Scope: authz.SchemaWrite, Role: organization.Editor, Idempotent: true,
	Destructive: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"access": {}},
		Inside:    map[string][]string{"config": schema.ViewKeys()},
	},
}, func(ctx context.Context, c *Call, in struct {
	ViewIn
	Name   *string                    `json:"name,omitzero" maxLength:"255"`
	Config map[string]json.RawMessage `json:"config,omitzero"`
	Unset  []string                   `json:"unset,omitzero" maxItems:"100"`
	accessIn
},
) (Changed, error) {
	access, err := in.access()
	if err != nil {
		return Changed{}, err
	}
	return Changed{in.ViewID}, c.Schema.UpdateView(ctx, c.Target.Org, c.Target.ID, catalog.ViewPatch{
		Name: in.Name, Config: in.Config, Unset: in.Unset, Check: query.CheckView, Access: access, By: c.viewer(),
	})
})

// DeleteView removes a view.
var DeleteView = New(Def{
	Name: "delete_view", Method: "DELETE", Path: "/views/{viewId}", Title: "Delete view",
	Summary: "Delete a view, and no records.",
	Description: "restore brings it back. A table keeps one view that everyone sees. With plan, says what would " +
		"go. Returns the id in deleted.",
	Scope: authz.SchemaWrite, Role: organization.Editor, Destructive: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	ViewIn
	Planned
},
) (DeletedOrPlanned, error) {
	return c.deleteOrPlan(ctx, in.ViewID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteView(ctx, c.Target.Org, c.Target.ID, c.viewer())
	})
})

package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Tile is a part of a dashboard: a view or a text.
type Tile struct {
	ViewID string `json:"viewId,omitzero" jsonschema:"of a view of the base; a chart is drawn"`
	Text   string `json:"text,omitzero" jsonschema:"instead of a view"`
	Column int    `json:"column" jsonschema:"the left edge, from 0 to 11"`
	Row    int    `json:"row" jsonschema:"the upper edge, from 0"`
	Width  int    `json:"width" jsonschema:"in columns, 1 to 12"`
	Height int    `json:"height" jsonschema:"in rows, 1 to 20"`
}

// Dashboard is a page of a base that shows views next to each other.
type Dashboard struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Tiles []Tile `json:"tiles" jsonschema:"without those of views that you do not see"`
}

func dashboardOf(d *dashboard.Dashboard) Dashboard {
	out := Dashboard{ID: d.PublicID(), Name: d.Name, Tiles: make([]Tile, len(d.Tiles))}
	for i, t := range d.Tiles {
		out.Tiles[i] = Tile{t.View, t.Text, t.Column, t.Row, t.Width, t.Height}
	}
	return out
}

func tilesOf(in []Tile) []dashboard.Tile {
	out := make([]dashboard.Tile, len(in))
	for i, t := range in {
		out[i] = dashboard.Tile{
			View: t.ViewID, Text: t.Text, Column: t.Column, Row: t.Row, Width: t.Width, Height: t.Height,
		}
	}
	return out
}

// seenViews returns which views of the target base the caller sees.
func (c *Call) seenViews(ctx context.Context) (dashboard.Sees, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return nil, err
	}
	viewer := c.viewer()
	return func(public string) bool {
		u, err := id.Parse(id.View, public)
		if err != nil {
			return false
		}
		v := snapshot.View(u)
		return v != nil && viewer.Sees(v) && v.Table.Base.ID == c.Target.ID
	}, nil
}

// mayReadDashboards returns false for a credential that is bound to one view: a dashboard says more than that.
func (c *Call) mayReadDashboards() bool { return c.Principal.View == uuid.Nil }

// DashboardIn names a dashboard of a base.
type DashboardIn struct {
	BaseIn
	DashboardID string `json:"dashboardId"`
}

func (in DashboardIn) parse(c *Call) (uuid.UUID, error) {
	u, err := id.Parse(id.Dashboard, in.DashboardID)
	if err != nil || !c.mayReadDashboards() {
		return u, problem.NotFound("dashboard", in.DashboardID)
	}
	return u, nil
}

// DashboardList is a list of dashboards.
type DashboardList struct {
	Dashboards []Dashboard `json:"dashboards"`
}

// ListDashboards lists the dashboards of a base.
var ListDashboards = New(Def{
	Name: "list_dashboards", Method: "GET", Path: "/bases/{baseId}/dashboards", Title: "List dashboards",
	Summary:     "List the dashboards of a base with their tiles.",
	Description: "A dashboard shows views, such as charts, next to each other. Returns those of views that you see.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ BaseIn) (DashboardList, error) {
	out := DashboardList{Dashboards: []Dashboard{}}
	if !c.mayReadDashboards() {
		return out, nil
	}
	sees, err := c.seenViews(ctx)
	if err != nil {
		return out, err
	}
	found, err := c.Dashboards.List(ctx, c.Target.Org, c.Target.ID, sees)
	for _, d := range found {
		out.Dashboards = append(out.Dashboards, dashboardOf(d))
	}
	return out, err
})

// GetDashboard returns one dashboard.
var GetDashboard = New(Def{
	Name: "get_dashboard", Method: "GET", Path: "/bases/{baseId}/dashboards/{dashboardId}", Title: "Get dashboard",
	Summary:     "Get one dashboard.",
	Description: "Returns its tiles, without those of views that you do not see.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in DashboardIn) (Dashboard, error) {
	u, err := in.parse(c)
	if err != nil {
		return Dashboard{}, err
	}
	sees, err := c.seenViews(ctx)
	if err != nil {
		return Dashboard{}, err
	}
	d, err := c.Dashboards.Get(ctx, c.Target.Org, c.Target.ID, u, sees)
	if err != nil {
		return Dashboard{}, err
	}
	return dashboardOf(d), nil
})

// CreateDashboard makes a dashboard.
var CreateDashboard = New(Def{
	Name: "create_dashboard", Method: "POST", Path: "/bases/{baseId}/dashboards", Title: "Create dashboard",
	Summary:     "Create a dashboard of a base.",
	Description: "A tile has a view or a text. Who does not see a view does not see its tile. Returns id and name.",
	Scope:       authz.SchemaWrite, Role: organization.Editor, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Name  string `json:"name" minLength:"1" maxLength:"255"`
	Tiles []Tile `json:"tiles,omitzero" maxItems:"50"`
},
) (Named, error) {
	sees, err := c.seenViews(ctx)
	if err != nil {
		return Named{}, err
	}
	made, err := c.Dashboards.Create(ctx, c.Target.Org, c.Target.ID, in.Name, tilesOf(in.Tiles), sees)
	if err != nil {
		return Named{}, err
	}
	return Named{made.PublicID(), made.Name}, nil
})

// UpdateDashboard changes a dashboard.
var UpdateDashboard = New(Def{
	Name: "update_dashboard", Method: "PATCH", Path: "/bases/{baseId}/dashboards/{dashboardId}",
	Title: "Update dashboard", Summary: "Change the name or the tiles of a dashboard.",
	Description: "tiles replaces all that get_dashboard returns; those that you do not see stay. Returns its id.",
	Scope:       authz.SchemaWrite, Role: organization.Editor, Idempotent: true, Destructive: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	DashboardIn
	Name  *string `json:"name,omitzero" minLength:"1" maxLength:"255"`
	Tiles *[]Tile `json:"tiles,omitzero" maxItems:"50"`
},
) (Changed, error) {
	u, err := in.parse(c)
	if err != nil {
		return Changed{}, err
	}
	sees, err := c.seenViews(ctx)
	if err != nil {
		return Changed{}, err
	}
	var tiles *[]dashboard.Tile
	if in.Tiles != nil {
		given := tilesOf(*in.Tiles)
		tiles = &given
	}
	return Changed{in.DashboardID}, c.Dashboards.Update(ctx, c.Target.Org, c.Target.ID, u, in.Name, tiles, sees)
})

// DeleteDashboard removes a dashboard.
var DeleteDashboard = New(Def{
	Name: "delete_dashboard", Method: "DELETE", Path: "/bases/{baseId}/dashboards/{dashboardId}",
	Title: "Delete dashboard", Summary: "Delete a dashboard, and none of the views on it.",
	Description: "It is not kept in the trash. Returns the id in deleted.",
	Scope:       authz.SchemaWrite, Role: organization.Editor, Destructive: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in DashboardIn) (Deleted, error) {
	u, err := in.parse(c)
	if err != nil {
		return Deleted{}, err
	}
	return Deleted{in.DashboardID}, c.Dashboards.Delete(ctx, c.Target.Org, c.Target.ID, u)
})

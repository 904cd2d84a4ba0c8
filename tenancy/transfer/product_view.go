package transfer

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// makeViews makes the views that are not here yet, with their names, their types, and of grids the fields that they
// show.
func (r *productRun) makeViews(ctx context.Context) error {
	unfiltered := false
	for i := range r.tables {
		t := &r.tables[i]
		for j := range t.Views {
			if _, known := r.items[t.Views[j].ID]; known {
				continue
			}
			unfiltered = true
			if err := r.makeView(ctx, t, &t.Views[j]); err != nil {
				return err
			}
		}
	}
	if !unfiltered || r.session.About().Views == "" {
		return nil
	}
	next := r.next()
	next.report.noteOnce(r.session.About().Views)
	return r.commit(ctx, next, nil)
}

func (r *productRun) makeView(ctx context.Context, t *product.Table, v *product.View) error {
	stepCtx, actor, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := r.ours(snapshot, t)
	if ours == nil {
		return nil
	}
	kind, config, why := r.viewConfig(snapshot, t, v)
	next := r.next()
	if why != "" {
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The view " + v.Name + ": " + why})
		return r.commit(stepCtx, next, nil)
	}
	next.table(t.Name, ours.ID).Views++
	name, made := r.viewName(ours, v, kind)
	queue := func(b *pgx.Batch) {
		r.queueItems(b, "view", place{parent: t.ID, table: ours.ID},
			[]newItem{{v.ID, name, productBrought{Name: name}}})
	}
	by := schema.Viewer{Person: actor.Person, Admin: actor.Admin}
	if made != nil {
		err = r.Schema.UpdateView(r.within(stepCtx, next, queue), r.j.Org, made.ID,
			catalog.ViewPatch{Name: &name, Config: config, By: by})
	} else {
		_, err = r.Schema.CreateView(r.within(stepCtx, next, queue), r.j.Org, ours.ID,
			catalog.ViewSpec{Type: kind, Name: name, Config: config, By: by})
	}
	if isRefusal(err) {
		next = r.next()
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The view " + v.Name + ": " + whyRefused(err)})
		return r.commit(stepCtx, next, nil)
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return r.reloadItems(ctx)
}

// viewName is the name of a new view, and the grid that was made with the table if that becomes the view.
func (r *productRun) viewName(ours *schema.Table, v *product.View, kind schema.ViewType) (string, *schema.View) {
	came := map[string]bool{}
	for _, item := range r.items {
		if item.kind == "view" {
			came[item.object.String()] = true
		}
	}
	var first *schema.View
	if len(ours.Views) == 1 && kind == schema.Grid && ours.Views[0].Type == schema.Grid &&
		!came[ours.Views[0].ID.String()] {
		first = ours.Views[0]
	}
	var taken []string
	for _, other := range ours.Views {
		if other != first {
			taken = append(taken, naming.Key(other.Name))
		}
	}
	return unusedName(cleanName(v.Name, "View"), &taken), first
}

// viewConfig is the type and the config of a view here; why says why there can be none.
func (r *productRun) viewConfig(
	s *schema.Snapshot, t *product.Table, v *product.View,
) (kind schema.ViewType, config schema.ViewConfig, why string) {
	config = schema.ViewConfig{}
	with := func(key string, role field.Role) bool {
		for i := range t.Fields {
			if f := r.oursField(s, t.Fields[i].ID); f != nil && slices.Contains(f.Info().Roles, role) {
				config[key] = jsonvalue.Must(f.PublicID())
				return true
			}
		}
		return false
	}
	switch v.Type {
	case "grid":
		if hidden := r.hiddenFields(s, t, v); len(hidden) > 0 {
			config["hiddenFields"] = jsonvalue.Must(hidden)
		}
		if sorts := r.sorts(s, v); len(sorts) > 0 {
			config["sorts"] = jsonvalue.Must(sorts)
		}
		return schema.Grid, config, ""
	case "gallery":
		with("coverFieldId", field.RoleCover)
		return schema.Gallery, config, ""
	case "form":
		return schema.Form, config, ""
	case "kanban":
		if !with("stackFieldId", field.RoleStack) {
			return "", nil, "no field here can make its stacks"
		}
		return schema.Kanban, config, ""
	case "calendar", "timeline":
		if !with("startFieldId", field.RoleStart) {
			return "", nil, "no field here has its days"
		}
		return schema.ViewType(v.Type), config, ""
	}
	return "", nil, "there are no views of the type " + v.Type + " here"
}

// sorts is the order of a view, as far as its fields are here.
func (r *productRun) sorts(s *schema.Snapshot, v *product.View) []map[string]string {
	var sorts []map[string]string
	for _, one := range v.Sorts {
		direction := "asc"
		if one.Descending {
			direction = "desc"
		}
		if f := r.oursField(s, one.Field); f != nil {
			sorts = append(sorts, map[string]string{"fieldId": f.PublicID(), "dir": direction})
		}
	}
	return sorts
}

// hiddenFields are the fields here that a grid does not show.
func (r *productRun) hiddenFields(s *schema.Snapshot, t *product.Table, v *product.View) []string {
	if v.Visible == nil {
		return nil
	}
	var hidden []string
	for i := range t.Fields {
		id := t.Fields[i].ID
		f := r.oursField(s, id)
		if f != nil && !f.IsPrimary && !slices.Contains(v.Visible, id) {
			hidden = append(hidden, f.PublicID())
		}
	}
	return hidden
}

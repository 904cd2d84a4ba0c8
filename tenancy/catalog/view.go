package catalog

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A ViewSpec describes a view to create.
type ViewSpec struct {
	Type   schema.ViewType
	Name   string            // empty is the type's own, with a number when that is taken
	Access schema.ViewAccess // empty is Collaborative
	By     schema.Viewer     // its maker
	Config schema.ViewConfig
	Check  schema.ViewCheck // of Config; needed where that has filters or sorts
}

// CreateView creates a view of a table.
func (s *Store) CreateView(ctx context.Context, org, table uuid.UUID, spec ViewSpec) (*schema.View, error) {
	name := spec.Name
	if name != "" {
		var err error
		if name, err = naming.Clean("name", name); err != nil {
			return nil, err
		}
	}
	view := &schema.View{
		ID:        id.New(),
		Name:      name,
		Type:      spec.Type,
		Access:    schema.Collaborative,
		CreatedBy: spec.By.Person,
	}
	err := s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "create_view", Subject: view.PublicID()})
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		if len(t.Views) >= MaxViews {
			return problem.Conflict("A table may have at most %d views.", MaxViews)
		}
		view.Table, view.Name = t, name
		if spec.Access != "" {
			if err := spec.By.MaySet(spec.Access, view); err != nil {
				return err
			}
			view.Access = spec.Access
		}
		if name == "" {
			view.Name = t.FreeViewName(strings.ToUpper(string(spec.Type[:1])) + string(spec.Type[1:]))
		} else if err := t.RefuseViewName(name, nil); err != nil {
			return err
		}
		var err error
		if view.Config, err = spec.Config.Resolve(c.seen(ctx, t), spec.Check); err != nil {
			return err
		}
		if err := view.Config.CheckSize(); err != nil {
			return err
		}
		if err := c.touch(t); err != nil {
			return err
		}
		err = c.QueryRow(ctx, `insert into rowhouse.view
				(org_id, id, table_id, name, type, position, access, created_by, config)
			select $1, $2, $3, $4, $5, coalesce(max(position), 0) + 1, $6,
				nullif($7, '00000000-0000-0000-0000-000000000000'::uuid), $8
			from rowhouse.view where org_id = $1 and table_id = $3
			returning position`,
			org, view.ID, t.ID, view.Name, view.Type, view.Access, view.CreatedBy, view.Config).Scan(&view.Position)
		if err != nil {
			return fmt.Errorf("creating the view: %w", err)
		}
		return nil
	})
	return view, err
}

// A ViewPatch describes a change of a view.
type ViewPatch struct {
	Name   *string
	Config schema.ViewConfig // the keys to set; null sets a key to null
	Unset  []string          // the keys to remove; none of them may be in Config
	Access *schema.ViewAccess
	By     schema.Viewer    // who asks
	Check  schema.ViewCheck // of Config
}

// UpdateView changes a view.
func (s *Store) UpdateView(ctx context.Context, org, view uuid.UUID, patch ViewPatch) error {
	if patch.Name != nil {
		name, err := naming.Clean("name", *patch.Name)
		if err != nil {
			return err
		}
		patch.Name = &name
	}
	for i, key := range patch.Unset {
		if _, both := patch.Config[key]; both {
			return problem.Invalid(fmt.Sprintf("unset[%d]", i),
				"%q is also given in config; set a key or remove it, not both", key)
		}
	}
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_view", Subject: id.Format(id.View, view)})
		v := c.Snapshot.View(view)
		if v == nil {
			return problem.NotFound("view", id.Format(id.View, view))
		}
		if err := patch.By.MayChange(v); err != nil {
			return err
		}
		access, maker := v.Access, v.CreatedBy
		if patch.Access != nil {
			if err := patch.By.MaySet(*patch.Access, v); err != nil {
				return err
			}
			if access = *patch.Access; access == schema.Personal && maker == uuid.Nil {
				maker = patch.By.Person // nobody knows who made it
			}
		}
		if patch.Name != nil {
			if err := v.Table.RefuseViewName(*patch.Name, v); err != nil {
				return err
			}
		}
		seen := c.seen(ctx, v.Table)
		given, err := patch.Config.Resolve(seen, patch.Check)
		if err != nil {
			return err
		}
		given = given.WithConcealedRules(v.Config, seen)
		merged := schema.ViewConfig{}
		maps.Copy(merged, v.Config)
		maps.Copy(merged, given)
		for _, key := range patch.Unset {
			delete(merged, key)
		}
		// A config that became too large, because an option got a longer name, may be written as it is.
		grows := jsonvalue.JSONBSize(jsonvalue.Must(merged)) > jsonvalue.JSONBSize(jsonvalue.Must(v.Config))
		if err := merged.CheckSize(); err != nil && grows {
			return err
		}
		if err := c.touch(v.Table); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `update rowhouse.view set name = coalesce($3, name), config = $4, access = $5,
				created_by = nullif($6, '00000000-0000-0000-0000-000000000000'::uuid)
			where org_id = $1 and id = $2`, org, view, patch.Name, merged, access, maker)
		if err != nil {
			return fmt.Errorf("updating the view: %w", err)
		}
		return nil
	})
}

// DeleteView puts a view into the trash. The last view of a table that everybody sees cannot be deleted.
func (s *Store) DeleteView(ctx context.Context, org, view uuid.UUID, by schema.Viewer) error {
	return s.Change(ctx, org, func(c *Change) error {
		v := c.Snapshot.View(view)
		if v == nil {
			return problem.NotFound("view", id.Format(id.View, view))
		}
		if err := by.MayChange(v); err != nil {
			return err
		}
		c.SetAuditEvent(audit.Event{Action: "delete_view", Subject: v.PublicID(), Detail: named(v.Name)})
		if v.OnlyShared() {
			return problem.Conflict("%q is the last view of its table and cannot be deleted.", v.Name).
				WithCode(problem.CodeLastView)
		}
		c.weighView(v)
		if err := c.losesTiles(ctx, v.Table.Base, []*schema.View{v}); err != nil {
			return err
		}
		if err := c.touch(v.Table); err != nil {
			return err
		}
		return c.trashView(ctx, v)
	})
}

// touch marks a table as changed without waiting for writers, for changes that no write depends on.
func (c *Change) touch(t *schema.Table) error {
	c.touched[t.ID] = true
	return nil
}

package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
)

// A ViewType is how a view presents its records.
type ViewType string

// The types of view.
const (
	Grid     ViewType = "grid"
	Gallery  ViewType = "gallery"
	Kanban   ViewType = "kanban"
	Calendar ViewType = "calendar"
	Form     ViewType = "form"
)

// ViewTypes lists every type of view.
var ViewTypes = []ViewType{Grid, Gallery, Kanban, Calendar, Form}

// ParseViewType reads the name of a view type.
func ParseViewType(path, name string) (ViewType, error) {
	var names []string
	for _, t := range ViewTypes {
		if string(t) == name {
			return t, nil
		}
		names = append(names, string(t))
	}
	return "", problem.Invalid(path, "%q is not a type of view%s; the types are %s",
		name, problem.DidYouMean(name, names), problem.List(names))
}

// A ViewSpec describes a view to create.
type ViewSpec struct {
	Type   ViewType
	Name   string     // empty is the type's own, with a number when that is taken
	Access ViewAccess // empty is Collaborative
	By     Viewer     // its maker
	Config ViewConfig
	Check  ViewCheck // of Config; needed where that has filters or sorts
}

// CreateView creates a view of a table.
func (s *Store) CreateView(ctx context.Context, org, table uuid.UUID, spec ViewSpec) (*View, error) {
	name := spec.Name
	if name != "" {
		var err error
		if name, err = naming.Clean("name", name); err != nil {
			return nil, err
		}
	}
	view := &View{ID: id.New(), Name: name, Type: spec.Type, Access: Collaborative, CreatedBy: spec.By.Person}
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
			if err := spec.By.maySet(spec.Access, view); err != nil {
				return err
			}
			view.Access = spec.Access
		}
		if name == "" {
			view.Name = t.freeViewName(strings.ToUpper(string(spec.Type[:1])) + string(spec.Type[1:]))
		} else if err := t.refuseViewName(name, nil); err != nil {
			return err
		}
		var err error
		if view.Config, err = spec.Config.resolve(t, spec.Check); err != nil {
			return err
		}
		if err := view.Config.checkSize(); err != nil {
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

func (t *Table) freeViewName(wanted string) string {
	name := wanted
	for i := 2; t.refuseViewName(name, nil) != nil; i++ {
		name = fmt.Sprintf("%s %d", wanted, i)
	}
	return name
}

func (t *Table) refuseViewName(name string, except *View) error {
	key := naming.Key(name)
	for _, v := range t.Views {
		if v != except && naming.Key(v.Name) == key {
			return problem.Conflict("The table has a view named %q already.", v.Name).WithCode(problem.CodeNameTaken)
		}
	}
	return nil
}

// A ViewPatch describes a change of a view.
type ViewPatch struct {
	Name   *string
	Config ViewConfig // the keys to set; null sets a key to null
	Unset  []string   // the keys to remove; none of them may be in Config
	Access *ViewAccess
	By     Viewer    // who asks
	Check  ViewCheck // of Config
}

// A ViewCheck validates the filters and sorts of a config, which this package does not understand,
// and returns the config with the fields in them named by id.
type ViewCheck func(t *Table, config ViewConfig) (ViewConfig, error)

// resolve validates the given part of a config and replaces field names in it by ids.
func (c ViewConfig) resolve(t *Table, check ViewCheck) (ViewConfig, error) {
	given, items := c.check(t)
	if check != nil {
		checked, err := check(t, given)
		if len(items) == 0 || err != nil && itemsOf(err) == nil {
			return checked, err
		}
		items = append(items, itemsOf(err)...)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return given, nil
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
		if err := patch.By.mayChange(v); err != nil {
			return err
		}
		access, maker := v.Access, v.CreatedBy
		if patch.Access != nil {
			if err := patch.By.maySet(*patch.Access, v); err != nil {
				return err
			}
			if access = *patch.Access; access == Personal && maker == uuid.Nil {
				maker = patch.By.Person // nobody knows who made it
			}
		}
		if patch.Name != nil {
			if err := v.Table.refuseViewName(*patch.Name, v); err != nil {
				return err
			}
		}
		given, err := patch.Config.resolve(v.Table, patch.Check)
		if err != nil {
			return err
		}
		merged := ViewConfig{}
		maps.Copy(merged, v.Config)
		maps.Copy(merged, given)
		for _, key := range patch.Unset {
			delete(merged, key)
		}
		// A config that became too large, because an option got a longer name, may be written as it is.
		grows := jsonvalue.JSONBSize(raw(merged)) > jsonvalue.JSONBSize(raw(v.Config))
		if err := merged.checkSize(); err != nil && grows {
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
func (s *Store) DeleteView(ctx context.Context, org, view uuid.UUID, by Viewer) error {
	return s.Change(ctx, org, func(c *Change) error {
		v := c.Snapshot.View(view)
		if v == nil {
			return problem.NotFound("view", id.Format(id.View, view))
		}
		if err := by.mayChange(v); err != nil {
			return err
		}
		c.SetAuditEvent(audit.Event{Action: "delete_view", Subject: v.PublicID(), Detail: named(v.Name)})
		if v.onlyShared() {
			return problem.Conflict("%q is the last view of its table and cannot be deleted.", v.Name).
				WithCode(problem.CodeLastView)
		}
		c.weighView(v)
		if err := c.touch(v.Table); err != nil {
			return err
		}
		return c.trashView(ctx, v)
	})
}

// touch marks a table as changed without waiting for writers, for changes that no write depends on.
func (c *Change) touch(t *Table) error {
	c.touched[t.ID] = true
	return nil
}

// raw encodes a value whose encoding cannot fail.
func raw(v any) json.RawMessage {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("schema: encoding %T: %v", v, err))
	}
	return encoded
}

// sortedKeys lists the keys of a config in a fixed order, so that the first error is deterministic.
func (c ViewConfig) sortedKeys() []string { return slices.Sorted(maps.Keys(c)) }

package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxGrants bounds the people and groups that one access or audience names.
const MaxGrants = 1000

// An AccessPatch changes an access. What it does not name stays.
type AccessPatch struct {
	Restricted *bool
	Grants     []schema.Grant // each replaces the grant of the same person or group; schema.NoRole removes it
}

// apply returns the changed access, or nil if it is the zero value.
func (p *AccessPatch) apply(was *schema.Access) (*schema.Access, error) {
	out := schema.Access{}
	if was != nil {
		out.Restricted, out.Grants = was.Restricted, slices.Clone(was.Grants)
	}
	if p.Restricted != nil {
		out.Restricted = *p.Restricted
	}
	for _, g := range p.Grants {
		out.Grants = slices.DeleteFunc(out.Grants, func(old schema.Grant) bool {
			return old.Person == g.Person && old.Group == g.Group
		})
		if g.Role != schema.NoRole {
			out.Grants = append(out.Grants, g)
		}
	}
	switch {
	case len(out.Grants) > MaxGrants:
		return nil, problem.Invalid(
			"grants",
			"would name %d people and groups; at most %d may be named, so give a role "+
				"to a group of them",
			len(out.Grants),
			MaxGrants,
		)
	case !out.Restricted && len(out.Grants) == 0:
		return nil, nil //nolint:nilnil // the zero value
	}
	return &out, nil
}

// SetBaseAccess changes who may do what in a base. It can be planned; its losses are the roles that members get.
func (s *Store) SetBaseAccess(ctx context.Context, org, base uuid.UUID, patch AccessPatch) error {
	return s.Change(ctx, org, func(c *Change) error {
		b := c.Snapshot.Base(base)
		if b == nil {
			return problem.NotFound("base", id.Format(id.Base, base))
		}
		return c.setAccess(ctx, "set_base_access", "rowhouse.base", b.ID, b.PublicID(), &b.Access, patch)
	})
}

// SetWorkspaceAccess changes who may do what in all bases of a workspace. It can be planned as SetBaseAccess is.
func (s *Store) SetWorkspaceAccess(ctx context.Context, org, workspace uuid.UUID, patch AccessPatch) error {
	return s.Change(ctx, org, func(c *Change) error {
		w := c.Snapshot.Workspace(workspace)
		if w == nil {
			return problem.NotFound("workspace", id.Format(id.Workspace, workspace))
		}
		return c.setAccess(ctx, "set_workspace_access", "rowhouse.workspace", w.ID, w.PublicID(), &w.Access, patch)
	})
}

// setAccess writes the access of a base or a workspace, which place points to.
func (c *Change) setAccess(
	ctx context.Context, action, relation string, u uuid.UUID, public string, place **schema.Access, patch AccessPatch,
) error {
	next, err := patch.apply(*place)
	if err != nil {
		return err
	}
	c.SetAuditEvent(audit.Event{Action: action, Subject: public})
	c.ChangesPermissions()
	members, err := c.members(ctx)
	if err != nil {
		return err
	}
	for i, g := range patch.Grants {
		path := fmt.Sprintf("grants[%d]", i)
		if err := c.checkAudience(path, members, []uuid.UUID{g.Person}, []uuid.UUID{g.Group}, g.Role); err != nil {
			return err
		}
	}
	c.weighRights(members, func() func() {
		was := *place
		*place = next
		return func() { *place = was }
	})
	if _, err := c.Exec(ctx, "update "+relation+" set permission = $3 where org_id = $1 and id = $2", c.Org, u,
		next); err != nil {
		return fmt.Errorf("writing the permissions: %w", err)
	}
	return nil
}

// checkAudience refuses people who are no members and groups that do not exist. uuid.Nil names nobody. A grant that is
// taken away may name anybody.
func (c *Change) checkAudience(
	path string, members []memberName, people, groups []uuid.UUID, role schema.BaseRole,
) error {
	if role == schema.NoRole {
		return nil
	}
	for _, p := range people {
		known := func(m memberName) bool { return m.Person == p }
		if p != uuid.Nil && !slices.ContainsFunc(members, known) {
			return problem.Invalid(path, "no member of the organization has the id %q; invite them first",
				id.Format(id.User, p))
		}
	}
	for _, g := range groups {
		if g != uuid.Nil && c.Snapshot.Group(g) == nil {
			return problem.Invalid(path, "no group of the organization has the id %q", id.Format(id.Group, g))
		}
	}
	return nil
}

// A TableRule changes the permissions of a table and of its fields. What it does not name stays.
type TableRule struct {
	Actions map[string]*schema.Audience // by read, create, edit or delete; nil leaves it to the role in the base
	Fields  map[uuid.UUID]FieldRule
	Rules   *[]*schema.RowRule // replace those of the table
}

// Bounds of row rules.
const (
	MaxRowRules = 50
	MaxRuleMemo = 500 // characters
)

// A FieldRule changes the permissions of a field.
type FieldRule struct {
	Path    string                      // of errors
	Actions map[string]*schema.Audience // by read or edit; nil leaves it to the table
	Reveal  *bool                       // schema.FieldPermission.Reveal; nil leaves it as it is
}

// tableActions and fieldActions are the actions that permissions name.
func tableActions(p *schema.TablePermission) map[string]**schema.Audience {
	return map[string]**schema.Audience{"read": &p.Read, "create": &p.Create, "edit": &p.Edit, "delete": &p.Delete}
}

func fieldActions(p *schema.FieldPermission) map[string]**schema.Audience {
	return map[string]**schema.Audience{"read": &p.Read, "edit": &p.Edit}
}

// SetTablePermissions changes who may do what with the records and fields of a table. It can be planned; its losses are
// what members gain and lose.
func (s *Store) SetTablePermissions(ctx context.Context, org, table uuid.UUID, patch TableRule) error {
	return s.Change(ctx, org, func(c *Change) error {
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		c.SetAuditEvent(audit.Event{Action: "set_table_permissions", Subject: t.PublicID()})
		c.ChangesPermissions()
		members, err := c.members(ctx)
		if err != nil {
			return err
		}
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
		next := schema.TablePermission{}
		if t.Permission != nil {
			next = *t.Permission
		}
		if err := c.applyActions(members, "", patch.Actions, tableActions(&next)); err != nil {
			return err
		}
		if patch.Rules != nil {
			if next.Rules, err = c.readRules(members, t, *patch.Rules); err != nil {
				return err
			}
		}
		before, err := c.recordsOf(ctx, members, t)
		if err != nil {
			return err
		}
		undo, revealed := []func(){c.replaceTable(t, next)}, map[string]any{}
		batch := &pgx.Batch{}
		batch.Queue("update rowhouse.data_table set permission = $3 where org_id = $1 and id = $2", c.Org, t.ID,
			orNull(next, next.IsZero()))
		for u, change := range patch.Fields {
			f := c.Snapshot.Field(u)
			if f == nil || f.Table != t {
				return problem.Invalid(change.Path, "no field of the table has the id %q", id.Format(id.Field, u))
			}
			if f.IsPrimary && change.Actions["read"] != nil {
				return problem.Invalid(change.Path, "%q names the records, so it cannot be hidden; restrict who reads "+
					"the table, or make another field the primary one", f.Name)
			}
			next := schema.FieldPermission{}
			if f.Permission != nil {
				next = *f.Permission
			}
			if err := c.applyActions(members, change.Path, change.Actions, fieldActions(&next)); err != nil {
				return err
			}
			if change.Reveal != nil {
				if *change.Reveal {
					if err := f.CheckReveal(change.Path + ".reveal"); err != nil {
						return err
					}
				}
				next.Reveal = *change.Reveal
				revealed[f.PublicID()] = next.Reveal
			}
			undo = append(undo, replaceField(f, next))
			batch.Queue("update rowhouse.field set permission = $3 where org_id = $1 and id = $2", c.Org, f.ID,
				orNull(next, next == schema.FieldPermission{}))
		}
		if len(revealed) > 0 {
			c.SetAuditEvent(audit.Event{
				Action: "set_table_permissions", Subject: t.PublicID(), Detail: map[string]any{"reveal": revealed},
			})
		}
		revert := func() {
			for _, one := range undo {
				one()
			}
		}
		if err := c.checkNames(t); err != nil {
			return err
		}
		after := c.rightsOf(members, t)
		records, err := c.recordsOf(ctx, members, t)
		if err != nil {
			return err
		}
		revert()
		c.loseRights(members, c.rightsOf(members, t), after)
		c.loseRights(members, before, records)
		if err := c.weighRecords(ctx, t); err != nil {
			return err
		}
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("writing the permissions of a table: %w", err)
		}
		return nil
	})
}

// checkNames refuses permissions that hide what the name of a table's records is computed from.
func (c *Change) checkNames(t *schema.Table) error {
	primary := t.Primary()
	if primary == nil || primary.Computation == nil {
		return nil
	}
	for _, f := range c.Snapshot.ReadBy(primary) {
		if f.Permission != nil && f.Permission.Read != nil {
			return problem.Conflict(
				"%q names the records of the table and is computed from %q, so that cannot be hidden.",
				primary.Name,
				f.Name,
			)
		}
	}
	return nil
}

func (c *Change) replaceTable(t *schema.Table, next schema.TablePermission) (undo func()) {
	was := t.Permission
	t.Permission = orNull(next, next.IsZero())
	return func() { t.Permission = was }
}

func replaceField(f *schema.Field, next schema.FieldPermission) (undo func()) {
	was := f.Permission
	f.Permission = orNull(next, next == schema.FieldPermission{})
	return func() { f.Permission = was }
}

func orNull[T any](value T, isZero bool) *T {
	if isZero {
		return nil
	}
	return &value
}

// applyActions sets audiences.
func (c *Change) applyActions(
	members []memberName, path string, given map[string]*schema.Audience, into map[string]**schema.Audience,
) error {
	for action, audience := range given {
		at := strings.TrimPrefix(path+"."+action, ".")
		place := into[action]
		if place == nil {
			return problem.Invalid(at, "is no action")
		}
		if audience != nil {
			if len(audience.People)+len(audience.Groups) > MaxGrants {
				return problem.Invalid(at, "names %d people and groups; at most %d may be named",
					len(audience.People)+len(audience.Groups), MaxGrants)
			}
			if err := c.checkAudience(at, members, audience.People, audience.Groups, audience.Role); err != nil {
				return err
			}
		}
		*place = audience
	}
	return nil
}

// A memberName is a member of the organization, for permissions.
type memberName struct {
	Person uuid.UUID
	Role   organization.Role
	Name   string
}

func (c *Change) members(ctx context.Context) ([]memberName, error) {
	rows, err := c.Query(ctx, `select m.person_id as person, m.role, p.name from rowhouse.member m
		join rowhouse.person p on p.id = m.person_id where m.org_id = $1 order by p.name, p.id`, c.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the members: %w", err)
	}
	members, err := pgx.CollectRows(rows, pgx.RowToStructByName[memberName])
	if err != nil {
		return nil, fmt.Errorf("reading the members: %w", err)
	}
	return members, nil
}

// rightsOf says what each member may do in the table, or in bases if it is nil.
func (c *Change) rightsOf(members []memberName, t *schema.Table) []map[string]string {
	if c.planning == nil {
		return nil
	}
	out := make([]map[string]string, len(members))
	for i, m := range members {
		out[i] = c.Snapshot.Describe(schema.Subject{Person: m.Person, Role: m.Role}, t)
	}
	return out
}

// weighRights reports to a plan who gains and loses what by a change, which change makes in the snapshot and its result
// takes back.
func (c *Change) weighRights(members []memberName, change func() (undo func())) {
	before := c.rightsOf(members, nil)
	undo := change()
	after := c.rightsOf(members, nil)
	undo()
	c.loseRights(members, before, after)
}

func (c *Change) loseRights(members []memberName, before, after []map[string]string) {
	for i := range before {
		about := map[string]bool{}
		for key := range before[i] {
			about[key] = true
		}
		for key := range after[i] {
			about[key] = true
		}
		keys := make([]string, 0, len(about))
		for key := range about {
			if before[i][key] != after[i][key] {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			c.Lose(0, problem.Item{Path: id.Format(id.User, members[i].Person), Message: fmt.Sprintf(
				"%s would have %s instead of %s in %s", members[i].Name, orNothing(after[i][key]),
				orNothing(before[i][key]), key)})
		}
	}
}

// weighRecords reports to a plan how many records the permissions of a table are about.
func (c *Change) weighRecords(ctx context.Context, t *schema.Table) error {
	if !c.weighs() {
		return nil
	}
	var records int64
	err := c.QueryRow(ctx, "select coalesce(sum(records), 0)::bigint from "+t.CountRelation()+
		" where table_number = $1", t.Number).Scan(&records)
	if err != nil {
		return fmt.Errorf("counting the records of a table: %w", err)
	}
	c.planning.impact.Records = &records
	return nil
}

func orNothing(rights string) string {
	if rights == "" {
		return "no access"
	}
	return rights
}

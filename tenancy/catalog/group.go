package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	// MaxGroups bounds the groups of an organization.
	MaxGroups = 500
	// MaxGroupMembers bounds the people of a group.
	MaxGroupMembers = 5000
)

// CreateGroup creates a group of members of the organization.
func (s *Store) CreateGroup(
	ctx context.Context,
	org uuid.UUID,
	name string,
	members []uuid.UUID,
) (*schema.Group, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return nil, err
	}
	group := &schema.Group{ID: id.New(), Name: name, Members: distinct(members)}
	return group, s.Change(ctx, org, func(c *Change) error {
		if len(c.Snapshot.Groups) >= MaxGroups {
			return problem.Conflict("An organization may have at most %d groups.", MaxGroups)
		}
		if err := c.checkGroup(ctx, group, group.Members); err != nil {
			return err
		}
		c.SetAuditEvent(audit.Event{Action: "create_group", Subject: group.PublicID()})
		c.ChangesPermissions()
		_, err := c.Exec(ctx, "insert into rowhouse.person_group (org_id, id, name, members) values ($1, $2, $3, $4)",
			org, group.ID, group.Name, group.Members)
		if err != nil {
			return fmt.Errorf("creating a group: %w", err)
		}
		return nil
	})
}

// A GroupPatch changes a group. What is nil stays.
type GroupPatch struct {
	Name        *string
	Members     *[]uuid.UUID // all of them
	Add, Remove []uuid.UUID
}

// UpdateGroup changes the name or the members of a group. It can be planned; its losses are the roles that members get.
func (s *Store) UpdateGroup(ctx context.Context, org, group uuid.UUID, patch GroupPatch) error {
	return s.changeGroup(ctx, org, group, "update_group", func(c *Change, g *schema.Group) (schema.Group, error) {
		next := *g
		if patch.Name != nil {
			name, err := naming.Clean("name", *patch.Name)
			if err != nil {
				return next, err
			}
			next.Name = name
		}
		if patch.Members != nil {
			next.Members = *patch.Members
		}
		next.Members = distinct(slices.Concat(next.Members, patch.Add))
		next.Members = slices.DeleteFunc(
			next.Members,
			func(p uuid.UUID) bool { return slices.Contains(patch.Remove, p) },
		)
		added := slices.DeleteFunc(slices.Clone(next.Members), func(p uuid.UUID) bool {
			return slices.Contains(g.Members, p)
		})
		if err := c.checkGroup(ctx, &next, added); err != nil {
			return next, err
		}
		_, err := c.Exec(ctx, "update rowhouse.person_group set name = $3, members = $4 where org_id = $1 and id = $2",
			org, group, next.Name, next.Members)
		if err != nil {
			return next, fmt.Errorf("updating a group: %w", err)
		}
		return next, nil
	})
}

// DeleteGroup deletes a group. Its members keep what they have otherwise. It can be planned as UpdateGroup can.
func (s *Store) DeleteGroup(ctx context.Context, org, group uuid.UUID) error {
	return s.changeGroup(ctx, org, group, "delete_group", func(c *Change, g *schema.Group) (schema.Group, error) {
		next := *g
		next.Members = nil
		if err := c.forgetInPermissions(ctx, func(g schema.Grant) bool { return g.Group == group },
			func(a *schema.Audience) *schema.Audience {
				a.Groups = without(a.Groups, group)
				return a
			}); err != nil {
			return next, err
		}
		_, err := c.Exec(ctx, "delete from rowhouse.person_group where org_id = $1 and id = $2", org, group)
		if err != nil {
			return next, fmt.Errorf("deleting a group: %w", err)
		}
		return next, nil
	})
}

// changeGroup changes a group, and reports to a plan what its members gain and lose.
func (s *Store) changeGroup(
	ctx context.Context, org, group uuid.UUID, action string,
	change func(c *Change, g *schema.Group) (schema.Group, error),
) error {
	return s.Change(ctx, org, func(c *Change) error {
		g := c.Snapshot.Group(group)
		if g == nil {
			return problem.NotFound("group", id.Format(id.Group, group))
		}
		c.SetAuditEvent(audit.Event{Action: action, Subject: g.PublicID(), Detail: named(g.Name)})
		c.ChangesPermissions()
		members, err := c.members(ctx)
		if err != nil {
			return err
		}
		next, err := change(c, g)
		if err != nil {
			return err
		}
		c.weighRights(members, func() func() {
			was := g.Members
			g.Members = next.Members
			return func() { g.Members = was }
		})
		return nil
	})
}

// checkGroup refuses a name that another group has, and people who are no members of the organization.
func (c *Change) checkGroup(ctx context.Context, group *schema.Group, added []uuid.UUID) error {
	for _, other := range c.Snapshot.Groups {
		if other.ID != group.ID && naming.Key(other.Name) == naming.Key(group.Name) {
			return problem.Conflict("A group is called %q already.", other.Name).WithCode(problem.CodeNameTaken)
		}
	}
	if len(group.Members) > MaxGroupMembers {
		return problem.Invalid("members", "would be %d people; a group has at most %d", len(group.Members),
			MaxGroupMembers)
	}
	rows, err := c.Query(ctx, "select u from unnest($2::uuid[]) u where not exists (select from rowhouse.member m "+
		"where m.org_id = $1 and m.person_id = u)", c.Org, added)
	if err != nil {
		return fmt.Errorf("looking for members: %w", err)
	}
	strangers, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("looking for members: %w", err)
	}
	if len(strangers) > 0 {
		return problem.Invalid("members", "no member of the organization has the id %q; invite them first",
			id.Format(id.User, strangers[0]))
	}
	return nil
}

// forgetInPermissions removes grants, and changes audiences, wherever permissions name somebody.
func (c *Change) forgetInPermissions(
	ctx context.Context, gone func(g schema.Grant) bool, forget func(a *schema.Audience) *schema.Audience,
) error {
	batch := &pgx.Batch{}
	access := func(relation string, u uuid.UUID, a *schema.Access) {
		if a == nil || !slices.ContainsFunc(a.Grants, gone) {
			return
		}
		next := schema.Access{Restricted: a.Restricted, Grants: slices.DeleteFunc(slices.Clone(a.Grants), gone)}
		batch.Queue("update "+relation+" set permission = $3 where org_id = $1 and id = $2", c.Org, u,
			orNull(next, !next.Restricted && len(next.Grants) == 0))
	}
	for _, w := range c.Snapshot.Workspaces {
		access("rowhouse.workspace", w.ID, w.Access)
	}
	for _, b := range c.Snapshot.Bases {
		access("rowhouse.base", b.ID, b.Access)
	}
	without := func(was *schema.Audience) (next *schema.Audience, changed bool) {
		next = forget(&schema.Audience{
			Role: was.Role, Groups: slices.Clone(was.Groups), People: slices.Clone(was.People),
		})
		return next, len(next.Groups) != len(was.Groups) || len(next.People) != len(was.People)
	}
	replaced := func(places map[string]**schema.Audience) (changed bool) {
		for _, place := range places {
			if *place == nil {
				continue
			}
			if next, differs := without(*place); differs {
				*place, changed = next, true
			}
		}
		return changed
	}
	for t := range c.Snapshot.Tables() {
		if t.Permission != nil {
			next := *t.Permission
			changed := replaced(tableActions(&next))
			next.Rules = slices.Clone(next.Rules)
			for i, r := range next.Rules {
				if audience, differs := without(&r.Audience); differs {
					rule := *r
					rule.Audience = *audience
					next.Rules[i], changed = &rule, true
				}
			}
			if changed {
				batch.Queue(
					"update rowhouse.data_table set permission = $3 where org_id = $1 and id = $2",
					c.Org,
					t.ID,
					next,
				)
			}
		}
		for _, f := range t.Fields {
			if f.Permission == nil {
				continue
			}
			if next := *f.Permission; replaced(fieldActions(&next)) {
				batch.Queue(
					"update rowhouse.field set permission = $3 where org_id = $1 and id = $2",
					c.Org,
					f.ID,
					next,
				)
			}
		}
	}
	if batch.Len() > 0 {
		c.ChangesPermissions()
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("removing somebody from permissions: %w", err)
	}
	return nil
}

// forgetPerson removes a person who leaves from groups and permissions, so that they do not get them back when they are
// invited again.
func (c *Change) forgetPerson(ctx context.Context, person uuid.UUID) error {
	for _, g := range c.Snapshot.Groups {
		if slices.Contains(g.Members, person) {
			c.ChangesPermissions()
			if _, err := c.Exec(ctx, "update rowhouse.person_group set members = array_remove(members, $3) "+
				"where org_id = $1 and id = $2", c.Org, g.ID, person); err != nil {
				return fmt.Errorf("removing somebody from a group: %w", err)
			}
		}
	}
	return c.forgetInPermissions(ctx, func(g schema.Grant) bool { return g.Person == person },
		func(a *schema.Audience) *schema.Audience {
			a.People = without(a.People, person)
			return a
		})
}

func without(list []uuid.UUID, one uuid.UUID) []uuid.UUID {
	return slices.DeleteFunc(list, func(u uuid.UUID) bool { return u == one })
}

// distinct returns the list without repetitions; it is never nil.
func distinct(list []uuid.UUID) []uuid.UUID {
	out := make([]uuid.UUID, 0, len(list))
	for _, u := range list {
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

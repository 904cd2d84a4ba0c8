package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Target is the resource that an operation works on: the one that its path names, and the
// organization that owns it.
type Target struct {
	Org  uuid.UUID
	ID   uuid.UUID // of the resource; for a record, the row; for a comment, without its table
	Base uuid.UUID // the base that contains the resource, or uuid.Nil
	// Table is the table that contains the resource, or nil. It comes from this process's cache and
	// may be outdated.
	Table *schema.Table
	// Role is the caller's role in the base, and Rights names what the caller sees there: see schema.Snapshot.RightsIn.
	Role   schema.BaseRole
	Rights string

	partial bool // the caller does not see everything in the base
	limited bool // permissions of tables or fields apply to the caller
	ruled   bool // the caller reads only some records of a table
	writes  bool // permissions of a table let the caller write records of it
}

// setRole sets what the caller may do with a target in a base.
func (t *Target) setRole(p *authz.Principal, s *schema.Snapshot) {
	if t.Base != uuid.Nil {
		t.Role, t.Rights = s.RoleOf(p.Subject(t.Org), t.Base), s.RightsIn(t.Base)
		t.partial, t.limited = s.IsPartial(t.Base), s.IsLimited(t.Base)
		if b := s.Base(t.Base); b != nil {
			t.ruled = b.Ruled
			t.writes = slices.ContainsFunc(b.Tables, func(one *schema.Table) bool {
				rights, own := one.Rights()
				return own && rights.Any()
			})
		}
	}
}

// OrgID returns the public id of the organization.
func (t *Target) OrgID() string { return id.Format(id.Org, t.Org) }

// A resource describes how a path parameter is resolved to a target. find looks in one
// organization's schema.
type resource struct {
	name string
	kind id.Kind
	find func(s *schema.Snapshot, u uuid.UUID) (base uuid.UUID, table *schema.Table, ok bool)
}

func targetInTable(t *schema.Table) (uuid.UUID, *schema.Table, bool) { return t.Base.ID, t, true }

// resources maps each path parameter to the resource that it names. orgId, deletedOrgId, jobId,
// recordId and commentId are resolved separately.
var resources = map[string]resource{
	"workspaceId": {"workspace", id.Workspace, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		return uuid.Nil, nil, s.Workspace(u) != nil
	}},
	"baseId": {"base", id.Base, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		return u, nil, s.Base(u) != nil
	}},
	"tableId": {"table", id.Table, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if t := s.Table(u); t != nil {
			return targetInTable(t)
		}
		return uuid.Nil, nil, false
	}},
	"fieldId": {"field", id.Field, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if f := s.Field(u); f != nil {
			return targetInTable(f.Table)
		}
		return uuid.Nil, nil, false
	}},
	"viewId": {"view", id.View, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if v := s.View(u); v != nil {
			return targetInTable(v.Table)
		}
		return uuid.Nil, nil, false
	}},
}

// resolveTarget finds the operation's target in the organizations that the credential reaches, and
// checks the role there. Malformed, missing and foreign ids give the same error.
func (o *Operation) resolveTarget(ctx context.Context, call *Call, value string) error {
	switch o.target {
	case "":
		return o.checkRestriction(call)
	case "orgId":
		return o.resolveOrg(ctx, call, value)
	case "deletedOrgId":
		return o.resolveDeletedOrg(ctx, call, value)
	case "jobId":
		return o.resolveJob(ctx, call, value)
	case "recordId":
		return o.resolveInTable(ctx, call, "record", value, id.ParseRecord)
	case "commentId":
		return o.resolveInTable(ctx, call, "comment", value, id.ParseComment)
	}
	n, ok := resources[o.target]
	if !ok {
		return fmt.Errorf("operation %s: unknown path parameter %s", o.Name, o.target)
	}
	u, err := id.Parse(n.kind, value)
	if err != nil {
		return problem.NotFound(n.name, value)
	}
	if o.target == "viewId" {
		// To everybody else, a personal view does not exist.
		return o.resolveResource(ctx, call, n.name, value, u,
			func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) {
				v := s.View(u)
				if v == nil || !call.viewerIn(s.Org).Sees(v) {
					return uuid.Nil, nil, false
				}
				return targetInTable(v.Table)
			})
	}
	return o.resolveResource(ctx, call, n.name, value, u, func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) {
		return n.find(s, u)
	})
}

// resolveInTable resolves an id that contains the number of its table.
func (o *Operation) resolveInTable(
	ctx context.Context, call *Call, object, value string, parse func(string) (int32, uuid.UUID, error),
) error {
	number, u, err := parse(value)
	if err != nil {
		return problem.NotFound(object, value)
	}
	return o.resolveResource(ctx, call, object, value, u, func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) {
		if t := s.TableByNumber(number); t != nil {
			return targetInTable(t)
		}
		return uuid.Nil, nil, false
	})
}

func (o *Operation) resolveOrg(ctx context.Context, call *Call, value string) error {
	org, err := id.Parse(id.Org, value)
	if err != nil || call.Principal.Role(org) == "" {
		return problem.NotFound("organization", value)
	}
	reached, err := call.reachesOrg(ctx, org)
	if err != nil {
		return err
	}
	if !reached {
		return problem.NotFound("organization", value)
	}
	call.Target = Target{Org: org, ID: org}
	return o.authorizeTarget(call)
}

func (o *Operation) resolveResource(
	ctx context.Context,
	call *Call,
	object, value string,
	u uuid.UUID,
	find func(*schema.Snapshot) (uuid.UUID, *schema.Table, bool),
) error {
	// Look in the cached schema of every organization first, then in the current ones.
	type loader func(context.Context, uuid.UUID) (*schema.Snapshot, error)
	for _, load := range []loader{call.Schema.Cached, call.Schema.Fresh} {
		for _, membership := range call.Principal.Orgs {
			snapshot, err := load(ctx, membership.Org)
			if err != nil {
				return err
			}
			base, table, ok := find(snapshot)
			if !ok {
				continue
			}
			if base != uuid.Nil && !call.Principal.ReachesBase(base) {
				return problem.NotFound(object, value)
			}
			call.Target = Target{Org: membership.Org, ID: u, Base: base, Table: table}
			call.Target.setRole(call.Principal, snapshot)
			return o.authorizeTarget(call)
		}
	}
	return problem.NotFound(object, value)
}

// reachesOrg reports whether the credential is unrestricted or reaches a base of the organization.
// To a credential restricted to bases, an organization that contains none of them does not exist.
func (c *Call) reachesOrg(ctx context.Context, org uuid.UUID) (bool, error) {
	if c.Principal.Bases == nil {
		return true, nil
	}
	snapshot, err := c.Schema.Fresh(ctx, org)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(snapshot.Bases, func(b *schema.Base) bool { return c.Principal.ReachesBase(b.ID) }), nil
}

// accessibleOrgs lists the caller's memberships in organizations that the credential reaches.
func (c *Call) accessibleOrgs(ctx context.Context) ([]authz.Membership, error) {
	if c.Principal.Bases == nil {
		return c.Principal.Orgs, nil
	}
	var reached []authz.Membership
	for _, m := range c.Principal.Orgs {
		ok, err := c.reachesOrg(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		if ok {
			reached = append(reached, m)
		}
	}
	return reached, nil
}

// authorizeOrg checks the role that the scope needs in an organization that the input names outside
// the path.
func (c *Call) authorizeOrg(org uuid.UUID, scope authz.Scope) error {
	info, _ := authz.Info(scope)
	return c.Principal.RequireRole(org, info.Role)
}

// reaches returns a function that reports whether the caller, whose snapshot s is, sees a base. What was in a base that
// is in the trash is seen by those who see all bases.
func (c *Call) reaches(s *schema.Snapshot) func(base uuid.UUID) bool {
	return func(base uuid.UUID) bool {
		return c.Principal.ReachesBase(base) && (s == s.Whole() || s.Base(base) != nil)
	}
}

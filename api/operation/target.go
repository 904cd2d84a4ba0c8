package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Target is what an operation works on: the noun that its path names, and the organization that this belongs to.
type Target struct {
	Org  uuid.UUID
	ID   uuid.UUID // of the noun; for a record, the row
	Base uuid.UUID // that the noun is in, when it is in one
	// Table is the table that the noun is in, when it is in one, as the process remembers it: it may be behind.
	Table *schema.Table
}

// OrgID is the public id of the organization.
func (t *Target) OrgID() string { return id.Format(id.Org, t.Org) }

// A noun says how the value of a path parameter is turned into a target. find looks into one organization's schema.
type noun struct {
	name string
	kind id.Kind
	find func(s *schema.Snapshot, u uuid.UUID) (base uuid.UUID, table *schema.Table, ok bool)
}

func inTable(t *schema.Table) (uuid.UUID, *schema.Table, bool) { return t.Base.ID, t, true }

// nouns is the one place that says what a path parameter names. orgId and recordId are handled beside it.
var nouns = map[string]noun{
	"workspaceId": {"workspace", id.Workspace, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		return uuid.Nil, nil, s.Workspace(u) != nil
	}},
	"baseId": {"base", id.Base, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		return u, nil, s.Base(u) != nil
	}},
	"tableId": {"table", id.Table, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if t := s.Table(u); t != nil {
			return inTable(t)
		}
		return uuid.Nil, nil, false
	}},
	"fieldId": {"field", id.Field, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if f := s.Field(u); f != nil {
			return inTable(f.Table)
		}
		return uuid.Nil, nil, false
	}},
	"viewId": {"view", id.View, func(s *schema.Snapshot, u uuid.UUID) (uuid.UUID, *schema.Table, bool) {
		if v := s.View(u); v != nil {
			return inTable(v.Table)
		}
		return uuid.Nil, nil, false
	}},
}

// locate finds the organization of the operation's target among those that the credential reaches, and asks for the role.
// Malformed, missing and foreign ids give the same error.
func (o *Operation) locate(ctx context.Context, call *Call, value string) error {
	switch o.target {
	case "":
		return o.narrow(call)
	case "orgId":
		return o.locateOrg(ctx, call, value)
	case "recordId":
		number, row, err := id.ParseRecord(value)
		if err != nil {
			return problem.NotFound("record", value)
		}
		return o.locateIn(ctx, call, "record", value, row, func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) {
			if t := s.TableByNumber(number); t != nil {
				return inTable(t)
			}
			return uuid.Nil, nil, false
		})
	}
	n, ok := nouns[o.target]
	if !ok {
		return fmt.Errorf("operation %s: unknown path parameter %s", o.Name, o.target)
	}
	u, err := id.Parse(n.kind, value)
	if err != nil {
		return problem.NotFound(n.name, value)
	}
	if o.target == "viewId" {
		// A personal view is for others as if it were not there.
		return o.locateIn(ctx, call, n.name, value, u, func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) {
			v := s.View(u)
			if v == nil || !call.viewerIn(s.Org).Sees(v) {
				return uuid.Nil, nil, false
			}
			return inTable(v.Table)
		})
	}
	return o.locateIn(ctx, call, n.name, value, u, func(s *schema.Snapshot) (uuid.UUID, *schema.Table, bool) { return n.find(s, u) })
}

func (o *Operation) locateOrg(ctx context.Context, call *Call, value string) error {
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
	return o.permit(call)
}

func (o *Operation) locateIn(
	ctx context.Context, call *Call, noun, value string, u uuid.UUID, find func(*schema.Snapshot) (uuid.UUID, *schema.Table, bool),
) error {
	// What the process remembers first, in every organization; then what is true now.
	for _, look := range []func(context.Context, uuid.UUID) (*schema.Snapshot, error){call.Schema.Cached, call.Schema.Fresh} {
		for _, membership := range call.Principal.Orgs {
			snapshot, err := look(ctx, membership.Org)
			if err != nil {
				return err
			}
			base, table, ok := find(snapshot)
			if !ok {
				continue
			}
			if base != uuid.Nil && !call.Principal.ReachesBase(base) {
				return problem.NotFound(noun, value)
			}
			call.Target = Target{Org: membership.Org, ID: u, Base: base, Table: table}
			return o.permit(call)
		}
	}
	return problem.NotFound(noun, value)
}

// permit asks for the role in the target's organization, and refuses what lies outside the bases of a narrowed credential.
func (o *Operation) permit(call *Call) error {
	if role := o.RequiredRole(); role != "" {
		if err := call.Principal.RequireRole(call.Target.Org, role); err != nil {
			return err
		}
	}
	return o.narrow(call)
}

// narrow refuses a credential that is narrowed to bases, where the target is in none of them and the operation does not keep to
// them by itself. A base that the credential does not reach was not found before.
func (o *Operation) narrow(call *Call) error {
	if call.Principal.Bases != nil && call.Target.Base == uuid.Nil && !o.Narrowed {
		return beyondBases()
	}
	return nil
}

func beyondBases() error {
	return problem.Forbidden("This credential is narrowed to certain bases and neither reads nor changes what lies outside them.").
		WithCode("narrowed_credential")
}

// reachesOrg reports whether the credential reaches a base of the organization, or all of them. An organization that holds
// none of the bases that a credential is narrowed to does not exist for it.
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

// reachedOrgs lists the caller's memberships in organizations that the credential reaches.
func (c *Call) reachedOrgs(ctx context.Context) ([]authz.Membership, error) {
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

// permitIn asks for the operation's scope and role in an organization that the input names elsewhere than in the path.
func (c *Call) permitIn(org uuid.UUID, scope authz.Scope) error {
	info, _ := authz.Info(scope)
	return c.Principal.RequireRole(org, info.Role)
}

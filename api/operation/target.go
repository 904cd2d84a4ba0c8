package operation

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy"
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
		return nil
	case "orgId":
		return o.locateOrg(call, value)
	case "recordId":
		number, row, err := id.ParseRecord(value)
		if err != nil {
			return tenancy.NotFound("record", value)
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
		return tenancy.NotFound(n.name, value)
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

func (o *Operation) locateOrg(call *Call, value string) error {
	org, err := id.Parse(id.Org, value)
	if err != nil || call.Principal.Role(org) == "" {
		return tenancy.NotFound("organization", value)
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
				return tenancy.NotFound(noun, value)
			}
			call.Target = Target{Org: membership.Org, ID: u, Base: base, Table: table}
			return o.permit(call)
		}
	}
	return tenancy.NotFound(noun, value)
}

// permit asks for the role in the target's organization. A credential that is narrowed to bases changes nothing outside them.
func (o *Operation) permit(call *Call) error {
	if role := o.RequiredRole(); role != "" {
		if err := call.Principal.RequireRole(call.Target.Org, role); err != nil {
			return err
		}
	}
	if call.Principal.Bases != nil && call.Target.Base == uuid.Nil && !o.ReadOnly {
		return tenancy.Forbidden("This credential is narrowed to certain bases and changes nothing outside them.").WithCode("narrowed_credential")
	}
	return nil
}

// permitIn asks for the operation's scope and role in an organization that the input names elsewhere than in the path.
func (c *Call) permitIn(org uuid.UUID, scope authz.Scope) error {
	info, _ := authz.Info(scope)
	if err := c.Principal.RequireRole(org, info.Role); err != nil {
		return err
	}
	if c.Principal.Bases != nil {
		return tenancy.Forbidden("This credential is narrowed to certain bases and changes nothing outside them.").WithCode("narrowed_credential")
	}
	return nil
}

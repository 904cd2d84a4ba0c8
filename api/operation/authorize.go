package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// authorize decides whether the caller may call the operation: it checks the scope, validates the
// input, resolves the target and checks the role there.
func (o *Operation) authorize(ctx context.Context, call *Call, raw []byte) error {
	if err := call.Principal.RequireScope(o.Scope); err != nil {
		return err
	}
	in, err := o.validate(raw)
	if err != nil {
		return err
	}
	call.input = in
	return o.resolveTarget(ctx, call, in.target)
}

// RequiredRole returns the weakest role that may call the operation, or "" when it needs none. The
// operation's scope determines it (package authz, scope.go) unless the operation names one.
func (d *Def) RequiredRole() organization.Role {
	if d.Role != "" || d.Scope == authz.None {
		return d.Role
	}
	info, _ := authz.Info(d.Scope)
	return info.Role
}

// RequiredBase returns the weakest role in a base that may call the operation there.
func (d *Def) RequiredBase() schema.BaseRole {
	switch {
	case d.Base != "":
		return d.Base
	case d.Role != "":
		return baseRoles[d.Role]
	case d.Scope == authz.None:
		return schema.NoRole
	}
	info, _ := authz.Info(d.Scope)
	return info.Base
}

// baseRoles are the roles in a base that correspond to roles in an organization.
var baseRoles = map[organization.Role]schema.BaseRole{
	organization.Guest: schema.NoRole, organization.Viewer: schema.BaseViewer, organization.Editor: schema.BaseEditor,
	organization.Admin: schema.BaseCreator, organization.Owner: schema.BaseCreator,
}

// authorizeTarget, which resolveTarget calls, checks the role in the target's base, or in its organization, and the
// credential's restriction to bases.
func (o *Operation) authorizeTarget(call *Call) error {
	if err := o.checkRole(call.Principal, &call.Target); err != nil {
		return err
	}
	if err := o.checkWhole(&call.Target); err != nil {
		return err
	}
	return o.checkRestriction(call)
}

// checkRole returns an error unless the principal has the role that the operation needs for a target.
func (o *Operation) checkRole(p *authz.Principal, target *Target) error {
	if target.Base == uuid.Nil {
		return o.checkOrgRole(p, target.Org)
	}
	needed := o.RequiredBase()
	if o.Records == WritesRecords && target.Table != nil {
		if rights, own := target.Table.Rights(); own {
			if rights.Any() {
				return nil
			}
			return problem.Forbidden("The permissions of the table %q do not let you change its records.",
				target.Table.Name).WithCode(problem.CodeInsufficientRole)
		}
	}
	if target.Role.AtLeast(needed) || o.Records == WritesRecords && target.Table == nil && target.writes {
		return nil
	}
	// Where the role in the organization decides, the message is about that.
	if role := o.RequiredRole(); role != "" && target.Role == schema.InOpenBase(p.Role(target.Org)) {
		return p.RequireRole(target.Org, role)
	}
	return problem.Forbidden("This needs the role %s or above in the base; yours is %s.", needed, target.Role).
		WithCode(problem.CodeInsufficientRole)
}

// checkOrgRole checks the role in an organization. Guests may do what is filtered by base: they see their bases.
func (o *Operation) checkOrgRole(p *authz.Principal, org uuid.UUID) error {
	role := o.RequiredRole()
	if role == "" || role == organization.Viewer && o.BaseFiltered && p.Role(org) == organization.Guest {
		return nil
	}
	return p.RequireRole(org, role)
}

// checkWhole refuses people from whom something is hidden that the operation cannot leave out.
func (o *Operation) checkWhole(target *Target) error {
	switch {
	case o.Whole >= SeesAll && target.partial:
		return problem.Forbidden("Some tables or fields of this base are hidden from you, and this cannot leave them " +
			"out; ask a creator of the base to do it.").WithCode(problem.CodePartialAccess)
	case o.Whole == ChangesAll && target.limited:
		return problem.Forbidden("Permissions of tables or fields of this base limit what you may write, and this " +
			"cannot obey them; ask a creator of the base to do it.").
			WithCode(problem.CodePartialAccess)
	}
	return nil
}

// checkRestriction refuses a credential that is restricted to bases if the target is outside every
// base and the operation does not filter by base. A base that the credential does not reach has
// already given a not-found error.
func (o *Operation) checkRestriction(call *Call) error {
	if call.Principal.Bases != nil && call.Target.Base == uuid.Nil && !o.BaseFiltered {
		return outsideBasesError()
	}
	return nil
}

func outsideBasesError() error {
	return problem.Forbidden(
		"This credential is restricted to certain bases and cannot read or change anything outside them.",
	).WithCode(problem.CodeNarrowedCredential)
}

package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
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

// authorizeTarget, which resolveTarget calls, checks the role in the target's organization and the
// credential's restriction to bases.
func (o *Operation) authorizeTarget(call *Call) error {
	if role := o.RequiredRole(); role != "" {
		if err := call.Principal.RequireRole(call.Target.Org, role); err != nil {
			return err
		}
	}
	return o.checkRestriction(call)
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

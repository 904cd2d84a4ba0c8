package operation

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// ViewAsHeader names the member as whom a creator of a base looks at it.
const ViewAsHeader = "View-As"

// viewAs lets a call read a base as another member of its organization, for creators of the base: the answer is the one
// that the member would get. The audit log has an event for each hour of it. What is in no base stays the caller's own.
func (o *Operation) viewAs(ctx context.Context, call *Call, request Request) (context.Context, error) {
	switch {
	case !o.ReadOnly:
		return ctx, problem.Forbidden("%s lets you look at a base as somebody else, and change nothing in it.",
			ViewAsHeader).WithCode(problem.CodeViewAsReads)
	case call.Target.Base == uuid.Nil:
		return ctx, nil
	case call.Target.Role != schema.BaseCreator:
		return ctx, problem.Forbidden("Only creators of the base look at it as somebody else; your role is %s.",
			call.Target.Role).WithCode(problem.CodeInsufficientRole)
	}
	other, err := call.member(ctx, ViewAsHeader, request.ViewAs)
	if err != nil {
		return ctx, err
	}
	event := &audit.Event{
		Action: "view_as", Subject: id.Format(id.Base, call.Target.Base),
		Detail: map[string]string{"userId": id.Format(id.User, other.Person)},
	}
	actor := db.Actor{
		Person: call.Principal.Person, Kind: string(call.Principal.Kind), Credential: call.Principal.Credential,
		Request: request.ID,
	}
	err = call.DB.Batch(ctx, call.Target.Org, func(b *pgx.Batch) {
		audit.RecordHourly(db.WithActor(ctx, actor), b, call.Target.Org, event)
	})
	if err != nil {
		return ctx, fmt.Errorf("recording that somebody looks at a base as another member: %w", err)
	}
	as := *call.Principal
	as.Person = other.Person
	as.Orgs = []authz.Membership{{
		Org: call.Target.Org, Role: other.Role, Permissions: call.Principal.PermissionVersion(call.Target.Org),
	}}
	call.Principal = &as
	ctx = catalog.WithCaller(ctx, &as)
	return ctx, o.authorize(ctx, call, request.Raw)
}

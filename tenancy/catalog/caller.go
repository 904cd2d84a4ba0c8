package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Caller is a person who works with schemas. Snapshots contain only what the person may see. Code without a caller
// works for the service itself, and gets whole snapshots.
type Caller interface {
	// Subject returns the person with the role in an organization, which is "" for somebody who is no member.
	Subject(org uuid.UUID) schema.Subject
	// PermissionVersion is how new an organization's permissions must be; see schema.Snapshot.
	PermissionVersion(org uuid.UUID) int64
}

// A Member is a caller in one organization, for work on behalf of somebody who has sent no request.
type Member struct {
	Person  uuid.UUID
	Role    organization.Role
	Version int64     // of the organization's permissions when the role was read
	View    uuid.UUID // the only one that the person's credential sees; zero means no bound
}

// Subject implements Caller.
func (m Member) Subject(uuid.UUID) schema.Subject {
	return schema.Subject{Person: m.Person, Role: m.Role, View: m.View}
}

// PermissionVersion implements Caller.
func (m Member) PermissionVersion(uuid.UUID) int64 { return m.Version }

// Member returns a person as a caller for work on behalf of them, with their present role in an organization; "" if
// they are no member.
func (s *Store) Member(ctx context.Context, org, person uuid.UUID) (Member, error) {
	member := Member{Person: person}
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select m.role, o.permission_version from rowhouse.member m join rowhouse.organization o
			on o.org_id = m.org_id where m.org_id = $1 and m.person_id = $2`, org, person).
			Query(func(rows pgx.Rows) error {
				_, err := pgx.ForEachRow(rows, []any{&member.Role, &member.Version}, func() error { return nil })
				return err
			})
	})
	if err != nil {
		return Member{}, fmt.Errorf("looking up a member: %w", err)
	}
	return member, nil
}

type callerKey struct{}

// WithCaller returns a context in which snapshots are those of a caller, and transactions have the caller's person.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	ctx = db.WithPerson(ctx, caller.Subject(uuid.Nil).Person)
	return context.WithValue(ctx, callerKey{}, caller)
}

// WithoutCaller returns a context in which snapshots are whole, for work on behalf of the service.
func WithoutCaller(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, nil)
}

func callerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// isOutdated reports whether a snapshot has older permissions than the rights of the context's caller.
func isOutdated(ctx context.Context, snapshot *schema.Snapshot) bool {
	caller := callerOf(ctx)
	return caller != nil && snapshot.PermissionVersion < caller.PermissionVersion(snapshot.Org)
}

// ofCaller returns the snapshot of the context's caller.
func ofCaller(ctx context.Context, snapshot *schema.Snapshot) *schema.Snapshot {
	caller := callerOf(ctx)
	if caller == nil {
		return snapshot
	}
	return snapshot.For(caller.Subject(snapshot.Org))
}

// seen returns a table of the change as the context's caller sees it, for what editors may change: their input names
// fields, and errors about it do.
func (c *Change) seen(ctx context.Context, t *schema.Table) *schema.Table {
	if theirs := ofCaller(ctx, c.Snapshot).Table(t.ID); theirs != nil {
		return theirs
	}
	return t
}

// ChangesPermissions says that the change is one of permissions or groups. Every process notices it within a second.
func (c *Change) ChangesPermissions() { c.permissions = true }

// permissionSteps is by how much the change raises organization.permission_version.
func (c *Change) permissionSteps() int {
	if c.permissions {
		return 1
	}
	return 0
}

// announcePermissions invalidates the cached rights of all members if the change is one of permissions, and returns
// them, to do it again after the commit: the first time covers a process that dies in between.
func (c *Change) announcePermissions(ctx context.Context, rights Rights) ([]uuid.UUID, error) {
	if !c.permissions || rights == nil {
		return nil, nil
	}
	rows, err := c.Query(ctx, "select person_id from rowhouse.member where org_id = $1", c.Org)
	if err != nil {
		return nil, fmt.Errorf("listing the members: %w", err)
	}
	people, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("listing the members: %w", err)
	}
	if err := rights.Invalidate(ctx, people...); err != nil {
		return nil, fmt.Errorf("invalidating cached rights: %w", err)
	}
	return people, nil
}

// afterPermissions repeats announcePermissions after the commit.
func (s *Store) afterPermissions(ctx context.Context, people []uuid.UUID) error {
	if len(people) == 0 {
		return nil
	}
	if err := s.options.Rights.Invalidate(context.WithoutCancel(ctx), people...); err != nil {
		return fmt.Errorf("invalidating cached rights: %w", err)
	}
	return nil
}

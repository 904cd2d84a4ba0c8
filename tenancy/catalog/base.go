package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxBases bounds the bases of an organization.
const MaxBases = 5000

// CreateBase creates an empty base in a workspace; uuid.Nil selects the organization's default
// workspace.
func (s *Store) CreateBase(ctx context.Context, org, workspace uuid.UUID, name string) (*schema.Base, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return nil, err
	}
	base := &schema.Base{Org: org, ID: id.New(), Workspace: workspace, Name: name, TimeZone: "UTC"}
	err = s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "create_base", Subject: base.PublicID()})
		if len(c.Snapshot.Bases) >= MaxBases {
			return problem.Conflict("An organization may have at most %d bases.", MaxBases)
		}
		if workspace == uuid.Nil {
			for _, w := range c.Snapshot.Workspaces {
				if w.IsDefault {
					base.Workspace = w.ID
				}
			}
		}
		if c.Snapshot.Workspace(base.Workspace) == nil {
			return problem.NotFound("workspace", id.Format(id.Workspace, workspace))
		}
		err := c.QueryRow(ctx, `insert into rowhouse.base (org_id, id, workspace_id, name, position)
			select $1, $2, $3, $4, coalesce(max(position), 0) + 1 from rowhouse.base where org_id = $1
			returning position`, org, base.ID, base.Workspace, base.Name).Scan(&base.Position)
		if err != nil {
			return fmt.Errorf("creating the base: %w", err)
		}
		return nil
	})
	return base, err
}

// UpdateBase changes a base's name, icon and time zone, and moves it if workspace is given.
func (s *Store) UpdateBase(ctx context.Context, org, base uuid.UUID, patch Patch, workspace *uuid.UUID) error {
	if err := patch.clean(); err != nil {
		return err
	}
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_base", Subject: id.Format(id.Base, base)})
		b := c.Snapshot.Base(base)
		if b == nil {
			return problem.NotFound("base", id.Format(id.Base, base))
		}
		if patch.TimeZone != nil && *patch.TimeZone != b.TimeZone {
			if err := c.lockTables(ctx, slices.Clone(b.Tables)...); err != nil { // their formulas see another clock
				return err
			}
		}
		if workspace != nil && c.Snapshot.Workspace(*workspace) == nil {
			return problem.Invalid("workspaceId", "no workspace of this organization has the id %q",
				id.Format(id.Workspace, *workspace))
		}
		_, err := c.Exec(ctx, `update rowhouse.base
			set name = coalesce($3, name), icon = coalesce($4, icon), workspace_id = coalesce($5, workspace_id),
				time_zone = coalesce($6, time_zone)
			where org_id = $1 and id = $2`, org, base, patch.Name, patch.Icon, workspace, patch.TimeZone)
		if err != nil {
			return fmt.Errorf("updating the base: %w", err)
		}
		return nil
	})
}

// DeleteBase puts a base with its tables and all their records into the trash.
func (s *Store) DeleteBase(ctx context.Context, org, base uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		b := c.Snapshot.Base(base)
		if b == nil {
			return problem.NotFound("base", id.Format(id.Base, base))
		}
		c.SetAuditEvent(audit.Event{Action: "delete_base", Subject: b.PublicID(), Detail: named(b.Name)})
		return c.trashBase(ctx, b)
	})
}

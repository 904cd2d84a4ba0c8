package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CreateWorkspace creates a workspace at the end of the organization's list. An empty color means
// blue.
func (s *Store) CreateWorkspace(ctx context.Context, org uuid.UUID, name, color string) (*schema.Workspace, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return nil, err
	}
	if err := field.CheckColor("color", color); err != nil {
		return nil, err
	}
	if color == "" {
		color = "blue"
	}
	w := &schema.Workspace{Org: org, ID: id.New(), Name: name, Color: color}
	err = s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "create_workspace", Subject: w.PublicID()})
		err := c.QueryRow(ctx, `insert into rowhouse.workspace (org_id, id, name, color, position)
			select $1, $2, $3, $4, coalesce(max(position), 0) + 1 from rowhouse.workspace where org_id = $1
			returning position`, org, w.ID, w.Name, w.Color).Scan(&w.Position)
		if err != nil {
			return fmt.Errorf("creating the workspace: %w", err)
		}
		return nil
	})
	return w, err
}

// A Patch describes a change of a workspace, base or table; nil members stay unchanged.
type Patch struct {
	Name  *string
	Color *string // of a workspace
	Icon  *schema.Icon
	// TimeZone is the time zone of the formulas of a base, an IANA name.
	TimeZone *string
}

func (p *Patch) clean() error {
	if p.Name != nil {
		name, err := naming.Clean("name", *p.Name)
		if err != nil {
			return err
		}
		p.Name = &name
	}
	if p.Color != nil {
		if err := field.CheckColor("color", *p.Color); err != nil {
			return err
		}
	}
	if p.TimeZone != nil {
		if failure := field.CheckTimeZone(*p.TimeZone); failure != "" {
			return problem.Invalid("timeZone", "%s", failure)
		}
	}
	return p.Icon.Check()
}

// UpdateWorkspace changes a workspace.
func (s *Store) UpdateWorkspace(ctx context.Context, org, workspace uuid.UUID, patch Patch) error {
	if err := patch.clean(); err != nil {
		return err
	}
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_workspace", Subject: id.Format(id.Workspace, workspace)})
		if c.Snapshot.Workspace(workspace) == nil {
			return problem.NotFound("workspace", id.Format(id.Workspace, workspace))
		}
		_, err := c.Exec(ctx, `update rowhouse.workspace
			set name = coalesce($3, name), color = coalesce($4, color), icon = coalesce($5, icon)
			where org_id = $1 and id = $2`,
			org, workspace, patch.Name, patch.Color, patch.Icon)
		if err != nil {
			return fmt.Errorf("updating the workspace: %w", err)
		}
		return nil
	})
}

// DeleteWorkspace deletes a workspace that contains no base and is not the default one.
func (s *Store) DeleteWorkspace(ctx context.Context, org, workspace uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		w := c.Snapshot.Workspace(workspace)
		if w == nil {
			return problem.NotFound("workspace", id.Format(id.Workspace, workspace))
		}
		c.SetAuditEvent(audit.Event{Action: "delete_workspace", Subject: w.PublicID(), Detail: named(w.Name)})
		if w.IsDefault {
			return problem.Conflict("The default workspace of an organization cannot be deleted.")
		}
		for _, base := range c.Snapshot.Bases {
			if base.Workspace == workspace {
				return problem.Conflict("The workspace %q still holds the base %q; delete or move its bases first.",
					w.Name, base.Name)
			}
		}
		if _, err := c.Exec(
			ctx, "delete from rowhouse.workspace where org_id = $1 and id = $2", org, workspace,
		); err != nil {
			return fmt.Errorf("deleting the workspace: %w", err)
		}
		return nil
	})
}

package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// refusePrimaryConfig returns an error if the primary field cannot have the config of next.
func (c *Change) refusePrimaryConfig(f, next *schema.Field) error {
	if !f.IsPrimary || f.Computation == nil {
		return nil
	}
	return c.Snapshot.With(f, next).Field(f.ID).RefusePrimary("config.formula")
}

// makePrimary makes a field the primary one of its table. The former primary field follows it.
func (c *Change) makePrimary(ctx context.Context, f *schema.Field) error {
	if f.IsPrimary {
		return nil
	}
	for _, one := range []struct {
		id any
		is bool
	}{{f.Table.Primary().ID, false}, {f.ID, true}} { // the index allows one at a time
		_, err := c.Exec(ctx, `update rowhouse.field set is_primary = $3, hidden = hidden and not $3
			where org_id = $1 and id = $2`, c.Org, one.id, one.is)
		if err != nil {
			return fmt.Errorf("making a field the primary one: %w", err)
		}
	}
	return nil
}

// givePrimaryBack restores the primary fields that the change sets have replaced.
func (r *objectRevert) givePrimaryBack(ctx context.Context) error {
	for _, n := range r.net {
		if n.object != "field" || n.before == nil || !n.before.is("is_primary") || r.present(n) == nil {
			continue
		}
		f := r.Snapshot.Field(n.id)
		now := f.Table.Primary()
		if now.ID == f.ID {
			continue
		}
		left := slices.IndexFunc(r.net, func(other *netChange) bool { return other.id == now.ID })
		if left < 0 || !r.net[left].after.is("is_primary") {
			if !r.conflict(n, "isPrimary", ObjectChanged) {
				continue
			}
		}
		if f.RefusePrimary("") != nil {
			r.conflict(n, "isPrimary", ObjectNeeded)
			continue
		}
		if err := r.LockTable(ctx, f.Table); err != nil {
			return err
		}
		if err := r.makePrimary(ctx, f); err != nil {
			return err
		}
		if err := r.refresh(ctx); err != nil {
			return err
		}
		r.act(n, ObjectUpdated)
	}
	return nil
}

package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// losesTiles reports which dashboards would no longer show some views of a base. Their tiles stay, and show the views
// again if these are restored.
func (c *Change) losesTiles(ctx context.Context, base *schema.Base, views []*schema.View) error {
	if c.planning == nil || len(views) == 0 {
		return nil
	}
	type tile struct {
		dashboard uuid.UUID
		name      string
		view      string
	}
	rows, err := c.Query(ctx, `select distinct d.id, d.name, t ->> 'viewId' from rowhouse.dashboard d
		cross join lateral jsonb_array_elements(d.tiles) t
		where d.org_id = $1 and d.base_id = $2 and t ? 'viewId' order by 1, 3`, c.Org, base.ID)
	if err != nil {
		return fmt.Errorf("reading dashboards: %w", err)
	}
	tiles, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t tile, err error) {
		return t, row.Scan(&t.dashboard, &t.name, &t.view)
	})
	if err != nil {
		return fmt.Errorf("reading dashboards: %w", err)
	}
	for _, t := range tiles {
		i := slices.IndexFunc(views, func(v *schema.View) bool { return v.PublicID() == t.view })
		if i >= 0 {
			c.Lose(0, problem.Item{Path: id.Format(id.Dashboard, t.dashboard), Message: fmt.Sprintf(
				"the dashboard %q would no longer show %s", t.name, c.nameView(views[i]))})
		}
	}
	return nil
}

package catalog

import (
	"context"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// BeginOrder gives a view without sorts a manual order: a field of type rank, by which the view is sorted from then on.
// It does nothing if the view is sorted already.
func (s *Store) BeginOrder(ctx context.Context, org, view uuid.UUID, by schema.Viewer) error {
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_view", Subject: id.Format(id.View, view), Step: true})
		v := c.Snapshot.View(view)
		if v == nil {
			return problem.NotFound("view", id.Format(id.View, view))
		}
		if err := by.MayChange(v); err != nil {
			return err
		}
		if v.IsSorted() {
			return nil
		}
		t := v.Table
		if len(t.Fields) >= MaxFields {
			return problem.Conflict("A manual order takes a field, and the table has %d fields already.", MaxFields)
		}
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
		spec := FieldSpec{Name: t.FreeFieldName("Manual order", ""), Type: schema.Rank}
		if err := spec.clean(""); err != nil {
			return err
		}
		rank, err := c.addField(ctx, t, &spec, float64(len(t.Fields)), false)
		if err != nil {
			return err
		}
		config := schema.ViewConfig{}
		maps.Copy(config, v.Config)
		config["sorts"] = jsonvalue.Must([]map[string]string{{"fieldId": rank.PublicID(), "dir": "asc"}})
		_, err = c.Exec(ctx, "update rowhouse.view set config = $3 where org_id = $1 and id = $2", org, view, config)
		if err != nil {
			return fmt.Errorf("sorting the view: %w", err)
		}
		return nil
	})
}

package record

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// IndexManager is the manager that records the engine's demand for indexes, for those who build them.
func (e *Engine) IndexManager() *index.Manager { return e.indexes }

// Indexes lists the indexes of a table.
func (e *Engine) Indexes(ctx context.Context, org, table uuid.UUID) ([]index.Index, error) {
	var found []index.Index
	err := e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) (err error) {
		found, err = e.indexes.List(ctx, t)
		return err
	})
	return found, err
}

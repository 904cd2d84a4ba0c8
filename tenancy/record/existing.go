package record

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Existing returns those of some rows of a table that exist and that the caller may read.
func (e *Engine) Existing(ctx context.Context, t *schema.Table, rows []uuid.UUID) (map[uuid.UUID]bool, error) {
	existing := make(map[uuid.UUID]bool, len(rows))
	err := e.db.Batch(ctx, t.Org, func(b *pgx.Batch) {
		b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1)", rows).Query(func(found pgx.Rows) error {
			var row uuid.UUID
			_, err := pgx.ForEachRow(found, []any{&row}, func() error {
				existing[row] = true
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for records: %w", err)
	}
	return existing, nil
}

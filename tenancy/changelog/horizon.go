package changelog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// Horizon returns the number up to which an organization's log is complete: no entry with this or a
// smaller number will be added any more, so a reader that stops there misses nothing. It waits for
// running writers, and fails with an error of kind unavailable if one takes too long.
func Horizon(ctx context.Context, tenantDB *db.DB, org uuid.UUID) (Moment, error) {
	var horizon Moment
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) { QueueHorizon(b, &horizon) })
	return horizon, err
}

// QueueHorizon is Horizon in a batch of the organization. Statements after it see everything up to the
// horizon.
func QueueHorizon(b *pgx.Batch, horizon *Moment) {
	b.Queue("select gate.change_horizon()").QueryRow(func(row pgx.Row) error {
		if err := row.Scan(horizon); err != nil {
			return fmt.Errorf("waiting for the writers of the log: %w", err)
		}
		return nil
	})
}

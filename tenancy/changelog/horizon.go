package changelog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// Horizon returns the number up to which an organization's log is complete: nothing with this or a
// smaller number will be added any more. A reader that goes no further misses nothing. It waits for
// the writers that are at work, and fails with an error of kind unavailable if one takes too long.
func Horizon(ctx context.Context, tenantDB *db.DB, org uuid.UUID) (Moment, error) {
	var horizon Moment
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) { QueueHorizon(b, &horizon) })
	return horizon, err
}

// QueueHorizon is Horizon in a batch of the organization. Statements that follow see what is up to there.
func QueueHorizon(b *pgx.Batch, horizon *Moment) {
	b.Queue("select gate.change_horizon()").QueryRow(func(row pgx.Row) error {
		if err := row.Scan(horizon); err != nil {
			return fmt.Errorf("waiting for the writers of the log: %w", err)
		}
		return nil
	})
}

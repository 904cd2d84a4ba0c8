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
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select gate.change_horizon()").QueryRow(func(row pgx.Row) error { return row.Scan(&horizon) })
	})
	if err != nil {
		return 0, fmt.Errorf("waiting for the writers of the log: %w", err)
	}
	return horizon, nil
}

package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ErrWorkerLost says that a worker of Citus does not answer.
var ErrWorkerLost = errors.New("the coordinator does not reach a worker: its organizations are not served")

// CheckWorkers returns an error unless every worker of Citus answers. A single PostgreSQL has none.
func (db *DB) CheckWorkers(ctx context.Context) error {
	if !db.distributed {
		return nil
	}
	var lost bool
	err := db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select exists(select from run_command_on_workers('select 1') where not success)").
			QueryRow(func(row pgx.Row) error { return row.Scan(&lost) })
	})
	switch {
	case err != nil:
		return fmt.Errorf("asking the workers: %w", err)
	case lost:
		return ErrWorkerLost
	}
	return nil
}

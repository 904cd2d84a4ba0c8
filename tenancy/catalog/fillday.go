package catalog

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// renewDays has the columns of a table that are filled for another day than the present one filled again. It reports
// whether there were some.
func (s *Store) renewDays(ctx context.Context, t *schema.Table) (bool, error) {
	daily := slices.DeleteFunc(t.Kept(), func(f *schema.Field) bool { return !f.Daily() })
	if len(daily) == 0 {
		return false, nil
	}
	renewed := false
	err := s.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error {
		renewed = false
		batch := &pgx.Batch{}
		batch.Queue("select from rowhouse.organization where org_id = $1 for update", t.Org)
		for _, f := range daily {
			today := f.FilledToday()
			batch.Queue("update rowhouse.computed_column set expression = "+today+", filled = false, filled_to = null "+
				"where org_id = $1 and field_number = $2 and split_part(expression, '@', 1) = $3 and expression <> "+
				today+" returning true", t.Org, f.Number, f.Computation.Columns).Query(func(rows pgx.Rows) error {
				for rows.Next() {
					renewed = true
				}
				return rows.Err()
			})
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return false, fmt.Errorf("renewing the columns of formulas of the day: %w", err)
	}
	if renewed {
		s.Forget(t.Org)
	}
	return renewed, nil
}

// FillSoon queues the filling of a table's columns that are of another day than the present one.
func (s *Store) FillSoon(ctx context.Context, t *schema.Table) {
	if s.options.Fills != nil {
		s.options.Fills.add(ctx, t.Org, t.Number)
	}
}

// waitForWriters waits until the transactions have ended that are writing records of a table now. A record that one of
// them has written may hold what a formula said on the day before. It returns false when until has come first.
func (s *Store) waitForWriters(ctx context.Context, t *schema.Table, until time.Time) (bool, error) {
	var writers []string
	for {
		err := s.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error { // only the owner may see locks
			return tx.QueryRow(ctx, `select coalesce(array_agg(l.virtualtransaction), '{}') from pg_locks l
				where l.relation = to_regclass($1::text) and l.granted and l.mode = 'RowExclusiveLock'
				and l.database = (select d.oid from pg_database d where d.datname = current_database())
				and l.virtualtransaction is not null and l.pid <> pg_backend_pid()
				and ($2::text[] is null or l.virtualtransaction = any ($2))`, t.Relation(), writers).Scan(&writers)
		})
		if err != nil {
			return false, fmt.Errorf("looking for writers: %w", err)
		}
		if len(writers) == 0 {
			return true, nil
		}
		if time.Now().After(until) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("waiting for writers: %w", ctx.Err())
		case <-time.After(passedWait):
		}
	}
}

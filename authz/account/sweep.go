package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/job"
)

const (
	sweepEvery   = time.Hour
	sweepTimeout = 5 * time.Minute
	sweepPortion = 1000 // rows that one statement removes, so that it holds no lock for long

	keptTokens = 7 * 24 * time.Hour // for which an expired mailed link is still recognized
)

// expirySweep is the recurring job. Its kind is stored, so it never changes.
type expirySweep struct{}

func (expirySweep) Kind() string { return "account_sweep" }

// Schedule lets expired sessions and mailed tokens be removed. Call it before the job client
// starts.
func (s *Service) Schedule() {
	job.Every[expirySweep](s.Jobs, sweepEvery, sweepTimeout, s.SweepExpired)
}

// SweepExpired removes sessions that have expired, and mailed tokens that expired a week ago.
func (s *Service) SweepExpired(ctx context.Context) error {
	now := time.Now()
	for _, expired := range []struct {
		statement string
		before    time.Time
	}{
		{`delete from rowhouse.session where id in (select id from rowhouse.session where expires_at < $1 limit $2
			for update skip locked)`, now},
		{`delete from rowhouse.mailed_token where token_hash in (select token_hash from rowhouse.mailed_token
			where expires_at < $1 limit $2 for update skip locked)`, now.Add(-keptTokens)},
	} {
		for removed := int64(sweepPortion); removed == sweepPortion; {
			err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
				b.Queue(expired.statement, expired.before, sweepPortion).Exec(func(tag pgconn.CommandTag) error {
					removed = tag.RowsAffected()
					return nil
				})
			})
			if err != nil {
				return fmt.Errorf("removing expired sessions and mailed tokens: %w", err)
			}
		}
	}
	return nil
}

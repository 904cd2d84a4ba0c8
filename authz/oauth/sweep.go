package oauth

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	sweepInterval       = 10 * time.Minute
	endedGrantRetention = 30 * 24 * time.Hour // how long an ended grant is kept for inquiries
	unredeemedRetention = 24 * time.Hour      // how long a grant with an unredeemed code is kept
)

// Run rotates the signing keys by age and deletes expired rows until ctx ends. Every process may
// run it.
func (s *Service) Run(ctx context.Context) {
	for {
		if _, err := s.keys.rotate(ctx, keyRotationAge, false); err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "rotating signing keys by age failed; will try again", slog.Any("error", err))
		}
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "deleting expired rows failed; will try again", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval + rand.N(sweepInterval/10)): //nolint:gosec // jitter, not a secret
		}
	}
}

// sweep deletes expired rows in batches, so that it holds no lock for long.
func (s *Service) sweep(ctx context.Context) error {
	now := s.now()
	const portion = " limit 5000)"
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.oauth_question where handle_hash in (select handle_hash from rowhouse.oauth_question where expires_at < $1"+portion, now)
		b.Queue("delete from rowhouse.oauth_assertion where jti_hash in (select jti_hash from rowhouse.oauth_assertion where expires_at < $1"+portion, now)
		b.Queue(`delete from rowhouse.oauth_grant where id in (select id from rowhouse.oauth_grant
			where expires_at < $1 or revoked_at < $1 or (redeemed_at is null and code_expires < $2)`+portion, now.Add(-endedGrantRetention), now.Add(-unredeemedRetention))
		b.Queue("delete from rowhouse.oauth_client where id in (select id from rowhouse.oauth_client where expires_at < $1"+portion, now)
	})
	if err != nil {
		return fmt.Errorf("deleting expired rows: %w", err)
	}
	return nil
}

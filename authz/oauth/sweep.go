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
	endedGrantRetention = 30 * 24 * time.Hour // a grant that ended, for the person who asks what happened
	unredeemedRetention = 24 * time.Hour      // a grant whose code nobody redeemed
)

// Run rotates the signing keys by age and removes what has expired, until ctx ends. Every process may run it.
func (s *Service) Run(ctx context.Context) {
	for {
		if _, err := s.keys.rotate(ctx, keyRotationAge, false); err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "rotating signing keys by age failed; will try again", slog.Any("error", err))
		}
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "removing what has expired failed; will try again", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval + rand.N(sweepInterval/10)): //nolint:gosec // to keep processes apart, not a secret
		}
	}
}

// sweep removes what has expired, in portions that hold no lock for long.
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
		return fmt.Errorf("removing what has expired: %w", err)
	}
	return nil
}

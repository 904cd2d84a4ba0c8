package oauth

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/job"
)

const (
	sweepEvery   = 10 * time.Minute
	sweepTimeout = 5 * time.Minute
	sweepPortion = 5000 // rows per statement, so that no lock is kept for long

	endedGrantRetention = 30 * 24 * time.Hour // how long an ended grant is kept for inquiries
	unredeemedRetention = 24 * time.Hour      // how long a grant with an unredeemed code is kept
)

// The recurring jobs. Their kinds are stored, so they never change.
type (
	keyRotation struct{}
	expirySweep struct{}
)

func (keyRotation) Kind() string { return "oauth_key_rotation" }
func (expirySweep) Kind() string { return "oauth_sweep" }

// Schedule registers the rotation of signing keys by age and the deletion of expired rows. Call it
// before the client starts.
func (s *Service) Schedule(jobs *job.Client) {
	job.Every[keyRotation](jobs, sweepEvery, sweepTimeout, func(ctx context.Context) error {
		_, err := s.keys.rotate(ctx, keyRotationAge, false)
		return err
	})
	job.Every[expirySweep](jobs, sweepEvery, sweepTimeout, s.sweep)
}

// sweep deletes expired rows.
func (s *Service) sweep(ctx context.Context) error {
	now := s.now()
	for _, expired := range []struct {
		table, key, condition string
		args                  []any
	}{
		{"oauth_question", "handle_hash", "expires_at < $1", []any{now}},
		{"oauth_assertion", "jti_hash", "expires_at < $1", []any{now}},
		{
			"oauth_grant", "id", "expires_at < $1 or revoked_at < $1 or (redeemed_at is null and code_expires < $2)",
			[]any{now.Add(-endedGrantRetention), now.Add(-unredeemedRetention)},
		},
		{"oauth_device", "device_hash", "expires_at < $1", []any{now.Add(-deviceRetention)}},
		{"oauth_client", "id", "expires_at < $1", []any{now}},
	} {
		statement := fmt.Sprintf(`delete from rowhouse.%[1]s
			where %[2]s in (select %[2]s from rowhouse.%[1]s where %[3]s limit %[4]d)`,
			expired.table, expired.key, expired.condition, sweepPortion)
		for removed := int64(sweepPortion); removed == sweepPortion; {
			err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
				b.Queue(statement, expired.args...).Exec(func(tag pgconn.CommandTag) error {
					removed = tag.RowsAffected()
					return nil
				})
			})
			if err != nil {
				return fmt.Errorf("removing expired rows of %s: %w", expired.table, err)
			}
		}
	}
	return nil
}

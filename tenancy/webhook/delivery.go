package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// Deliveries returns the deliveries of a webhook, latest first, from before one on. State "" selects
// all states.
func (s *Store) Deliveries(
	ctx context.Context, org, base, webhook, before uuid.UUID, state State, limit int,
) (found []Delivery, more bool, err error) {
	if _, err := s.Get(ctx, org, base, webhook); err != nil {
		return nil, false, err
	}
	if before == uuid.Nil {
		before = uuid.Max
	}
	err = s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select id, changes, state, again, attempts, created_at, attempted_at, next_attempt_at, status, answer,
			failure, milliseconds from rowhouse.webhook_delivery
			where org_id = $1 and webhook_id = $2 and id < $3 and ($4 = '' or state = $4) order by id desc limit $5`,
			org, webhook, before, string(state), limit+1).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var d Delivery
				var milliseconds *int
				if err := rows.Scan(&d.ID, &d.Changes, &d.State, &d.Again, &d.Attempts, &d.CreatedAt, &d.AttemptedAt,
					&d.NextAttempt, &d.Status, &d.Answer, &d.Failure, &milliseconds); err != nil {
					return fmt.Errorf("reading a delivery: %w", err)
				}
				if milliseconds != nil {
					took := time.Duration(*milliseconds) * time.Millisecond
					d.Took = &took
				}
				found = append(found, d)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, false, fmt.Errorf("listing deliveries: %w", err)
	}
	if len(found) > limit {
		return found[:limit], true, nil
	}
	return found, false, nil
}

// SendAgain has a delivery sent once more, soon, whatever its state.
func (s *Store) SendAgain(ctx context.Context, org, base, webhook, delivery uuid.UUID) error {
	w, err := s.Get(ctx, org, base, webhook)
	if err != nil {
		return err
	}
	if !w.Enabled {
		return problem.Conflict("The webhook is disabled; enable it first.").WithCode(problem.CodeWebhookDisabled)
	}
	err = s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update rowhouse.webhook_delivery set again = true
			where org_id = $1 and webhook_id = $2 and id = $3`, org, webhook, delivery)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return problem.NotFound("delivery", id.Format(id.Delivery, delivery))
		}
		// Otherwise it would wait until the next attempt of a failing delivery.
		if _, err := tx.Exec(ctx, "update rowhouse.webhook set next_attempt_at = null where org_id = $1 and id = $2",
			org, webhook); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, org, s.event("send_webhook_delivery", base, webhook, w.Name, nil))
	})
	if err != nil {
		return fmt.Errorf("sending a delivery again: %w", err)
	}
	s.dispatch.wake(org)
	return nil
}

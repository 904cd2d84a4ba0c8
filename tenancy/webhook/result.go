package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// statusGone is the status of a receiver that wants no more messages (RFC 9110, 15.5.11).
const statusGone = 410

// A result is the result of an attempt.
type result struct {
	status  int // 0: there was no response
	answer  string
	failure string
	took    time.Duration
	final   bool // no further attempt can succeed
}

func (o *result) delivered() bool { return o.status >= 200 && o.status < 300 }

// printable returns the beginning of a response in a form that PostgreSQL can store.
func printable(answer []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(answer), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= maxAnswer {
		return text
	}
	cut := maxAnswer
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// store stores the result of an attempt: the delivery has arrived, is tried again later, or is given
// up. A delivery that a person had sent again and that does not arrive keeps its state and its
// remaining attempts.
func (r *run) store(ctx context.Context, h *leased, d *openDelivery, out result) error {
	state, attempts := d.state, d.attempts+1
	byHand := d.again && (d.state != Pending || d.next != nil && d.next.After(time.Now()))
	var next *time.Time
	switch {
	case out.delivered():
		state = Delivered
	case byHand && d.state == Pending:
		attempts, next = d.attempts, d.next
	case byHand:
	case out.final || attempts > len(r.schedule):
		state = Failed
	default:
		at := time.Now().Add(r.schedule[attempts-1])
		next = &at
	}
	failingSince := h.FailingSince
	switch {
	case out.delivered():
		failingSince = nil
	case byHand: // its result does not say how long the receiver fails
	case failingSince == nil:
		now := time.Now()
		failingSince = &now
	}
	if next != nil && failingSince != nil { // the last attempt is when the webhook is disabled
		if end := failingSince.Add(r.maxFailing); next.After(end) && end.After(time.Now()) {
			next = &end
		}
	}
	err := r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`with mine as (update rowhouse.webhook set failing_since = $11, slow = $12
				where org_id = $1 and id = $2 and lease = $13 returning id)
			update rowhouse.webhook_delivery set state = $4, again = false, attempts = $5, attempted_at = now(),
				next_attempt_at = $6, status = $7, answer = $8, failure = $9, milliseconds = $10
			where org_id = $1 and webhook_id = $2 and id = $3 and exists (select from mine)`,
			r.org, r.webhook, d.id, state, attempts, next, orNull(out.status), orNull(out.answer), orNull(out.failure),
			out.took.Milliseconds(), failingSince, out.took > slowAnswer || !out.delivered(), r.lease)
	})
	if err != nil {
		return fmt.Errorf("storing the result of a delivery: %w", err)
	}
	if out.delivered() {
		r.delivered.Add(1)
	} else {
		r.failed.Add(1)
	}
	switch {
	case out.status == statusGone:
		return r.disable(ctx, h, AnsweredNo)
	case failingSince != nil && time.Since(*failingSince) >= r.maxFailing:
		return r.disable(ctx, h, Failing)
	}
	return nil
}

func orNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// disable ends the deliveries of a webhook until a person enables it again.
func (r *run) disable(ctx context.Context, h *leased, reason Reason) error {
	disabled := false
	err := r.Store.DB.Tx(ctx, r.org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update rowhouse.webhook set enabled = false, disabled_reason = $4, notice_due = true,
				next_attempt_at = null, lease = null, leased_until = null
			where org_id = $1 and id = $2 and lease = $3 and enabled`, r.org, r.webhook, r.lease, reason)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		disabled = true
		event := r.Store.event("disable_webhook", h.Base, h.ID, h.Name, nil)
		event.Detail = map[string]string{
			"base": id.Format(id.Base, h.Base), "name": h.Name, "reason": string(reason),
		}
		return audit.RecordTx(ctx, tx, r.org, event)
	})
	if err != nil {
		return fmt.Errorf("disabling a webhook: %w", err)
	}
	if !disabled {
		return nil
	}
	if err := r.notifyDisabled(ctx); err != nil { // another check will notify
		r.Log.WarnContext(ctx, "the mail about a disabled webhook could not be queued; it will be",
			slog.Any("error", err))
	}
	return nil
}

// notifyDisabled queues one mail about each disabled webhook, to its creator and to the person who last
// enabled it, if they may still set up webhooks, and otherwise to the owners of the organization.
func (w *Worker) notifyDisabled(ctx context.Context) error {
	if w.Notify == nil {
		return nil
	}
	type notice struct {
		Org, ID uuid.UUID
		Name    string
		Reason  Reason
		Person  uuid.UUID
	}
	err := w.Store.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `with due as (update rowhouse.webhook u set notice_due = false from (
				select w.org_id, w.id from rowhouse.webhook w where w.notice_due limit 100 for update skip locked) q
			where u.org_id = q.org_id and u.id = q.id
			returning u.org_id, u.id, u.name, u.disabled_reason, u.created_by, u.owner_id),
		maker as (select d.org_id, d.id, m.person_id from due d join rowhouse.member m on m.org_id = d.org_id
			where m.person_id in (d.created_by, d.owner_id) and m.role in ('owner', 'admin'))
		select d.org_id, d.id, d.name, d.disabled_reason, m.person_id
		from due d join rowhouse.member m on m.org_id = d.org_id
		where case when exists (select from maker k where k.org_id = d.org_id and k.id = d.id)
			then exists (select from maker k where k.org_id = d.org_id and k.id = d.id and k.person_id = m.person_id)
			else m.role = 'owner' end and d.disabled_reason is not null`)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[notice])
		if err != nil {
			return err
		}
		for _, one := range all {
			name := one.Name
			if name == "" {
				name = id.Format(id.Webhook, one.ID)
			}
			if err := w.Notify(ctx, tx, one.Person, name, one.Reason); err != nil {
				return fmt.Errorf("queueing the mail: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("telling people of disabled webhooks: %w", err)
	}
	return nil
}

// release ends the lease. If there is more to do, or a change came meanwhile, it queues another job.
func (r *run) release(ctx context.Context, more bool, next *time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	was, err := r.end(ctx, next)
	switch {
	case err != nil:
		return err
	case more || was.queued:
		return r.insert(ctx, r.org, r.webhook, was.slow, time.Time{})
	case next != nil:
		return r.insert(ctx, r.org, r.webhook, true, *next)
	}
	return nil
}

// left is the state in which a run leaves its webhook.
type left struct {
	queued bool // a change came meanwhile
	slow   bool // the last attempt took long or failed
}

// end ends the lease, and forgets old deliveries.
func (r *run) end(ctx context.Context, next *time.Time) (left, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var out left
	err := r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.webhook set lease = null, leased_until = null, next_attempt_at = $4
			where org_id = $1 and id = $2 and lease = $3 returning enabled and queued_at is not null, slow`,
			r.org, r.webhook, r.lease, next).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := rows.Scan(&out.queued, &out.slow); err != nil {
					return fmt.Errorf("reading a webhook: %w", err)
				}
			}
			return rows.Err()
		})
		b.Queue(`delete from rowhouse.webhook_delivery where org_id = $1 and webhook_id = $2 and state <> 'pending'
			and (created_at < now() - $3::interval or id < (select d.id from rowhouse.webhook_delivery d
				where d.org_id = $1 and d.webhook_id = $2 order by d.id desc offset $4 limit 1))`,
			r.org, r.webhook, keepTime, keepNumber)
	})
	return out, wrap("releasing a webhook", err)
}

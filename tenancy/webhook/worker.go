package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A Sender reaches the addresses of webhooks.
type Sender interface {
	// Check returns an error that says what is wrong with an address, or nil.
	Check(url string) error
	// Post sends a message and returns the status and the beginning of the response's body, or an error if
	// there was no response. It follows no redirect.
	Post(ctx context.Context, url string, header map[string]string, body []byte) (status int, answer []byte, err error)
}

const (
	// leaseTime is how long a process that was killed keeps the others from its webhooks. A job renews its
	// lease while it works.
	leaseTime   = 9 * time.Second
	attemptTime = 15 * time.Second
	// shift is how long a job works on a webhook before it leaves it to another job, so that busy webhooks
	// take turns.
	shift = 10 * time.Second
	// linger is how long a job waits for changes when it has sent all, because starting another job
	// takes longer than polling. It does not wait while more than maxLingering jobs are at work.
	linger       = 2 * time.Second
	maxLingering = workers / 2
	// slowAnswer is how long an attempt takes at which the webhook is put among the slow ones.
	slowAnswer = 2 * time.Second

	maxAnswer  = 1000 // bytes of a response that are kept
	keepNumber = 1000 // deliveries of a webhook
	keepTime   = 30 * 24 * time.Hour
)

// schedule is how long after each failed attempt the next one follows: ten attempts in 75 hours.
var schedule = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

// maxFailing is how long a receiver fails until its webhook is disabled.
const maxFailing = 5 * 24 * time.Hour

// WorkerOptions are what a Worker needs in addition to a store and a client of jobs.
type WorkerOptions struct {
	Notifier *live.Notifier // nil: it polls
	// Notify queues the mail that notifies a person that a webhook was disabled; nil sends none.
	Notify func(ctx context.Context, tx pgx.Tx, person uuid.UUID, webhook string, reason Reason) error
	Log    *slog.Logger
}

// A Worker delivers.
type Worker struct {
	WorkerOptions

	Store *Store
	Jobs  *job.Client

	schedule   []time.Duration
	maxFailing time.Duration
	linger     time.Duration
	leaseTime  time.Duration

	atWork atomic.Int64  // jobs in this process
	turns  chan struct{} // of those that use the database

	delivered, failed atomic.Int64 // attempts
}

// A run is one job's work on a webhook.
type run struct {
	*Worker

	org, webhook, lease uuid.UUID
	until               time.Time // of the shift
	listener            *live.Waiter
	lingered            bool // the last look found nothing and waited in vain
}

// leased is a webhook as the owner of its lease sees it.
type leased struct {
	*Webhook

	secrets [][]byte
	role    organization.Role // of the owner; "" is no member
	open    []openDelivery    // pending, or to be sent again; oldest first
}

type openDelivery struct {
	id        uuid.UUID
	from, to  feed.Position
	state     State
	again     bool
	attempts  int
	createdAt time.Time
	due       bool
	next      *time.Time
}

// Run works on a webhook, unless another job does: it sends what waits, and what is new, until there is
// nothing left for now.
func (w *Worker) Run(ctx context.Context, org, webhook uuid.UUID) (err error) {
	w.atWork.Add(1)
	defer w.atWork.Add(-1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Worker: w, org: org, webhook: webhook, lease: id.New(), until: time.Now().Add(shift)}
	for first := true; ; first = false {
		h, err := r.hold(ctx)
		switch {
		case err != nil || h == nil && first:
			return err
		case h == nil:
			return r.release(context.WithoutCancel(ctx), false, nil)
		case first:
			go r.renew(ctx, cancel)
			r.listener = w.Notifier.Listen(org)
			defer r.listener.Close()
		}
		more, next, err := r.step(ctx, h)
		switch {
		case err != nil && ctx.Err() != nil: // the process stops, or another job has the lease
			return errors.Join(err, r.release(context.WithoutCancel(ctx), true, next))
		case err != nil: // the queue has the job tried again, later each time
			_, endErr := r.end(context.WithoutCancel(ctx), next)
			return errors.Join(err, endErr)
		}
		if more && time.Now().Before(r.until) && ctx.Err() == nil {
			continue
		}
		return r.release(context.WithoutCancel(ctx), more, next)
	}
}

// Counts returns how many attempts at messages of this process delivered one, and how many failed.
func (w *Worker) Counts() (delivered, failed int64) { return w.delivered.Load(), w.failed.Load() }

// renew renews the lease until ctx ends. If another job has taken it, this one ends, so that the two do
// not send at once.
func (r *run) renew(ctx context.Context, cancel context.CancelFunc) {
	ticker := time.NewTicker(r.leaseTime / 3)
	defer ticker.Stop()
	until := time.Now().Add(r.leaseTime)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		renewed, at := false, time.Now()
		err := r.batch(ctx, func(b *pgx.Batch) {
			b.Queue(`update rowhouse.webhook set leased_until = now() + $4 where org_id = $1 and id = $2 and lease = $3
				returning true`, r.org, r.webhook, r.lease, r.leaseTime).Query(func(rows pgx.Rows) error {
				for rows.Next() {
					renewed = true
				}
				return rows.Err()
			})
		})
		switch {
		case err == nil && !renewed, err != nil && time.Now().After(until):
			cancel()
			return
		case err == nil:
			until = at.Add(r.leaseTime)
		}
	}
}

// work does something with the database when it is its turn, so that webhooks leave connections to
// requests.
func (r *run) work(ctx context.Context, fn func() error) error {
	select {
	case r.turns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.turns }()
	return fn()
}

// batch sends statements in one transaction when it is their turn.
func (r *run) batch(ctx context.Context, queue func(b *pgx.Batch)) error {
	return r.work(ctx, func() error { return r.Store.DB.Batch(ctx, r.org, queue) })
}

// read reads a part of the feed when it is its turn.
func (r *run) read(ctx context.Context, h *leased, from feed.Position, limit *feed.Position) (found part, err error) {
	err = r.work(ctx, func() error {
		found, err = r.Store.readPart(ctx, r.org, h.Webhook, from, limit)
		return err
	})
	return found, err
}

// hold takes or renews the lease, and reads the webhook. It returns nil if another job works on it, or
// it is disabled or gone.
func (r *run) hold(ctx context.Context) (*leased, error) {
	var h *leased
	var sealed sealedSecrets
	err := r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.webhook w set lease = $3, leased_until = now() + $4, looked_at = now(),
				queued_at = null
			where w.org_id = $1 and w.id = $2 and w.enabled
				and (w.lease = $3 or w.leased_until is null or w.leased_until < now())
			returning w.secret, case when w.old_secret_until > now() then w.old_secret end, w.old_secret_until,
				w.sealed_with,
				(select m.role from rowhouse.member m where m.org_id = w.org_id and m.person_id = w.owner_id)`,
			r.org, r.webhook, r.lease, r.leaseTime).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				h = &leased{}
				var role *organization.Role
				if err := rows.Scan(&sealed.present, &sealed.former, &sealed.until, &sealed.with, &role); err != nil {
					return fmt.Errorf("reading a webhook: %w", err)
				}
				if role != nil {
					h.role = *role
				}
			}
			return rows.Err()
		})
		b.Queue("select "+columns+" from rowhouse.webhook w where w.org_id = $1 and w.id = $2 and w.lease = $3",
			r.org, r.webhook, r.lease).Query(func(rows pgx.Rows) (err error) {
			// A webhook that was disabled while the run had its lease is there, but its lease is lost.
			for h != nil && rows.Next() {
				if h.Webhook, err = scan(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		})
		b.Queue(`select id, from_position, to_position, state, again, attempts, created_at, next_attempt_at,
			again or next_attempt_at is null or next_attempt_at <= now() from rowhouse.webhook_delivery
			where org_id = $1 and webhook_id = $2 and (state = 'pending' or again) order by id limit 100`,
			r.org, r.webhook).Query(func(rows pgx.Rows) error {
			if h == nil {
				return nil
			}
			return h.scanOpen(rows)
		})
	})
	if err != nil || h == nil {
		return nil, wrap("taking up a webhook", err)
	}
	if h.secrets, err = r.open(ctx, sealed); err != nil {
		return nil, err
	}
	return h, nil
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (h *leased) scanOpen(rows pgx.Rows) error {
	for rows.Next() {
		var d openDelivery
		var from, to string
		err := rows.Scan(&d.id, &from, &to, &d.state, &d.again, &d.attempts, &d.createdAt, &d.next, &d.due)
		if err != nil {
			return fmt.Errorf("reading a delivery: %w", err)
		}
		if d.from, err = feed.ParsePosition("from_position", from); err != nil {
			return fmt.Errorf("reading a delivery: %w", err)
		}
		if d.to, err = feed.ParsePosition("to_position", to); err != nil {
			return fmt.Errorf("reading a delivery: %w", err)
		}
		h.open = append(h.open, d)
	}
	return rows.Err()
}

// step makes one attempt, or looks for something new. It returns whether there is more to do now, and
// when to go on otherwise.
func (r *run) step(ctx context.Context, h *leased) (more bool, next *time.Time, err error) {
	creator, err := r.ownerIsCreator(ctx, h)
	if err != nil {
		return false, nil, err
	}
	if !creator {
		return false, nil, r.disable(ctx, h, OwnerLeft)
	}
	for i := range h.open {
		if d := &h.open[i]; d.again {
			return true, nil, r.attempt(ctx, h, d, nil)
		}
	}
	if i := slices.IndexFunc(h.open, func(d openDelivery) bool { return d.state == Pending }); i >= 0 {
		d := &h.open[i]
		if !d.due {
			return false, d.next, nil
		}
		return true, nil, r.attempt(ctx, h, d, nil)
	}
	select { // what was rung until now is read now, and what is rung from now on is waited for
	case <-r.listener.C:
	default:
	}
	found, err := r.read(ctx, h, h.Position, nil)
	switch {
	case err != nil && problem.KindOf(err) == problem.KindNotFound: // the base was deleted
		return false, nil, nil
	case err != nil && problem.KindOf(err) == problem.KindGone:
		return false, nil, r.disable(ctx, h, TooOld)
	case err != nil && problem.KindOf(err) == problem.KindInvalid:
		return false, nil, r.disable(ctx, h, BadFilter)
	case err != nil:
		return true, nil, err
	case len(found.changes) > 0:
		return r.begin(ctx, h, found)
	case found.end.Compare(h.Position) > 0:
		if err := r.move(ctx, h, found.end); err != nil {
			return true, nil, err
		}
	}
	if found.more {
		return true, nil, nil
	}
	return r.waitForMore(ctx), nil, nil
}

// waitForMore waits a little for the next change, and reports whether to look again.
func (r *run) waitForMore(ctx context.Context) bool {
	if r.lingered || r.linger == 0 || r.atWork.Load() > maxLingering {
		return false
	}
	select {
	case <-ctx.Done():
	case <-r.listener.C:
		return true
	case <-time.After(r.linger):
		r.lingered = true
	}
	return ctx.Err() == nil
}

// begin makes a delivery of what was found, and tries it. The delivery is stored first, so that what is
// sent again after a crash is the same message.
func (r *run) begin(ctx context.Context, h *leased, found part) (more bool, next *time.Time, err error) {
	d := &openDelivery{
		id: id.New(), from: h.Position, to: found.end, state: Pending, due: true,
		createdAt: time.Now().Truncate(time.Microsecond), // as it is stored
	}
	made := false
	err = r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`with moved as (update rowhouse.webhook set position = $5
				where org_id = $1 and id = $2 and lease = $6 and position = $4 and enabled returning id)
			insert into rowhouse.webhook_delivery (org_id, webhook_id, id, from_position, to_position, changes, state,
				created_at)
			select $1, m.id, $3, $4, $5, $7, 'pending', $8 from moved m returning true`,
			r.org, r.webhook, d.id, d.from.String(), d.to.String(), r.lease, len(found.changes), d.createdAt).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					made = true
				}
				return rows.Err()
			})
	})
	if err != nil {
		return true, nil, fmt.Errorf("making a delivery: %w", err)
	}
	r.lingered = false
	if !made { // it was changed meanwhile
		return true, nil, nil
	}
	return true, nil, r.attempt(ctx, h, d, &found)
}

// move advances the position over changes that are not sent.
func (r *run) move(ctx context.Context, h *leased, to feed.Position) error {
	err := r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.webhook set position = $4
			where org_id = $1 and id = $2 and lease = $3 and position = $5`,
			r.org, r.webhook, r.lease, to.String(), h.Position.String())
	})
	return wrap("moving a webhook's position", err)
}

// attempt sends a delivery and stores what came of it. found is its part of the feed, or nil.
func (r *run) attempt(ctx context.Context, h *leased, d *openDelivery, found *part) error {
	if found == nil {
		again, err := r.read(ctx, h, d.from, &d.to)
		switch problem.KindOf(err) { //nolint:exhaustive // the others are errors below
		case problem.KindGone:
			gone := result{failure: "The history that is kept begins after these changes.", final: true}
			return r.store(ctx, h, d, gone)
		case problem.KindInvalid:
			return r.disable(ctx, h, BadFilter)
		}
		if err != nil {
			return err
		}
		found = &again
	}
	body, err := h.message(*found, d.createdAt)
	if err != nil {
		return err
	}
	started := time.Now()
	header := sign(id.Format(id.Delivery, d.id), started, body, h.secrets...)
	bounded, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	var out result
	var answer []byte
	out.status, answer, err = r.Store.Sender.Post(bounded, h.URL, header, body)
	if ctx.Err() != nil {
		return fmt.Errorf("sending a message: %w", ctx.Err()) // the process stops: it was not the receiver's fault
	}
	out.took = time.Since(started)
	out.answer = printable(answer)
	if err != nil {
		out.failure = printable([]byte(err.Error())) // it may quote what the receiver sent
	}
	return r.store(ctx, h, d, out)
}

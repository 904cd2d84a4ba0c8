package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/job"
)

// Slow receivers have their own queue, so that they do not delay the others.
const (
	queue     = "webhook"
	slowQueue = "webhook_slow"
)

// Concurrent workers of each queue per process. A worker mostly waits for a receiver.
const (
	workers     = 100
	slowWorkers = 50
	// maxTurns bounds the workers of a process that use the database at once.
	maxTurns = 4
)

// Queues returns the job queues of webhooks with the numbers of their workers.
func Queues() map[string]int { return map[string]int{queue: workers, slowQueue: slowWorkers} }

const (
	// dispatchPause is how long a process collects changed organizations.
	dispatchPause = 10 * time.Millisecond
	// refreshEvery is how often a process reads which organizations have webhooks.
	refreshEvery = time.Second
	// sweepEvery is how often a process looks for webhooks whose job was lost with its process.
	sweepEvery = 5 * time.Second
	// lookEvery is the time after which a webhook is checked without a notification.
	lookEvery = time.Minute

	attempts = 5 // of a job; only the database can fail it, not a receiver
)

// deliveryJob is the job that works on a webhook. Its kind is stored, so it must not change.
type deliveryJob struct {
	Org     uuid.UUID `json:"org"`
	Webhook uuid.UUID `json:"webhook"`
}

// Kind implements job.Args.
func (deliveryJob) Kind() string { return "webhook_delivery" }

// allTables stands for a change that may be in any base.
const allTables = 0

// A dispatcher collects the changes in this process: for each organization the numbers of tables.
type dispatcher struct {
	mu      sync.Mutex
	changed map[uuid.UUID]map[int32]bool
	known   map[uuid.UUID]bool // organizations with webhooks
	rung    chan struct{}
}

func newDispatcher() *dispatcher {
	return &dispatcher{
		changed: map[uuid.UUID]map[int32]bool{}, known: map[uuid.UUID]bool{}, rung: make(chan struct{}, 1),
	}
}

// NewWorker returns a worker. Its jobs run when the client of the queue starts.
func NewWorker(store *Store, jobs *job.Client, options WorkerOptions) *Worker {
	w := &Worker{
		WorkerOptions: options, Store: store, Jobs: jobs,
		schedule: schedule, maxFailing: maxFailing, linger: linger, leaseTime: leaseTime,
		turns: make(chan struct{}, maxTurns),
	}
	job.Handle(jobs, func(ctx context.Context, j deliveryJob) error { return w.Run(ctx, j.Org, j.Webhook) })
	return w
}

// Changed says that something has changed in the base of a table, or, with the number 0, in any base of the
// organization. It returns at once.
func (s *Store) Changed(org uuid.UUID, table int32) {
	s.dispatch.mu.Lock()
	known := s.dispatch.known[org]
	if known {
		s.dispatch.add(org, table)
	}
	s.dispatch.mu.Unlock()
	if known {
		s.dispatch.ring()
	}
}

// wake has a worker of this process look at the webhooks of an organization, which may have had none until now.
func (d *dispatcher) wake(org uuid.UUID) {
	d.mu.Lock()
	d.known[org] = true
	d.add(org, allTables)
	d.mu.Unlock()
	d.ring()
}

// add adds a change. The caller has locked.
func (d *dispatcher) add(org uuid.UUID, table int32) {
	if d.changed[org] == nil {
		d.changed[org] = map[int32]bool{}
	}
	d.changed[org][table] = true
}

func (d *dispatcher) ring() {
	select {
	case d.rung <- struct{}{}:
	default:
	}
}

// Dispatch queues jobs for webhooks with unsent changes, until ctx ends. Each process that changes
// organizations runs it.
func (w *Worker) Dispatch(ctx context.Context) {
	refresh, sweep := time.NewTicker(refreshEvery), time.NewTicker(sweepEvery)
	defer refresh.Stop()
	defer sweep.Stop()
	w.warn(ctx, w.refresh(ctx))
	w.warn(ctx, w.Sweep(ctx))
	w.warn(ctx, w.notifyDisabled(ctx))
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Store.dispatch.rung:
			w.warn(ctx, w.queueChanged(ctx))
			select {
			case <-ctx.Done():
				return
			case <-time.After(dispatchPause):
			}
		case <-refresh.C:
			w.warn(ctx, w.refresh(ctx))
		case <-sweep.C:
			w.warn(ctx, w.Sweep(ctx))
			w.warn(ctx, w.notifyDisabled(ctx))
		}
	}
}

func (w *Worker) warn(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		w.Log.WarnContext(ctx, "work on webhooks could not be queued; it will be", slog.Any("error", err))
	}
}

// refresh reads which organizations have webhooks.
func (w *Worker) refresh(ctx context.Context) error {
	var orgs []uuid.UUID
	err := w.Store.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select distinct org_id from rowhouse.webhook where enabled").Query(func(rows pgx.Rows) (err error) {
			orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("listing organizations with webhooks: %w", err)
	}
	known := make(map[uuid.UUID]bool, len(orgs))
	for _, org := range orgs {
		known[org] = true
	}
	w.Store.dispatch.mu.Lock()
	defer w.Store.dispatch.mu.Unlock()
	for org := range w.Store.dispatch.changed {
		known[org] = true // woken, and not committed when this was read
	}
	w.Store.dispatch.known = known
	return nil
}

// queueChanged queues jobs for the bases that have changed.
func (w *Worker) queueChanged(ctx context.Context) error {
	w.Store.dispatch.mu.Lock()
	changed := w.Store.dispatch.changed
	w.Store.dispatch.changed = make(map[uuid.UUID]map[int32]bool, len(changed))
	w.Store.dispatch.mu.Unlock()
	if len(changed) == 0 {
		return nil
	}
	// Null arrays would match nothing, so empty ones are used.
	orgs, whole, bases := []uuid.UUID{}, []uuid.UUID{}, []uuid.UUID{}
	for org, tables := range changed {
		orgs = append(orgs, org)
		of, ok := w.basesOf(ctx, org, tables)
		if !ok {
			whole = append(whole, org)
		}
		bases = append(bases, of...)
	}
	// It waits for locked rows because a sweep would send what it skipped only a minute later.
	return w.queue(ctx, `w.org_id = any ($1) and (w.org_id = any ($2) or w.base_id = any ($3)) and w.queued_at is null
		and (w.next_attempt_at is null or w.next_attempt_at <= now()) order by w.org_id, w.id for update`,
		orgs, whole, bases)
}

// basesOf returns the bases of tables. It returns false if it does not know all of them: then any base
// of the organization may have changed.
func (w *Worker) basesOf(ctx context.Context, org uuid.UUID, tables map[int32]bool) ([]uuid.UUID, bool) {
	if tables[allTables] {
		return nil, false
	}
	snapshot, err := w.Store.Schema.Cached(ctx, org)
	if err != nil {
		return nil, false
	}
	var bases []uuid.UUID
	for number := range tables {
		t := snapshot.TableByNumber(number)
		if t == nil {
			return nil, false
		}
		if !slices.Contains(bases, t.Base.ID) {
			bases = append(bases, t.Base.ID)
		}
	}
	return bases, true
}

// Sweep queues jobs for some of the webhooks whose job was lost, or that were not checked for long.
func (w *Worker) Sweep(ctx context.Context) error {
	return w.queue(ctx, `(w.leased_until is null or w.leased_until < now())
		and (w.queued_at is null or w.queued_at < now() - interval '10 seconds')
		and (w.next_attempt_at is null or w.next_attempt_at < now() - interval '5 seconds')
		and (w.queued_at is not null or w.next_attempt_at is not null or w.leased_until is not null
			or w.looked_at is null or w.looked_at < now() - $1::interval)
		order by w.looked_at nulls first limit 500 for update skip locked`, lookEvery)
}

// queue marks webhooks and inserts a job for each that no job has leased. A job that has leased one
// checks the mark before it ends.
func (w *Worker) queue(ctx context.Context, where string, args ...any) error {
	err := w.Store.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, fmt.Sprintf(`update rowhouse.webhook u set queued_at = now() from (
				select w.org_id, w.id from rowhouse.webhook w where w.enabled and %s) q
			where u.org_id = q.org_id and u.id = q.id
			returning u.org_id, u.id, u.slow, u.leased_until is not null and u.leased_until > now()`, where),
			args...)
		if err != nil {
			return err
		}
		type found struct {
			Org, Webhook uuid.UUID
			Slow, Leased bool
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[found])
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Leased {
				continue
			}
			if err := w.insertTx(ctx, tx, one.Org, one.Webhook, one.Slow, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("queueing webhooks: %w", err)
	}
	return nil
}

func (w *Worker) insertTx(ctx context.Context, tx pgx.Tx, org, webhook uuid.UUID, slow bool, at time.Time) error {
	to := job.InsertOptions{Queue: queue, Attempts: attempts, At: at}
	if slow {
		to.Queue = slowQueue
	}
	return w.Jobs.InsertTx(ctx, tx, deliveryJob{org, webhook}, to)
}

// insert inserts a job in a transaction of its own.
func (w *Worker) insert(ctx context.Context, org, webhook uuid.UUID, slow bool, at time.Time) error {
	return w.Store.DB.SystemTx(ctx, func(tx pgx.Tx) error { return w.insertTx(ctx, tx, org, webhook, slow, at) })
}

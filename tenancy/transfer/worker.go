package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	queue   = "transfer"
	workers = 2 // of a process; each may keep one connection for a snapshot
	// Backups have a queue of their own, so that nobody waits for them.
	backupQueue   = "backup"
	backupWorkers = 1

	runTime   = time.Hour // of one run, after which a job fails
	leaseTime = 30 * time.Second
	// sweepEvery is how often a process looks for jobs whose worker died, or that were not queued.
	sweepEvery = 5 * time.Second
	// queueAgain is after which time a job that nobody took is queued once more.
	queueAgain  = time.Minute
	maxAttempts = 5 // of a step
	attempts    = 3 // of a job of the queue, which only the database can fail
	// othersTime is how long a job waits while another job of its organization runs.
	othersTime = 2 * time.Second
	// kept is how long a job that has ended is listed.
	kept = 30 * 24 * time.Hour
)

// Queues are the queues of the jobs, with their numbers of workers.
func Queues() map[string]int { return map[string]int{queue: workers, backupQueue: backupWorkers} }

// queuedJob is the job of the queue. Its kind is stored, so it must not change.
type queuedJob struct {
	Org uuid.UUID `json:"org"`
	ID  uuid.UUID `json:"id"`
}

func (queuedJob) Kind() string { return "transfer" }

// waitingJob is a job that is to be queued.
type waitingJob struct {
	Org, ID uuid.UUID
	Kind    Kind
}

// forgetJob is the recurring job that deletes old jobs. Its kind is stored, so it must not change.
type forgetJob struct{}

func (forgetJob) Kind() string { return "transfer_sweep" }

// Work registers the worker. Call it before the client of the queue starts.
func (s *Store) Work() {
	job.HandleWithin(s.Jobs, runTime+time.Minute, func(ctx context.Context, in queuedJob) error {
		return s.Run(ctx, in.Org, in.ID)
	})
	job.Every[forgetJob](s.Jobs, time.Hour, time.Minute, s.forget)
	job.Every[nightlyJob](s.Jobs, backupsEvery, 4*time.Minute, s.BeginDueBackups)
}

// forget deletes jobs that ended long ago.
func (s *Store) forget(ctx context.Context) error {
	var orgs []uuid.UUID
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select distinct org_id from rowhouse.job where ended_at < now() - $1::interval", kept).
			Query(func(rows pgx.Rows) (err error) {
				orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	for _, org := range orgs {
		err = errors.Join(err, s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("delete from rowhouse.job where org_id = $1 and ended_at < now() - $2::interval", org, kept)
		}))
	}
	if err != nil {
		return fmt.Errorf("deleting old jobs: %w", err)
	}
	return nil
}

// queue inserts jobs of the queue.
func (s *Store) queue(ctx context.Context, jobs []waitingJob) error {
	return s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		for _, one := range jobs {
			to := job.InsertOptions{Queue: queue, Attempts: attempts}
			if one.Kind == BackupBase {
				to.Queue = backupQueue
			}
			err := s.Jobs.InsertTx(ctx, tx, queuedJob{one.Org, one.ID}, to)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Sweep queues jobs that nobody works on: their worker died, or the process that began them before they were queued.
// Each process that works on jobs runs it now and then.
func (s *Store) Sweep(ctx context.Context) error {
	var lost []waitingJob
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.job u set queued_at = now() from (select org_id, id from rowhouse.job
				where state in ('queued', 'running') and (leased_until is null or leased_until < now())
				and (not_before is null or not_before <= now())
				and (queued_at is null or queued_at < now() - $1::interval) limit 100 for update skip locked) q
			where u.org_id = q.org_id and u.id = q.id returning u.org_id, u.id, u.kind`, queueAgain).
			Query(func(rows pgx.Rows) (err error) {
				lost, err = pgx.CollectRows(rows, pgx.RowToStructByPos[waitingJob])
				return err
			})
	})
	if err == nil && len(lost) > 0 {
		err = s.queue(ctx, lost)
	}
	if err != nil {
		return fmt.Errorf("looking for lost jobs: %w", err)
	}
	return nil
}

// KeepSweeping sweeps until ctx ends.
func (s *Store) KeepSweeping(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "lost jobs could not be queued; they will be", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Run works on a job until it has ended, unless another worker has it.
func (s *Store) Run(ctx context.Context, org, which uuid.UUID) error {
	j, err := s.take(ctx, org, which)
	if err != nil || j == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		s.renew(working, j, stop)
	}()
	err = s.work(working, j)
	cause := context.Cause(working)
	stop(nil)
	<-renewed
	if errors.Is(cause, errStopped) {
		err = errStopped
	}
	return s.settle(ctx, j, err)
}

// isDry is true for dry runs of imports.
const isDry = "coalesce(%s.request->>'dryRun' = 'true', false)"

// lane is what a job has to be different in to run at the same time as another one of its organization.
const lane = "(case when %[1]s.kind = 'backup_base' then 'backup' when " +
	"coalesce(%[1]s.request->>'dryRun' = 'true', false) then 'dry run' else '' end)"

// take leases a job that waits, or whose lease has ended. It returns nil if another worker has it. An organization has
// one job at a time in all processes, so that the others need not wait for it, and in addition one dry run, for which
// somebody waits, and one
// backup.
func (s *Store) take(ctx context.Context, org, which uuid.UUID) (*Job, error) {
	lease := id.New()
	var taken, others bool
	alike := fmt.Sprintf(lane, "o") + " = " + fmt.Sprintf(lane, "u")
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select pg_advisory_xact_lock($1, hashtext($2))", db.LockJob, org.String())
		b.Queue(`select exists (select from rowhouse.job o join rowhouse.job u on u.org_id = o.org_id
			where o.org_id = $1 and o.id <> $2 and u.id = $2 and o.leased_until > now() and `+alike+")",
			org, which).QueryRow(func(row pgx.Row) error { return row.Scan(&others) })
		// Of a job that was cancelled while a worker had it that died.
		b.Queue(`update rowhouse.job set state = 'cancelled', ended_at = now(), secret = null
			where org_id = $1 and id = $2 and cancelled and state in ('queued', 'running')
				and (leased_until is null or leased_until < now())`, org, which)
		b.Queue(`update rowhouse.job u set lease = $3, leased_until = now() + $4::interval, state = 'running',
				started_at = coalesce(started_at, now())
			where org_id = $1 and id = $2 and state in ('queued', 'running') and not cancelled
				and (leased_until is null or leased_until < now()) and coalesce(not_before, now()) <= now()
				and not exists (select from rowhouse.job o
					where o.org_id = $1 and o.id <> $2 and o.leased_until > now() and `+alike+`)
			returning true`, org, which, lease, s.leaseTime).
			Query(func(rows pgx.Rows) error {
				taken = rows.Next()
				rows.Close()
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("taking a job: %w", err)
	}
	if !taken {
		if others {
			return nil, s.waitForOthers(ctx, org, which)
		}
		return nil, nil //nolint:nilnil // by the contract above
	}
	j, err := s.Get(ctx, org, which)
	if err == nil {
		j.lease = lease
		s.announce(j, j.Done, j.Total)
	}
	return j, err
}

// waitForOthers lets the queue run a job again soon.
func (s *Store) waitForOthers(ctx context.Context, org, which uuid.UUID) error {
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.job set queued_at = now() where org_id = $1 and id = $2", org, which)
	})
	if err != nil {
		return fmt.Errorf("postponing a job: %w", err)
	}
	return job.Snooze(othersTime)
}

// renew keeps the lease of a job, and stops the work if somebody has cancelled the job or has taken it over.
func (s *Store) renew(ctx context.Context, j *Job, stop context.CancelCauseFunc) {
	tick := time.NewTicker(s.leaseTime / 15)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		mine := false
		err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
			b.Queue(`update rowhouse.job set leased_until = now() + $4::interval
				where org_id = $1 and id = $2 and lease = $3 and not cancelled returning true`,
				j.Org, j.ID, j.lease, s.leaseTime).
				Query(func(rows pgx.Rows) error {
					mine = rows.Next()
					rows.Close()
					return rows.Err()
				})
		})
		switch {
		case err == nil && !mine, err != nil && time.Since(last) > s.leaseTime/2:
			stop(errStopped)
			return
		case err == nil:
			last = time.Now()
		}
	}
}

// settle writes down how the work ended. Work that was interrupted is left to another worker.
func (s *Store) settle(ctx context.Context, j *Job, failure error) error {
	interrupted := ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded)
	timedOut := errors.Is(ctx.Err(), context.DeadlineExceeded)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if failure == nil {
		return nil // finish has written it down
	}
	if errors.Is(failure, errStopped) {
		defer s.clearCancelled(ctx, j)
		return s.release(ctx, j, `state = case when cancelled then 'cancelled' else state end,
			ended_at = case when cancelled then now() end, secret = case when not cancelled then secret end`)
	}
	if interrupted || errors.Is(failure, errLater) {
		return s.release(ctx, j, "not_before = null")
	}
	kind := problem.KindOf(failure)
	var wrong *problem.Error
	temporary := kind == problem.KindUnavailable || kind == problem.KindInternal || kind == problem.KindRateLimited ||
		errors.As(failure, &wrong) && wrong.Code == problem.CodeSchemaChanged
	if temporary && !timedOut && j.attempts+1 < maxAttempts {
		s.Log.WarnContext(ctx, "a job will go on later", slog.String("job", j.PublicID()), slog.Any("error", failure))
		return s.release(ctx, j, fmt.Sprintf("attempts = attempts + 1, not_before = now() + interval '%d seconds'",
			1<<j.attempts))
	}
	message := failure.Error()
	switch {
	case timedOut:
		message = fmt.Sprintf("The job took longer than %s.", runTime)
	case kind == problem.KindInternal:
		s.Log.ErrorContext(ctx, "a job failed", slog.String("job", j.PublicID()), slog.Any("error", failure))
		message = "Something went wrong here. Nothing more was done; try again, or ask the operator of this Rowhouse."
	}
	if j.Report == nil {
		j.Report = &Report{}
	}
	j.Report.Problem = message
	report, err := json.Marshal(j.Report)
	if err != nil {
		return fmt.Errorf("encoding a report: %w", err)
	}
	if j.Kind == BackupBase {
		return s.failBackup(ctx, j, message, report)
	}
	return s.release(ctx, j, "state = 'failed', ended_at = now(), secret = null, report = $4", report)
}

// release ends the lease of a job.
func (s *Store) release(ctx context.Context, j *Job, set string, args ...any) error {
	err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.job set lease = null, queued_at = null, "+
			"leased_until = case when state = 'running' then now() end, "+set+
			" where org_id = $1 and id = $2 and lease = $3", append([]any{j.Org, j.ID, j.lease}, args...)...)
	})
	if err != nil {
		return fmt.Errorf("ending the lease of a job: %w", err)
	}
	if now, err := s.Get(ctx, j.Org, j.ID); err == nil {
		s.announce(now, now.Done, now.Total)
	}
	return nil
}

// queueStep queues the note that a step is done, which fails the transaction if another worker has the job.
func (s *Store) queueStep(b *pgx.Batch, j *Job, set string, args ...any) {
	b.Queue(`with mine as (update rowhouse.job set step = step + 1, attempts = 0, `+set+`
			where org_id = $1 and id = $2 and lease = $3 and step = $4 returning id)
		select gate.assert(exists (select from mine), '`+db.StateJobMoved+"')",
		append([]any{j.Org, j.ID, j.lease, j.step}, args...)...)
}

// finish ends a job that has done its work.
func (s *Store) finish(ctx context.Context, j *Job, file *uuid.UUID) error {
	report, err := json.Marshal(j.Report)
	if err != nil {
		return fmt.Errorf("encoding a report: %w", err)
	}
	rows := 0
	for i := range j.Report.Tables {
		rows += j.Report.Tables[i].Rows
	}
	err = s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		s.queueStep(b, j, `state = 'done', ended_at = now(), secret = null, lease = null, leased_until = null,
			report = $5,
			file_id = $6, done = $7, total = $7, progress = $8`, report, file, rows, j.progress)
		audit.Record(ctx, b, j.Org, &audit.Event{
			Action: j.Kind.action(), Subject: j.PublicID(), Detail: map[string]any{"rows": rows, "ended": true},
		})
	})
	if pgerror.Is(err, db.StateJobMoved) {
		return errStopped
	}
	if err != nil {
		return fmt.Errorf("ending a job: %w", err)
	}
	j.State = Done
	s.announce(j, int64(rows), int64(rows))
	return nil
}

// work does what the job is for.
func (s *Store) work(ctx context.Context, j *Job) error {
	ctx = db.WithActor(ctx, db.Actor{
		Person: j.Person, Kind: j.Caller.Kind, Credential: j.Caller.Credential, Request: j.PublicID(),
		ChangeSet: j.ChangeSet, Blind: j.Caller.Blind, Nameless: j.Caller.Nameless,
		Quiet: j.Kind == BackupBase, // its end is the event
	})
	var err error
	switch j.Kind {
	case ExportTable:
		err = s.exportTable(ctx, j)
	case ExportBase:
		err = s.exportBase(ctx, j)
	case ImportTable, ImportBase:
		err = s.importFile(ctx, j)
	case ImportAirtable, ImportProduct:
		err = s.importProduct(ctx, j)
	case ImportArchive, DuplicateBase, DuplicateTable:
		err = s.importArchive(ctx, j)
	case BackupBase:
		err = s.backUp(ctx, j)
	default:
		err = fmt.Errorf("a job of the unknown kind %q", j.Kind)
	}
	if pgerror.Is(err, db.StateJobMoved) {
		return errStopped
	}
	return err
}

// asPerson returns a context in which schemas are those that the job's person sees now, and the actor. It returns an
// error of kind forbidden if the person is no member, or has a weaker role in the base than needed, unless mayInstead
// lets them.
func (s *Store) asPerson(
	ctx context.Context, j *Job, needed schema.BaseRole, mayInstead func(s *schema.Snapshot) bool,
) (context.Context, record.Actor, error) {
	if j.Kind == BackupBase { // the service works for the organization, and sees all of it
		return catalog.WithoutCaller(ctx), record.Actor{Org: j.Org, Person: j.Person, Admin: true}, nil
	}
	member, err := s.Schema.Member(ctx, j.Org, j.Person)
	if err != nil {
		return nil, record.Actor{}, err
	}
	member.View = j.Caller.View
	lost := problem.Forbidden("The person of the job may not do this in the base any more.").
		WithCode(problem.CodeInsufficientRole)
	if member.Role == "" {
		return nil, record.Actor{}, lost
	}
	ctx = catalog.WithCaller(ctx, member)
	snapshot, err := s.Schema.Fresh(ctx, j.Org)
	if err != nil {
		return nil, record.Actor{}, fmt.Errorf("reading the schema: %w", err)
	}
	role := snapshot.RoleOf(member.Subject(j.Org), j.Base)
	if j.Base == uuid.Nil { // it makes one
		role = schema.InOpenBase(member.Role)
	}
	if !role.AtLeast(needed) && (mayInstead == nil || !mayInstead(snapshot)) {
		return nil, record.Actor{}, lost
	}
	return ctx, record.Actor{Org: j.Org, Person: j.Person, Admin: role == schema.BaseCreator}, nil
}

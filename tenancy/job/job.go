// Package job runs background work from a durable queue in PostgreSQL. A job is inserted in the
// transaction of the change that it belongs to. One of the processes runs it after the commit, and
// retries it with growing delays until it succeeds or has used up its attempts. A job may run more
// than once, for example if a process dies while running it.
//
// The queue is github.com/riverqueue/river, and all imports of it are here. Its rows are kept for a
// while, so the arguments of a job must not contain secrets in plain text: encrypt them, or let the
// worker create them.
package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// Schema is the PostgreSQL schema of the queue's tables (migrations/019_job.sql).
const Schema = "river"

const (
	// MaxConns is the maximum number of connections of a started Client, including the one that
	// listens for new jobs.
	MaxConns = 4

	// Clients poll for jobs in addition to listening, because an insertion that closely follows
	// another one of the same process, or one that was rolled back, sends no notification.
	pollInterval       = 2 * time.Second
	attemptTimeout     = time.Minute      // of one attempt
	rescueAfter        = 10 * time.Minute // after which a job of a dead process is retried
	completedRetention = time.Hour
	discardedRetention = 7 * 24 * time.Hour
	shutdownGrace      = 8 * time.Second // for running jobs to finish when the client stops
)

// Args are the arguments of a job. They are stored as JSON; their Kind must never change.
type Args = river.JobArgs

// Options configure a Client.
type Options struct {
	Queues map[string]int // concurrent workers of each queue in this process
	// Prefix is prepended to the names of queues, so that clients with different prefixes share a
	// database without running each other's jobs. Tests use it.
	Prefix string
	Log    *slog.Logger // nil logs nothing
}

// A Client inserts jobs and, once started, runs them. Its methods are safe for concurrent use.
type Client struct {
	pool    *pgxpool.Pool
	river   *river.Client[pgx.Tx]
	workers *river.Workers
	prefix  string
	log     *slog.Logger
	started bool

	recurring bool // Every was called

	done, failed, discarded atomic.Int64
}

// Open returns a client for the URL of the login for jobs (migrations.Job). The URL must reach
// PostgreSQL without a proxy in transaction pooling mode, because the client listens for
// notifications and sets the role rowhouse_system on its connections. It connects when Start is
// called.
func Open(ctx context.Context, databaseURL string, options Options) (*Client, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		// The cause may contain the password.
		return nil, errors.New("reading the database URL of the job queue: it is not a PostgreSQL URL")
	}
	config.MaxConns = MaxConns - 1 // the listener takes its connection from the pool and keeps it
	config.MaxConnIdleTime = time.Minute
	config.MaxConnLifetime = 30 * time.Minute
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.ConnConfig.RuntimeParams["application_name"] = "rowhouse jobs"
	config.ConnConfig.RuntimeParams["role"] = "rowhouse_system"
	config.ConnConfig.RuntimeParams["statement_timeout"] = "15000"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("preparing the job queue: %w", err)
	}
	c := &Client{pool: pool, workers: river.NewWorkers(), prefix: options.Prefix, log: options.Log}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	queues := map[string]river.QueueConfig{}
	for name, atOnce := range options.Queues {
		queues[c.prefix+name] = river.QueueConfig{MaxWorkers: atOnce}
	}
	c.river, err = river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema:  Schema,
		Workers: c.workers,
		Queues:  queues,
		Logger:  slog.New(warningsOnly{c.log.Handler()}),

		FetchPollInterval:           pollInterval,
		JobTimeout:                  attemptTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: completedRetention,
		CancelledJobRetentionPeriod: completedRetention,
		DiscardedJobRetentionPeriod: discardedRetention,
		SoftStopTimeout:             shutdownGrace,
		ErrorHandler:                errorHandler{c},
		// Only the owner of an index may rebuild it, and rowhouse_system owns none.
		ReindexerSchedule: river.NeverSchedule(),
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("preparing the job queue: %w", err)
	}
	return c, nil
}

// Handle registers the worker of a kind of job. Call it before Start. After an error the job is
// retried, unless the error is made by Cancel.
func Handle[T Args](c *Client, work func(ctx context.Context, args T) error) {
	river.AddWorker(c.workers, river.WorkFunc(func(ctx context.Context, j *river.Job[T]) error {
		err := work(ctx, j.Args)
		if err == nil {
			c.done.Add(1)
		}
		return err
	}))
}

// HandleWithin is Handle for jobs that may take longer than others. A job that outlives its process is run again when
// timeout has passed, so work must notice by itself that another worker has taken over.
func HandleWithin[T Args](c *Client, timeout time.Duration, work func(ctx context.Context, args T) error) {
	river.AddWorker(c.workers, &timed[T]{c: c, timeout: timeout, work: work})
}

// timed is the worker of HandleWithin.
type timed[T Args] struct {
	river.WorkerDefaults[T]

	c       *Client
	timeout time.Duration
	work    func(ctx context.Context, args T) error
}

func (t *timed[T]) Timeout(*river.Job[T]) time.Duration { return t.timeout }

func (t *timed[T]) Work(ctx context.Context, j *river.Job[T]) error {
	err := t.work(ctx, j.Args)
	if err == nil {
		t.c.done.Add(1)
	}
	return err
}

// Cancel wraps an error so that the job is not retried.
func Cancel(err error) error { return river.JobCancel(err) }

// Snooze is the result of a worker that is to run again after the given time. It does not count as
// an attempt.
func Snooze(after time.Duration) error { return river.JobSnooze(after) }

// Start runs jobs until Close. It returns an error when the queue is unreachable or the role is
// wrong.
func (c *Client) Start(ctx context.Context) error {
	var role string
	if err := c.pool.QueryRow(ctx, "select current_user").Scan(&role); err != nil {
		return fmt.Errorf("connecting to the job queue: %w", err)
	}
	if role != "rowhouse_system" {
		return errors.New("the connections of the job queue do not get the role rowhouse_system: a proxy drops it; " +
			"set JOB_DATABASE_URL to PostgreSQL itself")
	}
	// The client must outlive ctx: Close stops it.
	if err := c.river.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("starting the job queue: %w", err)
	}
	c.started = true
	return nil
}

// Close stops fetching jobs, waits for running ones, and closes the connections. Queued jobs are
// run by other processes or after the next start.
func (c *Client) Close(ctx context.Context) {
	if c.started {
		if err := c.river.Stop(ctx); err != nil {
			c.log.WarnContext(ctx, "jobs were interrupted; they will be retried", slog.Any("error", err))
		}
	}
	c.pool.Close()
}

// InsertOptions determine how a job is queued.
type InsertOptions struct {
	Queue    string
	Priority int       // 1 (first) to 4, within the queue
	Attempts int       // maximum number of attempts
	At       time.Time // before which it does not run; zero: at once
	// Unique skips the insertion while a job of the same kind and arguments is queued or running.
	Unique bool
}

// InsertTx inserts a job in a transaction of the role rowhouse_system. The job exists when the
// transaction commits. After an error the transaction is unusable.
func (c *Client) InsertTx(ctx context.Context, tx pgx.Tx, args Args, to InsertOptions) error {
	options := &river.InsertOpts{
		Queue: c.prefix + to.Queue, Priority: to.Priority, MaxAttempts: to.Attempts, ScheduledAt: to.At,
	}
	if to.Unique {
		options.UniqueOpts = river.UniqueOpts{ByArgs: true, ByQueue: true, ByState: unfinished()}
	}
	if _, err := c.river.InsertTx(ctx, tx, args, options); err != nil {
		return fmt.Errorf("queueing a job: %w", err)
	}
	return nil
}

func unfinished() []rivertype.JobState {
	return []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}
}

// Waiting returns the number of queued jobs by queue, including those of other processes.
func (c *Client) Waiting(ctx context.Context) (map[string]int64, error) {
	rows, err := c.pool.Query(ctx, `select queue, count(*) from river.river_job
		where state in ('available', 'retryable', 'scheduled') group by queue`)
	if err != nil {
		return nil, fmt.Errorf("counting waiting jobs: %w", err)
	}
	waiting := map[string]int64{}
	var queue string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&queue, &n}, func() error {
		if name, ours := strings.CutPrefix(queue, c.prefix); ours {
			waiting[name] = n
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("counting waiting jobs: %w", err)
	}
	return waiting, nil
}

// Counts returns how many jobs this process has completed, how many attempts failed, and how many
// jobs were discarded after their last attempt.
func (c *Client) Counts() (done, failed, discarded int64) {
	return c.done.Load(), c.failed.Load(), c.discarded.Load()
}

// Connections returns the number of open connections, without the one that listens.
func (c *Client) Connections() int { return int(c.pool.Stat().TotalConns()) }

// errorHandler logs and counts failed attempts and discarded jobs. It never logs arguments.
type errorHandler struct{ c *Client }

func (f errorHandler) HandleError(ctx context.Context, j *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.record(ctx, j, slog.Any("error", err))
	return nil
}

func (f errorHandler) HandlePanic(
	ctx context.Context,
	j *rivertype.JobRow,
	panicked any,
	trace string,
) *river.ErrorHandlerResult {
	f.record(ctx, j, slog.Any("panic", panicked), slog.String("trace", trace))
	return nil
}

func (f errorHandler) record(ctx context.Context, j *rivertype.JobRow, why ...any) {
	f.c.failed.Add(1)
	about := append([]any{slog.String("kind", j.Kind), slog.Int64("job", j.ID), slog.Int("attempt", j.Attempt)}, why...)
	if j.Attempt < j.MaxAttempts {
		f.c.log.WarnContext(ctx, "a job failed and will be tried again", about...)
		return
	}
	f.c.discarded.Add(1)
	f.c.log.ErrorContext(ctx, "a job was discarded", about...)
}

// warningsOnly drops log records below the level Warn, because the library logs much routine
// information.
type warningsOnly struct{ slog.Handler }

func (w warningsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

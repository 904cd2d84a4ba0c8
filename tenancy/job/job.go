// Package job runs background work from a durable queue in PostgreSQL: a job is inserted in the transaction of what
// it belongs to, and one of the processes works it once that transaction is committed, again and again with growing
// pauses until it succeeds or has used up its attempts. It may run twice, if a process dies at the wrong moment.
//
// The queue is github.com/riverqueue/river, and every import of it lives here. Its rows persist, so the arguments of
// a job must hold no secret in clear text: seal it, or let the worker make it.
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

// Schema is where the tables of the queue are (migrations/019_job.sql).
const Schema = "river"

const (
	// MaxConns is how many connections a started Client keeps to itself at most, one of them to listen for new jobs.
	MaxConns = 4

	// Clients listen for new jobs. They also look for them, because an insertion that closely follows another one of the
	// same process, or one that was rolled back, notifies nobody.
	pollInterval       = 2 * time.Second
	attemptTimeout     = time.Minute      // of one attempt
	rescueAfter        = 10 * time.Minute // after which a job whose process died is taken up again
	completedRetention = time.Hour
	discardedRetention = 7 * 24 * time.Hour
	shutdownGrace      = 8 * time.Second // what running jobs get to finish when the client stops
)

// Args are what a job is about. They are stored as JSON; Kind names them and never changes.
type Args = river.JobArgs

// Options shape a Client.
type Options struct {
	Queues map[string]int // how many jobs of each queue this process works at once
	// Prefix goes before the name of every queue, so that clients with different prefixes share a database without
	// working each other's jobs. Tests need it.
	Prefix string
	Log    *slog.Logger // nil logs nothing
}

// A Client inserts jobs and, once started, works them. Its methods may be called from many goroutines.
type Client struct {
	pool    *pgxpool.Pool
	river   *river.Client[pgx.Tx]
	workers *river.Workers
	prefix  string
	log     *slog.Logger
	started bool

	done, failed, discarded atomic.Int64
}

// Open prepares a client for the database of a URL, which must reach PostgreSQL without a proxy that shares sessions:
// the client listens for new jobs, and its connections take the role rowhouse_system as they are opened. Nothing is
// connected before Start.
func Open(ctx context.Context, databaseURL string, options Options) (*Client, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, errors.New("reading the database URL of the job queue: it is no PostgreSQL URL") // the cause may repeat its password
	}
	config.MaxConns = MaxConns - 1 // the listener takes its connection out of the pool
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
		// Only the owner of an index may build it anew, and rowhouse_system owns nothing.
		ReindexerSchedule: river.NeverSchedule(),
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("preparing the job queue: %w", err)
	}
	return c, nil
}

// Handle says how the jobs of a kind are worked. Call it before Start. An error of work lets the job be tried again
// later; Cancel makes one that is final.
func Handle[T Args](c *Client, work func(ctx context.Context, args T) error) {
	river.AddWorker(c.workers, river.WorkFunc(func(ctx context.Context, j *river.Job[T]) error {
		err := work(ctx, j.Args)
		if err == nil {
			c.done.Add(1)
		}
		return err
	}))
}

// Cancel is an error after which a job is not tried again.
func Cancel(err error) error { return river.JobCancel(err) }

// Start begins to work jobs, until Close. It fails when the queue cannot be reached.
func (c *Client) Start(ctx context.Context) error {
	var role string
	if err := c.pool.QueryRow(ctx, "select current_user").Scan(&role); err != nil {
		return fmt.Errorf("connecting to the job queue: %w", err)
	}
	if role != "rowhouse_system" {
		return errors.New("the connections of the job queue do not get the role rowhouse_system: a proxy leaves it out; " +
			"set JOB_DATABASE_URL to PostgreSQL itself")
	}
	// The client must outlive what started it: Close stops it.
	if err := c.river.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("starting the job queue: %w", err)
	}
	c.started = true
	return nil
}

// Close takes no more jobs, waits for those under way, and ends the connections. What waits is worked by other
// processes, or after the next start.
func (c *Client) Close(ctx context.Context) {
	if c.started {
		if err := c.river.Stop(ctx); err != nil {
			c.log.WarnContext(ctx, "jobs were interrupted; they are taken up again", slog.Any("error", err))
		}
	}
	c.pool.Close()
}

// InsertOptions says where a job goes.
type InsertOptions struct {
	Queue    string
	Priority int // 1, the first, to 4; a job is worked before those of the same queue with a higher number
	Attempts int // how often it is tried in all
	// Unique keeps the job out while one of the same kind and arguments waits, runs, or has just finished.
	Unique bool
}

// InsertTx adds a job in a transaction of any door, for which it takes the role rowhouse_system and returns to the
// former one. The job exists when that transaction commits. An error leaves the transaction unusable.
func (c *Client) InsertTx(ctx context.Context, tx pgx.Tx, args Args, to InsertOptions) error {
	options := &river.InsertOpts{Queue: c.prefix + to.Queue, Priority: to.Priority, MaxAttempts: to.Attempts}
	if to.Unique {
		options.UniqueOpts = river.UniqueOpts{ByArgs: true, ByQueue: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
			rivertype.JobStateRunning, rivertype.JobStateScheduled,
		}}
	}
	var former string
	if err := tx.QueryRow(ctx, "select current_setting('role')").Scan(&former); err != nil {
		return fmt.Errorf("queueing a job: %w", err)
	}
	if _, err := tx.Exec(ctx, "select set_config('role', 'rowhouse_system', true)"); err != nil {
		return fmt.Errorf("queueing a job: %w", err)
	}
	if _, err := c.river.InsertTx(ctx, tx, args, options); err != nil {
		return fmt.Errorf("queueing a job: %w", err)
	}
	if _, err := tx.Exec(ctx, "select set_config('role', $1, true)", former); err != nil {
		return fmt.Errorf("queueing a job: %w", err)
	}
	return nil
}

// Waiting counts the jobs that wait in the queue now, those of other processes included, by the name of their queue.
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

// Counts says how many jobs this process has done, how many attempts failed, and how many jobs were given up.
func (c *Client) Counts() (done, failed, discarded int64) {
	return c.done.Load(), c.failed.Load(), c.discarded.Load()
}

// Connections says how many connections the client has open, without the one that listens.
func (c *Client) Connections() int { return int(c.pool.Stat().TotalConns()) }

// errorHandler tells of attempts that failed and of jobs that are given up. It never tells the arguments.
type errorHandler struct{ c *Client }

func (f errorHandler) HandleError(ctx context.Context, j *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.record(ctx, j, slog.Any("error", err))
	return nil
}

func (f errorHandler) HandlePanic(ctx context.Context, j *rivertype.JobRow, panicked any, trace string) *river.ErrorHandlerResult {
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
	f.c.log.ErrorContext(ctx, "a job was given up", about...)
}

// warningsOnly passes on what is worth a look; the library tells much of its daily life at a lower level.
type warningsOnly struct{ slog.Handler }

func (w warningsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

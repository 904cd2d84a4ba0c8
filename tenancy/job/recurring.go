package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

const (
	maintenanceQueue    = "maintenance"
	maintenanceAtOnce   = 2 // recurring jobs that one process works concurrently
	recurringAttempts   = 5 // over about six minutes; the next interval starts again
	maxRecurringTimeout = rescueAfter
)

// Every lets a job recur: soon after a process starts and then once per interval, however many
// processes there are. It never runs twice at once, because no further one is queued while one
// waits, runs or is retried. Call it before Start, for a client that works some queue. timeout
// bounds one run; it must be shorter than the time after which the job of a dead process is taken
// up again.
//
// The kind of a job is stored, so T never changes its name. T has no fields that matter.
func Every[T Args](c *Client, interval, timeout time.Duration, work func(ctx context.Context) error) {
	if timeout >= maxRecurringTimeout {
		panic("job: the timeout of a recurring job exceeds the time after which it is taken up again")
	}
	if !c.recurring {
		c.recurring = true
		if err := c.river.Queues().Add(c.prefix+maintenanceQueue, river.QueueConfig{
			MaxWorkers: maintenanceAtOnce,
		}); err != nil {
			panic("job: " + err.Error()) // a client without queues
		}
	}
	river.AddWorker(c.workers, &recurring[T]{c: c, timeout: timeout, work: work})
	c.river.PeriodicJobs().Add(
		river.NewPeriodicJob(river.PeriodicInterval(interval), func() (river.JobArgs, *river.InsertOpts) {
			var args T
			return args, &river.InsertOpts{
				Queue: c.prefix + maintenanceQueue, MaxAttempts: recurringAttempts,
				UniqueOpts: river.UniqueOpts{ByQueue: true, ByState: unfinished()},
			}
		}, &river.PeriodicJobOpts{RunOnStart: true}),
	)
}

// recurring is the worker of one kind of recurring job.
type recurring[T Args] struct {
	river.WorkerDefaults[T]

	c       *Client
	timeout time.Duration
	work    func(ctx context.Context) error
}

func (r *recurring[T]) Timeout(*river.Job[T]) time.Duration { return r.timeout }

func (r *recurring[T]) Work(ctx context.Context, _ *river.Job[T]) error {
	err := r.work(ctx)
	if err == nil {
		r.c.done.Add(1)
	}
	return err
}

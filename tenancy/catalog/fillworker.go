package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
)

const (
	queue = "fill"
	// atOnce bounds the tables that one process fills at once. Each keeps one core of the database
	// busy.
	atOnce       = 1
	attempts     = 5
	attemptTime  = 40 * time.Second // after which a job yields to others, and is queued again
	sweepEvery   = 10 * time.Minute
	sweepTimeout = 30 * time.Second
)

// Queues are the queues of the jobs, with their numbers of workers.
func Queues() map[string]int { return map[string]int{queue: atOnce} }

// tableJob fills the columns of a table. Its kind is stored, so it must not change.
type tableJob struct {
	Org   uuid.UUID `json:"org"`
	Table int32     `json:"table"` // its number
}

func (tableJob) Kind() string { return "computed_fill" }

// sweepJob is the recurring job that finds tables whose job was lost. Its kind is stored, so it must
// not change.
type sweepJob struct{}

func (sweepJob) Kind() string { return "computed_sweep" }

// A FillQueue inserts the jobs that fill the columns of computed fields.
type FillQueue struct {
	DB   *db.DB
	Jobs *job.Client
	Log  *slog.Logger
}

// add inserts a job for a table. If it fails, the next sweep inserts one.
func (q *FillQueue) add(ctx context.Context, org uuid.UUID, table int32) {
	// The change is committed, so the insertion goes on if the caller has gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := q.insert(ctx, []tableJob{{org, table}}); err != nil {
		q.Log.WarnContext(ctx, "the job that fills columns waits for the next sweep", "error", err)
	}
}

func (q *FillQueue) insert(ctx context.Context, tables []tableJob) error {
	return q.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		for _, one := range tables {
			err := q.Jobs.InsertTx(ctx, tx, one, job.InsertOptions{Queue: queue, Attempts: attempts, Unique: true})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A FillWorker fills the columns of computed fields of large tables in jobs, after a change of the
// schema has created the columns. Until a column is filled, readers compute its values.
type FillWorker struct {
	*FillQueue

	Schema *Store
}

// Start registers the jobs. Call it before the client starts.
func (w *FillWorker) Start() {
	job.Handle(w.Jobs, w.fill)
	job.Every[sweepJob](w.Jobs, sweepEvery, sweepTimeout, w.sweep)
}

func (w *FillWorker) fill(ctx context.Context, in tableJob) error {
	done, err := w.Schema.Fill(ctx, in.Org, in.Table, time.Now().Add(attemptTime))
	if err != nil {
		return err
	}
	if !done {
		return job.Snooze(0)
	}
	return nil
}

// sweep inserts a job for every table with columns that are not filled.
func (w *FillWorker) sweep(ctx context.Context) error {
	var tables []tableJob
	err := w.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		// Of a day that has ended somewhere on earth, unless its time zone's comes later, which the job knows.
		b.Queue("select distinct org_id, table_number from rowhouse.computed_column where not filled and " +
			"expression <> '' or split_part(expression, '@', 2) between '1' and " +
			"to_char(now() at time zone 'UTC' + interval '14 hours' - interval '1 day', 'YYYY-MM-DD')").
			Query(func(rows pgx.Rows) (err error) {
				tables, err = pgx.CollectRows(rows, pgx.RowToStructByPos[tableJob])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for columns to fill: %w", err)
	}
	if err := w.insert(ctx, tables); err != nil {
		return errors.Join(errors.New("inserting the jobs that fill columns"), err)
	}
	return nil
}

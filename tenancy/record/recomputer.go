package record

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A Recomputer computes what marks name right after the changes of this process, and what is left of those that ended
// first. Two processes may be at work in one organization; they take turns.
type Recomputer struct {
	engine *Engine
	log    *slog.Logger // nil logs nothing

	mu    sync.Mutex
	orgs  []uuid.UUID // with changes, in the order in which they came
	woken chan struct{}
}

const (
	recomputeTime  = 500 * time.Millisecond // after which another organization comes first
	recomputeSweep = 5 * time.Minute        // after which it looks for marks that a lost notification concerned
	recomputeRetry = time.Second
)

// NewRecomputer returns a recomputer that is notified of the changes of the engine's database. Call it before the
// engine serves.
func NewRecomputer(e *Engine, database *db.DB, log *slog.Logger) *Recomputer {
	r := &Recomputer{engine: e, log: log, woken: make(chan struct{}, 1)}
	database.OnChange(r.changed)
	e.onStale = r.wake
	return r
}

// changed is called after a commit. table is 0 for any.
func (r *Recomputer) changed(org uuid.UUID, table int32) {
	s, known := r.engine.store.Known(org)
	if known && !s.Stored().MarksChangesOf(table) {
		return
	}
	r.wake(org)
}

func (r *Recomputer) wake(org uuid.UUID) {
	r.mu.Lock()
	for _, waiting := range r.orgs {
		if waiting == org {
			r.mu.Unlock()
			return
		}
	}
	r.orgs = append(r.orgs, org)
	r.mu.Unlock()
	select {
	case r.woken <- struct{}{}:
	default:
	}
}

func (r *Recomputer) take() (uuid.UUID, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.orgs) == 0 {
		return uuid.Nil, false
	}
	org := r.orgs[0]
	r.orgs = r.orgs[1:]
	return org, true
}

// Run computes until ctx ends.
func (r *Recomputer) Run(ctx context.Context) {
	sweep := time.NewTimer(0)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-sweep.C:
			sweep.Reset(recomputeSweep)
			if err := r.sweep(ctx); err != nil {
				r.warn(ctx, err)
			}
		case <-r.woken:
		}
		for org, ok := r.take(); ok && ctx.Err() == nil; org, ok = r.take() {
			done, err := r.engine.Recompute(ctx, org, time.Now().Add(recomputeTime))
			if err != nil {
				r.warn(ctx, err)
				time.AfterFunc(recomputeRetry, func() { r.wake(org) })
			} else if !done {
				r.wake(org)
			}
		}
	}
}

func (r *Recomputer) warn(ctx context.Context, err error) {
	if r.log != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "computing what linked records changed waits", "error", err)
	}
}

// sweep wakes the organizations that may have marks.
func (r *Recomputer) sweep(ctx context.Context) error {
	var orgs []uuid.UUID
	err := r.engine.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select distinct org_id from rowhouse.computed_column where expression <> ''").
			Query(func(rows pgx.Rows) (err error) {
				orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for organizations with computed fields: %w", err)
	}
	for _, org := range orgs {
		r.wake(org)
	}
	return nil
}

package record

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Lists and aggregations read the columns of lookups, rollups, counts and what reads them. Where marks say that columns
// are out of date, they compute these fields of the records that the marks concern, or of all records at once where
// these are many. Everything else that reads records computes these fields.

// staleFor is for how long a table is taken for one with marks after one was met. It decides which statement is tried
// first, and not what the answer is.
const staleFor = 100 * time.Millisecond

func newStale() *lru.Cache[uuid.UUID, time.Time] {
	const most = 4096
	stale, err := lru.New[uuid.UUID, time.Time](most)
	if err != nil {
		panic(err) // the size is positive
	}
	return stale
}

// isStale reports whether columns of the table were met out of date lately.
func (e *Engine) isStale(t *schema.Table) bool {
	met, ok := e.stale.Get(t.ID)
	return ok && time.Since(met) < staleFor
}

// meetsStale notes that columns of the table, which is of Stored, were met out of date.
func (e *Engine) meetsStale(ctx context.Context, t *schema.Table) {
	e.stale.Add(t.ID, time.Now())
	if e.onStale != nil {
		e.onStale(t.Org)
	}
	if !slices.ContainsFunc(t.Fields, (*schema.Field).Daily) {
		return
	}
	// Perhaps the day has changed. A sweep would come by later.
	if asked, ok := e.days.Get(t.ID); !ok || time.Since(asked) > time.Minute {
		e.days.Add(t.ID, time.Now())
		e.store.FillSoon(ctx, t)
	}
}

// A keptPlan is a request for a list whose conditions, order or fields are in columns that marks may concern.
type keptPlan struct {
	viewer     schema.Viewer
	in         *query.Request
	plan, live *query.Plan // which reads the columns, and which computes
	read       []*schema.Field
	shown      []*schema.Field // of those that are returned
	through    bool
	joined     bool // a column is not filled, so that all that it would hold is computed by a join
}

// keptPlan parses a request for which there is a plan that computes, as one that reads columns; nil if it
// reads none, or what is not filled is computed best where it is read.
func (e *Engine) keptPlan(
	actor Actor, s *schema.Snapshot, live *query.Plan, in *query.Request,
) (*keptPlan, error) {
	stored := s.Stored()
	if stored == s || in.Search != "" {
		return nil, nil
	}
	t := stored.Table(live.Table.ID)
	if !slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Link != nil || f.Asserted() }) {
		return nil, nil
	}
	plan, err := query.Parse(actor.viewer(), t, in)
	if err != nil {
		return nil, err
	}
	plan.Cursor = live.Cursor
	read, through, ready := plan.Kept()
	if ready == schema.Computed {
		return nil, nil
	}
	out := &keptPlan{viewer: actor.viewer(), in: in, plan: plan, live: live, read: read, through: through}
	if ready == schema.Joined {
		e.indexes.Observe(plan)
		out.joined = true
		return out, nil
	}
	shown := plan.Fields
	if shown == nil {
		shown = t.Fields
	}
	for _, f := range shown {
		if !f.Ready() && f.Computed != nil && f.Computed.Kept {
			out.shown = nil
			break
		}
		if f.Asserted() {
			out.shown = append(out.shown, f)
		}
	}
	if len(out.read)+len(out.shown) == 0 {
		return nil, nil
	}
	e.indexes.Observe(plan)
	return out, nil
}

// listKept lists what a plan says: by columns alone if no mark concerns what it reads, and else by columns together
// with what is computed.
func (e *Engine) listKept(ctx context.Context, s *schema.Snapshot, kept *keptPlan) (Page, error) {
	if t := kept.plan.Table; !kept.joined && !e.isStale(t) {
		projection := e.projectionOfPlan(s, kept.live)
		if len(kept.shown) > 0 {
			projection = e.projectionOfPlan(s.Stored(), kept.plan)
		}
		kept.plan.Demand(s, slices.Concat(kept.read, kept.shown))
		page, err := e.list(ctx, kept.plan, projection)
		if !pgerror.Is(err, db.StateStale) {
			return page, err
		}
		e.meetsStale(ctx, t)
	}
	projection := e.projectionOfPlan(s, kept.live)
	if slices.ContainsFunc(kept.read, (*schema.Field).Marked) {
		plan, err := e.presentPlan(ctx, s, kept, projection)
		if err != nil {
			return Page{}, err
		}
		page, err := e.list(ctx, plan, projection)
		if !pgerror.Is(err, db.StateStale) {
			return page, err
		}
	}
	return e.list(ctx, kept.live, projection)
}

// aggregateKept is Aggregate over columns that marks may concern. known is false where all fields have to be computed.
func (e *Engine) aggregateKept(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *query.Aggregation,
) (out Groups, known bool, err error) {
	stored := s.Stored()
	if stored == s || in.Search != "" {
		return out, false, nil
	}
	plan, err := query.ParseAggregation(actor.viewer(), stored.Table(t.ID), in)
	if err != nil {
		return out, false, nil //nolint:nilerr // the other plan has the same error
	}
	read, _, ready := plan.Kept()
	if len(read) == 0 || ready == schema.Computed {
		return out, false, nil
	}
	joined := ready == schema.Joined
	if !joined && !e.isStale(t) {
		plan.Demand(s, read)
		out, err = e.aggregate(ctx, plan)
		if !pgerror.Is(err, db.StateStale) {
			return out, true, err
		}
		e.meetsStale(ctx, stored.Table(t.ID))
	}
	if !slices.ContainsFunc(read, (*schema.Field).Marked) {
		return out, false, nil
	}
	if plan, err = e.presentAggregation(ctx, actor, s, t, in, joined); err != nil {
		return out, false, err
	}
	out, err = e.aggregate(ctx, plan)
	return out, !pgerror.Is(err, db.StateStale), err
}

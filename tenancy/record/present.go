package record

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A statement that marks keep from reading columns computes what it reads where it reads it, or has present values
// (schema.Snapshot.Present) of the few records that marks concern, or of all. The first is best where other conditions
// leave few records, which PostgreSQL knows better than the service.

// presentBounds are the bounds between these ways.
type presentBounds struct {
	// Marks concern few records if they are no more than least, or than one of share of their table. To look for the
	// links of one record costs six times of what it costs to read its pairs among all.
	least, share int
	// cost is that of a statement, as PostgreSQL plans it, up to which it computes what it reads: of some hundred
	// records. Below 0 none does.
	cost float64
}

var usualPresentBounds = presentBounds{least: 1000, share: 6, cost: 20_000}

// presentPlan is the plan of a list that computes where columns are out of date. Few records, of the table itself, are
// merged into the others, which indexes give.
func (e *Engine) presentPlan(
	ctx context.Context, s *schema.Snapshot, kept *keptPlan, projection *query.Projection,
) (*query.Plan, error) {
	present := s.Present()
	plan, err := query.Parse(kept.viewer, present.Table(kept.live.Table.ID), kept.in)
	if err != nil {
		return nil, err
	}
	plan.Cursor = kept.live.Cursor
	fields, _, _ := plan.Kept()
	many, err := e.manyStale(ctx, plan.Table, present, fields, kept.joined)
	if err != nil {
		return nil, err
	}
	plan.Present(s, present, fields, many)
	statement := func(p *query.Plan) func(*query.Compiler) string {
		return func(c *query.Compiler) string {
			sql, _ := p.Statement(c, projection, e.totals)
			return sql
		}
	}
	switch cheap, err := e.computesCheaply(ctx, plan.Table, statement(kept.live), statement(plan), many); {
	case err != nil:
		return nil, err
	case cheap:
		return kept.live, nil
	case many || kept.through:
		return plan, nil
	}
	kept.plan.Merge(s, plan, kept.read)
	return kept.plan, nil
}

// presentAggregation is presentPlan for an aggregation.
func (e *Engine) presentAggregation(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *query.Aggregation, joined bool,
) (*query.AggregationPlan, error) {
	live, err := query.ParseAggregation(actor.viewer(), t, in)
	if err != nil {
		return nil, err
	}
	present := s.Present()
	plan, err := query.ParseAggregation(actor.viewer(), present.Table(t.ID), in)
	if err != nil {
		return nil, err
	}
	fields, _, _ := plan.Kept()
	many, err := e.manyStale(ctx, plan.Table, present, fields, joined)
	if err != nil {
		return nil, err
	}
	plan.Present(s, present, fields, many)
	cheap, err := e.computesCheaply(ctx, plan.Table, live.Statement, plan.Statement, many)
	if cheap {
		return live, err
	}
	return plan, err
}

// manyStale reports whether marks concern many records in one of the fields, which are of present. They do where a
// column is not filled.
func (e *Engine) manyStale(
	ctx context.Context, t *schema.Table, present *schema.Snapshot, fields []*schema.Field, unfilled bool,
) (many bool, err error) {
	if unfilled {
		return true, nil
	}
	err = e.db.TableBatch(ctx, t.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue(present.ManyStale(t, fields, e.present.least, e.present.share)).
			QueryRow(func(row pgx.Row) error { return row.Scan(&many) })
	})
	if err != nil {
		return false, fmt.Errorf("counting the records whose columns are out of date: %w", err)
	}
	return many, nil
}

// computesCheaply reports whether a statement that computes what it reads costs little, or less than one with present
// values of many records. The cost of one with those of few is not known: there are no statistics of marks.
func (e *Engine) computesCheaply(
	ctx context.Context, t *schema.Table, live, present func(*query.Compiler) string, many bool,
) (bool, error) {
	bound := e.present.cost
	if bound < 0 {
		return false, nil
	}
	if many {
		cost, err := e.cost(ctx, t, present)
		if err != nil {
			return false, err
		}
		bound = max(bound, cost)
	}
	cost, err := e.cost(ctx, t, live)
	return cost <= bound, err
}

// cost is what PostgreSQL expects a statement to cost.
func (e *Engine) cost(ctx context.Context, t *schema.Table, statement func(*query.Compiler) string) (float64, error) {
	compiler := query.NewCompiler(e.now(), e.db.Topology()).For(db.PersonOf(ctx))
	sql := statement(compiler)
	var raw []byte
	err := e.db.TableBatch(ctx, t.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("explain (format json) "+sql, compiler.Values()...).
			QueryRow(func(row pgx.Row) error { return row.Scan(&raw) })
	})
	if err != nil {
		return 0, fmt.Errorf("planning a statement: %w", err)
	}
	var plans []struct {
		Plan struct {
			Cost float64 `json:"Total Cost"`
		}
	}
	if err := json.Unmarshal(raw, &plans); err != nil || len(plans) == 0 {
		return 0, fmt.Errorf("reading a plan %.100s: %w", raw, err)
	}
	return plans[0].Plan.Cost, nil
}

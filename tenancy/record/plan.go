package record

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Planning returns the same engine, which makes and applies plans with tokens.
func (e *Engine) Planning(tokens *plan.Tokens) *Engine {
	bound := *e
	bound.plans = tokens
	return &bound
}

// applying returns the engine and the context that apply the plan which a request names, and record its
// use with what they write. Without a plan they are unchanged.
func (e *Engine) applying(ctx context.Context, org uuid.UUID, r plan.Request) (*Engine, context.Context, error) {
	if err := r.Check(); err != nil || r.Apply == "" {
		return e, ctx, err
	}
	applied, acting, err := e.plans.Accept(ctx, e.db, org, &r, e.now())
	if err != nil {
		return nil, nil, err
	}
	bound := *e
	bound.applied = applied
	return &bound, acting, nil
}

// explainUse says that the planned state has changed because another request has applied the same plan
// at the same moment.
func (e *Engine) explainUse(ctx context.Context, org uuid.UUID, err error) error {
	switch {
	case err == nil || e.applied == nil:
		return err
	case plan.IsUsed(err):
		return plan.Used().Because(err)
	case pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord), problem.KindOf(err) == problem.KindConflict:
		if used := plan.CheckUnused(ctx, e.db, org, db.ActorOf(ctx).Plan); used != nil {
			return used
		}
	}
	return err
}

// useNothing records the use of a plan that changes nothing.
func (e *Engine) useNothing(ctx context.Context, org uuid.UUID) error {
	if e.applied == nil {
		return nil
	}
	err := e.db.Batch(ctx, org, func(b *pgx.Batch) { audit.Record(ctx, b, org, nil) })
	if err != nil {
		return fmt.Errorf("recording that a plan was applied: %w", err)
	}
	return nil
}

// hashOf begins a digest of what a plan depends on with the fields of its table. It leaves out the
// options of selects, because applying a plan may add some before it writes, and those that records
// have are in the records.
func hashOf(t *schema.Table) *plan.Hash {
	h := plan.NewHash(t.PublicID())
	for _, f := range t.Fields {
		config := f.Config
		config.Options = nil
		text, _ := json.Marshal(config) // it came out of JSON
		h.Write(f.PublicID(), string(f.Type()), f.Name, string(text))
	}
	return h
}

// maxDiff is up to how many records a refused plan is compared with the present matches.
const maxDiff = 1000

// moved says what has changed since a plan was made. found are the present matches.
func (e *Engine) moved(
	ctx context.Context, actor Actor, t *schema.Table, in *Bulk, found []selected,
) error {
	var then map[string]bool
	left := "matched and no longer match"
	if in.IDs == nil {
		then = e.selectedThen(ctx, actor, t, in.Selection)
	} else {
		left, then = "were deleted", map[string]bool{}
		for _, public := range in.IDs {
			then[public] = true
		}
	}
	var changed, fresh, gone []string
	for i := range found {
		public := id.FormatRecord(t.Number, found[i].row)
		switch {
		case then != nil && !then[public]:
			fresh = append(fresh, public)
		case found[i].changed.After(e.applied.Made):
			changed = append(changed, public)
		}
		delete(then, public)
	}
	for public := range then {
		gone = append(gone, public)
	}
	var what []string
	for _, group := range []struct {
		records []string
		what    string
	}{
		{changed, "changed"}, {gone, left}, {fresh, "match and did not"},
	} {
		if n := len(group.records); n > 0 {
			shown := strings.Join(group.records[:min(n, plan.MaxSample)], ", ")
			if n > plan.MaxSample {
				shown += " and others"
			}
			what = append(what, fmt.Sprintf("%d %s (%s)", n, group.what, shown))
		}
	}
	if len(what) == 0 {
		what = append(what, "the fields of the table, or records, were changed")
	}
	return plan.Moved(e.applied.Count, len(found), strings.Join(what, "; "))
}

// selectedThen returns the ids of the records that matched when the plan was made, or nil if that is
// unknown: the error does not depend on it.
func (e *Engine) selectedThen(ctx context.Context, actor Actor, t *schema.Table, in Selection) map[string]bool {
	if e.applied.Count > maxDiff {
		return nil
	}
	request := query.Request{
		View: in.View, Search: in.Search, Filters: in.Filters, Limit: query.MaxPage,
		AsOf: changelog.Moment(e.applied.Made.UnixMicro()).Time().Format(time.RFC3339Nano),
	}
	if primary := t.Primary(); primary != nil {
		request.Fields = []string{primary.PublicID()}
	}
	then := map[string]bool{}
	for {
		page, err := e.List(ctx, actor, t.ID, request)
		if err != nil {
			return nil
		}
		for _, raw := range page.Records {
			var record struct{ ID string }
			if json.Unmarshal(raw, &record) != nil {
				return nil
			}
			then[record.ID] = true
		}
		if !page.HasMore || len(then) > maxDiff {
			return then
		}
		request.Cursor = page.Cursor
	}
}

// newOptionNames lists the options that typecast would add, as "Field: Option".
func (in *writeInput) newOptionNames() []string {
	var out []string
	for _, f := range in.table.Fields {
		for _, name := range in.missingOptions[f.ID] {
			out = append(out, f.Name+": "+name)
		}
	}
	return out
}

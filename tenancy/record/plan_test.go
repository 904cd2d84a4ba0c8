package record_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// ear keeps the statements of the batches that are sent.
type ear struct {
	mu   sync.Mutex
	sent []pgx.TraceBatchQueryData
}

func (e *ear) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (e *ear) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (e *ear) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (e *ear) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = append(e.sent, data)
}
func (e *ear) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// setupTraced is setup with an ear on what is sent.
func setupTraced(t *testing.T) (*ear, *bundle) {
	t.Helper()
	e := &ear{}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 3, Tracer: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return e, setupOn(t, database)
}

// plan is how PostgreSQL executes, under row-level security, what the engine sends for a query.
func (e *ear) plan(t *testing.T, b *bundle, table *schema.Table, q query.Request) string {
	t.Helper()
	return e.planOf(t, b, t.Context(), table, func() { b.list(t, table.ID, q) })
}

// planOf is how PostgreSQL executes, in the transactions of a context, what the engine sends for a list of a table.
func (e *ear) planOf(
	t *testing.T, b *bundle, ctx context.Context, table *schema.Table, list func(),
) string {
	t.Helper()
	e.mu.Lock()
	e.sent = nil
	e.mu.Unlock()
	list()
	e.mu.Lock()
	sent := slices.Clone(e.sent)
	e.mu.Unlock()
	at := slices.IndexFunc(sent, func(s pgx.TraceBatchQueryData) bool {
		return strings.Contains(s.SQL, table.Relation())
	})
	if at < 0 {
		t.Fatal("no statement was sent")
	}
	var lines []string
	err := b.db.Batch(ctx, b.actor.Org, func(batch *pgx.Batch) {
		batch.Queue("explain (costs off) "+sent[at].SQL, sent[at].Args...).Query(func(rows pgx.Rows) error {
			var err error
			lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestAPageBeginsInTheIndexAndNotInTheTable(t *testing.T) {
	t.Parallel()
	e, b := setupTraced(t)
	u := b.table(t, "Big", field("Name", schema.Text), field("N", schema.Number), field("Day", schema.Date),
		field("State", schema.SingleSelect, `{"options":["a","b","c","d","e"]}`))
	rng := rand.New(rand.NewPCG(5, 6))
	var inputs []string
	for i := range 6000 {
		inputs = append(inputs, fmt.Sprintf(`{"Name":"%x %d","N":%d,"Day":"20%02d-01-%02d","State":%q}`,
			rng.Uint64(), i, rng.IntN(100000), rng.IntN(99), 1+rng.IntN(28), string(rune('a'+rng.IntN(5)))))
	}
	b.create(t, u, inputs...)
	queries := []query.Request{
		{Limit: 10, Sorts: []byte(`[{"fieldId":"Name","dir":"desc"}]`)},
		{Limit: 10, Sorts: []byte(`[{"fieldId":"N"}]`)},
		{Limit: 10, Filters: []byte(`[{"fieldId":"N","op":"gt","value":50000}]`), Sorts: []byte(`[{"fieldId":"N"}]`)},
		{
			Limit:   10,
			Filters: []byte(`[{"fieldId":"State","op":"eq","value":"b"},{"fieldId":"N","op":"lt","value":90000}]`),
			Sorts:   []byte(`[{"fieldId":"Day","dir":"desc"}]`),
		},
	}
	ask := func() {
		for _, q := range queries {
			b.list(t, u, q)
		}
	}
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500, Idle: time.Hour}, u, ask, 3)
	table := b.schema(t, u)
	for _, q := range queries {
		plan := e.plan(t, b, table, q)
		if !strings.Contains(plan, "Index Scan using i_") && !strings.Contains(plan, "Index Only Scan using i_") {
			t.Errorf("%s %s does not walk an index:\n%s", q.Filters, q.Sorts, plan)
		}
		// What lies between this bound and a known one is counted in an index.
		if q.Filters != nil &&
			!regexp.MustCompile(`Index Cond: .*\(f_\d+ >=? [^)]*\) AND \(f_\d+ <=? `).MatchString(plan) {
			t.Errorf("%s reads the table for what lies between two bounds:\n%s", q.Filters, plan)
		}
		page, _ := b.list(t, u, q)
		if q.Filters == nil {
			q.Cursor = page.Cursor
			if plan := e.plan(t, b, table, q); !strings.Contains(plan, "Index Cond: ((f_") &&
				!strings.Contains(plan, "Index Cond: (f_") {
				t.Errorf("the cursor of %s does not begin in the index:\n%s", q.Sorts, plan)
			}
		}
	}
	if plan := e.plan(t, b, table, query.Request{Limit: 100}); strings.Contains(plan, "Sort") {
		t.Errorf("the default order is sorted for:\n%s", plan)
	}
}

// A filter on text calls no function of ours for a record, and takes its pattern from outside of
// the loop over them.
func TestAPatternIsFoldedOnceForAStatement(t *testing.T) {
	t.Parallel()
	e, b := setupTraced(t)
	u := b.table(t, "People", field("Name", schema.Text))
	b.create(t, u, `{"Name":"Ada"}`, `{"Name":"Bruno"}`)
	for _, op := range []string{"contains", "not_contains", "starts_with", "ends_with"} {
		plan := e.plan(t, b, b.schema(t, u), query.Request{
			Limit:   10,
			Filters: fmt.Appendf(nil, `[{"fieldId":"Name","op":%q,"value":"A"}]`, op),
		})
		if !regexp.MustCompile(`Filter: .*~~ \$\d`).MatchString(plan) ||
			regexp.MustCompile(`Filter: .*gate\.`).MatchString(plan) {
			t.Errorf("%s folds for each record:\n%s", op, plan)
		}
	}
}

package record_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// withStale begins a statement that names the records that marks concern in fields of Stored.
func withStale(stored *schema.Snapshot, fields []*schema.Field) string {
	stale, with := schema.Stale(fields), "with "
	for _, part := range stored.Parts(stale, fields, false) {
		with += part.Name + " as materialized (" + part.Body + "), "
	}
	return with + "stale as materialized (" + stale + ")"
}

// staleness compares the columns of fields that read linked records with what they are computed to, in one snapshot of
// the database. It returns how many records differ without a mark.
func (b *bundle) staleness(ctx context.Context, table uuid.UUID) (wrong int, err error) {
	snapshot, err := b.store.Fresh(ctx, b.actor.Org)
	if err != nil {
		return 0, err
	}
	live, kept := snapshot.Table(table), snapshot.Stored().Table(table)
	var differ []string
	var fields, now []*schema.Field
	for _, f := range kept.Fields {
		if f.Marked() && f.Ready() {
			one := snapshot.Field(f.ID)
			fields, now = append(fields, f), append(now, one)
			differ = append(differ, fmt.Sprintf("t.%s is distinct from t.%s", f.Computed.Value, one.Computed.Value))
		}
	}
	err = b.db.TableBatch(ctx, b.actor.Org, live.Ref(), func(batch *pgx.Batch) {
		batch.Queue(withStale(snapshot.Stored(), fields) + " select count(*) from " + live.From(now) +
			" where t.id not in (select id from stale) and (" + strings.Join(differ, " or ") + ")").
			QueryRow(func(row pgx.Row) error { return row.Scan(&wrong) })
	})
	return wrong, err
}

// Writers of sources and of links, those who compute what is marked, some of whom are interrupted, and readers are at
// work at once. No column is ever out of date without a mark, and in the end nothing is marked.
func TestMarksAreKeptByConcurrentWriters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	parts := b.table(t, "Parts", field("Name", schema.Text), field("Amount", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Parts", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, parts).PublicID())))
	var some []rec
	for range 10 {
		some = append(some, b.create(t, parts, `{"Name":"p","Amount":1}`)...)
	}
	var all []rec
	for range 30 {
		all = append(all, b.create(t, orders, `{"Name":"o"}`)...)
	}
	b.addField(t, orders, field("Sum", "rollup", `{"linkFieldId":"Parts","fieldId":"Amount","function":"SUM"}`))
	b.addField(t, orders, field("Twice", "formula", `{"formula":"{Sum} * 2"}`))
	b.addField(t, parts, field("Shared", "rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Twice","function":"SUM"}`,
		b.schema(t, parts).Fields[2].Name)))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var work sync.WaitGroup
	run := func(n int, do func(ctx context.Context, random *rand.Rand) error) {
		for i := range n {
			work.Go(func() {
				random := rand.New(rand.NewPCG(uint64(i), rand.Uint64()))
				for ctx.Err() == nil {
					if err := do(ctx, random); err != nil && ctx.Err() == nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	write := func(id, object string) error {
		_, err := b.engine.UpdateOne(t.Context(), b.actor, id, parsed([]string{object})[0], false)
		return err
	}
	run(3, func(_ context.Context, random *rand.Rand) error {
		return write(some[random.IntN(len(some))].ID, fmt.Sprintf(`{"Amount":%d}`, random.IntN(50)))
	})
	run(2, func(_ context.Context, random *rand.Rand) error {
		one, other := some[random.IntN(len(some))].ID, some[random.IntN(len(some))].ID
		if one == other {
			return nil
		}
		return write(all[random.IntN(len(all))].ID, fmt.Sprintf(`{"Parts":[%q,%q]}`, one, other))
	})
	run(2, func(ctx context.Context, random *rand.Rand) error {
		interrupted, stop := context.WithTimeout(ctx, time.Duration(1+random.IntN(60))*time.Millisecond)
		defer stop()
		_, err := b.engine.Recompute(interrupted, b.actor.Org, later())
		if interrupted.Err() != nil {
			return nil
		}
		return err
	})
	run(1, func(ctx context.Context, _ *rand.Rand) error {
		for _, table := range []uuid.UUID{orders, parts} {
			if wrong, err := b.staleness(ctx, table); err != nil || wrong > 0 {
				return errors.Join(err, fmt.Errorf("%d records are out of date without a mark", wrong))
			}
		}
		return nil
	})
	run(1, func(ctx context.Context, _ *rand.Rand) error { // sum and total of one list are of one snapshot
		_, err := b.engine.List(ctx, b.actor, orders, query.Request{
			Limit: 100, Filters: []byte(`[{"fieldId":"Twice","op":"gte","value":0}]`),
			Sorts: []byte(`[{"fieldId":"Sum","dir":"desc"}]`),
		})
		return err
	})
	work.Wait()
	if done, err := b.engine.Recompute(t.Context(), b.actor.Org, later()); err != nil || !done {
		t.Fatal(done, err)
	}
	for _, table := range []uuid.UUID{orders, parts} {
		if wrong, err := b.staleness(t.Context(), table); err != nil || wrong > 0 {
			t.Errorf("%d records are out of date in the end: %v", wrong, err)
		}
	}
	if marks := b.marks(t); marks > 0 {
		t.Errorf("%d marks are left", marks)
	}
}

// What is computed for marks is no change of a record.
func TestComputingMarksChangesNoVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parts := b.table(t, "Parts", field("Name", schema.Text), field("Amount", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text), field("Changed", "last_modified_time"))
	b.addField(t, orders, field("Parts", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, parts).PublicID())))
	part := b.create(t, parts, `{"Name":"p","Amount":1}`)[0].ID
	b.create(t, orders, fmt.Sprintf(`{"Name":"o","Parts":[%q]}`, part))
	b.addField(t, orders, field("Sum", "rollup", `{"linkFieldId":"Parts","fieldId":"Amount","function":"SUM"}`))
	read := func() []byte {
		page, err := b.engine.List(t.Context(), b.actor, orders, query.Request{
			Limit: 1, Sorts: []byte(`[{"fieldId":"Sum"}]`),
		})
		if err != nil {
			t.Fatal(err)
		}
		return page.Records[0]
	}
	five := parsed([]string{`{"Amount":5}`})[0]
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, part, five, false); err != nil {
		t.Fatal(err)
	}
	before := read()
	if done, err := b.engine.Recompute(t.Context(), b.actor.Org, later()); err != nil || !done {
		t.Fatal(done, err)
	}
	if after := read(); string(before) != string(after) || !strings.Contains(string(after), `"Sum":5`) {
		t.Errorf("before it was computed %s, after it %s", before, after)
	}
}

package record_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// ruled makes a table of which a member reads one record of twenty: those that they own if owned, and else those in a
// state. It returns the member's context.
func ruled(t testing.TB, b *bundle, records int, owned bool) (table uuid.UUID, member context.Context) {
	t.Helper()
	people := make([]uuid.UUID, 20)
	for i := range people {
		people[i] = tenancytest.Person(t, b.db)
		if err := tenancytest.Join(t, b.db, b.actor.Org, people[i], organization.Viewer); err != nil {
			t.Fatal(err)
		}
	}
	states := make([]string, 20)
	for i := range states {
		states[i] = fmt.Sprintf("%q", string(rune('a'+i)))
	}
	table = b.table(t, "Big "+id.New().String(), field("Name", schema.Text), field("N", schema.Number),
		field("Owner", "user"), field("State", schema.SingleSelect, `{"options":[`+strings.Join(states, ",")+`]}`))
	var inputs []string
	for i := range records {
		inputs = append(inputs, fmt.Sprintf(`{"Name":"name %d","N":%d,"Owner":%q,"State":%s}`, i, i*7919%records,
			id.Format(id.User, people[i%20]), states[i%20]))
	}
	b.create(t, table, inputs...)
	filter := `[{"fieldId":"State","op":"eq","value":"a"}]`
	if owned {
		filter = `[{"fieldId":"Owner","op":"has_any","value":{"me":true}}]`
	}
	rules := []*schema.RowRule{{Audience: schema.Audience{Role: schema.BaseViewer}, Filter: []byte(filter)}}
	err := b.store.SetTablePermissions(t.Context(), b.actor.Org, table, catalog.TableRule{Rules: &rules})
	if err != nil {
		t.Fatal(err)
	}
	return table, catalog.WithCaller(t.Context(), catalog.Member{Person: people[0], Role: organization.Viewer})
}

// A rule with {"me": true} finds the records of a person in an index, which is built where it is used.
func TestRowRuleWalksAnIndex(t *testing.T) {
	t.Parallel()
	e, b := setupTraced(t)
	table, member := ruled(t, b, 6000, true)
	ask := func() { b.pageOf(t, member, table, query.Request{Limit: 10}) }
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500, Idle: time.Hour}, table, ask, 1)
	for _, sorts := range []string{"", `[{"fieldId":"N"}]`} {
		plan := e.planOf(t, b, member, b.schema(t, table), func() {
			if total := b.pageOf(t, member, table, query.Request{Limit: 10, Sorts: []byte(sorts)}); total != 300 {
				t.Errorf("the member reads %d of 6000 records", total)
			}
		})
		walks := strings.Contains(plan, " on i_") || strings.Contains(plan, "using i_")
		if !walks || strings.Contains(plan, "Seq Scan on t_") {
			t.Errorf("sorted by %q the list does not walk the index:\n%s", sorts, plan)
		}
	}
}

// pageOf lists in a context, and returns the total.
func (b *bundle) pageOf(
	t testing.TB, ctx context.Context, table uuid.UUID, q query.Request,
) int64 {
	t.Helper()
	page, err := b.engine.List(ctx, b.actor, table, q)
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// BenchmarkRowRule lists a hundred of the 5,000 of 100,000 records that a member reads, next to the same filter of
// somebody without a rule.
func BenchmarkRowRule(bench *testing.B) {
	b := setupOn(bench, tenancytest.DB(bench))
	for _, sorts := range []string{"", `[{"fieldId":"N","dir":"desc"}]`} {
		for _, owned := range []bool{false, true} {
			table, member := ruled(bench, b, 100_000, owned)
			filter := `[{"fieldId":"State","op":"eq","value":"a"}]`
			if owned {
				own := id.Format(id.User, db.PersonOf(member))
				filter = `[{"fieldId":"Owner","op":"has_any","value":["` + own + `"]}]`
			}
			byHand := query.Request{Limit: 100, Sorts: []byte(sorts), Filters: []byte(filter)}
			byRule := query.Request{Limit: 100, Sorts: []byte(sorts)}
			builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500, Idle: time.Hour}
			for range 3 {
				b.pageOf(bench, bench.Context(), table, byHand)
				b.pageOf(bench, member, table, byRule)
				if err := builder.RunOnce(bench.Context()); err != nil {
					bench.Fatal(err)
				}
			}
			name := fmt.Sprintf("owned=%v/sorted=%v", owned, sorts != "")
			bench.Run(name+"/by hand", func(bench *testing.B) {
				for bench.Loop() {
					b.pageOf(bench, bench.Context(), table, byHand)
				}
			})
			bench.Run(name+"/by rule", func(bench *testing.B) {
				for bench.Loop() {
					b.pageOf(bench, member, table, byRule)
				}
			})
		}
	}
}

package record_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestAStatementThatGivesWayReadsTheSame(t *testing.T) {
	t.Parallel()
	e, b := setupHeard(t)
	u := b.table(t, "Read", field("Name", schema.Text), field("N", schema.Number))
	inputs := make([]string, 1500)
	for i := range inputs {
		inputs[i] = fmt.Sprintf(`{"Name":"%d","N":%d}`, i%7, i*7919%1000)
	}
	b.create(t, u, inputs...)
	rests := func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		heard := e.heard
		e.heard = nil
		return slices.ContainsFunc(heard, func(s pgx.TraceBatchQueryData) bool { return strings.Contains(s.SQL, "pg_sleep") })
	}
	for _, q := range []record.Query{
		{Limit: 100},
		{Limit: 100, Sorts: []byte(`[{"fieldId":"Name"},{"fieldId":"N","dir":"desc"}]`)},
		{Limit: 100, Filters: []byte(`[{"fieldId":"N","op":"gt","value":300}]`)},
		{Limit: 100, Offset: 200, Filters: []byte(`[{"fieldId":"Name","op":"not_contains","value":"3"}]`), Sorts: []byte(`[{"fieldId":"N"}]`)},
	} {
		for page := range 2 {
			hurried, resting := record.New(b.db, b.store), record.New(b.db, b.store) // which have counted nothing yet
			rests()
			want, err := hurried.List(t.Context(), b.actor, u, q)
			if err != nil || rests() {
				t.Fatalf("%s %s: rests unasked, or %v", q.Filters, q.Sorts, err)
			}
			got, err := resting.List(tenancy.GiveWay(t.Context()), b.actor, u, q)
			if err != nil {
				t.Fatal(err)
			}
			if whole := q.Filters == nil && q.Sorts == nil; rests() == whole {
				t.Errorf("page %d of %s %s: only a statement that may read many rows is to rest", page, q.Filters, q.Sorts)
			}
			if got.Total != want.Total || got.Cursor != want.Cursor || !slices.EqualFunc(got.Records, want.Records, bytes.Equal) {
				t.Errorf("page %d of %s %s: %d of %d records, not %d of %d", page, q.Filters, q.Sorts, len(got.Records), got.Total, len(want.Records), want.Total)
			}
			q.Cursor, q.Offset = want.Cursor, 0
		}
	}
	grouped := record.Aggregation{GroupBy: []string{"Name"}, Functions: []byte(`[{"fn":"sum","fieldId":"N"}]`)}
	want, err := b.engine.Aggregate(t.Context(), b.actor, u, grouped)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.engine.Aggregate(tenancy.GiveWay(t.Context()), b.actor, u, grouped)
	if err != nil || !rests() || !slices.EqualFunc(got.Groups, want.Groups, bytes.Equal) {
		t.Errorf("groups %s, not %s: %v", got.Groups, want.Groups, err)
	}
}

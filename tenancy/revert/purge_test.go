package revert_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// moment is the present as an argument of asOf.
func (w *world) moment() string {
	w.t.Helper()
	now, err := changelog.Horizon(w.t.Context(), w.db, w.actor.Org)
	if err != nil {
		w.t.Fatal(err)
	}
	return now.Time().Format(time.RFC3339Nano)
}

// purge deletes deleted records for good.
func (w *world) purge(table *schema.Table, records ...string) {
	w.t.Helper()
	var rows []uuid.UUID
	for _, public := range records {
		_, row, err := id.ParseRecord(public)
		if err != nil {
			w.t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := w.store.PurgeRecords(w.t.Context(), w.actor.Org, table.ID, rows); err != nil {
		w.t.Fatal(err)
	}
}

// past reads the names of the records at a moment in every way in which the past is read, which must agree.
func (w *world) past(table *schema.Table, moment string) []string {
	w.t.Helper()
	var names []string
	for i, request := range []query.Request{
		{}, {Sorts: []byte(`[{"fieldId":"Name","dir":"asc"}]`)}, {Search: "n"},
	} {
		request.AsOf, request.Limit = moment, 100
		page, err := w.engine.List(w.t.Context(), w.actor, table.ID, request)
		if err != nil {
			w.t.Fatal(err)
		}
		var read []string
		for _, raw := range page.Records {
			read = append(read, fmt.Sprint(w.decode(raw).Fields["Name"]))
		}
		slices.Sort(read)
		if i > 0 && !slices.Equal(read, names) || int(page.Total) != len(read) {
			w.t.Errorf("%d of %q, and %q in the order of ids", page.Total, read, names)
		}
		names = read
	}
	groups, err := w.engine.Aggregate(w.t.Context(), w.actor, table.ID, query.Aggregation{AsOf: moment})
	if want := fmt.Sprintf(`{"key":{},"results":{"count":%d}}`, len(names)); err != nil ||
		string(groups.Groups[0]) != want {
		w.t.Errorf("counted %s, %v", groups.Groups, err)
	}
	return names
}

// A record that is deleted for good takes nothing else along: neither the past of its table nor the
// records of the same request.
func TestPurgingARecordLeavesTheOthers(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text))
	h := w.hand("key_a")
	none := w.moment()
	ids := h.create(table, `{"Name":"n0"}`, `{"Name":"n1"}`, `{"Name":"n2"}`)
	then := w.moment()
	h.update(ids[0], `{"Name":"n3"}`)
	updated := w.moment()
	deletion := w.hand("key_d")
	deletion.delete(table, ids[0], ids[1])
	deleted := w.moment()
	w.purge(table, ids[0])
	for moment, want := range map[string][]string{
		none: nil, then: {"n1", "n2"}, updated: {"n1", "n2"}, deleted: {"n2"},
	} {
		if got := w.past(table, moment); !slices.Equal(got, want) {
			t.Errorf("at %s there were %q and not %q", moment, got, want)
		}
	}
	if _, err := h.records.GetAsOf(h.ctx, w.actor, ids[0], then); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("the purged record: %v", err)
	}
	_, err := h.revert.Restore(h.ctx, w.actor, table.ID, ids[:1], false)
	if problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("the purged record: %v", err)
	}
	plan, undone := w.must(revert.Skip, deletion.set)
	if plan.Records != 1 || len(plan.Conflicts) != 1 || plan.Conflicts[0].Reason != "gone" ||
		w.get(ids[1]).Fields["Name"] != "n1" {
		t.Errorf("the revert says %+v", plan)
	}
	w.must(revert.Fail, undone)
	if err := restored(h.revert.Restore(h.ctx, w.actor, table.ID, ids[1:2], false)); err != nil {
		t.Error(err)
	}
	w.hand("key_d").delete(table, ids[1])
	w.purge(table, ids[1], ids[0])
	if got := w.past(table, then); !slices.Equal(got, []string{"n2"}) {
		t.Errorf("there were %q", got)
	}
}

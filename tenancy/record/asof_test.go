package record_test

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// moment is the present as an argument of asOf; what is written afterwards comes later.
func (b *bundle) moment(t *testing.T) string {
	t.Helper()
	now, err := changelog.Horizon(t.Context(), b.db, b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	return now.Time().Format(time.RFC3339Nano)
}

func TestRecordsAsOfAMomentAreAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text), field("Tons", schema.Number), field("Done", schema.Checkbox))
	before := b.moment(t)
	made := b.create(t, u, `{"Name":"Solveig","Tons":1}`, `{"Name":"Aase","Tons":2,"Done":true}`, `{"Name":"Ragna","Tons":3}`)
	then := b.moment(t)
	_, err := b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{"Tons":10}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Delete(t.Context(), b.actor, u, []string{made[1].ID}); err != nil {
		t.Fatal(err)
	}
	b.create(t, u, `{"Name":"Later","Tons":4}`)
	_, err = b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{"Tons":11,"Name":"X"}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	page, rows := b.list(t, u, query.Request{AsOf: then})
	if got := text(column(rows, "Tons")); got != `[1,2,3]` || page.Total != 3 {
		t.Errorf("%s of %d, want 1, 2 and 3", got, page.Total)
	}
	if got := text(column(rows, "Name")); got != `["Solveig","Aase","Ragna"]` {
		t.Error(got)
	}
	page, rows = b.list(t, u, query.Request{AsOf: then, Sorts: []byte(`[{"fieldId":"Tons","dir":"desc"}]`)})
	if got := text(column(rows, "Tons")); got != `[3,2,1]` || page.Total != 3 {
		t.Errorf("%s of %d, want 3, 2 and 1", got, page.Total)
	}
	page, rows = b.list(t, u, query.Request{AsOf: then, Search: "SOLV"})
	if got := text(column(rows, "Tons")); got != `[1]` || page.Total != 1 {
		t.Errorf("%s of %d, want 1", got, page.Total)
	}
	if page, _ := b.list(t, u, query.Request{AsOf: before}); page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("%d records before any was made", page.Total)
	}
	raw, err := b.engine.GetAsOf(t.Context(), b.actor, made[1].ID, then)
	if err != nil || text(decode(t, raw).Fields) != `{"Done":true,"Name":"Aase","Tons":2}` {
		t.Errorf("%s %v", raw, err)
	}
	if _, err := b.engine.GetAsOf(t.Context(), b.actor, made[1].ID, before); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a record before it was made: %v", err)
	}
	groups, err := b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{
		AsOf: then, Functions: []byte(`[{"fn":"sum","fieldId":"Tons"},{"fn":"count"}]`),
	})
	if err != nil || string(groups.Groups[0]) != `{"key":{},"results":{"sum(Tons)":6,"count":3}}` {
		t.Errorf("%s %v", groups.Groups, err)
	}
}

package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A filter by an entry of a lookup finds records through an index of the table that the lookup reads, also where that
// is a lookup itself.
func TestEntriesOfLookupsAreFoundByTheIndexOfTheirSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	goods := stock(t, b)
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Goods", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, goods).PublicID())))
	b.addField(t, orders, field("Prices", "lookup", `{"linkFieldId":"Goods","fieldId":"Price"}`))
	parcels := b.table(t, "Parcels", field("Name", schema.Text))
	b.addField(t, parcels, field("Orders", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, orders).PublicID())))
	b.addField(t, parcels, field("Prices", "lookup", `{"linkFieldId":"Orders","fieldId":"Prices"}`))
	_, some := b.list(t, goods, query.Request{Limit: 2, Sorts: []byte(`[{"fieldId":"Price"}]`)})
	order := b.create(t, orders, fmt.Sprintf(`{"Name":"o","Goods":[%q,%q]}`, some[0].ID, some[1].ID), `{"Name":"none"}`)
	parcel := b.create(t, parcels, fmt.Sprintf(`{"Name":"p","Orders":[%q,%q]}`, order[0].ID, order[1].ID))
	b.drain(t)
	ask := func() {
		for _, c := range []struct {
			filter, want string
		}{
			{`[{"fieldId":"Prices","op":"has_any","value":[1]}]`, order[0].ID},
			{`[{"fieldId":"Prices","op":"has_all","value":[0,1]}]`, order[0].ID},
			{`[{"fieldId":"Prices","op":"is_exactly","value":[1,0,1]}]`, order[0].ID},
			{`[{"fieldId":"Prices","op":"has_all","value":[0,2]}]`, ""},
			{`[{"fieldId":"Prices","op":"has_none","value":[0]}]`, order[1].ID},
		} {
			_, rows := b.list(t, orders, query.Request{Filters: []byte(c.filter)})
			if len(rows) == 0 && c.want != "" || len(rows) > 0 && rows[0].ID != c.want || len(rows) > 1 {
				t.Fatalf("%s finds %v, want %q", c.filter, rows, c.want)
			}
		}
		nested := []byte(`[{"fieldId":"Prices","op":"has_any","value":[1]}]`)
		if _, rows := b.list(t, parcels, query.Request{Filters: nested}); len(rows) != 1 || rows[0].ID != parcel[0].ID {
			t.Fatalf("a lookup of a lookup finds %v", rows)
		}
	}
	builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500, Idle: time.Hour}
	found := built(t, b, builder, goods, ask, 1)
	price := b.schema(t, goods).FieldByName("Price")
	for _, one := range found {
		if !strings.Contains(one.Reason, price.PublicID()) {
			t.Errorf("an index is for %s", one.Reason)
		}
	}
	relation := b.schema(t, goods).Relation()
	var idle []string
	admin := tenancytest.Admin(t)
	for range 100 {
		ask()
		if idle = idleIndexes(t, b, admin, relation); len(idle) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond) // statistics are flushed at their own pace
	}
	t.Errorf("no statement uses %v", idle)
}

// drain computes what is marked.
func (b *bundle) drain(t *testing.T) {
	t.Helper()
	if done, err := b.engine.Recompute(t.Context(), b.actor.Org, later()); err != nil || !done {
		t.Fatal(done, err)
	}
}

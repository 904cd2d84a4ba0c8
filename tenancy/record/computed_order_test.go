package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A sort by a lookup of several records uses an index of the first entries of its lists, and orders by all of them.
func TestListsAreSortedByAnIndex(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	goods := b.table(t, "Goods", field("Name", schema.Text), field("Price", schema.Number))
	rows := make([]string, 100)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"Name":"g %d","Price":%d}`, i, i%10)
	}
	good := b.create(t, goods, rows...)
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Goods", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, goods).PublicID())))
	b.addField(t, orders, field("Prices", "lookup", `{"linkFieldId":"Goods","fieldId":"Price"}`))
	b.addField(t, orders, field("Names", "lookup", `{"linkFieldId":"Goods","fieldId":"Name"}`))
	prices := map[string][]int{}
	for batch := range 5 {
		var rows []string
		var lists [][]int
		for i := range 100 {
			var ids []string
			var list []int
			for k := range (batch*100 + i) % 13 { // more than the head of a list, too
				at := (k*k*(i%3) + batch + k*(k/9)) % 100
				if id := fmt.Sprintf("%q", good[at].ID); !slices.Contains(ids, id) {
					ids, list = append(ids, id), append(list, at%10)
				}
			}
			rows, lists = append(rows, `{"Name":"o","Goods":[`+strings.Join(ids, ",")+`]}`), append(lists, list)
		}
		for i, made := range b.create(t, orders, rows...) {
			prices[made.ID] = lists[i]
		}
	}
	for {
		done, err := b.store.Fill(t.Context(), b.actor.Org, b.schema(t, orders).Number, later())
		if err != nil {
			t.Fatal(err)
		}
		if done {
			break
		}
	}
	b.drain(t)
	sorted := func(dir string) (ids []string) {
		request := query.Request{
			Sorts: fmt.Appendf(nil, `[{"fieldId":"Prices","dir":%q}]`, dir), Limit: 70, Fields: []string{"Prices"},
		}
		for {
			page, rows := b.list(t, orders, request)
			for _, row := range rows {
				ids = append(ids, row.ID)
			}
			if request.Cursor = page.Cursor; page.Cursor == "" {
				return ids
			}
		}
	}
	check := func(dir string) {
		t.Helper()
		want := make([]string, 0, len(prices))
		for id := range prices {
			want = append(want, id)
		}
		slices.SortFunc(want, func(a, b string) int {
			x, y := prices[a], prices[b]
			switch order := slices.Compare(x, y); {
			case len(x) == 0 && len(y) > 0:
				return 1
			case len(y) == 0 && len(x) > 0:
				return -1
			case order != 0 && dir == "desc":
				return -order
			case order != 0:
				return order
			}
			return strings.Compare(a, b)
		})
		if got := sorted(dir); !slices.Equal(got, want) {
			t.Fatalf("%s: the order is another one", dir)
		}
	}
	check("asc")
	check("desc")
	builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 100, Idle: time.Hour}
	ask := func() {
		check("asc")
		check("desc")
		if _, err := b.engine.List(t.Context(), b.actor, orders, query.Request{
			Sorts: []byte(`[{"fieldId":"Names"}]`), Limit: 10,
		}); err != nil {
			t.Fatal(err)
		}
	}
	built(t, b, builder, orders, ask, 3)
	ask()
}

// A value that is too long for an index does not keep columns from being filled.
func TestFillingDropsAnIndexThatAValueDoesNotFit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	table := stock(t, b)
	var noise strings.Builder // that does not compress
	for noise.Len() < 20_000 {
		noise.WriteString(uuid.NewString())
	}
	b.create(t, table, fmt.Sprintf(`{"Name":"long","Note":%q}`, noise.String()))
	made := b.addField(t, table, formulaField("Shown", "{Name}"))
	number := b.schema(t, table).Number
	fill := func() {
		t.Helper()
		if done, err := b.store.Fill(t.Context(), b.actor.Org, number, later()); err != nil || !done {
			t.Fatal(done, err)
		}
	}
	fill()
	sort := query.Request{Sorts: []byte(`[{"fieldId":"Shown","dir":"desc"}]`), Limit: 1}
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 100}, table, func() {
		b.list(t, table, sort)
	}, 1)
	err := b.store.UpdateField(t.Context(), b.actor.Org, made.ID, catalog.FieldPatch{
		Config: []byte(`{"formula":"\"x\" & {Note}"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	fill()
	if page, _ := b.list(t, table, sort); page.Total != 3001 {
		t.Errorf("the list has %d records", page.Total)
	}
}

package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A colorWorld is orders with a view whose rules compare values, a lookup, a rollup and the day.
type colorWorld struct {
	*bundle
	goods, orders uuid.UUID
	view          string
	filters       []string // of the rules, in their order
}

var ruleColors = []string{"red", "green", "amber", "blue"}

func newColorWorld(t *testing.T) *colorWorld {
	t.Helper()
	b := setup(t)
	w := &colorWorld{
		bundle: b, goods: b.table(t, "Goods", field("Name", schema.Text), field("Price", schema.Number)),
		orders: b.table(t, "Orders", field("Name", schema.Text), field("Due", schema.Date)),
	}
	b.addField(t, w.orders, field("Goods", "link", `{"linkedTableId":"`+id.Format(id.Table, w.goods)+`"}`))
	b.addField(t, w.orders, field("Names", "lookup", `{"linkFieldId":"Goods","fieldId":"Name"}`))
	b.addField(t, w.orders, field("Sum", "rollup", `{"linkFieldId":"Goods","fieldId":"Price","function":"SUM"}`))
	b.addField(t, w.orders, formulaField("Late", `DATETIME_DIFF(TODAY(), {Due}, "days")`))
	w.filters = []string{
		`[{"fieldId":"Names","op":"has_any","value":["thing 3"]},{"fieldId":"Sum","op":"lt","value":90}]`,
		`[{"or":[{"fieldId":"Sum","op":"gt","value":80},{"fieldId":"Name","op":"contains","value":"9"}]}]`,
		`[{"fieldId":"Due","op":"is_within","value":{"unit":"day"}}]`,
		`[{"fieldId":"Name","op":"contains","value":"1"}]`,
	}
	var rules []string
	for i, filter := range w.filters {
		rules = append(rules, fmt.Sprintf(`{"filters":%s,"color":%q}`, filter, ruleColors[i]))
	}
	made, err := b.store.CreateView(t.Context(), b.actor.Org, w.orders, catalog.ViewSpec{
		Type: schema.Grid, Name: "Coloured", Check: query.CheckView,
		Config: schema.ViewConfig{"colorRules": json.RawMessage("[" + strings.Join(rules, ",") + "]")},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.view = made.PublicID()
	goods := make([]string, 9)
	for i := range goods {
		goods[i] = fmt.Sprintf(`{"Name":"thing %d","Price":%d}`, i, 10*i)
	}
	things := b.create(t, w.goods, goods...)
	orders := make([]string, 120)
	for i := range orders {
		due := time.Now().UTC().AddDate(0, 0, i%5-2).Format(time.DateOnly)
		orders[i] = fmt.Sprintf(`{"Name":"order %d","Due":%q,"Goods":[%q,%q]}`, i, due, things[i%9].ID,
			things[i*7%9].ID)
	}
	b.create(t, w.orders, orders...)
	return w
}

// wanted is the colour of each record by the filters of the rules, of which the first counts.
func (w *colorWorld) wanted(t *testing.T) map[string]string {
	t.Helper()
	wanted := map[string]string{}
	for i, filter := range w.filters {
		for offset := int64(0); ; offset += 100 {
			page, records := w.list(t, w.orders, query.Request{Filters: []byte(filter), Offset: offset})
			for _, r := range records {
				if wanted[r.ID] == "" {
					wanted[r.ID] = ruleColors[i]
				}
			}
			if !page.HasMore {
				break
			}
		}
	}
	return wanted
}

// wantColors reads a list page by page, by cursor and by offset, and compares its colours.
func (w *colorWorld) wantColors(t *testing.T, when string, in query.Request) {
	t.Helper()
	seen, shown, got := map[string]int{}, []rec{}, []string{}
	in.ColorsOf, in.Limit = w.view, 40
	for _, byCursor := range []bool{true, false} {
		in.Cursor, in.Offset = "", 0
		for {
			page, records := w.list(t, w.orders, in)
			if len(page.Colors) != len(records) {
				t.Fatalf("%s: %d colours of %d records", when, len(page.Colors), len(records))
			}
			shown, got = append(shown, records...), append(got, page.Colors...)
			if !page.HasMore {
				break
			}
			if byCursor {
				in.Cursor = page.Cursor
			} else {
				in.Offset += 40
			}
		}
	}
	wanted := w.wanted(t) // after the list, or it would know already that columns are out of date
	for i, r := range shown {
		seen[got[i]]++
		if got[i] != wanted[r.ID] {
			t.Errorf("%s: %v is %q, not %q", when, r.Fields, got[i], wanted[r.ID])
		}
	}
	for _, color := range append([]string{""}, ruleColors...) {
		if seen[color] == 0 && len(in.Filters) == 0 && in.Search == "" {
			t.Errorf("%s: no record is %q", when, color)
		}
	}
}

// A record has the colour of the first rule whose filter would list it: in every order and part of a list, whether
// columns of computed fields are read, are out of date, or are computed.
func TestColorsAreThoseOfTheFirstFilterThatFinds(t *testing.T) {
	t.Parallel()
	w := newColorWorld(t)
	for _, when := range []string{"kept", "stale", "computed"} {
		switch when {
		case "kept":
			w.drain(t)
		case "stale":
			_, things := w.list(t, w.goods, query.Request{})
			w.update(t, things[7].ID, `{"Price":1}`)
			w.update(t, things[4].ID, `{"Name":"thing 3"}`)
		case "computed":
			w.unkept(t)
		}
		for _, in := range []query.Request{
			// Only the colours read the columns that are out of date.
			{Fields: []string{"Name"}, Sorts: []byte(`[{"fieldId":"Late"}]`)},
			{},
			{Sorts: []byte(`[{"fieldId":"Sum","dir":"desc"},{"fieldId":"Name"}]`)},
			{Sorts: []byte(`[{"fieldId":"Due"}]`), Filters: []byte(`[{"fieldId":"Sum","op":"gt","value":20}]`)},
			{Search: "order 1"},
		} {
			w.wantColors(t, fmt.Sprintf("%s %s %s", when, in.Sorts, in.Filters), in)
		}
	}
	page, _ := w.list(t, w.orders, query.Request{View: w.view})
	if page.Colors != nil {
		t.Errorf("a list that asks for no colours has %v", page.Colors)
	}
	_, err := w.engine.List(t.Context(), w.actor, w.orders, query.Request{
		ColorsOf: w.view, AsOf: time.Now().Format(time.RFC3339), Limit: 1,
	})
	if items := itemsOf(err); len(items) != 1 || items[0].Path != "colorsOf" {
		t.Errorf("colours of the past: %v", err)
	}
}

// Rules that no longer fit the table give no colour; the others go on.
func TestColorRulesThatDoNotFitAreLeftOut(t *testing.T) {
	t.Parallel()
	w := newColorWorld(t)
	sum := w.schema(t, w.orders).FieldByName("Sum")
	if err := w.store.DeleteField(t.Context(), w.actor.Org, sum.ID); err != nil {
		t.Fatal(err)
	}
	w.filters = w.filters[2:]
	wanted := w.wanted(t)
	page, records := w.list(t, w.orders, query.Request{ColorsOf: w.view})
	for i, r := range records {
		// The rules without the field are the last two.
		if want := map[string]string{"red": "amber", "green": "blue"}[wanted[r.ID]]; page.Colors[i] != want {
			t.Errorf("%v is %q, not %q", r.Fields, page.Colors[i], want)
		}
	}
}

package feed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A change is in the feed if the record fits before it or after it. Fails without either side.
func TestAConditionLooksAtBothSidesOfAChange(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things", field("Name", schema.Text, "{}"), field("Count", schema.Number, "{}"),
		field("Done", "checkbox", "{}"), field("Tags", "multi_select", `{"options":["a","b"]}`))
	others := w.table("Others")
	w.link(table, others, "Other", true)
	other := w.create(others, `{"Name":"other"}`)[0]
	start := w.now()
	one := w.create(table, `{"Name":"1","Count":1}`)[0]                       // 0
	w.update(one, `{"Count":5}`)                                              // 1
	w.update(one, `{"Name":"2","Tags":["a"]}`)                                // 2
	w.update(one, fmt.Sprintf(`{"Count":2,"Done":true,"Other":[%q]}`, other)) // 3
	w.update(other, fmt.Sprintf(`{%q:[]}`, w.inverse(others)))                // 4: linked
	w.delete(table, one)                                                      // 5
	w.restore(table, one)                                                     // 6
	w.update(one, `{"Name":"3","Tags":[],"Done":false}`)                      // 7
	records := slices.DeleteFunc(feed.Kinds(), func(k changelog.Kind) bool { return k == changelog.Schema })
	all := w.read(start, 100, feed.Filter{Tables: []uuid.UUID{table.ID}, Kinds: records})
	if len(all) != 8 {
		t.Fatalf("there are %d changes: %+v", len(all), all)
	}
	for condition, want := range map[string][]int{
		`{"fieldId":"Count","op":"gte","value":5}`:                                                  {1, 2, 3},
		`{"fieldId":"Count","op":"eq","value":1}`:                                                   {0, 1},
		`{"fieldId":"Count","op":"eq","value":2}`:                                                   {3, 4, 5, 6, 7},
		`{"fieldId":"Name","op":"contains","value":"2"}`:                                            {2, 3, 4, 5, 6, 7},
		`{"fieldId":"Done","op":"eq","value":true}`:                                                 {3, 4, 5, 6, 7},
		`{"fieldId":"Tags","op":"has_any","value":["a"]}`:                                           {2, 3, 4, 5, 6, 7},
		`{"fieldId":"Tags","op":"is_empty"}`:                                                        {0, 1, 2, 7},
		`{"fieldId":"Other","op":"is_not_empty"}`:                                                   {3, 4},
		fmt.Sprintf(`{"fieldId":"Other","op":"has_any","value":[%q]}`, other):                       {3, 4},
		`{"or":[{"fieldId":"Count","op":"eq","value":1},{"fieldId":"Name","op":"eq","value":"3"}]}`: {0, 1, 7},
		`{"fieldId":"Count","op":"gt","value":100}`:                                                 {},
	} {
		for _, limit := range []int{100, 3} {
			got := w.read(start, limit, feed.Filter{
				Tables: []uuid.UUID{table.ID}, Kinds: records, Condition: []byte("[" + condition + "]"),
			})
			var found []int
			for _, c := range got {
				found = append(found, slices.IndexFunc(all, func(o change) bool { return o.Cursor == c.Cursor }))
			}
			if !slices.Equal(found, want) && len(found)+len(want) > 0 {
				t.Errorf("%s by %d tells %v, and not %v", condition, limit, found, want)
			}
		}
	}
	// Changes of the schema pass any condition, and a condition of a field that is gone is refused.
	condition := []byte(`[{"fieldId":"` + table.FieldByName("Count").PublicID() + `","op":"eq","value":7}]`)
	filter := feed.Filter{Tables: []uuid.UUID{table.ID}, Condition: condition}
	name := "Renamed"
	w.must(w.store.UpdateTable(w.ctx, w.actor.Org, table.ID, catalog.Patch{Name: &name}))
	if got := w.read(start, 100, filter); len(got) != 1 || got[0].Kind != "schema" {
		t.Errorf("of the schema, read %+v", got)
	}
	w.must(w.store.DeleteField(w.ctx, w.actor.Org, table.FieldByName("Count").ID))
	_, err := w.Read(w.ctx, w.actor.Org, w.base, start, 100, filter)
	if problem.KindOf(err) != problem.KindInvalid || !strings.Contains(err.Error(), "filters[0].fieldId") {
		t.Errorf("with a field that is gone: %v", err)
	}
}

// inverse is the name of the last field of a table.
func (w *world) inverse(table *schema.Table) string {
	fields := w.fresh(table.ID).Fields
	return fields[len(fields)-1].Name
}

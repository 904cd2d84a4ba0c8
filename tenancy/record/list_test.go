package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestPagesAndCursorsWalkTheSameList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Walk", field("Name", schema.Text), field("N", schema.Number), field("Day", schema.Date),
		field("On", schema.Checkbox), field("At", schema.DateTime), field("No", schema.AutoNumber))
	rng := rand.New(rand.NewPCG(1, 2))
	var inputs []string
	for i := range 730 {
		input := fmt.Sprintf(`{"Name":%q,"On":%t`, fmt.Sprintf("n%03d", i%50), i%3 == 0)
		if rng.IntN(4) > 0 {
			input += fmt.Sprintf(`,"N":%d`, rng.IntN(20))
		}
		if rng.IntN(4) > 0 {
			input += fmt.Sprintf(`,"Day":"2024-01-%02d","At":"2024-01-01T00:00:%02dZ"`, 1+rng.IntN(28), rng.IntN(60))
		}
		inputs = append(inputs, input+"}")
	}
	b.create(t, u, inputs...)
	for _, sort := range []string{
		``, `[{"fieldId":"N"}]`, `[{"fieldId":"N","dir":"desc"}]`,
		`[{"fieldId":"Name","dir":"desc"},{"fieldId":"Day"}]`, `[{"fieldId":"On"},{"fieldId":"N","dir":"desc"}]`,
		`[{"fieldId":"Day","dir":"desc"},{"fieldId":"N"},{"fieldId":"Name"}]`, `[{"fieldId":"At"}]`,
		`[{"fieldId":"No","dir":"desc"}]`,
	} {
		for _, filter := range []string{``, `[{"fieldId":"On","op":"eq","value":false}]`} {
			var byOffset, byCursor []string
			var total int64
			for offset := int64(0); ; offset += 100 {
				page, records := b.list(t, u, query.Request{
					Sorts:   []byte(sort),
					Filters: []byte(filter),
					Offset:  offset,
				})
				total = page.Total
				for _, r := range records {
					byOffset = append(byOffset, r.ID)
				}
				if page.Offset != offset || page.HasMore != (offset+100 < page.Total) {
					t.Fatalf("offset %d of %d: %+v", offset, page.Total, page.HasMore)
				}
				if !page.HasMore {
					break
				}
			}
			cursor := ""
			for i := 0; ; i++ {
				page, records := b.list(t, u, query.Request{
					Sorts:   []byte(sort),
					Filters: []byte(filter),
					Cursor:  cursor,
					Limit:   37,
				})
				for _, r := range records {
					byCursor = append(byCursor, r.ID)
				}
				if page.Total != total || page.Offset != int64(37*i) {
					t.Fatalf("page %d: total %d want %d, offset %d", i, page.Total, total, page.Offset)
				}
				if cursor = page.Cursor; !page.HasMore {
					break
				}
			}
			if int64(len(byOffset)) != total {
				t.Errorf("%s %s: walked %d of %d", sort, filter, len(byOffset), total)
			}
			if diff := cmp.Diff(byOffset, byCursor); diff != "" {
				t.Errorf("%s %s: the cursor went another way: %s", sort, filter, diff)
			}
			unique := slices.Clone(byOffset)
			slices.Sort(unique)
			if len(slices.Compact(unique)) != len(byOffset) {
				t.Errorf("%s %s: a record came twice", sort, filter)
			}
		}
	}
	page, records := b.list(t, u, query.Request{Offset: 5000})
	if page.Total != 730 || page.HasMore || len(records) != 0 {
		t.Errorf("behind the end: %+v", page)
	}
	page, _ = b.list(t, u, query.Request{Sorts: []byte(`[{"fieldId":"N"}]`)})
	_, err := b.engine.List(t.Context(), b.actor, u, query.Request{Cursor: page.Cursor, Limit: 5})
	wantItem(t, err, problem.KindInvalid, "cursor")
}

func TestAViewAppliesItsFiltersAndSorts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, names := letters(t, b)
	tab := b.schema(t, parse(t, table()))
	view := tab.Views[0]
	config := schema.ViewConfig{
		"filters": json.RawMessage(`[{"fieldId":"State","op":"in","value":["Open","Late"]}]`),
		"sorts":   json.RawMessage(`[{"fieldId":"N","dir":"desc"}]`),
	}
	if err := b.store.UpdateView(t.Context(), b.actor.Org, view.ID, catalog.ViewPatch{
		Config: config,
		Check:  query.CheckView,
	}); err != nil {
		t.Fatal(err)
	}
	if got := names(query.Request{View: view.PublicID()}); got != "eac" {
		t.Errorf("the view gave %q", got)
	}
	if got := names(query.Request{View: view.PublicID(), Sorts: []byte(`[{"fieldId":"Name"}]`)}); got != "ace" {
		t.Errorf("sorted otherwise, the view gave %q", got)
	}
	if got := names(query.Request{
		View:    view.PublicID(),
		Filters: []byte(`[{"fieldId":"Done","op":"eq","value":true}]`),
	}); got != "ac" {
		t.Errorf("filtered further, the view gave %q", got)
	}
	if got := names(query.Request{View: view.PublicID(), Search: "oslo"}); got != "ac" {
		t.Errorf("searched, the view gave %q", got)
	}
	// It outlives the renaming of its fields, and shows nothing when one of its options is gone.
	state := tab.FieldByName("State")
	newName := "Status"
	if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, catalog.FieldPatch{
		Name: &newName, Config: json.RawMessage(`{"options":["Open","Closed"]}`), Discard: true,
	}); err != nil {
		t.Fatal(err)
	}
	if got := names(query.Request{View: view.PublicID()}); got != "" {
		t.Errorf("after the change, the view gave %q", got)
	}
	config["filters"] = json.RawMessage(`[{"fieldId":"Status","op":"gt","value":1}]`)
	err := b.store.UpdateView(t.Context(), b.actor.Org, view.ID, catalog.ViewPatch{
		Config: config,
		Check:  query.CheckView,
	})
	wantItem(t, err, problem.KindInvalid, "config.filters[0].op", "not an operator")
}

func TestProjectionReturnsTheFieldsAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _ := letters(t, b)
	u := parse(t, table())
	tab := b.schema(t, u)
	_, records := b.list(t, u, query.Request{
		Fields: []string{"N", tab.FieldByName("Name").PublicID()},
		Limit:  1,
		Sorts:  []byte(`[{"fieldId":"Day"}]`),
	})
	if diff := cmp.Diff(map[string]any{"Name": "a", "N": 1.0}, records[0].Fields); diff != "" {
		t.Error(diff)
	}
}

package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A lookup may read linked records in an order of their fields, and only the first of them.
func TestALookupHasAnOrderAndALimit(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.addField(t, p.airports, formulaField("Rest", "{Length} - 3000"))
	p.create(t, p.airports, fmt.Sprintf(
		`{"Name":"TRD","Length":2990,"Tags":["b"],"Opened":"1914-01-01","Country":[%q]}`, p.country[0].ID))
	for i, c := range []struct{ source, keys, want string }{
		{"Name", `"sorts":[{"fieldId":"Name"}]`, `[["BGO","OSL","TRD"],["KEF"],null]`},
		{"Name", `"sorts":[{"fieldId":"Name","dir":"desc"}]`, `[["TRD","OSL","BGO"],["KEF"],null]`},
		{"Name", `"sorts":[{"fieldId":"Length"},{"fieldId":"Opened"}]`, `[["TRD","BGO","OSL"],["KEF"],null]`},
		{"Name", `"sorts":[{"fieldId":"Rest","dir":"desc"}],"limit":1`, `[["OSL"],["KEF"],null]`},
		{"Length", `"sorts":[{"fieldId":"Opened"}]`, `[[2990,2990,3600],[null],null]`},
		{"Tags", `"sorts":[{"fieldId":"Opened"}]`, `[["b","a","b","a"],[null],null]`},
		{"Tags", `"sorts":[{"fieldId":"Opened"}],"limit":2`, `[["b","a","b"],[null],null]`},
		{"Tags", `"limit":1`, `[["a"],[null],null]`},
		{"Name", `"limit":2`, `[["OSL","BGO"],["KEF"],null]`},
		{
			"Name", `"filters":[{"fieldId":"Length","op":"lt","value":3000}],"sorts":[{"fieldId":"Opened"}],"limit":1`,
			`[["TRD"],null,null]`,
		},
	} {
		name := fmt.Sprint("L", i)
		p.addField(t, p.countries, field(name, "lookup",
			fmt.Sprintf(`{"linkFieldId":%q,"fieldId":%q,%s}`, through, c.source, c.keys)))
		if got := p.value(t, name); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.keys, c.source, got, c.want)
		}
	}
	p.addField(t, p.countries, formulaField("Latest", "{L3} & '!'"))
	if got := p.value(t, "Latest"); got != `["OSL!","KEF!","!"]` {
		t.Error(got)
	}
	_, rows := p.list(t, p.countries, query.Request{
		Filters: []byte(`[{"fieldId":"L3","op":"has_any","value":["OSL"]}]`),
	})
	if got := text(column(rows, "Name")); got != `["Norway"]` {
		t.Error(got)
	}
	first := p.schema(t, p.countries).FieldByName("L3")
	update := func(keys string) error {
		return p.store.UpdateField(t.Context(), p.actor.Org, first.ID, catalog.FieldPatch{Config: []byte(keys)})
	}
	for _, c := range []struct{ keys, path, part string }{
		{`{"limit":0}`, "config.limit", "from 1 to 100"},
		{`{"limit":101}`, "config.limit", "from 1 to 100"},
		{`{"limit":"all"}`, "config.limit", "a whole number"},
		{`{"sorts":[{"fieldId":"Lenght"}]}`, "config.sorts[0].fieldId", `did you mean "Length"`},
		{`{"sorts":[{"fieldId":"Country"}]}`, "config.sorts[0].fieldId", "has no order"},
		{`{"sorts":[{"fieldId":"Length","dir":"down"}]}`, "config.sorts[0].dir", "asc or desc"},
		{`{"sorts":"Length"}`, "config.sorts", "must be an array"},
	} {
		wantItem(t, update(c.keys), problem.KindInvalid, c.path, c.part)
	}
	_, err := p.store.CreateField(t.Context(), p.actor.Org, p.countries, field("Sum", "rollup",
		fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Length","function":"SUM","limit":1}`, through)))
	wantItem(t, err, problem.KindInvalid, "config.limit", "no such key")
	// By id, so that it follows a renaming; a field that goes is missed.
	sortedBy := p.schema(t, p.airports).FieldByName("Opened")
	if err := update(`{"sorts":[{"fieldId":"Opened"}]}`); err != nil {
		t.Fatal(err)
	}
	renamed := "Since"
	err = p.store.UpdateField(t.Context(), p.actor.Org, sortedBy.ID, catalog.FieldPatch{Name: &renamed})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.value(t, "L3"); got != `[["TRD"],["KEF"],null]` {
		t.Error(got)
	}
	back := p.computed(t, p.airports, "Firsts", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "L3"})
	err = update(fmt.Sprintf(`{"sorts":[{"fieldId":%q}]}`, back.PublicID()))
	wantItem(t, err, problem.KindInvalid, "config.fieldId", "compute from each other")
	if err := p.store.DeleteField(t.Context(), p.actor.Org, sortedBy.ID); err != nil {
		t.Fatal(err)
	}
	if got := p.schema(t, p.countries).FieldByName("L3").Computed.Broken; got == "" {
		t.Error("nothing is said of a field that it is sorted by")
	}
	if err := update(`{"sorts":null}`); err != nil {
		t.Fatal(err)
	}
	if got := p.value(t, "L3"); got != `[["OSL"],["KEF"],null]` {
		t.Error(got)
	}
}

// Records are sorted by lookups of selects in the order of the options, as by the selects.
func TestLookupsOfSelectsAreInTheOrderOfTheirOptions(t *testing.T) {
	t.Parallel()
	p := &ports{bundle: setup(t)}
	const sizes = `{"options":["small","large","huge"]}`
	boxes := p.table(t, "Boxes", field("Name", schema.Text), field("Size", schema.SingleSelect, sizes),
		field("Sizes", schema.MultiSelect, sizes))
	things := p.table(t, "Things", field("Name", schema.Text))
	p.link(t, things, boxes, "One", false, true)
	p.link(t, things, boxes, "Many", true, true)
	for _, of := range []string{"Size", "Sizes"} {
		for _, link := range []string{"One", "Many"} {
			p.computed(t, things, link+" "+of, "lookup", map[string]any{"linkFieldId": link, "fieldId": of})
		}
	}
	back := p.schema(t, boxes).Fields[3].Name
	p.computed(t, boxes, "Mates", "lookup", map[string]any{"linkFieldId": back, "fieldId": "One Size"})
	p.computed(t, things, "Far", "lookup", map[string]any{"linkFieldId": "One", "fieldId": "Mates"})
	box := map[string]string{}
	for _, name := range []string{"small", "huge", "large"} {
		box[name] = p.create(t, boxes, fmt.Sprintf(`{"Name":%q,"Size":%[1]q,"Sizes":[%[1]q]}`, name))[0].ID
	}
	box["none"] = p.create(t, boxes, `{"Name":"none"}`)[0].ID
	for i, many := range [][]string{{"huge"}, {"none", "small"}, {"large", "huge"}, {"none"}, {"large"}} {
		var ids []string
		for _, name := range many {
			ids = append(ids, box[name])
		}
		p.create(t, things, fmt.Sprintf(`{"Name":"%d","One":[%q],"Many":%s}`, i, ids[len(ids)-1], text(ids)))
	}
	sorted := func(want map[string][]string) {
		t.Helper()
		for name, want := range want {
			for _, limit := range []int{1, 100} {
				dir, by, _ := strings.Cut(name, " ")
				sorts := fmt.Appendf(nil, `[{"fieldId":%q,"dir":%q},{"fieldId":"Name"}]`, by, dir)
				if got := p.walk(t, things, query.Request{Sorts: sorts, Limit: limit}, nil); !slices.Equal(got, want) {
					t.Errorf("%s, %d a page: %v, want %v", name, limit, got, want)
				}
			}
		}
	}
	sorted(map[string][]string{
		"asc One Size": {"1", "4", "0", "2", "3"}, "desc One Size": {"0", "2", "4", "1", "3"},
		"asc Many Size": {"1", "4", "2", "0", "3"}, "desc Many Size": {"0", "2", "4", "1", "3"},
		"asc One Sizes": {"1", "4", "0", "2", "3"}, "asc Many Sizes": {"1", "4", "2", "0", "3"},
		"asc Far": {"1", "4", "0", "2", "3"}, "desc Far": {"0", "2", "4", "1", "3"},
	})
	out, err := p.engine.Aggregate(t.Context(), p.actor, things, query.Aggregation{GroupBy: []string{"One Size"}})
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, group := range out.Groups {
		groups = append(groups, string(group))
	}
	if small, large, huge := find(groups, "small"), find(groups, "large"), find(groups, "huge"); small < 0 ||
		large < small || huge < large {
		t.Errorf("the groups are %s", groups)
	}
	// They follow the options of the select, and a cursor goes on only where what came before it stayed.
	q := query.Request{Sorts: []byte(`[{"fieldId":"Many Size"},{"fieldId":"Name"}]`), Limit: 2}
	page, _ := p.list(t, things, q)
	size := p.schema(t, boxes).FieldByName("Size").ID
	for _, c := range []struct {
		options string
		goesOn  bool
	}{{`["small","large","new","huge"]`, true}, {`["huge","small","large"]`, false}} {
		patch := catalog.FieldPatch{Config: []byte(`{"options":` + c.options + `}`)}
		if err := p.store.UpdateField(t.Context(), p.actor.Org, size, patch); err != nil {
			t.Fatal(err)
		}
		q.Cursor = page.Cursor
		if _, err := p.engine.List(t.Context(), p.actor, things, q); (err == nil) != c.goesOn {
			t.Errorf("options %s: %v", c.options, err)
		}
	}
	sorted(map[string][]string{
		"asc Many Size": {"0", "1", "4", "2", "3"}, "asc One Size": {"0", "2", "1", "4", "3"},
		"asc Far": {"0", "2", "1", "4", "3"},
	})
}

func find(texts []string, part string) int {
	return slices.IndexFunc(texts, func(one string) bool { return strings.Contains(one, part) })
}

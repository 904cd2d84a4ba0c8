package record_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// ports are countries, with airports that are linked to them.
type ports struct {
	*bundle
	countries, airports uuid.UUID
	country, airport    []rec
}

func newPorts(t *testing.T) *ports {
	t.Helper()
	p := &ports{bundle: setup(t)}
	p.countries = p.table(t, "Countries", field("Name", schema.Text))
	p.airports = p.table(t, "Airports", field("Name", schema.Text), field("Length", schema.Number),
		field("Lit", schema.Checkbox), field("Opened", schema.Date),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`))
	p.addField(t, p.airports, field("Country", schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q,"multiple":false}`, p.schema(t, p.countries).PublicID())))
	p.country = p.create(t, p.countries, `{"Name":"Norway"}`, `{"Name":"Iceland"}`, `{"Name":"Nowhere"}`)
	for _, a := range []string{
		`{"Name":"OSL","Length":3600,"Lit":true,"Opened":"1998-10-08","Tags":["a"],"Country":[%q]}`,
		`{"Name":"BGO","Length":2990,"Lit":false,"Opened":"1955-10-02","Tags":["a","b"],"Country":[%q]}`,
	} {
		p.airport = append(p.airport, p.create(t, p.airports, fmt.Sprintf(a, p.country[0].ID))...)
	}
	p.airport = append(p.airport, p.create(t, p.airports,
		fmt.Sprintf(`{"Name":"KEF","Lit":true,"Country":[%q]}`, p.country[1].ID))...)
	return p
}

func (p *ports) value(t *testing.T, name string) string {
	t.Helper()
	_, rows := p.list(t, p.countries, query.Request{})
	return text(column(rows, name))
}

func (p *ports) computed(t *testing.T, table uuid.UUID, name, kind string, config map[string]any) *schema.Field {
	t.Helper()
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return p.addField(t, table, field(name, schema.Type(kind), string(raw)))
}

// drafted is what a field would compute that is not saved.
func (p *ports) drafted(t *testing.T, table uuid.UUID, kind string, config map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := p.engine.CheckFormula(t.Context(), p.actor.Org, table,
		record.Draft{Type: schema.Type(kind), Config: raw})
	if err != nil {
		t.Fatalf("%s %s: %v", kind, raw, err)
	}
	var values []any
	for _, one := range checked.Values {
		var value any
		if err := json.Unmarshal(one.Value, &value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return text(values)
}

func TestLookupsRollupsAndCountsReadLinkedRecords(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name // the link's other side
	p.addField(t, p.airports, formulaField("Km", "{Length} / 1000"))
	for name, c := range map[string]struct {
		kind, function, source, want string
		filters                      any
	}{
		"Names":   {"lookup", "", "Name", `[["OSL","BGO"],["KEF"],null]`, nil},
		"Lengths": {"lookup", "", "Length", `[[3600,2990],[null],null]`, nil},
		"Kms":     {"lookup", "", "Km", `[[3.6,2.99],[0],null]`, nil},
		"Lits":    {"lookup", "", "Lit", `[[true,false],[true],null]`, nil},
		"Days":    {"lookup", "", "Opened", `[["1998-10-08","1955-10-02"],[null],null]`, nil},
		"Tags":    {"lookup", "", "Tags", `[["a","a","b"],[null],null]`, nil},
		"All":     {"count", "", "", `[2,1,0]`, nil},
		"Bright": {
			"count", "", "", `[1,1,0]`,
			[]any{map[string]any{"fieldId": "Lit", "op": "eq", "value": true}},
		},
		"Far": {
			"rollup", "SUM", "Length", `[3600,0,0]`,
			[]any{map[string]any{"fieldId": "Km", "op": "gt", "value": 3}},
		},
		"Old": {
			"count", "", "", `[1,0,0]`,
			[]any{map[string]any{"fieldId": "Opened", "op": "lt", "value": "1990-01-01"}},
		},
		"Sum":     {"rollup", "SUM", "Length", `[6590,0,0]`, nil},
		"Longest": {"rollup", "MAX", "Length", `[3600,null,null]`, nil},
		"Mean":    {"rollup", "AVERAGE", "Length", `[3295,null,null]`, nil},
		"Numbers": {"rollup", "COUNT", "Length", `[2,0,0]`, nil},
		"Odd":     {"rollup", "XOR", "Lit", `[true,true,false]`, nil},
		"Compact": {"rollup", "ARRAYCOMPACT", "Tags", `[["a","a","b"],null,null]`, nil},
		"First":   {"rollup", "MIN", "Opened", `["1955-10-02",null,null]`, nil},
		"Joined":  {"rollup", "ARRAYJOIN", "Name", `["OSL, BGO","KEF",null]`, nil},
		"Unique":  {"rollup", "ARRAYUNIQUE", "Tags", `[["a","b"],[null],null]`, nil},
		"Any":     {"rollup", "OR", "Lit", `[true,true,false]`, nil},
		"Every":   {"rollup", "AND", "Lit", `[false,true,true]`, nil},
		"Filled":  {"rollup", "COUNTA", "Length", `[2,0,0]`, nil},
		"Rows":    {"rollup", "COUNTALL", "Length", `[2,1,0]`, nil},
	} {
		config := map[string]any{"linkFieldId": through}
		if c.source != "" {
			config["fieldId"] = c.source
		}
		if c.function != "" {
			config["function"] = c.function
		}
		if c.filters != nil {
			config["filters"] = c.filters
		}
		drafted := p.drafted(t, p.countries, c.kind, config)
		made := p.computed(t, p.countries, name, c.kind, config)
		if got := p.value(t, name); got != c.want || drafted != c.want {
			t.Errorf("%s (%s): %s, and %s before it is saved, want %s", name, made.Config.ResultType, got, drafted,
				c.want)
		}
	}
	// Any over any, across tables and back.
	p.addField(t, p.countries, formulaField("Share", "{Bright} / {All}"))
	if got := p.value(t, "Share"); got !=
		`[0.5,1,{"error":"division_by_zero","message":"The formula divides by zero or by an empty value."}]` {
		t.Error(got)
	}
	p.computed(t, p.airports, "Siblings", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "Share"})
	_, rows := p.list(t, p.airports, query.Request{})
	if got := text(column(rows, "Siblings")); got != `[0.5,0.5,1]` {
		t.Error(got)
	}
	// Filters and sorts.
	page, rows := p.list(t, p.countries, query.Request{
		Filters: []byte(`[{"fieldId":"Share","op":"gt","value":0.1}]`),
		Sorts:   []byte(`[{"fieldId":"Share","dir":"desc"}]`),
	})
	if got := text(column(rows, "Name")); got != `["Iceland","Norway"]` || page.Total != 2 {
		t.Error(got)
	}
	// What others write is seen at once, and the total too.
	p.update(t, p.airport[2].ID, `{"Lit":false}`)
	page, rows = p.list(t, p.countries, query.Request{
		Filters: []byte(`[{"fieldId":"Share","op":"gt","value":0.1}]`),
	})
	if got := text(column(rows, "Name")); got != `["Norway"]` || page.Total != 1 {
		t.Errorf("%s of %d", got, page.Total)
	}
	_, rows = p.list(t, p.countries, query.Request{Search: "BGO"})
	if got := text(column(rows, "Name")); got != `["Norway"]` {
		t.Error(got)
	}
	p.update(t, p.airport[1].ID, fmt.Sprintf(`{"Country":[%q]}`, p.country[2].ID))
	if got := p.value(t, "Names"); got != `[["OSL"],["KEF"],["BGO"]]` {
		t.Error(got)
	}
	// A link that goes, and comes back.
	link := p.schema(t, p.airports).FieldByName("Country")
	if err := p.store.DeleteField(t.Context(), p.actor.Org, link.ID); err != nil {
		t.Fatal(err)
	}
	if got := p.schema(t, p.countries).FieldByName("Names").Computed.Broken; got == "" {
		t.Error("nothing is said of a link that is gone")
	}
	p.value(t, "Share")
	if _, err := p.store.Restore(t.Context(), p.actor.Org, catalog.TrashRequest{
		Items: []string{link.PublicID()}, Base: p.base,
	}); err != nil {
		t.Fatal(err)
	}
	if got := p.value(t, "Names"); got != `[["OSL"],["KEF"],["BGO"]]` {
		t.Error(got)
	}
}

// An entry of a lookup stands at the place of its record, so that lookups through one link fit each other, and
// functions see the same entries in a lookup as a rollup does. Filters and sorts see those that are not empty.
func TestLookupsKeepThePlacesOfEmptyValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.table(t, "Items", field("Name", schema.Text), field("Size", schema.Number), field("Note", schema.Text),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`), formulaField("Half", "IF({Size}, {Size} / 2)"))
	boxes := b.table(t, "Boxes", field("Name", schema.Text))
	b.addField(t, boxes, field("Items", schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q}`, b.schema(t, items).PublicID())))
	p := &ports{bundle: b, countries: boxes}
	made := b.create(t, items, `{"Name":"x","Size":10,"Note":"n","Tags":["a","b"]}`, `{"Name":"y"}`,
		`{"Name":"z","Size":9}`)
	b.create(t, boxes, fmt.Sprintf(`{"Name":"all","Items":[%q,%q,%q]}`, made[0].ID, made[1].ID, made[2].ID),
		fmt.Sprintf(`{"Name":"blank","Items":[%q,%q]}`, made[1].ID, made[1].ID), `{"Name":"none"}`,
		fmt.Sprintf(`{"Name":"small","Items":[%q,%q]}`, made[1].ID, made[2].ID))
	for _, name := range []string{"Size", "Note", "Tags", "Half", "Name"} {
		p.computed(t, boxes, name+"s", "lookup", map[string]any{"linkFieldId": "Items", "fieldId": name})
		for _, function := range []string{"COUNTALL", "COUNTA", "COUNT", "ARRAYJOIN", "ARRAYUNIQUE", "AND", "OR"} {
			p.computed(t, boxes, function+name, "rollup",
				map[string]any{"linkFieldId": "Items", "fieldId": name, "function": function})
			p.addField(t, boxes, formulaField(function+" of "+name, fmt.Sprintf("%s({%ss})", function, name)))
			if a, b := p.value(t, function+name), p.value(t, function+" of "+name); a != b {
				t.Errorf("%s of %s: the rollup is %s, and of the lookup it is %s", function, name, a, b)
			}
		}
	}
	for _, function := range []string{"MIN", "MAX", "SUM", "AVERAGE"} {
		p.computed(t, boxes, function, "rollup",
			map[string]any{"linkFieldId": "Items", "fieldId": "Half", "function": function})
		p.addField(t, boxes, formulaField(function+" of lookup", function+"({Halfs})"))
		if a, b := p.value(t, function), p.value(t, function+" of lookup"); a != b {
			t.Errorf("%s: the rollup is %s, and of the lookup it is %s", function, a, b)
		}
	}
	p.addField(t, boxes, formulaField("Text", `"<" & {Sizes} & ">"`))
	p.addField(t, boxes, formulaField("Some", `IF({Sizes}, "some", "none")`))
	p.addField(t, boxes, formulaField("Blank", `IF({Sizes} = BLANK(), "blank", "filled")`))
	p.addField(t, boxes, formulaField("Only", "{Sizes} * 2"))
	for name, want := range map[string]string{
		"Sizes": `[[10,null,9],[null],null,[null,9]]`, "Notes": `[["n",null,null],[null],null,[null,null]]`,
		"Names": `[["x","y","z"],["y"],null,["y","z"]]`, "Tagss": `[["a","b",null,null],[null],null,[null,null]]`,
		"COUNTALLSize": `[3,1,0,2]`, "COUNTASize": `[2,0,0,1]`, "MIN": `[4.5,null,null,4.5]`,
		"MAX":  `[5,null,null,4.5]`,
		"Text": `["<10, 9>","<>","<>","<9>"]`, "Some": `["some","none","none","some"]`,
		"Blank": `["filled","blank","blank","filled"]`,
		"Only": `[{"error":"several_values","message":"The formula takes one value of a list that holds several."},` +
			`0,0,18]`,
	} {
		if got := p.value(t, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, c := range []struct{ filters, sorts, want string }{
		{"", `[{"fieldId":"Sizes"}]`, `["small","all","blank","none"]`},
		{"", `[{"fieldId":"Sizes","dir":"desc"}]`, `["all","small","blank","none"]`},
		{"", `[{"fieldId":"Notes"}]`, `["all","blank","none","small"]`},
		{`[{"fieldId":"Sizes","op":"is_empty"}]`, "", `["blank","none"]`},
		{`[{"fieldId":"Sizes","op":"is_not_empty"}]`, "", `["all","small"]`},
		{`[{"fieldId":"Sizes","op":"is_exactly","value":[9]}]`, "", `["small"]`},
		{`[{"fieldId":"Sizes","op":"has_none","value":[10]}]`, "", `["blank","none","small"]`},
		{`[{"fieldId":"Sizes","op":"has_any","value":[10]}]`, "", `["all"]`},
	} {
		_, rows := b.list(t, boxes, query.Request{Filters: []byte(c.filters), Sorts: []byte(c.sorts)})
		if got := text(column(rows, "Name")); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.filters, c.sorts, got, c.want)
		}
		if c.sorts == "" {
			continue
		}
		got, cursor := []any{}, ""
		for first := true; first || cursor != ""; first = false { // page by page
			page, rows := b.list(t, boxes, query.Request{Sorts: []byte(c.sorts), Limit: 1, Cursor: cursor})
			got, cursor = append(got, column(rows, "Name")...), page.Cursor
		}
		if text(got) != c.want {
			t.Errorf("%s, page by page: %s, want %s", c.sorts, text(got), c.want)
		}
	}
}

// Whether a column holds the text or it is computed where it is read.
func TestAnEmptyTextIsNoValueOfALinkedRecord(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.addField(t, p.airports, formulaField("Label", `SUBSTITUTE({Name}, "OSL", "")`))
	p.computed(t, p.countries, "Labels", "lookup", map[string]any{"linkFieldId": through, "fieldId": "Label"})
	p.computed(t, p.countries, "Every", "rollup", map[string]any{
		"linkFieldId": through, "fieldId": "Label", "function": "AND",
	})
	for _, unkept := range []bool{false, true} {
		if unkept {
			p.unkept(t)
		}
		if got := p.value(t, "Labels"); got != `[[null,"BGO"],["KEF"],null]` {
			t.Errorf("unkept %t: %s", unkept, got)
		}
		if got := p.value(t, "Every"); got != `[false,true,true]` {
			t.Errorf("unkept %t: %s", unkept, got)
		}
	}
}

// A rollup may be a formula of the values, and a lookup may read only some of the linked records.
func TestARollupMayBeAFormulaOfItsValues(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	rollup := func(source, text string) map[string]any {
		return map[string]any{"linkFieldId": through, "fieldId": source, "formula": text}
	}
	for i, c := range []struct{ source, text, want string }{
		{"Tags", `ARRAYJOIN(ARRAYUNIQUE(values), "; ")`, `["a; b",null,null]`},
		{"Length", "MAX(values) - MIN({values})", "[610,0,0]"},
		{"Length", "COUNTALL(values)", "[2,1,0]"},
		{"Length", `IF(COUNTA(values) = 0, "none", SUM(values) & " m")`, `["6590 m","none","none"]`},
		{"Opened", "DATETIME_FORMAT(MIN(values), 'YYYY')", `["1955",null,null]`},
		{"Lit", "AND(values)", `[false,true,true]`},
		{"Name", "ARRAYSLICE(values, 1, 1)", `[["OSL"],["KEF"],null]`},
	} {
		name := fmt.Sprint("R", i)
		p.computed(t, p.countries, name, "rollup", rollup(c.source, c.text))
		if got := p.value(t, name); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.text, c.source, got, c.want)
		}
		if got := p.schema(t, p.countries).FieldByName(name).ShownConfig().Formula; got != c.text {
			t.Errorf("%s is shown as %s", c.text, got)
		}
	}
	_, rows := p.list(t, p.countries, query.Request{
		Filters: []byte(`[{"fieldId":"R1","op":"gt","value":100}]`), Sorts: []byte(`[{"fieldId":"R3","dir":"desc"}]`),
	})
	if got := text(column(rows, "Name")); got != `["Norway"]` {
		t.Error(got)
	}
	p.addField(t, p.countries, formulaField("Of rollup", "{R1} + 1"))
	if got := p.value(t, "Of rollup"); got != "[611,1,1]" {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"SUM(valuess)": `there is no field "valuess", did you mean "values"?`, "SUM(values": "expected",
		"SUM(values) + {Name}": "no field",
	} {
		_, err := p.store.CreateField(t.Context(), p.actor.Org, p.countries, field("Wrong", "rollup",
			fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Length","formula":%q}`, through, text)))
		wantItem(t, err, problem.KindInvalid, "config.formula", want)
	}
	_, err := p.store.CreateField(t.Context(), p.actor.Org, p.countries, field("Wrong", "rollup",
		fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Length","formula":"SUM(values)","function":"SUM"}`, through)))
	wantItem(t, err, problem.KindInvalid, "config.formula", "together with function")
	made := p.schema(t, p.countries).FieldByName("R2")
	if err := p.store.UpdateField(t.Context(), p.actor.Org, made.ID,
		catalog.FieldPatch{Config: []byte(`{"formula":null,"function":"SUM"}`)}); err != nil {
		t.Fatal(err)
	}
	if got := p.value(t, "R2"); got != "[6590,0,0]" {
		t.Error(got)
	}
	p.computed(t, p.countries, "Lit names", "lookup", map[string]any{
		"linkFieldId": through, "fieldId": "Name",
		"filters": []any{map[string]any{"fieldId": "Lit", "op": "eq", "value": true}},
	})
	if got := p.value(t, "Lit names"); got != `[["OSL"],["KEF"],null]` {
		t.Error(got)
	}
}

func TestWrongLookupsAreRefused(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.computed(t, p.countries, "Names", "lookup", map[string]any{"linkFieldId": through, "fieldId": "Name"})
	p.addField(t, p.airports, field("Rate", schema.Percent))
	for _, c := range []struct{ kind, config, path, part string }{
		{"lookup", `{}`, "config.linkFieldId", "is missing"},
		{"lookup", `{"linkFieldId":"Name"}`, "config.linkFieldId", "is not a link field"},
		{"lookup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Nam"}`, through), "config.fieldId", `did you mean "Name"`},
		{"rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Name"}`, through), "config.function", "is missing"},
		{
			"rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Rate","function":"MAX","format":"percent"}`, through),
			"config.format", "per cent already",
		},
		{
			"rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Name","function":"SUMM"}`, through),
			"config.function", `"SUM"`,
		},
		{
			"rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Opened","function":"SUM"}`, through),
			"config.function", "SUM",
		},
		{
			"count",
			fmt.Sprintf(`{"linkFieldId":%q,"filters":[{"fieldId":"Opened","op":"lt","value":"today"}]}`, through),
			"config.filters", "today",
		},
	} {
		_, err := p.store.CreateField(t.Context(), p.actor.Org, p.countries,
			field("X", schema.Type(c.kind), c.config))
		wantItem(t, err, problem.KindInvalid, c.path, c.part)
	}
	back := p.computed(t, p.airports, "Back", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "Names"})
	err := p.store.UpdateField(t.Context(), p.actor.Org, p.schema(t, p.countries).FieldByName("Names").ID,
		catalog.FieldPatch{Config: json.RawMessage(fmt.Sprintf(`{"fieldId":%q}`, back.PublicID()))})
	wantItem(t, err, problem.KindInvalid, "config.fieldId", "compute from each other")
}

// Another process has the schema of before a change of the table that a rollup reads.
func TestARollupFollowsAChangeThatAnotherProcessMade(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	km := p.addField(t, p.airports, formulaField("Km", "{Length} / 1000"))
	p.computed(t, p.countries, "Far", "rollup", map[string]any{
		"linkFieldId": through, "fieldId": "Km", "function": "MAX",
	})
	other := &ports{
		bundle:    &bundle{p.db, catalog.NewStore(p.db, catalog.Options{}), nil, p.actor, p.base},
		countries: p.countries,
	}
	other.engine = record.New(p.db, other.store)
	if got := other.value(t, "Far"); got != `[3.6,0,null]` {
		t.Fatal(got)
	}
	err := p.store.UpdateField(t.Context(), p.actor.Org, km.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"formula":"{Length} / 100"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := other.value(t, "Far"); got != `[36,0,null]` {
		t.Errorf("the other process answers %s", got)
	}
}

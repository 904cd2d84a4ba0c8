package record_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

func (p *ports) groups(t *testing.T, table string, in query.Aggregation) string {
	t.Helper()
	of := p.airports
	if table == "countries" {
		of = p.countries
	}
	out, err := p.engine.Aggregate(t.Context(), p.actor, of, in)
	if err != nil {
		t.Fatalf("%v: %v", in.GroupBy, err)
	}
	groups := make([]string, len(out.Groups))
	for i, group := range out.Groups {
		groups[i] = string(group)
	}
	return strings.Join(groups, " ")
}

// newComputedPorts has computed fields of all sorts: kept, live, and of each type that groups.
func newComputedPorts(t *testing.T) *ports {
	t.Helper()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.addField(t, p.airports, formulaField("Km", "ROUND({Length} / 1000)"))
	p.addField(t, p.airports, formulaField("Bad", "1 / ({Length} - 3600)"))
	p.addField(t, p.airports, formulaField("Next", `DATEADD({Opened}, 1, "month")`))
	p.computed(t, p.countries, "Sum", "rollup", map[string]any{
		"linkFieldId": through, "fieldId": "Length", "function": "SUM",
	})
	p.addField(t, p.countries, formulaField("Size", `IF({Sum} > 3000, "large", "small")`))
	p.computed(t, p.airports, "Home", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "Name"})
	return p
}

func TestAggregationsReadComputedFields(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	for _, c := range []struct {
		table, groupBy, functions, want string
	}{
		{"airports", "Km", "", `{"key":{"Km":0},"results":{"count":1}} {"key":{"Km":3},"results":{"count":1}} ` +
			`{"key":{"Km":4},"results":{"count":1}}`},
		{"airports", "Bad", "", `{"key":{"Bad":-0.001639344262295082},"results":{"count":1}} ` +
			`{"key":{"Bad":-0.0002777777777777778},"results":{"count":1}} {"key":{"Bad":null},"results":{"count":1}}`},
		{"airports", "year(Next)", "", `{"key":{"year(Next)":"1955-01-01"},"results":{"count":1}} ` +
			`{"key":{"year(Next)":"1998-01-01"},"results":{"count":1}} ` +
			`{"key":{"year(Next)":null},"results":{"count":1}}`},
		{
			"countries", "Size", `[{"fn":"sum","fieldId":"Sum"},{"fn":"distinct","fieldId":"Size"}]`,
			`{"key":{"Size":"large"},"results":{"sum(Sum)":6590,"distinct(Size)":1}} ` +
				`{"key":{"Size":"small"},"results":{"sum(Sum)":0,"distinct(Size)":1}}`,
		},
		{"airports", "Country.Size", "", `{"key":{"Country.Size":"large"},"results":{"count":2}} ` +
			`{"key":{"Country.Size":"small"},"results":{"count":1}}`},
		{"airports", "Country", `[{"fn":"median","fieldId":"Km"}]`, ``},
	} {
		got := p.groups(t, c.table, query.Aggregation{GroupBy: []string{c.groupBy}, Functions: []byte(c.functions)})
		if c.want == "" {
			c.want = fmt.Sprintf(`{"key":{"Country":{"id":%q,"title":"Iceland"}},"results":{"median(Km)":0}} `+
				`{"key":{"Country":{"id":%q,"title":"Norway"}},"results":{"median(Km)":3.5}}`, p.country[1].ID,
				p.country[0].ID)
		}
		if got != c.want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.groupBy, got, c.want)
		}
	}
}

func TestConditionsOnLinkedRecordsReadComputedFields(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	large := query.Request{Filters: []byte(`[{"field":"Country.Size","op":"eq","value":"large"}]`)}
	page, rows := p.list(t, p.airports, large)
	if got := text(column(rows, "Name")); got != `["OSL","BGO"]` || page.Total != 2 {
		t.Errorf("%s of %d", got, page.Total)
	}
	// The total follows what linked records are computed to.
	p.update(t, p.airport[2].ID, `{"Length":3054}`)
	page, rows = p.list(t, p.airports, large)
	if got := text(column(rows, "Name")); got != `["OSL","BGO","KEF"]` || page.Total != 3 {
		t.Errorf("%s of %d", got, page.Total)
	}
}

// A record of which several marks say that its links changed is one record, and its links count once.
func TestARecordThatIsMarkedSeveralTimesIsCountedOnce(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.computed(t, p.countries, "Count", "count", map[string]any{"linkFieldId": through})
	p.drain(t)
	for _, country := range []int{0, 1, 0} {
		p.update(t, p.airport[2].ID, fmt.Sprintf(`{"Country":[%q]}`, p.country[country].ID))
	}
	for _, few := range []int{5000, 0, -1} {
		p.engine.ComputePresent(few)
		for filters, want := range map[string]string{
			`[{"fieldId":"Count","op":"gt","value":3}]`:  `[]`,
			`[{"fieldId":"Count","op":"gte","value":3}]`: `["Norway"]`,
			`[]`: `["Norway","Iceland","Nowhere"]`,
		} {
			page, rows := p.list(t, p.countries, query.Request{
				Filters: []byte(filters), Sorts: []byte(`[{"fieldId":"Count","dir":"desc"}]`),
			})
			if got := text(column(rows, "Name")); got != want || page.Total != int64(len(rows)) {
				t.Errorf("%s finds %s of %d with present values of %d", filters, got, page.Total, few)
			}
		}
		got := p.groups(t, "countries", query.Aggregation{
			Functions: []byte(`[{"fn":"sum","fieldId":"Count"},{"fn":"max","fieldId":"Count"}]`),
		})
		if !strings.Contains(got, `{"sum(Count)":3,"max(Count)":3}`) {
			t.Errorf("%s with present values of %d", got, few)
		}
	}
}

func TestChangesOfWhatAFilterFindsReadComputedFields(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	change := func(filters, fields string, plan bool) (record.BulkResult, error) {
		return p.engine.ChangeAll(t.Context(), p.actor, p.airports, record.Bulk{
			Selection: record.Selection{Filters: []byte(filters)},
			Fields:    jsonvaluetest.ParseObject([]byte(fields)), Plan: plan, Credential: "key_test",
		})
	}
	const norwegian = `[{"fieldId":"Home","op":"eq","value":"Norway"},{"fieldId":"Km","op":"gt","value":3}]`
	out, err := change(norwegian, `{"Length":1000}`, true)
	if err != nil || out.Count != 1 || out.Sample[0].ID != p.airport[0].ID {
		t.Fatalf("%+v, %v", out, err)
	}
	if out, err = change(norwegian, `{"Length":1000}`, false); err != nil || out.Count != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	_, rows := p.list(t, p.airports, query.Request{})
	if got := text(column(rows, "Km")); got != `[1,3,0]` {
		t.Error(got)
	}
	_, err = change(norwegian, `{"Km":1}`, false)
	if err == nil || !strings.Contains(err.Error(), "Km") {
		t.Error(err)
	}
}

func TestImportIgnoresColumnsThatAreComputed(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	out, err := p.engine.Import(t.Context(), p.actor, p.airports, record.Import{CSV: "Name,Km,Home\nTRD,2,Norway\n"})
	if err != nil || out.Created != 1 || !slices.Equal(out.Ignored, []string{"Km", "Home"}) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWordsAreFoundInComputedFields(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	found := func(typos bool, text string) string {
		var names []string
		err := p.engine.FindWords(t.Context(), p.actor, p.airports, text, typos, nil, 10,
			func(i int, one record.Record, _ int) {
				var read struct{ Fields struct{ Name string } }
				if err := json.Unmarshal(one, &read); err != nil {
					t.Error(err)
				}
				names = append(names[:i], read.Fields.Name)
			})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		typos bool
		text  string
		want  string
	}{
		{false, "norway osl", "OSL"},
		{false, "iceland", "KEF"},
		{true, "nroway", "BGO OSL"},
	} {
		if got := found(c.typos, c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// A lookup of lists, and fields with filters, are read separately from those that are read together.
func TestLinkedFieldsAreReadTogetherWithTheSameValues(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	add := func(name, kind, source, function, filters string) {
		config := map[string]any{"linkFieldId": through}
		for key, value := range map[string]string{"fieldId": source, "function": function} {
			if value != "" {
				config[key] = value
			}
		}
		if filters != "" {
			config["filters"] = json.RawMessage(filters)
		}
		p.computed(t, p.countries, name, kind, config)
	}
	const lit = `[{"fieldId":"Lit","op":"eq","value":true}]`
	add("Names", "lookup", "Name", "", "")
	add("Tags", "lookup", "Tags", "", "")
	add("Lit names", "rollup", "Name", "ARRAYUNIQUE", lit)
	add("Lit", "count", "", "", lit)
	add("Homes", "lookup", "Home", "", "")
	add("Count", "count", "", "", "")
	add("Joined", "rollup", "Name", "ARRAYJOIN", "")
	add("First", "rollup", "Opened", "MIN", "")
	add("Failed", "rollup", "Bad", "SUM", "")
	_, rows := p.list(t, p.countries, query.Request{})
	for name, want := range map[string]string{
		"Names": `[["OSL","BGO"],["KEF"],null]`, "Tags": `[["a","a","b"],[null],null]`,
		"Lit names": `[["OSL"],["KEF"],null]`, "Lit": `[1,1,0]`, "Homes": `[["Norway","Norway"],["Iceland"],null]`,
		"Count": `[2,1,0]`, "Joined": `["OSL, BGO","KEF",null]`, "First": `["1955-10-02",null,null]`,
		"Sum": `[6590,0,0]`, "Size": `["large","small","small"]`,
		"Failed": `[{"error":"division_by_zero","message":"The formula divides by zero or by an empty value."},` +
			`-0.0002777777777777778,0]`,
	} {
		if got := text(column(rows, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	one, err := p.engine.Get(t.Context(), p.actor, p.country[0].ID)
	if err != nil || !strings.Contains(string(one), `"Names":["OSL","BGO"],"Tags":["a","a","b"],"Lit names":["OSL"]`) {
		t.Errorf("%s, %v", one, err)
	}
}

func TestSearchFindsTextsOfComputedFields(t *testing.T) {
	t.Parallel()
	p := newComputedPorts(t)
	through := p.schema(t, p.countries).Fields[1].Name
	p.addField(t, p.airports, formulaField("Code", `"code " & {Name}`))
	for name, source := range map[string]string{"Names": "Name", "Codes": "Code", "Lengths": "Length"} {
		p.computed(t, p.countries, name, "lookup", map[string]any{"linkFieldId": through, "fieldId": source})
	}
	p.computed(t, p.countries, "Joined", "rollup", map[string]any{
		"linkFieldId": through, "fieldId": "Name", "function": "CONCATENATE",
	})
	then := p.moment(t)
	for search, want := range map[string]string{
		"bgo": `["Norway"]`, "CODE os": `["Norway"]`, "code": `["Norway","Iceland"]`, "osl, b": `["Norway"]`,
		"large": `["Norway"]`, "2990": `[]`, "code nowhere": `[]`,
	} {
		page, rows := p.list(t, p.countries, query.Request{Search: search})
		if got := text(column(rows, "Name")); got != want || page.Total != int64(len(rows)) {
			t.Errorf("%s finds %s of %d, want %s", search, got, page.Total, want)
		}
		_, rows = p.list(t, p.countries, query.Request{Search: search, AsOf: then})
		if got := text(column(rows, "Name")); got != want {
			t.Errorf("%s found %s then, want %s", search, got, want)
		}
	}
	// The total follows a change of what is looked up.
	p.update(t, p.airport[2].ID, `{"Name":"bgo too"}`)
	if page, rows := p.list(t, p.countries, query.Request{Search: "bgo"}); page.Total != 2 || len(rows) != 2 {
		t.Errorf("%d of %d", len(rows), page.Total)
	}
}

package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// newHomes are ports whose countries have values of every kind, each of which a lookup of the airports reads through
// the link to one country.
func newHomes(t *testing.T) *ports {
	t.Helper()
	p := newPorts(t)
	for _, one := range []catalog.FieldSpec{
		field("People", schema.Number), field("Money", schema.Currency), field("Share", schema.Percent),
		field("North", schema.Checkbox), field("Founded", schema.Date), field("Seen", schema.DateTime),
		field("Size", schema.SingleSelect, `{"options":["big","small"]}`),
		field("Tongues", schema.MultiSelect, `{"options":["no","is"]}`), formulaField("Inverse", "1 / {People}"),
	} {
		p.addField(t, p.countries, one)
	}
	p.update(t, p.country[0].ID, `{"People":5,"Money":2.5,"Share":40,"North":true,"Founded":"1814-05-17",`+
		`"Seen":"2026-01-02T03:04:05.000Z","Size":"small","Tongues":["no","is"]}`)
	p.update(t, p.country[1].ID, `{"People":0}`)
	p.create(t, p.airports, `{"Name":"XXX"}`)
	for _, f := range p.schema(t, p.countries).Fields {
		if f.Link == nil {
			p.computed(t, p.airports, "The "+f.Name, "lookup",
				map[string]any{"linkFieldId": "Country", "fieldId": f.Name})
		}
	}
	return p
}

func (p *ports) ofAirports(t *testing.T, name string) string {
	t.Helper()
	_, rows := p.list(t, p.airports, query.Request{})
	return text(column(rows, name))
}

func (p *ports) setMultiple(t *testing.T, several, discard bool) error {
	t.Helper()
	return p.store.UpdateField(t.Context(), p.actor.Org, p.schema(t, p.airports).FieldByName("Country").ID,
		catalog.FieldPatch{Config: fmt.Appendf(nil, `{"multiple":%t}`, several), Discard: discard})
}

func TestALookupThroughALinkToOneRecordIsItsValue(t *testing.T) {
	t.Parallel()
	p := newHomes(t)
	byZero := `{"error":"division_by_zero","message":"The formula divides by zero or by an empty value."}`
	for name, want := range map[string][2]string{
		"The Name":    {"text", `["Norway","Norway","Iceland",null]`},
		"The People":  {"number", `[5,5,0,null]`},
		"The Money":   {"number", `[2.5,2.5,null,null]`},
		"The Share":   {"number", `[40,40,null,null]`},
		"The North":   {"boolean", `[true,true,false,null]`},
		"The Founded": {"date", `["1814-05-17","1814-05-17",null,null]`},
		"The Seen":    {"datetime", `["2026-01-02T03:04:05.000Z","2026-01-02T03:04:05.000Z",null,null]`},
		"The Size":    {"text", `["small","small",null,null]`},
		"The Tongues": {"list of text", `[["no","is"],["no","is"],null,null]`},
		"The Inverse": {"number", `[0.2,0.2,` + byZero + `,null]`},
	} {
		if got := p.ofAirports(t, name); got != want[1] {
			t.Errorf("%s: %s, want %s", name, got, want[1])
		}
		if got := p.schema(t, p.airports).FieldByName(name).Config.ResultType; got != want[0] {
			t.Errorf("%s is of %s, want %s", name, got, want[0])
		}
	}
	for _, c := range []struct{ filters, sorts, want string }{
		{`[{"fieldId":"The People","op":"gt","value":4}]`, "", `["OSL","BGO"]`},
		{`[{"fieldId":"The Name","op":"contains","value":"ice"}]`, "", `["KEF"]`},
		{`[{"fieldId":"The Size","op":"in","value":["small"]}]`, "", `["OSL","BGO"]`},
		{`[{"fieldId":"The North","op":"eq","value":true}]`, "", `["OSL","BGO"]`},
		{`[{"fieldId":"The Founded","op":"lt","value":"1900-01-01"}]`, "", `["OSL","BGO"]`},
		{`[{"fieldId":"The Tongues","op":"has_any","value":["is"]}]`, "", `["OSL","BGO"]`},
		{`[{"fieldId":"The Tongues","op":"is_empty"}]`, "", `["KEF","XXX"]`},
		{`[{"fieldId":"The Inverse","op":"is_error"}]`, "", `["KEF"]`},
		{"", `[{"fieldId":"The Name"},{"fieldId":"Name"}]`, `["KEF","BGO","OSL","XXX"]`},
		{"", `[{"fieldId":"The People","dir":"desc"}]`, `["OSL","BGO","KEF","XXX"]`},
		{"", `[{"fieldId":"The Founded","dir":"desc"}]`, `["OSL","BGO","KEF","XXX"]`},
	} {
		_, rows := p.list(t, p.airports, query.Request{Filters: []byte(c.filters), Sorts: []byte(c.sorts)})
		if got := text(column(rows, "Name")); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.filters, c.sorts, got, c.want)
		}
	}
	_, rows := p.list(t, p.airports, query.Request{Search: "Iceland"})
	if got := text(column(rows, "Name")); got != `["KEF"]` {
		t.Errorf("a search finds %s", got)
	}
	grouped, err := p.engine.Aggregate(t.Context(), p.actor, p.airports, query.Aggregation{
		GroupBy: []string{"The Name"}, Functions: []byte(`[{"fn":"sum","fieldId":"The People"}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(grouped.AppendJSON(nil)), `{"groups":[{"key":{"The Name":"Iceland"},"results":`+
		`{"sum(The People)":0}},{"key":{"The Name":"Norway"},"results":{"sum(The People)":10}},`+
		`{"key":{"The Name":null},"results":{"sum(The People)":null}}],"hasMore":false}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	written, _ := p.export(t, p.airports, record.Export{Request: query.Request{
		Fields: []string{"Name", "The Name", "The People", "The North", "The Tongues"},
	}})
	if want := "OSL,Norway,5,true,\"no, is\"\r\n"; !strings.Contains(written, want) {
		t.Errorf("the file is %q", written)
	}
}

// Formulas, rollups and other lookups read the value, and follow when the link takes several records and one again.
func TestWhatReadsALookupFollowsItsLink(t *testing.T) {
	t.Parallel()
	p := newHomes(t)
	back := p.schema(t, p.countries).Fields[1].Name
	p.addField(t, p.airports, formulaField("Twice", "{The People} * 2"))
	p.addField(t, p.airports, formulaField("Same", "{The People}"))
	p.computed(t, p.countries, "Total", "rollup",
		map[string]any{"linkFieldId": back, "fieldId": "The People", "function": "SUM"})
	p.computed(t, p.countries, "All", "lookup", map[string]any{"linkFieldId": back, "fieldId": "The People"})
	p.computed(t, p.airports, "Whole", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "Total"})
	check := func(what string, want map[string][2]string) {
		t.Helper()
		for name, want := range want {
			value, table := p.ofAirports, p.airports
			if name == "Total" || name == "All" {
				value, table = p.value, p.countries
			}
			if got := value(t, name); got != want[1] {
				t.Errorf("%s: %s is %s, want %s", what, name, got, want[1])
			}
			f := p.schema(t, table).FieldByName(name)
			if f.Config.ResultType != want[0] || f.Computed.Broken != "" {
				t.Errorf("%s: %s is of %s: %s", what, name, f.Config.ResultType, f.Computed.Broken)
			}
		}
	}
	one := map[string][2]string{
		"Twice": {"number", `[10,10,0,0]`}, "Same": {"number", `[5,5,0,null]`}, "Total": {"number", `[10,0,0]`},
		"All": {"list of number", `[[5,5],[0],null]`}, "Whole": {"number", `[10,10,0,null]`},
	}
	check("one", one)
	if err := p.setMultiple(t, true, false); err != nil {
		t.Fatal(err)
	}
	p.update(t, p.airport[0].ID, fmt.Sprintf(`{"Country":[%q,%q]}`, p.country[1].ID, p.country[0].ID))
	several := `{"error":"several_values","message":"The formula takes one value of a list that holds several."}`
	check("several", map[string][2]string{
		"Twice": {"number", `[` + several + `,10,0,0]`}, "Same": {"list of number", `[[0,5],[5],[0],null]`},
		"Total": {"number", `[10,5,0]`}, "All": {"list of number", `[[0,5,5],[0,0,5],null]`},
		"Whole": {"list of number", `[[5,10],[10],[5],null]`}, "The Tongues": {
			"list of text", `[[null,"no","is"],["no","is"],[null],null]`,
		},
	})
	for _, name := range []string{"Same", "Whole", "The People"} { // what is stored is what is computed
		var stored string
		f := p.schema(t, p.airports).FieldByName(name)
		err := p.db.SchemaTx(t.Context(), p.actor.Org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select config->>'resultType' from rowhouse.field where id = $1`,
				f.ID).Scan(&stored)
		})
		if err != nil || stored != "list of number" {
			t.Errorf("%s is stored as %s: %v", name, stored, err)
		}
	}
	if err := p.setMultiple(t, false, false); err != nil {
		t.Fatal(err)
	}
	// A record that was linked to several still is. The first one counts.
	check("one again", map[string][2]string{
		"Twice": {"number", `[0,10,0,0]`}, "Same": {"number", `[0,5,0,null]`}, "Whole": {"number", `[0,5,0,null]`},
		"The Tongues": {"list of text", `[null,["no","is"],null,null]`},
	})
	p.update(t, p.airport[0].ID, fmt.Sprintf(`{"Country":[%q]}`, p.country[0].ID))
	check("one as before", one)
}

// wantLosses expects an error with losses: each is a path and words of its message.
func wantLosses(t *testing.T, err error, losses ...string) {
	t.Helper()
	var wrong *problem.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("no error with losses: %v", err)
	}
	var want, got []string
	for pair := range slices.Chunk(losses, 2) {
		want = append(want, pair[0]+": "+pair[1])
	}
	for i, item := range wrong.Items {
		one := item.Path + ": " + item.Message
		if i < len(want) && item.Path == losses[2*i] && strings.Contains(item.Message, losses[2*i+1]) {
			one = want[i]
		}
		got = append(got, one)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the losses are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A view, or a rollup, whose filter compares a lookup has conditions on a value or on a list.
func TestChangingALinkListsWhatNoLongerFits(t *testing.T) {
	t.Parallel()
	p := newHomes(t)
	back := p.schema(t, p.countries).Fields[1].Name
	view := func(text string) *schema.View {
		t.Helper()
		var config schema.ViewConfig
		if err := json.Unmarshal([]byte(text), &config); err != nil {
			t.Fatal(err)
		}
		made, err := p.store.CreateView(t.Context(), p.actor.Org, p.airports, catalog.ViewSpec{
			Type: "grid", By: schema.Viewer{Admin: true}, Check: query.CheckView, Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	crowded := view(`{"filters":[{"fieldId":"The People","op":"gt","value":1}]}`)
	old := view(`{"sorts":[{"fieldId":"The Founded"}],"groupBy":["The Name"]}`)
	count := p.computed(t, p.countries, "Crowded", "count", map[string]any{
		"linkFieldId": back, "filters": []any{map[string]any{"fieldId": "The People", "op": "gt", "value": 1}},
	})
	err := p.setMultiple(t, true, false)
	wantCode(t, err, problem.CodeValuesWouldBeLost)
	wantLosses(t, err, count.PublicID(), "would show errors", crowded.PublicID(), "would show nothing",
		old.PublicID(), `no longer group by "The Name"`, old.PublicID(), `no longer sort by "The Founded"`)
	if got := p.schema(t, p.airports).FieldByName("The People").Config.ResultType; got != "number" {
		t.Errorf("after a refusal the lookup is of %s", got)
	}
	if err := p.setMultiple(t, true, true); err != nil {
		t.Fatal(err)
	}
	p.update(t, p.airport[0].ID, `{"Name":"osl"}`)
	listed := view(`{"filters":[{"fieldId":"The People","op":"has_any","value":[5]}]}`)
	err = p.setMultiple(t, false, false)
	wantLosses(t, err, listed.PublicID(), "would show nothing")
	if !strings.Contains(err.Error(), `Lookups through "Country" become single values, and 1 place that reads`) {
		t.Errorf("%v", err)
	}
	if err := p.setMultiple(t, false, true); err != nil {
		t.Fatal(err)
	}
	if got := p.value(t, "Crowded"); got != `[2,0,0]` { // it fits again
		t.Error(got)
	}
}

// A lookup that was stored as a list before links to one record gave values is one from the first read on.
func TestALookupOfBeforeIsAValueToo(t *testing.T) {
	t.Parallel()
	p := newHomes(t)
	p.addField(t, p.airports, formulaField("Same", "{The People}"))
	for _, name := range []string{"The People", "Same"} {
		p.exec(t, `update rowhouse.field set config = config || '{"resultType":"list of number"}' where id = $1`,
			p.schema(t, p.airports).FieldByName(name).ID)
	}
	fresh := &ports{
		bundle:   &bundle{p.db, catalog.NewStore(p.db, catalog.Options{}), nil, p.actor, p.base},
		airports: p.airports,
	}
	fresh.engine = record.New(p.db, fresh.store)
	for _, name := range []string{"The People", "Same"} {
		if got := fresh.ofAirports(t, name); got != `[5,5,0,null]` {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// A formula whose values stand in a column follows a field that begins to hold several values, and so does its column.
func TestAKeptFormulaFollowsAFieldThatBecomesAList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	table := b.table(t, "T", field("Name", schema.Text), field("State", schema.SingleSelect, `{"options":["a","b"]}`),
		formulaField("Same", "{State}"))
	b.create(t, table, `{"Name":"x","State":"a"}`, `{"Name":"y"}`)
	state := b.schema(t, table).FieldByName("State")
	for _, c := range []struct {
		to           schema.Type
		result, want string
	}{{schema.MultiSelect, "list of text", `[["a"],null]`}, {schema.SingleSelect, "text", `["a",null]`}} {
		change := catalog.TypeChange{Type: c.to}
		if err := catalog.Retype(t.Context(), b.store, b.actor.Org, state.ID, change); err != nil {
			t.Fatal(err)
		}
		same := b.schema(t, table).FieldByName("Same")
		if same.Config.ResultType != c.result || !same.Computed.Kept || same.Computed.Broken != "" {
			t.Errorf("as %s it is of %s, kept %t: %s", c.to, same.Config.ResultType, same.Computed.Kept,
				same.Computed.Broken)
		}
		_, rows := b.list(t, table, query.Request{})
		if got := text(column(rows, "Same")); got != c.want {
			t.Errorf("as %s: %s, want %s", c.to, got, c.want)
		}
	}
}

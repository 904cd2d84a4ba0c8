package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// deals makes three tables that are linked in a chain: deals to companies, companies to regions.
func deals(t *testing.T, b *bundle) (deals, companies, regions uuid.UUID, company []rec) {
	t.Helper()
	regions = b.table(t, "Regions", field("Name", schema.Text))
	companies = b.table(t, "Companies", field("Name", schema.Text), field("Country", schema.Text),
		field("Staff", schema.Number), field("Founded", schema.Date))
	deals = b.table(t, "Deals", field("Name", schema.Text), field("Amount", schema.Number), field("Closed",
		schema.Date),
		field("At", schema.DateTime, `{"timeZone":"America/New_York"}`),
		field("Tags", schema.MultiSelect, `{"options":["hot","cold","old"]}`))
	link := func(from uuid.UUID, name string, to uuid.UUID) {
		if _, err := b.store.CreateField(t.Context(), b.actor.Org, from,
			field(name, schema.LinkType, `{"linkedTableId":"`+id.Format(id.Table, to)+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	link(deals, "Company", companies)
	link(companies, "Region", regions)
	region := b.create(t, regions, `{"Name":"North"}`, `{"Name":"South"}`)
	company = b.create(t, companies,
		`{"Name":"Acme","Country":"NO","Staff":10,"Founded":"1999-05-04","Region":["`+region[0].ID+`"]}`,
		`{"Name":"Beta","Country":"NO","Staff":20,"Founded":"1999-11-30","Region":["`+region[0].ID+`"]}`,
		`{"Name":"Gamma","Country":"IT","Staff":30,"Founded":"2005-01-01","Region":["`+region[1].ID+`"]}`,
		`{"Name":"Idle","Country":"FR"}`)
	b.create(
		t, deals,
		`{"Name":"A","Amount":10,"Closed":"2024-01-01","At":"2024-01-01T03:00:00Z","Tags":["hot"],`+
			`"Company":["`+company[0].ID+`"]}`,
		`{"Name":"B","Amount":20,"Closed":"2024-01-31","At":"2024-01-31T12:00:00Z","Tags":["hot","old"],`+
			`"Company":["`+company[0].ID+
			`","`+company[1].ID+`"]}`,
		`{"Name":"C","Amount":30,"Closed":"2024-02-29","At":"2024-03-01T01:00:00Z","Tags":["cold"],`+
			`"Company":["`+company[2].ID+`"]}`,
		`{"Name":"D","Amount":40,"Closed":"2024-12-30","At":"2024-12-31T23:00:00Z",`+
			`"Company":["`+company[1].ID+`","`+company[2].ID+`"]}`,
		`{"Name":"E"}`)
	return deals, companies, regions, company
}

// listError is what a list is refused with.
func listError(t *testing.T, b *bundle, table uuid.UUID, q query.Request) error {
	t.Helper()
	_, err := b.engine.List(t.Context(), b.actor, table, q)
	if err == nil {
		t.Errorf("%s was not refused", q.Filters)
	}
	return err
}

func TestFiltersReachLinkedRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, company := deals(t, b)
	for _, c := range []struct{ filters, want string }{
		{`[{"field":"Company.Country","op":"eq","value":"NO"}]`, "[A B D]"},
		{`[{"fieldId":"Company.Country","op":"neq","value":"NO"}]`, "[C D]"},
		{`[{"field":"Company.Staff","op":"gte","value":20},{"field":"Amount","op":"lt","value":40}]`, "[B C]"},
		// D is linked to a company of Norway and to another one with 30 people.
		{`[{"field":"Company.Country","op":"eq","value":"NO"},{"field":"Company.Staff","op":"gte","value":30}]`, "[D]"},
		{
			`[{"link":"Company","and":[{"field":"Country","op":"eq","value":"NO"},` +
				`{"field":"Staff","op":"gte","value":30}]}]`,
			"[]",
		},
		{
			`[{"link":"Company","and":[{"field":"Country","op":"eq","value":"NO"},` +
				`{"field":"Staff","op":"gte","value":20}]}]`,
			"[B D]",
		},
		{
			`[{"link":"Company","or":[{"field":"Country","op":"eq","value":"IT"},` +
				`{"field":"Staff","op":"eq","value":10}]}]`,
			"[A B C D]",
		},
		{
			`[{"link":"Company","and":[{"field":"Region.Name","op":"eq","value":"North"},` +
				`{"or":[{"field":"Staff","op":"eq","value":10},{"field":"Staff","op":"gte","value":30}]}]}]`, "[A B]",
		},
		{
			`[{"link":"Company","and":[{"link":"Deals","and":[{"field":"Amount","op":"lt","value":20},` +
				`{"field":"Name","op":"eq","value":"A"}]}]}]`, "[A B]",
		},
		{`[{"field":"Company.Region.Name","op":"eq","value":"South"}]`, "[C D]"},
		{`[{"field":"Company.Region","op":"is_empty"}]`, "[]"},
		{`[{"or":[{"field":"Company.Name","op":"contains","value":"acm"},{"field":"Name","op":"eq","value":"E"}` +
			`]}]`, "[A B E]"},
		{`[{"field":"Company","op":"has_any","value":["` + company[2].ID + `"]}]`, "[C D]"},
		{`[{"field":"Company.Deals","op":"is_not_empty"}]`, "[A B C D]"},
		{`[{"field":"Company.Founded","op":"between","value":["1999-06-01","2004-12-31"]}]`, "[B D]"},
	} {
		for range 2 { // the second total is a remembered one
			page, found := b.list(t, table, query.Request{Filters: []byte(c.filters), Limit: 100})
			if got := fmt.Sprint(column(found, "Name")); got != c.want || int(page.Total) != len(found) {
				t.Errorf("%s found %s of %d, want %s", c.filters, got, page.Total, c.want)
			}
		}
	}
	// A remembered total follows what changes in the linked table.
	norway := query.Request{Filters: []byte(`[{"field":"Company.Country","op":"eq","value":"NO"}]`), Limit: 1}
	if page, _ := b.list(t, table, norway); page.Total != 3 {
		t.Errorf("there are %d", page.Total)
	}
	b.updateOne(t, company[1].ID, `{"Country":"SE"}`)
	if page, _ := b.list(t, table, norway); page.Total != 2 {
		t.Errorf("after a change of a company there are %d", page.Total)
	}
	// So does a changed field.
	linked, land := b.schema(t, companies), "Land"
	if err := b.store.UpdateField(t.Context(), b.actor.Org, linked.FieldByName("Country").ID,
		catalog.FieldPatch{Name: &land}); err != nil {
		t.Fatal(err)
	}
	wantItem(t, listError(t, b, table, norway), problem.KindInvalid, "filters[0].field", `not a field of "Companies"`)

	for _, c := range []struct{ filters, path, message string }{
		{`[{"field":"Company.Nmae","op":"eq","value":""}]`, "filters[0].field", `did you mean "Name"?`},
		{`[{"field":"Name.Country","op":"eq","value":""}]`, "filters[0].field", "not a link"},
		{`[{"field":"Company.Staff","op":"contains","value":"1"}]`, "filters[0].op", "not an operator"},
		{`[{"field":"Name","fieldId":"Name","op":"eq","value":"x"}]`, "filters[0].field", "one of them"},
		{
			`[{"field":"Company.Deals.Company.Deals.Name","op":"eq","value":""}]`, "filters[0].field",
			"more than 3 links",
		},
		{
			`[{"link":"Company.Deals","and":[{"field":"Company.Deals.Name","op":"eq","value":""}]}]`,
			"filters[0].and[0].field", "more than 3 links",
		},
		{`[{"link":"Company"}]`, "filters[0].link", "needs conditions"},
		{`[{"link":"Company","and":[]}]`, "filters[0].and", "at least one"},
		{`[{"link":"Name","and":[{"field":"Name","op":"is_empty"}]}]`, "filters[0].link", "not a link"},
		{`[{"link":"Company","and":[{"field":"Amount","op":"is_empty"}]}]`, "filters[0].and[0].field", `"Companies"`},
		{`[{"and":[],"or":[],"link":"Company"}]`, "filters[0]", "nothing else"},
	} {
		wantItem(t, listError(t, b, table, query.Request{Filters: []byte(c.filters), Limit: 1}), problem.KindInvalid,
			c.path,
			c.message)
	}
	wantItem(t, listError(t, b, table, query.Request{
		Filters: []byte(`[{"field":"Company.Staff","op":"eq","value":1}]`), Limit: 1, AsOf: "2026-01-01T00:00:00Z",
	}), problem.KindInvalid, "filters", "asOf")
}

func TestGroupsAreOfLinksTimesAndOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _, company := deals(t, b)
	amounts := []byte(`[{"fn":"count"},{"fn":"sum","fieldId":"Amount"}]`)
	link := func(i int, title string) string { return `{"id":"` + company[i].ID + `","title":"` + title + `"}` }
	for _, c := range []struct {
		in   query.Aggregation
		want string
	}{
		{
			query.Aggregation{GroupBy: []string{"Company"}, Functions: amounts},
			`{"key":{"Company":` + link(0, "Acme") + `},"results":{"count":2,"sum(Amount)":30}},` +
				`{"key":{"Company":` + link(1, "Beta") + `},"results":{"count":2,"sum(Amount)":60}},` +
				`{"key":{"Company":` + link(2, "Gamma") + `},"results":{"count":2,"sum(Amount)":70}},` +
				`{"key":{"Company":null},"results":{"count":1,"sum(Amount)":null}}`,
		},
		{ // B is linked to two companies of one country, and counted once
			query.Aggregation{GroupBy: []string{"Company.Country"}, Functions: amounts},
			`{"key":{"Company.Country":"IT"},"results":{"count":2,"sum(Amount)":70}},` +
				`{"key":{"Company.Country":"NO"},"results":{"count":3,"sum(Amount)":70}},` +
				`{"key":{"Company.Country":null},"results":{"count":1,"sum(Amount)":null}}`,
		},
		{
			query.Aggregation{GroupBy: []string{"Company.Region.Name", "year(Company.Founded)"}},
			`{"key":{"Company.Region.Name":"North","year(Company.Founded)":"1999-01-01"},"results":{"count":3}},` +
				`{"key":{"Company.Region.Name":"North","year(Company.Founded)":"2005-01-01"},"results":{"count":1}},` +
				`{"key":{"Company.Region.Name":"South","year(Company.Founded)":"1999-01-01"},"results":{"count":1}},` +
				`{"key":{"Company.Region.Name":"South","year(Company.Founded)":"2005-01-01"},"results":{"count":2}},` +
				`{"key":{"Company.Region.Name":null,"year(Company.Founded)":null},"results":{"count":1}}`,
		},
		{
			query.Aggregation{GroupBy: []string{"quarter(Closed)"}},
			`{"key":{"quarter(Closed)":"2024-01-01"},"results":{"count":3}},{"key":{"quarter(Closed)":"2024-10-01"},` +
				`"results":{"count":1}},{"key":{"quarter(Closed)":null},"results":{"count":1}}`,
		},
		{ // the day of the field's time zone, in which A is of the year before
			query.Aggregation{GroupBy: []string{"month(At)"}, Filters: []byte(`[{"fieldId":"At",` +
				`"op":"is_not_empty"}]`)},
			`{"key":{"month(At)":"2023-12-01"},"results":{"count":1}},{"key":{"month(At)":"2024-01-01"},` +
				`"results":{"count":1}},` +
				`{"key":{"month(At)":"2024-02-01"},"results":{"count":1}},{"key":{"month(At)":"2024-12-01"},` +
				`"results":{"count":1}}`,
		},
		{ // 2024-12-30 is a Monday
			query.Aggregation{
				GroupBy: []string{"week(Closed)"}, Limit: 1000, OrderBy: []byte(`[{"by":"week(Closed)","dir":"desc"}]`),
				Having: []byte(`[{"by":"count","op":"gte","value":1}]`),
			},
			`{"key":{"week(Closed)":"2024-12-30"},"results":{"count":1}},{"key":{"week(Closed)":"2024-02-26"},` +
				`"results":{"count":1}},` +
				`{"key":{"week(Closed)":"2024-01-29"},"results":{"count":1}},{"key":{"week(Closed)":"2024-01-01"},` +
				`"results":{"count":1}},{"key":{"week(Closed)":null},"results":{"count":1}}`,
		},
		{
			query.Aggregation{GroupBy: []string{"Tags"}, OrderBy: []byte(`[{"by":"count","dir":"desc"}]`), Limit: 2},
			`{"key":{"Tags":"hot"},"results":{"count":2}},{"key":{"Tags":null},"results":{"count":2}}`,
		},
		{
			query.Aggregation{
				GroupBy: []string{"Company.Country"}, Functions: []byte(`[{"fn":"sum","fieldId":"Amount"},` +
					`{"fn":"median","fieldId":"Amount"},` +
					`{"fn":"percentile","fieldId":"Amount","p":75},{"fn":"distinct","fieldId":"Amount"},` +
					`{"fn":"percent_of_total"},` +
					`{"fn":"percent_of_total","field":"Amount"}]`),
				OrderBy: []byte(`[{"by":"median(Amount)","dir":"desc"}]`),
				Having: []byte(`[{"by":"sum(Amount)","op":"between","value":[1,70]},{"by":"distinct(Amount)",` +
					`"op":"neq","value":3}]`),
			},
			`{"key":{"Company.Country":"IT"},"results":{"sum(Amount)":70,"median(Amount)":35,"percentile(Amount,` +
				` 75)":37.5,` +
				`"distinct(Amount)":2,"percent_of_total":33.333333333333336,"percent_of_total(Amount)":50}}`,
		},
	} {
		got, err := b.engine.Aggregate(t.Context(), b.actor, table, c.in)
		if err != nil {
			t.Fatalf("%v: %v", c.in.GroupBy, err)
		}
		want := `{"groups":[` + c.want + `],"hasMore":` + fmt.Sprint(c.in.Limit == 2) + `}`
		if text := string(got.AppendJSON(nil)); text != want {
			t.Errorf("%v\ngot  %s\nwant %s", c.in.GroupBy, text, want)
		}
	}
	for _, c := range []struct {
		in            query.Aggregation
		path, message string
	}{
		{query.Aggregation{GroupBy: []string{"mnth(Closed)"}}, "groupBy[0]", `did you mean "month"?`},
		{query.Aggregation{GroupBy: []string{"month(Amount)"}}, "groupBy[0]", "month is of dates"},
		{query.Aggregation{GroupBy: []string{"Company.Contry"}}, "groupBy[0]", `did you mean "Country"?`},
		{query.Aggregation{GroupBy: []string{"Closed", "Closed"}}, "groupBy[1]", "named twice"},
		{query.Aggregation{GroupBy: []string{"Company"}, AsOf: "2026-01-01T00:00:00Z"}, "groupBy[0]", "asOf"},
		{query.Aggregation{OrderBy: []byte(`[{"by":"sum(Amount)"}]`)}, "orderBy[0].by", "valid: count"},
		{query.Aggregation{OrderBy: []byte(`[{"by":"count","dir":"up"}]`)}, "orderBy[0].dir", "asc or desc"},
		{query.Aggregation{Having: []byte(`[{"by":"count","op":">","value":1}]`)}, "having[0].op", "gte"},
		{query.Aggregation{Having: []byte(`[{"by":"count","op":"gt","value":"x"}]`)}, "having[0].value", "number"},
		{query.Aggregation{Having: []byte(`[{"by":"count","op":"gt","value":null}]`)}, "having[0].value", "number"},
		{
			query.Aggregation{Having: []byte(`[{"by":"count","op":"between","value":[null,70]}]`)},
			"having[0].value", "two numbers",
		},
		{
			query.Aggregation{Having: []byte(`[` + strings.Repeat(`{"by":"count","op":"gt","value":1},`, 10) +
				`{"by":"nonsense"}]`)},
			"having", "at most 10",
		},
		{
			query.Aggregation{OrderBy: []byte(`[` + strings.Repeat(`{"by":"count"},`, 10) + `{"by":"count"}]`)},
			"orderBy", "at most 10",
		},
		{
			query.Aggregation{Functions: []byte(`[{"fn":"percentile","fieldId":"Amount","p":null}]`)},
			"aggregates[0].p", "0 to 100",
		},
		{
			query.Aggregation{Having: []byte(`[{"by":"conut","op":"gt","value":1}]`)},
			"having[0].by",
			`did you mean "count"?`,
		},
		{
			query.Aggregation{
				Functions: []byte(`[{"fn":"max","fieldId":"Closed"}]`),
				Having:    []byte(`[{"by":"max(Closed)"}]`),
			},
			"having[0].by", "not a number",
		},
		{
			query.Aggregation{Functions: []byte(`[{"fn":"percentile","fieldId":"Amount"}]`)},
			"aggregates[0].p",
			"0 to 100",
		},
		{
			query.Aggregation{Functions: []byte(`[{"fn":"sum","fieldId":"Amount","p":5}]`)},
			"aggregates[0].p",
			"applies only to percentile",
		},
		{
			query.Aggregation{Functions: []byte(`[{"fn":"median","fieldId":"Name"}]`)},
			"aggregates[0].fieldId",
			"of numbers",
		},
	} {
		_, err := b.engine.Aggregate(t.Context(), b.actor, table, c.in)
		wantItem(t, err, problem.KindInvalid, c.path, c.message)
	}
}

// A field may have the name of a result. Its id distinguishes them.
func TestANameOfAFieldAndAResultIsAmbiguous(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("count", schema.Number))
	b.create(t, table, `{"count":1}`, `{"count":3}`, `{"count":3}`)
	in := query.Aggregation{GroupBy: []string{"count"}, OrderBy: []byte(`[{"by":"count","dir":"desc"}]`)}
	_, err := b.engine.Aggregate(t.Context(), b.actor, table, in)
	wantItem(t, err, problem.KindInvalid, "orderBy[0].by", `"count" is a result and also a field`)
	id := b.schema(t, table).FieldByName("count").PublicID()
	for dir, want := range map[string]string{"asc": "1", "desc": "3"} {
		in.OrderBy = fmt.Appendf(nil, `[{"by":%q,"dir":%q}]`, id, dir)
		got, err := b.engine.Aggregate(t.Context(), b.actor, table, in)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(got.AppendJSON(nil)); !strings.HasPrefix(text, `{"groups":[{"key":{"count":`+want) {
			t.Errorf("%s: got %s", dir, text)
		}
	}
}

// Another organization's records are in no group and meet no condition, whatever their ids.
func TestQuestionsStayInTheirOrganization(t *testing.T) {
	t.Parallel()
	database := tenancytest.DB(t)
	one, other := setupOn(t, database), setupOn(t, database)
	table, _, _, _ := deals(t, one)
	foreign, _, _, theirs := deals(t, other)
	wantItem(t, listError(t, one, table, query.Request{
		Filters: []byte(`[{"field":"Company","op":"has_any","value":["` + theirs[0].ID + `"]}]`), Limit: 10,
	}), problem.KindInvalid, "filters[0].value", "not the id of a record")
	page, _ := one.list(t, table, query.Request{
		Filters: []byte(`[{"field":"Company.Country","op":"is_not_empty"}]`), Limit: 10,
	})
	if page.Total != 4 {
		t.Errorf("found %d", page.Total)
	}
	if _, err := one.engine.Aggregate(t.Context(), one.actor, foreign,
		query.Aggregation{GroupBy: []string{"Company"}}); err == nil {
		t.Error("another organization's table was read")
	}
}

// Groups of random links are what counting by hand makes of them.
func TestGroupsMatchCountingByHand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _, company := deals(t, b)
	random := rand.New(rand.NewPCG(3, 5))
	country := []string{"NO", "NO", "IT", "FR"}
	counts, sums := map[string]int{"IT": 2, "NO": 3, "null": 1}, map[string]float64{"IT": 70, "NO": 70}
	var objects []string
	for range 300 {
		amount := random.IntN(1000)
		var links []string
		in := map[string]bool{}
		for i := range company {
			if random.IntN(3) == 0 {
				links = append(links, `"`+company[i].ID+`"`)
				in[country[i]] = true
			}
		}
		if len(in) == 0 {
			in["null"] = true
		}
		for name := range in {
			counts[name]++
			sums[name] += float64(amount)
		}
		objects = append(objects, fmt.Sprintf(`{"Amount":%d,"Company":[%s]}`, amount, strings.Join(links, ",")))
	}
	b.create(t, table, objects...)
	got, err := b.engine.Aggregate(t.Context(), b.actor, table, query.Aggregation{
		GroupBy: []string{"Company.Country"}, Functions: []byte(`[{"fn":"count"},{"fn":"sum","fieldId":"Amount"}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range []string{"FR", "IT", "NO", "null"} {
		key := `"` + name + `"`
		if name == "null" {
			key = name
		}
		lines = append(lines, fmt.Sprintf(`{"key":{"Company.Country":%s},"results":{"count":%d,"sum(Amount)":%v}}`, key,
			counts[name], sums[name]))
	}
	have := make([]string, len(got.Groups))
	for i := range got.Groups {
		have[i] = string(got.Groups[i])
	}
	if !slices.Equal(have, lines) {
		t.Errorf("got  %s\nwant %s", have, lines)
	}
}

package record_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
)

func TestAggregatesAreOfTheRecordsThatPass(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _ := letters(t, b)
	u := parse(t, table())
	for _, c := range []struct {
		in   query.Aggregation
		want string
	}{
		{query.Aggregation{}, `{"groups":[{"key":{},"results":{"count":5}}],"hasMore":false}`},
		{
			query.Aggregation{
				Functions: []byte(
					`[{"fn":"count","fieldId":"N"},{"fn":"sum","fieldId":"N"},{"fn":"avg","fieldId":"N"},{"fn":"min",` +
						`"fieldId":"Day"},{"fn":"max","fieldId":"At"},{"fn":"sum","fieldId":"No"},{"fn":"count",` +
						`"fieldId":"Done"}]`,
				),
			},
			`{"groups":[{"key":{},"results":{"count(N)":4,"sum(N)":100.5,"avg(N)":25.125,"min(Day)":"2024-01-31",` +
				`"max(At)":"2024-02-01T05:00:00.000Z","sum(No)":15,"count(Done)":2}}],"hasMore":false}`,
		},
		{
			query.Aggregation{
				GroupBy:   []string{"State"},
				Functions: []byte(`[{"fn":"count"},{"fn":"max","fieldId":"N"}]`),
			},
			`{"groups":[{"key":{"State":"Open"},"results":{"count":2,"max(N)":100}},{"key":{"State":"Closed"},` +
				`"results":{"count":1,"max(N)":2.5}},{"key":{"State":"Late"},"results":{"count":1,"max(N)":-3}},` +
				`{"key":{"State":null},"results":{"count":1,"max(N)":null}}],"hasMore":false}`,
		},
		{
			query.Aggregation{
				GroupBy: []string{"Done", "State"},
				Limit:   1,
				Filters: []byte(`[{"fieldId":"N","op":"gt","value":0}]`),
			},
			`{"groups":[{"key":{"Done":false,"State":"Open"},"results":{"count":1}}],"hasMore":true}`,
		},
		{
			query.Aggregation{Search: "oslo", Functions: []byte(`[{"fn":"sum","fieldId":"N"}]`)},
			`{"groups":[{"key":{},"results":{"sum(N)":-2}}],"hasMore":false}`,
		},
	} {
		got, err := b.engine.Aggregate(t.Context(), b.actor, u, c.in)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(got.AppendJSON(nil)); text != c.want {
			t.Errorf("got  %s\nwant %s", text, c.want)
		}
	}
	for _, c := range []struct {
		in            query.Aggregation
		path, message string
	}{
		{query.Aggregation{Functions: []byte(`[{"fn":"product"}]`)}, "aggregates[0].fn", "count, sum, avg, min, max"},
		{query.Aggregation{Functions: []byte(`[{"fn":"sum"}]`)}, "aggregates[0].fieldId", "missing"},
		{query.Aggregation{Functions: []byte(`[{"fn":"sum","fieldId":"Text"}]`)}, "aggregates[0].fieldId", "numbers"},
		{query.Aggregation{GroupBy: []string{"Doc"}}, "groupBy[0]", "cannot be grouped by"},
		{query.Aggregation{GroupBy: []string{"Stat"}}, "groupBy[0]", `did you mean "State"?`},
		{query.Aggregation{Limit: 1001}, "limit", "1 to 1000"},
		{query.Aggregation{Filters: []byte(`[{"fieldId":"x"}]`)}, "filters[0].fieldId", "not a field"},
	} {
		_, err := b.engine.Aggregate(t.Context(), b.actor, u, c.in)
		wantItem(t, err, problem.KindInvalid, c.path, c.message)
	}
}

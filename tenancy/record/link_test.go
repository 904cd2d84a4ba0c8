package record_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestLinksAreReadFromBothSides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	regions := b.table(t, "Regions", field("Name", schema.Text))
	countries := b.table(t, "Countries", field("Name", schema.Text))
	link, err := b.store.CreateField(t.Context(), b.actor.Org, regions,
		field("Country", schema.LinkType, `{"linkedTableId":"`+id.Format(id.Table, countries)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	back := b.schema(t, countries).Fields[1].Name
	c := b.create(t, countries, `{"Name":"Norway"}`, `{"Name":"Sweden"}`)
	r := b.create(t, regions, `{"Name":"Oslo","Country":["`+c[0].ID+`"]}`,
		`{"Name":"Both","Country":["`+c[1].ID+`","`+c[0].ID+`"]}`, `{"Name":"None"}`)
	if diff := cmp.Diff([]any{[]any{c[0].ID}, []any{c[1].ID, c[0].ID}, nil}, column(r, "Country")); diff != "" {
		t.Fatal(diff)
	}
	_, all := b.list(t, countries, query.Request{})
	if diff := cmp.Diff([]any{[]any{r[0].ID, r[1].ID}, []any{r[1].ID}}, column(all, back)); diff != "" {
		t.Fatal(diff)
	}
	count := func(table query.Request, want string) {
		t.Helper()
		_, found := b.list(t, regions, table)
		if got := fmt.Sprint(column(found, "Name")); got != want {
			t.Errorf("%s found %s, want %s", table.Filters, got, want)
		}
	}
	for _, x := range []struct{ op, value, want string }{
		{"has_any", `["` + c[0].ID + `"]`, "[Oslo Both]"},
		{"has_all", `["` + c[0].ID + `","` + c[1].ID + `"]`, "[Both]"},
		{"has_none", `["` + c[1].ID + `"]`, "[Oslo None]"},
		{"is_exactly", `["` + c[0].ID + `"]`, "[Oslo]"},
		{"is_exactly", `["` + c[0].ID + `","` + c[1].ID + `"]`, "[Both]"},
		{"has_any", `"` + id.FormatRecord(b.schema(t, countries).Number, id.New()) + `"`, "[]"},
	} {
		count(query.Request{Filters: []byte(`[{"fieldId":"Country","op":"` + x.op + `","value":` + x.value + `}]`)},
			x.want)
	}
	empty := query.Request{Filters: []byte(`[{"fieldId":"Country","op":"is_empty"}]`)}
	count(empty, "[None]")
	count(query.Request{Search: "norw"}, "[Oslo Both]")

	// Written from the other side, and changed there, seen here; remembered totals follow.
	if _, err := b.engine.UpdateOne(
		t.Context(), b.actor, c[1].ID, jsonvaluetest.ParseObject([]byte(`{"`+back+`":["`+r[2].ID+`"]}`)), false,
	); err != nil {
		t.Fatal(err)
	}
	count(empty, "[]")
	count(query.Request{Search: "sweden"}, "[None]")
	for _, clear := range []string{`""`, `null`, `[]`} {
		for _, step := range [][2]string{{clear, "[None]"}, {`["` + c[1].ID + `"]`, "[]"}} {
			if _, err := b.engine.UpdateOne(
				t.Context(), b.actor, r[2].ID, jsonvaluetest.ParseObject([]byte(`{"Country":`+step[0]+`}`)), false,
			); err != nil {
				t.Fatal(err)
			}
			count(empty, step[1])
		}
	}
	if _, err := b.engine.UpdateOne(
		t.Context(), b.actor, c[1].ID, jsonvaluetest.ParseObject([]byte(`{"Name":"Suecia"}`)), false,
	); err != nil {
		t.Fatal(err)
	}
	count(query.Request{Search: "sweden"}, "[]")
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, c[0].ID); err != nil {
		t.Fatal(err)
	}
	count(empty, "[Oslo Both]")

	foreign := setup(t)
	theirs := foreign.create(t, foreign.table(t, "T", field("Name", schema.Text)), `{"Name":"x"}`)[0].ID
	for _, bad := range []string{
		theirs, r[0].ID, id.FormatRecord(b.schema(t, countries).Number, id.New()), c[0].ID, "rec_",
	} {
		_, err := b.engine.Create(t.Context(), b.actor, regions, record.Creation{
			Records: parsed([]string{`{}`, `{"Country":["` + bad + `"]}`}),
		})
		wantItem(t, err, problem.KindInvalid, "records[1].fields.Country", bad, "Countries")
	}
	for _, bad := range []string{theirs, r[0].ID} {
		_, err := b.engine.List(t.Context(), b.actor, regions, query.Request{
			Limit:   1,
			Filters: []byte(`[{"fieldId":"Country","op":"has_any","value":["` + bad + `"]}]`),
		})
		wantItem(t, err, problem.KindInvalid, "filters[0].value", bad)
	}
	if err := b.store.DeleteField(t.Context(), b.actor.Org, link.ID); err != nil {
		t.Fatal(err)
	}
	_, all = b.list(t, countries, query.Request{})
	if _, there := all[0].Fields[back]; there {
		t.Error("the other side is still there")
	}
}

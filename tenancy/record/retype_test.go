package record_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestAFieldChangesItsTypeAndKeepsItsValues(t *testing.T) {
	t.Parallel()
	cases := []struct {
		from, to       schema.Type
		config, target string
		in             string // JSON array of values
		want           []any
		lost           int
	}{
		{schema.Text, schema.Number, ``, ``, `["12"," 1,000.5 ","x",null]`, []any{12.0, 1000.5, nil, nil}, 1},
		{
			schema.Text, schema.Number, ``, ``, `["1,5","1.234,56","1,234,567","12345678901234567890"]`,
			[]any{nil, 1234.56, 1234567.0, nil},
			2,
		},
		{schema.Text, schema.Currency, ``, `{"symbol":"kr"}`, `["1,234 kr","1 234,5 kr"]`, []any{nil, 1234.5}, 1},
		{schema.Number, schema.Text, ``, ``, `[12,0.5,1e21,null]`, []any{"12", "0.5", "1e+21", nil}, 0},
		{schema.Text, schema.LongText, ``, ``, `["a","b"]`, []any{"a", "b"}, 0},
		{schema.Text, schema.Email, ``, ``, `["a@b.no","b"]`, []any{"a@b.no", nil}, 1},
		{schema.Text, schema.SingleSelect, ``, ``, `["a","b, c","a",null]`, []any{"a", "b, c", "a", nil}, 0},
		{schema.Text, schema.SingleSelect, ``, `{"options":["A"]}`, `["a","b"]`, []any{"A", nil}, 1},
		{schema.Text, schema.MultiSelect, ``, ``, `["a, b","b"]`, []any{[]any{"a", "b"}, []any{"b"}}, 0},
		{
			schema.SingleSelect, schema.MultiSelect, `{"options":["x, y","z"]}`, ``, `["x, y",null]`,
			[]any{[]any{"x, y"}, nil},
			0,
		},
		{schema.MultiSelect, schema.SingleSelect, `{"options":["x","y"]}`, ``, `[["x"],["x","y"]]`, []any{"x", nil}, 1},
		{schema.MultiSelect, schema.Text, `{"options":["x","y"]}`, ``, `[["x"],["x","y"]]`, []any{"x", "x, y"}, 0},
		{schema.SingleSelect, schema.Text, `{"options":["x"]}`, ``, `["x",null]`, []any{"x", nil}, 0},
		{
			schema.Text, schema.Date, ``, ``, `["2024-01-31","31 Jan 2024","soon"]`,
			[]any{"2024-01-31", "2024-01-31", nil},
			1,
		},
		{
			schema.Date, schema.DateTime, ``, `{"timeZone":"Europe/Oslo"}`, `["2024-01-31"]`,
			[]any{"2024-01-30T23:00:00.000Z"},
			0,
		},
		{
			schema.DateTime, schema.Date, `{"timeZone":"Europe/Oslo"}`, ``, `["2024-01-30T23:00:00Z"]`,
			[]any{"2024-01-31"},
			0,
		},
		{
			schema.DateTime, schema.Text, `{"timeZone":"Europe/Oslo","dateFormat":"us","timeFormat":"12h"}`, ``,
			`["2024-01-30T23:00:00Z","2024-06-30T12:30:15.250Z"]`,
			[]any{"01/31/2024 12:00 AM", "06/30/2024 02:30:15.25 PM"},
			0,
		},
		{
			schema.DateTime, schema.SingleSelect, `{"timeZone":"Europe/Oslo"}`, ``, `["2024-01-30T23:00:00Z"]`,
			[]any{"2024-01-31 00:00"},
			0,
		},
		{schema.Checkbox, schema.Number, ``, ``, `[true,false]`, []any{1.0, 0.0}, 0},
		{schema.Checkbox, schema.Text, ``, ``, `[true,false]`, []any{"true", "false"}, 0},
		{schema.Text, schema.Checkbox, ``, ``, `["yes","no",null,"maybe"]`, []any{true, false, false, false}, 1},
		{schema.Number, schema.Rating, ``, ``, `[3,9,2.5]`, []any{3.0, nil, nil}, 2},
		{schema.Number, schema.Currency, ``, `{"symbol":"kr"}`, `[3.5]`, []any{3.5}, 0},
		{schema.Text, schema.JSON, ``, ``, `["{\"a\":1}","plain"]`, []any{map[string]any{"a": 1.0}, "plain"}, 0},
		{schema.JSON, schema.Text, ``, ``, `[{"a":1},"s"]`, []any{`{"a": 1}`, "s"}, 0},
		{schema.Date, schema.Number, ``, ``, `["2024-01-31"]`, []any{nil}, 1},
	}
	for _, c := range cases {
		t.Run(string(c.from)+" to "+string(c.to), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			spec := field("X", c.from)
			if c.config != "" {
				spec.Config = json.RawMessage(c.config)
			}
			u := b.table(t, "T", field("Name", schema.Text), spec)
			var values []json.RawMessage
			if err := json.Unmarshal([]byte(c.in), &values); err != nil {
				t.Fatal(err)
			}
			for _, value := range values {
				b.create(t, u, `{"Name":"n","X":`+string(value)+`}`)
			}
			f := b.schema(t, u).FieldByName("X")
			change := catalog.TypeChange{Type: c.to, Patch: catalog.FieldPatch{Config: json.RawMessage(c.target)}}
			err := catalog.Retype(t.Context(), b.store, b.actor.Org, f.ID, change)
			if c.lost > 0 {
				var refused *problem.Error
				if !errors.As(err, &refused) || refused.Code != "values_would_be_lost" || len(refused.Items) != c.lost {
					t.Fatalf("want a report of %d values, got %v", c.lost, err)
				}
				if now := b.schema(t, u).FieldByName("X"); now.Type() != c.from {
					t.Fatalf("the type is %s already", now.Type())
				}
				change.Patch.Discard = true
				err = catalog.Retype(t.Context(), b.store, b.actor.Org, f.ID, change)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, records := b.list(t, u, query.Request{})
			if diff := cmp.Diff(c.want, column(records, "X")); diff != "" {
				t.Error(diff)
			}
			if now := b.schema(t, u).FieldByName("X"); now.Type() != c.to || now.ID != f.ID {
				t.Errorf("the field is %s now", now.Type())
			}
		})
	}
}

func TestSomeChangesOfTypeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", everyField...)
	tab := b.schema(t, u)
	for _, c := range []struct {
		field string
		to    schema.Type
		want  string
	}{
		{"Name", schema.Number, "primary field"},
		{"Who", schema.Text, "cannot become another type"},
		{"N", schema.AutoNumber, "add a new field"},
		{"N", schema.LinkType, "add a new field"},
		{"Files", schema.Text, "cannot become another type"},
	} {
		err := catalog.Retype(t.Context(), b.store, b.actor.Org, tab.FieldByName(c.field).ID,
			catalog.TypeChange{Type: c.to})
		wantItem(t, err, problem.KindInvalid, "type", c.want)
	}
	b.create(t, u, `{"Name":"a"}`, `{"Name":"A"}`)
	err := catalog.Retype(t.Context(), b.store, b.actor.Org, tab.FieldByName("Name").ID, catalog.TypeChange{
		Type:  schema.LongText,
		Patch: catalog.FieldPatch{Config: json.RawMessage(`{"unique":true}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

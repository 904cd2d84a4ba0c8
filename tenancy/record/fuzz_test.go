package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// What people send is read here. Each of these must answer every input, without a failure of
// PostgreSQL behind it:
//
//	go test ./tenancy/record -run '^$' -fuzz FuzzFilter -fuzztime 2m

// A fuzzed is a table with a field of each type that can be written, with a few records.
type fuzzed struct {
	engine *Engine
	actor  Actor
	table  *schema.Table
}

func fuzz(f *testing.F) *fuzzed {
	f.Helper()
	db := tenancytest.DB(f)
	org, owner := tenancytest.Org(f, db)
	store := catalog.NewStore(db, catalog.Options{})
	snapshot, err := store.Cached(f.Context(), org)
	if err != nil {
		f.Fatal(err)
	}
	base, err := store.CreateBase(f.Context(), org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		f.Fatal(err)
	}
	specs := []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
		{Name: "No", Type: schema.AutoNumber},
		{Name: "Made", Type: schema.CreatedTime},
	}
	for _, one := range []struct {
		kind   schema.Type
		config string
	}{
		{schema.LongText, ``},
		{schema.Email, ``},
		{schema.URL, ``},
		{schema.Phone, ``},
		{schema.Number, ``},
		{schema.Currency, `{"symbol":"$"}`},
		{schema.Percent, ``},
		{schema.Rating, ``},
		{schema.Duration, ``},
		{schema.Checkbox, ``},
		{schema.Date, ``},
		{schema.DateTime, `{"timeZone":"America/New_York"}`},
		{schema.SingleSelect, `{"options":["a","b","c, d"]}`},
		{schema.MultiSelect, `{"options":["a","b","c, d"]}`},
		{schema.User, `{"multiple":true}`},
		{schema.JSON, ``},
	} {
		spec := catalog.FieldSpec{Name: string(one.kind), Type: one.kind}
		if one.config != "" {
			spec.Config = json.RawMessage(one.config)
		}
		specs = append(specs, spec)
	}
	made, err := store.CreateTable(f.Context(), org, base.ID, "Fuzz", specs)
	if err != nil {
		f.Fatal(err)
	}
	if snapshot, err = store.Fresh(f.Context(), org); err != nil {
		f.Fatal(err)
	}
	z := &fuzzed{New(db, store), Actor{Org: org, Person: owner}, snapshot.Table(made.ID)}
	_, err = z.engine.Create(f.Context(), z.actor, made.ID, Creation{Records: []jsonvalue.ParsedObject{
		jsonvaluetest.ParseObject([]byte(`{"Name":"a","number":1,"date":"2024-02-29",` +
			`"datetime":"2024-02-29T12:00:00Z","single_select":"a","multi_select":["b","a"],"checkbox":true}`)),
		jsonvaluetest.ParseObject([]byte(`{"Name":"B","number":-2.5,"rating":3,"json":{"a":[1,null]}}`)),
		jsonvaluetest.ParseObject([]byte(`{}`)),
	}})
	if err != nil {
		f.Fatal(err)
	}
	return z
}

// statement is the SQL of a list with a filter.
func (z *fuzzed) statement(t *testing.T, c *query.Compiler, filter []byte) string {
	t.Helper()
	plan, err := query.Parse(schema.Viewer{}, z.table, &query.Request{Filters: filter, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	sql, _ := plan.Statement(c, query.NewProjection(z.table, z.table.Fields, nil), query.NewTotalCache())
	return sql
}

// refusedOrDone fails on an error that is not about the input.
func refusedOrDone(t *testing.T, err error) {
	t.Helper()
	if err != nil && problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
}

func FuzzFilter(f *testing.F) {
	z := fuzz(f)
	for _, seed := range []string{
		`[]`, `[{"fieldId":"Name","op":"contains","value":"%_\\"}]`,
		`[{"fieldId":"number","op":"gte","value":1e308},{"fieldId":"No","op":"lt","value":2.5}]`,
		`[{"or":[{"fieldId":"date","op":"is_within","value":{"unit":"month","offset":-100000}},{"fieldId":"checkbox",` +
			`"op":"eq","value":false}]}]`,
		`[{"and":[{"or":[{"fieldId":"datetime","op":"between","value":["2024-01-01","tomorrow"]}]}]}]`,
		`[{"fieldId":"single_select","op":"not_in","value":["a","c, d"]}]`,
		`[{"fieldId":"multi_select","op":"is_exactly","value":["a"]}]`,
		`[{"fieldId":"user","op":"has_none","value":["usr_00000000000000000000000000"]}]`,
		`[{"fieldId":"json","op":"is_empty"}]`, `[{"fieldId":"Made","op":"gt","value":"0001-01-01T00:00:00+14:00"}]`,
		`[{"fieldId":"No","op":"in","value":[1,9.3e18]}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		filter, err := query.ParseFilter(z.table, "filters", raw)
		refusedOrDone(t, err)
		if err != nil {
			return
		}
		// What is kept of a filter is the same filter.
		again, err := query.ParseFilter(z.table, "filters", filter.JSON())
		if err != nil {
			t.Fatalf("%s: %v", filter.JSON(), err)
		}
		now := time.Now()
		one, two := query.NewCompiler(now, db.Topology{}), query.NewCompiler(now, db.Topology{})
		if z.statement(t, one, raw) != z.statement(t, two, again.JSON()) ||
			!reflect.DeepEqual(one.Values(), two.Values()) {
			t.Fatalf("%s is not %s", filter.JSON(), raw)
		}
		page, err := z.engine.List(t.Context(), z.actor, z.table.ID, query.Request{Filters: raw, Limit: 100})
		refusedOrDone(t, err)
		if err == nil && page.Total != int64(len(page.Records)) {
			t.Fatalf("a total of %d, and %d records", page.Total, len(page.Records))
		}
	})
}

func FuzzSort(f *testing.F) {
	z := fuzz(f)
	for _, seed := range []string{
		`[]`, `[{"fieldId":"Name"}]`, `[{"fieldId":"number","dir":"desc"},{"fieldId":"multi_select","dir":"asc"}]`,
		`[{"fieldId":"user"},{"fieldId":"checkbox","dir":"desc"},{"fieldId":"datetime"}]`, `[{"fieldId":"json"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		sorts, err := query.ParseSort(z.table, "sorts", raw)
		refusedOrDone(t, err)
		if err != nil {
			return
		}
		again, err := query.ParseSort(z.table, "sorts", query.SortJSON(sorts))
		if err != nil || len(sorts)+len(again) > 0 && !reflect.DeepEqual(sorts, again) {
			t.Fatalf("%s is not %s: %v", query.SortJSON(sorts), raw, err)
		}
		q, seen := query.Request{Sorts: raw, Limit: 1}, 0
		for {
			page, err := z.engine.List(t.Context(), z.actor, z.table.ID, q)
			if err != nil {
				t.Fatal(err)
			}
			seen += len(page.Records)
			if q.Cursor = page.Cursor; q.Cursor == "" {
				break
			}
		}
		if seen != 3 {
			t.Fatalf("%d records by cursors, want 3", seen)
		}
	})
}

func FuzzCursor(f *testing.F) {
	z := fuzz(f)
	orders := []string{``}
	for _, field := range z.table.Fields {
		if field.Order("t.") != "" && field.Type() != schema.Checkbox {
			orders = append(orders, `[{"fieldId":"`+field.Name+`"}]`,
				`[{"fieldId":"checkbox"},{"fieldId":"`+field.Name+`","dir":"desc"}]`)
		}
	}
	for i, order := range orders {
		page, err := z.engine.List(f.Context(), z.actor, z.table.ID, query.Request{Sorts: []byte(order), Limit: 1})
		if err != nil {
			f.Fatal(err)
		}
		raw, err := base64.RawURLEncoding.DecodeString(page.Cursor)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), raw[5:])
	}
	f.Fuzz(func(t *testing.T, order uint8, rest []byte) {
		q := query.Request{Sorts: []byte(orders[int(order)%len(orders)]), Limit: 2}
		plan, err := query.Parse(schema.Viewer{}, z.table, &q)
		if err != nil {
			t.Fatal(err)
		}
		// With the version and the sum of its order in front, so that what follows is read.
		head, err := base64.RawURLEncoding.DecodeString(plan.CursorBehind(0, uuid.Nil, make([][]byte, len(plan.Sorts))))
		if err != nil {
			t.Fatal(err)
		}
		q.Cursor = base64.RawURLEncoding.EncodeToString(append(head[:5:5], rest...))
		_, err = z.engine.List(t.Context(), z.actor, z.table.ID, q)
		refusedOrDone(t, err)
		q.Cursor = string(rest)
		_, err = query.Parse(schema.Viewer{}, z.table, &q)
		refusedOrDone(t, err)
	})
}

func FuzzValue(f *testing.F) {
	z := fuzz(f)
	var fields []*schema.Field
	for _, field := range z.table.Fields {
		if !field.Info().ReadOnly {
			fields = append(fields, field)
		}
	}
	for i := range fields {
		for _, seed := range []string{
			`"a"`, `"12"`, `1.5`, `-0`, `1e308`, `true`, `null`, `""`, `"2024-02-29"`,
			`"2024-02-29T12:00:00.123456+05:30"`, `"1 Jan 2024"`, `["a","b"]`, `["c, d"]`,
			`{"a":{"b":[1,2.50,"\u00e9"]}}`, `"someone@example.com"`, `"https://example.com/?q=1"`, `"$1,200.50"`,
			`"\ud83d\ude00"`, `5`, `"İ"`,
		} {
			f.Add(uint8(i), []byte(seed), i%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, at uint8, raw []byte, typecast bool) {
		field := fields[int(at)%len(fields)]
		if typecast && (field.Type() == schema.SingleSelect || field.Type() == schema.MultiSelect) {
			typecast = false // every name would become an option
		}
		object := func(value []byte) []jsonvalue.ParsedObject {
			text := append(append([]byte("{"+strconv.Quote(field.Name)+":"), value...), '}')
			return []jsonvalue.ParsedObject{jsonvaluetest.ParseObject(text)}
		}
		first, err := z.engine.Create(t.Context(), z.actor, z.table.ID,
			Creation{Records: object(raw), Typecast: typecast, Single: true})
		refusedOrDone(t, err)
		if err != nil {
			return
		}
		value := valueOf(t, first.Records[0], field.Name)
		// What the API shows can be sent back, and then stands for the same.
		second, err := z.engine.Create(t.Context(), z.actor, z.table.ID, Creation{Records: object(value), Single: true})
		if err != nil {
			t.Fatalf("%s was shown for %q, and is refused: %v", value, raw, err)
		}
		if again := valueOf(t, second.Records[0], field.Name); !bytes.Equal(value, again) {
			t.Fatalf("%s was shown for %q, and %s for that", value, raw, again)
		}
		if _, err := z.engine.Delete(
			t.Context(), z.actor, z.table.ID, []string{idOf(t, first.Records[0]), idOf(t, second.Records[0])},
		); err != nil {
			t.Fatal(err)
		}
	})
}

func valueOf(t *testing.T, record []byte, name string) []byte {
	t.Helper()
	var one struct {
		Fields map[string]json.RawMessage `json:"fields"`
	}
	if err := json.Unmarshal(record, &one); err != nil {
		t.Fatalf("%v in %s", err, record)
	}
	return one.Fields[name]
}

func idOf(t *testing.T, record []byte) string {
	t.Helper()
	var one struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(record, &one); err != nil {
		t.Fatalf("%v in %s", err, record)
	}
	return one.ID
}

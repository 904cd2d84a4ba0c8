package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestEveryValueIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "All", everyField...)
	me := id.Format(id.User, b.actor.Person)
	input := fmt.Sprintf(
		`{"Name":"Zoë \"☃\" \\ {x,NULL}","Notes":"line\nline\ttab","Mail":"a@b.no","Site":"https://x.no/a?b=c",
		"Phone":"+47 12","N":-12.5,"Price":1234567.89,"Share":0.25,"Stars":3,"Took":90,"Done":true,"Day":"0987-02-28",
		"At":"2024-02-29T23:30:00.123456+01:00","State":"Closed, gone","Tags":["c,d","b \"q\""],
		"Who":%q,"Team":[%q],"Doc":{"a":[1,2,{"b":null}],"c":"x"}}`, me, me)
	empty := map[string]any{"Done": false}
	for _, f := range everyField {
		if f.Name != "Done" {
			empty[f.Name] = nil
		}
	}
	for _, n := range []int{1, 3} { // one record and several go different ways
		inputs := []string{input, `{}`, input}[:n]
		made := b.create(t, table, inputs...)
		got := made[0]
		if want := "rec_"; !strings.HasPrefix(got.ID, want) {
			t.Fatalf("id %q", got.ID)
		}
		for _, name := range []string{"No", "Made", "Changed"} {
			if got.Fields[name] == nil {
				t.Errorf("%s is empty", name)
			}
			delete(got.Fields, name)
		}
		want := map[string]any{
			"Name": "Zoë \"☃\" \\ {x,NULL}", "Notes": "line\nline\ttab", "Mail": "a@b.no", "Site": "https://x.no/a?b=c",
			"Phone": "+47 12", "N": -12.5, "Price": 1234567.89, "Share": 0.25, "Stars": 3.0, "Took": 90.0, "Done": true,
			"Day": "0987-02-28", "At": "2024-02-29T22:30:00.123456Z", "State": "Closed, gone",
			"Tags": []any{"c,d", "b \"q\""}, "Who": me, "Team": []any{me},
			"Doc": map[string]any{"a": []any{1.0, 2.0, map[string]any{"b": nil}}, "c": "x"}, "Author": me,
			"Editor": me, "Files": nil,
		}
		if diff := cmp.Diff(want, got.Fields); diff != "" {
			t.Fatalf("%d records: %s", n, diff)
		}
		raw, err := b.engine.Get(t.Context(), b.actor, got.ID)
		if err != nil {
			t.Fatal(err)
		}
		again := decode(t, raw)
		for _, name := range []string{"No", "Made", "Changed"} {
			delete(again.Fields, name)
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("read again: %s", diff)
		}
		if n > 1 {
			blank := made[1].Fields
			for _, name := range []string{"No", "Made", "Changed", "Author", "Editor"} {
				delete(blank, name)
				delete(empty, name)
			}
			if diff := cmp.Diff(empty, blank); diff != "" {
				t.Fatalf("an empty record: %s", diff)
			}
		}
		// Everything is cleared by null or the empty string.
		clearing := `{"Name":"","Notes":null,"Mail":"","Site":"","Phone":"","N":"","Price":null,"Share":"",` +
			`"Stars":"","Took":"","Done":"","Day":"","At":"","State":"","Tags":"","Who":"","Team":[],"Doc":"",` +
			`"Files":null}`
		raw, err = b.engine.UpdateOne(t.Context(), b.actor, got.ID, jsonvaluetest.ParseObject([]byte(clearing)), false)
		if err != nil {
			t.Fatal(err)
		}
		cleared := decode(t, raw).Fields
		for _, name := range []string{"No", "Made", "Changed", "Author", "Editor"} {
			delete(cleared, name)
			delete(empty, name)
		}
		if diff := cmp.Diff(empty, cleared); diff != "" {
			t.Fatalf("cleared: %s", diff)
		}
	}
}

func TestFieldsComeInTheirOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Order", field("Zeta", schema.Text), field("Alpha", schema.Number),
		field("Mid", schema.Checkbox))
	made := b.create(t, table, `{"Mid":true,"Alpha":1,"Zeta":"z"}`)
	raw, err := b.engine.Get(t.Context(), b.actor, made[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"fields":{"Zeta":"z","Alpha":1,"Mid":true}`) {
		t.Fatalf("got %s", raw)
	}
}

func TestBadValuesAreRefusedWithTheirPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "All", everyField...)
	stranger := id.Format(id.User, id.New())
	cases := []struct{ input, path, message string }{
		{`{"N":"12"}`, "N", "must be a number, not a string"},
		{`{"N":1e400}`, "N", "too large"},
		{`{"N":-1e400}`, "N", "too large"},
		{`{"Nn":1}`, "Nn", `did you mean "N"?`},
		{`{"Stat":"x"}`, "Stat", `did you mean "State"?`},
		{`{"State":"Opne"}`, "State", `did you mean "Open"?`},
		{`{"State":7}`, "State", "not a number"},
		{`{"Tags":["a","a"]}`, "Tags", "twice"},
		{`{"Tags":"a"}`, "Tags", "must be an array"},
		{`{"Tags":[1]}`, "Tags", "element 0 is a number"},
		{`{"Stars":6}`, "Stars", "from 1 to 5"},
		{`{"Stars":1.5}`, "Stars", "from 1 to 5"},
		{`{"Done":"true"}`, "Done", "must be true or false"},
		{`{"Day":"2024-02-30"}`, "Day", "YYYY-MM-DD"},
		{`{"Day":"2024-1-1"}`, "Day", "YYYY-MM-DD"},
		{`{"Day":20240101}`, "Day", "not a number"},
		{`{"At":"2024-01-01"}`, "At", "RFC 3339"},
		{`{"At":"9999-12-31T23:59:59-01:00"}`, "At", "RFC 3339"},
		{`{"Mail":"nobody"}`, "Mail", "not an e-mail address"},
		{`{"Site":"x"}`, "Site", "not a URL"},
		{`{"Name":7}`, "Name", "must be a string"},
		{`{"Name":"a\u0000b"}`, "Name", "NUL"},
		{`{"Name":"\ud800"}`, "Name", "surrogate"},
		{`{"Name":"\ud800\u0041"}`, "Name", "surrogate"},
		{`{"Doc":{"x":"\u0000"}}`, "Doc", "NUL"},
		{`{"Doc":[1e999999]}`, "Doc", "too large"},
		{`{"No":1}`, "No", "written by the service"},
		{`{"Made":"2024-01-01T00:00:00Z"}`, "Made", "written by the service"},
		{`{"Files":{}}`, "Files", "not an object"},
		{`{"Files":[1]}`, "Files", "entry 0 is a number"},
		{`{"Files":["att_x"]}`, "Files", "an upload returns it"},
		{`{"Files":[{"id":"att_00000000000000000000000000","nmae":"a"}]}`, "Files", "did you mean \"name\""},
		{`{"Files":[{"name":"a"}]}`, "Files", "att_ and 26 characters"},
		{`{"Files":"att_00000000000000000000000000"}`, "Files", "is not a file that was uploaded"},
		{`{"Who":"me"}`, "Who", "not a user id"},
		{fmt.Sprintf(`{"Who":%q}`, stranger), "Who", "not a member"},
		{fmt.Sprintf(`{"Team":[%q]}`, stranger), "Team", "not a member"},
		{`{"N":1,"N":2}`, "N", "given twice"},
	}
	for _, c := range cases {
		_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
			Records: parsed([]string{`{"Name":"fine"}`, c.input}),
		})
		wantItem(t, err, problem.KindInvalid, "records[1].fields."+c.path, c.message)
		_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
			Records: parsed([]string{c.input}),
			Single:  true,
		})
		wantItem(t, err, problem.KindInvalid, "fields."+c.path, c.message)
	}
	for _, c := range []struct{ input, message string }{
		{`[]`, "must be an object"},
		{`{"Name":"` + "\xff" + `"}`, "UTF-8"},
		{`{"Doc":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "deep"},
		{`{"Name":`, "JSON"},
		{`{"Name":"` + "a\x00b" + `"}`, "JSON"},
		{`{"N":NaN}`, "JSON"},
	} {
		_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{Records: parsed([]string{c.input})})
		wantItem(t, err, problem.KindInvalid, "records[0].fields", c.message)
	}
	for _, n := range []int{0, 101} {
		_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
			Records: make([]jsonvalue.ParsedObject, n),
		})
		wantItem(t, err, problem.KindInvalid, "records", "1 to 100")
	}
	if page, _ := b.list(t, table, query.Request{}); page.Total != 0 {
		t.Fatalf("%d records were written", page.Total)
	}
}

func TestTypecastConvertsWhatConverts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "All", everyField...)
	input := `{"Name":12,"N":"1,234.5","Price":"$ 7","Share":"5%","Done":"yes","Day":"2024-03-01T10:00:00Z",` +
		`"At":"2024-03-01","State":"open","Tags":"a, new one","Stars":"4"}`
	written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records:  parsed([]string{input, `{"State":"Brand new"}`}),
		Typecast: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := decode(t, written.Records[0]).Fields
	want := map[string]any{
		"Name":  "12",
		"N":     1234.5,
		"Price": 7.0,
		"Share": 5.0,
		"Done":  true,
		"Day":   "2024-03-01",
		"At":    "2024-03-01T00:00:00.000Z",
		"State": "Open",
		"Tags":  []any{"a", "new one"},
		"Stars": 4.0,
	}
	for name, value := range want {
		if diff := cmp.Diff(value, got[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	options := b.schema(t, table).FieldByName("State").Config.OptionNames()
	if diff := cmp.Diff([]string{"Open", "Closed, gone", "Brand new"}, options); diff != "" {
		t.Error(diff)
	}
	_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records:  parsed([]string{`{"N":"many"}`}),
		Typecast: true,
	})
	wantItem(t, err, problem.KindInvalid, "records[0].fields.N", "not a number")
}

func TestRequiredDefaultAndUniqueHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Rules", field("Code", schema.Text, `{"required":true,"unique":true}`),
		field("Count", schema.Number, `{"default":7}`), field("On", schema.Checkbox, `{"default":true}`))
	made := b.create(t, table, `{"Code":"a"}`, `{"Code":"b","Count":null,"On":false}`)
	if diff := cmp.Diff([]any{7.0, nil}, column(made, "Count")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{true, false}, column(made, "On")); diff != "" {
		t.Error(diff)
	}
	_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{Records: parsed([]string{`{"Count":1}`})})
	wantItem(t, err, problem.KindInvalid, "records[0].fields.Code", "required")
	_, err = b.engine.UpdateOne(t.Context(), b.actor, made[0].ID,
		jsonvaluetest.ParseObject([]byte(`{"Code":""}`)), false)
	wantItem(t, err, problem.KindInvalid, "fields.Code", "required")
	_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records: parsed([]string{`{"Code":"c"}`, `{"Code":"a"}`}),
	})
	wantItem(t, err, problem.KindConflict, "", `"Code" is unique`)
	_, err = b.engine.UpdateOne(t.Context(), b.actor, made[0].ID,
		jsonvaluetest.ParseObject([]byte(`{"Code":"b"}`)), false)
	wantItem(t, err, problem.KindConflict, "", `"Code" is unique`)
	if page, _ := b.list(t, table, query.Request{}); page.Total != 2 {
		t.Fatalf("total %d, want 2", page.Total)
	}
}

func TestBatchesAreAllOrNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox))
	made := b.create(t, table, `{"Name":"a","N":1,"Done":true}`, `{"Name":"b","N":2}`, `{"Name":"c","N":3}`)
	gone := id.FormatRecord(b.schema(t, table).Number, id.New())

	_, err := b.engine.Update(t.Context(), b.actor, table, []record.Change{
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":9}`))},
		{ID: gone, Fields: jsonvaluetest.ParseObject([]byte(`{"N":9}`))},
	}, false)
	wantItem(t, err, problem.KindNotFound, "", gone)
	_, err = b.engine.Delete(t.Context(), b.actor, table, []string{made[0].ID, gone})
	wantItem(t, err, problem.KindNotFound, "", gone)
	_, err = b.engine.UpdateOne(t.Context(), b.actor, gone, jsonvaluetest.ParseObject([]byte(`{"N":9}`)), false)
	wantItem(t, err, problem.KindNotFound, "", gone)
	_, err = b.engine.DeleteOne(t.Context(), b.actor, gone)
	wantItem(t, err, problem.KindNotFound, "", gone)
	_, err = b.engine.Update(t.Context(), b.actor, table, []record.Change{
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":9}`))},
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":8}`))},
	}, false)
	wantItem(t, err, problem.KindInvalid, "records[1].id", "same record")
	page, all := b.list(t, table, query.Request{})
	if diff := cmp.Diff([]any{1.0, 2.0, 3.0}, column(all, "N")); diff != "" || page.Total != 3 {
		t.Fatalf("total %d %s", page.Total, diff)
	}

	written, err := b.engine.Update(t.Context(), b.actor, table, []record.Change{
		{ID: made[2].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":30}`))}, {
			ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"Name":"A"}`)),
		}, {ID: made[1].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"Done":true,"N":null}`))},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	got := decodeAll(t, written.Records)
	want := []map[string]any{
		{"Name": "c", "N": 30.0, "Done": false},
		{"Name": "A", "N": 1.0, "Done": true},
		{"Name": "b", "N": nil, "Done": true},
	}
	for i := range want {
		if diff := cmp.Diff(want[i], got[i].Fields); diff != "" {
			t.Errorf("record %d: %s", i, diff)
		}
	}
	if _, err := b.engine.Delete(t.Context(), b.actor, table, []string{made[2].ID, made[0].ID}); err != nil {
		t.Fatal(err)
	}
	if page, all := b.list(t, table, query.Request{}); page.Total != 1 || all[0].ID != made[1].ID {
		t.Fatalf("left %+v of %d", all, page.Total)
	}
}

func TestAForeignRecordIsAsMissing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := setup(t)
	table := b.table(t, "Ours", field("Name", schema.Text))
	theirs := other.create(t, other.table(t, "Theirs", field("Name", schema.Text)), `{"Name":"secret"}`)[0].ID
	for _, try := range []string{theirs, id.FormatRecord(1<<30, id.New()), "rec_x", ""} {
		_, err := b.engine.Get(t.Context(), b.actor, try)
		wantItem(t, err, problem.KindNotFound, "")
		_, err = b.engine.UpdateOne(t.Context(), b.actor, try, jsonvaluetest.ParseObject([]byte(`{"Name":"x"}`)), false)
		wantItem(t, err, problem.KindNotFound, "")
		_, err = b.engine.DeleteOne(t.Context(), b.actor, try)
		wantItem(t, err, problem.KindNotFound, "")
		_, err = b.engine.Delete(t.Context(), b.actor, table, []string{try})
		wantItem(t, err, problem.KindNotFound, "")
		_, err = b.engine.Update(t.Context(), b.actor, table,
			[]record.Change{{ID: try, Fields: jsonvaluetest.ParseObject([]byte(`{"Name":"x"}`))}}, false)
		wantItem(t, err, problem.KindNotFound, "")
	}
}

func parse(t *testing.T, s string) uuid.UUID {
	t.Helper()
	u, err := uuid.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

package record_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	fieldkind "github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// writable is a record as it was read, as JSON of the fields that people write.
func (b *bundle) writable(t *testing.T, table uuid.UUID, one string) string {
	t.Helper()
	got, err := b.engine.Get(t.Context(), b.actor, one)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Fields map[string]json.RawMessage `json:"fields"`
	}
	if err := json.Unmarshal(got, &read); err != nil {
		t.Fatal(err)
	}
	for _, f := range b.schema(t, table).Fields {
		if f.Info().ReadOnly {
			delete(read.Fields, f.Name)
		}
	}
	text, err := json.Marshal(read.Fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wantWriteBack reads a record and writes it in each way that there is.
func (b *bundle) wantWriteBack(t *testing.T, table uuid.UUID, one string, upsertOn ...string) {
	t.Helper()
	read := b.writable(t, table, one)
	shown := read[:min(len(read), 300)]
	for _, typecast := range []bool{false, true} {
		if _, err := b.engine.UpdateOne(
			t.Context(),
			b.actor,
			one,
			jsonvaluetest.ParseObject([]byte(read)),
			typecast,
		); err != nil {
			t.Errorf("an update (typecast %t): %v with %s", typecast, err, shown)
		}
		_, err := b.engine.Update(t.Context(), b.actor, table, []record.Change{
			{ID: one, Fields: jsonvaluetest.ParseObject([]byte(read))},
		}, typecast)
		if err != nil {
			t.Errorf("an update of several (typecast %t): %v with %s", typecast, err, shown)
		}
		_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
			Records: parsed([]string{read}), UpsertOn: upsertOn, Typecast: typecast,
		})
		if len(upsertOn) > 0 && err != nil {
			t.Errorf("an upsert (typecast %t): %v with %s", typecast, err, shown)
		}
	}
	if now := b.writable(t, table, one); now != read {
		t.Errorf("%s has become %s", shown, now[:min(len(now), 300)])
	}
}

// What was read can be written back: a bound that reading exceeds would leave records that nobody can change.
func TestWhatWasReadCanBeWrittenBack(t *testing.T) {
	t.Parallel()
	t.Run("more links than a write names", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		companies, people := b.table(
			t,
			"Companies",
			field("Name", schema.Text),
		), b.table(
			t,
			"People",
			field("Name", schema.Text),
		)
		b.link(t, people, companies, "Company", true, true)
		company := b.create(t, companies, `{"Name":"c"}`)[0].ID
		members := make([]string, fieldkind.MaxEntries+1)
		for i := range members {
			members[i] = fmt.Sprintf(`{"Name":"%d","Company":[%q]}`, i, company)
		}
		b.create(t, people, members...)
		b.wantWriteBack(t, companies, company, "Name")
	})
	t.Run("people who have left", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		table := b.table(t, "T", field("Name", schema.Text), field("Who", schema.User),
			field("All", schema.User, `{"multiple":true}`))
		left := tenancytest.Person(t, b.db)
		if err := tenancytest.Join(t, b.db, b.actor.Org, left, organization.Editor); err != nil {
			t.Fatal(err)
		}
		public, me := id.Format(id.User, left), id.Format(id.User, b.actor.Person)
		made := b.create(t, table, fmt.Sprintf(`{"Name":"a","Who":%q,"All":[%[1]q,%[2]q]}`, public, me), `{"Name":"b"}`)
		b.exec(t, "delete from rowhouse.member where org_id = $1 and person_id = $2", b.actor.Org, left)
		b.wantWriteBack(t, table, made[0].ID, "Name")
		// Nobody else gets them, and not in another field.
		_, err := b.engine.Update(t.Context(), b.actor, table, []record.Change{
			{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(fmt.Sprintf(`{"Who":%q}`, public)))},
			{ID: made[1].ID, Fields: jsonvaluetest.ParseObject([]byte(fmt.Sprintf(`{"Who":%q}`, public)))},
		}, false)
		wantItem(t, err, problem.KindInvalid, "records[1].fields.Who", "is not a member")
		_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
			Records: parsed([]string{fmt.Sprintf(`{"Who":%q}`, public)}),
		})
		wantItem(t, err, problem.KindInvalid, "records[0].fields.Who", "is not a member")
	})
	t.Run("a record that has grown too large", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		if b.db.Distributed() {
			t.Skip("on Citus the size before a write is not looked at")
		}
		table := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText), field("B", schema.LongText))
		made := b.create(t, table, `{"Name":"a","A":"`+strings.Repeat("x", 600_000)+`"}`)[0].ID
		b.exec(t, "update "+b.schema(t, table).Relation()+" set "+b.schema(t, table).FieldByName("B").Column()+
			" = repeat('y', 600000)") // as many small changes do
		b.wantWriteBack(t, table, made, "Name")
		b.updateOne(t, made, `{"A":"`+strings.Repeat("x", 590_000)+`"}`)
		_, err := b.engine.UpdateOne(t.Context(), b.actor, made,
			jsonvaluetest.ParseObject([]byte(`{"A":"`+strings.Repeat("x", 590_001)+`"}`)), false)
		wantItem(t, err, problem.KindInvalid, "fields", "1 MB")
	})
	t.Run("every kind", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		table := b.table(t, "T", everyField...)
		me := id.Format(id.User, b.actor.Person)
		b.link(t, table, table, "Self", true, true)
		edge := map[string][]string{
			"number":    {`1.7976931348623157e308`, `-5e-324`, `9007199254740993`, `0.1`, `-0`},
			"currency":  {`999999999999999.99`, `0.001`},
			"percent":   {`12.345678901234567`, `1e-9`},
			"duration":  {`0.001`, `86399.999`, `-1`, `1e15`},
			"date":      {`"0001-01-01"`, `"9999-12-31"`, `"2024-02-29"`},
			"datetime":  {`"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59.999Z"`, `"1900-01-01T00:00:00.001Z"`},
			"text":      {`"` + strings.Repeat("é", fieldkind.MaxText) + `"`, `" a\u0001\n\ufffe "`},
			"long_text": {`"` + strings.Repeat("a", fieldkind.MaxLongText) + `"`},
			"json": {
				strings.Repeat("[", 30) + strings.Repeat("]", 30),
				`{"a":1e400,"b":12345678901234567890}`,
				`null`,
				`"x"`,
			},
			"url":           {`"mailto:a@b.no"`, `"https://a.no/%00?x=<y>"`},
			"email":         {`"a@b.no"`},
			"checkbox":      {`true`, `false`},
			"user":          {`"` + me + `"`},
			"multi_select":  {`["A","B"]`, `[]`},
			"single_select": {`"A"`},
		}
		for _, f := range b.schema(t, table).Fields {
			if f.Info().ReadOnly {
				continue
			}
			tried := 0
			for _, value := range append(slices.Clone(edge[string(f.Type())]), "null") {
				written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
					Records: parsed([]string{fmt.Sprintf(`{%q:%s}`, f.Name, value)}), Typecast: true,
				})
				if err != nil {
					continue // it can be read nowhere
				}
				tried++
				b.wantWriteBack(t, table, decode(t, written.Records[0]).ID)
			}
			if tried == 0 {
				t.Errorf("no value of %q was taken", f.Name)
			}
		}
		for kind := range maps.Keys(edge) {
			if schema.Type(kind).Kind() == nil {
				t.Errorf("%s is no kind", kind)
			}
		}
	})
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// The numbers follow the creation of the records, and not where a change has put them on disk.
func TestAutoNumbersOfATableFollowItsCreation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	made := b.create(t, table, `{"Name":"a"}`, `{"Name":"b"}`, `{"Name":"c"}`)
	b.updateOne(t, made[0].ID, `{"Name":"A"}`)
	b.updateOne(t, made[1].ID, `{"Name":"B"}`)
	b.addField(t, table, field("No", "auto_number"))
	b.create(t, table, `{"Name":"d"}`)
	_, records := b.list(t, table, query.Request{})
	if got := fmt.Sprint(column(records, "No")); got != "[1 2 3 4]" {
		t.Errorf("the numbers are %s", got)
	}
}

func TestARefusedValueOfAUniqueFieldIsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Code", schema.Text, `{"unique":true}`))
	made := b.create(t, table, `{"Code":"a"}`, `{"Code":"b"}`)
	_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records: parsed([]string{`{"Code":"c"}`, `{"Code":"d"}`, `{"Code":"b"}`}),
	})
	wantItem(t, err, problem.KindConflict, "records[2].fields.Code", "records[2].fields.Code", made[1].ID)
	_, err = b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records: parsed([]string{`{"Code":"c"}`, `{"Code":"c"}`}),
	})
	wantItem(t, err, problem.KindConflict, "records[1].fields.Code", "records[0]")
	_, err = b.engine.Update(t.Context(), b.actor, table, []record.Change{
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"Code":"a"}`))},
		{ID: made[1].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"Code":"a"}`))},
	}, false)
	wantItem(t, err, problem.KindConflict, "records[1].fields.Code")
}

func TestURLsOfScriptsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Link", "url"), field("Text", schema.Text))
	for _, url := range []string{
		"javascript:alert(1)", "JAVASCRIPT://x/%0aalert(1)", "vbscript:x", "data:text/html,x",
	} {
		for _, typecast := range []bool{false, true} {
			_, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
				Records: parsed([]string{fmt.Sprintf(`{"Link":%q}`, url)}), Typecast: typecast,
			})
			wantItem(t, err, problem.KindInvalid, "records[0].fields.Link", "would run as a script")
		}
		_, err := b.engine.Import(t.Context(), b.actor, table, record.Import{CSV: "Link\n" + `"` + url + `"` + "\n"})
		wantItem(t, err, problem.KindInvalid, "", "would run as a script")
		b.create(t, table, fmt.Sprintf(`{"Text":%q}`, url))
	}
	got := b.plan(t, b.retyping(t, b.schema(t, table).FieldByName("Text"), "url", false, ""))
	if got.Lost != 4 {
		t.Errorf("the conversion loses %d values", got.Lost)
	}
}

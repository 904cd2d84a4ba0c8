package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestEveryWayOfWritingComputes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor.Org
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		field("State", schema.SingleSelect, `{"options":["Open","Done"]}`), formulaField("Sum", "{N} + 1"),
		formulaField("Shown", `{State} & "/" & {N}`), formulaField("At", "LAST_MODIFIED_TIME()"))
	made := b.create(t, u, `{"Name":"a","N":1,"State":"Open"}`, `{"Name":"b","N":2,"State":"Done"}`)
	shown := func() string {
		t.Helper()
		if b.schema(t, u).FieldByName("Shown").Computed.Kept == b.db.Distributed() {
			t.Error("there is no column to test")
		}
		_, rows := b.list(t, u, query.Request{})
		for _, row := range rows {
			if row.Fields["At"] == nil {
				t.Error("no time of the last change")
			}
		}
		return text(column(rows, "Shown")) + text(column(rows, "Sum"))
	}
	_, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
		Records: parsed([]string{`{"Name":"a","N":5}`, `{"Name":"c","N":7}`}), UpsertOn: []string{"Name"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != `["Open/5","Done/2","/7"][6,3,8]` {
		t.Errorf("an upsert: %s", got)
	}
	_, err = b.engine.Update(t.Context(), b.actor, u, []record.Change{
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":10}`))},
		{ID: made[1].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"N":20}`))},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != `["Open/10","Done/20","/7"][11,21,8]` {
		t.Errorf("an update of several: %s", got)
	}
	state := b.schema(t, u).FieldByName("State").ID
	err = b.store.UpdateField(t.Context(), org, state, catalog.FieldPatch{
		Config: json.RawMessage(`{"options":[{"name":"New","previousName":"Open"},"Done"]}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != `["New/10","Done/20","/7"][11,21,8]` {
		t.Errorf("an option with another name: %s", got)
	}
	err = catalog.Retype(t.Context(), b.store, org, state, catalog.TypeChange{Type: schema.Text})
	if err != nil {
		t.Fatal(err)
	}
	b.update(t, made[1].ID, `{"State":"Other"}`)
	if got := shown(); got != `["New/10","Other/20","/7"][11,21,8]` {
		t.Errorf("another type: %s", got)
	}
	number := b.schema(t, u).FieldByName("N").ID
	err = catalog.Retype(t.Context(), b.store, org, number, catalog.TypeChange{Type: schema.Text})
	wantItem(t, err, problem.KindConflict, b.schema(t, u).FieldByName("Sum").PublicID(), "would show errors")
	// From the trash, what came to it while it was there is computed too.
	if _, err := b.engine.Delete(t.Context(), b.actor, u, []string{made[0].ID}); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != `["Other/20","/7"][21,8]` {
		t.Error(got)
	}
}

func TestFormulasReadTheClockOfTheBase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("At", schema.DateTime), formulaField("Hour", "HOUR({At})"))
	b.create(t, u, `{"Name":"a","At":"2026-01-31T12:00:00Z"}`)
	hour := func() string {
		_, rows := b.list(t, u, query.Request{Filters: []byte(`[{"fieldId":"Hour","op":"gte","value":0}]`)})
		return text(column(rows, "Hour"))
	}
	if got := hour(); got != `[12]` {
		t.Error(got)
	}
	for zone, want := range map[string]string{"Asia/Tokyo": `[21]`, "Nowhere/Else": ""} {
		err := b.store.UpdateBase(t.Context(), b.actor.Org, b.base, catalog.Patch{TimeZone: &zone}, nil)
		if want == "" {
			wantItem(t, err, problem.KindInvalid, "timeZone")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := hour(); got != want || b.schema(t, u).FieldByName("Hour").Computed.Kept == b.db.Distributed() {
			t.Errorf("in %s: %s", zone, got)
		}
	}
}

func TestComputedValuesAreNotInTheLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), formulaField("Loud", "UPPER({Name})"))
	made := b.create(t, u, `{"Name":"quiet"}`)
	b.update(t, made[0].ID, `{"Name":"silent"}`)
	var logged string
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select string_agg(before::text, ' ') from "+changelog.Relation(b.actor.Org)+
			" where table_number = $1 and kind < 10", b.schema(t, u).Number).Scan(&logged)
	})
	if err != nil || !strings.Contains(logged, "quiet") || strings.Contains(logged, "QUIET") {
		t.Errorf("%s %v", logged, err)
	}
}

// outlive gives a table so many columns, all of which are gone. PostgreSQL keeps a description of the table for each of
// them until its transaction ends.
func (b *bundle) outlive(t *testing.T, table uuid.UUID, columns int) {
	t.Helper()
	relation := b.schema(t, table).Relation()
	const part = 150
	for first := 0; first < columns; first += part {
		err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
			for _, verb := range []string{"add column x_%d text", "drop column x_%d"} {
				var parts []string
				for i := first; i < min(first+part, columns); i++ {
					parts = append(parts, fmt.Sprintf(verb, i))
				}
				if _, err := tx.Exec(t.Context(), "alter table "+relation+" "+strings.Join(parts, ", ")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A column of another type leaves a dropped one, which counts for ever.
func TestAFormulaThatChangesItsTypeMakesRoomForItsColumn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number), formulaField("F", "{N}"),
		formulaField("G", "{F}"))
	made := b.create(t, u, `{"Name":"a","N":2}`)
	b.outlive(t, u, 1575)
	for i := range 20 {
		want, config := "20", `{"formula":"{N} * 10"}`
		if i%2 == 0 {
			want, config = `"n2"`, `{"formula":"\"n\" & {N}"}`
		}
		f := b.schema(t, u).FieldByName("F")
		if err := b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{
			Config: []byte(config), Discard: true,
		}); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
		raw, err := b.engine.Get(t.Context(), b.actor, made[0].ID)
		if got := text(decode(t, raw).Fields["F"]); err != nil || got != want {
			t.Fatalf("change %d: %s, %v", i, got, err)
		}
	}
}

func TestATableThatIsRebuiltStillComputes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), formulaField("Loud", "UPPER({Name})"))
	made := b.create(t, u, `{"Name":"a"}`)
	b.outlive(t, u, 1495)
	b.addField(t, u, field("More", schema.Text))
	var columns int
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select count(*) from pg_attribute where attrelid = to_regclass($1::text) and "+
			"attnum > 0", b.schema(t, u).Relation()).Scan(&columns)
	})
	if err != nil || columns > 100 {
		t.Fatalf("it has had %d columns: %v", columns, err)
	}
	if got := b.update(t, made[0].ID, `{"Name":"b"}`).Fields["Loud"]; got != "B" {
		t.Errorf("it computes %v", got)
	}
}

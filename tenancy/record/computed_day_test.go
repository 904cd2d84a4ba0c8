package record_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// midnightIn moves what the database of a test takes for the present day, so that it ends in some time.
func midnightIn(t *testing.T, admin *pgx.Conn, left time.Duration) {
	t.Helper()
	_, err := admin.Exec(t.Context(), fmt.Sprintf(`create or replace function
		gate.formula_today(moment timestamptz, zone text) returns date language sql immutable parallel safe
		return ((moment + interval '%d microseconds') at time zone zone)::date`,
		untilMidnight(t, admin).Microseconds()-left.Microseconds()))
	if err != nil {
		t.Fatal(err)
	}
}

func untilMidnight(t *testing.T, admin *pgx.Conn) time.Duration {
	t.Helper()
	var left time.Duration
	err := admin.QueryRow(t.Context(), `select date_trunc('day', clock_timestamp() at time zone 'Asia/Tokyo') +
		interval '1 day' - clock_timestamp() at time zone 'Asia/Tokyo'`).Scan(&left)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// Readers and writers are at work while the day of the base changes. No list has what a formula said on the day before,
// and after midnight the columns are computed again.
func TestFormulasOfTheDayChangeAtMidnight(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), url, db.Options{Secrets: tenancytest.Secrets()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	admin, err := pgx.Connect(t.Context(), tenancytest.AdminURLOf(t, url))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close(context.WithoutCancel(t.Context())) })
	b := setupOn(t, database)
	b.stores(t)
	b.moveTo(t, "Asia/Tokyo")
	midnightIn(t, admin, 4*time.Second)
	today := func(moment string) string {
		var day string
		err := admin.QueryRow(t.Context(), "select gate.formula_today("+moment+", 'Asia/Tokyo')::text").Scan(&day)
		if err != nil {
			t.Fatal(err)
		}
		return day
	}
	before := today("clock_timestamp()")
	parts := b.table(t, "Parts", field("Name", schema.Text), field("Due", schema.Date))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Parts", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, parts).PublicID())))
	b.addField(t, orders, field("Due", "rollup", `{"linkFieldId":"Parts","fieldId":"Due","function":"MAX"}`))
	b.addField(t, parts, field("Day", "formula", `{"formula":"TODAY()"}`))
	b.addField(t, parts, field("Late", "formula", `{"formula":"IF(IS_BEFORE({Due}, {Day}), 1, 0)"}`))
	b.addField(t, orders, field("Late", "formula", `{"formula":"IF(IS_BEFORE({Due}, TODAY()), 1, 0)"}`))
	part := b.create(t, parts, fmt.Sprintf(`{"Name":"due today","Due":%q}`, before))[0]
	b.create(t, orders, fmt.Sprintf(`{"Name":"o","Parts":[%q]}`, part.ID))
	b.drain(t)
	tables := map[string]uuid.UUID{"Parts": parts, "Orders": orders}
	late := func(table string, value int) int {
		page, err := b.engine.List(t.Context(), b.actor, tables[table], query.Request{
			Limit: 100, Filters: fmt.Appendf(nil, `[{"fieldId":"Late","op":"eq","value":%d}]`, value),
			Fields: []string{"Late"},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range page.Records {
			if !strings.Contains(string(record), fmt.Sprintf(`"Late":%d`, value)) {
				t.Errorf("a filter finds %s", record)
			}
		}
		return len(page.Records)
	}
	// What no formula says shows where values are read.
	spoil := func(table string) {
		f := b.schema(t, tables[table]).FieldByName("Late")
		relation := b.schema(t, tables[table]).Relation()
		_, err := admin.Exec(t.Context(), fmt.Sprintf("alter table %[1]s disable trigger user; update %[1]s set "+
			"f_%[2]d = 7; alter table %[1]s enable trigger user", relation, f.Number))
		if err != nil {
			t.Fatal(err)
		}
	}
	for table := range tables {
		if found := late(table, 1); found != 0 {
			t.Fatalf("on the first day %d records of %s are late", found, table)
		}
		if spoil(table); late(table, 7) != 1 {
			t.Errorf("a filter of %s does not read the column", table)
		}
	}
	for day := before; day == before; { // until midnight, and across it
		from := today("clock_timestamp()")
		found := late("Parts", 1) + late("Orders", 1)
		day = today("clock_timestamp()")
		if from == before && day == before && found > 0 || from != before && found != 2 {
			t.Fatalf("on %s to %s, %d records are late", from, day, found)
		}
		b.create(t, parts, `{"Name":"another"}`)
		time.Sleep(10 * time.Millisecond)
	}
	for table, u := range tables {
		if late(table, 1) != 1 || late(table, 7) != 0 {
			t.Errorf("%s have values of the day before", table)
		}
		done, err := b.store.Fill(t.Context(), b.actor.Org, b.schema(t, u).Number, later())
		if err != nil || !done {
			t.Fatal(done, err)
		}
		if late(table, 1) != 1 || late(table, 7) != 0 {
			t.Errorf("columns of %s have values of the day before", table)
		}
		time.Sleep(200 * time.Millisecond) // after which a column is tried again that was out of date
		if spoil(table); late(table, 7) == 0 {
			t.Errorf("a filter of %s does not read the column on the second day", table)
		}
	}
}

// Columns of a new day are filled when those have ended who began to write on the day before.
func TestFillingOfADayWaitsForWriters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	parts := b.table(t, "Parts", field("Name", schema.Text))
	b.addField(t, parts, field("Day", "formula", `{"formula":"TODAY()"}`))
	admin := tenancytest.Admin(t)
	_, err := admin.Exec(t.Context(), "update rowhouse.computed_column set expression = "+
		"split_part(expression, '@', 1) || '@2026-01-01' where org_id = $1", b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := admin.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	relation := b.schema(t, parts).Relation()
	_, err = tx.Exec(t.Context(), "insert into "+relation+" (id, created_by, updated_by, version) "+
		"values ($1, $2, $2, 1)", uuid.Must(uuid.NewV7()), b.actor.Person)
	if err != nil {
		t.Fatal(err)
	}
	number := b.schema(t, parts).Number
	done, err := b.store.Fill(t.Context(), b.actor.Org, number, time.Now().Add(50*time.Millisecond))
	if err != nil || done {
		t.Errorf("while somebody writes, filling is done: %t, %v", done, err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done, err := b.store.Fill(t.Context(), b.actor.Org, number, later()); err != nil || !done {
		t.Errorf("afterwards, filling is done: %t, %v", done, err)
	}
}

package tenancy_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAnOrganizationSeesOnlyItsOwnRows(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	ours, _ := tenancytest.Org(t, db)
	theirs, _ := tenancytest.Org(t, db)

	var seen, foreign int
	err := db.Batch(t.Context(), ours, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.organization").QueryRow(func(row pgx.Row) error { return row.Scan(&seen) })
		b.Queue("select count(*) from rowhouse.member where org_id = $1", theirs).
			QueryRow(func(row pgx.Row) error { return row.Scan(&foreign) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen != 1 || foreign != 0 {
		t.Fatalf("saw %d organizations and %d foreign members; want 1 and 0", seen, foreign)
	}
}

func TestTheLoginRoleAloneTouchesNoTable(t *testing.T) {
	t.Parallel()
	url := tenancytest.DatabaseURL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), `select format('%I.%I', n.nspname, c.relname) from pg_class c
		join pg_namespace n on n.oid = c.relnamespace
		where n.nspname not like 'pg\_%' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm')
		limit 200`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 10 {
		t.Fatalf("listed %d tables: %v", len(tables), err)
	}
	for _, table := range tables {
		_, err := conn.Exec(t.Context(), "select from "+table)
		if !tenancy.IsSQLState(err, "42501", "42P01") { // refused; or another test dropped it meanwhile
			t.Errorf("%s: want permission denied, got %v", table, err)
		}
	}
}

func TestAFailedBatchLeavesTheConnectionUsable(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	for range 50 {
		err := db.Batch(t.Context(), org, func(b *pgx.Batch) { b.Queue("select 1/0").Exec(nil) })
		if !tenancy.IsSQLState(err, "22012") {
			t.Fatalf("want division by zero, got %v", err)
		}
		if err := db.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

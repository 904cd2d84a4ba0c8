package db_test

import (
	"context"
	"testing"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestOrganizationSeesOnlyItsOwnRows(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	ours, _ := tenancytest.Org(t, db)
	theirs, _ := tenancytest.Org(t, db)

	var seen, foreign int
	err := db.Batch(t.Context(), ours, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.organization").
			QueryRow(func(row pgx.Row) error { return row.Scan(&seen) })
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

func TestLoginRoleCannotReadTables(t *testing.T) {
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
		if !pgerror.Is(
			err,
			pgerrcode.InsufficientPrivilege,
			pgerrcode.UndefinedTable,
		) { // refused; or another test dropped it meanwhile
			t.Errorf("%s: want permission denied, got %v", table, err)
		}
	}
}

func TestConnectionIsUsableAfterFailedBatch(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	for range 50 {
		err := db.Batch(t.Context(), org, func(b *pgx.Batch) { b.Queue("select 1/0").Exec(nil) })
		if !pgerror.Is(err, "22012") {
			t.Fatalf("want division by zero, got %v", err)
		}
		if err := db.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A batch has no "begin" and no "commit": it is one transaction only because it is sent up to one Sync.
func TestBatchIsOneTransaction(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	invite := func(id, email string, then ...string) error {
		return db.Batch(t.Context(), org, func(b *pgx.Batch) {
			b.Queue(`insert into rowhouse.invitation (org_id, id, email, role, token_hash, expires_at)
				values ($1, $2, $3, 'viewer', '', now())`, org, id, email)
			for _, sql := range then {
				b.Queue(sql)
			}
		})
	}
	if err := invite(
		"00000000-0000-7000-8000-000000000001", "all@example.com", "select set_config('app.lasts', 'yes', true)",
	); err != nil {
		t.Fatal(err)
	}
	if err := invite(
		"00000000-0000-7000-8000-000000000002", "nothing@example.com", "select 1", "select 1/0",
	); !pgerror.Is(err, "22012") {
		t.Fatalf("want division by zero, got %v", err)
	}
	var emails, lasts string
	err := db.Batch(t.Context(), org, func(b *pgx.Batch) {
		b.Queue(`select string_agg(email, ' '), coalesce(current_setting('app.lasts', true), '')
			from rowhouse.invitation where org_id = $1`, org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&emails, &lasts) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if emails != "all@example.com" || lasts != "" {
		t.Errorf("the invitations are for %q, and a setting of before is %q", emails, lasts)
	}
}

func TestBatchReturnsErrorsOfCommit(t *testing.T) {
	t.Parallel()
	database, err := db.Open(t.Context(), tenancytest.FreshDatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	org, _ := tenancytest.Org(t, database)
	err = database.OwnerConn(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `create table rowhouse.late (n integer unique deferrable initially deferred);
			grant select, insert on rowhouse.late to rowhouse_app`, pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	insert := func(n int) error {
		return database.Batch(t.Context(), org, func(b *pgx.Batch) {
			b.Queue("insert into rowhouse.late values ($1)", n).
				Exec(func(pgconn.CommandTag) error { done++; return nil })
		})
	}
	if err := insert(1); err != nil {
		t.Fatal(err)
	}
	if err := insert(1); !pgerror.Is(err, pgerrcode.UniqueViolation) || done != 2 {
		t.Errorf("%d statements were done, and the second commit said: %v", done, err)
	}
	if err := insert(2); err != nil {
		t.Errorf("after a commit that failed: %v", err)
	}
}

package migrations_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A database of a binary before migration 7 has walls of the former wording, each table in a transaction of few.
func TestWallsOfTheFormerWordingAreRenewed(t *testing.T) {
	t.Parallel()
	database := tenancytest.FreshDatabaseURL(t)
	db, err := tenancy.Open(t.Context(), database, tenancy.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 {
		org, _ := tenancytest.Org(t, db)
		store := schema.NewStore(db)
		snapshot, err := store.Cached(t.Context(), org)
		if err != nil {
			t.Fatal(err)
		}
		base, err := store.CreateBase(t.Context(), org, snapshot.Workspaces[0].ID, "Base")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			made, err := store.CreateTable(t.Context(), org, base.ID, fmt.Sprint("Table ", i), []schema.FieldSpec{{Name: "Name", Type: schema.Text}})
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := store.Fresh(t.Context(), org)
			if err != nil {
				t.Fatal(err)
			}
			err = db.Reshape(t.Context(), org, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), "alter policy organization on "+snapshot.Table(made.ID).Relation()+
					" using ((select current_setting('app.org_id', true)) = '"+org.String()+"')")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	walls := func() (former, total int, organizations int) {
		t.Helper()
		err := db.System(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select count(*) filter (where w.condition not like '%CASE%'), count(*),
					count(distinct substring(w.condition from '[0-9a-f]{8}-[0-9a-f-]{27}'))
				from (select pg_get_expr(p.polqual, p.polrelid) as condition from pg_policy p join pg_class c on c.oid = p.polrelid
					join pg_namespace n on n.oid = c.relnamespace where p.polname = 'organization' and n.nspname like 'org\_%') w`).
				Scan(&former, &total, &organizations)
		})
		if err != nil {
			t.Fatal(err)
		}
		return former, total, organizations
	}
	if former, total, _ := walls(); former != 6 || total != 6 {
		t.Fatalf("%d former walls of %d", former, total)
	}
	for range 2 {
		if err := migrations.Up(t.Context(), database); err != nil {
			t.Fatal(err)
		}
		if former, total, organizations := walls(); former != 0 || total != 6 || organizations != 2 {
			t.Fatalf("%d former walls of %d, of %d organizations", former, total, organizations)
		}
	}
	var last *uint32
	err = db.Alone(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select gate.renew_walls(gate.renew_walls(gate.renew_walls(0, 4), 4), 4)").Scan(&last)
	})
	if err != nil || last != nil {
		t.Errorf("two steps of four do not cover six tables: %v %v", last, err)
	}
}

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

// A database of a binary before migration 10 has tables whose versions no function tells.
func TestTablesOfAnOlderDatabaseTellTheirVersions(t *testing.T) {
	t.Parallel()
	database := tenancytest.FreshDatabaseURL(t)
	db, err := tenancy.Open(t.Context(), database, tenancy.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
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
		if _, err := store.CreateTable(t.Context(), org, base.ID, fmt.Sprint("Table ", i), []schema.FieldSpec{{Name: "Name", Type: schema.Text}}); err != nil {
			t.Fatal(err)
		}
	}
	err = db.Reshape(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `drop schema version cascade; drop trigger tell_version on rowhouse.data_table;
			drop function gate.tell_version, gate.refuse, gate.find, gate.fold_value, gate.renew_search_indexes cascade; drop table rowhouse.canary; update rowhouse.migration set version = 9`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), database); err != nil {
		t.Fatal(err)
	}
	if snapshot, err = store.Fresh(t.Context(), org); err != nil {
		t.Fatal(err)
	}
	if len(snapshot.Base(base.ID).Tables) != 3 {
		t.Fatalf("%d tables", len(snapshot.Base(base.ID).Tables))
	}
	for _, table := range snapshot.Base(base.ID).Tables {
		var told int64
		err := db.Within(t.Context(), org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), "select "+table.Ref().VersionNow()).Scan(&told)
		})
		if err != nil || told != table.Version {
			t.Errorf("version %d of a table is told as %d, %v", table.Version, told, err)
		}
	}
	// The owner is behind the wall as before.
	var seen int
	err = db.Alone(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select count(*) from rowhouse.data_table").Scan(&seen)
	})
	if err != nil || seen != 0 {
		t.Errorf("without an organization the owner sees %d tables, %v", seen, err)
	}
}

package migrations_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A database of a binary before migration 10 has tables whose versions no function tells.
func TestTablesOfOlderDatabaseHaveVersions(t *testing.T) {
	t.Parallel()
	h := newTestDatabase(t)
	base := h.base(t)
	for i := range 3 {
		if _, err := h.store.CreateTable(t.Context(), base.org, base.id, fmt.Sprint("Table ", i), []schema.FieldSpec{{Name: "Name", Type: schema.Text}}); err != nil {
			t.Fatal(err)
		}
	}
	err := h.db.SchemaTx(t.Context(), base.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), undoFrom14+`drop schema version cascade; drop trigger tell_version on rowhouse.data_table;
			drop function gate.tell_version, gate.refuse, gate.find cascade; update rowhouse.migration set version = 9`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), h.database); err != nil {
		t.Fatal(err)
	}
	snapshot, err := h.store.Fresh(t.Context(), base.org)
	if err != nil {
		t.Fatal(err)
	}
	if len(snapshot.Base(base.id).Tables) != 3 {
		t.Fatalf("%d tables", len(snapshot.Base(base.id).Tables))
	}
	for _, table := range snapshot.Base(base.id).Tables {
		var told int64
		err := h.db.Tx(t.Context(), base.org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), "select "+table.Ref().VersionNow()).Scan(&told)
		})
		if err != nil || told != table.Version {
			t.Errorf("version %d of a table is told as %d, %v", table.Version, told, err)
		}
	}
	// Row-level security applies to the owner as before.
	var seen int
	err = h.db.OwnerConn(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select count(*) from rowhouse.data_table").Scan(&seen)
	})
	if err != nil || seen != 0 {
		t.Errorf("without an organization the owner sees %d tables, %v", seen, err)
	}
}

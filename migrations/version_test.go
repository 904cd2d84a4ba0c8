package migrations_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A database of before migration 10 has tables whose versions no function returns.
func TestTablesOfOlderDatabaseHaveVersions(t *testing.T) {
	t.Parallel()
	h := newOlderDatabase(t, 9)
	o := h.org(t)
	for i := range 3 {
		h.table(t, o, fmt.Sprint("Table ", i))
	}
	h.up(t)
	database := h.open(t)
	snapshot, err := schema.NewStore(database).Fresh(t.Context(), o.id)
	if err != nil {
		t.Fatal(err)
	}
	if len(snapshot.Base(o.base).Tables) != 3 {
		t.Fatalf("%d tables", len(snapshot.Base(o.base).Tables))
	}
	for _, table := range snapshot.Base(o.base).Tables {
		var version int64
		err := database.Tx(t.Context(), o.id, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), "select "+table.Ref().VersionNow()).Scan(&version)
		})
		if err != nil || version != 7 || table.Version != 7 {
			t.Errorf("version %d of a table is returned as %d, %v", table.Version, version, err)
		}
	}
	// Row-level security applies to the owner as before.
	var seen int
	execute(t, h.owner, "select set_config('app.org_id', '', false)")
	if err := h.owner.QueryRow(
		t.Context(), "select count(*) from rowhouse.data_table",
	).Scan(&seen); err != nil || seen != 0 {
		t.Errorf("without an organization the owner sees %d tables, %v", seen, err)
	}
}

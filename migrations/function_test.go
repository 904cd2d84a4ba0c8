package migrations_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var update = flag.Bool("update", false, "write testdata/function.sql anew")

// Several migrations replace a function. testdata/function.sql shows the text that the last one leaves.
func TestFunctionsHaveTheRecordedText(t *testing.T) {
	t.Parallel()
	database, err := db.Open(t.Context(), tenancytest.FreshDatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	var functions []string
	err = database.OwnerConn(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx,
			`select pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
			where n.nspname = 'gate' and p.prokind = 'f' order by p.proname, p.oid`)
		if err != nil {
			return err
		}
		functions, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := "-- The functions of the schema gate after all migrations. `go test ./migrations -run RecordedText " +
		"-update` writes this file.\n\n" +
		strings.Join(functions, "\n")
	path := "testdata/function.sql"
	if database.Distributed() {
		path = "testdata/function_citus.sql"
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the functions differ from %s; see its first line. They are:\n%s", path, got)
	}
}

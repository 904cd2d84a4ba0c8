package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestBrokenIsolationIsDetectedAtStart(t *testing.T) {
	t.Parallel()
	database, err := db.Open(t.Context(), tenancytest.FreshDatabaseURL(t), db.Options{
		Secrets:  tenancytest.Secrets(),
		MaxConns: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	type step struct {
		change string
		want   error
	}
	steps := []step{
		{"", nil},
		{"alter table rowhouse.canary disable row level security", db.ErrIsolationBroken},
		{
			"alter table rowhouse.canary enable row level security; drop policy organization on rowhouse.canary",
			db.ErrOwnRowsHidden,
		},
		{"create policy organization on rowhouse.canary to rowhouse_app using (true)", db.ErrIsolationBroken},
		{"drop policy organization on rowhouse.canary; select gate.protect('rowhouse.canary')", nil},
	}
	if database.Distributed() {
		steps = append(steps,
			step{"create policy everything on worker.canary to rowhouse_app using (true)", db.ErrIsolationBroken},
			step{"drop policy everything on worker.canary", nil},
			step{
				"create or replace function gate.propagate() returns void language plpgsql as 'begin end'",
				db.ErrOwnRowsHidden,
			},
		)
	}
	for _, one := range steps {
		err := database.OwnerConn(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, one.change, pgx.QueryExecModeSimpleProtocol)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := database.CheckIsolation(t.Context()); !errors.Is(err, one.want) {
			t.Errorf("after %q: %v", one.change, err)
		}
	}
}

package tenancy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAWallThatDoesNotHoldIsFoundAtTheStart(t *testing.T) {
	t.Parallel()
	db, err := tenancy.Open(t.Context(), tenancytest.FreshDatabaseURL(t), tenancy.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, one := range []struct {
		change string
		want   error
	}{
		{"", nil},
		{"alter table rowhouse.canary disable row level security", tenancy.ErrWallOpen},
		{"alter table rowhouse.canary enable row level security; drop policy organization on rowhouse.canary", tenancy.ErrWallShut},
		{"create policy organization on rowhouse.canary to rowhouse_app using (true)", tenancy.ErrWallOpen},
		{"drop policy organization on rowhouse.canary; select gate.wall('rowhouse.canary')", nil},
	} {
		err := db.Alone(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, one.change, pgx.QueryExecModeSimpleProtocol)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.CheckWalls(t.Context()); !errors.Is(err, one.want) {
			t.Errorf("after %q: %v", one.change, err)
		}
	}
}

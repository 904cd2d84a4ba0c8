package db_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestReadsOfASnapshotSeeOneMoment(t *testing.T) {
	t.Parallel()
	tenantDB := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, tenantDB)
	other, _ := tenancytest.Org(t, tenantDB)
	name := func(ctx context.Context) (name string) {
		if err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("select name from rowhouse.organization").
				QueryRow(func(row pgx.Row) error { return row.Scan(&name) })
		}); err != nil {
			t.Fatal(err)
		}
		return name
	}
	before := name(t.Context())
	err := tenantDB.Snapshot(t.Context(), org, func(ctx context.Context) error {
		if got := name(ctx); got != before {
			t.Errorf("the name is %q at the beginning", got)
		}
		err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "update rowhouse.organization set name = $1 where org_id = $2", id.New(), org)
			return err
		})
		if err != nil {
			return err
		}
		if got := name(ctx); got != before {
			t.Errorf("the snapshot sees the later name %q", got)
		}
		if got := name(db.WithoutSnapshot(ctx)); got == before {
			t.Error("a read outside of the snapshot does not see the later name")
		}
		return tenantDB.Batch(ctx, other, func(b *pgx.Batch) {
			b.Queue("select org_id = $1 from rowhouse.organization", other).QueryRow(func(row pgx.Row) error {
				var own bool
				if err := row.Scan(&own); err != nil || !own {
					t.Errorf("another organization is not entered: %v", err)
				}
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

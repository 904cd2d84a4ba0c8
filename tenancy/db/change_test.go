package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestCommitsThatMayChangeAnOrganizationAreTold(t *testing.T) {
	t.Parallel()
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		MaxConns: 4, Secrets: tenancytest.Secrets(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	var told []uuid.UUID
	database.OnChange(func(org uuid.UUID, _ int32) { told = append(told, org) })
	org, _ := tenancytest.Org(t, tenancytest.DB(t))
	failure := errors.New("a failure")
	for _, c := range []struct {
		name string
		want bool
		run  func(ctx context.Context) error
	}{
		{"a read", false, func(ctx context.Context) error {
			return database.Batch(ctx, org, func(b *pgx.Batch) { b.Queue("select 1") })
		}},
		{"a change of the schema", true, func(ctx context.Context) error {
			return database.SchemaTx(ctx, org, func(pgx.Tx) error { return nil })
		}},
		{"a change that fails", false, func(ctx context.Context) error {
			if err := database.SchemaTx(ctx, org, func(pgx.Tx) error { return failure }); !errors.Is(err, failure) {
				return err
			}
			return nil
		}},
	} {
		told = nil
		if err := c.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(told) == 1 && told[0] == org; got != c.want || len(told) > 1 {
			t.Errorf("%s told of %v", c.name, told)
		}
	}
}

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

func TestCommitsThatMayChangeAnOrganizationNotify(t *testing.T) {
	t.Parallel()
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		MaxConns: 4, Secrets: tenancytest.Secrets(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	var notified []uuid.UUID
	database.OnChange(func(org uuid.UUID, _ int32) { notified = append(notified, org) })
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
		notified = nil
		if err := c.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(notified) == 1 && notified[0] == org; got != c.want || len(notified) > 1 {
			t.Errorf("%s notified of %v", c.name, notified)
		}
	}
}

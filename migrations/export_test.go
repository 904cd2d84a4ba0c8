package migrations

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// UpTo migrates a database to an earlier version.
func UpTo(ctx context.Context, databaseURL string, version int32) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set role rowhouse_owner"); err != nil {
		return err
	}
	migrator, err := load(ctx, conn)
	if err != nil {
		return err
	}
	return migrator.MigrateTo(ctx, version)
}

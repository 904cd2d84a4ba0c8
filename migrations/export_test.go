package migrations

import "context"

// UpTo migrates a database to an earlier version.
func UpTo(ctx context.Context, databaseURL string, version int32) error {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	migrator, err := load(ctx, conn)
	if err != nil {
		return err
	}
	return migrator.MigrateTo(ctx, version)
}

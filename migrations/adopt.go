package migrations

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// oldestFormer is the oldest version, in the count of the migrations before schema.sql, that adopt.sql
// brings up to date.
const oldestFormer = 38

// checkFormer fails if the database is older than what adoptFormer brings up to date.
func checkFormer(ctx context.Context, conn *pgx.Conn) error {
	former, err := isFormer(ctx, conn)
	if err != nil || !former {
		return err
	}
	var version int
	var byID bool
	err = conn.QueryRow(ctx, `select (select version from rowhouse.migration), coalesce((
		select pg_get_function_sqlbody(p.oid) <> 'RETURN false' from pg_proc p
		where p.proname = 'admits_id' and p.pronamespace = 'gate'::regnamespace), false)`).Scan(&version, &byID)
	if err != nil {
		return fmt.Errorf("reading the version: %w", err)
	}
	if version < oldestFormer || byID {
		return fmt.Errorf("the database has version %d, and this program takes over versions from %d on, "+
			"after `rowhouse migrate --contract`: bring it there with the program that made it", version, oldestFormer)
	}
	return nil
}

// adoptFormer brings a database of the migrations before schema.sql to what schema.sql makes.
func adoptFormer(ctx context.Context, conn *pgx.Conn) error {
	former, err := isFormer(ctx, conn)
	if err != nil || !former {
		return err
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, adopt, pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		return fmt.Errorf("taking over the former database: %w", err)
	}
	return nil
}

func isFormer(ctx context.Context, conn *pgx.Conn) (former bool, err error) {
	if err := conn.QueryRow(ctx, "select to_regclass('rowhouse.migration') is not null").Scan(&former); err != nil {
		return false, fmt.Errorf("looking for a former version: %w", err)
	}
	return former, nil
}

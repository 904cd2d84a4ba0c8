package migrations

import (
	"context"
	"fmt"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

const changeIndex = "(table_number, kind, number) where kind in (1, 3, 5)"

// addChangeIndexes gives every log of changes that migration 22 made the index of migration 26 in
// place of the former one. PostgreSQL builds the index of a partitioned table under a lock that keeps
// writers out, so each part gets its own while they go on. An interrupted call is repeated.
func addChangeIndexes(ctx context.Context, conn *pgx.Conn, distributed bool) error {
	rows, err := conn.Query(ctx, `select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 'deletion' and c.relkind in ('i', 'I') and n.nspname like 'org\_%' order by n.oid`)
	if err != nil {
		return fmt.Errorf("looking for logs with the former index: %w", err)
	}
	schemas, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("looking for logs with the former index: %w", err)
	}
	for _, schema := range schemas {
		if err := addChangeIndex(ctx, conn, schema, distributed); err != nil {
			return fmt.Errorf("indexing the log of changes in %s: %w", schema, err)
		}
	}
	return nil
}

func addChangeIndex(ctx context.Context, conn *pgx.Conn, schema string, distributed bool) error {
	log, index := pgx.Identifier{schema, "change"}.Sanitize(), pgx.Identifier{schema, "presence"}.Sanitize()
	only := "only "
	if distributed {
		only = "" // on Citus the log has no parts
	}
	if err := patiently(ctx, conn, "create index if not exists presence on "+only+log+" "+changeIndex); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent = to_regclass($1) and not exists (
			select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
			where x.indrelid = c.oid and a.inhparent = to_regclass($2))
		order by c.relname`, log, index)
	if err != nil {
		return fmt.Errorf("looking for parts without the index: %w", err)
	}
	parts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("looking for parts without the index: %w", err)
	}
	for _, part := range parts {
		name := "presence_of_" + part
		own := pgx.Identifier{schema, name}.Sanitize()
		for _, statement := range []string{
			"drop index if exists " + own, // one that was not finished
			"create index concurrently " + pgx.Identifier{name}.Sanitize() + " on " +
				pgx.Identifier{schema, part}.Sanitize() + " " + changeIndex,
			"alter index " + index + " attach partition " + own,
		} {
			if err := patiently(ctx, conn, statement); err != nil {
				return err
			}
		}
	}
	return patiently(ctx, conn, "drop index "+pgx.Identifier{schema, "deletion"}.Sanitize())
}

// patiently executes a statement, again if it did not get its lock in time: writers take precedence.
func patiently(ctx context.Context, conn *pgx.Conn, statement string) error {
	for attempt := 0; ; attempt++ {
		_, err := conn.Exec(ctx, statement)
		if err == nil || attempt == 20 || !pgerror.Is(err, pgerrcode.LockNotAvailable, pgerrcode.DeadlockDetected) {
			return err
		}
	}
}

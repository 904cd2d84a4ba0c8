package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

// Distributed reports whether the database is that of a coordinator of Citus.
func Distributed(ctx context.Context, conn *pgx.Conn) (distributed bool, err error) {
	const look = "select exists(select from pg_extension where extname = 'citus')"
	if err := conn.QueryRow(ctx, look).Scan(&distributed); err != nil {
		return false, fmt.Errorf("looking for Citus: %w", err)
	}
	return distributed, nil
}

// Citus has this setting; PostgreSQL alone takes it and does nothing with it.
const onEveryNode = "set citus.enable_create_database_propagation = on"

// CreateDatabase creates a database unless it exists. If the administrator's database is one of
// several nodes of Citus, so is the new one.
func CreateDatabase(ctx context.Context, adminURL, name string) (err error) {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return fmt.Errorf("connecting as administrator: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var exists bool
	err = conn.QueryRow(ctx, "select exists(select from pg_database where datname = $1)", name).Scan(&exists)
	if err != nil {
		return fmt.Errorf("looking for the database %s: %w", name, err)
	}
	distributed, err := Distributed(ctx, conn)
	if err != nil {
		return err
	}
	if !exists {
		if _, err := conn.Exec(ctx, onEveryNode); err != nil {
			return fmt.Errorf("creating the database %s: %w", name, err)
		}
		_, err := conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize())
		// Another process may have created it meanwhile.
		if err != nil && !pgerror.Is(err, pgerrcode.DuplicateDatabase, pgerrcode.UniqueViolation) {
			return fmt.Errorf("creating the database %s: %w", name, err)
		}
	}
	if !distributed {
		return nil
	}
	return join(ctx, conn, name)
}

// join makes a database one of the nodes that the administrator's database has.
func join(ctx context.Context, admin *pgx.Conn, name string) error {
	rows, err := admin.Query(ctx, `select nodename, nodeport from pg_dist_node
		where isactive and noderole = 'primary' order by groupid`)
	if err != nil {
		return fmt.Errorf("reading the nodes: %w", err)
	}
	type node struct {
		Host string
		Port int32
	}
	nodes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[node])
	if err != nil {
		return fmt.Errorf("reading the nodes: %w", err)
	}
	config := admin.Config().Copy()
	config.Database, config.Fallbacks = name, nil
	for _, n := range nodes {
		config.Host, config.Port = n.Host, uint16(n.Port) //nolint:gosec // a port
		if err := exec(ctx, config, "create extension if not exists citus"); err != nil {
			return fmt.Errorf("preparing the node %s:%d: %w", n.Host, n.Port, err)
		}
	}
	config.Host, config.Port = admin.Config().Host, admin.Config().Port
	for i, n := range nodes { // the coordinator is group 0
		add := "select citus_add_node($1, $2)"
		if i == 0 {
			add = "select citus_set_coordinator_host($1, $2)"
		}
		if err := exec(ctx, config, add, n.Host, n.Port); err != nil {
			return fmt.Errorf("adding the node %s:%d: %w", n.Host, n.Port, err)
		}
	}
	return nil
}

func exec(ctx context.Context, config *pgx.ConnConfig, sql string, args ...any) (err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, sql, args...)
	return err
}

// addChangeLogs gives every organization on Citus its log of changes before gate.add_versions does,
// because a table that a function creates stays on the coordinator. An organization without any
// table gets its log with the first one.
func addChangeLogs(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `select n.nspname, p.condition,
		case when to_regclass(format('%I.change', n.nspname)) is null then gate.change_log(n.nspname) end
		from pg_namespace n cross join lateral (
			select pg_get_expr(p.polqual, p.polrelid) as condition from pg_policy p join pg_class c on c.oid =
			p.polrelid
			where c.relnamespace = n.oid and p.polname = 'organization' order by c.oid limit 1) p
		where n.nspname like 'org\_%' and not exists (
			select from pg_policy p where p.polrelid = to_regclass(format('%I.change', n.nspname))) order by n.oid`)
	if err != nil {
		return fmt.Errorf("looking for organizations without a log of changes: %w", err)
	}
	type organization struct {
		Schema, Condition string
		Create            *string
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[organization])
	if err != nil {
		return fmt.Errorf("looking for organizations without a log of changes: %w", err)
	}
	for _, o := range found {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if o.Create != nil {
				if _, err := tx.Exec(ctx, *o.Create); err != nil {
					return err
				}
			}
			_, err := tx.Exec(ctx, "select gate.add_change_log($1, $2)", o.Schema, o.Condition)
			return err
		})
		if err != nil {
			return fmt.Errorf("adding the log of changes in %s: %w", o.Schema, err)
		}
	}
	return nil
}

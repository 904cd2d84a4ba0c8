package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
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
		if err != nil && !hasCode(err, pgerrcode.DuplicateDatabase, pgerrcode.UniqueViolation) {
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

package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/migrations"
)

type migrateCommand struct {
	databaseConfig `embed:""`

	AdminDatabaseURL string `name:"admin-database-url" env:"ADMIN_DATABASE_URL" help:"Administrator's connection to the cluster. If set, the database, the roles and the login of DATABASE_URL are created first if they are missing." placeholder:"URL"`
}

// Run migrates the database. The service may be running, and several processes may migrate at once.
func (c *migrateCommand) Run(ctx context.Context, to streams) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.AdminDatabaseURL != "" {
		if err := provision(ctx, c.AdminDatabaseURL, c.DatabaseURL); err != nil {
			return err
		}
	}
	pending, err := migrations.Pending(ctx, c.DatabaseURL)
	if err != nil {
		return fmt.Errorf("reading the database version: %w", err)
	}
	if err := migrations.Up(ctx, c.DatabaseURL); err != nil {
		return err
	}
	fmt.Fprintf(to.out, "The database is up to date (%d migrations applied).\n", max(pending, 0))
	return c.warn(ctx, to)
}

// warn says what only a superuser can close.
func (c *migrateCommand) warn(ctx context.Context, to streams) error {
	exposed, err := migrations.Exposed(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	if exposed {
		fmt.Fprintln(to.out, "PostgreSQL's statistics show sizes and activity of other organizations to SQL of an "+
			"attacker's own. To close them, run this with ADMIN_DATABASE_URL of a superuser. "+
			"If there is none, see \"Managed PostgreSQL\" in docs/how-to/install.md.")
	}
	return nil
}

// provision creates the database and the login role that databaseURL names, and the service's other
// roles. It leaves existing ones unchanged.
func provision(ctx context.Context, adminURL, databaseURL string) error {
	target, err := url.Parse(databaseURL)
	if err != nil {
		return invalidError("DATABASE_URL", "a PostgreSQL URL", exampleDatabaseURL)
	}
	password, ok := target.User.Password()
	if !ok {
		return invalidError("DATABASE_URL", "a PostgreSQL URL with the password for the login role", exampleDatabaseURL)
	}
	admin, err := url.Parse(adminURL)
	if err != nil || (admin.Scheme != "postgres" && admin.Scheme != "postgresql") || admin.Host == "" {
		return invalidError("ADMIN_DATABASE_URL", "a PostgreSQL URL with a host",
			"postgres://postgres:password@db.example.com:5432/postgres")
	}
	name := strings.Trim(target.Path, "/")
	if err := migrations.CreateDatabase(ctx, adminURL, name); err != nil {
		return err
	}
	admin.Path = "/" + name
	return migrations.Provision(ctx, admin.String(), target.User.Username(), password)
}

package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

type migrateCommand struct {
	databaseConfig `embed:""`

	Contract      bool     `help:"Also end the support of processes of the version before organization keys. None may be running. Needs SECRET_KEY."`
	SecretKey     string   `name:"secret-key" env:"SECRET_KEY" help:"That of the service; only for --contract." placeholder:"TEXT"`
	OldSecretKeys []string `name:"old-secret-keys" env:"OLD_SECRET_KEYS" help:"Those of the service; only for --contract." placeholder:"TEXT"`

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
	admitsID, err := migrations.AdmitsID(ctx, c.DatabaseURL)
	switch {
	case err != nil:
		return err
	case !admitsID:
		return c.warn(ctx, to)
	case !c.Contract:
		fmt.Fprintln(to.out, "Organizations can still be entered without their keys, because processes of the "+
			"previous version may be running. "+
			"When none is left, run: rowhouse migrate --contract")
		return nil
	}
	return c.contract(ctx, to)
}

// contract gives every organization a key and ends the support of the binary before organization
// keys.
func (c *migrateCommand) contract(ctx context.Context, to streams) error {
	if len(c.SecretKey) < 32 {
		return missingError("SECRET_KEY", "that of the service")
	}
	secrets := [][]byte{[]byte(c.SecretKey)}
	for _, old := range c.OldSecretKeys {
		secrets = append(secrets, []byte(old))
	}
	database, err := db.Open(ctx, c.DatabaseURL, db.Options{MaxConns: 3, Secrets: secrets})
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer database.Close()
	added, err := database.AddMissingKeys(ctx)
	if err != nil {
		return err
	}
	if err := migrations.Contract(ctx, c.DatabaseURL); err != nil {
		return err
	}
	if c.AdminDatabaseURL != "" {
		// The login of DATABASE_URL loses two roles.
		if err := provision(ctx, c.AdminDatabaseURL, c.DatabaseURL); err != nil {
			return err
		}
	}
	fmt.Fprintf(to.out, "Organizations are entered with their keys only (%d keys added).\n", added)
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

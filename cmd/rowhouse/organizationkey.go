package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

type organizationKeyReplaceCommand struct {
	databaseConfig `embed:""`

	SecretKey string   `name:"secret-key" env:"SECRET_KEY" help:"That of the service. It encrypts the new keys." placeholder:"TEXT"`
	Orgs      []string `arg:"" optional:"" name:"org" help:"Organizations (org_…) whose keys are replaced." placeholder:"ID"`
	All       bool     `help:"Replace the keys of all organizations, for example because SECRET_KEY was lost."`
}

// Run replaces keys while the service continues to run.
func (c *organizationKeyReplaceCommand) Run(ctx context.Context, to streams) error {
	if err := c.check(); err != nil {
		return err
	}
	switch {
	case len(c.SecretKey) < 32:
		return missingError("SECRET_KEY", "that of the service")
	case c.All == (len(c.Orgs) > 0):
		return errors.New("give the organizations whose keys are to be replaced, or --all")
	}
	database, err := db.Open(ctx, c.DatabaseURL, db.Options{MaxConns: 3, Secrets: [][]byte{[]byte(c.SecretKey)}})
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer database.Close()
	var orgs []uuid.UUID
	for _, given := range c.Orgs {
		org, err := id.Parse(id.Org, given)
		if err != nil {
			return fmt.Errorf("%s is not the id of an organization: %w", given, err)
		}
		orgs = append(orgs, org)
	}
	if c.All {
		if orgs, err = organization.All(ctx, database); err != nil {
			return err
		}
		if err := database.ReplaceCanaryKey(ctx); err != nil {
			return err
		}
	}
	for i, org := range orgs {
		if err := organization.ReplaceKey(ctx, database, org); err != nil {
			return fmt.Errorf("%s, after %d of %d: %w", id.Format(id.Org, org), i, len(orgs), err)
		}
	}
	fmt.Fprintf(to.out, "%d keys were replaced.\n", len(orgs))
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/client"
	"github.com/rowhouse/rowhouse/internal/id"
)

type keyCreateCommand struct {
	databaseConfig `embed:""`
	redisConfig    `embed:""`
	client.KeyPage `embed:""`

	Email   string        `help:"E-mail address of the key's owner, whose key is created in the database. Without it, the page of the service opens on which you create your own."`
	Org     string        `help:"Restrict the key to this organization (org_…). Default: all of the person's organizations." placeholder:"ID"`
	Scopes  []string      `help:"Comma-separated, or 'all' for every scope. Valid scopes: ${scopes}."`
	Name    string        `default:"Made on the command line" help:"Shown in the list of keys."`
	Expires time.Duration `help:"How long the key is valid, such as 720h. Default: until it is revoked." placeholder:"DURATION"`
}

func (keyCreateCommand) Help() string { return client.KeyHelp }

// Run opens the page of a service for a person, or creates a key for those who run one. It then
// prints only the key to the standard output, so that scripts can use it, and its description to the
// standard error.
func (c *keyCreateCommand) Run(ctx context.Context, to streams) error {
	if c.Email == "" {
		return c.Create(ctx, client.Streams{In: os.Stdin, Out: to.out, Err: to.err}, c.Name, c.Scopes)
	}
	if len(c.Scopes) == 0 {
		return errors.New("--scopes is missing: what may the key do?")
	}
	if err := errors.Join(c.databaseConfig.check(), c.redisConfig.check()); err != nil {
		return err
	}
	scopes := authz.AllScopes()
	if len(c.Scopes) != 1 || c.Scopes[0] != "all" {
		var err error
		if scopes, err = authz.ParseScopes("--scopes", c.Scopes); err != nil {
			return err
		}
	}
	var org uuid.UUID
	if c.Org != "" {
		var err error
		if org, err = id.Parse(id.Org, c.Org); err != nil {
			return fmt.Errorf("--org: %w", err)
		}
	}
	log := slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: slog.LevelError}))
	s, err := connect(ctx, &serviceConfig{databaseConfig: c.databaseConfig, redisConfig: c.redisConfig}, log, nil)
	if err != nil {
		return err
	}
	defer s.close()
	person, err := s.accounts.Find(ctx, c.Email)
	if err != nil {
		return err
	}
	draft := apikey.Draft{Person: person, Name: c.Name, Scopes: scopes, Org: org}
	if c.Expires != 0 {
		draft.ExpiresAt = time.Now().Add(c.Expires)
	}
	key, value, err := s.keys.Create(ctx, draft)
	if err != nil {
		return err
	}
	fmt.Fprintf(to.err, "%s, for %s, with %s. Its value is shown only this once:\n",
		key.PublicID(), c.Email, authz.JoinScopes(scopes, ", "))
	fmt.Fprintln(to.out, value)
	return nil
}

func scopeNames() string {
	names := make([]string, 0, len(authz.Scopes))
	for _, scope := range authz.AllScopes() {
		names = append(names, string(scope))
	}
	return strings.Join(names, ", ")
}

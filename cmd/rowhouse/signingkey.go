package main

import (
	"context"
	"fmt"
	"log/slog"
)

type signingKeyRotateCommand struct {
	serviceConfig `embed:""`

	Discard bool `help:"Forget the old key at once, because somebody else has it: every access token that it signed is refused within seconds, and applications get new ones by themselves."`
}

// Run makes the next key sign from now on. The service goes on meanwhile.
func (c *signingKeyRotateCommand) Run(ctx context.Context, to streams) error {
	if err := c.check(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: slog.LevelError}))
	s, err := open(ctx, &c.serviceConfig, log, noMail{log})
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.oauth.RotateKeys(ctx, c.Discard); err != nil {
		return err
	}
	fmt.Fprintln(to.err, "The next signing key signs from now on.")
	return nil
}

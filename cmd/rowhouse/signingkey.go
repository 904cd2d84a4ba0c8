package main

import (
	"context"
	"fmt"
	"log/slog"
)

type signingKeyRotateCommand struct {
	serviceConfig `embed:""`

	Discard bool `help:"Discard all keys at once, including the next one, because one has leaked. Every access token becomes invalid within seconds, and applications get new ones automatically."`
}

// The command's output on success.
const (
	rotatedKeyText = "Access tokens are now signed with the next key. Those signed with the old key remain valid " +
		"until they expire, within ten minutes."
	// A process may take five seconds to notice a rotation.
	discardedKeysText = `All signing keys were discarded, the next one too, and two new ones were made.
Every access token that was signed before is refused within 5 seconds. Refresh tokens stay good, so
applications get new access tokens by themselves; nobody has to sign in again. Keys of the API and
sessions are not touched. If SECRET_KEY may have leaked as well, change it: it authenticates refresh
tokens and encrypts these keys. See "A signing key leaked" in docs/how-to/maintain.md.`
)

// Run rotates the key that signs access tokens, while the service continues to run.
func (c *signingKeyRotateCommand) Run(ctx context.Context, to streams) error {
	if err := c.check(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: slog.LevelError}))
	s, err := open(ctx, &c.serviceConfig, log, nil)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.oauth.RotateKeys(ctx, c.Discard); err != nil {
		return err
	}
	text := rotatedKeyText
	if c.Discard {
		text = discardedKeysText
	}
	fmt.Fprintln(to.err, text)
	return nil
}

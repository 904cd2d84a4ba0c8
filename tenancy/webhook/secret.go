package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/audit"
)

const (
	// rotation is how long the former secret signs beside the new one.
	rotation = 24 * time.Hour
	// secretSize is the size of secrets in bytes; Standard Webhooks demands 24 to 64.
	secretSize = 32
)

func secretLabel(webhook uuid.UUID) string { return "webhook " + webhook.String() }

// sealedWith identifies the secret of the service that encrypts.
func (s *Store) sealedWith() []byte { return s.seals.Fingerprint() }

// newSecret returns a secret and its encrypted form.
func (s *Store) newSecret(webhook uuid.UUID) (shown string, sealed []byte) {
	var random [secretSize]byte
	_, _ = rand.Read(random[:]) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(random[:]), s.seals.Seal(random[:], secretLabel(webhook))
}

// RotateSecret gives a webhook a new secret and returns it. The former one signs as well until then.
func (s *Store) RotateSecret(ctx context.Context, org, base, webhook uuid.UUID) (string, time.Time, error) {
	secret, sealed := s.newSecret(webhook)
	until := time.Now().Add(rotation)
	err := s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update rowhouse.webhook set old_secret = secret, old_secret_until = $4, secret = $5,
			sealed_with = case when sealed_with = $6 then $6 else '' end
			where org_id = $1 and base_id = $2 and id = $3`, org, base, webhook, until, sealed,
			s.sealedWith())
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return notFound(webhook)
		}
		return audit.RecordTx(ctx, s.DB, tx, org, s.event("rotate_webhook_secret", base, webhook, "", nil))
	})
	if err != nil {
		return "", until, fmt.Errorf("rotating the secret of a webhook: %w", err)
	}
	return secret, until, nil
}

// sealedSecrets are a webhook's secrets as they are stored.
type sealedSecrets struct {
	present, former []byte // former is nil when it no longer signs
	with            []byte // "" if they were encrypted with different secrets of the service
}

// open decrypts secrets, and encrypts them again if that was done with a former secret of the service,
// which can be forgotten then.
func (r *run) open(ctx context.Context, sealed sealedSecrets) ([][]byte, error) {
	present, err := r.Store.seals.Open(sealed.present, secretLabel(r.webhook))
	if err != nil {
		return nil, fmt.Errorf("decrypting the secret of a webhook; rotate it: %w", err)
	}
	secrets := [][]byte{present}
	if sealed.former != nil {
		former, err := r.Store.seals.Open(sealed.former, secretLabel(r.webhook))
		if err != nil {
			r.Log.WarnContext(ctx, "the former secret of a webhook cannot be decrypted and no longer signs",
				slog.String("webhook", r.webhook.String()), slog.Any("error", err))
		} else {
			secrets = append(secrets, former)
		}
	}
	if bytes.Equal(sealed.with, r.Store.sealedWith()) {
		return secrets, nil
	}
	again := make([][]byte, 2)
	for i, secret := range secrets {
		again[i] = r.Store.seals.Seal(secret, secretLabel(r.webhook))
	}
	err = r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.webhook set secret = $4, old_secret = $5, sealed_with = $6
			where org_id = $1 and id = $2 and secret = $3`,
			r.org, r.webhook, sealed.present, again[0], again[1], r.Store.sealedWith())
	})
	return secrets, wrap("encrypting the secret of a webhook", err)
}

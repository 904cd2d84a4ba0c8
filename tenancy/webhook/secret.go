package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	// rotation is for how long the former secret signs in addition to the new one.
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

// A former secret was replaced and signs until its end.
type former struct {
	secret []byte
	until  time.Time
}

// maxFormer bounds the former secrets that sign at once, because each lengthens the header of every
// message.
const maxFormer = 10

const formerSize = secretSize + 8

// packFormer writes former secrets as one text to encrypt: each secret, and the second at which it ends.
func packFormer(all []former) []byte {
	var packed []byte
	for _, one := range all {
		packed = append(packed, one.secret...)
		packed = binary.BigEndian.AppendUint64(packed, uint64(one.until.Unix())) //nolint:gosec // is positive
	}
	return packed
}

// unpackFormer reads the result of packFormer. It drops secrets that no longer sign. It also reads a
// single secret without an end, the form before there could be several.
func unpackFormer(packed []byte, until, now time.Time) []former {
	var all []former
	if len(packed) == secretSize {
		all = append(all, former{packed, until})
	} else {
		for ; len(packed) >= formerSize; packed = packed[formerSize:] {
			end := int64(binary.BigEndian.Uint64(packed[secretSize:])) //nolint:gosec // round trip
			all = append(all, former{packed[:secretSize:secretSize], time.Unix(end, 0)})
		}
	}
	return slices.DeleteFunc(all, func(one former) bool { return !one.until.After(now) })
}

// formerWith returns the former secrets to store when the present one is replaced too. Secrets that
// cannot be decrypted are dropped.
func (s *Store) formerWith(
	webhook uuid.UUID, present, old []byte, oldUntil *time.Time, until time.Time,
) ([]byte, error) {
	var all []former
	if old != nil && oldUntil != nil {
		if packed, err := s.seals.Open(old, secretLabel(webhook)); err == nil {
			all = unpackFormer(packed, *oldUntil, time.Now())
		}
	}
	if secret, err := s.seals.Open(present, secretLabel(webhook)); err == nil {
		all = append(all, former{secret, until})
	}
	if len(all) > maxFormer {
		return nil, problem.Conflict("The secret was replaced %d times within a day; the former ones still sign. Wait "+
			"until %s.", maxFormer, all[0].until.UTC().Format(time.RFC3339)).WithCode(problem.CodeTooManySecrets)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return s.seals.Seal(packFormer(all), secretLabel(webhook)), nil
}

// RotateSecret gives a webhook a new secret and returns it. The former secret also signs for the time
// of rotation, and earlier ones until their own ends.
func (s *Store) RotateSecret(ctx context.Context, org, base, webhook uuid.UUID) (string, time.Time, error) {
	secret, sealed := s.newSecret(webhook)
	until := time.Now().Add(rotation)
	err := s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		var present, old []byte
		var oldUntil *time.Time
		err := tx.QueryRow(ctx, `select secret, old_secret, old_secret_until from rowhouse.webhook
			where org_id = $1 and base_id = $2 and id = $3 for update`, org, base, webhook).
			Scan(&present, &old, &oldUntil)
		if errors.Is(err, pgx.ErrNoRows) {
			return notFound(webhook)
		}
		if err != nil {
			return err
		}
		kept, err := s.formerWith(webhook, present, old, oldUntil, until)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `update rowhouse.webhook set old_secret = $4, old_secret_until = $5, secret = $6,
			sealed_with = $7 where org_id = $1 and base_id = $2 and id = $3`, org, base, webhook, kept, until, sealed,
			s.sealedWith())
		if err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, org, s.event("rotate_webhook_secret", base, webhook, "", nil))
	})
	if err != nil {
		return "", until, fmt.Errorf("rotating the secret of a webhook: %w", err)
	}
	return secret, until, nil
}

// sealedSecrets are a webhook's secrets as they are stored.
type sealedSecrets struct {
	present, former []byte     // former is nil when none signs any more
	until           *time.Time // when the last of the former ends
	with            []byte     // "" if they were encrypted with different secrets of the service
}

// open decrypts secrets. If a former secret of the service encrypts them, open encrypts them again, so
// that the service can forget that secret.
func (r *run) open(ctx context.Context, sealed sealedSecrets) ([][]byte, error) {
	present, err := r.Store.seals.Open(sealed.present, secretLabel(r.webhook))
	if err != nil {
		return nil, fmt.Errorf("decrypting the secret of a webhook; rotate it: %w", err)
	}
	secrets := [][]byte{present}
	var packed []byte
	if sealed.former != nil && sealed.until != nil {
		if packed, err = r.Store.seals.Open(sealed.former, secretLabel(r.webhook)); err != nil {
			r.Log.WarnContext(ctx, "the former secrets of a webhook cannot be decrypted and no longer sign",
				slog.String("webhook", r.webhook.String()), slog.Any("error", err))
		}
		all := unpackFormer(packed, *sealed.until, time.Now())
		for _, one := range slices.Backward(all) { // those that replaced others first
			secrets = append(secrets, one.secret)
		}
	}
	if bytes.Equal(sealed.with, r.Store.sealedWith()) {
		return secrets, nil
	}
	again := [2][]byte{r.Store.seals.Seal(present, secretLabel(r.webhook))}
	if packed != nil {
		again[1] = r.Store.seals.Seal(packed, secretLabel(r.webhook))
	}
	err = r.batch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.webhook set secret = $4, old_secret = $5, sealed_with = $6
			where org_id = $1 and id = $2 and secret = $3`,
			r.org, r.webhook, sealed.present, again[0], again[1], r.Store.sealedWith())
	})
	return secrets, wrap("encrypting the secret of a webhook", err)
}

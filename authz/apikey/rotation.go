package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A Rotation replaces a key with a new one.
type Rotation struct {
	Person          uuid.UUID
	Session         uuid.UUID // as in Draft
	Reauthenticated bool      // as in Draft
	Key             uuid.UUID
	Next            uuid.UUID     // the new key's id, optional as in Draft
	Overlap         time.Duration // how long the replaced key remains valid, at most MaxOverlap
}

// Rotate creates a copy of a key and lets the old one expire after the overlap. If the old key
// expires, the new one gets the same lifetime, counted from now. It returns an error of kind
// not_found for a key that does not exist, belongs to another person, was revoked or has expired,
// of kind conflict for one that was already rotated, and of kind unauthenticated or invalid with
// the code password_required, as Create does.
func (s *Service) Rotate(ctx context.Context, rotation Rotation) (*Key, string, error) {
	person, key, next, overlap := rotation.Person, rotation.Key, rotation.Next, rotation.Overlap
	if overlap < 0 || overlap > MaxOverlap {
		return nil, "", problem.Invalid("overlapSeconds", "must be between 0 and %d hours", int(MaxOverlap.Hours()))
	}
	if next == uuid.Nil {
		next = id.New()
	}
	var made minted
	var stale []credential.Hash
	err := s.db.SystemTx(ctx, func(tx pgx.Tx) error {
		// Lock order: the person before the key, because revoking all keys locks the person first.
		if err := lockOwner(ctx, tx, person, rotation.Session); err != nil {
			return err
		}
		old, err := s.lock(ctx, tx, person, key, next)
		if err != nil {
			return err
		}
		stale = []credential.Hash{old.hash}
		s.cache.Invalidate(ctx, credential.Key, stale...)
		draft := Draft{
			ID: next, Person: person, Session: rotation.Session, Reauthenticated: rotation.Reauthenticated,
			Name: old.Name, Scopes: old.Scopes, Bases: old.Bases,
		}
		if old.Org != nil {
			draft.Org = *old.Org
		}
		if old.View != nil {
			draft.View = *old.View
		}
		now := time.Now()
		switch {
		case old.ReplacedBy == nil:
			if old.ExpiresAt != nil {
				draft.ExpiresAt = now.Add(old.ExpiresAt.Sub(old.CreatedAt))
			}
			if _, err = tx.Exec(ctx, `update rowhouse.api_key set replaced_by = $2, expires_at = least(expires_at, $3)
				where id = $1`, key, next, now.Add(overlap)); err != nil {
				return fmt.Errorf("ending the old key: %w", err)
			}
		case *old.ReplacedBy != next:
			return problem.Conflict("This key was rotated before; rotate the key that replaced it.")
		}
		if made, err = s.mint(ctx, tx, draft); err != nil {
			return err
		}
		stale = append(stale, made.stale...)
		err = audit.RecordPersonTx(ctx, tx, person, draft.Org, &audit.Event{
			Action: "rotate_api_key", Subject: old.PublicID(),
			Detail: map[string]string{"replacedBy": made.key.PublicID()},
		})
		if err != nil {
			return err
		}
		return s.notify(ctx, tx, person, credential.KeyRotated, made.key.Name)
	})
	s.cache.Invalidate(ctx, credential.Key, stale...)
	if err != nil {
		return nil, "", wrap(err, "rotating an API key")
	}
	return made.key, made.secret, nil
}

type lockedKey struct {
	*Key
	hash credential.Hash
}

// lock locks and reads a key that can be rotated into next: one that is valid, or that was already
// rotated into next.
func (s *Service) lock(ctx context.Context, tx pgx.Tx, person, key, next uuid.UUID) (*lockedKey, error) {
	var hash []byte
	var k Key
	err := tx.QueryRow(ctx, `select k.secret_hash, `+columns+` from rowhouse.api_key k
		where k.person_id = $1 and k.id = $2 and k.revoked_at is null
			and (k.expires_at is null or k.expires_at > $3 or k.replaced_by = $4)
		for update`, person, key, time.Now(), next).
		Scan(append([]any{&hash}, k.scanTargets()...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, problem.NotFound("API key", id.Format(id.Key, key))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the key: %w", err)
	}
	return &lockedKey{&k, credential.Hash(hash)}, nil
}

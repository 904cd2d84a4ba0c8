package apikey

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// Revoke revokes a key of the person in one transaction with its audit event and a notice to the
// person. Before and after the commit it replaces what Redis and this process remember of the key by
// a tombstone (package credential), so every process refuses the key within a second. It returns an
// error of kind not_found for a key that does not exist, belongs to another person, or is already
// revoked.
func (s *Service) Revoke(ctx context.Context, person, key uuid.UUID) error {
	return s.revoke(ctx, `person_id = $1 and id = $2`, person, key)
}

// RevokeAll revokes every key of the person within a transaction that has locked the person
// (credential.LockPerson). Call committed after the commit.
func (s *Service) RevokeAll(ctx context.Context, tx pgx.Tx, person uuid.UUID) (committed func(), err error) {
	ended, err := s.revokeIn(ctx, tx, `person_id = $1`, person)
	if err != nil {
		return nil, wrap(err, "revoking all API keys")
	}
	return func() { s.cache.Invalidate(context.WithoutCancel(ctx), credential.Key, ended.hashes...) }, nil
}

// revoke revokes the keys that match where, a constant SQL condition.
func (s *Service) revoke(ctx context.Context, where string, args ...any) error {
	var ended revoked
	err := s.db.SystemTx(ctx, func(tx pgx.Tx) (err error) {
		ended, err = s.revokeIn(ctx, tx, where, args...)
		if err == nil && len(ended.hashes) == 0 {
			return &problem.Error{
				Kind:    problem.KindNotFound,
				Message: "There is no such API key, or it was revoked before.",
			}
		}
		for _, key := range ended.keys {
			if err := s.notify(ctx, tx, key.Person, credential.KeyRevoked, key.Name); err != nil {
				return err
			}
		}
		return err
	})
	s.cache.Invalidate(ctx, credential.Key, ended.hashes...)
	return wrap(err, "revoking an API key")
}

// revoked lists revoked keys; invalidate the hashes after the commit.
type revoked struct {
	keys   []Key
	hashes []credential.Hash
}

func (s *Service) revokeIn(ctx context.Context, tx pgx.Tx, where string, args ...any) (revoked, error) {
	rows, err := tx.Query(ctx, `update rowhouse.api_key set revoked_at = now() where revoked_at is null and `+where+
		` returning secret_hash, id, person_id, only_org, name`, args...)
	if err != nil {
		return revoked{}, fmt.Errorf("revoking keys: %w", err)
	}
	var ended revoked
	batch := &pgx.Batch{}
	var hash []byte
	var key Key
	_, err = pgx.ForEachRow(rows, []any{&hash, &key.ID, &key.Person, &key.Org, &key.Name}, func() error {
		ended.hashes = append(ended.hashes, credential.Hash(hash))
		ended.keys = append(ended.keys, key)
		audit.RecordPerson(ctx, batch, key.Person, *cmp.Or(key.Org, &uuid.Nil), &audit.Event{
			Action: "revoke_api_key", Subject: key.PublicID(), Detail: map[string]string{"name": key.Name},
		})
		return nil
	})
	if err != nil {
		return revoked{}, fmt.Errorf("revoking keys: %w", err)
	}
	s.cache.Invalidate(ctx, credential.Key, ended.hashes...)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return revoked{}, fmt.Errorf("recording the revocation: %w", err)
	}
	return ended, nil
}

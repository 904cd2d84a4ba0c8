package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// resealBatch is how many keys ResealKeys encrypts in one transaction.
const resealBatch = 1000

// ResealKeys encrypts with the first of Options.Secrets the keys of organizations that another secret
// encrypts, and returns their number. Afterwards the other secrets are no longer needed for them.
func (db *DB) ResealKeys(ctx context.Context) (total int, err error) {
	if !db.keys.usable {
		return 0, errors.New("encrypting the keys of organizations needs SECRET_KEY")
	}
	present := db.keys.seals.Fingerprint()
	for {
		var orgs []uuid.UUID
		var sealed [][]byte
		err := db.SystemBatch(ctx, func(b *pgx.Batch) {
			b.Queue(`select org_id, sealed from rowhouse.organization_key where sealed_with <> $1
				order by org_id limit $2`,
				present, resealBatch).Query(func(rows pgx.Rows) error {
				var org uuid.UUID
				var one []byte
				_, err := pgx.ForEachRow(rows, []any{&org, &one}, func() error {
					plain, err := db.keys.seals.Open(one, keyLabel(org))
					if err != nil {
						return fmt.Errorf("%w: %w", ErrSecretKey, err)
					}
					orgs, sealed = append(orgs, org), append(sealed, db.keys.seals.Seal(plain, keyLabel(org)))
					return nil
				})
				return err
			})
		})
		if err != nil {
			return total, fmt.Errorf("reading the keys of organizations: %w", err)
		}
		if len(orgs) == 0 {
			return total, nil
		}
		err = db.send(ctx, db.enterOwnerOnly(), func(b *pgx.Batch) {
			// A key that was replaced meanwhile is encrypted with the present secret.
			b.Queue(`update rowhouse.organization_key k set sealed = u.sealed, sealed_with = $3
				from unnest($1::uuid[], $2::bytea[]) as u (org_id, sealed)
				where k.org_id = u.org_id and k.sealed_with <> $3`, orgs, sealed, present)
		})
		if err != nil {
			return total, fmt.Errorf("encrypting the keys of organizations: %w", err)
		}
		total += len(orgs)
	}
}

// ReplaceKey gives an organization another key. It needs neither the former key nor the secret that
// encrypted it. fn runs in the same transaction, as in SchemaTx, and must rewrite the policies that
// compare the key. Transactions under way in other processes fail, and their next ones use the new
// key.
func (db *DB) ReplaceKey(ctx context.Context, org uuid.UUID, fn func(tx pgx.Tx) error) error {
	if !db.keys.usable {
		return errors.New("replacing the key of an organization needs SECRET_KEY")
	}
	key, sealed, hash := db.keys.newKey(org)
	err := db.transact(ctx, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue("set local lock_timeout = '10s'")
		batch.Queue(insertKey+` on conflict (org_id) do update
			set sealed = excluded.sealed, sealed_with = excluded.sealed_with, hash = excluded.hash`,
			org, sealed, db.keys.seals.Fingerprint(), hash)
		batch.Queue("select set_config('app.org_id', $1::uuid::text, true), set_config('app.key', $2, true)", org, key)
		if db.distributed {
			batch.Queue(propagate)
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("writing the key: %w", err)
		}
		return fn(tx)
	}, db.enterOwnerOnly())
	if err != nil {
		return fmt.Errorf("replacing the key of the organization: %w", err)
	}
	db.keys.cached.Remove(org)
	return nil
}

// ReplaceCanaryKey is ReplaceKey for the row that CheckIsolation reads.
func (db *DB) ReplaceCanaryKey(ctx context.Context) error {
	return db.ReplaceKey(ctx, canary, func(pgx.Tx) error { return nil })
}

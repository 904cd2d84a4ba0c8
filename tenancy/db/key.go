package db

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/problem"
)

// maxCachedKeys bounds the memory of a keyring to some 6 MB.
const maxCachedKeys = 1 << 15

// A keyring has the keys with which organizations are entered (migrations/021_organization_key.sql).
// The database stores them encrypted; this process decrypts and caches them.
type keyring struct {
	seals  seal.Keys
	usable bool // secrets are configured
	cached *lru.Cache[uuid.UUID, string]
}

func newKeyring(secrets [][]byte) (*keyring, error) {
	cached, err := lru.New[uuid.UUID, string](maxCachedKeys)
	if err != nil {
		return nil, fmt.Errorf("creating the cache of organization keys: %w", err)
	}
	if len(secrets) == 0 {
		return &keyring{cached: cached}, nil
	}
	seals, err := seal.New(secrets, "rowhouse organization key", "rowhouse organization key authentication")
	if err != nil {
		return nil, fmt.Errorf("preparing the organization keys: %w", err)
	}
	return &keyring{seals, true, cached}, nil
}

// ErrSecretKey says that the keys of organizations are encrypted with a secret that is not among
// Options.Secrets.
var ErrSecretKey = errors.New("SECRET_KEY and OLD_SECRET_KEYS do not contain the secret that encrypted the keys of " +
	"the organizations in this database")

func keyLabel(org uuid.UUID) string { return "organization " + org.String() }

// newKey returns a random key of 128 bits in hexadecimal, encrypted, and hashed as policies
// compare it.
func (k *keyring) newKey(org uuid.UUID) (key string, sealed, hash []byte) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	key = hex.EncodeToString(random[:])
	sum := sha256.Sum256([]byte(key))
	return key, k.seals.Seal([]byte(key), keyLabel(org)), sum[:]
}

// key returns the key of an organization, or "" if there is no such organization. The canary
// gets its key here, when the first process starts.
func (db *DB) key(ctx context.Context, org uuid.UUID) (string, error) {
	if key, ok := db.keys.cached.Get(org); ok {
		return key, nil
	}
	if !db.keys.usable {
		return "", errors.New("entering an organization needs SECRET_KEY")
	}
	sealed, exists, err := db.storedKey(ctx, org)
	if err != nil {
		return "", err
	}
	if sealed == nil {
		if !exists {
			return "", nil
		}
		if sealed, err = db.addMissingKey(ctx, org); err != nil {
			return "", err
		}
	}
	plain, err := db.keys.seals.Open(sealed, keyLabel(org))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrSecretKey, err)
	}
	db.keys.cached.Add(org, string(plain))
	return string(plain), nil
}

// storedKey returns an organization's key as it is stored, or nil, and whether the organization
// exists. The canary counts as an organization.
func (db *DB) storedKey(ctx context.Context, org uuid.UUID) (sealed []byte, exists bool, err error) {
	err = db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select (select k.sealed from rowhouse.organization_key k where k.org_id = $1),
			exists (select from rowhouse.organization o where o.org_id = $1)`, org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&sealed, &exists) })
	})
	if err != nil {
		return nil, false, fmt.Errorf("reading the key of the organization: %w", err)
	}
	return sealed, exists || org == canary, nil
}

// addMissingKey gives an existing organization a key, unless another process did, and returns it as
// it is stored.
func (db *DB) addMissingKey(ctx context.Context, org uuid.UUID) ([]byte, error) {
	_, sealed, hash := db.keys.newKey(org)
	err := db.send(ctx, db.enterOwnerOnly(), func(b *pgx.Batch) {
		b.Queue(insertKey+" on conflict (org_id) do nothing", org, sealed, db.keys.seals.Fingerprint(), hash)
	})
	if err != nil {
		return nil, fmt.Errorf("adding the key of the organization: %w", err)
	}
	if sealed, _, err = db.storedKey(ctx, org); err != nil {
		return nil, err
	}
	if sealed == nil {
		return nil, errors.New("the organization was deleted while its key was added")
	}
	return sealed, nil
}

const insertKey = "insert into rowhouse.organization_key (org_id, sealed, sealed_with, hash) values ($1, $2, $3, $4)"

// AddKey gives a new organization its key, in the transaction of SchemaTx that creates it, and
// enters it. It must precede every statement about the organization.
func (db *DB) AddKey(ctx context.Context, tx pgx.Tx, org uuid.UUID) error {
	key, sealed, hash := db.keys.newKey(org)
	batch := &pgx.Batch{}
	batch.Queue(insertKey, org, sealed, db.keys.seals.Fingerprint(), hash)
	batch.Queue("select set_config('app.key', $1, true)", key)
	if db.distributed {
		batch.Queue(propagate)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("adding the key of the organization: %w", err)
	}
	return nil
}

// forgetWrongKey makes the next transaction read the organization's key again, if PostgreSQL
// rejected the present one.
func (db *DB) forgetWrongKey(org uuid.UUID, err error) error {
	if !pgerror.Is(err, StateWrongKey) {
		return err
	}
	db.keys.cached.Remove(org)
	return problem.Unavailable(err)
}

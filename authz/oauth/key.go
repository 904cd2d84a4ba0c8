package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

const (
	keyRotationAge = 30 * 24 * time.Hour // age at which the active key is replaced
	keyCacheTTL    = 5 * time.Second     // how long a process may use cached keys after a rotation
	keyLoadTimeout = 10 * time.Second    // of loading the keys
	// keyOverlap is how long a key still verifies after it stopped signing: the life of its last
	// token, plus the time for which a process may still consider it active.
	keyOverlap = accessLife + keyCacheTTL + clockTolerance
)

// A signingKey signs access tokens while its state is active. In the preceding state, next, it is
// already published, so that every verifier knows it before it signs. In the following state,
// retiring, it still verifies.
type signingKey struct {
	kid     string
	state   string
	private *ecdsa.PrivateKey
}

// A keySnapshot holds all keys at one moment. It is immutable.
type keySnapshot struct {
	active *signingKey
	byKid  map[string]*signingKey
	all    []*signingKey
	loaded time.Time
}

// A keyring stores the signing keys in PostgreSQL and caches them in the process.
type keyring struct {
	db    *db.DB
	vault vault
	now   func() time.Time

	loading sync.Mutex
	mu      sync.RWMutex
	current *keySnapshot
}

// signer returns the active key.
func (k *keyring) signer(ctx context.Context) (*signingKey, error) {
	snapshot, err := k.snapshot(ctx, keyCacheTTL)
	if err != nil {
		return nil, err
	}
	if snapshot.active == nil {
		return nil, errors.New("there is no active signing key")
	}
	return snapshot.active, nil
}

// verifier returns the key with this id, or nil. For an unknown id it reloads the keys, at most
// once a second.
func (k *keyring) verifier(ctx context.Context, kid string) (*ecdsa.PublicKey, error) {
	snapshot, err := k.snapshot(ctx, keyCacheTTL)
	if err != nil {
		return nil, err
	}
	key := snapshot.byKid[kid]
	if key == nil {
		if snapshot, err = k.snapshot(ctx, time.Second); err != nil {
			return nil, err
		}
		if key = snapshot.byKid[kid]; key == nil {
			return nil, nil //nolint:nilnil // an unknown key is not a failure
		}
	}
	return &key.private.PublicKey, nil
}

// snapshot returns the keys as of at most age ago. While the database is unavailable it returns the
// cached ones.
func (k *keyring) snapshot(ctx context.Context, age time.Duration) (*keySnapshot, error) {
	known := k.cached()
	if known != nil && k.now().Sub(known.loaded) < age {
		return known, nil
	}
	if known != nil && age >= keyCacheTTL {
		if !k.loading.TryLock() {
			return known, nil // another request is loading them
		}
	} else {
		k.loading.Lock()
	}
	defer k.loading.Unlock()
	if now := k.cached(); now != known {
		return now, nil // loaded by another request in the meantime
	}
	ctx, cancel := context.WithTimeout(ctx, keyLoadTimeout)
	defer cancel()
	loaded, err := k.load(ctx)
	if err != nil {
		if known != nil && problem.KindOf(err) == problem.KindUnavailable {
			return known, nil
		}
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current = loaded
	return loaded, nil
}

func (k *keyring) cached() *keySnapshot {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.current
}

// invalidate makes the next use reload the keys.
func (k *keyring) invalidate() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current = nil
}

func (k *keyring) load(ctx context.Context) (*keySnapshot, error) {
	snapshot := &keySnapshot{byKid: map[string]*signingKey{}, loaded: k.now()}
	err := k.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select kid, state, sealed from rowhouse.oauth_signing_key where state <> 'retiring' or retiring_at > $1
			order by created_at`, k.now().Add(-keyOverlap)).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var sealed []byte
				key := &signingKey{}
				if err := rows.Scan(&key.kid, &key.state, &sealed); err != nil {
					return fmt.Errorf("reading a signing key: %w", err)
				}
				plain, err := k.vault.open(sealed, "signing key "+key.kid)
				if err != nil {
					return err
				}
				if key.private, err = x509.ParseECPrivateKey(plain); err != nil {
					return fmt.Errorf("reading signing key %s: %w", key.kid, err)
				}
				snapshot.add(key)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("loading the signing keys: %w", err)
	}
	return snapshot, nil
}

func (s *keySnapshot) add(key *signingKey) {
	s.all = append(s.all, key)
	s.byKid[key.kid] = key
	if key.state == "active" {
		s.active = key
	}
}

// ensure creates the first keys in a new database, and checks that the secrets decrypt existing
// ones.
func (k *keyring) ensure(ctx context.Context) error {
	snapshot, err := k.snapshot(ctx, keyCacheTTL)
	if err != nil {
		return err
	}
	if snapshot.active != nil {
		return nil
	}
	defer k.invalidate()
	return k.withRotationLock(ctx, func(tx pgx.Tx) error {
		var there bool
		if err := tx.QueryRow(
			ctx, "select exists(select from rowhouse.oauth_signing_key where state = 'active')",
		).Scan(&there); err != nil {
			return fmt.Errorf("looking for a signing key: %w", err)
		}
		if there {
			return nil
		}
		if err := k.insert(ctx, tx, "active"); err != nil {
			return err
		}
		return k.insert(ctx, tx, "next")
	})
}

// rotate activates the next key if the active one is older than age, and reports whether it did.
// The old key verifies for keyOverlap. With discard, all keys are deleted, including the next one,
// which was stored with the leaked one, and two new ones are created: every access token issued
// before becomes invalid.
func (k *keyring) rotate(ctx context.Context, age time.Duration, discard bool) (rotated bool, err error) {
	defer k.invalidate()
	err = k.withRotationLock(ctx, func(tx pgx.Tx) error {
		now := k.now()
		if discard {
			rotated = true
			return k.replaceAll(ctx, tx)
		}
		if _, err := tx.Exec(ctx,
			"delete from rowhouse.oauth_signing_key where state = 'retiring' and retiring_at <= $1",
			now.Add(-keyOverlap)); err != nil {
			return fmt.Errorf("removing retired keys: %w", err)
		}
		tag, err := tx.Exec(ctx, `update rowhouse.oauth_signing_key set state = 'retiring', retiring_at = $1
			where state = 'active' and active_at <= $2`,
			now, now.Add(-age))
		if err != nil {
			return fmt.Errorf("retiring the active key: %w", err)
		}
		if rotated = tag.RowsAffected() > 0; !rotated {
			return nil
		}
		if _, err := tx.Exec(
			ctx, "update rowhouse.oauth_signing_key set state = 'active', active_at = $1 where state = 'next'", now,
		); err != nil {
			return fmt.Errorf("activating the next key: %w", err)
		}
		return k.insert(ctx, tx, "next")
	})
	if err != nil {
		return false, fmt.Errorf("rotating the signing keys: %w", err)
	}
	return rotated, nil
}

// replaceAll deletes every key and creates two new ones.
func (k *keyring) replaceAll(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "delete from rowhouse.oauth_signing_key"); err != nil {
		return fmt.Errorf("discarding the keys: %w", err)
	}
	if err := k.insert(ctx, tx, "active"); err != nil {
		return err
	}
	return k.insert(ctx, tx, "next")
}

// withRotationLock runs fn in a transaction that holds the lock on key rotation, so that one
// process rotates at a time.
func (k *keyring) withRotationLock(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return k.db.SystemTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(
			ctx, "select pg_advisory_xact_lock(hashtextextended('rowhouse oauth signing keys', 0))",
		); err != nil {
			return fmt.Errorf("locking the key rotation: %w", err)
		}
		return fn(tx)
	})
}

func (k *keyring) insert(ctx context.Context, tx pgx.Tx, state string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("generating a signing key: %w", err)
	}
	plain, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return fmt.Errorf("encoding a signing key: %w", err)
	}
	kid := base64url.EncodeToString(random(12))
	var active *time.Time
	if now := k.now(); state == "active" {
		active = &now
	}
	if _, err := tx.Exec(ctx, `insert into rowhouse.oauth_signing_key (kid, state, sealed, created_at, active_at)
		values ($1, $2, $3, $4, $5)`,
		kid, state, k.vault.seal(plain, "signing key "+kid), k.now(), active); err != nil {
		return fmt.Errorf("storing a signing key: %w", err)
	}
	return nil
}

// RotateKeys activates the next signing key at once; access tokens signed by the old one remain
// valid until they expire. With discard, for a leaked key, all keys are replaced, and every process
// rejects the access tokens issued before within seconds. Refresh tokens do not depend on these
// keys, so clients obtain new access tokens without the person.
func (s *Service) RotateKeys(ctx context.Context, discard bool) error {
	_, err := s.keys.rotate(ctx, 0, discard)
	return err
}

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
	keyRotationAge = 30 * 24 * time.Hour // of the active key
	keyCacheTTL    = 5 * time.Second     // how long a process may not know of a rotation
	keyLoadTimeout = 10 * time.Second    // whatever becomes of the database
	// keyOverlap is how long a key that no longer signs still verifies: the longest life of what it signed, and of the belief of a
	// process that it is still the active one.
	keyOverlap = accessLife + keyCacheTTL + clockTolerance
)

// A signingKey signs access tokens while it is active. Before that, as next, it is already published, so that every process
// knows it when it signs; after that, as retiring, it verifies what it signed.
type signingKey struct {
	kid     string
	state   string
	private *ecdsa.PrivateKey
}

// A keySnapshot is every key at one moment.
type keySnapshot struct {
	active *signingKey
	byKid  map[string]*signingKey
	all    []*signingKey
	loaded time.Time
}

// A keyring keeps the signing keys in Postgres, and a recent copy in the process.
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

// verifier returns the key with this id, or nil. It looks again, at most once a second, for a key it does not know.
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
			return nil, nil //nolint:nilnil // an unknown key is an answer, not a failure
		}
	}
	return &key.private.PublicKey, nil
}

// snapshot returns the keys as they were at most age ago. While the database is away it returns the last ones known.
func (k *keyring) snapshot(ctx context.Context, age time.Duration) (*keySnapshot, error) {
	known := k.cached()
	if known != nil && k.now().Sub(known.loaded) < age {
		return known, nil
	}
	if known != nil && age >= keyCacheTTL {
		if !k.loading.TryLock() {
			return known, nil // another request is already loading them
		}
	} else {
		k.loading.Lock()
	}
	defer k.loading.Unlock()
	if now := k.cached(); now != known {
		return now, nil // somebody loaded them while this one waited
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

// invalidate makes the next use look again.
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

// ensure makes the first keys of a new database, and checks that the secrets open those of an old one.
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
		if err := tx.QueryRow(ctx, "select exists(select from rowhouse.oauth_signing_key where state = 'active')").Scan(&there); err != nil {
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

// rotate makes the next key the active one when the active one is older than age, and reports whether it did. The old one verifies until
// what it signed has expired. With discard every key is gone at once, the next one too, because it lay beside the one that leaked: two
// new keys are made, and every access token that was signed before is refused.
func (k *keyring) rotate(ctx context.Context, age time.Duration, discard bool) (rotated bool, err error) {
	defer k.invalidate()
	err = k.withRotationLock(ctx, func(tx pgx.Tx) error {
		now := k.now()
		if discard {
			rotated = true
			return k.replaceAll(ctx, tx)
		}
		if _, err := tx.Exec(ctx, "delete from rowhouse.oauth_signing_key where state = 'retiring' and retiring_at <= $1",
			now.Add(-keyOverlap)); err != nil {
			return fmt.Errorf("removing retired keys: %w", err)
		}
		tag, err := tx.Exec(ctx, "update rowhouse.oauth_signing_key set state = 'retiring', retiring_at = $1 where state = 'active' and active_at <= $2",
			now, now.Add(-age))
		if err != nil {
			return fmt.Errorf("retiring the active key: %w", err)
		}
		if rotated = tag.RowsAffected() > 0; !rotated {
			return nil
		}
		if _, err := tx.Exec(ctx, "update rowhouse.oauth_signing_key set state = 'active', active_at = $1 where state = 'next'", now); err != nil {
			return fmt.Errorf("activating the next key: %w", err)
		}
		return k.insert(ctx, tx, "next")
	})
	if err != nil {
		return false, fmt.Errorf("rotating the signing keys: %w", err)
	}
	return rotated, nil
}

// replaceAll forgets every key and makes two new ones.
func (k *keyring) replaceAll(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "delete from rowhouse.oauth_signing_key"); err != nil {
		return fmt.Errorf("discarding the keys: %w", err)
	}
	if err := k.insert(ctx, tx, "active"); err != nil {
		return err
	}
	return k.insert(ctx, tx, "next")
}

// withRotationLock runs fn in a transaction that no other process's is beside.
func (k *keyring) withRotationLock(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return k.db.SystemTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended('rowhouse oauth signing keys', 0))"); err != nil {
			return fmt.Errorf("waiting for other processes: %w", err)
		}
		return fn(tx)
	})
}

func (k *keyring) insert(ctx context.Context, tx pgx.Tx, state string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("making a signing key: %w", err)
	}
	plain, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return fmt.Errorf("writing a signing key: %w", err)
	}
	kid := base64url.EncodeToString(random(12))
	var active *time.Time
	if now := k.now(); state == "active" {
		active = &now
	}
	if _, err := tx.Exec(ctx, "insert into rowhouse.oauth_signing_key (kid, state, sealed, created_at, active_at) values ($1, $2, $3, $4, $5)",
		kid, state, k.vault.seal(plain, "signing key "+kid), k.now(), active); err != nil {
		return fmt.Errorf("storing a signing key: %w", err)
	}
	return nil
}

// RotateKeys makes the next signing key the active one at once; access tokens of the old one live out their ten minutes. With discard, for a
// key that has leaked, all keys are replaced, and every access token that was signed before is refused within seconds. Refresh tokens do
// not depend on these keys: clients get new access tokens by themselves.
func (s *Service) RotateKeys(ctx context.Context, discard bool) error {
	_, err := s.keys.rotate(ctx, 0, discard)
	return err
}

// Package credential caches in Redis what PostgreSQL knows about API keys, sessions and OAuth
// grants. It owns the invalidation of that cache and the batched recording of when each credential
// was last used.
//
// PostgreSQL is authoritative and Redis only saves round trips: while Redis is down, slow or empty,
// valid credentials still work and revoked ones stay rejected. The package knows nothing about the
// format of secrets, HTTP, or what a credential allows.
package credential

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
)

// Kind is a kind of credential. Each has its own namespace in the cache.
type Kind string

// The kinds of credential.
const (
	Key     Kind = "key"
	Session Kind = "session"
	Grant   Kind = "grant"
)

// Hash is the SHA-256 of a secret, which has enough entropy to need no salt. PostgreSQL stores it,
// and it is part of the key of a cache entry.
type Hash [sha256.Size]byte

// HashOf returns the hash of a secret.
func HashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// String returns the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Person is the part of a cached answer that all credentials of a person share. It has its own
// cache entry, so that a changed role invalidates one entry, however many credentials the person
// has.
type Person struct {
	ID       uuid.UUID          `json:"id"`
	Email    string             `json:"email"`
	Name     string             `json:"name"`
	Verified bool               `json:"verified"` // the e-mail address was confirmed
	Orgs     []authz.Membership `json:"orgs"`
}

// PersonJSON is an SQL expression that scans into a Person. It selects from rowhouse.person p, and
// needs a system transaction. Select a credential and its person in one statement, so that both
// come from the same snapshot.
const PersonJSON = `json_build_object('id', p.id, 'email', p.email, 'name', p.name,
	'verified', p.email_verified is not null,
	'orgs', coalesce((select json_agg(json_build_object('org', m.org_id, 'role', m.role,
			'permissions', o.permission_version) order by m.org_id)
		from rowhouse.member m join rowhouse.organization o on o.org_id = m.org_id
		where m.person_id = p.id), '[]'::json))`

// Entry is the cached answer about one credential. Claims are the properties of the credential
// itself. After a change of Claims or ExpiresAt, call Cache.Invalidate.
type Entry[T any] struct {
	Person    Person
	Claims    T
	ExpiresAt time.Time // zero means never
}

// Expired reports whether the credential has expired at now.
func (h *Entry[T]) Expired(now time.Time) bool {
	return !h.ExpiresAt.IsZero() && !now.Before(h.ExpiresAt)
}

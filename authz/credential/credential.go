// Package credential remembers, in Redis, what Postgres knows of the credentials that requests carry: API keys, sessions and
// OAuth grants. It owns the discipline that keeps a remembered answer from outliving the truth, and the record of when each
// credential was last used.
//
// Postgres is the truth and Redis only answers faster: a Redis that is away, slow or empty never opens a door and never
// closes one. The package knows nothing of how a secret looks, of HTTP, or of what a credential allows.
package credential

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
)

// Kind separates the sorts of credential that the cache holds.
type Kind string

// The sorts of credential.
const (
	Key     Kind = "key"
	Session Kind = "session"
	Grant   Kind = "grant"
)

// Hash is the SHA-256 of a secret with enough entropy to need no salt: what Postgres stores and what names a cache entry.
type Hash [sha256.Size]byte

// HashOf hashes a secret.
func HashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// String writes the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Person is what holds for every credential of a person at this moment. It is remembered apart from the credentials, so that
// a changed role is forgotten for all of them at once, whatever their number.
type Person struct {
	ID       uuid.UUID          `json:"id"`
	Email    string             `json:"email"`
	Name     string             `json:"name"`
	Verified bool               `json:"verified"` // the e-mail address was proven
	Orgs     []authz.Membership `json:"orgs"`
}

// PersonJSON is an SQL expression for a Person, over the table rowhouse.person under the name p, for the system door. Scan
// it into a Person. A credential and its person must come out of one statement, and so out of one snapshot.
const PersonJSON = `json_build_object('id', p.id, 'email', p.email, 'name', p.name, 'verified', p.email_verified is not null,
	'orgs', coalesce((select json_agg(json_build_object('org', m.org_id, 'role', m.role) order by m.org_id)
		from rowhouse.member m where m.person_id = p.id), '[]'::json))`

// Held is what is remembered of one credential. Facts are the credential's own; a change of them, or of Until, must be
// followed by Cache.Forget.
type Held[T any] struct {
	Person Person
	Facts  T
	Until  time.Time // when the credential ends; zero is never
}

// Expired reports whether the credential has ended by now.
func (h *Held[T]) Expired(now time.Time) bool { return !h.Until.IsZero() && !now.Before(h.Until) }

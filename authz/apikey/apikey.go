// Package apikey makes, lists, rotates and revokes API keys, and turns the value of a key into a principal.
//
// It owns the form of a key's value and the table of keys. Only the SHA-256 of a value is stored; the value itself is
// returned once, by Create or Rotate, and is never logged. The package knows nothing of HTTP or of how a key is shown.
package apikey

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// Deps are what a Service works with.
type Deps struct {
	DB    *db.DB
	Cache *credential.Cache
	Log   *slog.Logger // default slog.Default()
	// Tell mails a person that a key of theirs changed, in the transaction of the change; nil tells nobody.
	Tell credential.TellerTx
}

// Service owns API keys. Its methods may be called from many goroutines.
type Service struct {
	db    *db.DB
	cache *credential.Cache
	usage *credential.Usage
	tell  credential.TellerTx
}

var _ authz.Verifier = (*Service)(nil)

// New starts a service. Close it before the database and the cache.
func New(deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	if deps.Tell == nil {
		deps.Tell = func(context.Context, pgx.Tx, uuid.UUID, credential.Change, string) error { return nil }
	}
	s := &Service{db: deps.DB, cache: deps.Cache, tell: deps.Tell}
	s.usage = credential.NewUsage(deps.Log, s.writeUsage)
	return s
}

// Close writes down what is known of last uses, and stops.
func (s *Service) Close(ctx context.Context) { s.usage.Close(ctx) }

// A Key is what may be shown of an API key.
type Key struct {
	ID         uuid.UUID
	Person     uuid.UUID
	Name       string
	Prefix     string // the first eight characters of the value
	LastFour   string
	Scopes     []authz.Scope
	Org        *uuid.UUID  // the only organization that the key reaches; nil is every one of the person
	Bases      []uuid.UUID // the only bases, all of Org; nil is all
	CreatedAt  time.Time
	ExpiresAt  *time.Time // nil is never
	LastUsedAt *time.Time // nil is not yet; up to a few seconds late
	ReplacedBy *uuid.UUID // the key that a rotation made of this one
}

// PublicID is the identifier of the key, as key_….
func (k *Key) PublicID() string { return id.Format(id.Key, k.ID) }

// Expired reports whether the key has ended by now.
func (k *Key) Expired(now time.Time) bool { return k.ExpiresAt != nil && !now.Before(*k.ExpiresAt) }

// facts are what the cache holds of a key beside its person and its end.
type facts struct {
	ID     uuid.UUID     `json:"id"`
	Scopes []authz.Scope `json:"scopes"`
	Org    *uuid.UUID    `json:"org,omitempty"`
	Bases  []uuid.UUID   `json:"bases,omitempty"`
}

// Verify implements authz.Verifier for values that begin with Prefix. A remembered key costs one round trip to Redis and
// none to Postgres; any other costs one to Postgres too. The rights are the key's scopes and the person's memberships of
// this moment: a key revoked or a role changed anywhere counts here within a second.
func (s *Service) Verify(ctx context.Context, secret string) (*authz.Principal, error) {
	if len(secret) < len(Prefix) || secret[:len(Prefix)] != Prefix {
		return nil, nil //nolint:nilnil // another kind of credential, by the interface's contract
	}
	if !WellFormed(secret) {
		return nil, problem.Unauthenticated("The API key is not complete or was mistyped: a key is %s and %d letters and digits.",
			Prefix, randomLen+checksumLen)
	}
	held, err := credential.Find(ctx, s.cache, credential.Key, credential.HashOf(secret),
		func(ctx context.Context) (*credential.Held[facts], error) {
			return s.load(ctx, credential.HashOf(secret))
		})
	if err != nil {
		return nil, err
	}
	if held == nil {
		return nil, problem.Unauthenticated("The API key is unknown or was revoked.")
	}
	now := time.Now()
	if held.Expired(now) {
		return nil, problem.Unauthenticated("The API key expired at %s.", held.Until.UTC().Format(time.RFC3339))
	}
	s.usage.Note(held.Facts.ID, now)
	return principal(held), nil
}

func principal(held *credential.Held[facts]) *authz.Principal {
	p := &authz.Principal{
		Kind: authz.APIKey, Credential: id.Format(id.Key, held.Facts.ID), Person: held.Person.ID,
		Scopes: held.Facts.Scopes, Orgs: held.Person.Orgs, Bases: held.Facts.Bases,
	}
	if only := held.Facts.Org; only != nil {
		p.Orgs, p.OneOrg = nil, true
		if role := (&authz.Principal{Orgs: held.Person.Orgs}).Role(*only); role != "" {
			p.Orgs = []authz.Membership{{Org: *only, Role: role}}
		}
	}
	return p
}

// load reads a key that is not revoked, with its person, in one round trip; nil when there is none.
func (s *Service) load(ctx context.Context, hash credential.Hash) (*credential.Held[facts], error) {
	var held credential.Held[facts]
	var until *time.Time
	var found bool
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select k.id, k.scopes, k.only_org, k.only_bases, k.expires_at, `+credential.PersonJSON+`
			from rowhouse.api_key k join rowhouse.person p on p.id = k.person_id
			where k.secret_hash = $1 and k.revoked_at is null`, hash[:]).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					found = true
					f := &held.Facts
					if err := rows.Scan(&f.ID, &f.Scopes, &f.Org, &f.Bases, &until, &held.Person); err != nil {
						return err
					}
				}
				return rows.Err()
			})
	})
	if err != nil || !found {
		return nil, wrap(err, "looking up an API key")
	}
	if until != nil {
		held.Until = *until
	}
	return &held, nil
}

// Invalidate makes every process read a person's memberships anew, for keys, sessions and grants alike. Whoever changes a
// membership calls it before the change commits and again after it. It always returns nil: what Redis cannot be told now it
// is told as soon as it can be.
func (s *Service) Invalidate(ctx context.Context, person uuid.UUID) error {
	s.cache.ForgetPerson(ctx, person)
	return nil
}

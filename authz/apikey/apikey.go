// Package apikey creates, lists, rotates and revokes API keys, and verifies the value of a key.
//
// It owns the format of a key's value and the table rowhouse.api_key. Only the SHA-256 of a value
// is stored; the value itself is returned once, by Create or Rotate, and is never logged. The
// package knows nothing of HTTP or of how a key is displayed.
package apikey

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// Deps are the dependencies of a Service. DB and Cache are required.
type Deps struct {
	DB    *db.DB
	Cache *credential.Cache
	Log   *slog.Logger // default slog.Default()
	// Notify mails a person that one of their keys changed, in the transaction of the change; nil
	// sends no mail.
	Notify credential.NotifierTx
}

// Service manages API keys. Its methods are safe for concurrent use.
type Service struct {
	db     *db.DB
	cache  *credential.Cache
	usage  *credential.Usage
	notify credential.NotifierTx
}

var _ authz.Verifier = (*Service)(nil)

// New returns a service. Close it before the database and the cache.
func New(deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	if deps.Notify == nil {
		deps.Notify = func(context.Context, pgx.Tx, uuid.UUID, credential.Change, string) error { return nil }
	}
	s := &Service{db: deps.DB, cache: deps.Cache, notify: deps.Notify}
	s.usage = credential.NewUsage(deps.Log, s.writeUsage)
	return s
}

// Close writes the recorded last uses and stops the background work.
func (s *Service) Close(ctx context.Context) { s.usage.Close(ctx) }

// A Key describes an API key without its secret value.
type Key struct {
	ID         uuid.UUID
	Person     uuid.UUID
	Name       string
	Prefix     string // the first eight characters of the value
	LastFour   string
	Scopes     []authz.Scope
	Org        *uuid.UUID  // the only organization that the key gives access to; nil means all of the person's
	Bases      []uuid.UUID // the only bases, all in Org; nil means all
	View       *uuid.UUID  // the only view, in the only base; nil means all
	CreatedAt  time.Time
	ExpiresAt  *time.Time // nil means never
	LastUsedAt *time.Time // nil means not yet; written up to a few seconds late
	ReplacedBy *uuid.UUID // the key that replaced this one in a rotation
}

// PublicID returns the identifier of the key, as in key_….
func (k *Key) PublicID() string { return id.Format(id.Key, k.ID) }

// Expired reports whether the key has expired at now.
func (k *Key) Expired(now time.Time) bool { return k.ExpiresAt != nil && !now.Before(*k.ExpiresAt) }

// claims are the cached properties of a key, except its person and its expiry.
type claims struct {
	ID     uuid.UUID     `json:"id"`
	Scopes []authz.Scope `json:"scopes"`
	Org    *uuid.UUID    `json:"org,omitempty"`
	Bases  []uuid.UUID   `json:"bases,omitempty"`
	View   *uuid.UUID    `json:"view,omitempty"`
}

// Verify implements authz.Verifier for values that begin with Prefix. A key in the local cache
// costs no round trip, a key cached in Redis costs one to Redis, and any other costs one to
// PostgreSQL as well. The principal has the key's scopes and the person's current memberships: a
// revoked key or a changed role takes effect in every process within a second.
func (s *Service) Verify(ctx context.Context, secret string) (*authz.Principal, error) {
	if len(secret) < len(Prefix) || secret[:len(Prefix)] != Prefix {
		return nil, nil //nolint:nilnil // another kind of credential
	}
	if !WellFormed(secret) {
		return nil, problem.Unauthenticated(
			"The API key is not complete or was mistyped: a key is %s and %d letters and digits.",
			Prefix, randomLen+checksumLen,
		)
	}
	return s.verify(ctx, credential.HashOf(secret))
}

// Resolve is Verify for a key that is named by its public id, as an authz.Resolver does.
func (s *Service) Resolve(ctx context.Context, holder authz.Holder) (*authz.Principal, error) {
	key, err := id.Parse(id.Key, holder.Credential)
	if err != nil {
		return nil, errUnknownKey()
	}
	var hash []byte
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select secret_hash from rowhouse.api_key where id = $1 and revoked_at is null", key).
			Query(func(rows pgx.Rows) error {
				_, err := pgx.ForEachRow(rows, []any{&hash}, func() error { return nil })
				return err
			})
	})
	switch {
	case err != nil:
		return nil, wrap(err, "looking up an API key by its id")
	case len(hash) != len(credential.Hash{}):
		return nil, errUnknownKey()
	}
	return s.verify(ctx, credential.Hash(hash))
}

func errUnknownKey() error { return problem.Unauthenticated("The API key is unknown or was revoked.") }

func (s *Service) verify(ctx context.Context, hash credential.Hash) (*authz.Principal, error) {
	entry, err := credential.Find(ctx, s.cache, credential.Key, hash,
		func(ctx context.Context) (*credential.Entry[claims], error) { return s.load(ctx, hash) })
	if err != nil {
		return nil, err
	}
	if entry == nil {
		return nil, errUnknownKey()
	}
	now := time.Now()
	if entry.Expired(now) {
		return nil, problem.Unauthenticated("The API key expired at %s.", entry.ExpiresAt.UTC().Format(time.RFC3339))
	}
	if !credential.Repeated(ctx) {
		s.usage.Record(entry.Claims.ID, now)
	}
	return principal(entry), nil
}

func principal(entry *credential.Entry[claims]) *authz.Principal {
	p := &authz.Principal{
		Kind: authz.APIKey, Credential: id.Format(id.Key, entry.Claims.ID), Person: entry.Person.ID,
		Scopes: entry.Claims.Scopes, Orgs: entry.Person.Orgs, Bases: entry.Claims.Bases,
	}
	if only := entry.Claims.Org; only != nil {
		p.Orgs, p.OneOrg = authz.Only(p.Orgs, *only), true
	}
	if entry.Claims.View != nil {
		p.BindTo(*entry.Claims.View)
	}
	return p
}

// load reads a key that is not revoked and its person in one round trip. It returns nil when there
// is none.
func (s *Service) load(ctx context.Context, hash credential.Hash) (*credential.Entry[claims], error) {
	var entry credential.Entry[claims]
	var until *time.Time
	var found bool
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select k.id, k.scopes, k.only_org, k.only_bases, k.only_view, k.expires_at, `+credential.PersonJSON+`
			from rowhouse.api_key k join rowhouse.person p on p.id = k.person_id
			where k.secret_hash = $1 and k.revoked_at is null`, hash[:]).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					found = true
					f := &entry.Claims
					err := rows.Scan(&f.ID, &f.Scopes, &f.Org, &f.Bases, &f.View, &until, &entry.Person)
					if err != nil {
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
		entry.ExpiresAt = *until
	}
	return &entry, nil
}

// Invalidate makes every process reload people's memberships, for keys, sessions and grants
// alike. Call it before a change of a membership commits and again after it. It always returns nil,
// because an invalidation that cannot be written to Redis is retried in the background.
func (s *Service) Invalidate(ctx context.Context, people ...uuid.UUID) error {
	s.cache.InvalidatePerson(ctx, people...)
	return nil
}

package apikey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	// MaxKeys is how many keys a person may have that are neither revoked, replaced nor expired.
	MaxKeys = 100
	// MaxBases is how many bases a key may be narrowed to.
	MaxBases = 100
	// MaxOverlap is how long a rotated key may remain valid.
	MaxOverlap = 30 * 24 * time.Hour

	// A draft sent again with the same ID within this time returns the same key with a new value.
	idempotencyWindow = 2 * time.Minute
	// An expired key is listed for a while, so that its owner can see why it stopped working.
	expiredListedFor = 30 * 24 * time.Hour
)

// A Draft describes a key to be created.
type Draft struct {
	// Optional; the same ID sent again within two minutes returns the same key with a new value.
	ID      uuid.UUID
	Person  uuid.UUID
	Session uuid.UUID // the person's session that requests the key; zero for operators
	// The person gave the password recently; required for a long-lived key that a session requests.
	Reauthenticated bool
	Name            string
	Scopes          []authz.Scope // at least one
	Org             uuid.UUID     // zero means all of the person's, or the organization of Bases
	Bases           []uuid.UUID   // empty means all; at most MaxBases, all of one organization
	View            uuid.UUID     // zero means no bound; the only view that the key sees, of the only one of Bases
	// CheckView returns an error of kind invalid unless the person's key can be bound to View.
	CheckView func(ctx context.Context, org, base, view uuid.UUID, person schema.Subject) error
	ExpiresAt time.Time // zero means never
}

const columns = `k.id, k.person_id, k.name, k.prefix, k.last_four, k.scopes, k.only_org, k.only_bases, k.only_view,
	k.created_at,

	k.expires_at, k.last_used_at, k.replaced_by`

func scan(row pgx.CollectableRow) (*Key, error) {
	var k Key
	err := row.Scan(k.scanTargets()...)
	return &k, err
}

// scanTargets returns the scan destinations of columns.
func (k *Key) scanTargets() []any {
	return []any{
		&k.ID, &k.Person, &k.Name, &k.Prefix, &k.LastFour, &k.Scopes, &k.Org, &k.Bases, &k.View, &k.CreatedAt,
		&k.ExpiresAt, &k.LastUsedAt, &k.ReplacedBy,
	}
}

// Create creates a key and returns it with its value, which is not stored. It returns an error of
// kind invalid with the path of an invalid field, of kind conflict when the person has MaxKeys or
// the ID is taken, of kind unauthenticated when the session has ended, and of kind invalid with the
// code password_required for a long-lived key from a session without recent authentication.
func (s *Service) Create(ctx context.Context, draft Draft) (*Key, string, error) {
	if err := s.check(ctx, &draft); err != nil {
		return nil, "", err
	}
	var made minted
	err := s.db.SystemTx(ctx, func(tx pgx.Tx) (err error) {
		if err := lockOwner(ctx, tx, draft.Person, draft.Session); err != nil {
			return err
		}
		if made, err = s.mint(ctx, tx, draft); err != nil {
			return err
		}
		return s.notify(ctx, tx, draft.Person, credential.KeyCreated, draft.Name)
	})
	s.cache.Invalidate(ctx, credential.Key, made.stale...)
	if err != nil {
		return nil, "", wrap(err, "creating an API key")
	}
	return made.key, made.secret, nil
}

// check validates a draft and fills in its defaults.
func (s *Service) check(ctx context.Context, draft *Draft) error {
	name, err := naming.Clean("name", draft.Name)
	if err != nil {
		return err
	}
	draft.Name = name
	if len(draft.Scopes) == 0 {
		return problem.Invalid("scopes", "choose at least one of %s", authz.JoinScopes(authz.AllScopes(), ", "))
	}
	names := make([]string, len(draft.Scopes))
	for i, scope := range draft.Scopes {
		names[i] = string(scope)
	}
	if _, err := authz.ParseScopes("scopes", names); err != nil {
		return err
	}
	if !draft.ExpiresAt.IsZero() && !draft.ExpiresAt.After(time.Now()) {
		return problem.Invalid("expiresTime", "must be in the future")
	}
	if len(draft.Bases) > MaxBases {
		return problem.Invalid("baseIds", "at most %d bases; leave it out for all", MaxBases)
	}
	if draft.View != uuid.Nil && len(draft.Bases) != 1 {
		return problem.Invalid("viewId", "needs baseIds with the base of the view, and no other")
	}
	if draft.Org == uuid.Nil && len(draft.Bases) == 0 {
		return nil
	}
	return s.checkRestriction(ctx, draft)
}

// checkRestriction checks that the person has access to the organization and bases that the key is
// restricted to. Missing ones and other people's give the same error.
func (s *Service) checkRestriction(ctx context.Context, draft *Draft) error {
	orgs, err := s.OrgsWithBases(ctx, draft.Person)
	if err != nil {
		return err
	}
	if draft.Org == uuid.Nil {
		for _, org := range orgs {
			if slices.ContainsFunc(org.Bases, func(b Base) bool { return b.ID == draft.Bases[0] }) {
				draft.Org = org.ID
			}
		}
		if draft.Org == uuid.Nil {
			return problem.Invalid("baseIds", "%s is not a base of yours", id.Format(id.Base, draft.Bases[0]))
		}
	}
	at := slices.IndexFunc(orgs, func(org Org) bool { return org.ID == draft.Org })
	if at < 0 {
		return problem.Invalid("orgId", "%s is not an organization of yours", id.Format(id.Org, draft.Org))
	}
	for i, base := range draft.Bases {
		if !slices.ContainsFunc(orgs[at].Bases, func(b Base) bool { return b.ID == base }) {
			return problem.Invalid(fmt.Sprintf("baseIds[%d]", i),
				"%s is not a base of the organization %s; all bases of a key are of one", id.Format(id.Base, base),
				id.Format(id.Org, draft.Org))
		}
		if slices.Contains(draft.Bases[:i], base) {
			return problem.Invalid(fmt.Sprintf("baseIds[%d]", i), "%s is given twice", id.Format(id.Base, base))
		}
	}
	if draft.View == uuid.Nil {
		return nil
	}
	return draft.CheckView(ctx, draft.Org, draft.Bases[0], draft.View,
		schema.Subject{Person: draft.Person, Role: orgs[at].Role})
}

type minted struct {
	key    *Key
	secret string
	stale  []credential.Hash // of the value that this id had before; invalidate after the commit
}

// lockOwner locks the person, and checks that the requesting session, unless it is zero, has not
// ended.
func lockOwner(ctx context.Context, tx pgx.Tx, person, session uuid.UUID) error {
	if session == uuid.Nil {
		return credential.LockPerson(ctx, tx, person)
	}
	return credential.LockSession(ctx, tx, person, session)
}

// maxUnconfirmedLife is the longest life of a key that a session may create without recent
// authentication.
const maxUnconfirmedLife = 366 * 24 * time.Hour

func isLongLived(expires time.Time, now time.Time) bool {
	return expires.IsZero() || expires.After(now.Add(maxUnconfirmedLife))
}

// LongLived reports whether the key never expires, or was created to live for more than a year.
func (k *Key) LongLived() bool { return k.ExpiresAt == nil || isLongLived(*k.ExpiresAt, k.CreatedAt) }

// errPassword is returned for a key that would outlive every session when the session has no recent
// authentication.
func errPassword() error {
	return problem.Invalid(
		"password", "is needed for a key that does not expire within a year, because you signed in some time ago",
	).WithCode(problem.CodePasswordRequired)
}

// mint inserts a checked draft. The caller has locked the person, so that the count of keys is
// right.
func (s *Service) mint(ctx context.Context, tx pgx.Tx, draft Draft) (minted, error) {
	if draft.ID == uuid.Nil {
		draft.ID = id.New()
	}
	now := time.Now()
	if draft.Session != uuid.Nil && !draft.Reauthenticated && isLongLived(draft.ExpiresAt, now) {
		return minted{}, errPassword()
	}
	var count int
	var earlier []byte // the hash of an existing key with this id
	err := tx.QueryRow(ctx,
		`select count(*), (select secret_hash from rowhouse.api_key where person_id = $1 and id = $2)
		from rowhouse.api_key where person_id = $1 and id <> $2 and revoked_at is null and replaced_by is null
			and (expires_at is null or expires_at > $3)`, draft.Person, draft.ID, now).Scan(&count, &earlier)
	if err != nil {
		return minted{}, fmt.Errorf("counting keys: %w", err)
	}
	if count >= MaxKeys {
		return minted{}, problem.Conflict(
			"You have %d API keys, which is the most there can be; revoke one that is not used.", count,
		)
	}
	var made minted
	if earlier != nil {
		made.stale = []credential.Hash{credential.Hash(earlier)}
		s.cache.Invalidate(ctx, credential.Key, made.stale...)
	}
	made.secret = newSecret()
	hash := credential.HashOf(made.secret)
	rows, err := tx.Query(ctx, `insert into rowhouse.api_key as k
			(id, person_id, name, secret_hash, prefix, last_four, scopes, only_org, only_bases, only_view, created_at,
			expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $13, $10, $11)
		on conflict (id) do update
		set secret_hash = excluded.secret_hash, prefix = excluded.prefix, last_four = excluded.last_four
			where k.person_id = excluded.person_id and k.revoked_at is null and k.last_used_at is null
			and k.created_at > $12
		returning `+columns,
		draft.ID,
		draft.Person, draft.Name, hash[:], made.secret[:shownPrefix], made.secret[len(made.secret)-shownSuffix:],
		draft.Scopes, nullIfZero(draft.Org), nullIfEmpty(draft.Bases), now, nullIfZero(draft.ExpiresAt),
		now.Add(-idempotencyWindow), nullIfZero(draft.View))
	if err != nil {
		return minted{}, fmt.Errorf("inserting a key: %w", err)
	}
	made.key, err = pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return minted{}, problem.Conflict(
			"This key was made already, and its value was shown then; rotate it to get a new one.",
		)
	}
	if err != nil {
		return minted{}, fmt.Errorf("inserting a key: %w", err)
	}
	return made, audit.RecordPersonTx(ctx, tx, draft.Person, draft.Org, &audit.Event{
		Action: "create_api_key", Subject: made.key.PublicID(),
		Detail: map[string]any{"name": draft.Name, "scopes": draft.Scopes},
	})
}

// nullIfZero returns nil, which PostgreSQL stores as null, for a zero value.
func nullIfZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// nullIfEmpty returns nil for an empty list, because an empty list would narrow the key to no base
// at all.
func nullIfEmpty(bases []uuid.UUID) []uuid.UUID {
	if len(bases) == 0 {
		return nil
	}
	return bases
}

// List returns the person's keys that are not revoked, newest first, including those that expired
// in the last 30 days.
func (s *Service) List(ctx context.Context, person uuid.UUID) ([]*Key, error) {
	var keys []*Key
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select `+columns+` from rowhouse.api_key k where k.person_id = $1 and k.revoked_at is null
			and (k.expires_at is null or k.expires_at > $2) order by k.created_at desc, k.id desc`, person,
			time.Now().Add(-expiredListedFor)).
			Query(func(rows pgx.Rows) (err error) {
				keys, err = pgx.CollectRows(rows, scan)
				return err
			})
	})
	return keys, wrap(err, "listing API keys")
}

// writeUsage stores last uses. It skips locked rows, because another process is then writing nearly
// the same time.
func (s *Service) writeUsage(ctx context.Context, uses []credential.Use) error {
	ids, times := make([]uuid.UUID, len(uses)), make([]time.Time, len(uses))
	for i, use := range uses {
		ids[i], times[i] = use.ID, use.At
	}
	return s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.api_key k set last_used_at = used.at
			from (select free.id, u.at
				from (select id from rowhouse.api_key where id = any($1::uuid[]) for update skip locked) free
				join unnest($1::uuid[], $2::timestamptz[]) u (id, at) on u.id = free.id) used
			where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`, ids, times)
	})
}

func wrap(err error, doing string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

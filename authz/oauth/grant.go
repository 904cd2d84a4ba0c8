package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// Why a grant was revoked, as the person's list of applications and the log say it.
const (
	whyPerson       = "revoked by the person"
	whySession      = "the session that allowed it has ended"
	whyClient       = "revoked by the client"
	whyCodeReuse    = "its code was used twice"
	whyRefreshReuse = "a replaced refresh token was used"
	whyVerifier     = "its code came with a wrong verifier"
)

// A grant is a person's permission for a client, and the family of all tokens issued from it.
type grant struct {
	ID            uuid.UUID
	Person        uuid.UUID `db:"person_id"`
	Client        string    `db:"client_id"`
	OnlyOrg       uuid.NullUUID
	Resource      string
	Scopes        []authz.Scope
	RedirectURI   string
	CodeHash      []byte
	CodeChallenge string
	CodeExpires   time.Time
	RedeemedAt    *time.Time
	Generation    int64
	RefreshHash   []byte
	RefreshUntil  *time.Time
	RotatedAt     *time.Time
	ReplacedHash  []byte
	Seed          []byte
	ExpiresAt     time.Time
	RevokedAt     *time.Time
	StepUpUntil   *time.Time // a token was challenged for more scopes; see refreshGrant

	// Of a grant that is not stored yet: the subject of the remembered consent that its code came
	// of, the session in which the code was made, and the name of the app.
	consent []byte
	session string
	app     string // what the client is called
}

const grantColumns = `id, person_id, client_id, only_org, resource, scopes, redirect_uri, code_hash,
	code_challenge, code_expires, redeemed_at, generation, refresh_hash, refresh_until, rotated_at,
	replaced_hash, seed, expires_at, revoked_at, step_up_until`

// isLive reports whether tokens of the grant are valid.
func (g *grant) isLive(now time.Time) bool { return g.RevokedAt == nil && now.Before(g.ExpiresAt) }

// isCode reports whether sum is the hash of the grant's code.
func (g *grant) isCode(sum []byte) bool { return subtle.ConstantTimeCompare(g.CodeHash, sum) == 1 }

// A grantStore stores grants in PostgreSQL. Each change is one conditional statement, so of racing
// requests exactly one finds the row in the required state.
type grantStore struct {
	db   *db.DB
	hold func(b *pgx.Batch, person *Person) // as Sessions.Hold
}

// get returns nil if the grant does not exist.
func (s *grantStore) get(ctx context.Context, grantID uuid.UUID) (*grant, error) {
	return s.one(ctx, "loading a grant", "select "+grantColumns+" from rowhouse.oauth_grant where id = $1", grantID)
}

// knows reports whether the person has authorized the client and not revoked it since.
func (s *grantStore) knows(ctx context.Context, person uuid.UUID, client string) (known bool, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select exists(select from rowhouse.oauth_grant
				where person_id = $1 and client_id = $2 and redeemed_at is not null and revoked_at is null)
			or exists(select from rowhouse.oauth_consent where person_id = $1 and client_id = $2)`, person, client).
			QueryRow(func(row pgx.Row) error { return row.Scan(&known) })
	})
	if err != nil {
		return false, fmt.Errorf("asking whether a person knows a client: %w", err)
	}
	return known, nil
}

// create stores a new grant with its code, remembers the consent if subject is given, and extends
// the life of the client's registration. It returns an error of kind unauthenticated if the grant's
// session has ended.
func (s *grantStore) create(ctx context.Context, g *grant, subject []byte, now time.Time) error {
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		s.hold(b, &Person{ID: g.Person, Session: g.session})
		b.Queue(`insert into rowhouse.oauth_grant (id, person_id, client_id, only_org, resource, scopes, redirect_uri,
				code_hash,
				code_challenge, code_expires, created_at, used_at, expires_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)`,
			g.ID, g.Person, g.Client, g.OnlyOrg, g.Resource, toNames(g.Scopes), g.RedirectURI, g.CodeHash,
			g.CodeChallenge, g.CodeExpires, now, g.ExpiresAt)
		audit.RecordPerson(ctx, b, g.Person, g.OnlyOrg.UUID, &audit.Event{
			Action: "approve_grant", Subject: id.Format(id.Grant, g.ID),
			Detail: map[string]any{"client": g.Client, "app": g.app, "scopes": g.Scopes},
		})
		if subject != nil {
			b.Queue(`insert into rowhouse.oauth_consent (subject_hash, person_id, client_id, only_org, created_at)
				values ($1, $2, $3, $4, $5)
				on conflict (subject_hash) do update
				set only_org = excluded.only_org, created_at = excluded.created_at`,
				subject, g.Person, g.Client, g.OnlyOrg, now)
		}
		queueRenewal(b, g.Client, now)
	})
	if err != nil {
		return fmt.Errorf("storing a grant: %w", credential.LockError(err))
	}
	return nil
}

// queueRenewal extends the life of a client's registration, at most once a day, so that a busy
// client is not written at each grant.
func queueRenewal(b *pgx.Batch, client string, now time.Time) {
	b.Queue(`update rowhouse.oauth_client set expires_at = $2 where id = $1 and expires_at < $3`,
		client, now.Add(clientUsed), now.Add(clientUsed-24*time.Hour))
}

// redeem uses up the code. refresh is the first refresh token, or nil. It returns nil
// if the code was used, has expired or was revoked in the meantime.
func (s *grantStore) redeem(ctx context.Context, g *grant, refresh *refreshToken, now time.Time) (*grant, error) {
	var sum []byte
	var until *time.Time
	if refresh != nil {
		sum, until = refresh.hash(), lapse(now, g.ExpiresAt)
	}
	if g.consent != nil {
		return s.redeemSealed(ctx, g, sum, until, now)
	}
	return s.one(ctx, "redeeming a code", `update rowhouse.oauth_grant
		set redeemed_at = $3, used_at = $3, generation = case when $4::bytea is null then 0 else 1 end,
		refresh_hash = $4, refresh_until = $5
		where id = $1 and code_hash = $2 and redeemed_at is null and revoked_at is null and code_expires > $3
		returning `+grantColumns, g.ID, g.CodeHash, now, sum, until)
}

// burnCode ends a code that has not been redeemed.
func (s *grantStore) burnCode(ctx context.Context, g *grant, now time.Time) error {
	if g.consent != nil {
		return s.burnSealedCode(ctx, g, now)
	}
	_, err := s.exec(ctx, "burning a code", `update rowhouse.oauth_grant set revoked_at = $3, revoked_why = $4
		where id = $1 and code_hash = $2 and redeemed_at is null and revoked_at is null`,
		g.ID, g.CodeHash, now, whyVerifier)
	return err
}

// rotate replaces the current refresh token by its successor. It returns nil if the token is no
// longer current.
func (s *grantStore) rotate(
	ctx context.Context,
	g *grant,
	token, successor refreshToken,
	seed []byte,
	now time.Time,
) (*grant, error) {
	return s.one(ctx, "rotating a refresh token", `update rowhouse.oauth_grant
		set generation = $4, refresh_hash = $5, refresh_until = $6, replaced_hash = $2, seed = $7,
		rotated_at = $3, used_at = $3
		where id = $1 and refresh_hash = $2 and revoked_at is null and expires_at > $3 and refresh_until > $3
		returning `+grantColumns, g.ID,
		token.hash(), now, int64(successor.generation), successor.hash(), lapse(now, g.ExpiresAt), seed)
}

// expectStepUp records that a token of the grant was challenged for more scopes.
func (s *grantStore) expectStepUp(ctx context.Context, grantID uuid.UUID, until time.Time) error {
	_, err := s.exec(ctx, "recording a challenge",
		"update rowhouse.oauth_grant set step_up_until = $2 where id = $1 and revoked_at is null", grantID, until)
	return err
}

// takeStepUp reports whether a token of the grant was challenged for more scopes and no refresh has
// been rejected for it since.
func (s *grantStore) takeStepUp(ctx context.Context, g *grant, now time.Time) (bool, error) {
	if g.StepUpUntil == nil || !now.Before(*g.StepUpUntil) {
		return false, nil
	}
	count, err := s.exec(ctx, "taking a challenge", `update rowhouse.oauth_grant set step_up_until = null
		where id = $1 and step_up_until > $2`, g.ID, now)
	return count > 0, err
}

// lapse is when an unused refresh token issued now expires.
func lapse(now, family time.Time) *time.Time {
	until := now.Add(refreshIdle)
	if family.Before(until) {
		until = family
	}
	return &until
}

// revoke ends a grant permanently and reports whether it was live.
func (s *grantStore) revoke(ctx context.Context, grantID uuid.UUID, why string, now time.Time) (bool, error) {
	var count int64
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		audit.RecordCredential(ctx, b, &audit.Event{
			Action: "revoke_grant", Subject: id.Format(id.Grant, grantID), Detail: map[string]string{"why": why},
		}, "select person_id, only_org from rowhouse.oauth_grant where id = $1 and revoked_at is null for update",
			grantID)
		b.Queue(`update rowhouse.oauth_grant
			set revoked_at = $2, revoked_why = $3, refresh_hash = null, replaced_hash = null, seed = null
			where id = $1 and revoked_at is null`, grantID, now, why).Exec(func(tag pgconn.CommandTag) error {
			count = tag.RowsAffected()
			return nil
		})
	})
	if err != nil {
		return false, fmt.Errorf("revoking a grant: %w", err)
	}
	return count > 0, nil
}

// maybeGrant reads a grant that may not exist; into stays nil then.
func maybeGrant(into **grant) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		g, err := pgx.CollectOneRow(rows, pgx.RowToAddrOfStructByName[grant])
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a grant: %w", err)
		}
		stored := g.Scopes // one that is gone is left out
		g.Scopes = filterScopes(func(scope authz.Scope) bool { return slices.Contains(stored, scope) })
		*into = g
		return nil
	}
}

func (s *grantStore) one(ctx context.Context, doing, sql string, args ...any) (*grant, error) {
	var found *grant
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(sql, args...).Query(maybeGrant(&found))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return found, nil
}

func (s *grantStore) exec(ctx context.Context, doing, sql string, args ...any) (count int64, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(sql, args...).Exec(func(tag pgconn.CommandTag) error {
			count = tag.RowsAffected()
			return nil
		})
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return count, nil
}

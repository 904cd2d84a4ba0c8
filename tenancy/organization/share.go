package organization

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A Shares stores public shares.
type Shares struct{ db *db.DB }

// NewShares returns a store on db.
func NewShares(tenantDB *db.DB) *Shares { return &Shares{db: tenantDB} }

// Get returns the share id of a base, or "" when the base is not shared.
func (s *Shares) Get(ctx context.Context, org, base uuid.UUID) (string, error) {
	var shareID string
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select share_id from rowhouse.base_share where org_id = $1 and base_id = $2", org, base).
			Query(func(rows pgx.Rows) error { return scanOptional(rows, &shareID) })
	})
	if err != nil {
		return "", fmt.Errorf("reading the share: %w", err)
	}
	return shareID, nil
}

// Enable shares a base and returns its share id. It keeps an existing id unless regenerate is set,
// which invalidates the existing one. It returns an error of kind not_found for an unknown base.
func (s *Shares) Enable(ctx context.Context, org, base uuid.UUID, regenerate bool) (string, error) {
	// 128 random bits in the format of an identifier. Unlike other identifiers, a share id is a
	// secret.
	var secret uuid.UUID
	if _, err := rand.Read(secret[:]); err != nil {
		return "", fmt.Errorf("generating a share id: %w", err)
	}
	var shareID string
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.base_share as s (org_id, base_id, share_id) values ($1, $2, $3)
			on conflict (org_id, base_id) do update
			set share_id = case when $4 then excluded.share_id else s.share_id end
			returning share_id`, org, base, id.Format(id.Share, secret), regenerate).
			QueryRow(func(row pgx.Row) error { return row.Scan(&shareID) })
		audit.Record(ctx, b, org, &audit.Event{Action: "set_public_share", Subject: id.Format(id.Base, base)})
	})
	if pgerror.Is(err, pgerrcode.ForeignKeyViolation) {
		return "", problem.NotFound("base", id.Format(id.Base, base))
	}
	if err != nil {
		return "", fmt.Errorf("enabling the share: %w", err)
	}
	return shareID, nil
}

// Disable ends the public share of a base. It does nothing when the base is not shared.
func (s *Shares) Disable(ctx context.Context, org, base uuid.UUID) error {
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.base_share where org_id = $1 and base_id = $2", org, base)
		audit.Record(ctx, b, org, &audit.Event{Action: "disable_public_share", Subject: id.Format(id.Base, base)})
	})
	if err != nil {
		return fmt.Errorf("disabling the share: %w", err)
	}
	return nil
}

// ErrUnknownShare is returned for a share id that is unknown or no longer valid.
var ErrUnknownShare = errors.New("unknown share")

// A SharedTarget is what a share id gives to everybody: a base, or one view.
type SharedTarget struct {
	Org  uuid.UUID
	Base uuid.UUID // zero for a view
	View uuid.UUID // zero for a base

	Person   uuid.UUID // who shared the view last; zero for a base
	Framed   bool      // other sites may show it
	Editable bool      // readers change records of the view, with the rights of Person

	password string // its hash; "" for none
}

// Resolve returns what a share id gives, or ErrUnknownShare. It queries the database each time, so that a regenerated,
// disabled or expired id is invalid at once.
func (s *Shares) Resolve(ctx context.Context, shareID string) (*SharedTarget, error) {
	if _, err := id.Parse(id.Share, shareID); err != nil {
		return nil, ErrUnknownShare
	}
	var found SharedTarget
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select org_id, base_id, $2::uuid, $2, false, '', false from rowhouse.base_share where share_id = $1
			union all
			select org_id, $2, view_id, coalesce(person_id, $2), framed, coalesce(password_hash, ''),
				editable
			from rowhouse.view_share
			where share_id = $1 and (expires_at is null or expires_at > now())`, shareID, uuid.Nil).
			QueryRow(func(row pgx.Row) error {
				return row.Scan(&found.Org, &found.Base, &found.View, &found.Person, &found.Framed, &found.password,
					&found.Editable)
			})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrUnknownShare
	}
	if err != nil {
		return nil, fmt.Errorf("resolving the share: %w", err)
	}
	return &found, nil
}

func scanOptional(rows pgx.Rows, into *string) error {
	for rows.Next() {
		if err := rows.Scan(into); err != nil {
			return fmt.Errorf("scanning the share: %w", err)
		}
	}
	return rows.Err()
}

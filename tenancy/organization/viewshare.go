package organization

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A ViewShare makes one view readable by everybody with its id, and the password if it has one. A form is answered
// instead.
type ViewShare struct {
	ID          string // "" when the view is not shared
	HasPassword bool
	ExpiresAt   *time.Time // nil means never
	Framed      bool       // other sites may show it
	Answers     int64      // that a form has had, by the share or without it
	Visits      int64      // of its page, since it has its id
	Editable    bool       // its readers change and add records within the view; not of forms
}

// A ViewShareDraft says how a view is shared. What is nil stays as it is.
type ViewShareDraft struct {
	Regenerate bool
	Password   *string    // "" takes the password away
	ExpiresAt  *time.Time // the zero time means never
	Framed     *bool
	Editable   *bool
	// Person is who shares the view: a form takes answers, and an editable view changes, with their rights.
	Person uuid.UUID
}

// Bounds of the password of a share, in characters.
const (
	minSharePassword = 8
	maxSharePassword = 200
)

// hashing are parameters of OWASP's password storage cheat sheet, as those of accounts are.
var hashing = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const viewShareColumns = "share_id, password_hash is not null, expires_at, framed, coalesce((select a.answers " +
	"from rowhouse.form_answer a where a.org_id = s.org_id and a.view_id = s.view_id), 0), visits, editable"

func (v *ViewShare) scanTargets() []any {
	return []any{&v.ID, &v.HasPassword, &v.ExpiresAt, &v.Framed, &v.Answers, &v.Visits, &v.Editable}
}

// View returns the share of a view, also if it has expired.
func (s *Shares) View(ctx context.Context, org, view uuid.UUID) (ViewShare, error) {
	var share ViewShare
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+viewShareColumns+" from rowhouse.view_share s where org_id = $1 and view_id = $2", org, view).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					if err := rows.Scan(share.scanTargets()...); err != nil {
						return fmt.Errorf("scanning the share: %w", err)
					}
				}
				return rows.Err()
			})
	})
	if err != nil {
		return ViewShare{}, fmt.Errorf("reading the share of a view: %w", err)
	}
	return share, nil
}

// EnableView shares a view, or changes how it is shared. It returns an error of kind not_found for an unknown view, and
// of kind invalid with the path of a wrong value.
func (s *Shares) EnableView(ctx context.Context, org, view uuid.UUID, draft ViewShareDraft) (ViewShare, error) {
	var hash *string
	if draft.Password != nil && *draft.Password != "" {
		n := utf8.RuneCountInString(*draft.Password)
		if n < minSharePassword || n > maxSharePassword {
			return ViewShare{}, problem.Invalid("password", "must have %d to %d characters, or be empty for none",
				minSharePassword, maxSharePassword)
		}
		made, err := argon2id.CreateHash(norm.NFKC.String(*draft.Password), &hashing)
		if err != nil {
			return ViewShare{}, fmt.Errorf("hashing the password of a share: %w", err)
		}
		hash = &made
	}
	var expires *time.Time
	if draft.ExpiresAt != nil && !draft.ExpiresAt.IsZero() {
		if !draft.ExpiresAt.After(time.Now()) {
			return ViewShare{}, problem.Invalid("expiresTime", "must be in the future")
		}
		expires = draft.ExpiresAt
	}
	var secret uuid.UUID
	if _, err := rand.Read(secret[:]); err != nil {
		return ViewShare{}, fmt.Errorf("generating a share id: %w", err)
	}
	var share ViewShare
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.view_share as s (org_id, view_id, share_id, password_hash, expires_at, framed,
				person_id, editable)
			values ($1, $2, $3, $4, $5, coalesce($9, false),
				nullif($10, '00000000-0000-0000-0000-000000000000'::uuid), coalesce($11, false))
			on conflict (org_id, view_id) do update
			set share_id = case when $6 then excluded.share_id else s.share_id end,
				password_hash = case when $7 then excluded.password_hash else s.password_hash end,
				expires_at = case when $8 then excluded.expires_at else s.expires_at end,
				visits = case when $6 then 0 else s.visits end,
				framed = coalesce($9, s.framed), editable = coalesce($11, s.editable), person_id = excluded.person_id
			returning `+viewShareColumns, org, view, id.Format(id.Share, secret), hash, expires,
			draft.Regenerate, draft.Password != nil, draft.ExpiresAt != nil, draft.Framed, draft.Person,
			draft.Editable).
			QueryRow(func(row pgx.Row) error { return row.Scan(share.scanTargets()...) })
		audit.Record(ctx, b, org, &audit.Event{Action: "set_view_share", Subject: id.Format(id.View, view)})
	})
	if pgerror.Is(err, pgerrcode.ForeignKeyViolation) {
		return ViewShare{}, problem.NotFound("view", id.Format(id.View, view))
	}
	if err != nil {
		return ViewShare{}, fmt.Errorf("sharing a view: %w", err)
	}
	return share, nil
}

// CountVisit counts that somebody has opened the page of a shared view.
func (s *Shares) CountVisit(ctx context.Context, target *SharedTarget) error {
	err := s.db.Batch(ctx, target.Org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.view_share set visits = visits + 1 where org_id = $1 and view_id = $2",
			target.Org, target.View)
	})
	if err != nil {
		return fmt.Errorf("counting a visit: %w", err)
	}
	return nil
}

// DisableView ends the share of a view. It does nothing when the view is not shared.
func (s *Shares) DisableView(ctx context.Context, org, view uuid.UUID) error {
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.view_share where org_id = $1 and view_id = $2", org, view)
		audit.Record(ctx, b, org, &audit.Event{Action: "disable_view_share", Subject: id.Format(id.View, view)})
	})
	if err != nil {
		return fmt.Errorf("ending the share of a view: %w", err)
	}
	return nil
}

// HasPassword reports whether readers need a password.
func (t *SharedTarget) HasPassword() bool { return t.password != "" }

// Matches reports whether a password is the one of the share. It takes tens of milliseconds of a processor.
func (t *SharedTarget) Matches(password string) (bool, error) {
	if utf8.RuneCountInString(password) > maxSharePassword {
		return false, nil // a very long one is costly to normalize
	}
	match, err := argon2id.ComparePasswordAndHash(norm.NFKC.String(password), t.password)
	if err != nil {
		return false, fmt.Errorf("comparing the password of a share: %w", err)
	}
	return match, nil
}

// Pass returns what a reader who gave the password keeps, for Passes. It is worth nothing once the password is another.
func (t *SharedTarget) Pass(shareID string) string {
	mac := hmac.New(sha256.New, []byte(t.password))
	_, _ = mac.Write([]byte(shareID)) // it never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Passes reports whether a reader has given the password.
func (t *SharedTarget) Passes(shareID, pass string) bool {
	return hmac.Equal([]byte(pass), []byte(t.Pass(shareID)))
}

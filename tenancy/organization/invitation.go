package organization

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// InvitationLife is how long an invitation can be accepted.
const InvitationLife = 14 * 24 * time.Hour

// InvitationHolds is the SQL condition that the inviter of an invitation i could send it now: the
// inviter is a member who may invite, with a role no lower than the role of the invitation.
const InvitationHolds = `exists (select from rowhouse.member inviter
	where inviter.org_id = i.org_id and inviter.person_id = i.invited_by and inviter.role in ('admin', 'owner')
		and (inviter.role = 'owner' or i.role <> 'owner'))`

// endInvitations deletes the pending invitations of a person that no longer satisfy
// InvitationHolds, and returns their ids. The caller has changed the person's membership in the
// same transaction.
func endInvitations(ctx context.Context, tx pgx.Tx, org, inviter uuid.UUID) ([]string, error) {
	rows, err := tx.Query(ctx, `delete from rowhouse.invitation i
		where i.org_id = $1 and i.invited_by = $2 and i.accepted_at is null and not `+InvitationHolds+`
			returning i.id`, org, inviter)
	if err != nil {
		return nil, fmt.Errorf("ending invitations: %w", err)
	}
	ended, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var invitation uuid.UUID
		err := row.Scan(&invitation)
		return id.Format(id.Invitation, invitation), err
	})
	if err != nil {
		return nil, fmt.Errorf("ending invitations: %w", err)
	}
	return ended, nil
}

// An Invitation asks a person to join an organization. Its tokens are sent by mail; only their
// SHA-256 hashes are stored.
type Invitation struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	CreatedAt time.Time
	ExpiresAt time.Time
}

// maxFormerLinks is how many earlier links of a renewed invitation stay valid.
const maxFormerLinks = 20

// An InvitedBase is a base in which whoever accepts an invitation gets a role.
type InvitedBase struct {
	Base uuid.UUID `json:"base"`
	Role string    `json:"role"` // in the base
}

// Announce queues the mail of an invitation. Its transaction has not committed yet, and may still
// fail.
type Announce func(ctx context.Context, invitation uuid.UUID) error

// Invite creates an invitation, or renews the pending one for the same address. Links sent before a
// renewal stay valid while the invitation is pending and give its present role; links of an expired
// invitation do not. If announce fails, nothing is written. If announce is nil, Invite returns the
// token of a link instead. bases replace those of an earlier invitation. Only an owner may invite an
// owner. Inviting a member is a conflict.
func Invite(
	ctx context.Context, db *db.DB, org uuid.UUID, actor Role, inviter uuid.UUID, email string, role Role,
	announce Announce, bases ...InvitedBase,
) (Invitation, string, error) {
	email, err := naming.CleanEmail("email", email)
	if err != nil {
		return Invitation{}, "", err
	}
	if role == Owner && actor != Owner {
		return Invitation{}, "", problem.Forbidden("Only an owner may invite an owner.").
			WithCode(problem.CodeInsufficientRole)
	}
	token, hash := newInvitationToken()
	invitation := Invitation{Email: email, Role: role}
	err = db.Tx(ctx, org, func(tx pgx.Tx) error {
		var member bool
		err := tx.QueryRow(ctx, `select exists(select from rowhouse.member m
			join rowhouse.person p on p.id = m.person_id
			where m.org_id = $1 and p.email = $2)`, org, email).Scan(&member)
		if err != nil {
			return fmt.Errorf("looking for the member: %w", err)
		}
		if member {
			return problem.Conflict("%s is a member of this organization already.", email).
				WithCode(problem.CodeAlreadyMember)
		}
		err = tx.QueryRow(ctx,
			`insert into rowhouse.invitation (org_id, id, email, role, token_hash, invited_by, expires_at, bases)
			values ($1, $2, $3, $4, $5, $6, now() + $7::interval, $10)
			on conflict (org_id, email) where accepted_at is null do update
			set role = excluded.role, bases = excluded.bases, invited_by = excluded.invited_by,
				expires_at = excluded.expires_at,
				token_hash = case when $9
				and invitation.expires_at > now() then invitation.token_hash else excluded.token_hash end,
				former_hashes = case when invitation.expires_at <= now() then '{}' when $9 then invitation.former_hashes
					else (invitation.token_hash || invitation.former_hashes)[1:$8] end
			returning id, created_at, expires_at`,
			org, id.New(), email, role, hash, inviter, InvitationLife, maxFormerLinks, announce != nil, bases).
			Scan(&invitation.ID, &invitation.CreatedAt, &invitation.ExpiresAt)
		if err != nil {
			return fmt.Errorf("writing the invitation: %w", err)
		}
		// The role that the caller knows may have been taken away since: removing the inviter waits
		// for this, or is seen by it.
		var present Role
		// A removal locks the organization before its members, so the invitation, which refers to it, comes first.
		err = tx.QueryRow(ctx, "select role from rowhouse.member where org_id = $1 and person_id = $2 for share",
			org, inviter).Scan(&present)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("reading the role of the inviter: %w", err)
		}
		if !present.AtLeast(Admin) || (role == Owner && present != Owner) {
			return problem.Forbidden("Your role in this organization does not let you invite a member as %s.", role).
				WithCode(problem.CodeInsufficientRole)
		}
		err = audit.RecordTx(ctx, tx, org, &audit.Event{
			Action: "invite_member", Subject: id.Format(id.Invitation, invitation.ID),
			Detail: map[string]string{"email": email, "role": string(role)},
		})
		if err != nil || announce == nil {
			return err
		}
		return announce(ctx, invitation.ID)
	})
	if err != nil {
		return Invitation{}, "", err
	}
	if announce != nil {
		token = "" // LinkInvitation makes the one that is mailed
	}
	return invitation, token, nil
}

func newInvitationToken() (token string, hash []byte) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	token = base64.RawURLEncoding.EncodeToString(secret)
	sum := sha256.Sum256([]byte(token))
	return token, sum[:]
}

// An InvitationLink is the content of an invitation's mail.
type InvitationLink struct {
	Token        string
	Email        string
	Organization string
	Inviter      string
}

// LinkInvitation creates another link of a pending invitation for a mail that is about to be sent.
// Earlier links stay valid. It returns nil if the invitation was accepted or revoked, has expired,
// or no longer satisfies InvitationHolds.
func LinkInvitation(ctx context.Context, tenantDB *db.DB, org, invitation uuid.UUID) (*InvitationLink, error) {
	token, hash := newInvitationToken()
	link := &InvitationLink{Token: token}
	err := tenantDB.Tx(ctx, org, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `update rowhouse.invitation i
			set token_hash = $3, former_hashes = (i.token_hash || i.former_hashes)[1:$4]
			where i.org_id = $1 and i.id = $2 and i.accepted_at is null and i.expires_at > now() and `+InvitationHolds+`
			returning i.email, (select o.name from rowhouse.organization o where o.org_id = i.org_id),
				(select p.name from rowhouse.person p where p.id = i.invited_by)`, org, invitation, hash,
			maxFormerLinks).
			Scan(&link.Email, &link.Organization, &link.Inviter)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // by the contract above
	}
	if err != nil {
		return nil, fmt.Errorf("making a link of an invitation: %w", err)
	}
	return link, nil
}

// ListInvitations returns the invitations that were not accepted yet, including expired ones.
func ListInvitations(ctx context.Context, tenantDB *db.DB, org uuid.UUID) ([]Invitation, error) {
	var invitations []Invitation
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select id, email, role, created_at, expires_at from rowhouse.invitation
			where org_id = $1 and accepted_at is null order by created_at, id`, org).Query(func(rows pgx.Rows) error {
			var err error
			invitations, err = pgx.CollectRows(rows, pgx.RowToStructByName[Invitation])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing the invitations: %w", err)
	}
	return invitations, nil
}

// RevokeInvitation deletes an invitation that was not accepted yet.
func RevokeInvitation(ctx context.Context, tenantDB *db.DB, org, invitation uuid.UUID) error {
	return tenantDB.Tx(ctx, org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx,
			"delete from rowhouse.invitation where org_id = $1 and id = $2 and accepted_at is null", org, invitation)
		if err != nil {
			return fmt.Errorf("revoking the invitation: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return problem.NotFound("invitation", id.Format(id.Invitation, invitation))
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{
			Action:  "revoke_invitation",
			Subject: id.Format(id.Invitation, invitation),
		})
	})
}

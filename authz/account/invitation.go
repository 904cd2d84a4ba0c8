package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// An Invitation is a pending invitation into an organization.
type Invitation struct {
	Org       uuid.UUID
	ID        uuid.UUID
	OrgName   string
	Email     string
	Role      organization.Role
	InvitedBy string // name of the inviter, or ""
	Account   bool   // whether the address already has an account
	Bases     []organization.InvitedBase

	hash []byte
}

// Invitation returns the invitation of a token. It returns an error of kind not_found with the code
// dead_link for one that was accepted or revoked, has expired, or whose inviter has lost the right
// to invite.
func (s *Service) Invitation(ctx context.Context, token string) (*Invitation, error) {
	i := Invitation{hash: hashBytes(token)}
	var by *string
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select i.org_id, i.id, o.name, i.email, i.role,
				(select p.name from rowhouse.person p where p.id = i.invited_by),
				exists (select from rowhouse.person p where p.email = i.email), coalesce(i.bases, '[]')
			from rowhouse.invitation i join rowhouse.organization o on o.org_id = i.org_id
			where (i.token_hash = $1 or i.former_hashes @> array[$1::bytea])
				and i.accepted_at is null and i.expires_at > $2 and `+organization.InvitationHolds, i.hash, time.Now()).
			Scan(&i.Org, &i.ID, &i.OrgName, &i.Email, &i.Role, &by, &i.Account, &i.Bases)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, deadLinkError()
	}
	if err != nil {
		return nil, fmt.Errorf("reading an invitation: %w", err)
	}
	if by != nil {
		i.InvitedBy = *by
	}
	return &i, nil
}

// Accept makes the person of a session a member, and returns the invitation. A member with a higher
// role keeps it. It returns an error of kind forbidden when the invitation is for another address,
// of kind not_found as Invitation does, and of kind unauthenticated when the session has ended.
func (s *Service) Accept(ctx context.Context, token string, session *SessionInfo) (*Invitation, error) {
	person := session.Person
	invitation, err := s.Invitation(ctx, token)
	if err != nil {
		return nil, err
	}
	if invitation.Email != person.Email {
		return nil, problem.Forbidden("This invitation is for %s, and you are signed in as %s.",
			invitation.Email, person.Email).
			WithCode(problem.CodeAnotherAddress)
	}
	return invitation, s.accept(ctx, invitation, person.ID, func(ctx context.Context, tx pgx.Tx) error {
		return credential.LockSession(ctx, tx, person.ID, session.ID)
	})
}

// accept makes a person a member. The caller has checked the token and that the address is the
// person's. lock locks the person and checks that the session or password is still valid.
func (s *Service) accept(
	ctx context.Context, invitation *Invitation, person uuid.UUID, lock func(ctx context.Context, tx pgx.Tx) error,
) error {
	s.Cache.InvalidatePerson(ctx, person)
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		// Receiving the link confirms the address.
		_, err := tx.Exec(ctx,
			"update rowhouse.person set email_verified = coalesce(email_verified, now()) where id = $1 and email = $2",
			person, invitation.Email)
		if err != nil {
			return fmt.Errorf("confirming the address: %w", err)
		}
		tag, err := tx.Exec(ctx, `update rowhouse.invitation i set accepted_at = now()
			where i.org_id = $1 and i.id = $2 and (i.token_hash = $3 or i.former_hashes @> array[$3::bytea])
			and i.role = $4
				and i.accepted_at is null and i.expires_at > now() and `+organization.InvitationHolds,
			invitation.Org, invitation.ID, invitation.hash, invitation.Role)
		if err != nil {
			return fmt.Errorf("using the invitation: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return deadLinkError()
		}
		_, err = tx.Exec(ctx, `insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)
			on conflict (org_id, person_id) do update set role = excluded.role
			where array_position($4::text[], member.role) < array_position($4::text[], excluded.role)`,
			invitation.Org, person, invitation.Role, organization.Roles)
		if err != nil {
			return err
		}
		return audit.RecordTx(db.WithActor(ctx, db.Actor{Person: person}), tx, invitation.Org, &audit.Event{
			Action: "accept_invitation", Subject: id.Format(id.Invitation, invitation.ID),
			Detail: map[string]organization.Role{"role": invitation.Role},
		})
	})
	s.Cache.InvalidatePerson(ctx, person)
	if err != nil {
		return fmt.Errorf("accepting the invitation to %s: %w", id.Format(id.Org, invitation.Org), err)
	}
	return s.grantBases(ctx, invitation, person)
}

// grantBases gives a new member the roles in bases that the invitation names. A base that is gone is passed over.
func (s *Service) grantBases(ctx context.Context, invitation *Invitation, person uuid.UUID) error {
	ctx = db.WithActor(ctx, db.Actor{Person: person})
	for _, one := range invitation.Bases {
		if s.Grant == nil {
			return nil
		}
		err := s.Grant(ctx, invitation.Org, one.Base, person, one.Role)
		if err != nil && problem.KindOf(err) != problem.KindNotFound {
			return fmt.Errorf("granting what the invitation to %s names: %w", id.Format(id.Org, invitation.Org), err)
		}
	}
	return nil
}

package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// An Invitation asks somebody into an organization.
type Invitation struct {
	Org       uuid.UUID
	ID        uuid.UUID
	OrgName   string
	Email     string
	Role      tenancy.Role
	InvitedBy string // a name, or ""
	Account   bool   // the address has an account already

	hash []byte
}

// Invitation returns what the token of a pending invitation stands for. It returns an error of kind not_found with the code
// dead_link for one that was accepted, revoked or has expired.
func (s *Service) Invitation(ctx context.Context, token string) (*Invitation, error) {
	i := Invitation{hash: hashBytes(token)}
	var by *string
	err := s.DB.System(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select i.org_id, i.id, o.name, i.email, i.role,
				(select p.name from rowhouse.person p where p.id = i.invited_by),
				exists (select from rowhouse.person p where p.email = i.email)
			from rowhouse.invitation i join rowhouse.organization o on o.org_id = i.org_id
			where (i.token_hash = $1 or i.former_hashes @> array[$1::bytea])
				and i.accepted_at is null and i.expires_at > $2`, i.hash, time.Now()).
			Scan(&i.Org, &i.ID, &i.OrgName, &i.Email, &i.Role, &by, &i.Account)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, linkError()
	}
	if err != nil {
		return nil, fmt.Errorf("reading an invitation: %w", err)
	}
	if by != nil {
		i.InvitedBy = *by
	}
	return &i, nil
}

// Accept makes a person a member by invitation, and returns the invitation. Who is a member already with a higher role keeps
// it. It returns an error of kind forbidden when the invitation is for another address, and of kind not_found as Invitation does.
func (s *Service) Accept(ctx context.Context, token string, person credential.Person) (*Invitation, error) {
	invitation, err := s.Invitation(ctx, token)
	if err != nil {
		return nil, err
	}
	if invitation.Email != person.Email {
		return nil, tenancy.Forbidden("This invitation is for %s, and you are signed in as %s.", invitation.Email, person.Email).
			WithCode("another_address")
	}
	return invitation, s.accept(ctx, invitation, person.ID)
}

// accept trusts that the invitation was read with its token, and that the person has its address.
func (s *Service) accept(ctx context.Context, invitation *Invitation, person uuid.UUID) error {
	s.Cache.ForgetPerson(ctx, person)
	err := s.DB.Within(ctx, invitation.Org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update rowhouse.invitation set accepted_at = now()
			where org_id = $1 and id = $2 and (token_hash = $3 or former_hashes @> array[$3::bytea]) and role = $4
				and accepted_at is null and expires_at > now()`,
			invitation.Org, invitation.ID, invitation.hash, invitation.Role)
		if err != nil {
			return fmt.Errorf("using the invitation: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return linkError()
		}
		_, err = tx.Exec(ctx, `insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)
			on conflict (org_id, person_id) do update set role = excluded.role
			where array_position($4::text[], member.role) < array_position($4::text[], excluded.role)`,
			invitation.Org, person, invitation.Role, tenancy.Roles)
		if err != nil {
			return err
		}
		return s.DB.As(tenancy.Actor{Person: person}).SignTx(ctx, tx, invitation.Org, &tenancy.Event{
			Action: "accept_invitation", Subject: id.Format(id.Invitation, invitation.ID), Detail: map[string]tenancy.Role{"role": invitation.Role},
		})
	})
	if err == nil {
		// The link was received at that address.
		err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
			b.Queue("update rowhouse.person set email_verified = coalesce(email_verified, now()) where id = $1 and email = $2",
				person, invitation.Email)
		})
	}
	s.Cache.ForgetPerson(ctx, person)
	if err != nil {
		return fmt.Errorf("accepting the invitation to %s: %w", id.Format(id.Org, invitation.Org), err)
	}
	return nil
}

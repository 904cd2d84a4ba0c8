package account

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

const signature = "\n\n— Rowhouse\n"

func (s *Service) verifyMessage(to, name, token string) *Message {
	return &Message{to, "Confirm your e-mail address", fmt.Sprintf(`Hello %s,

please confirm that this is your e-mail address by opening

%s/verify-email?token=%s

The link works for %s. If you did not sign up, ignore this mail. Nobody can confirm your address
without it, and opening the link asks for the password of the account unless you are signed in.`,
		mailSafeName(name), s.BaseURL, token, days(verifyLife)) + signature}
}

func (s *Service) addressMessage(to, name, token string) *Message {
	return &Message{to, "Use this e-mail address for your account", fmt.Sprintf(`Hello %s,

somebody, hopefully you, wants to use this e-mail address for their account. To use it from now on, open

%s/change-email?token=%s

The link works once, for a day, and asks for the password of the account unless you are signed in. If it was
not you, ignore this mail: nothing has changed.`,
		mailSafeName(name), s.BaseURL, token) + signature}
}

func (s *Service) resetMessage(to, name, token string) *Message {
	return &Message{to, "Reset your password", fmt.Sprintf(`Hello %s,

somebody, hopefully you, asked to reset the password of your account. To choose a new one, open

%s/reset-password?token=%s

The link works once, for an hour. All sessions are signed out when you use it, and all API keys and
connected apps end unless you want to keep them. If it was not you, ignore this mail: nothing has changed.`,
		mailSafeName(name), s.BaseURL, token) + signature}
}

// Invite checks that a person may invite an address into an organization now, and returns the
// function that queues the mail in the transaction that creates the invitation. It returns an error
// of kind forbidden with the code unconfirmed_address when the person's own address is not
// confirmed, of kind rate_limited beyond the limits of the person, the organization or the address,
// and of kind unavailable when the service sends no mail.
func (s *Service) Invite(ctx context.Context, inviter, org uuid.UUID, email string) (organization.Announce, error) {
	var confirmed bool
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select email_verified is not null from rowhouse.person where id = $1", inviter).
			QueryRow(func(row pgx.Row) error {
				return row.Scan(&confirmed)
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the inviter: %w", err)
	}
	if !confirmed {
		return nil, problem.Forbidden("Confirm your own e-mail address before you invite others: open the link that " +
			"was mailed to you, or ask for a new one on your account's page.").WithCode(problem.CodeUnconfirmedAddress)
	}
	email, err = naming.CleanEmail("email", email)
	if err != nil {
		return nil, err
	}
	if err := s.outbox.requireMailer(); err != nil {
		return nil, err
	}
	sent, err := s.attempts.Count(ctx, invitationByPerson, inviter.String())
	if err != nil {
		return nil, err
	}
	if err := s.attempts.Take(ctx, invitationByOrganization, org.String()); err != nil {
		return nil, err
	}
	if err := s.attempts.Take(ctx, invitationByRecipient, email); err != nil {
		return nil, err
	}
	to := job.InsertOptions{Queue: invitationQueue, Priority: invitationPriority(sent), Attempts: invitationAttempts}
	return func(ctx context.Context, invitation uuid.UUID) error {
		return s.outbox.queue(ctx, invitationMail{org, invitation, time.Now()}, to)
	}, nil
}

// invitationPriority gives precedence to the mails of people who send few, so that the backlog of
// one person does not delay others. sent is the number of invitations within the hour; the result
// is 1 (first) to 4.
func invitationPriority(sent int64) int {
	switch {
	case sent <= 5:
		return 1
	case sent <= 20:
		return 2
	case sent <= 50:
		return 3
	}
	return 4
}

// commitTime is how long the transaction of an invitation may take to commit after it queued the
// mail. The job is not part of it, because requests and jobs use different logins.
const commitTime = 30 * time.Second

// composeInvitation creates a new link of an invitation and the mail with it. Links mailed earlier
// remain valid. It returns nil when the invitation was accepted or revoked, has expired, or its
// inviter has lost the right to invite.
func (s *Service) composeInvitation(ctx context.Context, j invitationMail) (*Message, error) {
	link, err := organization.LinkInvitation(ctx, s.DB, j.Org, j.Invitation)
	if err == nil && link == nil && time.Since(j.At) < commitTime {
		return nil, job.Snooze(time.Second)
	}
	if err != nil || link == nil {
		return nil, err
	}
	return s.invitationMessage(link.Email, link.Organization, link.Inviter, link.Token), nil
}

func (s *Service) invitationMessage(to, orgName, inviter, token string) *Message {
	orgName, inviter = mailSafeName(orgName), mailSafeName(inviter)
	return &Message{to, "Invitation to " + orgName, fmt.Sprintf(`Hello,

%s invites you to join %s on Rowhouse. To accept, open

%s/invitation?token=%s

The link is meant for %s and works for %s. If you do not know what this is about, ignore it.`,
		inviter, orgName, s.BaseURL, token, to, days(organization.InvitationLife)) + signature}
}

func days(d time.Duration) string { return fmt.Sprintf("%d days", int(d.Hours()/24)) }

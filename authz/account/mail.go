package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

const signature = "\n\n— Rowhouse\n"

// A recipient is whom a mail goes to.
type recipient struct {
	email    string
	name     string // "" in an invitation, which names nobody
	language string // that the person chose, or ""
}

// message returns a mail to a recipient. Names in it went through mailSafeName.
func (r recipient) message(say *mailtext.Text, mail mailtext.Mail) *Message {
	name := r.name
	if name != "" {
		name = mailSafeName(name)
	}
	return &Message{r.email, mail.Subject, say.Greeting(name) + "\n\n" + mail.Text + signature}
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
	say, err := s.invitationText(ctx, j)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) { // without a row there is no link either
		return nil, fmt.Errorf("reading the language of an invitation: %w", err)
	}
	link, err := organization.LinkInvitation(ctx, s.DB, j.Org, j.Invitation)
	if err == nil && link == nil && time.Since(j.At) < commitTime {
		return nil, job.Snooze(time.Second)
	}
	if err != nil || link == nil {
		return nil, err
	}
	return recipient{email: link.Email}.message(say, say.Invitation(mailtext.Invitation{
		Inviter: mailSafeName(link.Inviter), Organization: mailSafeName(link.Organization), To: link.Email,
		Link: s.BaseURL + "/invitation?token=" + link.Token, Days: days(organization.InvitationLife),
	})), nil
}

// invitationText returns the texts in the language of whoever is invited, if the address has an account, or else of the
// inviter. Only the mail says which, so the inviter does not learn whether there is an account.
func (s *Service) invitationText(ctx context.Context, j invitationMail) (*mailtext.Text, error) {
	var invited, inviter string
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select
				coalesce((select p.language from rowhouse.person p where p.email = i.email), ''),
				coalesce((select p.language from rowhouse.person p where p.id = i.invited_by), '')
			from rowhouse.invitation i where i.org_id = $1 and i.id = $2`, j.Org, j.Invitation).
			Scan(&invited, &inviter)
	})
	return mailtext.For(invited, inviter), err
}

func days(d time.Duration) int { return int(d.Hours() / 24) }

package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	changeLife    = 24 * time.Hour
	purposeChange = "change"
)

// addressTaken says that another account has an address.
func addressTaken() error {
	e := problem.Conflict("This e-mail address has an account already. Sign in, or reset the password.").
		WithCode(problem.CodeAddressTaken)
	e.Items = []problem.Item{{Path: "email", Message: "has an account already"}}
	return e
}

// RequestAddress mails a link to a new address, with which the person signs in once they have opened it. Nothing
// changes before. The mail is in the language that the person chose, or else in that of the page. It returns an error
// of kind invalid for a malformed or the present address at "email" and for a wrong password at "password", of kind
// conflict with the code address_taken, of kind rate_limited, and of kind unavailable when the mail could not be
// queued.
func (s *Service) RequestAddress(
	ctx context.Context, session *SessionInfo, email, password, language string,
) error {
	person := session.Person
	email, err := naming.CleanEmail("email", email)
	if err != nil {
		return err
	}
	if email == person.Email {
		return problem.Invalid("email", "is your address already")
	}
	if _, err := s.checkPassword(ctx, person.ID, "password", password); err != nil {
		return err
	}
	for _, about := range []string{"change " + person.ID.String(), "change " + email} {
		if err := s.attempts.Take(ctx, mailByAccount, about); err != nil {
			return err
		}
	}
	// Signing up says it of an address too.
	if other, _, err := s.findPassword(ctx, "email = $1", email); err != nil {
		return err
	} else if other != uuid.Nil {
		return addressTaken()
	}
	return s.outbox.queue(ctx, addressMail{person.ID, email, language},
		job.InsertOptions{Queue: securityQueue, Priority: verificationPriority, Attempts: securityAttempts})
}

// composeAddress creates a link to a new address and the mail with it. It returns nil when the person no longer exists.
func (s *Service) composeAddress(ctx context.Context, j addressMail) (*Message, error) {
	to, token, err := s.issueToken(ctx, j.Person, j.Email, purposeChange, changeLife)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing to send
	}
	if err != nil {
		return nil, err
	}
	say := mailtext.For(to.language, j.Language)
	return to.message(say, say.Address(s.BaseURL+"/change-email?token="+token)), nil
}

// An AddressChange describes a link to a new address.
type AddressChange struct {
	From, To string
}

// PeekAddress returns the description of a link to a new address without using it up. It returns an error of kind
// not_found with the code dead_link for an invalid link.
func (s *Service) PeekAddress(ctx context.Context, token string) (AddressChange, error) {
	m, to, err := s.readAddressLink(ctx, token)
	return AddressChange{m.email, to}, err
}

func (s *Service) readAddressLink(ctx context.Context, token string) (m mailedLink, to string, err error) {
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select p.id, p.name, p.email, t.email
			from rowhouse.mailed_token t join rowhouse.person p on p.id = t.person_id
			where t.token_hash = $1 and t.purpose = $2 and t.expires_at > $3`,
			hashBytes(token), purposeChange, time.Now()).Scan(&m.person, &m.name, &m.email, &to)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return m, "", deadLinkError()
	}
	if err != nil {
		return m, "", fmt.Errorf("reading a link: %w", err)
	}
	return m, to, nil
}

// ChangeAddress uses a link to a new address. The link is not enough, for the same reason as with Verify: a mistyped
// address belongs to somebody else. In the same transaction all other mailed links of the person end, and a notice goes
// to the former address. It returns an error of kind not_found with the code dead_link for an invalid link, of kind
// unauthenticated when neither the session nor the password belongs to the account of the link, and of kind conflict
// with the code address_taken.
func (s *Service) ChangeAddress(ctx context.Context, answer Confirmation) error {
	m, to, err := s.readAddressLink(ctx, answer.Token)
	if err != nil {
		return err
	}
	lock, err := s.lockAccount(ctx, m, answer)
	if err != nil {
		return err
	}
	s.Cache.InvalidatePerson(ctx, m.person)
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		if err := consume(ctx, tx, answer.Token, purposeChange); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue("update rowhouse.person set email = $2, email_verified = now() where id = $1", m.person, to)
		batch.Queue("delete from rowhouse.mailed_token where person_id = $1", m.person)
		audit.RecordPerson(ctx, batch, m.person, uuid.Nil, &audit.Event{
			Action: "change_email", Subject: id.Format(id.User, m.person),
		})
		err := tx.SendBatch(ctx, batch).Close()
		if pgerror.Is(err, pgerrcode.UniqueViolation) {
			return addressTaken()
		}
		if err != nil {
			return fmt.Errorf("changing an address: %w", err)
		}
		return s.outbox.queueNoticeTx(ctx, tx, pendingNotice{
			Person: m.person, Change: credential.AddressChanged, At: time.Now(), To: m.email,
		})
	})
	s.Cache.InvalidatePerson(ctx, m.person)
	return err
}

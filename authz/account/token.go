package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	verifyLife = 7 * 24 * time.Hour
	resetLife  = time.Hour

	purposeVerify = "verify"
	purposeReset  = "reset"
)

func deadLinkError() error {
	return (&problem.Error{
		Kind:    problem.KindNotFound,
		Message: "This link does not work any more: it was used, has expired, or is not complete.",
	}).WithCode(problem.CodeDeadLink)
}

// RequestReset mails a link that resets the password, if the address has an account. The mail is in
// the language that the person chose, or else in that of the page. The result is the same, after
// the same work, if the address has no account. It returns an error of kind invalid for a malformed
// address, of kind rate_limited beyond the limits of the client address and the recipient, and of
// kind unavailable when the mail could not be queued.
func (s *Service) RequestReset(ctx context.Context, email, address, language string) error {
	email, err := naming.CleanEmail("email", email)
	if err != nil {
		return err
	}
	if err := s.attempts.Take(ctx, mailByAddress, address); err != nil {
		return err
	}
	if err := s.attempts.Take(ctx, mailByAccount, "reset "+email); err != nil {
		return err // the same for unknown addresses
	}
	return s.outbox.queue(ctx, resetMail{email, language},
		job.InsertOptions{Queue: securityQueue, Priority: resetPriority, Attempts: securityAttempts})
}

// composeReset creates a reset link and the mail with it. It returns nil for an unknown address.
func (s *Service) composeReset(ctx context.Context, j resetMail) (*Message, error) {
	person, _, err := s.findPassword(ctx, "email = $1", j.Email)
	if err != nil || person == uuid.Nil {
		return nil, err
	}
	to, token, err := s.issueToken(ctx, person, j.Email, purposeReset, resetLife)
	if err != nil {
		return nil, err
	}
	say := mailtext.For(to.language, j.Language)
	return to.message(say, say.Reset(s.BaseURL+"/reset-password?token="+token)), nil
}

// issueToken creates a token for a purpose and revokes earlier ones for the same purpose. It returns
// whom to mail it to.
func (s *Service) issueToken(
	ctx context.Context,
	person uuid.UUID,
	email, purpose string,
	life time.Duration,
) (to recipient, token string, err error) {
	to.email, token = email, newToken()
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(
			ctx, "select name, language from rowhouse.person where id = $1 for no key update", person,
		).Scan(&to.name, &to.language); err != nil {
			return fmt.Errorf("reading the person: %w", err)
		}
		if _, err := tx.Exec(
			ctx, "delete from rowhouse.mailed_token where person_id = $1 and purpose = $2", person, purpose,
		); err != nil {
			return fmt.Errorf("revoking earlier links: %w", err)
		}
		_, err := tx.Exec(ctx, `insert into rowhouse.mailed_token (token_hash, person_id, purpose, email, expires_at)
			values ($1, $2, $3, $4, $5)`, hashBytes(token), person, purpose, email, time.Now().Add(life))
		return err
	})
	if err != nil {
		return recipient{}, "", fmt.Errorf("creating a link: %w", err)
	}
	return to, token, nil
}

// mailedLink is the person that a token was mailed to.
type mailedLink struct {
	person   uuid.UUID
	name     string
	email    string
	verified bool
}

const mailedLinkSQL = ` from rowhouse.mailed_token t join rowhouse.person p on p.id = t.person_id and p.email = t.email
	where t.token_hash = $1 and t.purpose = $2 and t.expires_at > $3`

func (s *Service) readLink(ctx context.Context, token, purpose string) (mailedLink, error) {
	var m mailedLink
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select p.id, p.name, p.email, p.email_verified is not null"+mailedLinkSQL,
			hashBytes(token), purpose, time.Now()).
			Scan(&m.person, &m.name, &m.email, &m.verified)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return m, deadLinkError()
	}
	if err != nil {
		return m, fmt.Errorf("reading a link: %w", err)
	}
	return m, nil
}

// A ResetLink describes a reset link.
type ResetLink struct {
	Email string
	// AddressConfirmed reports whether the address was confirmed before. Otherwise the reset always
	// revokes keys and connected apps, because somebody else may have signed up with the address.
	AddressConfirmed bool
}

// PeekReset returns the description of a reset link without using it up. It returns an error of
// kind not_found with the code dead_link for an invalid link.
func (s *Service) PeekReset(ctx context.Context, token string) (ResetLink, error) {
	m, err := s.readLink(ctx, token, purposeReset)
	return ResetLink{m.email, m.verified}, err
}

// A NewPassword is the form of a reset link.
type NewPassword struct {
	Token           string
	Password        string
	KeepCredentials bool // keep API keys and connected apps, if the address was confirmed before
}

// Reset uses a reset link to set a password, and returns a proof of identity. It confirms the
// address. In the same transaction it ends all sessions, revokes the credentials that they
// authorized, and revokes all trusted devices. It returns an error of kind not_found with the code
// dead_link for an invalid link, and of kind invalid at "password" for a weak password.
func (s *Service) Reset(ctx context.Context, next NewPassword) (Proof, error) {
	m, err := s.readLink(ctx, next.Token, purposeReset)
	if err != nil {
		return Proof{}, err
	}
	if err := checkNewPassword("password", next.Password, m.name, m.email); err != nil {
		return Proof{}, err
	}
	hash, err := s.hasher.hash(ctx, next.Password)
	if err != nil {
		return Proof{}, err
	}
	var ended []credential.Hash
	committed, notice := func() {}, ""
	s.Cache.InvalidatePerson(ctx, m.person)
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := credential.LockPerson(ctx, tx, m.person); err != nil {
			return err
		}
		if err := consume(ctx, tx, next.Token, purposeReset); err != nil {
			return err
		}
		var proven bool
		if err := tx.QueryRow(
			ctx, "select email_verified is not null from rowhouse.person where id = $1", m.person,
		).Scan(&proven); err != nil {
			return fmt.Errorf("reading the person: %w", err)
		}
		what := KeysAndApps
		if next.KeepCredentials && proven {
			what = UnredeemedCodes
		} else {
			notice = ", and all API keys and connected apps ended" // as the release before writes it
		}
		batch := &pgx.Batch{}
		batch.Queue(`update rowhouse.person set password_hash = $2, email_verified = coalesce(email_verified, now()),
			device_epoch = null where id = $1`, m.person, hash)
		// Whoever knew the former password may have asked for another address.
		batch.Queue("delete from rowhouse.mailed_token where person_id = $1 and purpose = $2", m.person, purposeChange)
		audit.RecordPerson(ctx, batch, m.person, uuid.Nil, &audit.Event{
			Action:  "reset_password",
			Subject: id.Format(id.User, m.person),
		})
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("storing a password: %w", err)
		}
		var err error
		if committed, err = s.revokeCredentials(ctx, tx, m.person, what); err != nil {
			return err
		}
		if ended, err = s.deleteSessions(ctx, tx, "person_id = $1", m.person); err != nil {
			return err
		}
		return s.NotifyTx(ctx, tx, m.person, credential.PasswordReset, notice)
	})
	s.Cache.InvalidatePerson(ctx, m.person)
	s.Cache.Invalidate(ctx, credential.Session, ended...)
	if err != nil {
		return Proof{}, err
	}
	committed()
	s.attempts.Reset(ctx, signInFailures, m.email)
	return Proof{m.person, &hash}, nil
}

// consume uses up a token. Of two concurrent calls, one returns deadLinkError.
func consume(ctx context.Context, tx pgx.Tx, token, purpose string) error {
	tag, err := tx.Exec(ctx,
		"delete from rowhouse.mailed_token where token_hash = $1 and purpose = $2 and expires_at > $3",
		hashBytes(token), purpose, time.Now())
	if err != nil {
		return fmt.Errorf("using a link: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return deadLinkError()
	}
	return nil
}

// RequestVerification mails a link that confirms the person's address. The mail is in the language
// that the person chose, or else in that of the page. It returns an error of kind conflict when the
// address is already confirmed, of kind rate_limited, and of kind unavailable when the mail could
// not be queued.
func (s *Service) RequestVerification(ctx context.Context, person credential.Person, language string) error {
	if person.Verified {
		return problem.Conflict("Your e-mail address is verified already.")
	}
	if err := s.attempts.Take(ctx, mailByAccount, "verify "+person.Email); err != nil {
		return err
	}
	return s.mailVerification(ctx, person.ID, language)
}

func (s *Service) mailVerification(ctx context.Context, person uuid.UUID, language string) error {
	return s.outbox.queue(ctx, verificationMail{person, language},
		job.InsertOptions{Queue: securityQueue, Priority: verificationPriority, Attempts: securityAttempts})
}

// composeVerification creates a verification link and the mail with it. It returns nil when the
// person no longer exists or the address is confirmed.
func (s *Service) composeVerification(ctx context.Context, j verificationMail) (*Message, error) {
	var email string
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select email from rowhouse.person where id = $1 and email_verified is null", j.Person).
			Scan(&email)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("reading an address: %w", err)
	}
	to, token, err := s.issueToken(ctx, j.Person, email, purposeVerify, verifyLife)
	if err != nil {
		return nil, err
	}
	say := mailtext.For(to.language, j.Language)
	return to.message(say, say.Verify(s.BaseURL+"/verify-email?token="+token, days(verifyLife))), nil
}

// VerifyAddress returns the address that a verification link confirms, without using it up, because
// mail scanners open links too.
func (s *Service) VerifyAddress(ctx context.Context, token string) (string, error) {
	m, err := s.readLink(ctx, token, purposeVerify)
	return m.email, err
}

// A Confirmation is the form of a verification link. The link is not enough, because somebody else
// may have signed up with the address, and that account must not become trusted when the owner of
// the address opens the link. So the form also requires a session or the password of the account.
type Confirmation struct {
	Token    string
	Session  *SessionInfo  // of the request, if there is one
	Password string        // instead of a session of that account
	Request  *http.Request // of the browser: its address counts, and whether the account knows it
}

// Verify uses a verification link and returns the person whose address is now confirmed. It returns
// an error of kind not_found with the code dead_link for an invalid link, and of kind
// unauthenticated when neither the session nor the password belongs to the account of the link.
func (s *Service) Verify(ctx context.Context, answer Confirmation) (uuid.UUID, error) {
	m, err := s.readLink(ctx, answer.Token, purposeVerify)
	if err != nil {
		return uuid.Nil, err
	}
	lock, err := s.lockAccount(ctx, m, answer)
	if err != nil {
		return uuid.Nil, err
	}
	s.Cache.InvalidatePerson(ctx, m.person)
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		if err := consume(ctx, tx, answer.Token, purposeVerify); err != nil {
			return err
		}
		_, err := tx.Exec(ctx,
			"update rowhouse.person set email_verified = coalesce(email_verified, now()) where id = $1", m.person)
		if err != nil {
			return fmt.Errorf("confirming the address: %w", err)
		}
		return s.NotifyTx(ctx, tx, m.person, credential.AddressConfirmed, "")
	})
	s.Cache.InvalidatePerson(ctx, m.person)
	if err != nil {
		return uuid.Nil, err
	}
	return m.person, nil
}

// lockAccount returns what locks the account of a link in a transaction, if the session or the password is of it.
func (s *Service) lockAccount(
	ctx context.Context, m mailedLink, answer Confirmation,
) (func(ctx context.Context, tx pgx.Tx) error, error) {
	if session := answer.Session; session != nil && session.Person.ID == m.person {
		return func(ctx context.Context, tx pgx.Tx) error {
			return credential.LockSession(ctx, tx, m.person, session.ID)
		}, nil
	}
	proof, err := s.SignInFrom(answer.Request.WithContext(ctx), m.email, answer.Password)
	if problem.KindOf(err) == problem.KindUnauthenticated {
		wrong := problem.Unauthenticated("The password is not that of the account.").
			WithCode(problem.CodeWrongPassword)
		wrong.Items = []problem.Item{{Path: "password", Message: "is not the password of this account"}}
		return nil, wrong
	}
	if err != nil {
		return nil, err
	}
	return proof.lock, nil
}

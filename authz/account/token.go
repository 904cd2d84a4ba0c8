package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/naming"
)

const (
	verifyLife = 7 * 24 * time.Hour
	resetLife  = time.Hour

	verify = "verify"
	reset  = "reset"
)

func linkError() error {
	return (&problem.Error{
		Kind: problem.KindNotFound, Message: "This link does not work any more: it was used, has expired, or is not complete.",
	}).WithCode("dead_link")
}

// RequestReset mails a link that resets the password to an address, if it is somebody's. The answer is the same, and
// comes as soon, if it is nobody's. It returns an error of kind invalid for what is no address, of kind rate_limited
// when the client asks too often or somebody asked too often for that address, and of kind unavailable when the mail
// could not be queued.
func (s *Service) RequestReset(ctx context.Context, email, address string) error {
	email, err := naming.CleanEmail("email", email)
	if err != nil {
		return err
	}
	if err := s.attempts.take(ctx, mailByAddress, address); err != nil {
		return err
	}
	if err := s.attempts.take(ctx, mailByAccount, "reset "+email); err != nil {
		return err // it is the same for an address that is nobody's
	}
	return s.outbox.queue(ctx, resetMail{email},
		job.Insertion{Queue: securityQueue, Priority: resetPriority, Attempts: securityAttempts})
}

// writeReset makes the link, and the mail that holds it. It returns nil for an address that is nobody's.
func (s *Service) writeReset(ctx context.Context, email string) (*Message, error) {
	person, _, err := s.password(ctx, "email = $1", email)
	if err != nil || person == uuid.Nil {
		return nil, err
	}
	name, token, err := s.issue(ctx, person, email, reset, resetLife)
	if err != nil {
		return nil, err
	}
	return s.resetMessage(email, name, token), nil
}

// issue makes a token of a purpose. Former ones of the same purpose stop working.
func (s *Service) issue(ctx context.Context, person uuid.UUID, email, purpose string, life time.Duration) (name, token string, err error) {
	token = newToken()
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, "select name from rowhouse.person where id = $1 for no key update", person).Scan(&name); err != nil {
			return fmt.Errorf("reading the person: %w", err)
		}
		if _, err := tx.Exec(ctx, "delete from rowhouse.mailed_token where person_id = $1 and purpose = $2", person, purpose); err != nil {
			return fmt.Errorf("voiding former links: %w", err)
		}
		_, err := tx.Exec(ctx, `insert into rowhouse.mailed_token (token_hash, person_id, purpose, email, expires_at)
			values ($1, $2, $3, $4, $5)`, hashBytes(token), person, purpose, email, time.Now().Add(life))
		return err
	})
	if err != nil {
		return "", "", fmt.Errorf("making a link: %w", err)
	}
	return name, token, nil
}

// mailed is what a token stands for.
type mailed struct {
	person   uuid.UUID
	name     string
	email    string
	verified bool
}

const mailedSQL = ` from rowhouse.mailed_token t join rowhouse.person p on p.id = t.person_id and p.email = t.email
	where t.token_hash = $1 and t.purpose = $2 and t.expires_at > $3`

func (s *Service) peek(ctx context.Context, token, purpose string) (mailed, error) {
	var m mailed
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select p.id, p.name, p.email, p.email_verified is not null"+mailedSQL, hashBytes(token), purpose, time.Now()).
			Scan(&m.person, &m.name, &m.email, &m.verified)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return m, linkError()
	}
	if err != nil {
		return m, fmt.Errorf("reading a link: %w", err)
	}
	return m, nil
}

// A ResetLink is what a page may show of a reset link.
type ResetLink struct {
	Email string
	// Proven says that the address was confirmed before. Otherwise keys and connected apps end with the reset in any
	// case: whoever signed up with the address may have been somebody else.
	Proven bool
}

// PeekReset returns what a reset link is for, without using the link up.
func (s *Service) PeekReset(ctx context.Context, token string) (ResetLink, error) {
	m, err := s.peek(ctx, token, reset)
	return ResetLink{m.email, m.verified}, err
}

// A NewPassword is the answer to a reset link.
type NewPassword struct {
	Token    string
	Password string
	Keep     bool // keys and connected apps go on working, where the address was confirmed before
}

// Reset uses a mailed link to set a password and proves whose. The link proves the address. All sessions end, and
// with them what they allowed, in one transaction: nothing that is asked for by one of them is made afterwards. It
// returns an error of kind not_found with the code dead_link for a link that does not work any more.
func (s *Service) Reset(ctx context.Context, next NewPassword) (Proof, error) {
	m, err := s.peek(ctx, next.Token, reset)
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
	committed, told := func() {}, ""
	s.Cache.ForgetPerson(ctx, m.person)
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := credential.HoldPerson(ctx, tx, m.person); err != nil {
			return err
		}
		if err := consume(ctx, tx, next.Token, reset); err != nil {
			return err
		}
		var proven bool
		if err := tx.QueryRow(ctx, "select email_verified is not null from rowhouse.person where id = $1", m.person).Scan(&proven); err != nil {
			return fmt.Errorf("reading the person: %w", err)
		}
		what := KeysAndApps
		if next.Keep && proven {
			what = Unredeemed
		} else {
			told = ", and all API keys and connected apps ended"
		}
		batch := &pgx.Batch{}
		batch.Queue(`update rowhouse.person set password_hash = $2, email_verified = coalesce(email_verified, now()),
			device_epoch = null where id = $1`, m.person, hash)
		audit.RecordPerson(s.DB, batch, m.person, uuid.Nil, &audit.Event{Action: "reset_password", Subject: id.Format(id.User, m.person)})
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("storing a password: %w", err)
		}
		var err error
		if committed, err = s.reclaim(ctx, tx, m.person, what); err != nil {
			return err
		}
		if ended, err = s.deleteSessions(ctx, tx, "person_id = $1", m.person); err != nil {
			return err
		}
		return s.TellTx(ctx, tx, m.person, credential.PasswordReset, told)
	})
	s.Cache.ForgetPerson(ctx, m.person)
	s.Cache.Forget(ctx, credential.Session, ended...)
	if err != nil {
		return Proof{}, err
	}
	committed()
	return Proof{m.person, &hash}, nil
}

// consume uses a token up; of two who try at once, one gets linkError.
func consume(ctx context.Context, tx pgx.Tx, token, purpose string) error {
	tag, err := tx.Exec(ctx, "delete from rowhouse.mailed_token where token_hash = $1 and purpose = $2 and expires_at > $3",
		hashBytes(token), purpose, time.Now())
	if err != nil {
		return fmt.Errorf("using a link: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return linkError()
	}
	return nil
}

// RequestVerification mails a link that proves the person's address. It returns an error of kind conflict when it is
// proven, of kind rate_limited, and of kind unavailable when the mail could not be queued.
func (s *Service) RequestVerification(ctx context.Context, person credential.Person) error {
	if person.Verified {
		return problem.Conflict("Your e-mail address is verified already.")
	}
	if err := s.attempts.take(ctx, mailByAccount, "verify "+person.Email); err != nil {
		return err
	}
	return s.mailVerification(ctx, person.ID)
}

func (s *Service) mailVerification(ctx context.Context, person uuid.UUID) error {
	return s.outbox.queue(ctx, verificationMail{person},
		job.Insertion{Queue: securityQueue, Priority: verificationPriority, Attempts: securityAttempts})
}

// writeVerification makes the link, and the mail that holds it. It returns nil for a person who is gone or has proven
// the address.
func (s *Service) writeVerification(ctx context.Context, person uuid.UUID) (*Message, error) {
	var email string
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select email from rowhouse.person where id = $1 and email_verified is null", person).Scan(&email)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there is none to send, by the contract above
	}
	if err != nil {
		return nil, fmt.Errorf("reading an address: %w", err)
	}
	name, token, err := s.issue(ctx, person, email, verify, verifyLife)
	if err != nil {
		return nil, err
	}
	return s.verifyMessage(email, name, token), nil
}

// VerifyAddress returns the address that a verification link proves, without using the link up: programs that look into mails
// open links too.
func (s *Service) VerifyAddress(ctx context.Context, token string) (string, error) {
	m, err := s.peek(ctx, token, verify)
	return m.email, err
}

// A Confirmation is the answer to a verification link. Who has the link alone has only the mail: the account may have
// been made by somebody else with this address, and must not become trusted because its owner opened what was sent to
// them. So the account itself has to answer, by one of its sessions or by its password.
type Confirmation struct {
	Token    string
	Session  *SessionInfo  // of the request, if there is one
	Password string        // instead of a session of that account
	Request  *http.Request // of the browser: its address counts, and whether the account knows it
}

// Verify uses a verification link and returns whose address is proven now. It returns an error of kind not_found with
// the code dead_link for a link that does not work any more, and of kind unauthenticated when neither session nor
// password is of the account that the link is for.
func (s *Service) Verify(ctx context.Context, answer Confirmation) (uuid.UUID, error) {
	m, err := s.peek(ctx, answer.Token, verify)
	if err != nil {
		return uuid.Nil, err
	}
	var hold func(ctx context.Context, tx pgx.Tx) error
	if session := answer.Session; session != nil && session.Person.ID == m.person {
		hold = func(ctx context.Context, tx pgx.Tx) error {
			return credential.HoldSession(ctx, tx, m.person, session.ID)
		}
	} else {
		proof, err := s.SignInFrom(answer.Request.WithContext(ctx), m.email, answer.Password)
		if problem.KindOf(err) == problem.KindUnauthenticated {
			wrong := problem.Unauthenticated("The password is not that of the account.").WithCode("wrong_password")
			wrong.Items = []problem.Item{{Path: "password", Message: "is not the password of this account"}}
			return uuid.Nil, wrong
		}
		if err != nil {
			return uuid.Nil, err
		}
		hold = proof.hold
	}
	s.Cache.ForgetPerson(ctx, m.person)
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := hold(ctx, tx); err != nil {
			return err
		}
		if err := consume(ctx, tx, answer.Token, verify); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "update rowhouse.person set email_verified = coalesce(email_verified, now()) where id = $1", m.person)
		if err != nil {
			return fmt.Errorf("confirming the address: %w", err)
		}
		return s.TellTx(ctx, tx, m.person, credential.AddressConfirmed, "")
	})
	s.Cache.ForgetPerson(ctx, m.person)
	if err != nil {
		return uuid.Nil, err
	}
	return m.person, nil
}

package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A Registration is a sign-up form.
type Registration struct {
	Name         string
	Email        string
	Password     string
	Organization string // name of the person's first organization
	Invitation   string // optional token of an invitation, which replaces Email and Organization
	Address      string // of the client
	Language     string // of the page, for the mail that confirms the address
}

// SignUp creates a person with an organization, or with an invitation as a member of the inviting
// organization, and returns a proof of identity. A repeated form signs up once: the repetition
// compares the password. It returns an error of kind invalid that names each invalid field, of kind
// conflict when the address belongs to a person with another password, and of kind rate_limited.
func (s *Service) SignUp(ctx context.Context, reg Registration) (Proof, error) {
	var invitation *Invitation
	var items []problem.Item
	collect := func(err error) {
		var e *problem.Error
		if errors.As(err, &e) {
			items = append(items, e.Items...)
		}
	}
	var err error
	if reg.Name, err = naming.Clean("name", reg.Name); err != nil {
		collect(err)
	}
	if reg.Invitation != "" {
		if invitation, err = s.Invitation(ctx, reg.Invitation); err != nil {
			return Proof{}, err
		}
		reg.Email = invitation.Email
	} else {
		if reg.Organization, err = naming.Clean("organization", reg.Organization); err != nil {
			collect(err)
		}
		if reg.Email, err = naming.CleanEmail("email", reg.Email); err != nil {
			collect(err)
		}
	}
	collect(checkNewPassword("password", reg.Password, reg.Name, reg.Email))
	if len(items) > 0 {
		return Proof{}, problem.InvalidItems(items)
	}
	if err := s.attempts.Take(ctx, signUpByAddress, reg.Address); err != nil {
		return Proof{}, err
	}
	proof, inserted, err := s.insertPerson(ctx, reg, invitation != nil)
	if err != nil {
		return Proof{}, err
	}
	switch {
	case !inserted:
		// The address has an account: this form was sent before, or it belongs to somebody else.
		proof, err = s.SignIn(ctx, reg.Email, reg.Password, reg.Address)
		if problem.KindOf(err) == problem.KindUnauthenticated {
			return Proof{}, addressTaken()
		}
		if err != nil {
			return Proof{}, err
		}
	case invitation == nil:
		if err := s.createFirstOrganization(ctx, proof.Person, reg.Organization); err != nil {
			return Proof{}, err
		}
		// The next page shows that the address is not confirmed, and offers another mail.
		if err := s.mailVerification(ctx, proof.Person, reg.Language); err != nil {
			s.Log.WarnContext(ctx, "the confirmation mail of a new person could not be queued", "error", err)
		}
	}
	if invitation != nil {
		return proof, s.accept(ctx, invitation, proof.Person, proof.lock)
	}
	return proof, nil
}

// insertPerson stores a person; inserted is false when the address is taken. proven marks the
// address as confirmed, because the invitation was received there.
func (s *Service) insertPerson(
	ctx context.Context,
	reg Registration,
	proven bool,
) (proof Proof, inserted bool, err error) {
	hash, err := s.hasher.hash(ctx, reg.Password)
	if err != nil {
		return Proof{}, false, err
	}
	person := id.New()
	var verified *time.Time
	if proven {
		now := time.Now()
		verified = &now
	}
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `insert into rowhouse.person (id, email, name, password_hash, email_verified)
			values ($1, $2, $3, $4, $5) on conflict (email) do nothing`, person, reg.Email, reg.Name, hash, verified)
		inserted = tag.RowsAffected() == 1
		return err
	})
	if err != nil {
		return Proof{}, false, fmt.Errorf("signing up: %w", err)
	}
	return Proof{person, &hash}, inserted, nil
}

// createFirstOrganization creates a new person's organization. When that fails it deletes the
// person, so that sign-up can be retried.
func (s *Service) createFirstOrganization(ctx context.Context, person uuid.UUID, name string) error {
	org, err := organization.Create(ctx, s.DB, person, name)
	if err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return errors.Join(err, s.DB.SystemTx(undo, func(tx pgx.Tx) error {
			_, err := tx.Exec(undo, "delete from rowhouse.person where id = $1", person)
			return err
		}))
	}
	s.Cache.InvalidatePerson(ctx, person)
	if s.Seed != nil {
		if err := s.Seed(ctx, person, org); err != nil {
			s.Log.ErrorContext(ctx, "a new organization could not be seeded with sample data", "error", err)
		}
	}
	return nil
}

// Find returns the person with an address, for operators. It returns an error of kind not_found for
// an unknown address.
func (s *Service) Find(ctx context.Context, email string) (person uuid.UUID, err error) {
	if email, err = naming.CleanEmail("email", email); err != nil {
		return uuid.Nil, err
	}
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select id from rowhouse.person where email = $1", email).Scan(&person)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, problem.NotFound("person", email)
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("looking for a person: %w", err)
	}
	return person, nil
}

// SignIn checks an address and a password and returns a proof of identity. It returns the same
// error of kind unauthenticated, after the same work, for a wrong password and for an unknown
// address; an error of kind rate_limited beyond the limits; and an error of kind forbidden after
// many wrong passwords in a row.
func (s *Service) SignIn(ctx context.Context, email, password, address string) (Proof, error) {
	return s.signIn(ctx, email, password, address, nil)
}

func (s *Service) signIn(ctx context.Context, email, password, address string, claimed []device) (Proof, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	trusted, err := s.trustedDevice(ctx, email, claimed)
	if err != nil {
		return Proof{}, err
	}
	if trusted == nil {
		if err := s.throttleGuess(ctx, email, address); err != nil {
			return Proof{}, err
		}
	}
	person, hash, err := s.findPassword(ctx, "email = $1", email)
	if err != nil {
		return Proof{}, err
	}
	match, weak, err := s.hasher.verify(ctx, password, hash)
	if err != nil {
		return Proof{}, err
	}
	if !match {
		return Proof{}, problem.Unauthenticated("The e-mail address or the password is wrong.")
	}
	s.attempts.Reset(ctx, signInFailures, email)
	if trusted != nil {
		s.attempts.Reset(ctx, signInByDevice, trusted.key())
	} else {
		s.attempts.Refund(ctx, signInByAddress, address)
		s.attempts.Reset(ctx, signInByPair, address+" "+email)
		s.attempts.Refund(ctx, signInByAccount, email)
	}
	if weak {
		if stronger, err := s.rehash(ctx, person, password, hash); err != nil {
			s.Log.WarnContext(ctx, "a password could not be rehashed", "error", err)
		} else {
			hash = stronger
		}
	}
	return Proof{person, hash}, nil
}

// throttleGuess counts an attempt from an untrusted device. It returns an error beyond the limits
// of the client address, and delays attempts on an account that is guessed at from many addresses.
func (s *Service) throttleGuess(ctx context.Context, email, address string) error {
	if err := s.attempts.Take(ctx, signInByAddress, address); err != nil {
		return err
	}
	if err := s.attempts.Take(ctx, signInByPair, address+" "+email); err != nil {
		return err
	}
	failed, refused := s.attempts.Count(ctx, signInFailures, email)
	if failed == signInFailures.Max+1 {
		s.mailAboutGuesses(ctx, email)
	}
	if refused != nil { // whether there is such an account or not, and whatever the password is
		return problem.Forbidden("Too many wrong passwords were given for this address. Sign in with a browser that " +
			"you have used for it before, or set a new password with a link by mail.").
			WithCode(problem.CodeKnownDeviceNeeded)
	}
	tried, _ := s.attempts.Count(ctx, signInByAccount, email) // beyond the limit, the attempt is only delayed
	return s.guessThrottle.wait(ctx, email, tried-signInByAccount.Max)
}

// mailAboutGuesses mails the owner of an account that unknown devices may not sign in to it any more.
func (s *Service) mailAboutGuesses(ctx context.Context, email string) {
	person, _, err := s.findPassword(ctx, "email = $1", email)
	if err != nil {
		s.Log.ErrorContext(ctx, "a person could not be told of guesses", "error", err)
	} else if person != uuid.Nil {
		s.Notify(person, credential.AccountGuessed, "")
	}
}

// findPassword returns the person that matches where, a constant SQL condition, and the password
// hash. person is uuid.Nil when nobody matches, and hash is nil for a person without a password.
func (s *Service) findPassword(ctx context.Context, where string, arg any) (person uuid.UUID, hash *string, err error) {
	if text, ok := arg.(string); ok && storableText(text, len(text)) != text {
		return uuid.Nil, nil, nil // PostgreSQL cannot store such text
	}
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select id, password_hash from rowhouse.person where "+where, arg).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := rows.Scan(&person, &hash); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return uuid.Nil, nil, fmt.Errorf("looking up a person: %w", err)
	}
	return person, hash, nil
}

// rehash hashes the same password with the current parameters and stores the hash, unless the
// password was changed concurrently.
func (s *Service) rehash(ctx context.Context, person uuid.UUID, password string, former *string) (*string, error) {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return nil, err
	}
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.person set password_hash = $2 where id = $1 and password_hash = $3",
			person, hash, former)
	})
	if err != nil {
		return nil, fmt.Errorf("storing a password: %w", err)
	}
	return &hash, nil
}

// TrustAddress confirms a person's address without a mail, for operators.
func (s *Service) TrustAddress(ctx context.Context, person uuid.UUID) error {
	s.Cache.InvalidatePerson(ctx, person)
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.person set email_verified = coalesce(email_verified, now()) where id = $1", person)
	})
	s.Cache.InvalidatePerson(ctx, person)
	if err != nil {
		return fmt.Errorf("confirming an address: %w", err)
	}
	return nil
}

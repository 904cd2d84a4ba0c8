package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A Registration is what a person gives to sign up.
type Registration struct {
	Name         string
	Email        string
	Password     string
	Organization string // name of the person's first organization
	Invitation   string // the token of an invitation, instead of Email and Organization; may be empty
	Address      string // of the client
}

// SignUp makes a person with an organization, or by invitation a person who is a member of that organization, and
// proves who it is. A form that is sent twice signs up once: the second time the password is compared. It returns an
// error of kind invalid that names the wrong part, of kind conflict when the address belongs to somebody with another
// password, and of kind rate_limited.
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
		// The account is there already: by this very form sent twice, or it is somebody's.
		proof, err = s.SignIn(ctx, reg.Email, reg.Password, reg.Address)
		if problem.KindOf(err) == problem.KindUnauthenticated {
			e := problem.Conflict("This e-mail address has an account already. Sign in, or reset the password.").WithCode("address_taken")
			e.Items = []problem.Item{{Path: "email", Message: "has an account already"}}
			return Proof{}, e
		}
		if err != nil {
			return Proof{}, err
		}
	case invitation == nil:
		if err := s.createFirstOrganization(ctx, proof.Person, reg.Organization); err != nil {
			return Proof{}, err
		}
		// The page after it tells that the address is not confirmed, and lets the person ask for another mail.
		if err := s.mailVerification(ctx, proof.Person); err != nil {
			s.Log.WarnContext(ctx, "a new person gets no mail to confirm the address", "error", err)
		}
	}
	if invitation != nil {
		return proof, s.accept(ctx, invitation, proof.Person, proof.lock)
	}
	return proof, nil
}

// insertPerson reports made as false when the address is taken. An invited person's address is proven by the invitation.
func (s *Service) insertPerson(ctx context.Context, reg Registration, proven bool) (proof Proof, inserted bool, err error) {
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

// createFirstOrganization makes a new person's organization. When that fails the person goes too, so that signing up can be tried again.
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
			s.Log.ErrorContext(ctx, "a new organization stays without its sample", "error", err)
		}
	}
	return nil
}

// Find returns the person with an address, for those who run the service. It returns an error of kind not_found when the address
// is nobody's.
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

// SignIn proves whose address and password these are. It returns an error of kind unauthenticated that is the same
// for a wrong password and for an unknown address, and takes as long for both; and of kind rate_limited.
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
	if trusted != nil {
		s.attempts.Reset(ctx, signInByDevice, trusted.key())
	} else {
		s.attempts.Refund(ctx, signInByAddress, address)
		s.attempts.Reset(ctx, signInByPair, address+" "+email)
		s.attempts.Refund(ctx, signInByAccount, email)
	}
	if weak {
		if stronger, err := s.rehash(ctx, person, password, hash); err != nil {
			s.Log.WarnContext(ctx, "a password keeps its weaker hash", "error", err)
		} else {
			hash = stronger
		}
	}
	return Proof{person, hash}, nil
}

// throttleGuess counts an attempt of an unknown device. It refuses an address that guessed too often, and makes everybody
// wait who tries an account that is guessed at from many.
func (s *Service) throttleGuess(ctx context.Context, email, address string) error {
	if err := s.attempts.Take(ctx, signInByAddress, address); err != nil {
		return err
	}
	if err := s.attempts.Take(ctx, signInByPair, address+" "+email); err != nil {
		return err
	}
	tried, _ := s.attempts.Count(ctx, signInByAccount, email) // beyond it, patience decides
	return s.guessThrottle.wait(ctx, email, tried-signInByAccount.Max)
}

// findPassword returns the person that a constant condition picks, and the hash; hash is nil when there is none.
func (s *Service) findPassword(ctx context.Context, where string, arg any) (person uuid.UUID, hash *string, err error) {
	if text, ok := arg.(string); ok && storableText(text, len(text)) != text {
		return uuid.Nil, nil, nil // Postgres takes no such text
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

// rehash stores the same password with the present parameters, unless another one was set meanwhile, and returns the
// hash.
func (s *Service) rehash(ctx context.Context, person uuid.UUID, password string, former *string) (*string, error) {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return nil, err
	}
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.person set password_hash = $2 where id = $1 and password_hash = $3", person, hash, former)
	})
	if err != nil {
		return nil, fmt.Errorf("storing a password: %w", err)
	}
	return &hash, nil
}

// Rename changes the name that a person shows.
func (s *Service) Rename(ctx context.Context, person uuid.UUID, name string) (string, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return "", err
	}
	s.Cache.InvalidatePerson(ctx, person)
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.person set name = $2 where id = $1", person, name)
	})
	s.Cache.InvalidatePerson(ctx, person)
	if err != nil {
		return "", fmt.Errorf("changing a name: %w", err)
	}
	return name, nil
}

// TrustAddress takes a person's address for confirmed without a mail, for those who run the service.
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

package account

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A Proof is evidence that somebody is a person, for example because they gave the password. It is
// valid until the password changes: between the check of a password and the creation of a session,
// a reset may change it.
type Proof struct {
	Person uuid.UUID

	hash *string // of the password; nil for a person without one
}

// Trust returns a proof for a person whom the caller has identified by other means than the
// password. It returns an error of kind not_found for an unknown person.
func (s *Service) Trust(ctx context.Context, person uuid.UUID) (Proof, error) {
	found, hash, err := s.findPassword(ctx, "id = $1", person)
	if err == nil && found == uuid.Nil {
		err = problem.NotFound("person", id.Format(id.User, person))
	}
	return Proof{person, hash}, err
}

// lock locks the person until the transaction ends. It returns an error of kind unauthenticated
// when the proof is no longer valid.
func (p Proof) lock(ctx context.Context, tx pgx.Tx) error {
	if err := credential.LockPerson(ctx, tx, p.Person); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, "select from rowhouse.person where id = $1 and password_hash is not distinct from $2",
		p.Person, p.hash)
	if err != nil {
		return fmt.Errorf("looking at the password: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return problem.Unauthenticated("The password was changed a moment ago; sign in with the new one.")
	}
	return nil
}

// reauthenticationWindow is how long after sign-in a session may do what requires the password.
const reauthenticationWindow = 10 * time.Minute

// Reauthenticated reports whether the person gave the password recently: at a sign-in within
// reauthenticationWindow, or as password now. An empty password means none. It returns an error of
// kind invalid at "password" for a wrong one, and of kind rate_limited.
func (s *Service) Reauthenticated(ctx context.Context, session *SessionInfo, password string) (bool, error) {
	if time.Since(session.Created) < reauthenticationWindow {
		return true, nil
	}
	if password == "" {
		return false, nil
	}
	_, err := s.checkPassword(ctx, session.Person.ID, "password", password)
	return err == nil, err
}

// checkPassword returns the stored hash if the password is right. It returns an error of kind
// invalid at path for a wrong one, and of kind rate_limited.
func (s *Service) checkPassword(ctx context.Context, person uuid.UUID, path, password string) (*string, error) {
	if err := s.attempts.Take(ctx, passwordChange, person.String()); err != nil {
		return nil, err
	}
	_, hash, err := s.findPassword(ctx, "id = $1", person)
	if err != nil {
		return nil, err
	}
	match, _, err := s.hasher.verify(ctx, password, hash)
	if err != nil {
		return nil, err
	}
	if !match {
		return nil, problem.Invalid(path, "is not your password")
	}
	s.attempts.Reset(ctx, passwordChange, person.String())
	return hash, nil
}

// ChangePassword replaces the password of a person who knows it. It ends all other sessions and
// gives this one a new token, because somebody may know the former one, and forgets all other
// browsers. Codes that an application was given and has not redeemed end too.
func (s *Service) ChangePassword(
	w http.ResponseWriter,
	r *http.Request,
	session *SessionInfo,
	current, next string,
) error {
	ctx, person := r.Context(), session.Person
	if err := checkNewPassword("newPassword", next, person.Name, person.Email); err != nil {
		return err
	}
	currentHash, err := s.checkPassword(ctx, person.ID, "currentPassword", current)
	if err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, next)
	if err != nil {
		return err
	}
	token, former := newToken(), credential.HashOf(session.token)
	var ended []credential.Hash
	var epoch uuid.UUID
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := credential.LockSession(ctx, tx, person.ID, session.ID); err != nil {
			return err
		}
		if err := (Proof{person.ID, currentHash}).lock(ctx, tx); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue("update rowhouse.person set password_hash = $2 where id = $1", person.ID, hash)
		batch.Queue("delete from rowhouse.mailed_token where person_id = $1 and purpose in ('reset', 'change')",
			person.ID)
		batch.Queue("update rowhouse.session set token_hash = $2 where id = $1", session.ID, hashBytes(token))
		audit.RecordPerson(ctx, batch, person.ID, uuid.Nil, &audit.Event{
			Action:  "change_password",
			Subject: id.Format(id.User, person.ID),
		})
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("storing a password: %w", err)
		}
		if _, err := s.revokeCredentials(ctx, tx, person.ID, UnredeemedCodes); err != nil {
			return err
		}
		if epoch, err = resetDeviceEpoch(ctx, tx, person.ID); err != nil {
			return err
		}
		s.Cache.Invalidate(ctx, credential.Session, former)
		if ended, err = s.deleteSessions(ctx, tx, "person_id = $1 and id <> $2", person.ID, session.ID); err != nil {
			return err
		}
		return s.NotifyTx(ctx, tx, person.ID, credential.PasswordChanged, "")
	})
	s.Cache.Invalidate(ctx, credential.Session, append(ended, former)...)
	if err != nil {
		return err
	}
	session.token = token
	http.SetCookie(w, s.cookie(token, int((SessionLife-time.Since(session.Created)).Seconds())))
	s.setDeviceCookie(w, r, person.ID, epoch)
	return nil
}

// RevocationScope selects the credentials that are revoked along with sessions.
type RevocationScope int

// The revocation scopes.
const (
	UnredeemedCodes RevocationScope = iota // authorization codes that were not redeemed
	KeysAndApps                            // every API key and every connected app
)

// revokeCredentials calls the hook if it is set.
func (s *Service) revokeCredentials(
	ctx context.Context,
	tx pgx.Tx,
	person uuid.UUID,
	what RevocationScope,
) (committed func(), err error) {
	if s.RevokeCredentials == nil {
		return func() {}, nil
	}
	if committed, err = s.RevokeCredentials(ctx, tx, person, what); err != nil {
		return nil, fmt.Errorf("revoking other credentials: %w", err)
	}
	return committed, nil
}

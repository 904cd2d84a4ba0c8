package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
)

// DeleteAccount deletes a person with all sessions, keys and connected apps. leave, which takes them out of their
// organizations, is called once the password was right. It returns an error of kind invalid at "password" for a wrong
// one, of kind rate_limited, and those of leave, after which the account is there still.
func (s *Service) DeleteAccount(
	ctx context.Context, session *SessionInfo, password string, leave func(ctx context.Context) error,
) error {
	person := session.Person.ID
	hash, err := s.checkPassword(ctx, person, "password", password)
	if err != nil {
		return err
	}
	var ended []credential.Hash
	committed := func() {}
	// Also if something fails: the person may have left some of the organizations by then.
	s.Cache.InvalidatePerson(ctx, person)
	defer s.Cache.InvalidatePerson(context.WithoutCancel(ctx), person)
	if err := leave(ctx); err != nil {
		return err
	}
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := credential.LockSession(ctx, tx, person, session.ID); err != nil {
			return err
		}
		if err := (Proof{person, hash}).lock(ctx, tx); err != nil {
			return err
		}
		if committed, err = s.revokeCredentials(ctx, tx, person, KeysAndApps); err != nil {
			return err
		}
		if ended, err = s.deleteSessions(ctx, tx, "person_id = $1", person); err != nil {
			return err
		}
		var language string
		err := tx.QueryRow(ctx, "delete from rowhouse.person where id = $1 returning language", person).Scan(&language)
		if err != nil {
			return fmt.Errorf("deleting a person: %w", err)
		}
		return s.outbox.queueNoticeTx(ctx, tx, pendingNotice{
			Person: person, Change: credential.AccountDeleted, At: time.Now(),
			To: session.Person.Email, Name: session.Person.Name, Language: language,
		})
	})
	s.Cache.Invalidate(ctx, credential.Session, ended...)
	if err != nil {
		return err
	}
	committed()
	return nil
}

package credential

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
)

// LockPerson locks a person until the transaction of the system door ends. Whatever makes or
// extends a credential of the person begins with this lock, and so does whatever ends all of them:
// each comes wholly before the other or wholly after it. It returns an error of kind not_found when
// there is no such person.
func LockPerson(ctx context.Context, tx pgx.Tx, person uuid.UUID) error {
	tag, err := tx.Exec(ctx, "select from rowhouse.person where id = $1 for no key update", person)
	if err != nil {
		return fmt.Errorf("locking the person: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return problem.NotFound("person", id.Format(id.User, person))
	}
	return nil
}

// LockSession is LockPerson for what a session asks for. It also makes sure that the session has
// not ended, and keeps it from ending before the transaction does: the check at the start of a
// request says nothing of the moment at which the request writes. It returns an error of kind
// unauthenticated when the session has ended.
func LockSession(ctx context.Context, tx pgx.Tx, person, session uuid.UUID) error {
	if err := LockPerson(ctx, tx, person); err != nil {
		return err
	}
	// A statement of its own, so that it sees what was committed while the first one waited.
	tag, err := tx.Exec(ctx, selectSession, session, person)
	if err != nil {
		return fmt.Errorf("looking at the session: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return sessionEnded()
	}
	return nil
}

const selectSession = `select from rowhouse.session where id = $1 and person_id = $2 and expires_at > now()
	for key share`

// stateSessionEnded is the SQLSTATE with which a batch fails whose session has ended.
const stateSessionEnded = "RH013"

func sessionEnded() error { return problem.Unauthenticated("The session has ended; sign in again.") }

// QueueSessionLock begins a batch of the system door that makes one credential for a session. The
// batch fails when the session has ended, and LockError tells so. The lock on the person is a
// shared one: batches of one person do not wait for each other, but each still comes wholly before
// or wholly after a transaction of LockPerson.
func QueueSessionLock(b *pgx.Batch, person, session uuid.UUID) {
	b.Queue("select from rowhouse.person where id = $1 for share", person)
	// A statement of its own, so that it sees what was committed while the first one waited.
	b.Queue("select gate.assert(exists ("+selectSession+"), '"+stateSessionEnded+"')", session, person)
}

// LockError turns the error of a batch that QueueSessionLock began into one of kind unauthenticated
// when the session had ended, and returns every other error as it is.
func LockError(err error) error {
	if pgerror.Is(err, stateSessionEnded) {
		return sessionEnded()
	}
	return err
}

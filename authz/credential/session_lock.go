package credential

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// LockPerson locks a person until the transaction of the system role ends. Transactions that
// create, extend or end credentials of the person begin with this lock, so they are serialized. It
// returns an error of kind not_found if the person does not exist.
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

// LockSession is LockPerson on behalf of a session. It also checks that the session has not ended
// and keeps it from ending before the transaction does, because the check at the start of a request
// does not cover the time at which the request writes. It returns an error of kind unauthenticated
// if the session has ended.
func LockSession(ctx context.Context, tx pgx.Tx, person, session uuid.UUID) error {
	if err := LockPerson(ctx, tx, person); err != nil {
		return err
	}
	// A separate statement, so that it sees what was committed while the first one waited.
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

func sessionEnded() error { return problem.Unauthenticated("The session has ended; sign in again.") }

// QueueSessionLock begins a batch of the system role that creates one credential for a session. The
// batch fails if the session has ended, and LockError reports that. The lock on the person is
// shared: batches of one person do not wait for each other, but each is serialized with
// transactions of LockPerson.
func QueueSessionLock(b *pgx.Batch, person, session uuid.UUID) {
	b.Queue("select from rowhouse.person where id = $1 for share", person)
	// A separate statement, so that it sees what was committed while the first one waited.
	b.Queue("select gate.assert(exists ("+selectSession+"), '"+db.StateSessionEnded+"')", session, person)
}

// LockError maps the error of a batch that began with QueueSessionLock to one of kind
// unauthenticated if the session had ended, and returns every other error unchanged.
func LockError(err error) error {
	if pgerror.Is(err, db.StateSessionEnded) {
		return sessionEnded()
	}
	return err
}

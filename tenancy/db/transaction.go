package db

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
)

// Tx runs fn in a transaction of one organization as rowhouse_app. It costs one round trip to
// begin, one per statement and one to commit; Batch costs one in all.
func (db *DB) Tx(ctx context.Context, org uuid.UUID, fn func(tx pgx.Tx) error) error {
	return db.transact(ctx, fn, db.enterApp(ctx, org))
}

// SchemaTx runs fn in a transaction of one organization as rowhouse_owner, which owns every table
// and is still subject to row-level security. The lock timeout is 2 s. After a lock timeout or a
// deadlock fn runs again, up to three times, so fn must keep no state from an earlier run.
func (db *DB) SchemaTx(ctx context.Context, org uuid.UUID, fn func(tx pgx.Tx) error) error {
	var err error
	for attempt := range 4 {
		err = db.transact(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(
				ctx, "set local lock_timeout = '2s'; set local statement_timeout = '100s'",
			); err != nil {
				return fmt.Errorf("setting the lock timeout: %w", err)
			}
			return fn(tx)
		}, db.enterOwner(ctx, org))
		if !pgerror.Is(err, pgerrcode.LockNotAvailable, pgerrcode.DeadlockDetected) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(attempt+1) * 50 * time.Millisecond):
		}
	}
	return busy().Because(fmt.Errorf("changing the schema: %w", err))
}

// SystemTx runs fn in a transaction as rowhouse_system, for look-ups before the organization is
// known (credential, sign-in, share id) and for the job queue. The role reads people and
// credentials but no records.
func (db *DB) SystemTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.transact(ctx, fn, db.enterSystem())
}

// TableTx is Tx for statements that change a record table. Like TableWrite it returns
// ErrSchemaChanged; it asserts the version itself.
func (db *DB) TableTx(ctx context.Context, org uuid.UUID, ref TableRef, fn func(tx pgx.Tx) error) error {
	return writeError(db.transact(ctx, fn, db.enterTableTx(ctx, org, ref)))
}

func (db *DB) transact(ctx context.Context, fn func(tx pgx.Tx) error, in entry) error {
	if in.err != nil {
		return classify(in.err)
	}
	tx, err := in.pool.Begin(ctx)
	if err != nil {
		return classify(err)
	}
	// Roll back even if the request was cancelled, within a bound. After a commit this does
	// nothing.
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tx.Rollback(undo)
	}()
	entry := &pgx.Batch{}
	in.queue(entry)
	db.texts.share(entry)
	if err := tx.SendBatch(ctx, entry).Close(); err != nil {
		return classify(db.forgetWrongKey(in.org, fmt.Errorf("entering the transaction: %w", err)))
	}
	if err := fn(textTx{tx, db.texts}); err != nil {
		return classify(db.forgetWrongKey(in.org, err))
	}
	if err := tx.Commit(ctx); err != nil {
		return classify(fmt.Errorf("committing: %w", err))
	}
	db.committed(in)
	return nil
}

// OwnerConn runs fn on a connection of its own as rowhouse_owner and outside a transaction, for
// statements that cannot run inside one, such as CREATE INDEX CONCURRENTLY. No organization is set,
// so the role sees no row. There is no statement timeout; fn must obey its context.
func (db *DB) OwnerConn(ctx context.Context, fn func(ctx context.Context, conn *pgx.Conn) error) error {
	// Not from the pool: a long build would keep schema changes waiting.
	conn, err := pgx.ConnectConfig(ctx, db.schemaConfig)
	if err != nil {
		return classify(fmt.Errorf("connecting as the owner: %w", err))
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = conn.Close(end)
	}()
	pgxuuid.Register(conn.TypeMap())
	sendsBinaryArrays(conn.TypeMap())
	const enter = "set role rowhouse_owner; set statement_timeout = 0; set lock_timeout = '5s'; " +
		"set idle_in_transaction_session_timeout = 0"
	if _, err := conn.Exec(ctx, enter, pgx.QueryExecModeSimpleProtocol); err != nil {
		return classify(fmt.Errorf("entering as the owner: %w", err))
	}
	return classify(fn(ctx, conn))
}

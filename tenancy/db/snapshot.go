package db

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A snapshot is an open transaction that reads of one organization share.
type snapshot struct {
	mu  sync.Mutex
	org uuid.UUID
	tx  pgx.Tx
}

type snapshotKey struct{}

// Snapshot runs fn with a context in which Batch, TableBatch and Read of the organization see the database as it was
// at the first of them, however many there are. They share one transaction, which cannot write, and which holds a
// connection and the locks of a reader until fn returns: a change of the fields of a table that was read waits for it.
// After a read has failed, all later ones fail. Between two reads fn may take as long as the database lets a
// transaction be idle, which is 30 s.
func (db *DB) Snapshot(ctx context.Context, org uuid.UUID, fn func(ctx context.Context) error) error {
	in := db.enterApp(ctx, org)
	if in.err != nil {
		return classify(in.err)
	}
	tx, err := in.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return classify(err)
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tx.Rollback(end) // it has written nothing
	}()
	entry := &pgx.Batch{}
	in.queue(entry)
	db.texts.share(entry)
	if err := tx.SendBatch(ctx, entry).Close(); err != nil {
		return classify(db.forgetWrongKey(org, fmt.Errorf("entering the transaction: %w", err)))
	}
	return fn(context.WithValue(ctx, snapshotKey{}, &snapshot{org: org, tx: tx}))
}

// WithoutSnapshot returns a context whose reads are of the present, for work that others share.
func WithoutSnapshot(ctx context.Context) context.Context {
	return context.WithValue(ctx, snapshotKey{}, (*snapshot)(nil))
}

// snapshotOf returns the snapshot in which an entry reads, or nil.
func (db *DB) snapshotOf(ctx context.Context, in entry) *snapshot {
	s, _ := ctx.Value(snapshotKey{}).(*snapshot)
	if s == nil || s.org != in.org || in.pool != db.request || in.changes {
		return nil
	}
	return s
}

// send sends statements in the transaction of the snapshot. Its organization is set, and what else an entry does is
// done again.
func (s *snapshot) send(ctx context.Context, db *DB, in entry, fn func(b *pgx.Batch)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := &pgx.Batch{}
	in.queue(batch)
	fn(batch)
	db.texts.share(batch)
	if err := s.tx.SendBatch(ctx, batch).Close(); err != nil {
		return classify(db.forgetWrongKey(in.org, err))
	}
	return nil
}

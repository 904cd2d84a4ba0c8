package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
)

// canary is the organization of the one row of rowhouse.canary (migrations/015_canary.sql). No such
// organization exists.
var canary = uuid.MustParse("00000000-0000-7000-8000-00000000ca11")

// Errors of CheckIsolation.
var (
	// ErrIsolationBroken says that an organization sees a row of another one.
	ErrIsolationBroken = errors.New("the database shows an organization rows of another: row-level security is off " +
		"or does not hold for the role rowhouse_app (is it a superuser, or has it BYPASSRLS?)")
	// ErrOwnRowsHidden says that an organization does not see its own row.
	ErrOwnRowsHidden = errors.New("the database does not show an organization its own rows: the setting app.org_id " +
		"does not reach the statements behind it (is there a proxy that pools by statement? It must pool by " +
		"transaction or by session)")
)

// workerCanary has such a row on a worker of Citus (migrations/citus.sql): other policies and settings protect it.
const workerCanary = "worker.canary"

// CheckIsolation reads the canary row through Batch and Tx, once as its organization and once as
// another one. A process calls it at start, because broken isolation would show as missing or foreign
// rows and never as an error. It returns ErrIsolationBroken, ErrOwnRowsHidden, or the error that
// prevented the check.
func (db *DB) CheckIsolation(ctx context.Context) error {
	if err := db.checkCanary(ctx, "rowhouse.canary"); err != nil || !db.distributed {
		return err
	}
	err := db.checkCanary(ctx, workerCanary)
	if pgerror.Is(err, pgerrcode.ConnectionFailure) {
		// A lost worker's organizations get errors and never too few rows, and the others are served.
		return nil
	}
	return err
}

func (db *DB) checkCanary(ctx context.Context, table string) error {
	look := "select count(*) from " + table
	var seen int
	viaBatch := func(org uuid.UUID) error {
		return db.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue(look).QueryRow(func(row pgx.Row) error { return row.Scan(&seen) })
		})
	}
	viaTx := func(org uuid.UUID) error {
		return db.Tx(ctx, org, func(tx pgx.Tx) error { return tx.QueryRow(ctx, look).Scan(&seen) })
	}
	for _, try := range []func(org uuid.UUID) error{viaBatch, viaTx} {
		for org, own := range map[uuid.UUID]bool{canary: true, id.New(): false} {
			err := try(org)
			switch {
			case err != nil:
				return fmt.Errorf("looking for the canary: %w", err)
			case own && seen == 0:
				return ErrOwnRowsHidden
			case !own && seen > 0:
				return ErrIsolationBroken
			}
		}
	}
	return nil
}

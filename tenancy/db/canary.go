package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/id"
)

// canary is the organization of the one row of rowhouse.canary (migrations/015_canary.sql). There is no such organization.
var canary = uuid.MustParse("00000000-0000-7000-8000-00000000ca11")

// What CheckWalls finds.
var (
	// ErrWallOpen is that the database shows an organization what is another's.
	ErrIsolationBroken = errors.New("the database shows an organization rows of another: row-level security is off or does not hold for the role rowhouse_app " +
		"(is it a superuser, or has it BYPASSRLS?)")
	// ErrWallShut is that the database shows an organization nothing, not even what is its own.
	ErrOwnRowsHidden = errors.New("the database does not show an organization its own rows: the setting app.org_id does not reach the statements behind it " +
		"(is there a proxy that pools by statement? It must pool by transaction or by session)")
)

// CheckWalls tries, through the doors that tenant data go through, whether the walls between organizations stand and let each
// see its own. It is for a process's start: what it finds would show as empty results otherwise, or as those of others, and never as an
// error. It returns ErrWallOpen, ErrWallShut, or what kept it from finding out.
func (db *DB) CheckIsolation(ctx context.Context) error {
	const look = "select count(*) from rowhouse.canary"
	var seen int
	atOnce := func(org uuid.UUID) error {
		return db.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue(look).QueryRow(func(row pgx.Row) error { return row.Scan(&seen) })
		})
	}
	inSteps := func(org uuid.UUID) error {
		return db.Tx(ctx, org, func(tx pgx.Tx) error { return tx.QueryRow(ctx, look).Scan(&seen) })
	}
	for _, try := range []func(org uuid.UUID) error{atOnce, inSteps} {
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

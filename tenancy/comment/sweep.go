package comment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	sweepEvery   = 24 * time.Hour
	sweepTimeout = 9 * time.Minute // the next run continues
	sweepBatch   = 1000            // records that are looked up at once
)

// sweepJob is the recurring job that deletes comments of records that cannot come back. Its kind is
// stored, so it must not change.
type sweepJob struct{}

func (sweepJob) Kind() string { return "comment_sweep" }

// Schedule registers the job that deletes comments of records that cannot come back. Call it before the
// client starts.
func (s *Store) Schedule(jobs *job.Client) {
	job.Every[sweepJob](jobs, sweepEvery, sweepTimeout, s.Sweep)
}

// Sweep deletes comments of records whose deletion is no longer in the log of changes, in every
// organization, because nothing can restore the records. Comments of purged records and tables are
// deleted with them (package catalog).
func (s *Store) Sweep(ctx context.Context) error {
	var orgs []uuid.UUID
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select distinct org_id from rowhouse.comment").Query(func(rows pgx.Rows) (err error) {
			orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("listing organizations with comments: %w", err)
	}
	// In random order, so that a run that is cut off neglects none.
	//nolint:gosec // an order, not a secret
	rand.Shuffle(len(orgs), func(i, j int) { orgs[i], orgs[j] = orgs[j], orgs[i] })
	var failures []error
	for i, org := range orgs {
		if ctx.Err() != nil {
			failures = append(failures, fmt.Errorf("%d of %d organizations are left: %w", len(orgs)-i, len(orgs),
				ctx.Err()))
			break
		}
		if err := s.SweepOrg(ctx, org); err != nil {
			failures = append(failures, fmt.Errorf("organization %s: %w", org, err))
		}
	}
	return errors.Join(failures...)
}

// SweepOrg is Sweep for one organization.
func (s *Store) SweepOrg(ctx context.Context, org uuid.UUID) error {
	after := Place{}
	for {
		var places []Place
		err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue(`select distinct c.table_number, c.record_id from rowhouse.comment c
				where c.org_id = $1 and (c.table_number, c.record_id) > ($2, $3)
				order by c.table_number, c.record_id limit $4`, org, after.Table, after.Record, sweepBatch).
				Query(func(rows pgx.Rows) (err error) {
					places, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Place])
					return err
				})
		})
		if err != nil || len(places) == 0 {
			return err
		}
		after = places[len(places)-1]
		byTable := map[int32][]uuid.UUID{}
		for _, p := range places {
			byTable[p.Table] = append(byTable[p.Table], p.Record)
		}
		for number, rows := range byTable {
			if err := s.sweepTable(ctx, org, number, rows); err != nil {
				return err
			}
		}
	}
}

// sweepTable deletes the comments of the records in rows that can neither be read nor restored.
// Comments of a table in the trash stay until it is purged.
func (s *Store) sweepTable(ctx context.Context, org uuid.UUID, number int32, rows []uuid.UUID) error {
	return s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		t := snapshot.TableByNumber(number)
		if t == nil {
			return nil
		}
		gone, err := s.query(ctx, org, "select d.id from unnest($1::uuid[]) as d(id) where not exists (select from "+
			t.Relation()+" r where r.id = d.id)", rows)
		if err != nil || len(gone) == 0 {
			return err
		}
		kept, err := s.query(ctx, org, "select distinct u.id from "+changelog.Relation(org)+" l cross join lateral "+
			"unnest(l.records) u(id) where l.kind = "+
			changelog.SQLDeleted+" and l.table_number = $2 and l.records && $1 and u.id = any ($1)",
			gone, number)
		if err != nil {
			return err
		}
		gone = slices.DeleteFunc(gone, func(row uuid.UUID) bool { return slices.Contains(kept, row) })
		return s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("delete from rowhouse.comment where org_id = $1 and table_number = $2 and record_id = any ($3)",
				org, number, gone)
		})
	})
}

// query returns the ids that a statement selects.
func (s *Store) query(ctx context.Context, org uuid.UUID, sql string, args ...any) (ids []uuid.UUID, err error) {
	err = s.DB.Read(ctx, org, func(b *pgx.Batch) {
		b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
			ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	return ids, err
}

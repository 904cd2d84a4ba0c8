package attachment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// References finds the files that records reference.
type References interface {
	// Attached returns the files in any record of a table, from one snapshot not older than the
	// call. It returns an error of kind not_found for an unknown table.
	Attached(ctx context.Context, org, table uuid.UUID) (map[uuid.UUID]bool, error)
}

// A Sweeper removes unreferenced files: incomplete uploads, files that were never put into a
// record, and files whose record, field, table, base or organization was deleted or whose cell was
// changed. A file is removed Grace and Keep after it was found to be unreferenced, so that a removal can
// be undone. Any number of processes may sweep concurrently.
type Sweeper struct {
	DB         *db.DB
	Blobs      Blobs
	References References
	Log        *slog.Logger // nil logs nothing

	// Grace is how long an unreferenced file is kept; default one day.
	Grace time.Duration
	// Keep is how long a file is kept in addition that was in a record: as long as a read of the past
	// shows it, and a revert brings it back.
	Keep time.Duration

	mu   sync.Mutex
	seen map[uuid.UUID]stamp // by table, at its last scan in this process
}

// A stamp changes with every write to a table and with every change of its fields.
type stamp struct{ writes, version int64 }

// maxUploadAge is the age after which an incomplete upload is abandoned.
const maxUploadAge = 2 * time.Hour

// maxRemovalsPerSweep bounds the files that one sweep removes in one organization.
const maxRemovalsPerSweep = 10_000

const (
	sweepEvery   = time.Hour
	sweepTimeout = 9 * time.Minute // the next run goes on with what is left
)

// sweepJob is the recurring job. Its kind is stored, so it must not change.
type sweepJob struct{}

func (sweepJob) Kind() string { return "attachment_sweep" }

// Schedule registers the removal of unreferenced files. Call it before the client starts.
func (w *Sweeper) Schedule(jobs *job.Client) {
	job.Every[sweepJob](jobs, sweepEvery, sweepTimeout, w.Sweep)
}

// Sweep sweeps every organization once, in random order, so that a run that is cut off neglects
// none.
func (w *Sweeper) Sweep(ctx context.Context) error {
	var orgs []uuid.UUID
	err := w.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select distinct org_id from rowhouse.attachment").Query(func(rows pgx.Rows) (err error) {
			orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("listing organizations with files: %w", err)
	}
	//nolint:gosec // an order, not a secret
	rand.Shuffle(len(orgs), func(i, j int) { orgs[i], orgs[j] = orgs[j], orgs[i] })
	failures := []error{w.Blobs.RemovePartial(ctx)}
	for i, org := range orgs {
		if ctx.Err() != nil {
			failures = append(failures,
				fmt.Errorf("%d of %d organizations are left: %w", len(orgs)-i, len(orgs), ctx.Err()))
			break
		}
		if err := w.SweepOrg(ctx, org); err != nil {
			failures = append(failures, fmt.Errorf("organization %s: %w", org, err))
		}
	}
	return errors.Join(failures...)
}

// SweepOrg is Sweep for one organization.
func (w *Sweeper) SweepOrg(ctx context.Context, org uuid.UUID) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Grace == 0 {
		w.Grace = 24 * time.Hour
	}
	if w.seen == nil {
		w.seen = map[uuid.UUID]stamp{}
	}
	if err := w.markUnused(ctx, org); err != nil {
		return err
	}
	var leaving []uuid.UUID
	err := w.DB.Batch(ctx, org, func(b *pgx.Batch) {
		// Retain locks the row: this statement waits for such a write and then sees the file as
		// referenced.
		b.Queue(`update rowhouse.attachment set state = 'leaving' where org_id = $1 and state <> 'leaving'
			and (unused_since < now() - $4::interval or kept_at is null and created_at < now() - $2::interval
				or state = 'arriving' and created_at < now() - $3::interval)`, org, w.Grace, min(w.Grace, maxUploadAge),
			w.Grace+w.Keep)
		b.Queue(`select id from rowhouse.attachment where org_id = $1 and state = 'leaving' order by id
			limit $2`, org, maxRemovalsPerSweep).
			Query(func(rows pgx.Rows) (err error) {
				leaving, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("selecting files to remove: %w", err)
	}
	for _, file := range leaving {
		if err := remove(ctx, w.DB, w.Blobs, org, file); err != nil {
			return err
		}
	}
	if len(leaving) > 0 && w.Log != nil {
		w.Log.InfoContext(ctx, "unreferenced files were removed", slog.Int("files", len(leaving)))
	}
	return nil
}

// A tableWithFiles has files in its records. Its stamp is zero if the table was deleted.
type tableWithFiles struct {
	id    uuid.UUID
	stamp stamp
}

func (w *Sweeper) tablesWithFiles(ctx context.Context, org uuid.UUID) ([]tableWithFiles, error) {
	var tables []tableWithFiles
	place := map[int32]int{} // of a table's number in tables
	err := w.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select a.table_id, coalesce(t.number, 0), coalesce(t.version, 0)
				from (select distinct table_id from rowhouse.attachment
				where org_id = $1 and state = 'ready' and kept_at is not null and unused_since is null) a
			left join rowhouse.data_table t on t.org_id = $1 and t.id = a.table_id`,
			org).Query(func(rows pgx.Rows) error {
			var t tableWithFiles
			var number int32
			_, err := pgx.ForEachRow(rows, []any{&t.id, &number, &t.stamp.version}, func() error {
				if number > 0 {
					place[number] = len(tables)
				}
				tables = append(tables, t)
				return nil
			})
			return err
		})
	})
	if err != nil || len(place) == 0 {
		return tables, err
	}
	err = w.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select table_number, sum(writes)::bigint from "+schema.CountRelation(org)+
			" where table_number = any ($1) group by table_number",
			slices.Collect(maps.Keys(place))).Query(func(rows pgx.Rows) error {
			var number int32
			var writes int64
			_, err := pgx.ForEachRow(rows, []any{&number, &writes}, func() error {
				tables[place[number]].stamp.writes = writes
				return nil
			})
			return err
		})
	})
	return tables, err
}

// markUnused marks the files that are no longer referenced.
func (w *Sweeper) markUnused(ctx context.Context, org uuid.UUID) error {
	tables, err := w.tablesWithFiles(ctx, org)
	if err != nil {
		return fmt.Errorf("listing tables with files: %w", err)
	}
	for _, t := range tables {
		if t.stamp.version > 0 && w.seen[t.id] == t.stamp {
			continue
		}
		if err := w.markTable(ctx, org, t.id); err != nil {
			return err
		}
		w.seen[t.id] = t.stamp
	}
	return nil
}

func (w *Sweeper) markTable(ctx context.Context, org, table uuid.UUID) error {
	// Read kept_at before the references: a file that is put into a cell in between gets a later
	// kept_at and is not marked.
	kept := map[uuid.UUID]time.Time{}
	err := w.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select id, kept_at from rowhouse.attachment
			where org_id = $1 and table_id = $2 and state = 'ready' and kept_at is not null
			and unused_since is null`, org, table).
			Query(func(rows pgx.Rows) error {
				var file uuid.UUID
				var at time.Time
				_, err := pgx.ForEachRow(rows, []any{&file, &at}, func() error { kept[file] = at; return nil })
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("listing files: %w", err)
	}
	attached, err := w.References.Attached(ctx, org, table)
	if err != nil && problem.KindOf(err) != problem.KindNotFound {
		return fmt.Errorf("reading the referenced files: %w", err)
	}
	var unused []uuid.UUID
	var at []time.Time
	for file, since := range kept {
		if !attached[file] {
			unused, at = append(unused, file), append(at, since)
		}
	}
	if len(unused) == 0 {
		return nil
	}
	err = w.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.attachment a set unused_since = now()
			from unnest($2::uuid[], $3::timestamptz[]) as u(id, kept_at)
			where a.org_id = $1 and a.id = u.id and a.kept_at = u.kept_at and a.state = 'ready'`, org, unused, at)
	})
	if err != nil {
		return fmt.Errorf("marking unused files: %w", err)
	}
	return nil
}

package transfer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// backupsEvery is how often somebody looks for organizations whose night has come.
const backupsEvery = 5 * time.Minute

// nightlyJob is the recurring job that begins backups. Its kind is stored, so it must not change.
type nightlyJob struct{}

func (nightlyJob) Kind() string { return "backup_begin" }

// BeginDueBackups begins the backups of the organizations whose time has come.
func (s *Store) BeginDueBackups(ctx context.Context) error {
	type due struct {
		Org uuid.UUID
		At  time.Time
	}
	var found []due
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select org_id, next_at from rowhouse.backup_setting
			where next_at <= now() order by next_at limit 500`).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[due])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for backups to begin: %w", err)
	}
	for _, one := range found {
		// Another process may have begun them, or the settings were deleted.
		_, failure := s.beginBackups(ctx, one.Org, uuid.Nil, uuid.Nil, one.At)
		if failure != nil && !errors.Is(failure, errNotDue) && problem.KindOf(failure) != problem.KindNotFound {
			err = errors.Join(err, failure)
		}
	}
	return err
}

// errNotDue is returned if another process has begun the backups of a night.
var errNotDue = errors.New("the backups were begun already")

// BeginBackups begins backups of a base, or with uuid.Nil of all, for a person. A base whose backup has not ended gets
// no second one. It returns the number of backups.
func (s *Store) BeginBackups(ctx context.Context, org, base, person uuid.UUID) (int, error) {
	return s.beginBackups(ctx, org, base, person, time.Time{})
}

// beginBackups is BeginBackups. due, unless zero, is the moment in the settings for which backups are begun.
func (s *Store) beginBackups(ctx context.Context, org, base, person uuid.UUID, due time.Time) (int, error) {
	setting, err := s.BackupSetting(ctx, org)
	if err != nil {
		return 0, err
	}
	if err := s.clearLost(ctx, org); err != nil {
		return 0, err
	}
	snapshot, err := s.Schema.Fresh(catalog.WithoutCaller(ctx), org)
	if err != nil {
		return 0, fmt.Errorf("reading the schema: %w", err)
	}
	bases := snapshot.Bases
	if base != uuid.Nil {
		bases = slices.DeleteFunc(slices.Clone(bases), func(b *schema.Base) bool { return b.ID != base })
		if len(bases) == 0 {
			return 0, problem.NotFound("base", id.Format(id.Base, base))
		}
	}
	var begun []waitingJob
	err = s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select pg_advisory_xact_lock($1, hashtext($2))", db.LockJob, org.String())
		if !due.IsZero() {
			b.Queue(`update rowhouse.backup_setting set next_at = $3 where org_id = $1 and next_at = $2
				returning true`, org, due, nextBackup(org, time.Now())).QueryRow(func(row pgx.Row) error {
				var mine bool
				if err := row.Scan(&mine); errors.Is(err, pgx.ErrNoRows) {
					return errNotDue
				} else if err != nil {
					return err
				}
				return nil
			})
		}
		for _, one := range bases {
			s.queueBackup(b, setting, one, person, func(job uuid.UUID) {
				begun = append(begun, waitingJob{org, job, BackupBase})
			})
		}
		audit.Record(ctx, b, org, &audit.Event{
			Action: "start_backups", Subject: id.Format(id.Org, org), Detail: map[string]any{"bases": len(bases)},
		})
	})
	if err != nil {
		return 0, fmt.Errorf("beginning backups: %w", err)
	}
	if err := s.queue(context.WithoutCancel(ctx), begun); err != nil {
		s.Log.WarnContext(ctx, "backups wait for the next sweep", slog.Any("error", err))
	}
	return len(begun), nil
}

// queueBackup queues the insertion of a backup with its job, unless the base has one that has not ended.
func (s *Store) queueBackup(
	b *pgx.Batch, setting *BackupSetting, of *schema.Base, person uuid.UUID, begun func(job uuid.UUID),
) {
	job, now := id.New(), time.Now().UTC()
	by, asked := setting.ChangedBy, (*uuid.UUID)(nil)
	if person != uuid.Nil {
		by, asked = person, &person
	}
	extension := ".zip"
	if setting.Recipient != "" {
		extension += ".age"
	}
	object := setting.Object(of.PublicID() + "/" + now.Format("20060102T150405Z") + "-" +
		id.Format(id.Backup, job) + extension)
	b.Queue(`insert into rowhouse.job (org_id, id, kind, person_id, base_id, caller, request, created_at)
		select $1, $2, 'backup_base', $3, $4, $5, '{}', $6 where not exists (select from rowhouse.job o
			where o.org_id = $1 and o.base_id = $4 and o.kind = 'backup_base' and o.state in ('queued', 'running'))`,
		of.Org, job, by, of.ID, jsonvalue.Must(Caller{}), now)
	b.Queue(`insert into rowhouse.backup
			(org_id, id, base_id, base_name, store, object, encrypted, person_id, started_at)
		select $1, $2, $3, $4, $5, $6, $7, $8, $9 where exists (
			select from rowhouse.job o where o.org_id = $1 and o.id = $2) returning true`,
		of.Org, job, of.ID, of.Name, setting.Store(), object, setting.Recipient != "", asked, now).
		Query(func(rows pgx.Rows) error {
			if rows.Next() {
				begun(job)
			}
			rows.Close()
			return rows.Err()
		})
}

// clearLost deletes the scratch bases of backups that have ended without doing it.
func (s *Store) clearLost(ctx context.Context, org uuid.UUID) error {
	found, err := s.Schema.ScratchBases(ctx, org)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	for i := range found {
		j, err := s.Get(ctx, org, found[i].Job)
		switch {
		case problem.KindOf(err) == problem.KindNotFound, err == nil && j.State.Ended():
			err = s.clearScratch(ctx, org, &found[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// clearScratch deletes a scratch base with its files.
func (s *Store) clearScratch(ctx context.Context, org uuid.UUID, base *catalog.ScratchBase) error {
	ctx = db.WithActor(catalog.WithoutCaller(ctx), db.Actor{Quiet: true})
	if err := s.Files.RemoveOf(ctx, org, base.Tables); err != nil {
		return err //nolint:wrapcheck // it says what
	}
	return s.Scratch.Schema().DropScratch(ctx, org, base.ID) //nolint:wrapcheck // it says what
}

// clearBackup deletes what a backup needed while it ran.
func (s *Store) clearBackup(ctx context.Context, j *Job) error {
	found, err := s.Schema.ScratchBases(ctx, j.Org)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	for i := range found {
		if found[i].Job == j.ID {
			if err := s.clearScratch(ctx, j.Org, &found[i]); err != nil {
				return err
			}
		}
	}
	var kept *uuid.UUID
	err = s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue("select (progress->>'file')::uuid from rowhouse.job where org_id = $1 and id = $2", j.Org, j.ID).
			Query(func(rows pgx.Rows) error {
				_, err := pgx.ForEachRow(rows, []any{&kept}, func() error { return nil })
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("reading the progress of a backup: %w", err)
	}
	if kept != nil {
		return s.Files.Remove(ctx, j.Org, *kept) //nolint:wrapcheck // it says what
	}
	return nil
}

package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	// backupsListed is how long a backup is listed that is not in the bucket any more, or never was.
	backupsListed = 90 * 24 * time.Hour
	// clearTime bounds the deletion of what a backup needed while it ran.
	clearTime = 5 * time.Minute
	// maxMessage bounds what is said of a backup, in characters.
	maxMessage = 4000
)

// end decides whether the backup is good, deletes what is not needed any more, and ends the job.
func (r *backupRun) end(ctx context.Context) error {
	if differ := differences(r.report); differ != "" {
		return problem.Conflict("The backup is in the bucket, and restoring it showed differences.\n%s", differ)
	}
	if err := r.clearBackup(ctx, r.j); err != nil {
		return err
	}
	message := ""
	if err := r.prune(ctx); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx) //nolint:wrapcheck // errStopped, or that of the context
		}
		message = "Older backups could not be deleted: " + bounded(err.Error())
	}
	records, files := 0, 0
	for i := range r.report.Tables {
		records, files = records+r.report.Tables[i].Created, files+r.report.Tables[i].Files
	}
	tables := len(r.report.Tables)
	report, err := json.Marshal(r.report)
	if err != nil {
		return fmt.Errorf("encoding a report: %w", err)
	}
	ctx = db.WithActor(ctx, db.Actor{}) // the service itself
	err = r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		r.queueStep(b, r.j, `state = 'done', ended_at = now(), lease = null, leased_until = null, report = $5,
			done = $6, total = $6`, report, records)
		b.Queue(`update rowhouse.backup set state = 'ok', ended_at = now(), tables = $3, records = $4, files = $5,
			message = $6 where org_id = $1 and id = $2`, r.j.Org, r.j.ID, tables, records, files, message)
		audit.Record(ctx, b, r.j.Org, r.backup.event(map[string]any{
			"state": BackupGood, "tables": tables, "records": records, "files": files, "object": r.backup.Object,
		}))
	})
	if pgerror.Is(err, db.StateJobMoved) {
		return errStopped
	}
	if err != nil {
		return fmt.Errorf("ending a backup: %w", err)
	}
	return nil
}

// event is the event of the end of a backup.
func (b *Backup) event(detail map[string]any) *audit.Event {
	detail["backup"] = id.Format(id.Backup, b.ID)
	return &audit.Event{Action: "back_up_base", Subject: id.Format(id.Base, b.Base), Detail: detail}
}

func bounded(text string) string {
	if runes := []rune(text); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "…"
	}
	return text
}

// failBackup ends a backup that has failed, and notifies the admins.
func (s *Store) failBackup(ctx context.Context, j *Job, message string, report []byte) error {
	ctx = db.WithActor(ctx, db.Actor{}) // the service itself
	message = bounded(message)
	var admins []uuid.UUID
	err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue("select person_id from rowhouse.member where org_id = $1 and role in ('admin', 'owner')", j.Org).
			Query(func(rows pgx.Rows) (err error) {
				admins, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for the admins: %w", err)
	}
	notices := make([]uuid.UUID, len(admins))
	for i := range notices {
		notices[i] = id.New()
	}
	backup := &Backup{ID: j.ID, Base: j.Base}
	err = s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		// Another worker may have the job by now: then nothing has failed.
		b.Queue(`with mine as (update rowhouse.job set lease = null, queued_at = null, leased_until = null,
				state = 'failed', ended_at = now(), report = $4
				where org_id = $1 and id = $2 and lease = $3 returning id)
			select gate.assert(exists (select from mine), '`+db.StateJobMoved+"')", j.Org, j.ID, j.lease, report)
		b.Queue(`update rowhouse.backup set state = 'failed', ended_at = now(), message = $3
			where org_id = $1 and id = $2`, j.Org, j.ID, message)
		b.Queue(`insert into rowhouse.backup_notice (org_id, id, person_id, backup_id)
			select $1, n.id, n.person, $4 from unnest($2::uuid[], $3::uuid[]) as n(id, person)
			join rowhouse.member m on m.org_id = $1 and m.person_id = n.person on conflict do nothing`,
			j.Org, notices, admins, j.ID)
		audit.Record(ctx, b, j.Org, backup.event(map[string]any{"state": BackupFailed}))
	})
	if pgerror.Is(err, db.StateJobMoved) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ending a backup that has failed: %w", err)
	}
	s.clearAfter(ctx, j)
	return nil
}

// clearCancelled is clearAfter if the job is a backup that somebody has cancelled.
func (s *Store) clearCancelled(ctx context.Context, j *Job) {
	if j.Kind != BackupBase {
		return
	}
	if now, err := s.Get(ctx, j.Org, j.ID); err == nil && now.State.Ended() {
		s.clearAfter(ctx, j)
	}
}

// clearAfter deletes what a backup needed that has ended without success. What is left, the next backups delete.
func (s *Store) clearAfter(ctx context.Context, j *Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearTime)
	defer cancel()
	if err := s.clearBackup(ctx, j); err != nil {
		s.Log.WarnContext(ctx, "the scratch base of a backup is left for the next one",
			slog.String("job", j.PublicID()), slog.Any("error", err))
	}
}

// prune deletes the objects of the organization's backups in this bucket that are older than they are kept, if the base
// has a newer good one. The one of this run is good.
func (r *backupRun) prune(ctx context.Context) error {
	type old struct {
		ID     uuid.UUID
		Object string
	}
	var found []old
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select b.id, b.object from rowhouse.backup b where b.org_id = $1 and b.store = $2 and b.uploaded
				and b.deleted_at is null and b.state <> 'running' and b.started_at < now() - make_interval(days => $3)
				and exists (select from rowhouse.backup g where g.org_id = $1 and g.base_id = b.base_id and g.id > b.id
					and g.deleted_at is null and (g.state = 'ok' or g.id = $4))
			order by b.id limit 1000`, r.j.Org, r.backup.Store, r.setting.KeepDays, r.j.ID).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[old])
				return err
			})
		b.Queue(`delete from rowhouse.backup where org_id = $1 and started_at < now() - $2::interval
			and state <> 'running' and (deleted_at < now() - $2::interval or not uploaded)`, r.j.Org, backupsListed)
	})
	if err != nil {
		return fmt.Errorf("looking for old backups: %w", err)
	}
	for _, one := range found {
		if err := r.to.Delete(ctx, one.Object); err != nil {
			return err //nolint:wrapcheck // it is for the people
		}
		err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
			b.Queue("update rowhouse.backup set deleted_at = now() where org_id = $1 and id = $2", r.j.Org, one.ID)
		})
		if err != nil {
			return fmt.Errorf("noting that an old backup was deleted: %w", err)
		}
	}
	return nil
}

// A BackupNotice notifies an admin in the inbox of a backup that has failed.
type BackupNotice struct {
	ID     uuid.UUID
	ReadAt *time.Time
	Backup Backup
}

// CreatedAt is when the person was notified.
func (n *BackupNotice) CreatedAt() time.Time { return time.Unix(n.ID.Time().UnixTime()).UTC() }

// A BackupNoticePage is a part of the notices of a person, the latest first.
type BackupNoticePage struct {
	Notices []BackupNotice
	Unread  int
	Next    uuid.UUID // the last one; uuid.Nil: there are no more
}

// BackupNotices returns a page of the notices of backups that a person has got before a notice, or uuid.Nil.
func (s *Store) BackupNotices(
	ctx context.Context, org, person uuid.UUID, unread bool, before uuid.UUID, limit int,
) (BackupNoticePage, error) {
	if before == uuid.Nil {
		before = uuid.Max
	}
	var page BackupNoticePage
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select n.id, n.read_at, "+backupColumns+fromBackups+`join rowhouse.backup_notice n
				on n.org_id = b.org_id and n.backup_id = b.id
			where n.org_id = $1 and n.person_id = $2 and n.id < $3 and (n.read_at is null or not $4)
			order by n.id desc limit $5`, org, person, before, unread, limit).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var n BackupNotice
					of := &n.Backup
					if err := rows.Scan(&n.ID, &n.ReadAt, &of.ID, &of.Base, &of.BaseName, &of.State, &of.Store,
						&of.Object, &of.Encrypted, &of.Uploaded, &of.Bytes, &of.SHA256, &of.Tables, &of.Records,
						&of.Files, &of.Message, &of.Person, &of.StartedAt, &of.EndedAt, &of.DeletedAt); err != nil {
						return err
					}
					page.Notices = append(page.Notices, n)
				}
				return rows.Err()
			})
		b.Queue(`select count(*) from rowhouse.backup_notice
			where org_id = $1 and person_id = $2 and read_at is null`, org, person).
			QueryRow(func(row pgx.Row) error { return row.Scan(&page.Unread) })
	})
	if err != nil {
		return page, fmt.Errorf("reading notices of backups: %w", err)
	}
	if len(page.Notices) == limit {
		page.Next = page.Notices[limit-1].ID
	}
	return page, nil
}

// MarkBackupNoticesRead records that a person has read notices of backups, or all.
func (s *Store) MarkBackupNoticesRead(ctx context.Context, org, person uuid.UUID, notices []uuid.UUID, all bool) error {
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.backup_notice set read_at = clock_timestamp()
			where org_id = $1 and person_id = $2 and read_at is null and ($3 or id = any ($4))`,
			org, person, all, notices)
	})
	if err != nil {
		return fmt.Errorf("marking notices of backups as read: %w", err)
	}
	return nil
}

package history

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	purgeEvery   = time.Hour
	purgeTimeout = 9 * time.Minute // the next run continues
)

// purgeJob is the recurring job that empties the trash. Its kind is stored, so it must not change.
type purgeJob struct{}

func (purgeJob) Kind() string { return "trash_purge" }

// historyJob is the recurring job that ends old history.
type historyJob struct{}

func (historyJob) Kind() string { return "history_purge" }

// Schedule registers the jobs that end old history. Call it before the client starts.
func (s *Trash) Schedule(jobs *job.Client) {
	job.Every[purgeJob](jobs, purgeEvery, purgeTimeout, s.PurgeExpired)
	job.Every[historyJob](jobs, purgeEvery, purgeTimeout, s.DropHistory)
}

// PurgeExpired purges what has been in any organization's trash for longer than Keep, and organizations that have been
// deleted for longer.
func (s *Trash) PurgeExpired(ctx context.Context) error {
	before := time.Now().Add(-s.Keep)
	return errors.Join(
		s.everywhere(ctx, "select distinct org_id from rowhouse.trash where deleted_at < $1",
			func(org uuid.UUID) error { return s.PurgeOrg(ctx, org) }, before),
		s.PurgeDeletedOrgs(ctx),
	)
}

// PurgeDeletedOrgs purges organizations that have been deleted for longer than Keep.
func (s *Trash) PurgeDeletedOrgs(ctx context.Context) error {
	return s.everywhere(ctx, "select org_id from rowhouse.deleted_organization where deleted_at < $1",
		func(org uuid.UUID) error {
			err := organization.Purge(ctx, s.DB, org, s.Keep)
			if problem.KindOf(err) == problem.KindNotFound { // it was restored meanwhile
				return nil
			}
			return err
		}, time.Now().Add(-s.Keep))
}

// PurgeOrg is PurgeExpired for one organization.
func (s *Trash) PurgeOrg(ctx context.Context, org uuid.UUID) error {
	before := time.Now().Add(-s.Keep)
	for {
		more, err := s.Schema.PurgeBefore(ctx, org, before)
		if err != nil || !more {
			return err
		}
	}
}

// DropHistory drops the months of every organization's log that ended longer ago than History.
func (s *Trash) DropHistory(ctx context.Context) error {
	before := time.Now().Add(-s.History)
	return s.everywhere(ctx, "select org_id from rowhouse.organization where created_at < $1",
		func(org uuid.UUID) error { return s.DropOrgHistory(ctx, org) }, before)
}

// everywhere calls do for organizations, in random order, so that a run that is cut off neglects none.
func (s *Trash) everywhere(ctx context.Context, query string, do func(org uuid.UUID) error, args ...any) error {
	var orgs []uuid.UUID
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(query, args...).Query(func(rows pgx.Rows) (err error) {
			orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("listing organizations: %w", err)
	}
	//nolint:gosec // an order, not a secret
	rand.Shuffle(len(orgs), func(i, j int) { orgs[i], orgs[j] = orgs[j], orgs[i] })
	var failures []error
	for i, org := range orgs {
		if ctx.Err() != nil {
			failures = append(failures, fmt.Errorf("%d of %d organizations are left: %w", len(orgs)-i, len(orgs),
				ctx.Err()))
			break
		}
		if err := do(org); err != nil {
			failures = append(failures, fmt.Errorf("organization %s: %w", org, err))
		}
	}
	return errors.Join(failures...)
}

// partWait bounds the delay of an organization's writers by the removal of a part of its log. SchemaTx
// tries again a few times, and the job each hour.
const partWait = "50ms"

// DropOrgHistory is DropHistory for one organization.
func (s *Trash) DropOrgHistory(ctx context.Context, org uuid.UUID) error {
	before := time.Now().Add(-s.History)
	if !s.DB.Topology().HasLogParts() {
		return s.deleteOrgHistory(ctx, org, before)
	}
	name := organization.SchemaName(org)
	var parts []string
	err := s.DB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
			where i.inhparent = to_regclass($1) and c.relname ~ '^change_\d{4}_\d\d$'
				and (gate.change_month(to_date(right(c.relname, 7), 'YYYY_MM'))).high <= $2 order by 1`, name+".change",
			before.UnixMicro())
		if err != nil {
			return err
		}
		parts, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		return fmt.Errorf("listing the parts of the log: %w", err)
	}
	for _, part := range parts {
		err := s.DB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "set local lock_timeout = '"+partWait+"'"); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "drop table if exists "+name+`."`+part+`"`); err != nil {
				return err
			}
			return s.auditPurge(ctx, tx, org, part)
		})
		if err != nil {
			return fmt.Errorf("dropping a part of the log: %w", err)
		}
	}
	return nil
}

// auditPurge records in the audit log that a month of history has ended.
func (s *Trash) auditPurge(ctx context.Context, tx pgx.Tx, org uuid.UUID, part string) error {
	return audit.RecordTx(ctx, tx, org, &audit.Event{
		Action: "purge_history", Subject: id.Format(id.Org, org), Detail: map[string]string{"part": part},
	})
}

// deleteOrgHistory is DropOrgHistory on Citus, where the log has no parts: it deletes the entries of
// each month. The month of the last entry stays whole, because the log is known from the month of its
// first entry on.
func (s *Trash) deleteOrgHistory(ctx context.Context, org uuid.UUID, before time.Time) error {
	log := changelog.Relation(org)
	for more := true; more; {
		err := s.DB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
			more = false
			var first, last *int64
			err := tx.QueryRow(ctx, "select min(number), max(number) from "+log).Scan(&first, &last)
			if pgerror.Is(err, pgerrcode.UndefinedTable) || err == nil && first == nil {
				return nil
			}
			if err != nil {
				return err
			}
			month := changelog.TimeOf(*first)
			end := time.Date(month.Year(), month.Month()+1, 1, 0, 0, 0, 0, time.UTC)
			if end.After(before) || end.UnixMicro() > *last {
				return nil
			}
			more = true
			_, err = tx.Exec(ctx, "delete from "+log+" where number < $1", end.UnixMicro())
			if err != nil {
				return err
			}
			return s.auditPurge(ctx, tx, org, month.Format("change_2006_01"))
		})
		if err != nil {
			return fmt.Errorf("deleting a month of the log: %w", err)
		}
	}
	return nil
}

// TrashUsage is how much space an organization's history takes.
type TrashUsage struct {
	Bytes int64
	Since time.Time // the history reaches back to; zero if there is none
}

// Usage returns how much disk space the history of an organization takes, and since when it reaches.
func (s *Trash) Usage(ctx context.Context, org uuid.UUID) (TrashUsage, error) {
	var usage TrashUsage
	// As the owner, because only the owner may read sizes.
	err := s.DB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		usage = TrashUsage{}
		log := organization.SchemaName(org) + ".change"
		var exists bool
		size := `select to_regclass($1) is not null, coalesce((
				with part as (select c.oid, c.reltoastrelid from pg_inherits i join pg_class c on c.oid = i.inhrelid
					where i.inhparent = to_regclass($1)),
				heap as (select oid from part union all select reltoastrelid from part where reltoastrelid <> 0)
				select sum(pg_relation_size(o.oid)) from (select oid from heap union all
					select x.indexrelid from pg_index x join heap h on h.oid = x.indrelid) o), 0)::bigint`
		if !s.DB.Topology().HasLogParts() {
			size = "select to_regclass($1) is not null, coalesce(citus_total_relation_size(to_regclass($1)), 0)"
		}
		if err := tx.QueryRow(ctx, size, log).Scan(&exists, &usage.Bytes); err != nil || !exists {
			return err
		}
		var first *int64
		if err := tx.QueryRow(ctx, "select min(number) from "+changelog.Relation(org)).Scan(&first); err != nil {
			return err
		}
		if first != nil {
			usage.Since = changelog.TimeOf(*first)
		}
		return nil
	})
	if err != nil {
		return TrashUsage{}, fmt.Errorf("measuring the history: %w", err)
	}
	return usage, nil
}

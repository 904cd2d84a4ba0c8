package organization

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A DeletedOrg is an organization that was deleted and can be restored.
type DeletedOrg struct {
	ID        uuid.UUID
	Name      string
	DeletedAt time.Time
	DeletedBy uuid.UUID
	ByName    string      // of the person who deleted it; "" if there is no such person any more
	Members   []uuid.UUID // the people who are members again once it is restored
}

// Delete deletes an organization: its members lose access, and everybody else what they reach through it, but all that
// is in it stays until Purge, so that Restore brings it back as it was.
func Delete(ctx context.Context, tenantDB *db.DB, org, by uuid.UUID) error {
	err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`insert into rowhouse.deleted_organization (org_id, name, deleted_by)
			select org_id, name, $2 from rowhouse.organization where org_id = $1 for update
			on conflict do nothing`, org, by)
		audit.Record(ctx, batch, org, &audit.Event{Action: "delete_org", Subject: id.Format(id.Org, org)})
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("deleting the organization: %w", err)
	}
	return nil
}

// Deleted returns the deleted organizations that a person owned, the last one first.
func Deleted(ctx context.Context, tenantDB *db.DB, person uuid.UUID) ([]DeletedOrg, error) {
	var found []DeletedOrg
	err := tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select d.org_id, d.name, d.deleted_at, d.deleted_by,
				coalesce((select p.name from rowhouse.person p where p.id = d.deleted_by), ''),
				array(select o.person_id from rowhouse.member o where o.org_id = d.org_id)
			from rowhouse.member m join rowhouse.deleted_organization d on d.org_id = m.org_id
			where m.person_id = $1 and m.role = 'owner' order by d.deleted_at desc, d.org_id`, person).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[DeletedOrg])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("listing deleted organizations: %w", err)
	}
	return found, nil
}

// Restore brings a deleted organization back as it was. It returns an error of kind not_found if it is not deleted, or
// was purged meanwhile.
func Restore(ctx context.Context, tenantDB *db.DB, org uuid.UUID) error {
	err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, "delete from rowhouse.deleted_organization where org_id = $1", org)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return problem.NotFound("organization", id.Format(id.Org, org))
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{Action: "restore_org", Subject: id.Format(id.Org, org)})
	})
	if err != nil {
		return fmt.Errorf("restoring the organization: %w", err)
	}
	return nil
}

// Purge removes an organization that has been deleted for the given time, with everything in it, including its records.
// Its audit log and the key that opens it remain. It returns an error of kind not_found for one that is not deleted, or
// not for so long, as when it was restored meanwhile.
func Purge(ctx context.Context, tenantDB *db.DB, org uuid.UUID, after time.Duration) error {
	err := tenantDB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, `delete from rowhouse.deleted_organization
			where org_id = $1 and deleted_at <= now() - $2::interval`, org, after)
		if err != nil {
			return fmt.Errorf("locking the deleted organization: %w", err)
		}
		if done.RowsAffected() == 0 {
			return problem.NotFound("organization", id.Format(id.Org, org))
		}
		// Fields reference tables without a cascade; they go first.
		for _, statement := range []string{
			"select from rowhouse.organization where org_id = $1 for update",
			"delete from rowhouse.field where org_id = $1",
			"delete from rowhouse.data_table where org_id = $1",
			"delete from rowhouse.base where org_id = $1",
			"delete from rowhouse.organization where org_id = $1",
		} {
			if _, err := tx.Exec(ctx, statement, org); err != nil {
				return fmt.Errorf("deleting what the organization has: %w", err)
			}
		}
		if _, err := tx.Exec(ctx, "drop schema "+SchemaName(org)+" cascade"); err != nil {
			return fmt.Errorf("dropping the organization's tables: %w", err)
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{Action: "purge_org", Subject: id.Format(id.Org, org)})
	})
	if err != nil {
		return fmt.Errorf("purging the organization: %w", err)
	}
	return nil
}

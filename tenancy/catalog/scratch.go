package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A scratch base is made of a backup to find out whether the backup can be restored, and is deleted at once. Only a
// store with the option Scratch has it in its snapshots.

// A ScratchBase is a base that nobody sees.
type ScratchBase struct {
	ID     uuid.UUID
	Job    uuid.UUID   // for which it was made
	Tables []uuid.UUID // in it
}

// ScratchBases lists the scratch bases of an organization.
func (s *Store) ScratchBases(ctx context.Context, org uuid.UUID) ([]ScratchBase, error) {
	var found []ScratchBase
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select b.id, b.scratch, array(select t.id from rowhouse.data_table t
				where t.org_id = $1 and t.base_id = b.id)
			from rowhouse.base b where b.org_id = $1 and b.scratch is not null`, org).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[ScratchBase])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for scratch bases: %w", err)
	}
	return found, nil
}

// DropScratch deletes a scratch base for good, with what the log of changes has of its records, which would otherwise
// grow with every backup. It does nothing if the base is gone. The store needs the option Scratch.
func (s *Store) DropScratch(ctx context.Context, org, base uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "delete_scratch_base", Subject: id.Format(id.Base, base)})
		found := c.Snapshot.Base(base)
		if found == nil {
			return nil
		}
		if err := c.checkScratch(ctx, found); err != nil {
			return err
		}
		numbers := make([]int32, 0, len(found.Tables))
		for _, t := range found.Tables {
			numbers = append(numbers, t.Number)
		}
		if err := c.trashBase(ctx, found); err != nil {
			return err
		}
		entries, err := c.queryTrash(ctx, "object_id = $2", org, base)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := c.purge(ctx, e); err != nil {
				return err
			}
		}
		_, err = c.Exec(ctx, "delete from "+c.logRelation()+`."change" where table_number = any ($1)`, numbers)
		if err != nil {
			return fmt.Errorf("deleting the log of a scratch base: %w", err)
		}
		return nil
	})
}

// checkScratch returns an error for a base that people see.
func (c *Change) checkScratch(ctx context.Context, b *schema.Base) error {
	var is bool
	err := c.QueryRow(ctx, "select scratch is not null from rowhouse.base where org_id = $1 and id = $2", c.Org, b.ID).
		Scan(&is)
	if err != nil {
		return fmt.Errorf("looking at a scratch base: %w", err)
	}
	if !is {
		return fmt.Errorf("the base %s is no scratch base", b.PublicID())
	}
	return nil
}

package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Purge deletes entries of the trash for good, with their columns and tables, and all entries that need
// them.
func (s *Store) Purge(ctx context.Context, org uuid.UUID, request TrashRequest) error {
	return s.Change(ctx, org, func(c *Change) error {
		entries, err := c.trashEntries(ctx, request)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := c.purge(ctx, e); err != nil {
				return err
			}
		}
		action := "purge_trash"
		if request.Base == uuid.Nil {
			action = "purge_bases"
		}
		c.SetAuditEvent(trashEvent(action, entries, request.Base))
		return nil
	})
}

// PurgeBefore purges one of the oldest entries that were deleted before a moment, and reports whether
// there was one. It purges the tables of a base one at a time, and the base after them.
func (s *Store) PurgeBefore(ctx context.Context, org uuid.UUID, before time.Time) (bool, error) {
	var found []*trashEntry
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+trashColumns+` from rowhouse.trash e where org_id = $1 and deleted_at < $2
			and not exists (select from rowhouse.trash p where p.org_id = $1 and p.part_of = e.id)
			order by deleted_at, id limit 1`, org, before).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[trashEntry])
			return err
		})
	})
	if err != nil {
		return false, fmt.Errorf("looking for what to purge: %w", err)
	}
	if len(found) == 0 {
		return false, nil
	}
	return true, s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(trashEvent("purge_trash", found, uuid.Nil))
		// It may have been restored or purged meanwhile.
		entries, err := c.queryTrash(ctx, "id = $2", org, found[0].ID)
		if err != nil || len(entries) == 0 {
			return err
		}
		return c.purge(ctx, entries[0])
	})
}

// purge deletes an entry with what it keeps, and the entries that need it.
func (c *Change) purge(ctx context.Context, e *trashEntry) error {
	switch e.Kind {
	case TrashedBase:
		inside, err := c.queryTrash(ctx, "base_id = $2 and id <> $3", c.Org, e.Base, e.ID)
		if err != nil {
			return err
		}
		for _, one := range inside { // some are purged with others
			if one.Kind == TrashedTable {
				if err := c.purge(ctx, one); err != nil {
					return err
				}
			}
		}
	case TrashedTable:
		if err := c.purgeTable(ctx, e); err != nil {
			return err
		}
	case TrashedField:
		if err := c.purgeField(ctx, e); err != nil {
			return err
		}
	case TrashedColumn:
		if err := c.dropColumn(ctx, e); err != nil {
			return err
		}
	case TrashedView:
	}
	batch := &pgx.Batch{}
	c.logPurged(e)
	batch.Queue("delete from rowhouse.trash where org_id = $1 and id = $2", c.Org, e.ID)
	if e.Kind == TrashedBase {
		batch.Queue("delete from rowhouse.trash where org_id = $1 and base_id = $2", c.Org, e.Base)
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("taking the entry out of the trash: %w", err)
	}
	return nil
}

// purgeTable drops a table with its join tables, and purges other entries of it and of links to it.
func (c *Change) purgeTable(ctx context.Context, e *trashEntry) error {
	others, err := c.queryTrash(ctx, `kind <> 'table' and (table_id = $2
		or content->'field' @> jsonb_build_array(jsonb_build_object('linked_table_id', $2::uuid)))`, c.Org, *e.Table)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for _, fields := range append([]*trashEntry{e}, others...) {
		for _, row := range fields.Content.Fields {
			if number := row.number("link_number"); number != 0 {
				queueDrop(batch, schema.Relation(c.Org, "l_", number))
			}
		}
	}
	for _, other := range others {
		c.logPurged(other)
		batch.Queue("delete from rowhouse.trash where org_id = $1 and id = $2", c.Org, other.ID)
	}
	queueDrop(batch, schema.Relation(c.Org, "t_", *e.TableNumber))
	batch.Queue("delete from "+schema.CountRelation(c.Org)+" where table_number = $1", *e.TableNumber)
	batch.Queue("delete from rowhouse.comment where org_id = $1 and table_number = $2", c.Org, *e.TableNumber)
	batch.Queue("delete from rowhouse.computed_column where org_id = $1 and table_number = $2", c.Org, *e.TableNumber)
	batch.Queue("drop function if exists " + schema.TriggerFunction(c.Org, *e.TableNumber) + "()")
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("dropping the table: %w", err)
	}
	return nil
}

// purgeField drops the column of a field and its former columns, or the join table of a link.
func (c *Change) purgeField(ctx context.Context, e *trashEntry) error {
	if e.LinkNumber != nil {
		batch := &pgx.Batch{}
		queueDrop(batch, schema.Relation(c.Org, "l_", *e.LinkNumber))
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("dropping the links: %w", err)
		}
		return nil
	}
	former, err := c.queryTrash(ctx, "kind = 'column' and object_id = $2", c.Org, e.Object)
	if err != nil {
		return err
	}
	for _, one := range former {
		if err := c.purge(ctx, one); err != nil {
			return err
		}
	}
	return c.dropColumn(ctx, e)
}

// dropColumn drops the column that an entry keeps.
func (c *Change) dropColumn(ctx context.Context, e *trashEntry) error {
	if t := c.Snapshot.Table(*e.Table); t != nil {
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
	}
	name := schema.Relation(c.Org, "t_", *e.TableNumber)
	batch := &pgx.Batch{}
	batch.Queue(releaseSQL, name)
	if c.topology.HasTriggers() {
		batch.Queue(fmt.Sprintf(`drop trigger if exists "mark_%d" on %s`, *e.FieldNumber, name))
	}
	batch.Queue(fmt.Sprintf(`alter table if exists %s drop column if exists "f_%d", drop column if exists "e_%[2]d"`,
		name, *e.FieldNumber))
	batch.Queue("delete from rowhouse.computed_column where org_id = $1 and field_number = $2", c.Org, *e.FieldNumber)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("dropping the column: %w", err)
	}
	return nil
}

// releaseSQL drops the views of package sqlquery that read a relation, because they prevent PostgreSQL
// from dropping it or a column.
const releaseSQL = "select gate.release_sql(to_regclass($1::text))"

// queueDrop queues the drop of a relation.
func queueDrop(batch *pgx.Batch, relation string) {
	batch.Queue(releaseSQL, relation)
	batch.Queue("drop table if exists " + relation)
}

// keptColumns bounds the columns of a table, including those in the trash, when it is rebuilt for lack
// of room. A table has at most MaxFields live ones.
const keptColumns = 1000

// purgeForRoom purges the oldest columns of a table from the trash if the table would have too many
// after a rebuild. The caller must have locked the table.
func (c *Change) purgeForRoom(ctx context.Context, t *schema.Table) error {
	var columns int
	err := c.QueryRow(ctx, `select count(*) from pg_attribute
		where attrelid = to_regclass($1::text) and attnum > 0 and not attisdropped`, t.Relation()).Scan(&columns)
	if err != nil {
		return fmt.Errorf("counting columns: %w", err)
	}
	if columns < keptColumns {
		return nil
	}
	kept, err := c.queryTrash(ctx, "table_id = $2 and (kind = 'column' or kind = 'field' and link_number is null)",
		c.Org, t.ID)
	if err != nil {
		return err
	}
	gone := map[uuid.UUID]bool{}
	for _, e := range kept {
		if columns < keptColumns {
			return nil
		}
		if gone[e.Object] && e.Kind == TrashedColumn {
			continue // purged with its field
		}
		if err := c.purge(ctx, e); err != nil {
			return err
		}
		if err := c.addEvent(ctx, trashEvent("purge_trash", []*trashEntry{e}, uuid.Nil)); err != nil {
			return err
		}
		gone[e.Object] = gone[e.Object] || e.Kind == TrashedField
		columns--
	}
	return nil
}

// addEvent adds an event to the audit log in addition to the change's own.
func (c *Change) addEvent(ctx context.Context, event audit.Event) error {
	event.Step = true
	return audit.RecordTx(ctx, c.Tx, c.Org, &event)
}

// PurgeRecords deletes for good what is left of deleted records of a table: their values in the log of
// changes, from their deletion, and comments on them. Their earlier changes end with the history.
func (s *Store) PurgeRecords(ctx context.Context, org, table uuid.UUID, rows []uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
		ids := make([]string, len(rows))
		for i, row := range rows {
			ids[i] = id.FormatRecord(t.Number, row)
			c.purged = append(c.purged, changelog.ObjectChange{
				Object: "record", ID: row, Before: jsonvalue.Must(map[string]any{"id": row, "table_number": t.Number}),
			})
		}
		c.SetAuditEvent(audit.Event{
			Action: "purge_trash", Subject: t.PublicID(), Detail: map[string]any{"count": len(ids), "records": ids},
		})
		// Records whose deletion shares an entry with others get an entry of their own, without values.
		log := c.logRelation() + `."change"`
		// As in logReturned, Citus needs the WITH.
		_, err := c.Exec(ctx, `with purged as materialized (
			select c.number, c.change_set, c.person, c.table_number, c.kind, c.credential, c.request,
				array_agg(e.id order by e.n) as records, array_agg(e.previous order by e.n) as previous
			from `+log+` c cross join lateral unnest(c.records, c.previous) with ordinality e(id, previous, n)
			where c.kind = `+changelog.SQLDeleted+` and c.table_number = $1 and c.records && $2 and e.id = any ($2)
			and c.before is not null
			group by c.ctid, c.tableoid, c.number, c.change_set, c.person, c.table_number, c.kind, c.credential,
				c.request)
			insert into `+log+` (number, change_set, person, table_number, kind, credential, request, records, previous)
			select * from purged returning number`, t.Number, rows)
		if err != nil {
			return fmt.Errorf("purging records: %w", err)
		}
		_, err = c.Exec(ctx, "update "+log+` c set (records, previous, before) = (
				select coalesce(array_agg(c.records[n] order by n), '{}'),
					coalesce(array_agg(c.previous[n] order by n), '{}'),
					coalesce(jsonb_agg(c.before -> (n - 1) order by n), '[]')
				from generate_subscripts(c.records, 1) n where c.records[n] <> all ($2))
			where c.kind = `+changelog.SQLDeleted+` and c.table_number = $1 and c.records && $2
			and c.before is not null`, t.Number, rows)
		if err != nil {
			return fmt.Errorf("purging records: %w", err)
		}
		_, err = c.Exec(ctx, "delete from "+log+" where kind = "+
			changelog.SQLDeleted+" and table_number = $1 and records = '{}'", t.Number)
		if err != nil {
			return fmt.Errorf("purging records: %w", err)
		}
		_, err = c.Exec(ctx, `delete from rowhouse.comment
			where org_id = $1 and table_number = $2 and record_id = any ($3)`, c.Org, t.Number, rows)
		if err != nil {
			return fmt.Errorf("deleting the comments of purged records: %w", err)
		}
		return nil
	})
}

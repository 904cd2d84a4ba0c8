package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// PostgreSQL numbers the rows of a table that gets an identity column by their places on disk, so the column is
// added without it. Where it cannot become one (db.Topology.HasIdentity), it has a sequence of its own as its default.

// number gives the column of a counted field its numbers: the records that are there are numbered in the order
// of their creation, which is that of their ids, and later ones follow.
func (c *Change) number(ctx context.Context, f *schema.Field) error {
	if !f.Info().Counted {
		return nil
	}
	relation, column := f.Table.Relation(), f.Column()
	_, err := c.Exec(ctx, "update "+relation+" as t set "+column+" = o.place from (select id, row_number() over "+
		"(order by id) as place from "+
		relation+") o where o.id = t.id")
	if err != nil {
		return fmt.Errorf("numbering the records: %w", err)
	}
	if c.topology.HasIdentity() {
		batch := &pgx.Batch{}
		batch.Queue("alter table " + relation + " alter column " + column + " set not null")
		batch.Queue("alter table " + relation + " alter column " + column + " add " + f.Info().ColumnRule)
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("counting the records: %w", err)
		}
	}
	return c.countOn(ctx, f)
}

// countOn has a counted field go on behind the highest number there is.
func (c *Change) countOn(ctx context.Context, f *schema.Field) error {
	relation, column := f.Table.Relation(), f.Column()
	var last int64
	if err := c.QueryRow(ctx, "select coalesce(max("+column+"), 0) from "+relation).Scan(&last); err != nil {
		return fmt.Errorf("counting the numbered records: %w", err)
	}
	if !c.topology.HasIdentity() {
		return c.countFrom(ctx, f.Table, column, last+1)
	}
	_, err := c.Exec(ctx, "select setval(pg_get_serial_sequence($1, $2), $3, false)", relation,
		strings.Trim(column, `"`), last+1)
	if err != nil {
		return fmt.Errorf("counting on from the numbered records: %w", err)
	}
	return nil
}

// CountOn has the counted fields of a table go on behind the highest numbers that records have, after records came that
// had theirs.
func (s *Store) CountOn(ctx context.Context, org, table uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_table", Subject: id.Format(id.Table, table)})
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
		for _, f := range t.Fields {
			if f.Info().Counted {
				if err := c.countOn(ctx, f); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// countFrom gives the column of a counted field a new sequence of its own.
func (c *Change) countFrom(ctx context.Context, t *schema.Table, column string, next int64) error {
	relation := t.Relation()
	schemaName, _, _ := strings.Cut(relation, ".")
	// The version makes the name new: a sequence cannot pass from one table to another.
	sequence := fmt.Sprintf(`%s."n_%s_%d"`, schemaName, strings.Trim(column, `"`), c.Snapshot.Version+1)
	batch := &pgx.Batch{}
	batch.Queue("create sequence " + sequence)
	batch.Queue("alter sequence " + sequence + " owned by " + relation + "." + column)
	batch.Queue("grant usage on sequence " + sequence + " to rowhouse_app")
	batch.Queue("alter table " + relation + " alter column " + column + " set default nextval('" + sequence + "')")
	batch.Queue("alter table " + relation + " alter column " + column + " set not null")
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating a sequence: %w", err)
	}
	if _, err := c.Exec(ctx, "select setval($1::text::regclass, $2, false)", sequence, next); err != nil {
		return fmt.Errorf("setting a sequence: %w", err)
	}
	return nil
}

// countedColumns lists the columns of a table that the database numbers, also those in the trash.
func (c *Change) countedColumns(ctx context.Context, relation string) ([]string, error) {
	// pg_get_serial_sequence must not be a condition here. A plan may evaluate it for columns of other
	// tables, and it fails for those.
	return c.lines(ctx, `select a.attname::text from pg_depend d
		join pg_class s on s.oid = d.objid and s.relkind = 'S'
		join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
		where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
			and d.refobjid = to_regclass($1::text) and d.deptype in ('a', 'i') order by a.attnum`, relation)
}

// keepCounting gives the counted columns of a table that was rebuilt sequences of their own that
// continue those of the former table.
func (c *Change) keepCounting(ctx context.Context, t *schema.Table, former string, counted []string) error {
	for _, column := range counted {
		if c.topology.HasIdentity() {
			continue
		}
		var next int64
		err := c.QueryRow(ctx, "select coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)) + 1, 1)",
			former, column).Scan(&next)
		if err != nil {
			return fmt.Errorf("reading a sequence: %w", err)
		}
		if err := c.countFrom(ctx, t, `"`+column+`"`, next); err != nil {
			return err
		}
	}
	return nil
}

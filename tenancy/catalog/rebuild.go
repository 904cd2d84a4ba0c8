package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// columnLimit is how many columns a record table may have had before it is rebuilt. PostgreSQL counts
// dropped columns too, and its limit is 1,600.
const columnLimit = 1500

// columnRoom is how many columns may be added to the record table before it is rebuilt.
func (c *Change) columnRoom(ctx context.Context, t *schema.Table) (int, error) {
	var lifetime int
	err := c.QueryRow(ctx, "select count(*) from pg_attribute where attrelid = to_regclass($1::text) and attnum > 0",
		t.Relation()).Scan(&lifetime)
	if err != nil {
		return 0, fmt.Errorf("counting columns: %w", err)
	}
	return columnLimit - lifetime, nil
}

// makeColumnRoom rebuilds the record table if it has had too many columns to add another. The caller
// must have locked the table.
func (c *Change) makeColumnRoom(ctx context.Context, t *schema.Table) error {
	room, err := c.columnRoom(ctx, t)
	if err != nil || room > 0 {
		return err
	}
	if err := c.purgeForRoom(ctx, t); err != nil {
		return err
	}
	return c.rebuild(ctx, t)
}

// rebuild copies a record table into a new one without dropped columns, and gives it the old
// table's name, indexes, identities, policies and the foreign keys that referenced it. Readers of
// the old table fail once and retry, because the table's version changes too.
func (c *Change) rebuild(ctx context.Context, t *schema.Table) error {
	relation := t.Relation()
	definitions, err := c.lines(ctx, `select pg_get_indexdef(x.indexrelid) from pg_index x
		where x.indrelid = to_regclass($1::text) and not x.indisprimary`, relation)
	if err != nil {
		return err
	}
	// The foreign keys of join tables, as the two statements that drop and restore them.
	drops, err := c.lines(ctx, `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname)
		from pg_constraint k where k.confrelid = to_regclass($1::text) and k.contype = 'f'`, relation)
	if err != nil {
		return err
	}
	restores, err := c.lines(ctx, `select format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname,
		pg_get_constraintdef(k.oid))
		from pg_constraint k where k.confrelid = to_regclass($1::text) and k.contype = 'f'`, relation)
	if err != nil {
		return err
	}
	columns, err := c.lines(ctx, `select format('%I', attname) from pg_attribute
		where attrelid = to_regclass($1::text) and attnum > 0 and not attisdropped order by attnum`, relation)
	if err != nil {
		return err
	}
	triggers, err := c.lines(ctx, `select pg_get_triggerdef(g.oid) from pg_trigger g
		where g.tgrelid = to_regclass($1::text) and not g.tgisinternal`, relation)
	if err != nil {
		return err
	}
	list := strings.Join(columns, ", ")
	former := strings.TrimSuffix(relation, `"`) + `_former"`
	name := relation[strings.Index(relation, ".")+1:]

	batch := &pgx.Batch{}
	batch.Queue(releaseSQL, relation)
	for _, drop := range drops {
		batch.Queue(drop)
	}
	batch.Queue("alter table " + relation + " rename to " + former[strings.Index(former, ".")+1:])
	batch.Queue("create table " + relation + " (like " + former + " including defaults including identity including " +
		"storage including compression)")
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("rebuilding %s: %w", name, err)
	}
	batch = &pgx.Batch{}
	insert := "insert into " + relation + " (" + list + ") overriding system value select " + list + " from " + former
	if !c.topology.CopiesRows() {
		insert = "with old as materialized (select " + list + " from " + former + "), copied as (insert into " +
			relation + " (" + list + ") select " +
			list + " from old returning id) select count(*) from copied"
	}
	batch.Queue(insert)
	counted, err := c.countedColumns(ctx, former)
	if err != nil {
		return err
	}
	for _, column := range counted {
		if c.topology.HasIdentity() {
			batch.Queue(`select setval(pg_get_serial_sequence($1, $3), coalesce(s.last, 1), s.last is not null)
				from pg_sequence_last_value(pg_get_serial_sequence($2, $3)) as s(last)`, relation, former, column)
		}
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("copying %s: %w", name, err)
	}
	if err := c.keepCounting(ctx, t, former, counted); err != nil {
		return err
	}
	batch = &pgx.Batch{}
	batch.Queue("drop table " + former)
	batch.Queue("alter table " + relation + " add primary key (id)")
	for _, definition := range definitions {
		batch.Queue(definition)
	}
	for _, restore := range append(restores, triggers...) {
		batch.Queue(restore)
	}
	batch.Queue("select gate.protect_records(to_regclass($1::text), $2)", relation, c.Org)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("finishing %s: %w", name, err)
	}
	return nil
}

func (c *Change) lines(ctx context.Context, sql string, args ...any) ([]string, error) {
	rows, err := c.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return lines, nil
}
